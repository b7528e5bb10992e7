//! Parses an item's tokens to a tree.
//!
//! First the brackets are paired, then a chumsky parser for each kind of item reads the tokens. Parsing always
//! succeeds: invalid parts are reported and left out of the tree, as small as possible.

mod chains;
mod enclosed;
mod expressions;
mod from_c;
mod functions;
mod input;
mod items;
mod kept;
mod kernels;
mod launches;
mod literals;
mod parts;
mod prepare;
mod reshape_map;
mod runs;
mod simple_statements;
mod statements;

use chumsky::Parser;
use chumsky::extra::SimpleState;
use smol_str::SmolStr;

pub use self::from_c::joined;
use self::input::{Failure, Terminals};
use self::items::Grammar;
pub use self::kept::KeptTree;
use self::prepare::prepare;
use super::error::{Found, SyntaxError, SyntaxErrorKind};
use super::items::ItemTokens;
use super::token::TokenKind;
use super::tree::Item;
use super::wanted::Wanted;

/// The tree of an item, with its syntax errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Parse {
    /// The tree, in which invalid parts are marked. `None` only if nothing of the item is left.
    pub item: Option<Item>,
    /// The errors, in the order of the source.
    pub errors: Vec<SyntaxError>,
}

/// Whether a token can be between two operands.
pub(super) fn is_binary_operator(kind: TokenKind) -> bool {
    chains::operator_of(kind).is_some()
}

/// The most errors that are kept for one item.
const MOST_ERRORS: usize = 100;

thread_local! {
    // Building the parsers takes longer than parsing an item, and threads cannot share them.
    static GRAMMAR: Grammar = Grammar::new();
}

/// Parses an item.
pub fn parse_item(tokens: &ItemTokens) -> Parse {
    parse_while(tokens, Wanted::default())
}

/// Parses an item while the tree is wanted; afterwards the result has no meaning.
fn parse_while(tokens: &ItemTokens, wanted: Wanted) -> Parse {
    let prepared = prepare(tokens);
    let folded = prepared.terminals.iter().filter(|terminal| terminal.kind == TokenKind::Folded);
    let left_out: Vec<u32> = folded.map(|terminal| terminal.span.end).chain(prepared.left_out).collect();
    let (item, failures) = if prepared.terminals.is_empty() {
        (None, Vec::new())
    } else {
        let input = Terminals { all: prepared.terminals.into(), wanted };
        let mut state = SimpleState(tokens.clone());
        GRAMMAR.with(|grammar| grammar.parser(prepared.head).parse_with_state(input, &mut state).into_output_errors())
    };
    let from_brackets = prepared.errors.into_iter().map(|(kind, span)| Failure::new(kind, span));
    Parse { item, errors: errors(tokens, from_brackets.chain(failures).collect(), left_out) }
}

/// The errors in the order of the source, one for each place, since later ones at the same place follow from the first.
/// `left_out` has the ends of parts that the grammar did not see.
fn errors(tokens: &ItemTokens, mut failures: Vec<Failure>, mut left_out: Vec<u32>) -> Vec<SyntaxError> {
    failures.sort_by_key(|failure| failure.span.start);
    failures.dedup_by_key(|failure| failure.span.start);
    // An unexpected token after an unknown character, or after a part that is nested too deeply, follows from leaving
    // that out.
    let unknown = failures.iter().filter(|failure| failure.kind == SyntaxErrorKind::UnknownCharacter);
    left_out.extend(unknown.map(|failure| failure.span.end));
    left_out.sort_unstable();
    failures.retain(|failure| {
        failure.kind != SyntaxErrorKind::Unexpected || left_out.binary_search(&failure.span.start).is_err()
    });
    failures.truncate(MOST_ERRORS);
    failures.into_iter().map(|failure| error(tokens, failure)).collect()
}

fn error(tokens: &ItemTokens, failure: Failure) -> SyntaxError {
    let start = failure.span.start as usize;
    let end = (failure.span.end as usize).clamp(start + 1, start + 8);
    let found = tokens
        .kind(start)
        .map(|kind| Found { kind, text: (start..end).map(|at| tokens.text(at)).collect::<SmolStr>() });
    SyntaxError { kind: failure.kind, span: failure.span, expected: failure.expected.into_iter().collect(), found }
}

#[cfg(test)]
mod tests;
