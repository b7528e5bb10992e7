//! Frequent mistakes and their messages.

use smol_str::SmolStr;

use super::*;
use crate::span::Span;

/// The messages about the first item of a source.
pub(super) fn said(source: &str) -> String {
    let tokens = lex(source);
    let items = split(source, &tokens).items;
    let parse = parse_item(&items[0].tokens);
    let mut lines = Vec::new();
    for error in parse.errors {
        lines.push(format!("{}..{}: {}", error.span.start, error.span.end, error.message()));
        lines.extend(error.related().map(|(span, text)| format!("  {}..{}: {text}", span.start, span.end)));
        lines.extend(error.help().map(|help| format!("  help: {help}")));
        if let Some(fix) = error.fix() {
            let edit =
                |(span, text): &(Span, SmolStr)| format!("  fix {}..{}: {} {text:?}", span.start, span.end, fix.title);
            lines.extend(fix.edits.iter().map(edit));
        }
    }
    lines.join("\n")
}

#[test]
fn frequent_mistakes() {
    insta::assert_snapshot!(said("s3 = [7, 8]"), @r#"
    1..2: a shape's dimensions follow a `:`, found `=`
      help: write `:` instead of `=`
      fix 1..2: write `:` ":"
    "#);
    insta::assert_snapshot!(said("map m : row_major([2])"), @r#"
    2..3: the definition of a map follows a `=`, found `:`
      help: write `=` instead of `:`
      fix 2..3: write `=` "="
    "#);
    insta::assert_snapshot!(said("reshape_map([3] | [4] layout: [0, 1])"), @r#"
    9..10: expected `=>` after the thread dimensions, found `layout`
      help: a reshape_map is written `reshape_map([local] | [threads] => layout: […], offset: …)`
      fix 9..9: insert `=>` "=> "
    "#);
    insta::assert_snapshot!(said("reshape_map([3] | [4] => [0, 1])"), @r#"
    10..11: expected `layout:` before the layout's entries
      help: write `layout:` before the `[`
      fix 10..10: insert `layout:` "layout: "
    "#);
    insta::assert_snapshot!(said("reshape_map([3], [4] => layout: [0, 1])"), @r#"
    5..6: expected `|` between the local and the thread dimensions, found `,`
      help: a reshape_map is written `reshape_map([local] | [threads] => layout: […], offset: …)`
      fix 5..6: write `|` " |"
    "#);
    insta::assert_snapshot!(said("reshape_map([3] [4] => layout: [0, 1])"), @r#"
    5..6: expected `|` between the local and the thread dimensions, found `[`
      help: a reshape_map is written `reshape_map([local] | [threads] => layout: […], offset: …)`
      fix 5..5: insert `|` "| "
    "#);
    insta::assert_snapshot!(said("reshape_map([3] || [4] => layout: [0, 1])"), @r#"
    5..6: expected `|` between the local and the thread dimensions, found `||`
      help: a reshape_map is written `reshape_map([local] | [threads] => layout: […], offset: …)`
      fix 5..6: write `|` "|"
    "#);
    insta::assert_snapshot!(said("reshape_map([3] | [4], layout: [0, 1])"), @r#"
    9..10: expected `=>` after the thread dimensions, found `,`
      help: a reshape_map is written `reshape_map([local] | [threads] => layout: […], offset: …)`
      fix 9..10: write `=>` " =>"
    "#);
    insta::assert_snapshot!(said("reshape_map([3] | [4] = layout: [0, 1])"), @r#"
    9..10: expected `=>` after the thread dimensions, found `=`
      help: a reshape_map is written `reshape_map([local] | [threads] => layout: […], offset: …)`
      fix 9..10: write `=>` "=>"
    "#);
    insta::assert_snapshot!(said("reshape_map([3] | [4] -> layout: [0, 1])"), @r#"
    9..10: expected `=>` after the thread dimensions, found `->`
      help: a reshape_map is written `reshape_map([local] | [threads] => layout: […], offset: …)`
      fix 9..10: write `=>` "=>"
    "#);
    insta::assert_snapshot!(said("reshape_map([3] | [4] - layout: [0, 1])"), @"9..10: expected `=>` after the thread dimensions, found `-`");
    insta::assert_snapshot!(said("reshape_map([3] | [4] => layout = [0, 1], offset = 2)"), @r#"
    11..12: what belongs to a name follows a `:` here, found `=`
      help: write `:` instead of `=`
      fix 10..13: write `:` "layout: ["
    19..20: what belongs to a name follows a `:` here, found `=`
      help: write `:` instead of `=`
      fix 18..21: write `:` "offset: 2"
    "#);
    insta::assert_snapshot!(said("run f(x = zeros)"), @r#"
    4..5: what belongs to a name follows a `:` here, found `=`
      help: write `:` instead of `=`
      fix 3..6: write `:` "x: zeros"
    "#);
    insta::assert_snapshot!(said("reshape_map([3] => layout: [0])"), @"5..6: expected `|` and the thread dimensions in brackets, found `=>`");
    insta::assert_snapshot!(said("reshape_map([3] | [4] => lay: [0])"), @"10..11: expected `layout: […]` or `offset: …`, found `lay`");
    insta::assert_snapshot!(said("reshape_map([3] | [4] => layout: [0], layout: [1])"), @"16..17: `layout` stands here twice");
    insta::assert_snapshot!(said("kernal f(x: f32) { }"), @r#"
    0..1: `kernal` is no word of the language here; did you mean `kernel`?
      fix 0..1: write `kernel` "kernel"
    "#);
    insta::assert_snapshot!(said("asert a == b"), @r#"
    0..1: `asert` is no word of the language here; did you mean `assert`?
      fix 0..1: write `assert` "assert"
    "#);
    insta::assert_snapshot!(said("x : [1, 2"), @r#"
    6..6: this `[` is never closed: its `]` is missing
      2..3: `[` opens here
      fix 6..6: insert `]` "]"
    "#);
    insta::assert_snapshot!(said("x : foo(1, [2)"), @r#"
    8..8: this `[` is never closed: its `]` is missing
      6..7: `[` opens here
      fix 8..8: insert `]` "]"
    "#);
    insta::assert_snapshot!(said("x : 1)"), @r#"
    3..4: `)` closes nothing
      fix 3..4: remove the bracket ""
    "#);
    insta::assert_snapshot!(said("let x = 1"), @r#"
    0..1: `let` stands only in a kernel's body
      help: outside of kernels write `const` for a number, `name : […]` for a shape and `map` for a map
      fix 0..1: write `const` "const"
    "#);
    insta::assert_snapshot!(said("for i in 0..3 { x = 1; }"), @"0..1: `for` is a statement, and stands only in a kernel's body");
    insta::assert_snapshot!(said("x : [99_999_999_999_999_999_999]"), @r#"
    3..4: the integer 99999999999999999999 does not fit into 64 bits
      help: the largest integer is 18446744073709551615
    "#);
    insta::assert_snapshot!(said("x : 12ab"), @r#"
    2..3: `12ab` is not a number
      help: integers are written `64`, `1_000`, `4_ic` or `0x1f`, other numbers `2.0` or `1e-5`
    "#);
    insta::assert_snapshot!(said("const x = 1e400"), @r#"
    3..4: `1e400` is larger than any `f64`
      help: the largest `f64` is 1.7976931348623157e308
    "#);
    insta::assert_snapshot!(said("x : [1 2]"), @"4..5: expected `,` or the closing bracket, found `2`");
    insta::assert_snapshot!(said("x : a b c"), @"3..4: expected the end of the item, found `b`");
    insta::assert_snapshot!(said("use \"abc"), @r#"
    1..2: this string has no closing `"` on its line
      help: add the closing `"`; a string ends on its line
    "#);
    insta::assert_snapshot!(said("use \"a\\qc\""), @r#"
    1..2: `\q` stands for nothing in a string
      help: the escapes are `\"`, `\\`, `\n`, `\r` and `\t`; a backslash itself is `\\`
    "#);
    insta::assert_snapshot!(said("x : 3 × 4"), @r#"
    3..4: the character `×` has no meaning here
      help: write `*`
    "#);
    insta::assert_snapshot!(said("x :\u{a0}3"), @r#"
    2..3: the invisible character U+00A0 is no white space here
      help: replace it by a space
    "#);
    insta::assert_snapshot!(said("x : a..b..c"), @r#"
    5..6: a range has two ends, found a third
      help: put one of the ranges into parentheses
    "#);
    insta::assert_snapshot!(said("x : work block(4)"), @r#"
    3..7: `block(4)` continues a launch, but what stands before it starts none
      help: a tiling starts with `cluster(c) block(b)` and continues with `|>`
    "#);
    insta::assert_snapshot!(said("x : |s|>0"), @r#"
    6..6: this `|` is never closed: its `|` is missing
      2..3: `|` opens here
      help: `|>` is the pipeline; write `| >` for a size and a comparison
      fix 6..6: insert `|` "|"
    "#);
    insta::assert_snapshot!(said("assert a = b"), @r#"
    2..3: `=` assigns, which only a statement does
      help: a comparison is written `==`
      fix 2..3: write `==` "=="
    "#);
    insta::assert_snapshot!(said("map = 3"), @"1..2: expected the name to define, found `=`");
    insta::assert_snapshot!(said("mdspan x [1, 2]"), @"2..3: expected `:` and the dimensions after the shape's name, found `[`");
    insta::assert_snapshot!(said("mdspan<2 x : [1, 2]"), @"3..4: expected `>` after the rank, found `x`");
    insta::assert_snapshot!(said("kernel f { }"), @"2..3: expected `(` and the kernel's parameters, found `{`");
    insta::assert_snapshot!(said("kernel f(x) { }"), @"4..5: expected `:` and the parameter's type, found `)`");
    insta::assert_snapshot!(said("kernel f(x: f32) -> f32 { }"), @"7..8: expected `{` and the kernel's body, found `->`");
    insta::assert_snapshot!(said("run f expect a"), @"2..3: expected `(` and the arguments, found `expect`");
    insta::assert_snapshot!(said("run f() with M expect a"), @"6..7: expected `=` and the value of the symbolic dimension, found `expect`");
    insta::assert_snapshot!(said("run f() expect a expect b"), @"");
    insta::assert_snapshot!(said("run f() expect a within 0 within 1"), @"8..9: `within` stands here twice");
    insta::assert_snapshot!(said("run f() within 1"), @"4..5: expected `expect` and the condition that this tolerance is for, found `within`");
    insta::assert_snapshot!(said("map m = a |> { 0 pad(1) }"), @"7..8: expected `:` and the transform of these dimensions, found `pad`");
}

#[test]
fn a_definition_in_a_body_ends_the_statement_before_it() {
    let said = |body: &str| said(&format!("kernel f() {{\n{body}\n}}"));
    for right in ["const B = 4\nmap m = n\nassert B == 4\nlet _ = B", "const B = 4; let const = 1; const = const + 1;"]
    {
        assert_eq!(said(right), "", "{right}");
    }
    insta::assert_snapshot!(said("let a = max(1, 2;\nconst B = 4;\ny[0] = B;"), @r#"
    13..13: this `(` is never closed: its `)` is missing
      9..10: `(` opens here
      fix 13..13: insert `)` ")"
    "#);
    insta::assert_snapshot!(said("let a = (1 + \nmap m = n;\nassert B == 4;"), @r#"
    11..11: this `(` is never closed: its `)` is missing
      8..9: `(` opens here
      fix 11..11: insert `)` ")"
    "#);
    insta::assert_snapshot!(said("const B = ;\nconst D\nassert B == ;\nlet _ = ;"), @r#"
    8..9: expected an expression, found `;`
    11..12: expected `=` and the definition after the name, found `assert`
    12..13: expected `;` after the statement, found `B`
    18..19: expected an expression, found `;`
    "#);
}

#[test]
fn loops_of_c() {
    let said = |header: &str| said(&format!("kernel f() {{ {header} {{ y[i] = 1.0; }} }}"));
    insta::assert_snapshot!(said("for (int i = 0; i < n; i++)"), @r#"
    6..20: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: write `for i in 0..n`; the end is not reached
      fix 6..20: write `for i in 0..n` "i in 0..n"
    "#);
    insta::assert_snapshot!(said("for (unsigned int i = lo - 1; i <= min(M - N, x.size); ++i)"), @r#"
    6..32: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: write `for i in lo - 1..min(M - N, x.size) + 1`; the end is not reached
      fix 6..32: write `for i in lo - 1..min(M - N, x.size) + 1` "i in lo - 1..min(M - N, x.size) + 1"
    "#);
    insta::assert_snapshot!(said("for i = 0; i != 4; i += 1"), @r#"
    6..17: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: write `for i in 0..4`; the end is not reached
      fix 6..17: write `for i in 0..4` "i in 0..4"
    "#);
    insta::assert_snapshot!(said("for (int i = t; i < n; i += 2 * b)"), @r#"
    6..22: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: write `for i in t..n step 2 * b`; the end is not reached
      fix 6..22: write `for i in t..n step 2 * b` "i in t..n step 2 * b"
    "#);
    insta::assert_snapshot!(said("for (int i = n - 1; i >= 0; i--)"), @r#"
    6..22: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: a range counts up, and its end is not reached: `0..n step 2`; go other ways from it: `let k = n - 1 - i;`, or `let k = 64 >> i;` for halves
    "#);
    insta::assert_snapshot!(said("for (let i = 0; i < n && x[i] > 0; i++)"), @r#"
    6..27: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: a range counts up, and its end is not reached: `0..n step 2`; go other ways from it: `let k = n - 1 - i;`, or `let k = 64 >> i;` for halves
    "#);
    insta::assert_snapshot!(said("for (int i = 0, j = 0; i < n; i++, j++)"), @r#"
    6..28: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: a range counts up, and its end is not reached: `0..n step 2`; go other ways from it: `let k = n - 1 - i;`, or `let k = 64 >> i;` for halves
    "#);
    insta::assert_snapshot!(said("for (a[i = 0]; i < n; i++)"), @r#"
    6..22: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: a range counts up, and its end is not reached: `0..n step 2`; go other ways from it: `let k = n - 1 - i;`, or `let k = 64 >> i;` for halves
    "#);
    insta::assert_snapshot!(said("f(1 for (i = 0; i < n; i++)"), @r#"
    8..8: this `(` is never closed: its `)` is missing
      6..7: `(` opens here
      fix 8..8: insert `)` ")"
    9..22: a loop runs over a range `lo..hi`, found the three parts of a C loop
      help: write `for i in 0..n`; the end is not reached
      fix 9..22: write `for i in 0..n` "i in 0..n"
    "#);
    insta::assert_snapshot!(said("for (i in 0..n)"), @r#"
    6..13: what a loop runs over stands without parentheses
      help: write `for i in lo..hi { … }`
    "#);
    // Anything but such a loop is read as before.
    insta::assert_snapshot!(said("for (int i = 0; i < n)"), @r#"
    8..9: expected `,` or the closing bracket, found `i`
    11..12: expected `,` or the closing bracket, found `;`
    16..17: expected `in` and what the loop runs over, found `{`
    "#);
}

#[test]
fn steps_of_c() {
    let said = |statement: &str| said(&format!("kernel f() {{ {statement} }}"));
    insta::assert_snapshot!(said("i++;"), @r#"
    6..8: `++` is no operator of the language
      help: write `+= 1`
      fix 6..8: write `+= 1` " += 1"
    "#);
    insta::assert_snapshot!(said("y[i]--"), @r#"
    9..11: `--` is no operator of the language
      help: write `-= 1`
      fix 9..11: write `-= 1` " -= 1"
    "#);
    insta::assert_snapshot!(said("y[i] = x[i]++;"), @r#"
    14..16: `++` is no operator of the language
      help: an assignment has no value: write `+= 1` in a statement of its own
    "#);
    insta::assert_snapshot!(said("a = b - --c;"), @"");
}
