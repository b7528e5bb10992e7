//! What a word of tiles gives at its place: `f32[64, 1]` for the `max` in `row.max(1, keep: true)`.

use super::super::cursor::Cursor;
use super::super::describe;
use super::super::document::{Document, inline};
use super::super::expressions::holds;
use super::super::nodes::Node;
use check::db::Db;
use check::kernels;
use syntax::span::Span;
use syntax::tree::{Expr, ExprKind, SuffixKind};

/// The tile, or the sizes, of the call or the member that a cursor is on.
pub(super) fn here(db: &dyn Db, at: Cursor) -> Option<Document> {
    at.item.declared_kernel(db)?;
    let tree = at.item.tree(db);
    let path = Node::Item(tree.item.as_ref()?).path_to(at.token);
    let around =
        path.iter().rev().find_map(|node| if let Node::Expr(expr) = node { called(expr, at.token) } else { None })?;
    let parts = &kernels::typed_kernel(db, at.item).record.parts;
    let known = match (parts.tile(around), parts.sizes(around)) {
        (Some((element, shape)), _) => describe::tile(element, shape),
        (None, Some([size])) => size.to_string(),
        (None, Some(sizes)) => {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            format!("[{}]", sizes.join(", "))
        }
        (None, None) => return None,
    };
    Some(Document::summary(format!("here: {}", inline(known))))
}

/// The tokens from the beginning of an expression to the end of the call whose name is at a token.
fn called(expr: &Expr, token: usize) -> Option<Span> {
    let ExprKind::Postfix { base, suffixes } = &expr.kind else { return None };
    let is_call = |place: usize| suffixes.get(place).filter(|suffix| matches!(suffix.kind, SuffixKind::Call(_)));
    if holds(base.span, token) {
        return is_call(0).map(|call| base.span.to(call.span));
    }
    let own = suffixes.iter().position(|suffix| holds(suffix.span, token))?;
    let SuffixKind::Member(_) = &suffixes.get(own)?.kind else { return None };
    let end = is_call(own + 1).or_else(|| suffixes.get(own))?;
    Some(base.span.to(end.span))
}
