use proptest::prelude::*;

use std::string::String as Text;

use super::*;
use TokenKind::*;

/// The significant tokens of a source.
fn significant(source: &str) -> Vec<(TokenKind, &str)> {
    let tokens = lex(source);
    tokens.iter().filter(|token| !token.kind.is_trivia()).map(|token| (token.kind, token.text(source))).collect()
}

fn kinds(source: &str) -> Vec<TokenKind> {
    significant(source).into_iter().map(|(kind, _)| kind).collect()
}

fn assert_lossless(source: &str) {
    let tokens = lex(source);
    let mut at = 0;
    for token in &tokens {
        assert_eq!(token.start, at, "a gap in {source:?}");
        assert!(token.end > token.start, "an empty token in {source:?}");
        at = token.end;
    }
    assert_eq!(at as usize, source.len());
    let text: Text = tokens.iter().map(|token| token.text(source)).collect();
    assert_eq!(text, source);
}

#[test]
fn hyphens_between_a_name_character_and_a_letter_continue_the_name() {
    assert_eq!(significant("new-shape0"), [(Name, "new-shape0")]);
    assert_eq!(significant("M-N"), [(Name, "M-N")]);
    assert_eq!(significant("a-b-c"), [(Name, "a-b-c")]);
    assert_eq!(kinds("a-1"), [Name, Minus, Integer]);
    assert_eq!(kinds("a - b"), [Name, Minus, Name]);
    assert_eq!(kinds("a- b"), [Name, Minus, Name]);
    assert_eq!(kinds("a -b"), [Name, Minus, Name]);
    assert_eq!(kinds("a--b"), [Name, Minus, Minus, Name]);
    assert_eq!(kinds("a-_b"), [Name, Minus, Name]);
    assert_eq!(kinds("2-x"), [Integer, Minus, Name]);
    assert_eq!(kinds("for-each"), [Name], "a hyphenated word is never a word of the language");
    assert_eq!(significant("_-a"), [(Name, "_-a")]);
    assert_eq!(kinds("-t0"), [Minus, Name]);
}

#[test]
fn numbers() {
    assert_eq!(
        significant("64 1_000 4_ic 0x1F"),
        [(Integer, "64"), (Integer, "1_000"), (Integer, "4_ic"), (Integer, "0x1F"),]
    );
    assert_eq!(
        significant("2.0 1e-5 1.5E+3 1e9"),
        [(Float, "2.0"), (Float, "1e-5"), (Float, "1.5E+3"), (Float, "1e9"),]
    );
    assert_eq!(kinds("0..3"), [Integer, DotDot, Integer]);
    assert_eq!(kinds("1."), [Integer, Dot]);
    assert_eq!(kinds("1.x"), [Integer, Dot, Name]);
    assert_eq!(kinds("1e-x"), [Integer, Minus, Name]);
    assert_eq!(significant("12ab"), [(Integer, "12ab")]);
    assert_eq!(significant("2.0f"), [(Float, "2.0f")]);
}

#[test]
fn strings_end_at_their_line() {
    assert_eq!(significant(r#""x.npy""#), [(String, r#""x.npy""#)]);
    assert_eq!(significant(r#""a\"b""#), [(String, r#""a\"b""#)]);
    assert_eq!(significant("\"abc\nd"), [(UnterminatedString, "\"abc"), (Name, "d")]);
    assert_eq!(significant("\"abc\\\nd"), [(UnterminatedString, "\"abc\\"), (Name, "d")]);
    assert_eq!(significant("\""), [(UnterminatedString, "\"")]);
    assert_eq!(significant("\"\\"), [(UnterminatedString, "\"\\")]);
}

#[test]
fn comments() {
    let of = |source: &str| lex(source).iter().map(|token| token.kind).collect::<Vec<_>>();
    assert_eq!(of("// a"), [LineComment]);
    assert_eq!(of("/// a"), [DocComment]);
    assert_eq!(of("//// a"), [LineComment]);
    assert_eq!(of("///"), [DocComment]);
    assert_eq!(of("/* a /* b */c"), [BlockComment, Name]);
    assert_eq!(of("/**/"), [BlockComment]);
    assert_eq!(of("/*/"), [UnterminatedComment]);
    assert_eq!(of("a /* b\nc"), [Name, Whitespace, UnterminatedComment]);
}

#[test]
fn lines_and_marks() {
    let of = |source: &str| lex(source).iter().map(|token| token.kind).collect::<Vec<_>>();
    assert_eq!(of("a\r\nb\rc\n"), [Name, Newline, Name, Newline, Name, Newline]);
    assert_eq!(of("\u{feff}a\u{feff}"), [ByteOrderMark, Name, Unknown]);
    assert_eq!(of("a\0b"), [Name, Unknown, Name]);
    assert_eq!(of("é×"), [Unknown, Unknown]);
    assert_eq!(of("\u{a0}"), [Unknown]);
}

#[test]
fn every_fixed_text_lexes_to_its_kind() {
    for &(word, kind) in TokenKind::WORDS {
        assert_eq!(kinds(word), [kind]);
        assert!(kind.is_word());
    }
    for mark in [
        "(", ")", "[", "]", "{", "}", "<", ">", ",", ";", ":", "::", ".", "..", "|", "|>", "||", "&&", "==", "!=",
        "<=", ">=", "=", "=>", "+", "-", "*", "/", "%", "#", "!", "?", "_", "+=", "-=", "*=", "/=", "%=",
    ] {
        let found = kinds(mark);
        assert_eq!(found.len(), 1, "{mark}");
        assert_eq!(found[0].fixed_text(), Some(mark));
    }
}

#[test]
fn long_sources_lex_in_linear_time() {
    for part in ["1+", "[", "\"", "/*", "a-", "\u{1F600}", "// x\n"] {
        let source = part.repeat(2_000_000 / part.len());
        assert_lossless(&source);
    }
}

proptest! {
    #![proptest_config(seeds::config(256))]

    #[test]
    fn any_text_is_covered(source in any::<std::string::String>()) {
        assert_lossless(&source);
    }

    #[test]
    fn any_soup_is_covered(source in "[-a-z0-9_.|<>=+*/%#!?:;,(){}\\[\\]\"\\\\ \t\r\n&\u{e9}\u{feff}]{0,60}") {
        assert_lossless(&source);
    }
}
