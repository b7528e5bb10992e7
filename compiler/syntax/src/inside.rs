//! Visitors of direct subexpressions, for code that treats most kinds of expressions the same way.

use super::tree::{Expr, ExprKind, SuffixKind};

impl Expr {
    /// Visits the direct subexpressions, including those in suffixes, clauses and layouts.
    pub fn each_inside<'tree>(&'tree self, mut visit: impl FnMut(&'tree Expr)) {
        match &self.kind {
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::Unsigned(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::Name(_)
            | ExprKind::Underscore
            | ExprKind::Question => {}
            ExprKind::Paren(inner) | ExprKind::Size(inner) => visit(inner),
            ExprKind::Tuple(parts) | ExprKind::List(parts) => parts.iter().for_each(visit),
            ExprKind::Unit { domain, box_ } => domain.iter().chain(box_).for_each(visit),
            ExprKind::Via(source, map) => [source, map].into_iter().for_each(|part| visit(part)),
            ExprKind::Range(low, high) => [low, high].into_iter().for_each(|end| visit(end)),
            ExprKind::Chain { first, rest } => {
                visit(first);
                rest.iter().for_each(|link| visit(&link.operand));
            }
            ExprKind::Prefix { operand, .. } => visit(operand),
            ExprKind::Postfix { base, suffixes } => {
                visit(base);
                suffixes.iter().for_each(|suffix| suffix.kind.each_inside(&mut visit));
            }
            ExprKind::If { arms, otherwise } => {
                arms.iter().flat_map(|arm| [&arm.condition, &arm.value]).for_each(&mut visit);
                visit(otherwise);
            }
            ExprKind::ReshapeMap(map) => {
                let layout = map.layout.iter().flat_map(|layout| &layout.entries);
                map.local.iter().chain(&map.thread).chain(layout).chain(&map.offset).for_each(visit);
            }
            ExprKind::Group(entries) => {
                for entry in entries {
                    entry
                        .lower
                        .iter()
                        .chain([&entry.transform])
                        .chain(entry.upper.iter().flatten())
                        .for_each(&mut visit);
                }
            }
            ExprKind::Block(block) => {
                block.all_statements().into_iter().flat_map(|statement| statement.expressions()).for_each(visit);
            }
            ExprKind::Launch(clauses) => clauses.iter().flat_map(|clause| &clause.args).for_each(visit),
        }
    }
}

impl SuffixKind {
    /// Visits the direct subexpressions.
    pub fn each_inside<'tree>(&'tree self, mut visit: impl FnMut(&'tree Expr)) {
        match self {
            SuffixKind::Member(_) => {}
            SuffixKind::Call(arguments) => arguments.iter().for_each(|argument| visit(&argument.value)),
            SuffixKind::Bracket(entries) => entries.iter().for_each(visit),
        }
    }
}
