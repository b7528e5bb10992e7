use proptest::prelude::*;

use super::*;
use crate::lexer::lex;

/// The items of a source, each as its tokens separated by spaces.
fn items(source: &str) -> Vec<std::string::String> {
    let split = split(source, &lex(source));
    split
        .items
        .iter()
        .map(|item| (0..item.tokens.len()).map(|at| item.tokens.text(at)).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn semicolons_and_line_ends_end_items() {
    assert_eq!(items("a : [1]; b : [2]"), ["a : [ 1 ]", "b : [ 2 ]"]);
    assert_eq!(items("a : [1]\nb : [2]\n"), ["a : [ 1 ]", "b : [ 2 ]"]);
    assert_eq!(items("a : [1\n, 2]\nb : [2]"), ["a : [ 1 , 2 ]", "b : [ 2 ]"]);
    assert_eq!(items(";;a;;"), ["a"]);
    assert_eq!(items("a\n;\nb"), ["a", "b"]);
    assert_eq!(items("a /* x\n y */ b"), ["a", "b"]);
    assert_eq!(items("a /* x */ b"), ["a b"]);
    assert_eq!(items(""), [""; 0]);
    assert_eq!(items("// x"), [""; 0]);
}

#[test]
fn operators_and_clauses_continue_on_the_next_line() {
    assert_eq!(items("map img = a\n  |> b\n  |> { 0: _ };\nx"), ["map img = a |> b |> { 0 : _ }", "x"]);
    assert_eq!(items("a : b\n- c\nd"), ["a : b - c", "d"]);
    assert_eq!(items("a :\n[1]\n.b"), ["a : [ 1 ] . b"]);
    assert_eq!(items("a : b +\nc"), ["a : b + c"]);
    assert_eq!(items("f\n(1)\n[2]\n|x|"), ["f", "( 1 )", "[ 2 ]", "| x |"]);
    assert_eq!(items("dim M\nwhere M > 1,\nM < 3\nx"), ["dim M where M > 1 , M < 3", "x"]);
    assert_eq!(
        items("run f(x: 1)\nwith M = 1,\nN = 2\nexpect\ny == x\nwithin 1\nsave y: \"a\",\nz: \"b\"\nq : [1]"),
        ["run f ( x : 1 ) with M = 1 , N = 2 expect y == x within 1 save y : \"a\" , z : \"b\"", "q : [ 1 ]"]
    );
    assert_eq!(
        items("tiling t = cluster(1)\nblock(384)\n|> tile(w: 8)"),
        ["tiling t = cluster ( 1 ) block ( 384 ) |> tile ( w : 8 )"]
    );
}

#[test]
fn a_kernel_ends_with_its_body() {
    assert_eq!(items("kernel f() { a = 1; } x : [1]"), ["kernel f ( ) { a = 1 ; }", "x : [ 1 ]"]);
    assert_eq!(
        items("kernel f(\nx: f32,\ny: f32\n)\ngrid(1)\n{\nx = 1\n}\n- 1"),
        ["kernel f ( x : f32 , y : f32 ) grid ( 1 ) { x = 1 }", "- 1"]
    );
    assert_eq!(items("kernel f() { };\nx"), ["kernel f ( ) { }", "x"]);
    assert_eq!(items("kernel f() { a(b)); c }\nx"), ["kernel f ( ) { a ( b ) ) ; c }", "x"]);
}

#[test]
fn an_item_in_a_closed_body_belongs_to_the_kernel() {
    for item in ["const c = 1", "map m = x |> { 0 : _ }", "unit u = 1", "dim M , N", "assert a == b", "show a"] {
        let kernel = format!("kernel f ( ) {{ a = 1 ; {item} ; for i in 0 .. 4 {{ }} }}");
        let lines = kernel.replace(item, &format!("\n{item}"));
        assert_eq!(items(&format!("{lines}\nx : [1]")), [kernel.as_str(), "x : [ 1 ]"]);
    }
}

#[test]
fn words_are_names_where_their_meaning_is_not_seen() {
    assert_eq!(
        items("map : [1]\nshow : [2]\nview : [3]\nblock : [4]\nwith : [5]"),
        ["map : [ 1 ]", "show : [ 2 ]", "view : [ 3 ]", "block : [ 4 ]", "with : [ 5 ]"]
    );
    assert_eq!(items("x : [map,\nshow,\nassert]\ny"), ["x : [ map , show , assert ]", "y"]);
}

#[test]
fn damage_does_not_swallow_the_next_item() {
    for head in [
        "kernel f ( a : f32 ) { }",
        "kernel f < T > ( ) { }",
        "run f ( x : 1 )",
        "map m = 1",
        "unit u = 1",
        "tiling t = 1",
        "const c = 1",
        "dim M , N",
        "use \"x\"",
        "mdspan < 1 > s : [ 1 ]",
        "mdspan s : [ 1 ]",
        "assert a == b",
        "assert ! a",
        "assert ( a )",
        "show a",
    ] {
        for damage in ["x : [ 1 , (", "map y = f ( {", "kernel g ( a : f32 ) { for i in 0", "run g ( x : (", "x : a +"]
        {
            assert_eq!(items(&format!("{damage}\n{head}")), [damage, head]);
        }
    }
    // Up to the next kernel or the end, nothing closes the body.
    assert_eq!(
        items("kernel g() { a = 1;\nconst c = 1;\nmap m = x |> { 0: _ };\nkernel f() { } }"),
        ["kernel g ( ) { a = 1 ;", "const c = 1", "map m = x |> { 0 : _ }", "kernel f ( ) { }", "}"]
    );
    assert_eq!(items("x : [1, 2,\ny : [3]"), ["x : [ 1 , 2 ,", "y : [ 3 ]"]);
    assert_eq!(items("x : [1, 2; y : [3]"), ["x : [ 1 , 2", "y : [ 3 ]"]);
    assert_eq!(items("x : a +\ny : [3]"), ["x : a +", "y : [ 3 ]"]);
    assert_eq!(items("map m = merge(4, 5;\ny : [3]"), ["map m = merge ( 4 , 5 ;", "y : [ 3 ]"]);
    assert_eq!(items("unit u = (a\n;\n2)\ny"), ["unit u = ( a ; 2 )", "y"]);
}

#[test]
fn documentation_stands_before_its_item() {
    let source = "/// One.\n///\n///  Two.\n// no\na : [1]; /// not this\nb\n\n/// c\n\nc";
    let split = split(source, &lex(source));
    let docs: Vec<_> = split.items.iter().map(|item| item.doc.as_deref()).collect();
    assert_eq!(docs, [Some("One.\n\n Two."), None, Some("c")]);
}

#[test]
fn items_know_where_they_stand() {
    let source = "  a : [1] ; \n b";
    let tokens = lex(source);
    let split = split(source, &tokens);
    let ranges: Vec<_> = split
        .items
        .iter()
        .map(|item| &source[tokens[item.first as usize].start as usize..tokens[item.end as usize - 1].end as usize])
        .collect();
    assert_eq!(ranges, ["a : [1] ;", "b"]);
}

#[test]
fn an_unfinished_comment_is_reported() {
    let source = "a /* b";
    let split = split(source, &lex(source));
    assert_eq!(split.errors, [FileError { kind: FileErrorKind::UnterminatedComment, range: 2..6 }]);
    assert_eq!(split.items.len(), 1);
}

#[test]
fn white_space_and_comments_change_nothing() {
    let tight = "a:[1,2];map m=merge(4,5)|>xor(8,64)\nkernel f(x:f32){x=1;}";
    let wide = "/// doc\n a : [ 1 , /* x */ 2 ] // y\n\n\n map m =\n merge ( 4 , 5 )\n\t|> xor(8, 64) ;\r\n kernel f(x: f32)\n{ x = 1 ; }";
    let of = |source: &str| split(source, &lex(source)).items.into_iter().map(|item| item.tokens).collect::<Vec<_>>();
    assert_eq!(of(tight), of(wide));
}

#[test]
fn splitting_takes_linear_time() {
    for part in ["1+", "[", "(", "]", "{(", "([)", "a:\n", "(;", "map a = [\n", "kernel f(\n", "x\n"] {
        let source = part.repeat(1_000_000 / part.len());
        split(&source, &lex(&source));
    }
}

proptest! {
    #![proptest_config(seeds::config(256))]

    /// Every significant token except the semicolons between items is in exactly one item.
    #[test]
    fn nothing_is_lost(source in "([-a-z0-9 \n;:=,(){}\\[\\]|]|kernel |map |run |assert |mdspan |with |save ){0,40}") {
        let tokens = lex(&source);
        let split = split(&source, &tokens);
        let mut at = 0;
        for item in &split.items {
            prop_assert!(item.first >= at);
            let inside = &tokens[item.first as usize..item.end as usize];
            let mut kinds: Vec<_> =
                inside.iter().map(|token| token.kind).filter(|kind| !kind.is_trivia()).collect();
            if kinds.len() > item.tokens.len() {
                prop_assert_eq!(kinds.pop(), Some(TokenKind::Semicolon));
            }
            prop_assert_eq!(kinds, item.tokens.kinds().collect::<Vec<_>>());
            let between = &tokens[at as usize..item.first as usize];
            prop_assert!(between.iter().all(|token| token.kind.is_trivia() || token.kind == TokenKind::Semicolon));
            at = item.end;
        }
        let rest = &tokens[at as usize..];
        prop_assert!(rest.iter().all(|token| token.kind.is_trivia() || token.kind == TokenKind::Semicolon));
    }
}

#[test]
fn a_comment_that_goes_on_as_an_expression_was_meant_as_a_division() {
    let found = |text: &str| split(text, &lex(text)).errors;
    for text in [
        "let j = i // 4;",
        "let j = i // 4; let k = i % 4;",
        "let j = i // N;",
        "let j = (i + 1) // (N - 1);",
        "y[i // 4] = x[i];",
        "y[i // N] = x[i];",
        "f(i // 2, j)",
        "f(i // n)",
        "i //= 4;",
        "for k in 0..n // 4 {",
        "for k in 0..n // 4 step 2 {",
        "if i // 32 == 0 {",
        "const a = 64 // 4",
        "s : [64 // 4, 2]",
        "let j = i // min(4, n);",
    ] {
        let start = text.find("//").unwrap_or_default() as u32;
        let expected = FileError { kind: FileErrorKind::Division, range: start..text.len() as u32 };
        assert_eq!(found(text), [expected], "{text}");
    }
    for text in [
        "let j = i; // 4;",
        "// 4;",
        "let j = i +\n// 4;\n4;",
        "s : [64, 32] // rows and columns",
        "s : [64, 32] // rows",
        "s : [64, 32] // the rows; columns follow",
        "s : [64, 32] // rows, columns",
        "s : [64, 32] // (rows)",
        "x // 4 rows;",
        "x // see `f(x)`;",
        "x // it's 4;",
        "x /// 4;",
        "x //// 4;",
        "x //",
        "x // = 4;",
        "for i in 0..4 { } // 4;",
        "f(a, // 4)",
        "x // 3.5;",
        "f(a) // = 4",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}
