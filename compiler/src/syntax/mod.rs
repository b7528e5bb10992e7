//! Text to tree: lexer, item splitter, grammar, tree, formatter.

mod brackets;
pub mod error;
pub mod grammar;
mod head;
pub mod items;
pub mod lexer;
pub mod span;
pub mod token;
pub mod tree;
