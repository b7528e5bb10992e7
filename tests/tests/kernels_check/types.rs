//! Types, roles of parameters, and what loops and outputs must be.

use super::{gives, says};
use crate::support::check;

/// A mistake in a value is reported there, and not again for everything that is made of it.
#[test]
fn a_value_that_is_wrong_is_reported_once() {
    let checked =
        check("kernel k(y: mut f32[4]) grid(1) block(1) { let t = thread_id; let u = t + 1; y[u] = f32(u); }\n");
    assert_eq!(checked.errors(), ["unknown-local"], "{}", checked.report());
}

#[test]
fn words_of_other_languages_are_no_statements() {
    for word in ["return", "loop", "while"] {
        let checked = check(&format!("kernel k(y: mut f32[1]) {{ for i in grid(1) {{ y[i] = 1.0; {word}; }} }}\n"));
        assert_eq!(checked.errors(), ["unknown-local"], "{}", checked.report());
        assert!(!checked.findings[0].help.iter().any(|help| help.contains("declare it")), "{word}");
    }
}

#[test]
fn a_store_into_an_input_is_refused() {
    gives("kernel k(x: f32[4], y: mut f32[4]) grid(1) block(1) { for i in 0..4 { x[i] = y[i]; } }\n", &["read-only"]);
}

#[test]
fn types_are_never_converted_silently() {
    for (value, fine) in [
        ("1", true),
        ("1.5", true),
        ("n", false),
        ("f32(n)", true),
        ("d", false),
        ("f32(d)", true),
        ("n > 3", false),
        ("if n > 3 { 1.0 } else { 2.0 }", true),
    ] {
        let text = format!("kernel k(n: i32, d: f64, y: mut f32[1]) grid(1) block(1) {{ y[0] = {value}; }}\n");
        gives(&text, if fine { &[] } else { &["type-mismatch"] });
    }
}

#[test]
fn operators_of_maps_and_shapes_are_not_those_of_numbers() {
    for operator in ["|>", "#"] {
        let text = format!("kernel k(a: f32, y: mut f32[1]) grid(1) block(1) {{ y[0] = a {operator} a; }}\n");
        let checked = gives(&text, &["type-mismatch"]);
        says(
            &checked,
            "type-mismatch",
            &[&format!("expected an operator of numbers or truth values, found `{operator}`")],
        );
    }
}

#[test]
fn an_index_is_an_integer() {
    gives("kernel k(a: f32, y: mut f32[1]) grid(1) block(1) { y[a] = 1.0; }\n", &["type-mismatch"]);
}

#[test]
fn an_output_that_is_partly_written_gets_a_warning_that_names_an_element() {
    let checked =
        gives("kernel k(y: mut f32[6]) grid(1) block(1) { for i in 0..4 { y[i] = 1.0; } }\n", &["not-fully-written"]);
    says(&checked, "not-fully-written", &["element 4"]);
    gives("kernel k(y: mut f32[6]) grid(1) block(1) { }\n", &["not-fully-written"]);
}

#[test]
fn loops_are_bounded() {
    gives("kernel k(y: mut f32[1]) grid(1) block(1) { for i in 4 { y[0] = 1.0; } }\n", &["bounded-loop"]);
}

#[test]
fn a_loop_whose_end_is_a_scalar_needs_a_guard_for_the_tensor() {
    gives(
        "dim N;\nkernel k(n: i64, y: mut f32[N]) grid(1) block(1) { for i in 0..n { if i < N { y[i] = 1.0; } } }\n",
        &[],
    );
    gives(
        "dim N;\nkernel k(n: i64, y: mut f32[N]) grid(1) block(1) { for i in 0..n { y[i] = 1.0; } }\n",
        &["out-of-bounds"],
    );
}

#[test]
fn a_single_value_has_no_dimension_to_reverse() {
    let run = |value: &str| {
        let kernel = "kernel k(y: mut f32[4]) { for i in grid(4) { y[i] = 1.0; } }";
        check(&format!("{kernel}\nrun k(y: zeros) expect {value} == 1.0;\n"))
    };
    assert_eq!(run("y[0].reverse()").errors(), ["expect-shape"]);
    assert_eq!(run("y.reverse()").errors(), [""; 0]);
}

/// Each thread takes as many steps as its data say; there is no end only where there is none in the text.
#[test]
fn the_end_of_a_loop_may_be_data() {
    let checked = gives(
        "dim N;
        kernel count(x: i32[N], y: mut f32[N]) {
            view xs = x via reshape_map([1] | [N] => layout: [i0, t0]);
            view ys = y via reshape_map([1] | [N] => layout: [i0, t0]);
            let mut total = 0.0;
            for i in 0..xs[0] { total += 1.0; }
            ys[0] = total;
        }\n",
        &[],
    );
    assert!(checked.kernel().is_some());
}

/// A statement that could not be read may have been the store.
#[test]
fn a_kernel_with_a_syntax_error_is_not_asked_what_it_writes() {
    gives("kernel k(y: mut f32[1]) { y[0] = ; }\n", &["syntax-error"]);
    gives("kernel k(y: mut f32[1]) { for i in { y[i] = 1.0; } }\n", &["syntax-error"]);
}
