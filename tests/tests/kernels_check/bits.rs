//! The operators of bits, `& | ^ << >> ~`: what they mean, what they take, and what proofs know of them.

use super::{gives, says};
use crate::support::check;

fn kernel(element: &str, value: &str) -> String {
    format!(
        "kernel k(a: {element}, b: {element}, f: f32, c: bool, y: mut {element}[1]) grid(1) block(1) \
         {{ y[0] = {value}; }}\n"
    )
}

/// The body of the kernel in CUDA C++.
fn generated(element: &str, value: &str) -> String {
    let text = kernel(element, value);
    let checked = check(&text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{text}\n{}", checked.report()));
    emit::cuda(&kernel).source
}

#[test]
fn an_operator_is_its_function() {
    for element in ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"] {
        for (operator, function) in [
            ("a & b", "bit_and(a, b)"),
            ("a | b", "bit_or(a, b)"),
            ("a ^ b", "bit_xor(a, b)"),
            ("a << b", "shift_left(a, b)"),
            ("a >> b", "shift_right(a, b)"),
            ("a & 3 | b << 2 ^ a >> 1", "bit_or(bit_and(a, 3), bit_xor(shift_left(b, 2), shift_right(a, 1)))"),
            ("a + b & a - b << 1", "bit_and(a + b, shift_left(a - b, 1))"),
            ("1 << a", "shift_left(1, a)"),
        ] {
            assert_eq!(generated(element, operator), generated(element, function), "{operator} of {element}");
        }
    }
}

/// `a & b == c` compares what `a` and `b` have in common, as in Rust and other than in C.
#[test]
fn operators_of_bits_bind_more_tightly_than_comparisons() {
    for (bare, grouped) in [("a & b == 0", "(a & b) == 0"), ("a | b != a ^ b", "(a | b) != (a ^ b)")] {
        let choice = |condition: &str| generated("i32", &format!("if {condition} {{ 1 }} else {{ 2 }}"));
        assert_eq!(choice(bare), choice(grouped));
    }
}

#[test]
fn assignments_with_an_operator() {
    let body = |statements: &str| generated("u16", &format!("a; let mut v = b; {statements} y[0] ^= v"));
    let (short, long) =
        ("v &= 7; v |= 1; v ^= a; v <<= 2; v >>= 1;", "v = v & 7; v = v | 1; v = v ^ a; v = v << 2; v = v >> 1;");
    assert_eq!(body(short), body(long));
}

/// A constant is a number without a width, until it meets a type.
#[test]
fn constants_take_the_type_that_their_place_wants() {
    for (element, value, number) in [
        ("u8", "~15", "240"),
        ("u32", "~15", "4294967280"),
        ("u64", "~0", "18446744073709551615"),
        ("i32", "~15", "-16"),
        ("u16", "0xff & ~0xf | 1 << 12", "4336"),
        ("u8", "~(1 << 7)", "127"),
        ("i64", "1 << 40", "1099511627776"),
        ("i32", "-9 >> 1", "-5"),
        ("i32", "~~7 ^ 1", "6"),
        ("i32", "if 6 & 3 == 2 { 1 } else { 0 }", "1"),
    ] {
        assert_eq!(generated(element, value), generated(element, number), "{value} as {element}");
    }
    for (element, value) in [("u8", "~256"), ("u8", "1 << 8"), ("i8", "1 << 7"), ("i32", "1 << 31")] {
        says(&gives(&kernel(element, value), &["type-mismatch"]), "type-mismatch", &[element]);
    }
}

/// The distance counts modulo the width, as that of the functions does.
#[test]
fn a_distance_beyond_the_width_of_a_typed_number_starts_anew() {
    assert_eq!(generated("i32", "a << 33"), generated("i32", "shift_left(a, 33)"));
}

/// A constant has no width at which a distance could start anew: it leaves 64 bits or it does not.
#[test]
fn a_constant_that_is_shifted_out_of_64_bits_is_an_error() {
    for value in ["1 << 64", "2 << 63", "4611686018427387904 << 40", "-2 << 63", "1 << 127", "3 << 9223372036854775807"]
    {
        says(&gives(&kernel("i64", value), &["overflow"]), "overflow", &["`", "<<", "64 bits"]);
    }
    for (element, value, number) in [
        ("u64", "1 << 63", "9223372036854775808"),
        ("u64", "3 << 62", "13835058055282163712"),
        ("i64", "-1 << 63", "-9223372036854775807 - 1"),
        ("i64", "0 << 99", "0"),
        ("i64", "-1 >> 63", "-1"),
        ("i64", "5 >> 99", "0"),
    ] {
        assert_eq!(generated(element, value), generated(element, number), "{value} as {element}");
    }
    says(&gives(&kernel("i64", "1 << 63"), &["type-mismatch"]), "type-mismatch", &["i64", "9223372036854775808"]);
}

#[test]
fn only_integers_have_bits() {
    for (value, parts) in [
        ("i32(f & 1.0)", ["`&`", "`f32`"]),
        ("i32(f << 2)", ["`<<`", "bitcast(u32, x)"]),
        ("i32(~f)", ["an integer", "`f32`"]),
        ("i32(c | c)", ["`|`", "`||`"]),
        ("i32(c & c)", ["`&`", "`&&`"]),
        ("i32(c ^ c)", ["`^`", "`!=`"]),
        ("i32(~c)", ["an integer", "`!`"]),
        ("i32(!a)", ["`bool`", "`~`"]),
    ] {
        says(&gives(&kernel("i32", value), &["type-mismatch"]), "type-mismatch", &parts);
    }
}

#[test]
fn sizes_are_computed_by_bits_too() {
    gives(
        "dim N;
        const LOW = (1 << 3) - 1;
        assert LOW == 7; assert ~LOW == -8; assert 6 ^ 3 == 5; assert 6 | 3 == 7;
        assert N & LOW == N % 8; assert N << 2 == 4 * N; assert -9 >> 1 == -5;
        assert -1 << 63 == -9223372036854775807 - 1; assert -1 >> 99 == -1; assert 0 << 99 == 0;
        kernel k(x: f32[N >> 1], y: mut f32[N << 1]) grid(N << 1) block(1) {
            for i in grid(N << 1) { y[i] = 1.0; }
        }\n",
        &[],
    );
    for wrong in ["1.5 & 2", "1 << -1", "true | false"] {
        gives(&format!("const A = {wrong};\n"), &["operands"]);
    }
    gives("const A = 1 << 70;\n", &["overflow"]);
    gives("const A = ~true;\n", &["wrong-type"]);
}

#[test]
fn proofs_know_them() {
    let kernel = |body: &str| {
        format!(
            "dim N where N >= 1;
            kernel k(x: f32[N], at: i32[N], small: f32[8], y: mut f32[N]) grid(1) block(1) {{ {body} }}\n"
        )
    };
    for right in [
        "for i in 0..N { y[i] = small[i & 7]; }",
        "for i in 0..N { y[i] = small[at[i] & 7]; }",
        "for i in 0..N { y[i] = x[i >> 1]; }",
        "for i in 0..N >> 1 { y[i << 1] = x[i << 1 | 1]; }",
        "for i in 0..8 { y[0] = small[~i + 8]; }",
        "for i in 0..8 { y[0] = small[i ^ 5]; }",
        "for i in 0..N { let k = i & ~7; if k + 7 < N { y[i] = x[k + 7]; } }",
        "for l in 0..3 { y[0] = small[1 << l]; }",
        "for l in 0..N { if l & 1 == 0 && l + 1 < N { y[l] = x[l + 1]; } }",
    ] {
        let checked = check(&kernel(right));
        assert!(checked.errors().is_empty(), "{right}\n{}", checked.report());
        super::safe(&checked, right);
    }
    for wrong in [
        "for i in 0..N { y[i] = small[i & 8]; }",
        "for i in 0..N { y[i] = x[i << 1]; }",
        "for i in 0..N { y[i] = x[i | 1]; }",
        "for i in 0..8 { y[0] = small[~i]; }",
        "for i in 0..8 { y[0] = small[i ^ 8]; }",
        "for l in 0..4 { y[0] = small[1 << l]; }",
    ] {
        let checked = check(&kernel(wrong));
        assert_eq!(checked.errors(), ["out-of-bounds"], "{wrong}\n{}", checked.report());
    }
}

/// A swizzled tile: each row permutes its columns by an exclusive or.
#[test]
fn threads_share_an_array_out_by_bits() {
    let kernel = |column: &str| {
        format!(
            "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {{
            shared s : f32[8, 8];
            for t in threads(64, cuda_thread) {{ s[t >> 3, {column}] = x[t]; }}
            for t in threads(64, cuda_thread) {{ y[t] = s[t >> 3, {column}]; }}
        }}\n"
        )
    };
    gives(&kernel("t & 7 ^ t >> 3"), &[]);
    let checked = check(&kernel("t & 3 ^ t >> 3"));
    assert_eq!(checked.errors(), ["shared-race"], "{}", checked.report());
}
