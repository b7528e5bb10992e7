//! The types of variables that are declared with numbers of the text only.

use elements::ElementType;

use super::{gives, says};
use crate::support::{Checked, check};

/// The type of a variable of the kernel.
fn type_of(checked: &Checked, name: &str) -> ElementType {
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()));
    let found = kernel.locals.iter().find(|local| local.name == name);
    found.map_or_else(|| panic!("there is no {name}"), |local| local.element)
}

/// Each is a type, what declares and uses `c` with an `x` and a `y` of that type, and its type.
#[test]
fn the_first_use_that_has_a_type_decides() {
    for element in ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"] {
        for body in [
            "let mut c = 0; for j in 0..N { if x[j] > c { c = x[j]; } } y[i] = c;",
            "let mut c = 0; for j in 0..N { c += x[j]; } y[i] = c;",
            "let mut c = 0; for j in 0..N { c = max(c, x[j]); } y[i] = c;",
            "let mut c = 0; for j in 0..N { c = max(x[j], c); } y[i] = c;",
            "let c = if x[i] > 3 { 1 } else { 0 }; y[i] = c;",
            "let c = 2 * 3; y[i] = x[i] * c;",
            "let mut c = 1; for j in 0..4 { c = c * 2 + 1; } y[i] = c;",
            "let mut c = 1; for j in 0..4 { c = c + 1; } y[i] = c + 1;",
            "let a = 1; let mut c = a; c += 1; y[i] = c;",
            "let c = 1; let d = c + 1; y[i] = d;",
            "let mut c = 0; let mut d = 1; for j in 0..4 { let e = c + d; c = d; d = e; } y[i] = d;",
            "let c = 1; y[i] = if x[i] > c { c } else { x[i] };",
            "let mut c = 0; if x[i] == c { c = 1; } y[i] = c;",
        ] {
            let text =
                format!("dim N;\nkernel k(x: {element}[N], y: mut {element}[N]) {{ for i in grid(N) {{ {body} }} }}\n");
            let checked = check(&text);
            assert_eq!(checked.codes().len(), 0, "{text}\n{}", checked.report());
            assert_eq!(type_of(&checked, "c").name(), element, "{text}");
        }
    }
    for element in ["f16", "bf16", "f32", "f64"] {
        let body = "let mut c = 0.0; for j in 0..N { c += x[j]; } y[i] = c;";
        let text =
            format!("dim N;\nkernel k(x: {element}[N], y: mut {element}[N]) {{ for i in grid(N) {{ {body} }} }}\n");
        assert_eq!(type_of(&gives(&text, &[]), "c").name(), element, "{text}");
    }
}

/// What threads give to each other has the type of what each of them has.
#[test]
fn what_threads_exchange_decides_as_a_variable_does() {
    for element in ["i32", "u32", "i64", "u64", "f32", "f64"] {
        for body in [
            "let mut c = 0; if x[t] > 3 { c = 1; } y[t] = c + shuffle_xor(c, 1);",
            "let mut c = 0; if x[t] > 3 { c = 1; } y[t] = sum(c, over: warp);",
            "let mut c = 0; if x[t] > 3 { c = 1; } let all = sum(c, over: block); y[t] = all;",
            "let mut c = 0; if x[t] > 3 { c = 1; } y[t] = cumsum(c, over: block) - c;",
            "let mut c = 0; if x[t] > 3 { c = 1; } y[t] = max(c, over: warp);",
            "let mut c = 1; c = c + shuffle_xor(c, 1); c += shuffle_down(c, 2); y[t] = c;",
            "let mut c = 0; for k in 0..5 { c = c + shuffle_xor(c, 1 << k); c += x[t]; } y[t] = c;",
            "let c = if x[t] > 3 { 1 } else { 0 }; y[t] = shuffle(sum(c, over: warp), 0);",
            "let c = sum(if x[t] > 3 { 1 } else { 0 }, over: warp); y[t] = c;",
            "let mut c = 0; for k in 0..3 { c += sum(if x[t] > k { 1 } else { 0 }, over: block); } y[t] = c;",
            "let c = shuffle(1, 0); y[t] = x[t] + c;",
            "let mut c = 0; if x[t] > 3 { c = 1; } y[t] = total(c);",
        ] {
            // Counters are integers, which are compared with integers only.
            let body = if element.starts_with('f') { body.replace("> k", "> 2") } else { body.to_owned() };
            let text = format!(
                "fn total(v) = sum(v, over: warp);
kernel k(x: {element}[64], y: mut {element}[64]) grid(1) block(64) {{ for t in threads(64, cuda_thread) {{ {body} }} }}\n"
            );
            let checked = check(&text);
            assert_eq!(checked.codes().len(), 0, "{text}\n{}", checked.report());
            assert_eq!(type_of(&checked, "c").name(), element, "{text}");
        }
    }
    // Nothing else is decided: an exchanged number alone is an `i64`, and one type remains one type.
    let kernel = |body: &str| {
        format!(
            "kernel k(x: i32[32], z: i64[32], y: mut i32[32], w: mut f32[32]) grid(1) block(32) {{
    for t in threads(32, cuda_thread) {{ w[t] = 1.0; {body} }} }}\n"
        )
    };
    assert_eq!(type_of(&check(&kernel("let c = sum(1, over: warp); y[t] = i32(c);")), "c"), ElementType::I64);
    for body in [
        "let c = 1; let d = sum(c, over: warp); y[t] = d; let e = w[t] * c;",
        "let c = sum(1, over: warp); y[t] = c; if z[t] + c > 0 { y[t] = 1; } w[t] = w[t] * c;",
        "let mut c: i64 = 0; y[t] = sum(c, over: warp);",
        "y[t] = sum(0.5, over: warp);",
    ] {
        let checked = check(&kernel(body));
        assert_eq!(checked.errors(), ["type-mismatch"], "{body}\n{}", checked.report());
    }
}

/// What was right before keeps its meaning: an index is an `i64`, a number that nothing decides is an `i64` or an `f32`.
#[test]
fn where_nothing_decides_a_variable_has_the_type_of_its_number() {
    for (body, element) in [
        ("let mut c = 0; for j in 0..8 { if x[j] > 0.0 { c = j; } } y[c] = 1.0;", ElementType::I64),
        ("let mut c = 0; for j in 0..3 { c += 1; } y[c] = 1.0;", ElementType::I64),
        ("let c = 7; y[i] = f32(c);", ElementType::I64),
        ("let c = 0.5; y[i] = f32(f64(c));", ElementType::F32),
        ("let c = 0x8000000000000000; y[i] = f32(c);", ElementType::U64),
        ("let c = if x[i] > 0.0 { 1 } else { 2 }; y[c] = 1.0;", ElementType::I64),
    ] {
        let text = format!("kernel k(x: f32[8], y: mut f32[8]) grid(1) block(1) {{ let i = 0; {body} }}\n");
        let checked = check(&text);
        assert!(checked.errors().is_empty(), "{text}\n{}", checked.report());
        assert_eq!(type_of(&checked, "c"), element, "{text}");
    }
}

/// A variable has one type: a second use of another one is wrong, and is told which use decided.
#[test]
fn a_later_use_of_another_type_is_refused() {
    let kernel = |body: &str| {
        format!("kernel k(x: i32[8], z: i64[8], f: f32[8], u: u8[8], y: mut i32[8]) grid(1) block(1) {{ {body} }}\n")
    };
    let checked = gives(&kernel("let mut c = 0; c = x[0]; c = z[0]; y[0] = 1;"), &["type-mismatch"]);
    says(&checked, "type-mismatch", &["expected `i32`, found `i64`"]);
    // The first use agrees with the type that the number has alone.
    let checked = gives(&kernel("let mut c = 0; c = z[0]; c = x[0]; y[0] = 1;"), &["type-mismatch"]);
    says(&checked, "type-mismatch", &["expected `i64`, found `i32`"]);
    // A float is no integer, whatever is done with it.
    let checked = gives(&kernel("let c = 0.5; y[0] = x[0] * c;"), &["type-mismatch"]);
    says(&checked, "type-mismatch", &["expected `f32`, found `i32`"]);
    let checked = gives(&kernel("let c = 300; y[0] = i32(u[0] + c);"), &["type-mismatch"]);
    says(&checked, "type-mismatch", &["expected `u8`, which holds 0 to 255, found the integer `300`"]);
    // A type that is written is kept.
    gives(&kernel("let mut c: i64 = 0; c = x[0]; y[0] = 1;"), &["type-mismatch"]);
    let checked = gives(&kernel("let c = 1; let a = f[0] * c; y[0] = c;"), &["type-mismatch"]);
    assert_eq!(checked.findings[0].related.len(), 2, "{}", checked.report());
}

/// Types that follow from later ones, each by one more reading, are found up to a limit; beyond it the declaration is asked for.
#[test]
fn long_chains_of_types_ask_for_a_declaration() {
    let chain = |length: usize| {
        let variables: String = (0..length).map(|number| format!("let mut c{number} = 0;\n")).collect();
        let steps: String = (1..length).map(|number| format!("c{} = c{number};\n", number - 1)).collect();
        let last = length - 1;
        format!(
            "kernel k(x: i32[1], y: mut i32[1]) grid(1) block(1) {{\n{variables}{steps}c{last} = x[0];\ny[0] = c0;\n}}\n"
        )
    };
    assert_eq!(check(&chain(4)).codes().len(), 0);
    let checked = check(&chain(40));
    assert!(checked.errors().iter().all(|code| *code == "type-mismatch"), "{}", checked.report());
}

/// A variable whose assignment is wrong gives no further errors, and neither does what is made of it.
#[test]
fn one_mistake_in_an_assignment_is_one_error() {
    let kernel = |assigned: &str, rest: &str| {
        format!(
            "dim N;\nkernel k(x: f32[N, 8], n: mut i32[8]) {{ for i in grid(N) {{
                let mut at: i32 = 0;
                for e in 0..8 {{ if x[i, e] > 0.0 {{ at = {assigned}; }} }}
                {rest}
            }} }}\n"
        )
    };
    for rest in ["atomic_add(n[at], 1);", "let to = at + 1; atomic_add(n[to], 1);", "at += 1; atomic_add(n[at], at);"] {
        let checked = check(&kernel("e", rest));
        assert_eq!(checked.findings.len(), 1, "{}", checked.report());
        assert_eq!(checked.errors(), ["type-mismatch"], "{}", checked.report());
    }
    gives(&kernel("i32(e)", "atomic_add(n[at], 1);"), &[]);
    gives(&kernel("i32(e) + 1", "atomic_add(n[at], 1);"), &["out-of-bounds"]);
    // Each assignment with a mistake of its own is reported, and so is a mistake elsewhere.
    let checked = check(&kernel("e", "atomic_add(n[8], 1);"));
    assert_eq!(checked.errors(), ["type-mismatch", "out-of-bounds"], "{}", checked.report());
}

/// What numbers are computed is what the written type computes.
#[test]
fn a_variable_computes_in_the_type_that_a_use_decided() {
    let source = |declared: &str| {
        let text = format!(
            "kernel k(x: u8[4], y: mut u8[4]) {{ for i in grid(4) {{
                let mut c{declared} = 200; for j in 0..4 {{ c += x[j]; }} y[i] = c >> 1; }} }}\n"
        );
        emit::cuda(&check(&text).kernel().unwrap()).source
    };
    assert_eq!(source(""), source(": u8"));
}
