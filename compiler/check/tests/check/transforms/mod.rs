//! Transforms against formulas that are written down a second time, with nothing but integers.

mod oracle;
mod random;
mod vectors;

use std::sync::Arc;

use check::db::SourceFile;
use check::evaluate;
use check::values::Value;
use dims::Facts;
use ide::CompilerDatabase;
use maps::IndexMap;
use proofs::{Budget, CounterexampleKind, Verdict};

/// The map that an expression of the language makes.
fn map_of(text: &str) -> Arc<IndexMap> {
    let mut db = CompilerDatabase::default();
    let file: SourceFile = db.set_text("main.shape", &format!("map m = {text};\n"));
    let evaluated = evaluate::value(&db, file.items(&db)[0]);
    match &evaluated.value {
        Some(Value::Map(map)) => map.clone(),
        other => panic!("{text} is {other:?}: {:?}", ide::diagnostics(&db, file)),
    }
}

/// The codes of what is found in a file.
fn codes(text: &str) -> Vec<&'static str> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    ide::diagnostics(&db, file).iter().map(|finding| finding.code).collect()
}

/// The lower coordinate of an upper one, where that is valid.
fn at(map: &IndexMap, upper: &[i64]) -> Option<Vec<i64>> {
    let point = maps::evaluate(map, upper, &|_| None).unwrap();
    point.valid.then_some(point.lower)
}

#[test]
fn a_length_that_is_left_out_is_that_of_the_dimension_below() {
    for (long, short) in [
        ("row_major([4, 5]) |> merge(4, 5)", "row_major([4, 5]) |> merge"),
        ("row_major([8, 16]) |> xor(8, 16)", "row_major([8, 16]) |> xor"),
        ("row_major([8, 16]) |> cyclic_shift(8, 16)", "row_major([8, 16]) |> cyclic_shift"),
        ("row_major([9]) |> pad(9, 1, 2)", "row_major([9]) |> pad(1, 2)"),
        ("row_major([9]) |> pad(length: 9, left: 1, right: 2)", "row_major([9]) |> pad(left: 1, right: 2)"),
        ("row_major([9]) |> slice(9, 1, 4)", "row_major([9]) |> slice(1, 4)"),
        ("row_major([9]) |> modulo(9, 20)", "row_major([9]) |> modulo(20)"),
        ("row_major([9]) |> offset(9, 4)", "row_major([9]) |> offset(4)"),
        ("row_major([24]) |> unmerge(3, 4, 2)", "row_major([24]) |> unmerge(3, _, 2)"),
        ("row_major([9, 8]) |> partition([9, 8], [4, 4])", "row_major([9, 8]) |> partition([4, 4])"),
        ("row_major([9, 8]) |> { 1: pass_through(8) => 0, 0: pass_through => 1 }", "row_major([9, 8]).permute(1, 0)"),
        ("row_major(4, 5)", "row_major((4, 5))"),
    ] {
        let (left, right) = (map_of(long), map_of(short));
        let verdict = proofs::equal(&left, &right, &Facts::empty(), &Budget::default());
        assert!(verdict.is_proven() && left.upper == right.upper, "{long} and {short}: {verdict:?}");
    }
}

#[test]
fn upper_dimensions_without_a_number_take_what_is_left() {
    let map = map_of("row_major([2, 3, 4]) |> { 0: _, 1: _ => 0, 2: _ }");
    let extents: Vec<String> = map.upper.iter().map(|axis| axis.extent.as_ref().unwrap().to_string()).collect();
    assert_eq!(extents, ["3", "2", "4"]);
}

#[test]
fn a_dimension_of_the_threads_stays_theirs() {
    let map = map_of("reshape_map([3] | [4] => layout: [t0, i0]) |> { 0: _, 1: unmerge(2, 2) }");
    let roles: Vec<maps::AxisRole> = map.upper.iter().map(|axis| axis.role).collect();
    assert_eq!(roles, [maps::AxisRole::Local, maps::AxisRole::Thread, maps::AxisRole::Thread]);
}

#[test]
fn a_map_stands_above_more_than_it_needs_but_not_above_less() {
    assert_eq!(codes("map big = row_major([16]);\nmap m = big |> row_major([3, 4]);\n"), [""; 0]);
    assert_eq!(codes("map small = row_major([8]);\nmap m = small |> row_major([3, 4]);\n"), ["stage-length"]);
}

#[test]
fn what_does_not_fit_is_said_once_and_of_the_right_kind() {
    for (text, code) in [
        ("row_major([4, 6]) |> merge(4, 5)", "stage-length"),
        ("row_major([4, 6]) |> pad(1, 1)", "stage-rank"),
        ("row_major([4, 6]) |> { (0, 1): pad(1, 1) }", "stage-rank"),
        ("row_major([4, 6]) |> { 0: _ }", "group-dimension"),
        ("row_major([4, 6]) |> { 0: _, 1: _, 1: _ }", "group-dimension"),
        ("row_major([4, 6]) |> { 0: _, 2: _ }", "group-dimension"),
        ("row_major([4, 6]) |> { 0: _ => 0, 1: _ => 0 }", "group-order"),
        ("row_major([4, 6]) |> { 0: _ => 0, 1: _ => 2 }", "group-order"),
        ("row_major([4, 6]) |> { 0: _ => (0, 1), 1: _ }", "group-order"),
        ("row_major([8]) |> slice(4, 12)", "stage-outside"),
        ("row_major([8, 8]) |> { 0: freeze(8), 1: _ }", "stage-outside"),
        ("row_major([8]) |> modulo(9, 20)", "stage-outside"),
        ("row_major([8]) |> slice(4, 4)", "transform-argument"),
        ("row_major([8]) |> pad(-1, 1)", "transform-argument"),
        ("row_major([8]) |> pad((1, 2), 1)", "transform-argument"),
        ("row_major([24]) |> unmerge(_, _, 2)", "transform-argument"),
        ("strided([4, 8], [8])", "transform-argument"),
        ("embed((4, 8), (8, 1, 1))", "transform-argument"),
        ("row_major([4, 0])", "zero-size"),
        ("row_major([8]) |> pad(1)", "argument-count"),
        ("row_major([8]) |> unmerge()", "argument-count"),
        ("row_major([8]) |> pad(left: 1, wrong: 1)", "unknown-argument"),
        ("pad(1, 1)", "transform-alone"),
        ("merge", "transform-alone"),
        ("[4, 6] |> xor", "pipe-operand"),
        ("row_major([8]) |> 4", "pipe-operand"),
        ("{ 0: _ }", "pipe-operand"),
        ("embed((3, 4), (1, 1)).inverse", "no-inverse"),
        ("row_major([2, 3]).permute(0, 0)", "permutation"),
        ("row_major([2, 3])[1, 1]", "wrong-type"),
    ] {
        assert_eq!(codes(&format!("map m = {text};\n")), [code], "{text}");
    }
}

#[test]
fn a_symbolic_length_that_may_differ_is_a_warning_with_its_fact() {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", "dim N;\nmap m = row_major([N]) |> unmerge(4, 8);\n");
    let findings = ide::diagnostics(&db, file);
    assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["stage-length-open"]);
    assert!(findings[0].fixes[0].title.contains("N == 32"), "{:?}", findings[0].fixes);
}

#[test]
fn sizes_that_leave_64_bits_are_said_and_do_not_wrap() {
    for text in [
        "row_major([4294967296, 4294967296])",
        "merge(4294967296, 4294967296)",
        "strided([4294967296, 2], [4294967296, 1])",
        "row_major([9223372036854775807]) |> pad(1, 1)",
        "embed((2, 9223372036854775807), (2, 2))",
    ] {
        assert_eq!(codes(&format!("map m = {text};\n")), ["overflow"], "{text}");
    }
}

#[test]
fn windows_overlap_and_two_points_say_so() {
    let windows = "row_major([N, 30, 30, 16]) |> { 0: _, 1: pad(1, 1), 2: pad(1, 1), 3: _ } |> { 0: _, 1: embed((3, 30), \
                   (1, 1)), 2: embed((3, 30), (1, 1)), 3: _ } |> { (0, 2, 4): merge, (1, 3, 5): merge }";
    // Too many points to try each, with a symbol and without.
    for map in [map_of(&windows.replace('N', "4096")), map_of(&windows.replace('N', "1"))] {
        let verdict = proofs::injective(&map, &Facts::empty(), &Budget { points: 1 << 12, ..Budget::default() });
        let Verdict::Refuted { counterexample, .. } = verdict else { panic!("{verdict:?}") };
        let CounterexampleKind::Collision { first, second, lower } = counterexample.kind else {
            panic!("no collision")
        };
        assert_ne!(first, second);
        assert_eq!((at(&map, &first), at(&map, &second)), (Some(lower.clone()), Some(lower)));
    }
}

#[test]
fn a_pipeline_of_sixty_four_dimensions() {
    let lengths = vec!["1"; 60].join(", ");
    let map = map_of(&format!("row_major([{lengths}, 2, 2, 2, 2]) |> merge"));
    assert_eq!(at(&map, &[13]), Some(vec![13]));
    let map = map_of(&format!("row_major([16]) |> unmerge({lengths}, 2, 2, 2, 2)"));
    assert_eq!(map.upper.len(), 64);
}

/// The message, the label and the helps of the one finding, a line each.
fn said(text: &str) -> String {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    let findings = ide::diagnostics(&db, file);
    let [finding] = findings.as_slice() else { panic!("{text}: {findings:?}") };
    std::iter::once(&finding.message).chain(&finding.help).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// What is wrong, with which values, and what to do.
#[test]
fn a_mistake_says_what_to_do() {
    let cases: [(&str, &[&str]); 12] = [
        ("row_major([8, -1])", &["a size is at least 1, found -1"]),
        ("row_major([4, 5, 6]) |> xor", &["`xor` takes 2 dimensions", "[4, 5, 6]", "`{ (0, 1): xor, 2: _ }`"]),
        ("row_major([4, 5]) |> replicate(3)", &["`{ (): replicate, 0: _, 1: _ }`"]),
        ("row_major([8, 8]) |> partition(4, 4)", &["`partition([4, 4])`"]),
        ("row_major([8, 8]) |> reshape_map([8] | [8])", &["`reshape_map` takes 1 dimension", "`merge |> reshape_map`"]),
        (
            "row_major([64]) |> reshape_map([8] | [16])",
            &["`reshape_map` needs a dimension of length 128", "dimension 0 before stage 1 has length 64", "not more"],
        ),
        (
            "row_major([8]) |> { 0: unmerge(2, 4) => 0 }",
            &["`unmerge` makes 2 dimensions, but 1 number stands behind `=>`", "a tuple, such as `=> (0, 2)`"],
        ),
        ("row_major([8]) |> transpose(1, 0)", &["`transpose` is not declared", "`m.permute(1, 0)`"]),
        ("row_major([8]) |> swizzle", &["`swizzle` is not declared", "`xor`"]),
        ("row_major([8]) |> unmege(2, 4)", &["did you mean `unmerge`?"]),
        ("row_major([8]) |> frobnicate(2)", &["no function, layout or transform has this name"]),
        ("make_layout([8], [1])", &["`strided(shape, strides)`"]),
    ];
    for (pipeline, parts) in cases {
        let said = said(&format!("map m = {pipeline};\n"));
        for part in parts {
            assert!(said.contains(part), "{pipeline}: `{part}` does not occur in:\n{said}");
        }
    }
}

#[test]
fn a_map_to_nothing_is_written_with_parentheses() {
    assert_eq!(map_of("row_major().inverse").to_string(), "[1] -> []: (i) -> ()");
}
