//! Splits text into tokens, without loss.
//!
//! Every byte of the source belongs to exactly one token, so the concatenated texts of the tokens are the source. The
//! lexer never fails: invalid text becomes tokens of an error kind, which later stages report.
//!
//! A hyphen directly between a name character and a letter continues a name (`new-shape0`), so `M-N` is one token here;
//! name resolution decides whether it is a name or a subtraction.

use super::token::TokenKind;

/// A token: its kind and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RawToken {
    /// Its kind.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: u32,
    /// The end of its bytes, exclusive.
    pub end: u32,
}

impl RawToken {
    /// Its text in the source; empty for another source that is too short.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// Letters and the underscore: what a name starts with.
const LETTER: u8 = 1;
/// Decimal digits.
const DIGIT: u8 = 2;
/// Bytes of a multi-byte character that are not its first.
const CONTINUATION: u8 = 4;
/// White space inside a line.
const BLANK: u8 = 8;
/// The underscore, besides being a letter.
const UNDERSCORE: u8 = 16;

/// The classes of each byte.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'_' => LETTER | UNDERSCORE,
            b'0'..=b'9' => DIGIT,
            b' ' | b'\t' | 0x0b | 0x0c => BLANK,
            0x80..=0xbf => CONTINUATION,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Splits a source into tokens that cover it without gaps.
///
/// Offsets have 32 bits; text beyond 4 GiB is ignored, so callers refuse such files.
pub fn lex(source: &str) -> Vec<RawToken> {
    if !source.starts_with('\u{feff}') {
        return lex_from(source, 0, Vec::new());
    }
    lex_from(source, 3, vec![RawToken { kind: TokenKind::ByteOrderMark, start: 0, end: 3 }])
}

/// The same for a part of a source that does not begin it, where a byte order mark is an unknown character.
pub fn lex_part(part: &str) -> Vec<RawToken> {
    lex_from(part, 0, Vec::new())
}

fn lex_from(source: &str, mut at: usize, mut tokens: Vec<RawToken>) -> Vec<RawToken> {
    let bytes = source.as_bytes();
    tokens.reserve(bytes.len().min(u32::MAX as usize) / 3 + 1);
    let limit = bytes.len().min(u32::MAX as usize);
    while at < limit {
        let (kind, end) = next(bytes, at);
        tokens.push(RawToken { kind, start: at as u32, end: end.min(limit) as u32 });
        at = end;
    }
    tokens
}

/// The kind of the token that starts at `at`, and its end.
#[inline]
fn next(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    let first = bytes[at];
    let class = CLASSES[first as usize];
    if class & LETTER != 0 {
        return name(bytes, at);
    }
    if class & BLANK != 0 {
        return (TokenKind::Whitespace, run(bytes, at + 1, BLANK));
    }
    if class & DIGIT != 0 {
        return number(bytes, at);
    }
    punctuation(bytes, at)
}

/// The end of the run of bytes of a class from `at` on.
#[inline]
fn run(bytes: &[u8], mut at: usize, class: u8) -> usize {
    while at < bytes.len() && CLASSES[bytes[at] as usize] & class != 0 {
        at += 1;
    }
    at
}

#[inline]
fn name(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    let mut end = run(bytes, at + 1, LETTER | DIGIT);
    if end == at + 1 && bytes[at] == b'_' && !continues_name(bytes, end) {
        return (TokenKind::Underscore, end);
    }
    let mut hyphenated = false;
    while continues_name(bytes, end) {
        end = run(bytes, end + 1, LETTER | DIGIT);
        hyphenated = true;
    }
    if hyphenated {
        return (TokenKind::Name, end);
    }
    (TokenKind::of_name(&bytes[at..end]), end)
}

/// Whether a hyphen and a letter follow the name that ends before `end`.
#[inline]
fn continues_name(bytes: &[u8], end: usize) -> bool {
    bytes.get(end) == Some(&b'-') && bytes.get(end + 1).is_some_and(|byte| byte.is_ascii_alphabetic())
}

/// A number with all adjacent letters; the grammar reports errors such as `12ab`.
fn number(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    let mut kind = TokenKind::Integer;
    let mut end = at + 1;
    if bytes[at] == b'0' && matches!(bytes.get(end), Some(b'x' | b'X')) {
        return (kind, run(bytes, end + 1, LETTER | DIGIT));
    }
    end = run(bytes, end, DIGIT | UNDERSCORE);
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        kind = TokenKind::Float;
        end = run(bytes, end + 1, DIGIT | UNDERSCORE);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            kind = TokenKind::Float;
            end = run(bytes, end + 1 + sign, DIGIT | UNDERSCORE);
        }
    }
    (kind, run(bytes, end, LETTER | DIGIT))
}

/// Any token that does not start with a letter, a digit or a blank.
fn punctuation(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    use TokenKind::*;
    let [second, third] = [1, 2].map(|distance| bytes.get(at + distance).copied().unwrap_or(0));
    let (kind, length) = match (bytes[at], second) {
        (b'\n', _) => (Newline, 1),
        (b'\r', b'\n') => (Newline, 2),
        (b'\r', _) => (Newline, 1),
        (b'/', b'/') => return line_comment(bytes, at),
        (b'/', b'*') => return block_comment(bytes, at),
        (b'"', _) => return string(bytes, at),
        (b'(', _) => (OpenParen, 1),
        (b')', _) => (CloseParen, 1),
        (b'[', _) => (OpenBracket, 1),
        (b']', _) => (CloseBracket, 1),
        (b'{', _) => (OpenBrace, 1),
        (b'}', _) => (CloseBrace, 1),
        (b',', _) => (Comma, 1),
        (b';', _) => (Semicolon, 1),
        (b':', b':') => (PathSeparator, 2),
        (b':', _) => (Colon, 1),
        (b'.', b'.') => (DotDot, 2),
        (b'.', _) => (Dot, 1),
        (b'|', b'>') => (Pipe, 2),
        (b'|', b'|') => (OrOr, 2),
        // `|s|==3` compares a size.
        (b'|', b'=') if !matches!(third, b'=' | b'>') => (BarEqual, 2),
        (b'|', _) => (Bar, 1),
        (b'&', b'&') => (AndAnd, 2),
        (b'&', b'=') => (AmpersandEqual, 2),
        (b'&', _) => (Ampersand, 1),
        (b'^', b'=') => (CaretEqual, 2),
        (b'^', _) => (Caret, 1),
        (b'~', _) => (Tilde, 1),
        (b'=', b'=') => (EqualEqual, 2),
        (b'=', b'>') => (FatArrow, 2),
        (b'-', b'>') => (Arrow, 2),
        (b'=', _) => (Equal, 1),
        (b'!', b'=') => (NotEqual, 2),
        (b'!', _) => (Bang, 1),
        (b'<', b'<') if third == b'=' => (ShiftLeftEqual, 3),
        (b'<', b'<') => (ShiftLeft, 2),
        (b'<', b'=') => (LessEqual, 2),
        (b'<', _) => (Less, 1),
        (b'>', b'>') if third == b'=' => (ShiftRightEqual, 3),
        (b'>', b'>') => (ShiftRight, 2),
        (b'>', b'=') => (GreaterEqual, 2),
        (b'>', _) => (Greater, 1),
        (b'+', b'=') => (PlusEqual, 2),
        (b'+', _) => (Plus, 1),
        (b'-', b'=') => (MinusEqual, 2),
        (b'-', _) => (Minus, 1),
        (b'*', b'=') => (StarEqual, 2),
        (b'*', _) => (Star, 1),
        (b'/', b'=') => (SlashEqual, 2),
        (b'/', _) => (Slash, 1),
        (b'%', b'=') => (PercentEqual, 2),
        (b'%', _) => (Percent, 1),
        (b'#', _) => (Hash, 1),
        (b'?', _) => (Question, 1),
        // A token has whole characters, never a part of one.
        _ => return (Unknown, run(bytes, at + 1, CONTINUATION)),
    };
    (kind, at + length)
}

/// The end of the line that contains `at`, before its newline.
fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte == b'\n' || byte == b'\r').map_or(bytes.len(), |length| at + length)
}

fn line_comment(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    let documents = bytes.get(at + 2) == Some(&b'/') && bytes.get(at + 3) != Some(&b'/');
    let kind = if documents { TokenKind::DocComment } else { TokenKind::LineComment };
    (kind, end_of_line(bytes, at))
}

fn block_comment(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    let inside = &bytes[at + 2..];
    match inside.windows(2).position(|pair| pair == b"*/") {
        Some(length) => (TokenKind::BlockComment, at + 2 + length + 2),
        None => (TokenKind::UnterminatedComment, bytes.len()),
    }
}

fn string(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    let mut end = at + 1;
    loop {
        match bytes.get(end) {
            None | Some(b'\n' | b'\r') => return (TokenKind::UnterminatedString, end),
            Some(b'"') => return (TokenKind::String, end + 1),
            // A backslash escapes the next character, but never the end of the line.
            Some(b'\\') if !matches!(bytes.get(end + 1), None | Some(b'\n' | b'\r')) => end += 2,
            Some(_) => end += 1,
        }
    }
}

#[cfg(test)]
mod tests;
