//! Invalid sources: parsing never panics, never takes long, and loses little.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

#[test]
fn every_truncation_of_every_fixture_parses() {
    for fixture in FIXTURES {
        for end in (0..fixture.len()).filter(|&end| fixture.is_char_boundary(end)) {
            parses(&fixture[..end]);
        }
    }
}

#[test]
fn every_fixture_without_one_token_parses() {
    for fixture in FIXTURES {
        for token in lex(fixture).iter().filter(|token| !token.kind.is_trivia()) {
            parses(&format!("{}{}", &fixture[..token.start as usize], &fixture[token.end as usize..]));
        }
    }
}

#[test]
fn long_rows_and_deep_nests_take_linear_time_and_no_stack() {
    for part in [
        "1+",
        "[",
        "(",
        "{",
        "|",
        "[1,",
        "f(",
        "- ",
        "!",
        "a.",
        "a(1)",
        "|-",
        "if a {",
        "else if a { b } ",
        "..",
        "a..",
        "{0:",
        "=>",
        ";",
        "(;",
        ",",
        "x = ",
        "]",
        ")(",
        "kernel f(",
        "reshape_map(",
        "reshape_map(|",
        "block(1) ",
        "for i in ",
        "(a,",
        "1 + (",
        "\u{e9}",
        "\u{e9} a ",
        "\"",
        "let a = ",
        "a ** ",
        "a << ",
        "a | ",
        "a ? ",
        "a ? b : ",
        "a ? (",
        "and a ",
        "not ",
        "not (",
        "(int)",
        "(int)(",
        "while a {",
        "if a b = 1; ",
        "if a b[",
    ] {
        for prefix in ["", "kernel f() { ", "x : [", "run f(", "map m = reshape_map([1] | [2] => "] {
            let source = format!("{prefix}{}", part.repeat(50_000 / part.len()));
            let start = Instant::now();
            let parses = parses(&source);
            let elapsed = start.elapsed();
            assert!(elapsed < Duration::from_secs(20), "{prefix}{part}…: {elapsed:?}");
            drop(parses);
        }
    }
}

#[test]
fn a_megabyte_on_one_line_parses() {
    let mut random = 1_u32;
    let noise: String = std::iter::repeat_with(|| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from((random >> 24) as u8)
    })
    .take(1_000_000)
    .collect();
    for source in ["1+".repeat(500_000), "[".repeat(1_000_000), "((".repeat(500_000) + ";", noise] {
        let start = Instant::now();
        parses(&source);
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}

#[test]
fn nesting_up_to_the_limit_parses() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("f(", ")"), ("f[", "]"), ("1 + |", " |"), ("{0: ", "}"), ("if a {", "} else {b}")]
    {
        let source = format!("{}1{}", open.repeat(error::MAX_NESTING), close.repeat(error::MAX_NESTING));
        assert_eq!(parses(&source)[0].errors, [], "{source}");
        let source = format!("{}1{}", open.repeat(error::MAX_NESTING + 3), close.repeat(error::MAX_NESTING + 3));
        let errors = &parses(&source)[0].errors;
        assert!(!errors.is_empty(), "{source}");
        assert!(errors.iter().all(|error| error.kind == error::SyntaxErrorKind::TooDeeplyNested), "{errors:?}");
    }
    // A body or an unclosed bracket that is nested too deeply is a single error, too.
    let beyond = error::MAX_NESTING + 3;
    let loops = format!("kernel f() {{ {}y = 1;{} }}", "for i in 0..1 { ".repeat(beyond), " }".repeat(beyond));
    let branches = format!("kernel f() {{ {}y = 1;{} }}", "if a { ".repeat(beyond), " }".repeat(beyond));
    let unclosed = format!("const a = {};", "(".repeat(beyond));
    // So is one that is too deep in many places.
    let conditions =
        format!("kernel f() {{ {}y = 1;{} }}", "if (a) { y[0] = (1); ".repeat(beyond), " }".repeat(beyond));
    for source in [loops, branches, unclosed, conditions] {
        let errors = &parses(&source)[0].errors;
        assert_eq!(errors.len(), 1, "{source}: {errors:?}");
        assert_eq!(errors[0].kind, error::SyntaxErrorKind::TooDeeplyNested, "{source}");
    }
    let body = format!("kernel f() {}{}", "{ if a ".repeat(error::MAX_NESTING), "}".repeat(error::MAX_NESTING));
    parses(&body);
}

#[test]
fn arms_are_not_nested_in_each_other() {
    let arms = "if a { b } else ".repeat(10_000);
    let source = format!("const x = {arms} {{ c }};");
    assert_eq!(parses(&source)[0].errors, []);
    assert!(outline(&source).contains(&format!("{arms}{{ c }}")));
}

#[test]
fn a_kernel_beyond_the_limit_is_one_mistake() {
    let statement = "y[0] = 1.0; ";
    let tokens = 7;
    let body = statement.repeat(error::MAX_KERNEL_TOKENS / tokens);
    // The braces inside are not checked.
    for body in [format!("{{ {body} }}"), format!("{{ {body} "), format!("{{ {body} }} }} {body} }}")] {
        let source = format!("kernel f(y: mut f32[1]) {body}\nconst after = 1;\n");
        let parses = parses(&source);
        let errors: Vec<_> = parses.iter().flat_map(|parse| &parse.errors).map(|error| &error.kind).collect();
        assert!(errors.contains(&&error::SyntaxErrorKind::TooLong), "{errors:?}");
        assert!(parses[0].item.is_some());
    }
    let short = statement.repeat(error::MAX_KERNEL_TOKENS / tokens - 4);
    assert_eq!(parses(&format!("kernel f(y: mut f32[1]) {{ {short} }}"))[0].errors, []);
}

#[test]
fn half_typed_items_keep_what_is_there() {
    insta::assert_snapshot!(outline("map m = reshape_map([3] | [4] => layout: [i0,"), @r#"
    map m = reshape_map([3] | [4] layout: [i0])
      ! 18..18 this `[` is never closed: its `]` is missing
    "#);
    insta::assert_snapshot!(outline("map m = row_major([8, 64]) |> "), @r#"
    map m = <row_major([8, 64]) |> ERROR>
      ! 12..12 expected an expression after the operator, found the end of the item
    "#);
    insta::assert_snapshot!(outline("run scale(a: 2.0, x: , y"), @r#"
    run scale(a: 2.0, x: ERROR, y)
      ! 9..10 expected an expression, found `,`
      ! 11..11 this `(` is never closed: its `)` is missing
    "#);
    insta::assert_snapshot!(outline("x : shape [(0) / , 1"), @r#"
    shape x : shape[<paren(0) / ERROR>, 1]
      ! 8..9 expected an expression after the operator, found `,`
      ! 10..10 this `[` is never closed: its `]` is missing
    "#);
    insta::assert_snapshot!(outline("assert m."), @r#"
    assert m.
      ! 3..3 expected a name after the `.`, found the end of the item
    "#);
    insta::assert_snapshot!(outline("kernel f(x: f32[12], y: mut"), @r#"
    kernel f
      param x: f32[12]
      param y: mut 
      ! 13..13 this `(` is never closed: its `)` is missing
    "#);
    insta::assert_snapshot!(outline("kernel f(x: f32[12]) {\n view a = x via \n let b = a[\n for i in 0..\n ys[i] = 3"), @r#"
    kernel f
      param x: f32[12]
      view a = x via ERROR
      let b = a[]
      for (i) in <0 .. ys[i]>
      ! 16..17 expected an expression, found `let`
      ! 21..21 this `[` is never closed: its `]` is missing
      ! 30..31 `=` assigns, which only a statement does
      ! 32..32 this `{` is never closed: its `}` is missing
    "#);
    insta::assert_snapshot!(outline("map m = a |> { 0: pad(1, "), @r#"
    map m = <a |> {(0): pad(1)}>
      ! 12..12 this `(` is never closed: its `)` is missing
    "#);
    insta::assert_snapshot!(outline("tiling t = cluster(1) block("), @r#"
    tiling t = launch(cluster(1) block())
      ! 9..9 this `(` is never closed: its `)` is missing
    "#);
    insta::assert_snapshot!(outline("dim M where"), @r#"
    dim M where []
      ! 3..3 expected a fact about the dimensions, found the end of the item
    "#);
    insta::assert_snapshot!(outline("use"), @"expression use");
    insta::assert_snapshot!(outline("mdspan<"), @r#"
    shape<ERROR>  : ERROR
      ! 2..2 expected the rank, found the end of the item
    "#);
}

#[test]
fn one_bad_statement_leaves_the_others() {
    insta::assert_snapshot!(outline(
        "kernel f(x: f32, y) {
            let a = ;
            let b = 1;
            ) = 3;
            view c = via d;
            for i 0..3 { a = 1 }
            foo(1, , 2 3);
            veiw e = x;
            a = = 2;
            b(1;
            c[2 = 3;
            d = 4
        }"
    ), @r#"
    kernel f
      param x: f32
      param y: 
      let a = ERROR
      let b = 1
      view c = ERROR via d
      for (i) in <0 .. 3>
        a = 1
      foo(1, ERROR, 2)
      view e = x
      a = ERROR
      b(1)
      c[2] = 3
      d = 4
      ! 8..9 expected `:` and the parameter's type, found `)`
      ! 13..14 expected an expression, found `;`
      ! 19..20 `)` closes nothing
      ! 20..21 expected a statement, found `=`
      ! 26..27 expected an expression, found `via`
      ! 31..32 expected `in` and what the loop runs over, found `0`
      ! 43..44 expected an expression, found `,`
      ! 45..46 expected `,` or the closing bracket, found `3`
      ! 48..49 `veiw` is no word of the language here; did you mean `view`?
      ! 55..56 expected an expression, found `=`
      ! 61..61 this `(` is never closed: its `)` is missing
      ! 65..65 this `[` is never closed: its `]` is missing
    "#);
}

const SOUP: &str = "([-a-z0-9 \n;:=,(){}\\[\\]|.<>+*/%#!?_\"é]|kernel f\\(|map m =|run f\\(|assert |mdspan|with |save |reshape_map\\(|=>|layout: |offset: |\\|>|for i in |let |view v = |if |else |block\\(|shared |dim |where |gpu::|unit u = |tiling t = |expect |within |via |per |masked|mut |in |strided ){0,60}";

proptest! {
    #![proptest_config(seeds::config(256))]

    #[test]
    fn any_soup_parses(source in SOUP) {
        for parse in parses(&source) {
            for error in &parse.errors {
                prop_assert!(!error.message().is_empty());
                error.help();
                error.related();
                error.fix();
            }
        }
    }

    #[test]
    fn any_text_parses(source in any::<String>()) {
        parses(&source);
    }
}
