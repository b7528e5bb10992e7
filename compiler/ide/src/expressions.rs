//! From a token to the expressions around it.

use super::nodes::Node;
use syntax::span::Span;
use syntax::tree::{Block, Expr, Item, Statement};

/// The expressions of an item that hold a token, outermost first.
pub(super) fn around(item: &Item, token: usize) -> Vec<&Expr> {
    let expr = |node| match node {
        Node::Expr(expr) | Node::Collective(expr) => Some(expr),
        _ => None,
    };
    Node::Item(item).path_to(token).into_iter().filter_map(expr).collect()
}

/// Whether a span holds a token.
pub(super) fn holds(span: Span, token: usize) -> bool {
    (span.start as usize..span.end as usize).contains(&token)
}

/// The innermost statement of a block that holds a token.
pub(super) fn statement_at(block: &Block, token: usize) -> Option<&Statement> {
    let statement = block.statements.iter().find(|statement| holds(statement.span, token))?;
    let inner = statement.bodies().find_map(|block| statement_at(block, token));
    Some(inner.unwrap_or(statement))
}
