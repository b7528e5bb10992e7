//! The sizes that a partition knows: `px.index_space`, `px.tile`, `px.tensor`, and one of each with a dimension in parentheses.

use std::sync::Arc;

use super::super::bindings::Binding;
use super::super::checker::Checker;
use super::partition::Partition;
use super::partitions::arguments;
use super::words::{Call, MemberKind, PartitionMember, Sizes};
use crate::diagnostics::{self, Members, TilePlace};
use crate::evaluate::bits;
use crate::read::Read;
use dims::Sym;
use kernel::functions::Function;
use syntax::span::Span;
use syntax::tree::{self, Argument, ExprKind, StatementKind, SuffixKind};

impl Sizes {
    /// The member with these sizes.
    fn member(self) -> Option<&'static PartitionMember> {
        PartitionMember::all().find(|member| member.kind == MemberKind::Sizes(self))
    }

    /// The sizes of a member.
    fn of_member(member: &str) -> Option<Self> {
        match PartitionMember::from_name(member)?.kind {
            MemberKind::Sizes(sizes) => Some(sizes),
            _ => None,
        }
    }
}

/// The name of the partition in `px.tile`, what is asked for, and the arguments in `px.tile(1)`.
fn asked(expr: &tree::Expr) -> Option<(&str, Sizes, Option<&[Argument]>)> {
    let ExprKind::Postfix { base, suffixes } = &expr.kind else { return None };
    let ExprKind::Name(name) = &base.kind else { return None };
    let (tree::Suffix { kind: SuffixKind::Member(member), .. }, rest) = suffixes.split_first()? else { return None };
    let args = match rest {
        [] => None,
        [tree::Suffix { kind: SuffixKind::Call(args), .. }] => Some(args.as_slice()),
        _ => return None,
    };
    Some((name, Sizes::of_member(&member.text)?, args))
}

/// Whether a part of an expression asks a partition for its sizes.
fn asks_inside(expr: &tree::Expr) -> bool {
    let mut found = false;
    expr.each_inside(|inner| found = found || asked(inner).is_some() || asks_inside(inner));
    found
}

impl Partition {
    fn sizes(&self, which: Sizes) -> Vec<Sym> {
        match which {
            Sizes::IndexSpace => self.space.clone(),
            Sizes::Tile => self.tile.iter().copied().map(Sym::constant).collect(),
            Sizes::Tensor => self.shape.clone(),
        }
    }
}

impl Checker<'_> {
    /// The sizes of `grid(n, m)`, `grid(px.index_space)` or `grid(px.index_space(0))`. `body` has the partitions, if they
    /// have not been read yet.
    pub(in super::super) fn grid_sizes(
        &mut self,
        args: &[Argument],
        body: Option<&[tree::Statement]>,
    ) -> Option<Vec<Sym>> {
        let mut sizes = Vec::new();
        let mut complete = true;
        for arg in args {
            let found = match self.partition_sizes(&arg.value, body) {
                Read::Is(found) => Some(found),
                Read::Wrong => None,
                Read::NotMine if self.is_other_member(&arg.value, body) => None,
                Read::NotMine if asks_inside(&arg.value) => self.size_over(&arg.value, body).map(|size| vec![size]),
                Read::NotMine => self.evaluator.map_size(&arg.value).map(|size| vec![size]),
            };
            if let Some(found) = &found {
                self.note_sizes(arg.value.span, found);
            }
            complete &= found.is_some();
            sizes.extend(found.into_iter().flatten());
        }
        complete.then_some(sizes)
    }

    /// Whether an expression is a member of a partition that has no sizes, `px.indexspace`, which is reported.
    fn is_other_member(&mut self, expr: &tree::Expr, body: Option<&[tree::Statement]>) -> bool {
        let ExprKind::Postfix { base, suffixes } = &expr.kind else { return false };
        let (ExprKind::Name(name), Some(tree::Suffix { kind: SuffixKind::Member(member), .. })) =
            (&base.kind, suffixes.first())
        else {
            return false;
        };
        if Sizes::of_member(&member.text).is_some() || self.partition_of(name, body).is_not_mine() {
            return false;
        }
        let with_sizes = |member: &&PartitionMember| matches!(member.kind, MemberKind::Sizes(_));
        let plain = PartitionMember::all().filter(with_sizes).map(PartitionMember::name).collect();
        let members = Members { plain, atomic: Vec::new() };
        self.report::<()>(diagnostics::tile_member(member.span, &member.text, Some(name), &members));
        true
    }

    /// A size that is computed of sizes of partitions, `cdiv(px.index_space(1), 4)`.
    fn size_over(&mut self, expr: &tree::Expr, body: Option<&[tree::Statement]>) -> Option<Sym> {
        match self.partition_sizes(expr, body) {
            Read::Is(found) => {
                return match <[Sym; 1]>::try_from(found) {
                    Ok([size]) => Some(size),
                    Err(_) => self.report(diagnostics::tile_place(expr.span, TilePlace::Sizes)),
                };
            }
            Read::Wrong => return None,
            Read::NotMine => {}
        }
        match &expr.kind {
            ExprKind::Paren(inner) => self.size_over(inner, body),
            ExprKind::Chain { first, rest } => {
                let mut size = self.size_over(first, body)?;
                for tree::Link { op, operand, .. } in rest {
                    let operand = self.size_over(operand, body)?;
                    let facts = &self.evaluator.facts;
                    let next = match op {
                        tree::BinaryOp::Add => size.checked_add(&operand),
                        tree::BinaryOp::Subtract => size.checked_sub(&operand),
                        tree::BinaryOp::Multiply => size.checked_mul(&operand),
                        tree::BinaryOp::Divide => size.checked_floor_div(&operand, facts),
                        tree::BinaryOp::Remainder => size.checked_remainder(&operand, facts),
                        _ if let Some(result) = bits(*op, &size, &operand, facts) => result,
                        _ => return self.evaluator.int(expr),
                    };
                    size = self.evaluator.settle(expr.span, next)?;
                }
                Some(size)
            }
            ExprKind::Postfix { base, suffixes } => {
                let ExprKind::Name(name) = &base.kind else { return self.evaluator.int(expr) };
                let function = Function::from_name(name).and_then(Function::of_sizes);
                let (Some(function), [tree::Suffix { kind: SuffixKind::Call(args), .. }]) =
                    (function, suffixes.as_slice())
                else {
                    return self.evaluator.int(expr);
                };
                let mut sizes = Vec::with_capacity(args.len());
                for arg in args {
                    sizes.push(self.size_over(&arg.value, body)?);
                }
                let mut sizes = sizes.into_iter();
                let first = sizes.next()?;
                sizes.try_fold(first, |left, right| self.size_of_sizes(function, &left, &right, expr.span))
            }
            _ => self.evaluator.int(expr),
        }
    }

    /// The sizes that an expression asks of a partition.
    pub(super) fn partition_sizes(&mut self, expr: &tree::Expr, body: Option<&[tree::Statement]>) -> Read<Vec<Sym>> {
        let Some((name, which, along)) = asked(expr) else { return Read::NotMine };
        let sizes = match (self.partition_of(name, body), along) {
            (Read::NotMine, _) => return Read::NotMine,
            (Read::Wrong, _) => None,
            (Read::Is(partition), None) => Some(partition.sizes(which)),
            (Read::Is(partition), Some(along)) => {
                self.size_along(&partition, which, along, expr.span).map(|size| vec![size])
            }
        };
        if let Some(sizes) = &sizes {
            self.note_sizes(expr.span, sizes);
        }
        Read::from_checked(sizes)
    }

    /// The partition of a name.
    fn partition_of(&mut self, name: &str, body: Option<&[tree::Statement]>) -> Read<Arc<Partition>> {
        match self.binding(name) {
            Some(Binding::Partition(partition)) => return Read::Is(Arc::clone(partition)),
            Some(Binding::Broken) => return Read::Wrong,
            _ => {}
        }
        let body = body.unwrap_or_default();
        let declared = body.iter().enumerate().rev().find_map(|(place, statement)| match &statement.kind {
            // What a partition is made of stands before it.
            StatementKind::View { name: declared, source, .. } if declared.text == name => {
                Some((body.get(..place)?, source))
            }
            _ => None,
        });
        match declared {
            Some((before, source)) if arguments(source).is_some() => {
                Read::from_checked(self.partition(source, Some(before)).map(Arc::new))
            }
            _ => Read::NotMine,
        }
    }

    /// Notes sizes for editors; the places in the body of a function are those of another item.
    fn note_sizes(&mut self, span: Span, sizes: &[Sym]) {
        if !self.evaluator.calls.is_inside() {
            self.found.record.parts.sizes.push((span, sizes.to_vec()));
        }
    }

    /// A number that a partition knows: `px.index_space(1)`.
    pub(in super::super) fn size_of_partition(
        &mut self,
        partition: &Partition,
        member: &tree::Name,
        args: Option<&[Argument]>,
        span: Span,
    ) -> Option<Sym> {
        match (Sizes::of_member(&member.text), args) {
            (Some(which), Some(args)) => {
                let size = self.size_along(partition, which, args, span)?;
                self.note_sizes(span, std::slice::from_ref(&size));
                Some(size)
            }
            (Some(_), None) => self.report(diagnostics::tile_place(span, TilePlace::Sizes)),
            (None, _) => self.report(diagnostics::tile_place(span, TilePlace::Mapping)),
        }
    }

    fn size_along(&mut self, partition: &Partition, which: Sizes, args: &[Argument], span: Span) -> Option<Sym> {
        let [Argument { name: None, value }] = args else {
            let member = which.member()?;
            let call = Call { called: &member.documentation, word: span, args, span };
            return self.wrong_count(call, args.len());
        };
        let sizes = partition.sizes(which);
        let dimension = self.dimension(value, sizes.len())?;
        sizes.get(dimension).cloned()
    }
}
