//! Reports names of a kernel in expressions that are evaluated before the kernel runs.

use std::fmt;

use syntax::span::Span;
use syntax::tree::{Block, Kernel, Statement, StatementKind};

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
}

impl fmt::Display for KernelName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Scalar => "a scalar parameter",
            Self::Tensor => "a tensor",
            Self::Value => "a value that the kernel computes",
            Self::Variable => "a variable",
            Self::Iterator => "an iterator",
            Self::View => "a view",
            Self::Shared => "a shared array",
        })
    }
}

/// The declaration of a name in a kernel that is visible at a place, and its span.
pub(super) fn declared(kernel: &Kernel, name: &str, used: Span) -> Option<(KernelName, Span)> {
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
    let inside = |block: &&Block| block.span.start <= used.start && used.end <= block.span.end;
    let within = |block: &Block| Some(block).filter(inside).and_then(|block| in_block(block, name, used));
    let declares = |declared: &syntax::tree::Name, kind: KernelName| {
        (declared.text == name && statement.span.end <= used.start).then_some((kind, declared.span))
    };
    match &statement.kind {
        StatementKind::Let { name, mutable: true, .. } => declares(name, KernelName::Variable),
        StatementKind::Let { name, .. } => declares(name, KernelName::Value),
        StatementKind::View { name, .. } => declares(name, KernelName::View),
        StatementKind::Shared { name, .. } => declares(name, KernelName::Shared),
        StatementKind::For { iterators, body, .. } => within(body).or_else(|| {
            let iterator = iterators.iter().find(|iterator| iterator.text == name).filter(|_| inside(&body))?;
            Some((KernelName::Iterator, iterator.span))
        }),
        StatementKind::With { body, .. } => within(body),
        StatementKind::If { arms, otherwise } => arms.iter().map(|(_, block)| block).chain(otherwise).find_map(within),
        StatementKind::Assign { .. } | StatementKind::Expr(_) => None,
    }
}
