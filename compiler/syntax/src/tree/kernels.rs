//! Kernels, their statements, and runs.

use std::sync::Arc;

use super::{Argument, BinaryOp, Expr, ExprKind, Function, Name, StringLiteral, Suffix, SuffixKind};
use crate::span::Span;

/// A kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: Name,
    /// `[B = 64, T: f16 | f32 = f32]`
    pub generics: Vec<Generic>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The facts after `where`.
    pub facts: Vec<Expr>,
    /// `tune(B: [32, 64])`
    pub tune: Vec<Argument>,
    /// `cluster(…)`, `grid(…)`, `block(…)` in the order of the source.
    pub clauses: Vec<LaunchClause>,
    /// Its body.
    pub body: Block,
}

/// A generic parameter of a kernel, which is known when the kernel is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Generic {
    /// Its name.
    pub name: Name,
    /// What it stands for.
    pub kind: GenericKind,
    /// The span of the parameter.
    pub span: Span,
}

/// What a generic parameter stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum GenericKind {
    /// `B = 64`: an integer. A missing default was reported by the parser.
    Constant {
        /// The value where none is given.
        default: Option<Expr>,
    },
    /// `T: f16 | f32 = f32`: one of these element types.
    Element {
        /// The types that it can be.
        types: Vec<Name>,
        /// The type where none is given; the first one if it is missing.
        default: Option<Name>,
    },
}

/// A kernel's parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Whether it has `mut`.
    pub mutable: bool,
    /// The name of its element type.
    pub element: Name,
    /// The dimensions; `None` for a scalar.
    pub shape: Option<Vec<Expr>>,
    /// `strided […]`
    pub strides: Option<Vec<Expr>>,
    /// The span of the parameter.
    pub span: Span,
}

/// A launch clause.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchClause {
    /// Its kind.
    pub kind: LaunchClauseKind,
    /// Its arguments.
    pub args: Vec<Expr>,
    /// The span of the clause.
    pub span: Span,
}

/// The launch clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaunchClauseKind {
    /// `cluster(c)`
    Cluster,
    /// `grid(n…)`
    Grid,
    /// `block(b)`
    Block,
}

/// `{ … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statements. One with a syntax error is missing.
    pub statements: Vec<Statement>,
    /// The span including the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// The span of the statement.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `view v = t via m per block masked;` or `view px = partition(x, [64, 64]);`
    View {
        /// The declared name.
        name: Name,
        /// The tensor, view or other expression on which it is based.
        source: Expr,
        /// The map after `via`.
        via: Option<Expr>,
        /// The collective after `per`, whose index is the map's thread coordinate; threads by default.
        per: Option<Expr>,
        /// The span of `masked`.
        masked: Option<Span>,
    },
    /// `let x = e;`, `let mut x: f32 = e;`, `let t: f32[4, 4] = e;`
    Let {
        /// The declared name.
        name: Name,
        /// Whether it has `mut`.
        mutable: bool,
        /// The type after the colon.
        element: Option<Name>,
        /// The extents of a tile after the type.
        shape: Option<Vec<Expr>>,
        /// Its value.
        value: Expr,
    },
    /// `shared buf : f32[64, 64] |> xor;`
    Shared {
        /// The declared name.
        name: Name,
        /// The name of its element type.
        element: Name,
        /// Its dimensions.
        shape: Vec<Expr>,
        /// The transforms after each `|>`.
        layout: Vec<Expr>,
    },
    /// `const N = e`, `map m = e`: evaluated when the kernel is checked
    Define {
        /// What is defined.
        word: DefinitionWord,
        /// Its name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `fn f(x: f32) -> f32 { … }`
    Function(Arc<Function>),
    /// `assert e`
    Assert {
        /// The claim.
        value: Expr,
    },
    /// `for i in lo..hi step s { }`, `for (i, j) in grid(n, m) { }`
    For {
        /// The iterators.
        iterators: Vec<Name>,
        /// The domain of the loop.
        domain: Expr,
        /// The distance from one iteration to the next.
        step: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `while c max n { }`
    While {
        /// What holds as long as the loop goes on.
        condition: Expr,
        /// The most iterations; what checks the kernel reports where it is missing.
        most: Option<Expr>,
        /// The body.
        body: Block,
    },
    /// `break`, `continue`
    Leave(LeaveWord),
    /// `with threads(lo..hi, unit) { }`
    With {
        /// The threads that execute the body.
        domain: Expr,
        /// The body.
        body: Block,
    },
    /// `if a { } else if b { } else { }`
    If {
        /// Each condition with its block.
        arms: Vec<(Expr, Block)>,
        /// The block of the last `else`.
        otherwise: Option<Block>,
    },
    /// `a = e;`, `ys[i] += e;`, `async s[i] = x[j];`
    Assign {
        /// The variable or element.
        target: Expr,
        /// The operator before `=`, if any.
        op: Option<BinaryOp>,
        /// The value.
        value: Expr,
        /// The span of `async`.
        word: Option<Span>,
    },
    /// An expression as a statement, such as `py.store(…)`.
    Expr(Expr),
}

/// A `run` item.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The name of the kernel.
    pub kernel: Name,
    /// `[B: 64, T: f32]`: the values of the kernel's generic parameters.
    pub generics: Vec<Argument>,
    /// The initial values of the parameters, by name.
    pub args: Vec<Argument>,
    /// `with M = 1000, N = 700`
    pub with: Vec<(Name, Expr)>,
    /// `expect CONDITION within TOL`, each with a tolerance of its own.
    pub expect: Vec<Expectation>,
    /// `save y: "y.npy", z: "z.npy"`
    pub save: Vec<(Name, StringLiteral)>,
}

/// `expect CONDITION within TOL`
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// What has to hold.
    pub condition: Expr,
    /// How far numbers may differ.
    pub within: Option<Expr>,
}

impl Run {
    /// The conditions and tolerances of all expectations.
    pub fn expected(&self) -> impl Iterator<Item = &Expr> {
        self.expect.iter().flat_map(|expectation| std::iter::once(&expectation.condition).chain(&expectation.within))
    }
}

/// A word that is called for the domain of a loop or of a `with`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainWord {
    /// `for i in grid(n)`: the blocks of the grid.
    Grid,
    /// `for w in threads(8, cuda_warp)`: thread collectives.
    Threads,
}

impl DomainWord {
    /// Every word.
    pub const ALL: [Self; 2] = [Self::Grid, Self::Threads];

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Threads => "threads",
        }
    }

    /// The word that is written so.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.text() == text)
    }
}

impl Expr {
    /// The word and the arguments of a domain that is a call, `grid(n, m)` or `threads(8, cuda_warp)`; `None` of other
    /// domains, such as ranges.
    pub fn domain_call(&self) -> Option<(DomainWord, &[Argument])> {
        let ExprKind::Postfix { base, suffixes } = &self.kind else { return None };
        let (ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(arguments), .. }]) =
            (&base.kind, suffixes.as_slice())
        else {
            return None;
        };
        Some((DomainWord::from_text(name)?, arguments))
    }
}

/// What leaves the current iteration of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveWord {
    /// `break`: no other iteration follows.
    Break,
    /// `continue`: the next iteration follows.
    Continue,
}

impl LeaveWord {
    /// Its text.
    pub fn text(self) -> &'static str {
        match self {
            Self::Break => "break",
            Self::Continue => "continue",
        }
    }
}

/// The word of a definition in a kernel's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionWord {
    /// `const`
    Const,
    /// `map`
    Map,
}

impl DefinitionWord {
    /// Its text.
    pub fn text(self) -> &'static str {
        match self {
            Self::Const => "const",
            Self::Map => "map",
        }
    }
}
