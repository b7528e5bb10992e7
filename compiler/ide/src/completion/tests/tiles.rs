//! What lists hold in kernels of tiles.

use super::*;

/// A generic kernel of tiles with a text in place of one of its parts.
fn of_tiles(part: &str, instead: &str) -> String {
    let text = "dim N, M;\nkernel k[B = 64, T: f16 | f32](x: T[N, M], y: mut T[N, M]) tune(B: [32, 64]) {\n    view px = partition(x, \
                [B, 32], order: (0, 1));\n    view py = partition(y, [B, 32]);\n    for (i, j) in grid(py.index_space) {\n        \
                let t = px.load_masked(i, j, pad: zero);\n        py.store_masked(t + t.sum(1, keep: true), i, j);\n    }\n}\n\
                run k[B: 128, T: f32](x: arange, y: zeros) with N = 100, M = 40 expect y.sum(0, keep: true) == 1.0;\n";
    assert!(text.contains(part), "{part}");
    text.replacen(part, instead, 1)
}

#[test]
fn arguments_by_name_and_the_words_that_they_take() {
    assert_eq!(
        near(&of_tiles("pad: zero", "pad: $0")),
        ["zero", "negative_zero", "positive_inf", "negative_inf", "nan"]
    );
    assert_eq!(near(&of_tiles("keep: true), i", "keep: $0), i")), ["true", "false"]);
    assert_eq!(near(&of_tiles("sum(0, keep: true)", "sum(0, keep: $0)")), ["true", "false"]);
    assert_eq!(near(&of_tiles("order: (0, 1)", "order: $0")), ["(1, 0)"]);
    has(&of_tiles(", pad: zero", ", $0"), &["pad", "latency", "allow_tma"], &[]);
    has(&of_tiles("pad: zero", "pad: zero, $0"), &["latency"], &["pad"]);
    has(&of_tiles("sum(1, keep: true)", "sum(1, $0)"), &["keep"], &[]);
    assert_eq!(snippet(&of_tiles("sum(1, keep: true)", "sum(1, $0)"), "keep"), "keep: «»");
    // The index comes first.
    has(&of_tiles("(i, j, pad: zero)", "($0)"), &["i"], &["pad"]);
}

#[test]
fn generic_parameters_are_sizes_and_element_types() {
    let extent = of_tiles("[B, 32], order", "[$0], order");
    has(&extent, &["B", "N", "cdiv"], &["T", "row_major", "if"]);
    assert_eq!(snippet(&extent, "B"), "B");
    assert_eq!(near(&of_tiles("partition(x,", "partition($0,")), ["x", "y"]);
    has(&of_tiles("T: f16 |", "T: $0 |"), &["bf16"], &["row_major"]);
    assert_eq!(near(&of_tiles("B: [32, 64]", "$0")), ["B"]);
    assert_eq!(near(&of_tiles("T: f32]", "T: $0]")), ["f16", "f32"]);
    has(&of_tiles("B: 128", "B: $0"), &["64", "32"], &[]);
}

/// A name is inserted as it is used: a partition has no elements, and `B:` in `tune` declares no tensor.
#[test]
fn names_of_tiles_are_inserted_without_brackets() {
    let place = of_tiles("t + t", "$0 + t");
    for name in ["px", "B", "t"] {
        assert_eq!(snippet(&place, name), name);
    }
    assert_eq!(snippet(&place, "x"), "x[«»]");
    let members = near(&of_tiles("px.load_masked(i, j, pad: zero)", "px.$0"));
    assert_eq!(members[..2], ["load", "load_masked"]);
    assert!(!members.iter().any(|member| member.starts_with("atomic_")), "{members:?}");
}
