//! What emitted texts and refusals say.

use std::path::Path;

use dims::Sym;
use emit::interop::{self, Target};
use maps::{Affine, MapBuilder};
use proofs::Budget;

use super::cases::{Case, all, built, from_source, sum};

fn first(text: &str) -> Case {
    from_source("m", text).into_iter().next().unwrap()
}

fn emit(name: &str, case: &Case, target: Target) -> Result<String, String> {
    let emitted = interop::emit(name, &case.map, &case.facts, target, &Budget::default());
    emitted.map(|emitted| emitted.source).map_err(|reason| reason.to_string())
}

fn text(source: &str, target: Target) -> String {
    emit("m", &first(source), target).unwrap()
}

/// Why CuTe has no layout for a map that is written in the language, or built here.
fn refused(case: &Case) -> String {
    emit("m", case, Target::Cute).unwrap_err()
}

fn named(name: &str) -> Case {
    all().into_iter().find(|case| case.name == name).unwrap()
}

#[test]
fn the_reference_shows_what_is_emitted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    let reference = std::fs::read_to_string(path).unwrap();
    let tile = first("map tile = reshape_map([3] | [2, 2] => layout: [t0, i0, t1]);");
    for target in [Target::Cuda, Target::Numpy, Target::Cute] {
        let source = emit("tile", &tile, target).unwrap();
        assert!(reference.contains(&format!("```text\n{source}```\n")), "not in the reference:\n{source}");
    }
}

#[test]
fn c_is_cuda_with_other_qualifiers() {
    let tile = first("map tile = reshape_map([3] | [2, 2] => layout: [t0, i0, t1]);");
    let cuda = emit("tile", &tile, Target::Cuda).unwrap();
    let c = emit("tile", &tile, Target::C).unwrap();
    let expected = cuda.replace("__device__ __forceinline__", "static inline");
    assert_eq!(c.replace("\n#include <stdbool.h>\n", ""), expected);
}

#[test]
fn names_are_legal() {
    let map = first("map m = reshape_map([3] | [4]);");
    for (name, offset) in
        [("new-shape0", "int new_shape0_offset("), ("float", "int float_offset("), ("__x--y", "int v_x_y_offset(")]
    {
        let source = emit(name, &map, Target::C).unwrap();
        assert!(source.contains(offset), "{source}");
    }
    let python = emit("lambda", &map, Target::Numpy).unwrap();
    assert!(python.contains("def lambda_2(x):"), "{python}");
    let symbols = text("dim int; dim i; map m = reshape_map([int] | [i]);", Target::C);
    assert!(symbols.contains("m_offset(long long i, long long t, long long i_2, long long int_2)"), "{symbols}");
}

#[test]
fn widths_are_what_the_facts_prove() {
    let narrow = text("dim N where N <= 65536; map m = reshape_map([4] | [N] => layout: [t0, i0]);", Target::C);
    assert!(narrow.contains("int m_offset(int i, int t, int N)"), "{narrow}");
    assert!(narrow.contains("// for sizes with N <= 65536\n// Every value fits in 32 bits.\n"), "{narrow}");
    let wide = text("dim N; map m = reshape_map([4] | [N] => layout: [t0, i0]);", Target::C);
    assert!(wide.contains("long long m_offset(int i, long long t, long long N)"), "{wide}");
    assert!(wide.contains("// right where these fit in 64 bits: 3 * N"), "{wide}");
    // A value on the way may need 64 bits where neither what is given nor what comes out does.
    let digit = |builder: &mut MapBuilder<'_>, at: &[Affine]| {
        let product = sum(&[(3_000_000_019, &at[0])], 0);
        vec![(builder.digit(&product, &Sym::constant(4_000_000_007), None).unwrap(), None)]
    };
    let between = emit("m", &built("m", &[4], digit), Target::C).unwrap();
    assert!(between.contains("int m_offset(int i)") && between.contains("3000000019ll * i "), "{between}");
    assert!(!between.contains("fits in 32 bits"), "{between}");
    let far = emit("m", &named("far"), Target::C).unwrap();
    assert!(far.contains("return 2147483648ll * i0 + i1 + 2147483645;"), "{far}");
}

#[test]
fn a_map_beyond_64_bits_is_refused() {
    let case = built("m", &[4], |_, at| vec![(sum(&[(1 << 62, &at[0])], 0), None)]);
    for target in [Target::Cuda, Target::C, Target::Numpy] {
        let reason = emit("m", &case, target);
        assert_eq!(reason.unwrap_err(), "a value on the way to an index does not fit in 64 bits", "{target:?}");
    }
}

#[test]
fn digits_that_are_used_twice_are_computed_once() {
    let source = emit("m", &named("swizzle-8-64-8-1-0"), Target::C).unwrap();
    assert!(source.contains("return 64 * i0 + (i1 & 7) + 8 * ((i1 >> 3) ^ i0);"), "{source}");
    let shared = text("dim N; map m = map2d(row_length: N, threads_x: 8, threads_y: 4);", Target::Numpy);
    assert!(shared.contains("    digit = t % 8\n"), "{shared}");
}

#[test]
fn cute_says_why_there_is_no_layout() {
    let written = |source: &str| refused(&first(source));
    for (reason, expected) in [
        (
            written("map m = reshape_map([3] | [2, (2, 1)]);"),
            "no layout is this map: the map is valid only where `(t / 2) < 1`",
        ),
        (
            written("map m = linear(width: 4, threads: 32);"),
            "no layout is this map: the coordinate `i` has no upper end",
        ),
        (refused(&named("two-lower")), "no layout is this map: the map has 2 lower coordinates, not one offset"),
        (refused(&named("empty")), "no layout is this map: the map has no points: the extent of `i1` is 0"),
        (
            refused(&named("uneven")),
            "no layout is this map: a digit of `3 * (i % 4) + (i / 4)` does not divide the extent of its coordinate",
        ),
        (
            refused(&named("huge-digits")),
            "no layout is this map: `((((i0 + 1048576 * i1) / 3) + 1) % 8589934592) + ((i0 + 1048576 * i1 + 3) / \
             17179869184)` is no sum of strides over digits of single coordinates",
        ),
        (
            refused(&named("swizzle-8-24-1-1-0")),
            "`24 * i0 + (i1 ^ i0)` has an exclusive or that is no swizzle of a layout",
        ),
    ] {
        assert_eq!(reason, expected);
    }
}

#[test]
fn cute_names_offsets_and_negative_strides() {
    let layout = |name: &str| {
        let case = named(name);
        let emitted = interop::emit(name, &case.map, &case.facts, Target::Cute, &Budget::default()).unwrap();
        (emitted.layout.unwrap(), emitted.offset, emitted.source.contains("A negative stride"))
    };
    assert_eq!(layout("backwards"), ("(4,3):(-3,-1)".to_owned(), "11".to_owned(), true));
    assert_eq!(layout("repeated"), ("(4,3):(2,0)".to_owned(), String::new(), false));
    assert_eq!(layout("rank-zero"), ("():()".to_owned(), "7".to_owned(), false));
    assert_eq!(layout("swizzle-8-64-8-1-0").0, "Swizzle<3,3,3> o 0 o (8,64):(64,1)");
    assert_eq!(layout("swizzle-32-64-8-4-4096").0, "Swizzle<3,3,5> o 4096 o (32,64):(64,1)");
    // CuTe counts M from the lower of the two runs of bits, here the one that is mixed in.
    assert_eq!(layout("swizzle-upwards").0, "Swizzle<3,0,-3> o 0 o (8,8):(8,1)");
}

/// C compilers warn of names that nothing uses, and of comparisons of a value with itself.
#[test]
fn what_has_one_value_is_not_computed() {
    for name in ["nothing-but-zero", "used-by-zero"] {
        for target in [Target::C, Target::Numpy] {
            let source = emit(name, &named(name), target).unwrap();
            let code: String = source.lines().filter(|line| !line.starts_with(['/', '#'])).collect();
            assert!(!code.contains("mixed") && !code.contains('^'), "{source}");
        }
    }
    let source = emit("m", &named("holds-nowhere"), Target::C).unwrap();
    assert!(source.contains("    return false;\n"), "{source}");
}

/// A mask that says what the lower extent says is tested once.
#[test]
fn no_condition_is_tested_twice() {
    let halo = "map m = row_major([64]) |> pad(1, 1) |> embed((8, 10), (8, 1));";
    for target in [Target::C, Target::Numpy] {
        let source = text(halo, target);
        assert!(source.contains("value < 64") && !source.contains("value_2"), "{source}");
    }
}
