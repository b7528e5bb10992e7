//! Text to tree: lexer, item splitter, grammar, tree, formatter.

mod brackets;
mod head;
pub mod items;
pub mod lexer;
pub mod span;
pub mod token;
pub mod tree;
