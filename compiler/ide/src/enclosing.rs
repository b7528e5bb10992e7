//! The expressions of an item with their context.

use smol_str::SmolStr;

use syntax::span::Span;
use syntax::tree::{Expr, ExprKind, GenericKind, ItemKind, Statement, SuffixKind};

/// The shape that `(k)` selects from at some place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Subject<'tree> {
    /// None: the place is not in a derivation's bracket.
    Nothing,
    /// The shape of this name: `s [(0)]`.
    Named(&'tree SmolStr),
    /// Something without a name: `(a + b) [(0)]`.
    Unnamed,
}

/// An expression with its context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'tree> {
    /// The expression.
    pub(super) expr: &'tree Expr,
    /// The expression directly around it.
    pub(super) parent: Option<&'tree Expr>,
    /// What `(k)` means here.
    pub(super) subject: Subject<'tree>,
}

/// The expressions of an item that contain a span, outermost first, without entries of layouts.
pub(super) fn enclosing(kind: &ItemKind, span: Span) -> Vec<Place<'_>> {
    let mut found = Vec::new();
    each(kind, &mut |place| {
        if place.expr.span.holds(span) {
            found.push(place);
        }
    });
    found
}

/// Visits every expression of an item, outer before inner. Entries of layouts are not visited.
pub(super) fn each<'tree>(kind: &'tree ItemKind, visit: &mut dyn FnMut(Place<'tree>)) {
    Walk { visit }.item(kind);
}

/// Visits an expression and all that is in it, as if it stood alone.
pub(super) fn each_in<'tree>(expr: &'tree Expr, visit: &mut dyn FnMut(Place<'tree>)) {
    Walk { visit }.top(expr);
}

struct Walk<'visit, 'tree> {
    visit: &'visit mut dyn FnMut(Place<'tree>),
}

impl<'tree> Walk<'_, 'tree> {
    fn item(&mut self, kind: &'tree ItemKind) {
        match kind {
            ItemKind::Use { .. } => {}
            ItemKind::Shape { rank, value, .. } => {
                rank.iter().for_each(|rank| self.top(rank));
                self.top(value);
            }
            ItemKind::Dim { facts, .. } => facts.iter().for_each(|fact| self.top(fact)),
            ItemKind::Const { value, .. }
            | ItemKind::Map { value, .. }
            | ItemKind::Unit { value, .. }
            | ItemKind::Tiling { value, .. }
            | ItemKind::Assert { value }
            | ItemKind::Show { value }
            | ItemKind::Expr(value) => self.top(value),
            ItemKind::Kernel(kernel) => {
                for generic in &kernel.generics {
                    if let GenericKind::Constant { default: Some(default) } = &generic.kind {
                        self.top(default);
                    }
                }
                kernel.facts.iter().for_each(|fact| self.top(fact));
                kernel.tune.iter().for_each(|argument| self.top(&argument.value));
                for param in &kernel.params {
                    param.shape.iter().chain(&param.strides).flatten().for_each(|size| self.top(size));
                }
                kernel.clauses.iter().flat_map(|clause| &clause.args).for_each(|arg| self.top(arg));
                let statements = kernel.body.all_statements();
                statements.into_iter().flat_map(Statement::expressions).for_each(|part| self.top(part));
            }
            ItemKind::Function(function) => {
                let types = function.params.iter().filter_map(|param| param.annotation.as_ref());
                let extents = types.chain(&function.result).flat_map(|found| found.shape.iter().flatten());
                extents.for_each(|extent| self.top(extent));
                self.top(&function.body);
            }
            ItemKind::Run(run) => {
                run.generics.iter().chain(&run.args).for_each(|argument| self.top(&argument.value));
                run.with.iter().for_each(|(_, value)| self.top(value));
                run.expected().for_each(|condition| self.top(condition));
            }
        }
    }

    fn top(&mut self, expr: &'tree Expr) {
        self.expr(Place { expr, parent: None, subject: Subject::Nothing });
    }

    fn expr(&mut self, place: Place<'tree>) {
        (self.visit)(place);
        let expr = place.expr;
        let inside = |expr: &'tree Expr| Place { expr, parent: Some(place.expr), ..place };
        match &expr.kind {
            ExprKind::ReshapeMap(map) => {
                map.local.iter().chain(&map.thread).chain(&map.offset).for_each(|part| self.expr(inside(part)));
            }
            ExprKind::Postfix { base, suffixes } => {
                self.expr(inside(base));
                for (number, suffix) in suffixes.iter().enumerate() {
                    let subject = match (&suffix.kind, &base.kind) {
                        (SuffixKind::Bracket(_), ExprKind::Name(name)) if number == 0 => Subject::Named(name),
                        (SuffixKind::Bracket(_), _) => Subject::Unnamed,
                        _ => place.subject,
                    };
                    suffix.kind.each_inside(|part| self.expr(Place { subject, ..inside(part) }));
                }
            }
            _ => expr.each_inside(|part| self.expr(inside(part))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cursor;
    use super::super::fixture::Fixture;
    use super::super::places::bytes;
    use super::*;

    /// The texts of what holds the token at the cursor, outermost first, and what `(k)` means in the innermost.
    fn around(text: &str) -> (Vec<String>, String) {
        let Fixture { db, file, offset } = Fixture::new(text);
        let cursor = cursor(&db, file, offset).unwrap();
        let token = cursor.token as u32;
        let tree = cursor.item.tree(&db);
        let places = enclosing(&tree.item.as_ref().unwrap().kind, Span::new(token, token + 1));
        let text = |place: &Place| {
            let range = bytes(&db, file, cursor.position, place.expr.span);
            file.text(&db)[range.start as usize..range.end as usize].to_owned()
        };
        (places.iter().map(text).collect(), format!("{:?}", places.last().unwrap().subject))
    }

    #[test]
    fn what_holds_a_token_is_found_from_the_outside_in() {
        let (places, subject) = around("a : [3]\nb : a [cdiv(($00), 2), 1]");
        assert_eq!(places, ["a [cdiv((0), 2), 1]", "cdiv((0), 2)", "(0)", "0"]);
        assert_eq!(subject, "Named(\"a\")");
        let (places, subject) = around("b : (a + a) [($00)]");
        assert_eq!((places.len(), subject.as_str()), (3, "Unnamed"));
    }

    #[test]
    fn statements_are_searched_too() {
        let kernel = "kernel k(y: mut f32[4]) { for i in 0..4 { if i < 2 { y[i] = f(2 * $0i); } else { } } }";
        assert_eq!(around(kernel).0, ["f(2 * i)", "2 * i", "i"]);
    }
}
