//! Text to tree: lexer, item splitter, grammar, tree, formatter.

pub mod span;
pub mod tree;
