//! Syntax: lexer, items, grammar, trees, positions, formatter.
//!
//! A [`lexer`] splits a text into tokens, [`items`] splits the tokens into items, and [`grammar`] parses each item to a
//! [`tree`] and reports its syntax errors. A [`span::Span`] counts an item's significant tokens, so results that are
//! computed from a tree do not change when the item moves.
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
mod phrases;
pub mod positions;
pub mod span;
pub mod token;
pub mod tree;
pub mod wanted;
