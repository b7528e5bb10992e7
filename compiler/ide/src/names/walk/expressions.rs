//! The names in expressions, and what they mean.

use smol_str::SmolStr;

use super::super::iterators::{self, Asked};
use super::super::local::Local;
use super::super::{Access, LocalKind, Occurrence, Target};
use super::Walk;
use check::names;
use syntax::span::Span;
use syntax::tree::{Expr, ExprKind, Name, Suffix, SuffixKind};

impl Walk<'_> {
    pub(super) fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span, Access::Read),
            ExprKind::Postfix { base, suffixes } => {
                match (&base.kind, suffixes.first().map(|suffix| &suffix.kind)) {
                    (ExprKind::Name(name), Some(SuffixKind::Call(_))) => self.called(name, base.span),
                    (ExprKind::Name(name), Some(SuffixKind::Member(_))) => match self.partition(name) {
                        Some((target, kind)) => {
                            self.found.push(whole(base.span, name, target, Access::Read, Some(kind)));
                        }
                        None => self.expr(base),
                    },
                    _ => self.expr(base),
                }
                match self.iterators(base, suffixes) {
                    // The word in the parentheses is always the name of an iterator.
                    Some(Asked::Member(_)) => self.suffixes(&suffixes[2..]),
                    _ => self.suffixes(suffixes),
                }
            }
            ExprKind::Chain { rest, .. } => {
                for name in rest.iter().filter_map(|link| iterators::declared(&link.operand)) {
                    self.push(name, Target::Local(self.item, name.span), Access::Declare, Some(LocalKind::Iterator));
                }
                expr.each_inside(|inner| self.expr(inner));
            }
            ExprKind::Block(block) => self.block(block),
            // The entries of a layout are numbers and the names `i0`, `t0`, …, which no item declares.
            ExprKind::ReshapeMap(map) => self.exprs(map.local.iter().chain(&map.thread).chain(&map.offset)),
            _ => expr.each_inside(|inner| self.expr(inner)),
        }
    }

    /// The iterators that are named behind a tiling.
    fn iterators<'e>(&mut self, tiling: &Expr, suffixes: &'e [Suffix]) -> Option<Asked<'e>> {
        let asked = iterators::asked(suffixes)?;
        let known = iterators::of_tiling(self.db, self.item, tiling);
        let known = |name: &str| known.iter().find(|iterator| iterator.name == name);
        match &asked {
            Asked::Iteration(arguments) => {
                for name in arguments.iter().filter_map(|argument| argument.name.as_ref()) {
                    if let Some(iterator) = known(&name.text) {
                        self.push(name, iterator.target(), Access::Read, Some(iterator.kind));
                    }
                }
            }
            Asked::Member(given) => {
                let ExprKind::Name(name) = &given.kind else { return None };
                let iterator = known(name)?;
                self.found.push(whole(given.span, name, iterator.target(), Access::Read, Some(iterator.kind)));
            }
        }
        Some(asked)
    }

    pub(super) fn suffixes(&mut self, suffixes: &[Suffix]) {
        suffixes.iter().for_each(|suffix| suffix.kind.each_inside(|inner| self.expr(inner)));
    }

    /// What is called: a shape or a map, or a function, which nothing declares.
    fn called(&mut self, name: &SmolStr, span: Span) {
        let found = match self.local(name) {
            Some(local) => Some(local),
            None if (self.functions)(name) => None,
            None => self.resolve(name),
        };
        if let Some((target, local)) = found {
            self.found.push(whole(span, name, target, Access::Read, local));
        }
    }

    pub(super) fn name(&mut self, name: &SmolStr, span: Span, access: Access) {
        match self.resolve(name) {
            Some((target, local)) => self.found.push(whole(span, name, target, access, local)),
            None if access == Access::Read => self.difference(name, span),
            None => {}
        }
    }

    /// `M-N`, if no such name is declared but all of its parts are: the difference.
    fn difference(&mut self, name: &SmolStr, span: Span) {
        let mut start = 0;
        let mut parts = Vec::new();
        for part in name.split('-') {
            let end = start + part.len() as u32;
            let Some((target, local)) = self.resolve(part) else { return };
            parts.push(Occurrence { within: start..end, ..whole(span, part, target, Access::Read, local) });
            start = end + 1;
        }
        if parts.len() > 1 {
            self.found.append(&mut parts);
        }
    }

    fn resolve(&self, name: &str) -> Option<(Target, Option<LocalKind>)> {
        self.local(name).or_else(|| {
            let item = names::lookup(self.db, self.file, name.into())?;
            Some((Target::Declared(item, name.into()), None))
        })
    }

    fn local(&self, name: &str) -> Option<(Target, Option<LocalKind>)> {
        let local = self.scopes.iter().rev().find(|local| local.name == name)?;
        Some((local.target(), Some(local.kind)))
    }

    /// A partition of the kernel around an expression, which may be asked for its sizes.
    fn partition(&self, name: &str) -> Option<(Target, LocalKind)> {
        let partition = self.partitions.iter().rev().find(|local| local.name == name)?;
        Some((partition.target(), partition.kind))
    }

    pub(super) fn declare(&mut self, name: &Name, kind: LocalKind) {
        self.push(name, Target::Local(self.item, name.span), Access::Declare, Some(kind));
        self.scopes.push(Local { name: name.text.clone(), item: self.item, span: name.span, kind });
    }

    /// A name missing from the text is ignored.
    pub(super) fn push(&mut self, name: &Name, target: Target, access: Access, local: Option<LocalKind>) {
        if !name.text.is_empty() {
            self.found.push(whole(name.span, &name.text, target, access, local));
        }
    }
}

/// An occurrence that is all of its token.
fn whole(span: Span, name: &str, target: Target, access: Access, local: Option<LocalKind>) -> Occurrence {
    Occurrence { span, within: 0..name.len() as u32, name: name.into(), target, access, local }
}
