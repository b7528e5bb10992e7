//! Syntax of other languages: each is one error, with its counterpart.

use super::mistakes::said;

/// The messages about a statement of a kernel.
fn in_kernel(statement: &str) -> String {
    said(&format!("kernel f() {{ {statement} }}"))
}

#[test]
fn words_for_operators() {
    insta::assert_snapshot!(in_kernel("y[i] = a and b;"), @r#"
    11..12: `and` is no operator of the language
      help: write `&&`
      fix 11..12: write `&&` "&&"
    "#);
    insta::assert_snapshot!(in_kernel("if a or b and not c { y = 1; }"), @r#"
    7..8: `or` is no operator of the language
      help: write `||`
      fix 7..8: write `||` "||"
    9..10: `and` is no operator of the language
      help: write `&&`
      fix 9..10: write `&&` "&&"
    10..11: `not` is no operator of the language
      help: write `!a`, or `!(a == b)` for a comparison
      fix 10..12: write `!` "!c"
    "#);
    insta::assert_snapshot!(in_kernel("y = not a == b and c;"), @r#"
    7..8: `not` is no operator of the language
      help: write `!a`, or `!(a == b)` for a comparison
      fix 7..9: write `!` "!(a"
      fix 11..11: write `!` ")"
    11..12: `and` is no operator of the language
      help: write `&&`
      fix 11..12: write `&&` "&&"
    "#);
    insta::assert_snapshot!(in_kernel("y = not (a);"), @r#"
    7..8: `not` is no operator of the language
      help: write `!a`, or `!(a == b)` for a comparison
      fix 7..9: write `!` "!("
    "#);
}

#[test]
fn operators_that_there_are_not() {
    insta::assert_snapshot!(in_kernel("y = a ** 2 + b;"), @r#"
    8..10: `**` is no operator of the language
      help: write `x * x`, or in a kernel `pow(x, y)` for floats
    "#);
}

#[test]
fn operators_of_bits_are_no_foreign_syntax() {
    for right in [
        "ys[i << 2] = 1 >> k;",
        "y = x[i | 3] + |s| | 1;",
        "y = a & b ^ ~c;",
        "y &= 1; y |= 2; y ^= 3; y <<= 4; y >>= 5;",
        "if a & 1 == 0 && b | c != d { y = 1; }",
        "let m : u32 = |(a | b)| >> 2;",
    ] {
        assert_eq!(in_kernel(right), "", "{right}");
    }
    insta::assert_snapshot!(in_kernel("y = &x + a;"), @r#"
    7..8: there are no pointers
      help: name the tensor itself with all of its indices, `x[i, j]`; a part of it is named by a `view`
      fix 7..8: leave the sign away ""
    "#);
    insta::assert_snapshot!(in_kernel("y = a | ;"), @r#"
    9..10: expected an expression after the operator, found `;`
    "#);
}

#[test]
fn choices() {
    insta::assert_snapshot!(in_kernel("y = i < 3 ? a : b + 1;"), @r#"
    10..11: a choice is not written with `?` and `:`
      help: write `if c { a } else { b }`
      fix 7..8: write it with `if` and `else` "if i"
      fix 10..11: write it with `if` and `else` "{"
      fix 12..13: write it with `if` and `else` "} else {"
      fix 16..16: write it with `if` and `else` " }"
    "#);
    insta::assert_snapshot!(in_kernel("y = f(c ? 1 : 2, d);"), @r#"
    10..11: a choice is not written with `?` and `:`
      help: write `if c { a } else { b }`
      fix 9..10: write it with `if` and `else` "if c"
      fix 10..11: write it with `if` and `else` "{"
      fix 12..13: write it with `if` and `else` "} else {"
      fix 14..14: write it with `if` and `else` " }"
    "#);
    insta::assert_snapshot!(in_kernel("y = a ? b : c ? d : e;"), @r#"
    8..9: a choice is not written with `?` and `:`
      help: write `if c { a } else { b }`
      fix 7..8: write it with `if` and `else` "if a"
      fix 8..9: write it with `if` and `else` "{"
      fix 10..11: write it with `if` and `else` "} else {"
      fix 16..16: write it with `if` and `else` " }"
    "#);
    insta::assert_snapshot!(in_kernel("y = c ? a ? 1 : 2 : 3;"), @r#"
    8..9: a choice is not written with `?` and `:`
      help: write `if c { a } else { b }`
      fix 7..8: write it with `if` and `else` "if c"
      fix 8..9: write it with `if` and `else` "{"
      fix 14..15: write it with `if` and `else` "} else {"
      fix 16..16: write it with `if` and `else` " }"
    "#);
}

#[test]
fn the_end_of_a_range_does_not_belong_to_it() {
    insta::assert_snapshot!(in_kernel("for i in 0..=n { y[i] = 1.0; }"), @r#"
    9..11: the end of a range does not belong to it
      help: write `lo..hi + 1`
      fix 10..11: write the end that does not belong to it ""
      fix 12..12: write the end that does not belong to it " + 1"
    "#);
}

#[test]
fn a_block_is_no_statement() {
    insta::assert_snapshot!(in_kernel("{ let a = x[i]; y[i] = a; }"), @r"
    5..6: a block belongs to an `if`, a `for` or a `with`, and is no statement of its own
      help: leave the braces away: a name may be given again, and `let` in the body of a loop ends with it
    ");
}

#[test]
fn casts() {
    insta::assert_snapshot!(in_kernel("y = (float)x[i + 1] * 2;"), @r#"
    7..10: a conversion is a call, not a type in parentheses
      help: write `f32(…)` around what is converted
      fix 7..10: write `f32(…)` "f32("
      fix 16..16: write `f32(…)` ")"
    "#);
    insta::assert_snapshot!(in_kernel("y = (unsigned int) (a + b);"), @r#"
    7..11: a conversion is a call, not a type in parentheses
      help: write `u32(…)` around what is converted
      fix 7..11: write `u32(…)` "u32("
      fix 16..16: write `u32(…)` ")"
    "#);
    assert_eq!(in_kernel("y = (half);"), "");
}

#[test]
fn suffixes() {
    insta::assert_snapshot!(in_kernel("y = 1.0f + 2f - 3u;"), @r#"
    7..8: numbers have no suffix, found `1.0f`
      help: write `1.0`: a number takes the type of what it is used with
      fix 7..8: write `1.0` "1.0"
    9..10: numbers have no suffix, found `2f`
      help: write `2.0`: a number takes the type of what it is used with
      fix 9..10: write `2.0` "2.0"
    11..12: numbers have no suffix, found `3u`
      help: write `3`: a number takes the type of what it is used with
      fix 11..12: write `3` "3"
    "#);
    insta::assert_snapshot!(in_kernel("y = 0x1fu + 1e5f32;"), @r#"
    7..8: numbers have no suffix, found `0x1fu`
      help: write `0x1f`: a number takes the type of what it is used with
      fix 7..8: write `0x1f` "0x1f"
    9..10: numbers have no suffix, found `1e5f32`
      help: write `1e5`: a number takes the type of what it is used with
      fix 9..10: write `1e5` "1e5"
    "#);
    insta::assert_snapshot!(in_kernel("y = 12ab;"), @r#"
    7..8: `12ab` is not a number
      help: integers are written `64`, `1_000`, `4_ic` or `0x1f`, other numbers `2.0` or `1e-5`
    "#);
}

#[test]
fn loops_and_bodies() {
    for right in [
        "while (i < n) { y = 1; }",
        "while i < max(n, 4) max max(2, n) * 2 { y = max; }",
        "while max(a, b) < 3 max 4 { if y { break } continue }",
        "let while = 1; while = max + while; let break = 2; break += continue * 2; continue[0] = break",
        "while (if a { b } else { c }) max (if a { 1 } else { 2 }) { let a = b max = 3 }",
        "while a max n { while b { while c max 2 { break; } } }",
    ] {
        assert_eq!(in_kernel(right), "", "{right}");
    }
    insta::assert_snapshot!(in_kernel("float a[4]; y = a[0];"), @r#"
    5..10: an array of a thread is declared by `let`, with its type and a value
      help: write `let mut a: f32[4] = 0.0;`, where every element begins with the number, or `let a: f32[3] = [1.0, 2.0, 1.0];`
      fix 5..10: write `let` "let mut a : f32[4] = 0.0"
    "#);
    insta::assert_snapshot!(in_kernel("if (i < 3) y[0] = 1.0; z = 1;"), @r#"
    11..18: the body of an `if` or a loop stands in braces
      help: write `{ … }` around it
      fix 11..11: write `{ … }` around it " {"
      fix 18..18: write `{ … }` around it " }"
    "#);
    insta::assert_snapshot!(in_kernel("if i < 3 y = 1; else y = 2;"), @r#"
    9..13: the body of an `if` or a loop stands in braces
      help: write `{ … }` around it
      fix 9..9: write `{ … }` around it " {"
      fix 13..13: write `{ … }` around it " }"
    14..18: the body of an `if` or a loop stands in braces
      help: write `{ … }` around it
      fix 14..14: write `{ … }` around it " {"
      fix 18..18: write `{ … }` around it " }"
    "#);
    insta::assert_snapshot!(in_kernel("for i in 0..4 y[i] = 1;"), @r#"
    11..18: the body of an `if` or a loop stands in braces
      help: write `{ … }` around it
      fix 11..11: write `{ … }` around it " {"
      fix 18..18: write `{ … }` around it " }"
    "#);
    assert_eq!(in_kernel("if (i >= n) return;"), "");
}

#[test]
fn outside_of_kernels() {
    insta::assert_snapshot!(said("assert a and not b == c"), @r#"
    2..3: `and` is no operator of the language
      help: write `&&`
      fix 2..3: write `&&` "&&"
    3..4: `not` is no operator of the language
      help: write `!a`, or `!(a == b)` for a comparison
      fix 3..5: write `!` "!(b"
      fix 7..7: write `!` ")"
    "#);
    insta::assert_snapshot!(said("const x = a ? b : c"), @r#"
    4..5: a choice is not written with `?` and `:`
      help: write `if c { a } else { b }`
      fix 3..4: write it with `if` and `else` "if a"
      fix 4..5: write it with `if` and `else` "{"
      fix 6..7: write it with `if` and `else` "} else {"
      fix 8..8: write it with `if` and `else` " }"
    "#);
    insta::assert_snapshot!(said("x : [2 ** 3, 4]"), @r#"
    4..6: `**` is no operator of the language
      help: write `x * x`, or in a kernel `pow(x, y)` for floats
    "#);
    assert_eq!(said("x : [?, 3]"), "");
    assert_eq!(said("map m = reshape_map([3] | [4] => layout: [0, 1])"), "");
}

#[test]
fn the_least_integer() {
    assert_eq!(said("const x = -9223372036854775808"), "");
    assert_eq!(said("const x = [a, -0x8000_0000_0000_0000]"), "");
}

#[test]
fn the_greatest_integer() {
    // An integer above 2^63 - 1 is a `u64`; whether that is right depends on its use.
    assert_eq!(said("const x = 18446744073709551615"), "");
    assert_eq!(said("const x = a - 0xffff_ffff_ffff_ffff"), "");
    insta::assert_snapshot!(said("const x = a - 18446744073709551616"), @r#"
    5..6: the integer 18446744073709551616 does not fit into 64 bits
      help: the largest integer is 18446744073709551615
    "#);
}

#[test]
fn declarations() {
    insta::assert_snapshot!(in_kernel("const float v = a + 1;"), @r#"
    5..8: a variable is declared by `let`, and its type stands behind its name
      help: a value is named by `let NAME = …;`, and a variable that is assigned later by `let mut NAME = …;`
      fix 5..8: write `let` "let v: f32"
    "#);
    insta::assert_snapshot!(in_kernel("int i = t, j; y = i;"), @r#"
    5..11: a variable is declared by `let`, and its type stands behind its name
      help: a value is named by `let NAME = …;`, and a variable that is assigned later by `let mut NAME = …;`
      fix 5..7: write `let` "let mut i"
      fix 9..11: write `let` "; let mut j: i32 = 0"
    "#);
    insta::assert_snapshot!(in_kernel("float a[4] = {0}, b;"), @r#"
    5..16: an array of a thread is declared by `let`, with its type and a value
      help: write `let mut a: f32[4] = 0.0;`, where every element begins with the number, or `let a: f32[3] = [1.0, 2.0, 1.0];`
    "#);
    insta::assert_snapshot!(in_kernel("__shared__ half s[32][32 + 1];"), @r#"
    5..16: a shared array is declared by `shared`, and its type stands behind its name
      help: write `shared NAME : f32[128];`, before the loops over threads
      fix 5..16: write `shared` "shared s : f16[32, 32 + 1]"
    "#);
    insta::assert_snapshot!(in_kernel("float4 v = a; float *p = &v; y = *p;"), @r#"
    5..9: there are no types of several numbers
      help: give each thread a `view` with several elements, `view v = x via reshape_map([4] | [256] => layout: [t0, i0]);`: neighbouring elements are moved together
    10..16: there are no pointers
      help: name the tensor itself with all of its indices, `x[i, j]`; a part of it is named by a `view`
    "#);
    insta::assert_snapshot!(in_kernel("let mut v: f16; let a: f32[4]; let b = [0; 4];"), @r#"
    5..10: a variable begins with a value
      help: write for example `let mut a: f32 = 0.0;`
      fix 10..10: begin with zero " = 0.0"
    11..18: an array of a thread begins with one number or a list
      help: write `let mut a: f32[4] = 0.0;`, where every element begins with the number, or `let a: f32[3] = [1.0, 2.0, 1.0];`; a tile, on which a whole block works, begins with a tile: `let mut t: f32[4] = zeros(f32[4]);`
      fix 12..12: begin with zero "mut "
      fix 18..18: begin with zero " = 0.0"
    19..27: an array of a thread is declared by `let`, with its type and a value
      help: write `let mut a: f32[4] = 0.0;`, where every element begins with the number, or `let a: f32[3] = [1.0, 2.0, 1.0];`
    "#);
    insta::assert_snapshot!(in_kernel("ct::partition_view p{t, ct::shape{2_ic, n + 1}}; auto r = p.load(i);"), @r#"
    5..23: a tensor is divided into tiles by a view of a partition
      help: write `view p = partition(t, [2, 2]);`
      fix 5..23: write it as a view of a partition "view p = partition(t, [2, n + 1])"
    24..26: a variable is declared by `let`, and its type stands behind its name
      help: a value is named by `let NAME = …;`, and a variable that is assigned later by `let mut NAME = …;`
      fix 24..26: write `let` "let r"
    "#);
    insta::assert_snapshot!(in_kernel("y = p.load_masked(ct::view_padding_nan_t{}, i); z = p.load_masked(view_padding_zero_t{});"), @r#"
    11..16: what lies beyond the edge is said by `pad:`, found `ct::view_padding_nan_t{}`
      help: write `pad: nan` behind the indices
      fix 11..18: write `pad: nan` "i"
      fix 18..18: write `pad: nan` ", pad: nan"
    26..29: what lies beyond the edge is said by `pad:`, found `view_padding_zero_t{}`
      help: write `pad: zero` behind the indices
      fix 26..29: write `pad: zero` "pad: zero"
    "#);
    insta::assert_snapshot!(in_kernel("ct::tensor_span t{&x[0][0], ct::extents{4_ic}}; partition_view p;"), @r#"
    5..26: a tensor is a parameter, which has its shape
      help: write it among the parameters of the kernel, `t: f32[4, 8]`, or `t: mut f32[4, 8]` where it is stored to
    28..29: expected `;` after the statement, found `p`
    "#);
    // These are not declarations.
    assert_eq!(in_kernel("y = float * a;"), "");
    assert_eq!(in_kernel("float = 1;"), "");
    assert_eq!(in_kernel("let v: f32 = [1, 2][0];"), "");
}

#[test]
fn what_stands_behind_a_value() {
    insta::assert_snapshot!(in_kernel("y = a[0] if c < 3 else b;"), @r#"
    11..12: the condition of a choice stands before its values
      help: write `if c { a } else { b }`
      fix 7..8: write it with `if` and `else` "if c < 3 { a"
      fix 11..16: write it with `if` and `else` "} else {"
      fix 17..17: write it with `if` and `else` " }"
    "#);
    insta::assert_snapshot!(in_kernel("y = 2 * f(a).b[i] as unsigned;"), @r#"
    18..20: a conversion is a call, and no type behind a value
      help: write `u32(…)` around what is converted
      fix 9..10: write `u32(…)` "u32(f"
      fix 17..20: write `u32(…)` "])"
    "#);
    insta::assert_snapshot!(in_kernel("for i in 2..n by 3 { y = i; }"), @r#"
    11..12: the distance from one iteration to the next stands behind `step`
      help: write `for i in lo..hi step 2`
      fix 11..12: write `step` "step"
    "#);
    for right in [
        "for i in 2..n step 3 { y = i; }",
        "for i in step..step step step { y = step; }",
        "let step = 2; step = step + 1; step &= step | 1;",
        "let by = 1; y = by; for i in 0..by { y = by; }",
    ] {
        assert_eq!(in_kernel(right), "", "{right}");
    }
    insta::assert_snapshot!(in_kernel("for i in 2..n step { y = i; }"), @r#"
    12..13: expected an expression, found `{`
    "#);
    assert_eq!(in_kernel("let as = 1; y = as; if as < 2 { y = 1; } else { y = 2; }"), "");
}
