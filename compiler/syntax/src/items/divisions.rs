//! Comments that were meant as divisions: `i // 4` of Python, of which nothing is read from `//` on.
//!
//! Text behind `//` is code rather than prose where it goes on as an expression does, up to a mark that ends a part of a
//! program: `4;`, `4] = x[i];`, `N) {`. In prose, words stand beside each other.

use super::super::brackets::Brackets;
use super::super::lexer::lex_part;
use super::super::token::TokenKind;

/// The most tokens of a comment that are looked at.
const MOST_READ: usize = 64;

/// Whether the comment that follows a token on its line was meant as a division.
pub(super) fn is_division(before: TokenKind, comment: &str) -> bool {
    if !before.ends_operand() || before == TokenKind::CloseBrace {
        return false;
    }
    let Some(text) = comment.strip_prefix("//") else { return false };
    // One token more says whether there are no others.
    let mut tokens = lex_part(text).into_iter().map(|token| token.kind).filter(|kind| !kind.is_trivia());
    let mut read: Vec<TokenKind> = tokens.by_ref().take(MOST_READ).collect();
    let whole = tokens.next().is_none();
    // `i //= 4;`
    if text.starts_with('=') {
        read.remove(0);
    }
    let Some(&first) = read.first().filter(|first| starts_divisor(**first)) else { return false };
    // A name alone, or one before a `;` or a comma, may be a remark; a number is none.
    let is_number = first == TokenKind::Integer;
    let mut brackets = Brackets::default();
    for (place, &kind) in read.iter().enumerate() {
        let next = read.get(place + 1);
        match kind {
            TokenKind::Semicolon if brackets.depth() == 0 => return is_number || next.is_none(),
            TokenKind::OpenBrace if brackets.depth() == 0 => return true,
            TokenKind::Comma if brackets.depth() == 0 => return is_number,
            kind if kind.is_closing() => match brackets.closed_by(kind) {
                Some(closed) => {
                    for _ in 0..closed {
                        brackets.close();
                    }
                }
                None => return true,
            },
            kind if kind.is_opening() => brackets.open(kind, 0),
            TokenKind::Unknown => return false,
            _ => {}
        }
        if next.is_some_and(|next| kind.ends_operand() && starts_divisor(*next) && !are_neighbours(kind, *next)) {
            return false;
        }
    }
    whole && is_number && read.len() == 1
}

/// Whether an operand of a division may start with a token.
fn starts_divisor(kind: TokenKind) -> bool {
    kind.is_word() || matches!(kind, TokenKind::Integer | TokenKind::OpenParen)
}

/// Whether two tokens may stand beside each other in a program: a name and its arguments, or the step of a loop.
fn are_neighbours(before: TokenKind, next: TokenKind) -> bool {
    before.is_word() && next == TokenKind::OpenParen || [before, next].contains(&TokenKind::Step)
}
