//! From a token to the expressions around it.

use crate::syntax::span::Span;
use crate::syntax::tree::{Block, Expr, ExprKind, ItemKind, Kernel, Run, Statement, StatementKind, SuffixKind};

/// The expressions of an item that hold a token, outermost first.
pub(super) fn around(kind: &ItemKind, token: usize) -> Vec<&Expr> {
    let mut path = Vec::new();
    let mut level = roots(kind);
    while let Some(next) = level.into_iter().find(|expr| holds(expr.span, token)) {
        path.push(next);
        level = parts(next);
    }
    path
}

/// Whether a span holds a token.
pub(super) fn holds(span: Span, token: usize) -> bool {
    (span.start as usize..span.end as usize).contains(&token)
}

/// The innermost statement of a block that holds a token.
pub(super) fn statement_at(block: &Block, token: usize) -> Option<&Statement> {
    let statement = block.statements.iter().find(|statement| holds(statement.span, token))?;
    let inner = blocks(statement).into_iter().find_map(|block| statement_at(block, token));
    Some(inner.unwrap_or(statement))
}

/// The blocks of a statement.
pub(super) fn blocks(statement: &Statement) -> Vec<&Block> {
    match &statement.kind {
        StatementKind::For { body, .. } | StatementKind::With { body, .. } => vec![body],
        StatementKind::If { arms, otherwise } => arms.iter().map(|(_, block)| block).chain(otherwise).collect(),
        _ => Vec::new(),
    }
}

fn roots(kind: &ItemKind) -> Vec<&Expr> {
    match kind {
        ItemKind::Use { .. } => Vec::new(),
        ItemKind::Shape { rank, value, .. } => rank.iter().chain([value]).collect(),
        ItemKind::Dim { facts, .. } => facts.iter().collect(),
        ItemKind::Const { value, .. }
        | ItemKind::Map { value, .. }
        | ItemKind::Unit { value, .. }
        | ItemKind::Tiling { value, .. }
        | ItemKind::Assert { value }
        | ItemKind::Show { value }
        | ItemKind::Expr(value) => vec![value],
        ItemKind::Kernel(kernel) => of_kernel(kernel),
        ItemKind::Run(run) => of_run(run),
    }
}

fn of_kernel(kernel: &Kernel) -> Vec<&Expr> {
    let params = kernel.params.iter().flat_map(|param| param.shape.iter().chain(&param.strides).flatten());
    let mut found: Vec<&Expr> = params.chain(kernel.clauses.iter().flat_map(|clause| &clause.args)).collect();
    of_block(&kernel.body, &mut found);
    found
}

fn of_run(run: &Run) -> Vec<&Expr> {
    let given = run.args.iter().map(|argument| &argument.value).chain(run.with.iter().map(|(_, value)| value));
    given.chain(&run.expect).chain(&run.within).collect()
}

fn of_block<'t>(block: &'t Block, found: &mut Vec<&'t Expr>) {
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::View { source, via, per, .. } => found.extend([source].into_iter().chain(via).chain(per)),
            StatementKind::Let { value, .. } | StatementKind::Expr(value) => found.push(value),
            StatementKind::Shared { shape, layout, .. } => found.extend(shape.iter().chain(layout)),
            StatementKind::For { domain, .. } | StatementKind::With { domain, .. } => found.push(domain),
            StatementKind::If { arms, .. } => found.extend(arms.iter().map(|(condition, _)| condition)),
            StatementKind::Assign { target, value, .. } => found.extend([target, value]),
        }
        blocks(statement).into_iter().for_each(|block| of_block(block, found));
    }
}

/// The expressions that an expression is made of.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Error
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Str(_)
        | ExprKind::Name(_)
        | ExprKind::Underscore
        | ExprKind::Question => Vec::new(),
        ExprKind::Paren(inner) | ExprKind::Size(inner) | ExprKind::Prefix { operand: inner, .. } => vec![inner],
        ExprKind::Tuple(list) | ExprKind::List(list) => list.iter().collect(),
        ExprKind::Unit { domain, box_ } => domain.iter().chain(box_).collect(),
        ExprKind::Range(low, high) => vec![low, high],
        ExprKind::Chain { first, rest } => {
            [&**first].into_iter().chain(rest.iter().map(|link| &link.operand)).collect()
        }
        ExprKind::Postfix { base, suffixes } => {
            let arguments = suffixes.iter().flat_map(|suffix| match &suffix.kind {
                SuffixKind::Member(_) => Vec::new(),
                SuffixKind::Call(arguments) => arguments.iter().map(|argument| &argument.value).collect(),
                SuffixKind::Bracket(list) => list.iter().collect::<Vec<_>>(),
            });
            [&**base].into_iter().chain(arguments).collect()
        }
        ExprKind::If { condition, then, otherwise } => vec![condition, then, otherwise],
        ExprKind::ReshapeMap(map) => {
            let layout = map.layout.iter().flat_map(|layout| &layout.entries);
            map.local.iter().chain(&map.thread).chain(layout).chain(&map.offset).collect()
        }
        ExprKind::Group(entries) => {
            let of = entries
                .iter()
                .flat_map(|entry| entry.lower.iter().chain([&entry.transform]).chain(entry.upper.iter().flatten()));
            of.collect()
        }
        ExprKind::Launch(clauses) => clauses.iter().flat_map(|clause| &clause.args).collect(),
    }
}
