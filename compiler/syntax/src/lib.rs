//! Text to trees and back: lexer, items, grammar, trees, positions, formatter.
//!
//! A [`lexer`] cuts a text into tokens, [`items`] cuts the tokens into items, and [`grammar`] makes a [`tree`] of each
//! item and all its syntax errors. A [`span::Span`] counts an item's significant tokens, so nothing that is computed from
//! a tree changes when the item moves.
//!
//! It uses no other crate of the compiler, and knows neither names nor values. Begin at [`grammar::parse_item`].

mod brackets;
pub mod error;
mod expected;
#[cfg(test)]
mod fixtures;
pub mod foreign;
pub mod format;
pub mod grammar;
mod head;
mod inside;
pub mod items;
pub mod layout;
pub mod lexer;
mod offsets;
#[cfg(test)]
mod outline;
pub mod positions;
pub mod span;
pub mod token;
pub mod tree;
pub mod wanted;
