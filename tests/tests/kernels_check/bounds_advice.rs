//! What is said at an access that may be outside: an `if` in place of a `select`, and sizes in place of numbers.

use super::{gives, says};
use crate::support::check;

/// Both values of a `select` are computed, so the access is not guarded; the message writes the `if` that guards it.
#[test]
fn an_access_in_a_select_is_told_to_stand_in_an_if() {
    for (wrong, help) in [
        ("select(i > 0, x[i - 1], 0.0)", "`if i > 0 { x[i - 1] } else { 0.0 }`"),
        (
            "1.0 + select(at[i] < 0 || at[i] >= N, 0.0, x[at[i]])",
            "`if at[i] < 0 || at[i] >= N { 0.0 } else { x[at[i]] }`",
        ),
    ] {
        let text = format!(
            "dim N;\nkernel k(x: f32[N], at: i32[N], y: mut f32[N]) {{ for i in grid(N) {{ y[i] = {wrong}; }} }}\n"
        );
        let checked = gives(&text, &["out-of-bounds"]);
        says(&checked, "out-of-bounds", &["both values of a `select` are computed", help]);
        let fix = checked.findings[0].fixes.iter().find(|fix| fix.title.contains("`if`")).unwrap();
        let mended = checked.applied(fix);
        assert!(check(&mended).errors().is_empty(), "{mended}");
    }
    let plain = gives(
        "dim N;\nkernel k(x: f32[N], y: mut f32[N]) { for i in grid(N) { y[i] = x[i - 1] + select(i > 0, 1.0, 0.0); } }\n",
        &["out-of-bounds"],
    );
    assert!(!plain.report().contains("select` are"), "{}", plain.report());
}

/// Where sizes in the place of parameters would settle an access, the message says so; else it does not.
#[test]
fn a_number_that_would_settle_an_access_as_a_size_is_named() {
    let kernel = |parameters: &str, body: &str| {
        format!(
            "dim N;\nkernel k({parameters}, x: f32[N], w: f32[4 * N], y: mut f32[N]) {{ for i in grid(N) {{ {body} }} }}\n"
        )
    };
    for (parameters, body, help) in [
        ("n: i32", "y[i] = 0.0; for j in 0..n { y[i] += x[j]; }", "`dim n where n <= N;`"),
        ("a: f32, rows: i32, columns: i32", "y[i] = a * w[i / columns * columns + i % columns];", "`dim columns;`"),
        (
            "n: i64, m: i64",
            "y[i] = 0.0; if n * m <= N { for j in 0..n { y[i] += w[j * m]; } }",
            "`n` and `m` are numbers of which nothing is known",
        ),
    ] {
        says(&gives(&kernel(parameters, body), &["out-of-bounds"]), "out-of-bounds", &[help]);
    }
    for (parameters, body) in
        [("n: i32", "y[i] = x[i + N];"), ("n: i32", "y[i] = x[i64(w[i])];"), ("s: f32", "y[i] = x[i64(s)];")]
    {
        let checked = gives(&kernel(parameters, body), &["out-of-bounds"]);
        assert!(!checked.report().contains("in place of the parameter"), "{}", checked.report());
    }
}
