//! What a masked load gives beyond the edge, in reductions.

use super::{gives, says};
use crate::support::check;

/// A kernel that stores a number of each row of `x`, of which a tile has more columns than there are.
fn row(columns: &str, value: &str) -> String {
    format!(
        "dim M, N where N <= 64{columns};
        kernel k(x: f32[M, N], y: mut f32[M]) {{
            view px = partition(x, [1, 64]);
            for i in grid(M) {{ let row = px.load_masked(i, 0); {value} }}
        }}"
    )
}

#[test]
fn padding_that_counts_is_told() {
    for value in [
        "y[i] = row.max();",
        "y[i] = row.min();",
        "y[i] = row.mean();",
        "y[i] = row.prod();",
        "y[i] = exp(row).sum();",
        "let e = exp(row - row.sum(1, keep: true)); y[i] = e.sum();",
        "let d = row - row.sum(1, keep: true) / f32(N); y[i] = (d * d).sum();",
        "y[i] = (row + 1.0).sum();",
        "y[i] = px.load_masked(i, 0, pad: negative_inf).sum();",
        "y[i] = abs(row).min();",
    ] {
        gives(&row("", value), &["padding-counts"]);
    }
}

#[test]
fn padding_that_changes_nothing_is_not() {
    for value in [
        "y[i] = row.sum();",
        "y[i] = (row * 3.0).sum() / f32(N);",
        "y[i] = (row * row).sum();",
        "y[i] = abs(row).max();",
        "y[i] = px.load_masked(i, 0, pad: negative_inf).max();",
        "y[i] = px.load_masked(i, 0, pad: positive_inf).min();",
        "let r = px.load_masked(i, 0, pad: negative_inf); y[i] = exp(r - r.max(1, keep: true)).sum();",
        "let d = select(px.mask(i, 0), row - row.sum(1, keep: true) / f32(N), 0.0); y[i] = (d * d).sum();",
        "let d = select(iota(i64[1, 64]) < N, row + 1.0, 0.0); y[i] = d.sum();",
        "let mut s = zeros(f32[1, 64]); for k in 0..3 { s = s + row; } y[i] = s.sum();",
    ] {
        gives(&row("", value), &[]);
    }
    // No tile has an edge.
    gives(&row(", N % 64 == 0", "y[i] = row.max();"), &[]);
}

#[test]
fn the_message_names_the_number_and_what_to_do() {
    says(
        &check(&row("", "y[i] = row.max();")),
        "padding-counts",
        &[
            "the elements of the tile beyond the edge of `x`, which are 0 here, take part in `max`",
            "pad with what is never the greatest: `load_masked(…, pad: negative_inf)`",
        ],
    );
}
