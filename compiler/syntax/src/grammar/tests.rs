use super::*;
use crate::fixtures::FIXTURES;
use crate::items::split;
use crate::lexer::lex;
use crate::{error, outline};

mod damage;
mod foreign;
mod mistakes;

/// The items of a source, parsed.
fn parses(source: &str) -> Vec<Parse> {
    split(source, &lex(source)).items.iter().map(|item| parse_item(&item.tokens)).collect()
}

/// The outlines of a source's items, each with its errors on the following lines.
fn outline(source: &str) -> String {
    let mut lines = Vec::new();
    for parse in parses(source) {
        lines.push(parse.item.as_ref().map_or("nothing".to_owned(), outline::item));
        for error in &parse.errors {
            lines.push(format!("  ! {}..{} {}", error.span.start, error.span.end, error.message()));
        }
    }
    lines.join("\n")
}

/// The outline of an expression without errors.
fn expression(source: &str) -> String {
    let parses = parses(source);
    assert_eq!(parses.len(), 1, "{source}");
    assert_eq!(parses[0].errors, [], "{source}");
    outline(source).trim_start_matches("expression ").to_owned()
}

#[test]
fn the_fixtures_parse_without_errors() {
    for fixture in FIXTURES {
        let outline = outline(fixture);
        assert!(!outline.contains('!') || !outline.contains("  ! "), "{outline}");
        assert!(!outline.contains("ERROR"), "{outline}");
    }
}

#[test]
fn the_tour() {
    insta::assert_snapshot!(outline(FIXTURES[0]));
}

#[test]
fn the_examples_of_reshape_map() {
    insta::assert_snapshot!(outline(FIXTURES[1]));
}

#[test]
fn the_examples_of_shapes() {
    insta::assert_snapshot!(outline(FIXTURES[2]));
}

#[test]
fn units_tilings_and_groups() {
    insta::assert_snapshot!(outline(FIXTURES[3]));
}

#[test]
fn kernels_and_runs() {
    insta::assert_snapshot!(outline(FIXTURES[4]));
}

#[test]
fn operators_bind_as_the_language_says() {
    assert_eq!(expression("a || b && c == d |> e..f + g * h"), "<a || <b && <c == <d |> <e .. <f + <g * h>>>>>>>");
    assert_eq!(expression("a * b + c - d / e # f % g"), "<<a * b> + c - <d / e # f % g>>");
    assert_eq!(expression("0 <= a < b"), "<0 <= a < b>");
    assert_eq!(expression("a == b | c ^ d & e << f + g * ~h"), "<a == <b | <c ^ <d & <e << <f + <g * <~h>>>>>>>>");
    assert_eq!(expression("a & b == c && d | e > f"), "<<<a & b> == c> && <<d | e> > f>>");
    assert_eq!(expression("a << b >> c"), "<a << b >> c>");
    assert_eq!(expression("0..n >> 1 | m"), "<0 .. <<n >> 1> | m>>");
    assert_eq!(expression("|s| | 1 || |s|==3"), "<<|s| | 1> || <|s| == 3>>");
    assert_eq!(expression("|(a | b)| + ~|c|"), "<|paren(<a | b>)| + <~|c|>>");
    assert_eq!(expression("-a.b * !c(1)[2]"), "<<-a.b> * <!c(1)[2]>>");
    assert_eq!(expression("- -a - -b"), "<<--a> - <-b>>");
    assert_eq!(expression("|a| + |b - |c||"), "<|a| + |<b - |c|>|>");
    assert_eq!(expression("a(0..3) == 1..2"), "<a(<0 .. 3>) == <1 .. 2>>");
    assert_eq!(expression("a - b"), "<a - b>");
    assert_eq!(expression("a-b"), "a-b");
    assert_eq!(expression("1 + 2 * 3 + 4 * 5"), "<1 + <2 * 3> + <4 * 5>>");
}

#[test]
fn parentheses_are_groups_tuples_or_units() {
    assert_eq!(expression("(a)"), "paren(a)");
    assert_eq!(expression("(a,)"), "tuple(a)");
    assert_eq!(expression("()"), "tuple()");
    assert_eq!(expression("(a, b,)"), "tuple(a, b)");
    assert_eq!(expression("(a; b)"), "unit(a; b)");
    assert_eq!(expression("(a, b; 1, _)"), "unit(a, b; 1, _)");
    assert_eq!(expression("((a, b); (1,))"), "unit(a, b; 1)");
}

#[test]
fn numbers_and_strings_have_values() {
    assert_eq!(expression("[64, 1_000, 4_ic, 0x1F, 0xff_ff]"), "[64, 1000, 4, 31, 65535]");
    assert_eq!(expression("[2.0, 1e-5, 1_0.5]"), "[2.0, 1e-5, 10.5]");
    assert_eq!(expression("9223372036854775807"), "9223372036854775807");
    assert_eq!(expression(r#""a\"b\\\n\té""#), r#""a\"b\\\n\té""#);
    assert_eq!(expression("[true, false, _, ?]"), "[true, false, _, ?]");
}

#[test]
fn launches_are_clauses_in_a_row() {
    assert_eq!(expression("cluster(1) block(384) |> tile(w: 8)"), "<launch(cluster(1) block(384)) |> tile(w: 8)>");
    assert_eq!(expression("block(384)"), "block(384)");
    assert_eq!(expression("block(0) + cluster"), "<block(0) + cluster>");
}

#[test]
fn an_argument_may_be_a_tensor_through_a_map() {
    assert_eq!(expression("partition(x via m |> n, [2])"), "partition(<x via <m |> n>>, [2])");
    assert_eq!(expression("f(k: x via m(2))"), "f(k: <x via m(2)>)");
}

#[test]
fn words_are_names_elsewhere() {
    assert_eq!(outline("map : [1]"), "shape map : [1]");
    assert_eq!(outline("show + 1"), "expression <show + 1>");
    assert_eq!(outline("show |map|"), "show |map|");
    assert_eq!(outline("with"), "expression with");
    assert_eq!(outline("x : [layout, offset, in, if]"), "shape x : [layout, offset, in, if]");
    assert_eq!(outline("mdspan mdspan : mdspan"), "shape mdspan : mdspan");
    assert_eq!(outline("mdspan<N + 1> s : t"), "shape<<N + 1>> s : t");
    assert_eq!(outline("const kernel = reshape_map"), "const kernel = reshape_map");
}

#[test]
fn spans_count_significant_tokens() {
    let parse = parses("a /* x */ :\n[1, // y\n 2 + 3]").remove(0);
    let Some(Item { kind: crate::tree::ItemKind::Shape { name, value, .. }, span }) = parse.item else {
        panic!("no shape")
    };
    assert_eq!((name.span.start, name.span.end), (0, 1));
    assert_eq!((value.span.start, value.span.end), (2, 9));
    assert_eq!((span.start, span.end), (0, 9));
}
