//! Finds loops of C before brackets are paired, since the `;` in `for (int i = 0; i < n; i++)` would end the
//! parentheses.

use smol_str::SmolStr;

use crate::items::ItemTokens;
use crate::token::TokenKind;

/// Whether `++` or `--` ends a statement at a token.
pub(super) fn is_step(tokens: &ItemTokens, at: usize) -> bool {
    use TokenKind::{CloseBrace, Minus, Plus, Semicolon};
    let signs = [at, at + 1].map(|at| tokens.kind(at));
    let doubled = matches!(signs, [Some(Plus), Some(Plus)] | [Some(Minus), Some(Minus)]);
    doubled && matches!(tokens.kind(at + 2), Some(Semicolon | CloseBrace))
}

/// The header of a `for` with three parts, with or without parentheses.
pub(super) struct ThreePartLoop {
    /// The index of the variable's token.
    pub(super) variable: usize,
    /// The end of the header, exclusive.
    pub(super) end: usize,
    /// The header of the loop in the language, if it counts up: `i in 0..n`.
    pub(super) header: Option<SmolStr>,
}

/// The header after the `for` at a token.
///
/// The search ends at the next `for`, so all searches together take linear time.
pub(super) fn three_part_loop(tokens: &ItemTokens, at: usize) -> Option<ThreePartLoop> {
    let parenthesized = tokens.kind(at + 1) == Some(TokenKind::OpenParen);
    let start = at + 1 + usize::from(parenthesized);
    let (semicolons, last) = parts(tokens, start, parenthesized)?;
    let assigned = (start..semicolons[0]).find(|at| tokens.kind(*at) == Some(TokenKind::Equal))?;
    let variable = assigned.checked_sub(1).filter(|at| *at >= start && is_word(tokens, *at))?;
    let parts = Parts { tokens, variable, assigned, semicolons, last };
    Some(ThreePartLoop { variable, end: last + usize::from(parenthesized), header: parts.header() })
}

/// The most tokens between a `for` and its step.
const MOST_TOKENS: usize = 64;

/// Whether a token stands behind the range of a loop, in its header: `for i in 0..n by 2 {`.
pub(super) fn is_in_header(tokens: &ItemTokens, at: usize) -> bool {
    use TokenKind::{CloseBrace, DotDot, For, In, OpenBrace, Semicolon};
    let kind = |at: usize| tokens.kind(at);
    let Some(start) = (at.saturating_sub(MOST_TOKENS)..at).rev().find(|at| kind(*at) == Some(For)) else {
        return false;
    };
    let ends = |at: &usize| matches!(kind(*at), None | Some(OpenBrace | Semicolon));
    let end = (at..at + MOST_TOKENS).find(ends).filter(|end| kind(*end) == Some(OpenBrace));
    let in_one = |end: usize| !(start..end).any(|at| matches!(kind(at), Some(Semicolon | CloseBrace)));
    kind(start + 2) == Some(In) && (start + 3..at).any(|at| kind(at) == Some(DotDot)) && end.is_some_and(in_one)
}

/// The two `;` of a header, and the end of its last part: the `)`, or the `{` of the body.
fn parts(tokens: &ItemTokens, start: usize, parenthesized: bool) -> Option<([usize; 2], usize)> {
    use TokenKind::*;
    let (mut semicolons, mut depth) = (Vec::new(), 0_usize);
    for at in start..tokens.len() {
        match tokens.kind(at)? {
            CloseParen if depth == 0 && parenthesized => return Some((semicolons.try_into().ok()?, at)),
            OpenBrace if depth == 0 && !parenthesized => return Some((semicolons.try_into().ok()?, at)),
            Semicolon if depth == 0 => semicolons.push(at),
            OpenBrace | CloseBrace | For | If => return None,
            kind if kind.is_opening() => depth += 1,
            kind if kind.is_closing() => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn is_word(tokens: &ItemTokens, at: usize) -> bool {
    tokens.kind(at).is_some_and(TokenKind::is_word)
}

struct Parts<'item> {
    tokens: &'item ItemTokens,
    variable: usize,
    assigned: usize,
    semicolons: [usize; 2],
    last: usize,
}

impl Parts<'_> {
    /// `i in 0..n` for `i = 0; i < n; i++`.
    fn header(&self) -> Option<SmolStr> {
        let [first, second] = self.semicolons;
        let (name, compared) = (self.tokens.text(self.variable), first + 1);
        if first + 3 >= second || self.tokens.text(compared) != name {
            return None;
        }
        let step = self.step(second + 1)?;
        let low = self.text(self.assigned + 1, first)?;
        let high = self.text(compared + 2, second)?;
        let range = match self.tokens.kind(compared + 1)? {
            TokenKind::Less | TokenKind::NotEqual => format!("{low}..{high}"),
            TokenKind::LessEqual => format!("{low}..{high} + 1"),
            _ => return None,
        };
        match step.as_str() {
            "1" => Some(format!("{name} in {range}").into()),
            _ => Some(format!("{name} in {range} step {step}").into()),
        }
    }

    /// The distance between two iterations of `i++`, `++i` or `i += 2`.
    fn step(&self, start: usize) -> Option<String> {
        let step: String = (start..self.last).map(|at| self.tokens.text(at)).collect();
        let name = self.tokens.text(self.variable);
        if step.strip_prefix("++") == Some(name) || step.strip_prefix(name) == Some("++") {
            return Some("1".to_owned());
        }
        let is_sum = self.tokens.text(start) == name && self.tokens.kind(start + 1) == Some(TokenKind::PlusEqual);
        if is_sum { self.text(start + 2, self.last) } else { None }
    }

    /// The text of a bound; `None` if it contains an operator that binds no more tightly than `..`.
    fn text(&self, start: usize, end: usize) -> Option<String> {
        let mut depth = 0_usize;
        for kind in (start..end).map(|at| self.tokens.kind(at)) {
            match kind? {
                kind if kind.is_opening() => depth += 1,
                kind if kind.is_closing() => depth = depth.checked_sub(1)?,
                kind if depth == 0 && binds_loosely(kind) => return None,
                _ => {}
            }
        }
        joined(self.tokens, start, end).filter(|text| !text.is_empty())
    }
}

/// Tokens with the usual spaces between them; none for the first token of an item.
pub fn joined(tokens: &ItemTokens, start: usize, end: usize) -> Option<String> {
    let mut text = String::new();
    for at in start..end {
        let (kind, previous) = (tokens.kind(at)?, tokens.kind(at.checked_sub(1)?)?);
        let call = kind.is_opening() && previous.ends_operand();
        let before = at.checked_sub(2).and_then(|before| tokens.kind(before));
        let signed = matches!(previous, TokenKind::Minus | TokenKind::Bang)
            && (at < start + 2 || !before.is_some_and(TokenKind::ends_operand));
        let tight = call
            || signed
            || kind.is_closing()
            || matches!(kind, TokenKind::Dot | TokenKind::Comma | TokenKind::Colon | TokenKind::Semicolon);
        if at > start && !tight && previous != TokenKind::Dot && !previous.is_opening() {
            text.push(' ');
        }
        text.push_str(tokens.text(at));
    }
    Some(text)
}

fn binds_loosely(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        EqualEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual | AndAnd | OrOr | DotDot | Equal | Comma
    )
}
