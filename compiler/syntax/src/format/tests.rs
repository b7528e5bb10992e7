use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::fixtures::FIXTURES;

fn formatted(source: &str) -> String {
    format(source, &|_| false)
}

/// Formats, and checks that nothing is lost and that formatting is idempotent.
#[track_caller]
fn checked(source: &str) -> String {
    let once = formatted(source);
    assert_eq!(significant(source), significant(&once), "tokens of {source:?}");
    assert_eq!(comments(source), comments(&once), "comments of {source:?}");
    assert_eq!(formatted(&once), once, "formatting {source:?} again");
    once
}

/// The significant tokens except semicolons, for each item.
fn significant(source: &str) -> Vec<Vec<std::string::String>> {
    let items = split(source, &lex(source)).items;
    let texts = |item: &FileItem| {
        (0..item.tokens.len()).map(|at| item.tokens.text(at).to_owned()).filter(|text| text != ";").collect()
    };
    items.iter().map(texts).collect()
}

fn comments(source: &str) -> Vec<std::string::String> {
    let tokens = lex(source);
    let comments = tokens
        .iter()
        .filter(|token| token.kind.is_trivia() && !matches!(token.kind, TokenKind::Whitespace | TokenKind::Newline));
    comments.map(|token| with_line_feeds(token.text(source)).trim_end().to_owned()).collect()
}

#[test]
fn the_tour_is_written_as_the_formatter_writes_it() {
    insta::assert_snapshot!(checked(FIXTURES[0]));
}

#[test]
fn kernels() {
    insta::assert_snapshot!(checked(FIXTURES[4]));
}

#[test]
fn tilings() {
    insta::assert_snapshot!(checked(FIXTURES[3]));
}

#[test]
fn shapes_and_reshape_maps_keep_their_lines() {
    assert_eq!(checked(FIXTURES[1]).lines().count(), FIXTURES[1].lines().count());
    assert_eq!(checked(FIXTURES[2]).lines().count(), FIXTURES[2].lines().count());
}

#[test]
fn spaces() {
    insta::assert_snapshot!(checked("s3:[7,8 , 9]"), @"s3 : [7, 8, 9];");
    insta::assert_snapshot!(checked("mdspan < 1 > s1:[ 3 ]"), @"mdspan<1> s1 : [3];");
    insta::assert_snapshot!(checked("new :shape[ ( 0 )/2 ]"), @"new : shape [(0) / 2];");
    insta::assert_snapshot!(checked("assert m . owners [ 3 ]==-1&&! a"), @"assert m.owners[3] == -1 && !a;");
    insta::assert_snapshot!(checked("x : - -a - - b - | c - | d | | + [ - 1 , ! e ]"), @"x : --a - -b - |c - |d| | + [-1, !e];");
    insta::assert_snapshot!(checked("x : ~ a&b|c^d<<2>>~ - e+| f | |1"), @"x : ~a & b | c ^ d << 2 >> ~-e + |f| | 1;");
    insta::assert_snapshot!(checked("kernel f(){a&=1;b|=2;c^=3;d<<=4;e>>= 5}"), @r#"
    kernel f() {
        a &= 1;
        b |= 2;
        c ^= 3;
        d <<= 4;
        e >>= 5;
    }
    "#);
    insta::assert_snapshot!(checked("kernel f(){for i in 0 .. n step  -2*s{a=1}}"), @r#"
    kernel f() { for i in 0..n step -2 * s { a = 1; } }
    "#);
    insta::assert_snapshot!(checked("kernel f(){let mut a:f32 [2,2]=0.0;while a[0,0]<max(n,1)max - n{if b{break}continue;}}"), @r#"
    kernel f() {
        let mut a: f32[2, 2] = 0.0;
        while a[0, 0] < max(n, 1) max -n {
            if b { break; }
            continue;
        }
    }
    "#);
    insta::assert_snapshot!(checked("map m=gpu :: reshape_map ! ( [3]|[4]=>layout:[i0,- t0],offset :4 )"), @"map m = gpu::reshape_map!([3] | [4] => layout: [i0, -t0], offset: 4);");
    insta::assert_snapshot!(checked("map m = a |>{0:_,(1,2):merge=>1,}|>{}"), @"map m = a |> { 0: _, (1, 2): merge => 1, } |> {};");
    insta::assert_snapshot!(checked("x : f ( a:1 , b ) ( 0 .. n-1 ) ( 1,)"), @"x : f(a: 1, b)(0..n - 1)(1,);");
    insta::assert_snapshot!(checked("unit u=3*( a,b/2 ;_ , 1)"), @"unit u = 3 * (a, b / 2; _, 1);");
    insta::assert_snapshot!(checked("dim M,N where M%64==0,N<=3"), @"dim M, N where M % 64 == 0, N <= 3;");
    insta::assert_snapshot!(checked("run f(a:1) expect y==x within 1e-5&&z==x&&w==x within 0 expect v==x"), @"run f(a: 1) expect y == x within 1e-5 && z == x && w == x within 0 expect v == x;");
    insta::assert_snapshot!(checked("run f ( a:1 )with M=1,N=2 expect y==x within 1e-5 save y:\"a\""), @r#"run f(a: 1) with M = 1, N = 2 expect y == x within 1e-5 save y: "a";"#);
    insta::assert_snapshot!(checked("kernel f[T:f16|f32=f32,B=2*4](x:mut f32[ M ]strided[1],n :i32)grid ( 1 ) {}"), @"kernel f[T: f16 | f32 = f32, B = 2 * 4](x: mut f32[M] strided [1], n: i32) grid(1) {}");
    insta::assert_snapshot!(checked("kernel f[B=8](n :i32)where B<=64,N>1 tune ( B : [8,16] )grid ( 1 ) {}"), @"kernel f[B = 8](n: i32) where B <= 64, N > 1 tune(B: [8, 16]) grid(1) {}");
    insta::assert_snapshot!(checked("run f [ B :64,T: f32 ] (n : 1)"), @"run f[B: 64, T: f32](n: 1);");
    insta::assert_snapshot!(checked("kernel f(){shared b:f32 [ 4 ]|>xor;let mut x:f32=if a{1}else{2};with threads ( 0..1,w ){a[ i ]+=-1;}}"), @r#"
    kernel f() {
        shared b : f32[4] |> xor;
        let mut x: f32 = if a { 1 } else { 2 };
        with threads(0..1, w) { a[i] += -1; }
    }
    "#);
    insta::assert_snapshot!(checked("a : [1]; b : [2]; x"), @r#"
    a : [1];
    b : [2];
    x;
    "#);
    insta::assert_snapshot!(checked("tiling t=cluster (1)block( 2 )"), @"tiling t = cluster(1) block(2);");
}

#[test]
fn long_lines_break() {
    insta::assert_snapshot!(checked("assert blocked.owners == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10];"), @r#"
    assert blocked.owners == [
        0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10,
        10, 10
    ];
    "#);
    insta::assert_snapshot!(checked("map m = row_major([1024, 1024]) |> pad(1, 1) |> xor(8, 64) |> merge(1024, 1024) |> slice(0, 1000000) |> offset(3);"), @r#"
    map m = row_major([1024, 1024])
        |> pad(1, 1)
        |> xor(8, 64)
        |> merge(1024, 1024)
        |> slice(0, 1000000)
        |> offset(3);
    "#);
    insta::assert_snapshot!(checked("kernel convolution(input: f32[N, 30, 30, 16], weights: f32[3, 3, 16, 32], output: mut f32[N, 28, 28, 32]) grid(1) block(4) { let a = 1 }"), @r#"
    kernel convolution(
        input: f32[N, 30, 30, 16],
        weights: f32[3, 3, 16, 32],
        output: mut f32[N, 28, 28, 32]
    ) grid(1) block(4) { let a = 1; }
    "#);
    insta::assert_snapshot!(checked("run convolution(input: random(1), weights: random(2), output: zeros) with M = 1000, N = 700 expect output == input within 1e-5 save output: \"output.npy\""), @r#"
    run convolution(input: random(1), weights: random(2), output: zeros)
        with M = 1000, N = 700
        expect output == input
        within 1e-5
        save output: "output.npy";
    "#);
    insta::assert_snapshot!(checked("assert aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa == bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb && ccccccccccccccccccccccccccc <= dddddddddddddddddddddddddd"), @r#"
    assert aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa == bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        && ccccccccccccccccccccccccccc <= dddddddddddddddddddddddddd;
    "#);
    insta::assert_snapshot!(checked("map m = reshape_map([(aaaaaaaaaaaa, bbbbbbbbbbbbbb)] | [cccccccccccccc, (dddddddddddddddd, eeeeeeeeeeee)] => layout: [i0, -t0, t1], offset: 400 * N);"), @r#"
    map m = reshape_map(
        [(aaaaaaaaaaaa, bbbbbbbbbbbbbb)] | [cccccccccccccc, (dddddddddddddddd, eeeeeeeeeeee)]
            => layout: [i0, -t0, t1],
        offset: 400 * N
    );
    "#);
    insta::assert_snapshot!(checked("kernel f() { for i in 0..3 { ys[i] = aaaaaaaaaaaaaaaaaaaaaaaaaaaaa * xs[i] + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb * zs[i]; } }"), @r#"
    kernel f() {
        for i in 0..3 {
            ys[i] = aaaaaaaaaaaaaaaaaaaaaaaaaaaaa * xs[i] + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
                * zs[i];
        }
    }
    "#);
}

#[test]
fn nothing_follows_a_comment_that_ends_its_line() {
    assert_eq!(checked("[1]\n// a\n;// b\nkernel k(// c"), "[1];\n// a\n// b\nkernel k(  // c\n");
    assert_eq!(checked("[1] // a\n;/* b */// c\n"), "[1];     // a\n/* b */  // c\n");
}

#[test]
fn comments_stay_where_they_belong() {
    insta::assert_snapshot!(checked("// a\n\n\n\n/* b */ x : [1] /* c */ ; // d\n/// e\ny : [2] // f\n\n// g"), @r#"
    // a

    /* b */ x : [1]; /* c */  // d
    /// e
    y : [2];  // f

    // g
    "#);
    insta::assert_snapshot!(checked("x : [ // a\n1, // b\n /* c */ 2 /* d */,\n// e\n3\n// f\n]"), @r#"
    x : [   // a
        1,  // b
        /* c */ 2 /* d */,
        // e
        3
        // f
    ];
    "#);
    insta::assert_snapshot!(checked("map m = a // b\n// c\n|> d // e\n|> f // g\n;"), @r#"
    map m = a  // b
        // c
        |> d   // e
        |> f;  // g
    "#);
    insta::assert_snapshot!(checked("kernel f(\n// a\nx: f32, // b\n// c\n) { // d\n// e\n\n\n let a = 1 // f\n; // g\n\n// h\n; // i\n /* j */ let b = 2; /* k */ let c = 3;\n// l\n} // m"), @r#"
    kernel f(
        // a
        x: f32,  // b
        // c
    ) {  // d
        // e

        let a = 1;  // f
        // g

        // h
        // i
        /* j */ let b = 2; /* k */
        let c = 3;
        // l
    }  // m
    "#);
    insta::assert_snapshot!(checked("x : a // b\n : c"), @r#"
    x : a // b
     : c
    "#);
    insta::assert_snapshot!(checked("/* a\n   b */ x : /* c\n  d */ [1]\n/* e */"), @r#"
    /* a
       b */ x : /* c
      d */ [1];
    /* e */
    "#);
    insta::assert_snapshot!(checked("x /* never ends\n\n"), @"x; /* never ends");
    insta::assert_snapshot!(checked("kernel f() { /* a */ }"), @r#"
    kernel f() { /* a */
    }
    "#);
    insta::assert_snapshot!(checked("kernel f() { if a { /* b */ c = 1; } else // d\n { e = 2 } }"), @r#"
    kernel f() {
        if a { /* b */
            c = 1;
        } else  // d
        {
            e = 2;
        }
    }
    "#);
}

#[test]
fn what_does_not_parse_stays_as_it_is() {
    assert_eq!(
        checked("a:[1]\nb :[ 1 2 ]\n\n\nc:[ (  // x\n d\nassert   a==b"),
        "a : [1];\nb :[ 1 2 ]\n\nc:[ (  // x\n d\nassert a == b;\n"
    );
}

#[test]
fn bodies_stay_on_one_line_if_they_were() {
    let one = "kernel f() { for i in 0..3 { for j in 0..3 { a[i] = j; } } }\n";
    assert_eq!(checked(one), one);
    assert_eq!(
        checked("kernel f() { for i in 0..3 {\na[i] = j } }"),
        "kernel f() {\n    for i in 0..3 {\n        a[i] = j;\n    }\n}\n"
    );
    assert_eq!(checked("kernel f() { a = 1; b = 2; }"), "kernel f() {\n    a = 1;\n    b = 2;\n}\n");
}

#[test]
fn lines_end_as_most_of_them_did() {
    assert_eq!(formatted("a:[1]\r\n/* x\r\ny */b:[2]\r\nc:[3]\n"), "a : [1];\r\n/* x\r\ny */ b : [2];\r\nc : [3];\r\n");
    assert_eq!(formatted("a:[1]\r\n/* x\r\ny */b:[2]\nc:[3]\n"), "a : [1];\n/* x\ny */ b : [2];\nc : [3];\n");
    assert_eq!(formatted("\u{feff}a:[1]"), "\u{feff}a : [1];\n");
    assert_eq!(formatted(" \n\n "), "");
}

#[test]
fn hyphens_of_declared_parts_become_differences() {
    let declared = |name: &str| ["M", "N", "K", "a-b", "a", "b"].contains(&name);
    let format = |source| format(source, &declared);
    assert_eq!(format("x : [M-N, a-b, M-X, M-N-K]"), "x : [M - N, a-b, M-X, M - N - K];\n");
    assert_eq!(format("x : M-N + 1"), "x : M - N + 1;\n");
    assert_eq!(
        format("x : [M-N / 2, 2 * M-N, K - M-N, -M-N, M-N(0)]"),
        "x : [M-N / 2, 2 * M-N, K - M-N, -M-N, M-N(0)];\n"
    );
    assert_eq!(format("M-N : [M-N]"), "M-N : [M - N];\n");
    assert_eq!(format("x : f(M-N: M-N).M-N"), "x : f(M-N: M - N).M-N;\n");
}

#[test]
fn long_sources_take_linear_time() {
    for part in ["1+", "[1],", "- ", "a : b\n", "// a\n", "a |> ", "x : [1] // a\n", "a.b(c)", "a = 1; ", "{a},"] {
        for (start, end) in [("", ""), ("x : ", "1"), ("x : [", "1]"), ("kernel f() { x = ", "1 }")] {
            let source = format!("{start}{}{end}", part.repeat(100_000 / part.len()));
            let clock = Instant::now();
            formatted(&source);
            let elapsed = clock.elapsed();
            assert!(elapsed < Duration::from_secs(20), "{start}{part}…: {elapsed:?}");
        }
    }
    formatted(&format!("kernel f() {{ {} }}", "if a { b = 1; } else ".repeat(20_000) + "{ }"));
}

/// A fixture with other white space and comments between its tokens.
fn mangled() -> impl Strategy<Value = std::string::String> {
    let fixture = proptest::sample::select(FIXTURES.to_vec());
    let gaps = proptest::collection::vec(
        proptest::sample::select(vec![
            "",
            "",
            "",
            "",
            " ",
            "  ",
            "\t",
            " /* c */ ",
            "/*\n d */",
            " // e\n",
            "\n",
            "\n\n\n",
        ]),
        64,
    );
    (fixture, gaps).prop_map(|(fixture, gaps)| {
        let tokens = lex(fixture);
        let mut text = std::string::String::new();
        for (token, gap) in tokens.iter().zip(gaps.iter().cycle()) {
            text.push_str(token.text(fixture));
            // Outside brackets line ends are significant, so this may change the items, which is fine here.
            text.push_str(gap);
        }
        text
    })
}

proptest! {
    #![proptest_config(seeds::config(256))]

    #[test]
    fn mangled_sources_are_kept_and_formatting_is_idempotent(source in mangled()) {
        checked(&source);
    }

    #[test]
    fn any_soup_is_kept(source in "([-a-z0-9 \n;:=,(){}\\[\\]|.<>+*/%#!?_\"]|kernel f\\(\\) \\{|map m =|assert |// c\n|/\\* d \\*/|=>|layout: |\\|>|for i in |let |if |\\} else \\{|\r\n){0,40}") {
        checked(&source);
    }
}

#[test]
fn functions() {
    let source = "fn silu( x : f32 )->f32 { x/(1.0+exp(-x)) }
fn swizzled(M,N)=row_major([M, N]) |> xor
fn limited[T]( x:T,lo : T[4,4] ) -> T[4,4] {
let a=x+lo
if a>lo { a } else { let b = a*2; b+1 }
}
kernel k(x: f32[8], y: mut f32[8]) grid(1) block(8) {
const B=8
fn f(x) { x*2.0 }
fn g(x)=x+1.0
for t in threads(8, cuda_thread) { y[t]=f(x[t]) }
}
";
    insta::assert_snapshot!(checked(source));
}
