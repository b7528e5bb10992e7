//! What stands in a loop is executed only where the loop has an iteration, which says something of the sizes: also where nothing
//! there depends on the iterator.

use super::{gives, says};

/// A loop within `grid(4)`, in which the body reads `x: i64[N]`.
fn looped(range: &str, body: &str) -> String {
    format!(
        "dim N, M;\nkernel k(x: i64[N], y: mut i64[4]) {{ for i in grid(4) {{ y[i] = 0; for j in {range} {{ {body} }} }} }}\n"
    )
}

#[test]
fn an_index_without_the_iterator_knows_that_there_is_an_iteration() {
    for (range, body) in [
        ("1..N", "y[i] = x[N - 2];"),
        ("0..N - 1", "y[i] = x[N - 2];"),
        ("1..N step 3", "y[i] = x[N - 2];"),
        ("1..N", "y[i] = x[(j + N - 2) - j];"),
        ("2..N + 1", "let at = N - 2; y[i] = x[at];"),
        ("0..M", "for q in 1..N { y[i] = x[N - 2]; }"),
        ("1..N", "for q in 0..M { y[i] = x[N - 2]; }"),
        ("1..N", "if x[0] > 3 { y[i] = x[N - 2]; }"),
        ("1..N", "let mut a = 0; while a < N max N { y[i] = x[N - 2]; a += 1; }"),
    ] {
        gives(&looped(range, body), &[]);
    }
    gives(&looped("0..N / 2", "y[i] = x[N / 2];"), &["inexact-division"]);
}

#[test]
fn what_the_iteration_does_not_say_is_refused_for_sizes_with_an_iteration() {
    let outside = |range: &str, body: &str, size: &str| {
        says(&gives(&looped(range, body), &["out-of-bounds"]), "out-of-bounds", &[size]);
    };
    outside("1..N", "y[i] = x[N - 3];", "for N = 2");
    outside("0..N", "y[i] = x[N - 2];", "for N = 1");
    outside("3..N", "y[i] = x[N - 5];", "for N = 4");
    // Behind the loop nothing is known.
    let behind =
        "dim N;\nkernel k(x: i64[N], y: mut i64[4]) { for i in grid(4) { for j in 1..N { } y[i] = x[N - 2]; } }\n";
    says(&gives(behind, &["out-of-bounds"]), "out-of-bounds", &["for N = 1"]);
}

#[test]
fn a_race_needs_an_iteration() {
    let store = |range: &str| {
        format!(
            "dim N;\nkernel k(y: mut i64[2 * N]) {{ for i in grid(2) {{ y[i * N] = 0; }} }}\n
             kernel r(y: mut i64[2 * N]) {{ for i in grid(2) {{ for j in {range} {{ y[i * (N - 1)] = 1; }} }} }}\n"
        )
    };
    let found = crate::support::check(&store("1..N"));
    assert!(found.errors().is_empty() && !found.codes().contains("race-open"), "{}", found.report());
    let found = crate::support::check(&store("0..N"));
    assert_eq!(found.errors(), ["race"], "{}", found.report());
}

#[test]
fn a_tile_of_a_partition_is_loaded_where_there_is_an_iteration() {
    let tiles = |range: &str| {
        format!(
            "dim N;\nkernel k(x: i64[N], y: mut i64[N]) {{
                view px = partition(x, [4]); view py = partition(y, [4]);
                for i in grid(py.index_space) {{
                    let mut acc = zeros(i64[4]);
                    for j in {range} {{ acc = acc + px.load_masked(px.index_space(0) - 2); }}
                    py.store_masked(acc, i);
                }}
            }}\n"
        )
    };
    gives(&tiles("1..px.index_space(0)"), &[]);
    gives(&tiles("0..px.index_space(0)"), &["out-of-bounds"]);
}
