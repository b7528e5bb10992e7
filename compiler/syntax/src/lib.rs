//! Text to tree: lexer, item splitter, grammar, tree, formatter.

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
