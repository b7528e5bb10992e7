//! What a name in a kernel is, for whoever finds it where an expression is evaluated before the kernel runs.

use std::fmt;

use syntax::span::Span;
use syntax::tree::{Block, Declared, ExprKind, Kernel, Statement, StatementKind};

/// The kind of a name in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KernelName {
    Scalar,
    Tensor,
    Value,
    Variable,
    Iterator,
    View,
    Shared,
    /// What could not be parsed, which has been reported.
    Broken,
}

impl KernelName {
    fn of(declared: Declared) -> Self {
        match declared {
            Declared::View => Self::View,
            Declared::Constant | Declared::Defined | Declared::Function => Self::Value,
            Declared::Variable => Self::Variable,
            Declared::Shared => Self::Shared,
            Declared::Iterator => Self::Iterator,
        }
    }
}

impl fmt::Display for KernelName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Scalar => "a scalar parameter",
            Self::Tensor => "a tensor",
            Self::Value | Self::Broken => "a value that the kernel computes",
            Self::Variable => "a variable",
            Self::Iterator => "an iterator",
            Self::View => "a view",
            Self::Shared => "a shared array",
        })
    }
}

/// The declaration of a name in a kernel that is visible at a place, and its span.
pub(crate) fn declared(kernel: &Kernel, name: &str, used: Span) -> Option<(KernelName, Span)> {
    let local = in_block(&kernel.body, name, used);
    local.or_else(|| {
        let param = kernel.params.iter().find(|param| param.name.text == name)?;
        let kind = if param.shape.is_some() { KernelName::Tensor } else { KernelName::Scalar };
        Some((kind, param.name.span))
    })
}

/// The innermost declaration before a place.
fn in_block(block: &Block, name: &str, used: Span) -> Option<(KernelName, Span)> {
    let before = block.statements.iter().rev().filter(|statement| statement.span.start <= used.start);
    before.into_iter().find_map(|statement| in_statement(statement, name, used))
}

fn in_statement(statement: &Statement, name: &str, used: Span) -> Option<(KernelName, Span)> {
    let around = statement.bodies().find(|body| body.span.start <= used.start && used.end <= body.span.end);
    let visible = |kind: Declared| match kind {
        Declared::Iterator => around.is_some(),
        Declared::View
        | Declared::Constant
        | Declared::Variable
        | Declared::Shared
        | Declared::Defined
        | Declared::Function => statement.span.end <= used.start,
    };
    around.and_then(|body| in_block(body, name, used)).or_else(|| {
        let (found, kind) = statement.declared().find(|(found, kind)| found.text == name && visible(*kind))?;
        let broken = matches!(&statement.kind, StatementKind::Let { value, .. } if value.kind == ExprKind::Error);
        Some((if broken { KernelName::Broken } else { KernelName::of(kind) }, found.span))
    })
}
