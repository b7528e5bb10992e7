//! How a store that may meet others is written as an atomic access.

use smol_str::SmolStr;

use crate::diagnostics::Atomically;
use syntax::items::ItemTokens;
use syntax::span::Span;
use syntax::token::TokenKind;

/// The most tokens of a value that is moved into an atomic access.
const MOST_TOKENS: usize = 64;

/// The store to the element at `access`, as an atomic access; nothing where no such access means the same.
pub(super) fn atomically(tokens: &ItemTokens, access: Span) -> Option<Atomically> {
    let (start, operator) = (access.start as usize, access.end as usize);
    let name = match tokens.kind(operator)? {
        TokenKind::PlusEqual => "atomic_add",
        TokenKind::Equal => "atomic_store",
        _ => return None,
    };
    let end = end_of_value(tokens, operator + 1)?;
    let last = operator.checked_sub(1).filter(|last| *last > start)?;
    let edits = vec![
        (span(start, start + 1), SmolStr::from(format!("{name}({}", tokens.text(start)))),
        (span(last, operator + 1), SmolStr::from(format!("{},", tokens.text(last)))),
        (span(end, end + 1), SmolStr::new_static(");")),
    ];
    Some(Atomically { name, edits })
}

/// The semicolon behind a value.
fn end_of_value(tokens: &ItemTokens, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in from..from + MOST_TOKENS {
        match tokens.kind(at)? {
            TokenKind::Semicolon if depth == 0 => return Some(at),
            kind if kind.is_opening() => depth += 1,
            kind if kind.is_closing() => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}
