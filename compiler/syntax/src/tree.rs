//! The syntax tree of one item.
//!
//! Chains of operators, suffixes and prefixes are flat lists, so the depth of a tree is bounded by the nesting of its
//! brackets (which the parser limits), not by the length of the source. A part with a syntax error is
//! [`ExprKind::Error`] or a missing option; the parser has reported it, and later stages report nothing about it.

mod expressions;
mod functions;
mod kernels;
mod parts;

use std::sync::Arc;

use smol_str::SmolStr;

pub use expressions::*;
pub use functions::*;
pub use kernels::*;
pub use parts::*;

use super::span::Span;

/// A word with its span; an empty text if it is missing, which the parser has reported.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The word as written. A hyphenated word is one name here (`new-shape0`).
    pub text: SmolStr,
    /// The span of the word.
    pub span: Span,
}

/// One item of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its kind.
    pub kind: ItemKind,
    /// All of its tokens.
    pub span: Span,
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `use "other.shape";`
    Use {
        /// The path with its escapes resolved, and the span of the literal.
        path: StringLiteral,
    },
    /// `mdspan<1> s1 : [3];`, `mdspan s0 : [7, 8];` or `s3 : [7, 8, 9]`
    Shape {
        /// The declared name.
        name: Name,
        /// The explicit rank between `<` and `>`.
        rank: Option<Expr>,
        /// The dimensions.
        value: Expr,
    },
    /// `dim M, N where M % 64 == 0, N <= 65536;`
    Dim {
        /// The declared symbols.
        names: Vec<Name>,
        /// The facts after `where`.
        facts: Vec<Expr>,
    },
    /// `const B = 64;`
    Const {
        /// The declared name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `map m = …;`
    Map {
        /// The declared name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `unit pair = (blockDim; 2);`
    Unit {
        /// The declared name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `tiling work = cluster(1) block(384) |> …;`
    Tiling {
        /// The declared name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `kernel scale(…) grid(1) block(4) { … }`
    Kernel(Arc<Kernel>),
    /// `fn silu(x: f32) -> f32 { x / (1.0 + exp(-x)) }`
    Function(Arc<Function>),
    /// `run scale(a: 2.0, …) with … expect … within … save …;`
    Run(Box<Run>),
    /// `assert E;`
    Assert {
        /// The condition.
        value: Expr,
    },
    /// `show E;`
    Show {
        /// The expression to show.
        value: Expr,
    },
    /// An expression as an item, which is evaluated and shown.
    Expr(Expr),
}

/// A string literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StringLiteral {
    /// Its value, with escapes resolved.
    pub text: SmolStr,
    /// Its span.
    pub span: Span,
}
