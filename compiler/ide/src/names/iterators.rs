//! The iterators of tilings: declared by the steps of a pipeline, `tile(w: 8, cuda_warp)`, and used in questions to
//! the tiling or one derived from it, `t.pitch(w)` and `t(w: 3)`.

use rustc_hash::FxHashSet;

use super::LocalKind;
use super::local::Local;
use check::db::{Db, Item};
use check::names;
use syntax::tree::{Argument, BinaryOp, Expr, ExprKind, ItemKind, Name, Suffix, SuffixKind};

/// The members of tilings that take the name of an iterator.
const MEMBERS: &[&str] = &["count", "pitch", "digit"];

/// The iterators of the tiling of an expression, the outermost first; empty if it is not a tiling.
pub(super) fn of_tiling(db: &dyn Db, item: Item, tiling: &Expr) -> Vec<Local> {
    let mut found = Vec::new();
    collect(db, item, tiling, &mut FxHashSet::default(), &mut found);
    found
}

fn collect(db: &dyn Db, item: Item, tiling: &Expr, seen: &mut FxHashSet<Item>, found: &mut Vec<Local>) {
    match &tiling.kind {
        ExprKind::Paren(inner) => collect(db, item, inner, seen, found),
        ExprKind::Name(name) => {
            let Some(other) = names::lookup(db, item.file(db), name.clone()) else { return };
            // A cyclic one is reported, and has no value.
            if seen.insert(other)
                && let Some(ItemKind::Tiling { value, .. }) = other.tree(db).item.as_ref().map(|parsed| &parsed.kind)
            {
                collect(db, other, value, seen, found);
            }
        }
        ExprKind::Chain { first, rest } => {
            collect(db, item, first, seen, found);
            let steps = rest.iter().filter(|link| link.op == BinaryOp::Pipe);
            found.extend(steps.filter_map(|link| declared(&link.operand)).map(|name| Local {
                name: name.text.clone(),
                item,
                span: name.span,
                kind: LocalKind::Iterator,
            }));
        }
        _ => {}
    }
}

/// The iterator that a step declares.
pub(super) fn declared(step: &Expr) -> Option<&Name> {
    let ExprKind::Postfix { base, suffixes } = &step.kind else { return None };
    match (&base.kind, suffixes.as_slice()) {
        (ExprKind::Name(word), [Suffix { kind: SuffixKind::Call(arguments), .. }]) if word == "tile" => {
            arguments.first()?.name.as_ref()
        }
        _ => None,
    }
}

/// The arguments after a tiling that name iterators: `t(w: 1)` by argument names, `t.pitch(w)` by the argument
/// itself.
pub(super) enum Asked<'t> {
    /// Values of iterators.
    Iteration(&'t [Argument]),
    /// One iterator.
    Member(&'t Expr),
}

/// The question about iterators directly after a tiling.
pub(super) fn asked(suffixes: &[Suffix]) -> Option<Asked<'_>> {
    match suffixes {
        [Suffix { kind: SuffixKind::Call(arguments), .. }, ..] => Some(Asked::Iteration(arguments)),
        [Suffix { kind: SuffixKind::Member(member), .. }, Suffix { kind: SuffixKind::Call(arguments), .. }, ..]
            if MEMBERS.contains(&member.text.as_str()) =>
        {
            match arguments.as_slice() {
                [Argument { value, .. }] if matches!(value.kind, ExprKind::Name(_)) => Some(Asked::Member(value)),
                _ => None,
            }
        }
        _ => None,
    }
}
