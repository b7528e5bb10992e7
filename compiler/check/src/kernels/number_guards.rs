//! Guards that compare an index with a number of which nothing is known, where an extent is meant: `if i < n { y[i] = …; }` of a
//! `y: f32[N]`, with a parameter `n`.

use dims::{CompareOp, Fact, Sym, Symbol};
use kernel::typed::ParamKind;
use smol_str::SmolStr;
use syntax::grammar::joined;
use syntax::items::ItemTokens;
use syntax::span::Span;
use syntax::tree::{self, BinaryOp, Expr, ExprKind, Statement, StatementKind, Suffix, SuffixKind};

use super::results::TypedKernel;
use crate::diagnostics::GuardByNumber;

/// The guard of an access.
pub(super) struct NumberGuard {
    /// The parameter with which the index is compared.
    pub(super) parameter: SmolStr,
    /// Where its name stands in the comparison.
    pub(super) place: Span,
    /// The index, as it is written.
    pub(super) index: String,
    /// The extent that the index has to be below.
    pub(super) extent: Sym,
    /// The tensor of this extent.
    pub(super) tensor: SmolStr,
}

impl NumberGuard {
    /// What a message says of it.
    pub(super) fn said(&self) -> GuardByNumber<'_> {
        let Self { parameter, place, index, extent, tensor } = self;
        GuardByNumber { parameter, place: *place, index, extent, tensor }
    }

    /// The fact that would connect the number with the extent, if the number is a size.
    pub(super) fn fact(&self, size: Symbol) -> Fact {
        Fact::compare(Sym::symbol(size), CompareOp::Le, self.extent.clone())
    }
}

/// Finds the guard of the access at `span`.
pub(super) fn guard_of(
    typed: &TypedKernel,
    kernel: &tree::Kernel,
    tokens: &ItemTokens,
    span: Span,
) -> Option<NumberGuard> {
    let statements = kernel.body.all_statements();
    let mut conditions: Vec<&Expr> = Vec::new();
    let mut access = None;
    for statement in statements.iter().filter(|statement| statement.span.holds(span)) {
        around(statement, span, &mut conditions);
        statement.expressions().for_each(|expr| search(expr, span, &mut conditions, &mut access));
    }
    let (name, indices) = access?;
    let param = typed.memories.params.iter().find(|param| param.name == *name)?;
    let ParamKind::Tensor { shape, .. } = &param.kind else { return None };
    let text = |expr: &Expr| joined(tokens, expr.span.start as usize, expr.span.end as usize);
    let is_number = |name: &SmolStr| {
        let mut params = typed.memories.params.iter();
        params.any(|param| param.name == *name && matches!(param.kind, ParamKind::Scalar) && param.element.is_integer())
    };
    // The innermost guard is the nearest one.
    conditions.into_iter().rev().find_map(|condition| {
        let (below, above) = comparison(condition)?;
        let ExprKind::Name(parameter) = &above.kind else { return None };
        let (below, extents) = (text(below)?, indices.iter().zip(shape));
        let (_, extent) = extents.into_iter().find(|(index, _)| text(index).as_ref() == Some(&below))?;
        is_number(parameter).then(|| NumberGuard {
            parameter: parameter.clone(),
            place: above.span,
            index: below,
            extent: extent.clone(),
            tensor: name.clone(),
        })
    })
}

/// Collects the conditions of a statement under which the place is reached.
fn around<'t>(statement: &'t Statement, span: Span, conditions: &mut Vec<&'t Expr>) {
    if let StatementKind::If { arms, .. } = &statement.kind {
        let reached = arms.iter().filter(|(_, block)| block.span.holds(span));
        reached.for_each(|(condition, _)| conjuncts(condition, conditions));
    }
}

/// Searches an expression for the access at a place, and collects the conditions under which it is made.
fn search<'t>(
    expr: &'t Expr,
    span: Span,
    conditions: &mut Vec<&'t Expr>,
    access: &mut Option<(&'t SmolStr, &'t [Expr])>,
) {
    if !expr.span.holds(span) {
        return;
    }
    if let ExprKind::Postfix { base, suffixes } = &expr.kind
        && let (ExprKind::Name(name), [Suffix { kind: SuffixKind::Bracket(indices), .. }]) =
            (&base.kind, suffixes.as_slice())
        && expr.span == span
    {
        *access = Some((name, indices));
        return;
    }
    if let ExprKind::If { arms, .. } = &expr.kind {
        let reached = arms.iter().filter(|arm| arm.value.span.holds(span));
        reached.for_each(|arm| conjuncts(&arm.condition, conditions));
    }
    expr.each_inside(|inner| search(inner, span, conditions, access));
}

/// The parts of a condition that all hold.
fn conjuncts<'t>(condition: &'t Expr, found: &mut Vec<&'t Expr>) {
    match &condition.kind {
        ExprKind::Paren(inner) => conjuncts(inner, found),
        ExprKind::Chain { first, rest } if rest.iter().all(|link| link.op == BinaryOp::And) => {
            conjuncts(first, found);
            rest.iter().for_each(|link| conjuncts(&link.operand, found));
        }
        _ => found.push(condition),
    }
}

/// The sides of a comparison, of which the first is less than the second.
fn comparison(condition: &Expr) -> Option<(&Expr, &Expr)> {
    let ExprKind::Chain { first, rest } = &condition.kind else { return None };
    match rest.as_slice() {
        [tree::Link { op: BinaryOp::Less, operand, .. }] => Some((first, operand)),
        [tree::Link { op: BinaryOp::Greater, operand, .. }] => Some((operand, first)),
        _ => None,
    }
}
