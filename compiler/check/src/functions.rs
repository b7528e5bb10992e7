//! What is wrong with a function itself, whatever it is called with.
//!
//! Its body has to compute a value of names that there are ([`function_bodies`](crate::function_bodies)). Where every parameter has
//! a type, the body is typed with parameters of these types; all else follows from the arguments of each call.

use std::sync::Arc;

use crate::db::{Db, Item};
use crate::diagnostics::Diagnostic;
use crate::effort;
use crate::function_bodies::body_errors;
use crate::kernels::{EXCHANGES, function_diagnostics};
use syntax::tree::{Expr, ExprKind, ItemKind, SuffixKind};

/// The errors of a function item; none of other items.
#[salsa::tracked(cycle_result = cyclic)]
pub fn function_errors(db: &dyn Db, item: Item) -> Arc<Vec<Diagnostic>> {
    let tree = item.tree(db);
    let Some(ItemKind::Function(function)) = tree.item.as_ref().map(|parsed| &parsed.kind) else {
        return Arc::default();
    };
    let mut found = body_errors(db, item, function, &[]);
    // What threads exchange depends on the threads of the kernel that calls.
    if found.is_empty() && tree.errors.is_empty() && !exchanges(&function.body) {
        let (errors, cut_short) = effort::of_item(db, item, || function_diagnostics(db, item, function));
        found = errors.into_iter().chain(cut_short).collect();
    }
    Arc::new(found)
}

/// Functions that call each other: the calls are reported.
fn cyclic(_db: &dyn Db, _id: salsa::Id, _item: Item) -> Arc<Vec<Diagnostic>> {
    Arc::default()
}

/// Whether threads exchange values in an expression.
fn exchanges(expr: &Expr) -> bool {
    let mut found = match &expr.kind {
        ExprKind::Postfix { base, suffixes } => {
            let called = matches!(suffixes.first().map(|suffix| &suffix.kind), Some(SuffixKind::Call(_)));
            called && matches!(&base.kind, ExprKind::Name(name) if EXCHANGES.contains(&name.as_str()))
        }
        _ => false,
    };
    expr.each_inside(|inner| found = found || exchanges(inner));
    found
}
