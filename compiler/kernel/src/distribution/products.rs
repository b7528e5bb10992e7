//! Sums over an iterator whose terms come from tiles of the block: products of matrices.
//!
//! A point of a product is a sum over `k`, and a thread has several points. Where it does one point after the other, every term
//! takes a load of each factor. With the loop over `k` outermost, what several points need of the factors at `k` is loaded once
//! for all of them. Each sum still adds the same terms in the same order. The sums are kept meanwhile, so this is done only
//! where the thread holds them in registers: in the array of the result, or, where other threads read that, in one of their own.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::accesses::{Points, Reach, Usages};
use crate::typed::{
    Access, Each, Expr, ExprKind, Kernel, Local, Memory, SharedArray, SharedId, Statement, StatementKind, TileAxis,
};
use elements::ElementType;

/// Where sums are kept while their terms are added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kept {
    /// In the array of the result.
    #[default]
    InResult,
    /// In an array that nothing else uses, from which they are copied into that of the result.
    Apart,
    /// In a variable, one point after the other.
    OneByOne,
}

impl Kept {
    /// What is left to be tried, where the threads do not hold the sums when they are kept so.
    pub fn next(self) -> Self {
        if self == Self::InResult { Self::Apart } else { Self::OneByOne }
    }
}

/// A sum whose terms are taken for all points of a thread at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    /// The array of the result.
    pub result: SharedId,
    /// The array in which the sums are kept.
    pub kept_in: SharedId,
    /// The number of its points.
    pub points: i64,
    /// Whether neighbouring points read neighbouring elements of a factor, which one access can load as a vector.
    pub reads_vectors: bool,
}

/// Moves the loop over the terms out of the loop over the points for each sum; how the sums are kept is said by the array of their
/// result. There are no barriers yet.
pub(super) fn with_terms_outermost(
    kernel: &mut Kernel,
    kept: &BTreeMap<SharedId, Kept>,
    threads: i64,
    poll: &dyn Fn(),
) -> Vec<Sum> {
    let body = std::mem::take(&mut kernel.body);
    let mut moving = Moving { kept, threads, kernel, found: Vec::new(), poll };
    let body = moving.list(body);
    let found = moving.found;
    kernel.body = body;
    found
}

struct Moving<'k> {
    kept: &'k BTreeMap<SharedId, Kept>,
    threads: i64,
    /// The kernel without its body.
    kernel: &'k mut Kernel,
    found: Vec<Sum>,
    poll: &'k dyn Fn(),
}

impl Moving<'_> {
    fn list(&mut self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut found = Vec::with_capacity(statements.len());
        for mut statement in statements {
            (self.poll)();
            let sum = match &statement.kind {
                StatementKind::Each(each) => self.sum(each),
                _ => None,
            };
            let Some((sum, kept)) = sum else {
                if !matches!(statement.kind, StatementKind::Each(_)) {
                    statement.change_blocks(&mut |block| self.list(block));
                }
                found.push(statement);
                continue;
            };
            self.split(sum, kept, &statement, &mut found);
        }
        found
    }

    /// The sum that a loop over points computes, if it does nothing else, and if a thread has several points.
    fn sum(&self, each: &Each) -> Option<(Parts, Kept)> {
        let [begin, terms, end] = each.body.as_slice() else { return None };
        let (
            StatementKind::Assign { local: total, value: first },
            StatementKind::For { local: term, low, high, body },
            StatementKind::Store { access, value: result, is_async: false },
        ) = (&begin.kind, &terms.kind, &end.kind)
        else {
            return None;
        };
        let [Statement { kind: StatementKind::Assign { local, value: next }, .. }] = body.as_slice() else {
            return None;
        };
        let Memory::Shared(array) = access.memory else { return None };
        let usage = Usages::of_each(each, &self.kernel.locals, self.threads).get(access.memory);
        let kept = self.kept.get(&array).copied().unwrap_or_default();
        let is_in_place = is_load_of(first, array);
        // The store, and what the sum begins with.
        let own_accesses = 1 + loads_of(first, array);
        let is_sum = local == total
            && is_local(result, *total)
            && is_constant(low)
            && is_constant(high)
            && (usage.reach, usage.accesses) == (Reach::Point, own_accesses)
            && each.points() > self.threads
            && shares_terms(each, next)
            && kept != Kept::OneByOne;
        let parts = || Parts {
            array,
            axes: each.axes.clone(),
            total: *total,
            first: first.clone(),
            is_in_place,
            term: (*term, low.clone(), high.clone()),
            next: next.clone(),
            result: access.clone(),
        };
        is_sum.then(|| (parts(), kept))
    }

    /// A loop over the points that stores the first value of each sum, unless it is there already, the loop over the terms with
    /// a loop over the points in it, and one that copies the sums, unless they are where they belong.
    fn split(&mut self, parts: Parts, kept: Kept, statement: &Statement, found: &mut Vec<Statement>) {
        let Some(array) = self.kernel.shared.get(parts.array) else { return };
        let (made, array) = (|kind| Statement { kind, scope: statement.scope, span: statement.span }, array.clone());
        let kept_in = match kept {
            Kept::Apart => self.kernel.shared.push(SharedArray { cleared: false, ..array }),
            Kept::InResult | Kept::OneByOne => parts.array,
        };
        let points = parts.axes.iter().map(|axis| axis.extent).product();
        let reads_vectors = reads_neighbours(&parts.axes, &parts.next);
        self.found.push(Sum { result: parts.array, kept_in, points, reads_vectors });
        let sums = Access { memory: Memory::Shared(kept_in), ..parts.result.clone() };
        let load = |access: &Access, element| Expr { kind: ExprKind::Load(Box::new(access.clone())), element };
        if !parts.is_in_place || kept == Kept::Apart {
            let body =
                vec![made(StatementKind::Store { access: sums.clone(), value: parts.first.clone(), is_async: false })];
            found.push(made(self.each(parts.axes.clone(), body, statement)));
        }
        let (axes, places) = self.other_axes(&parts.axes);
        let access = sums.clone().with_locals(&places);
        let value = parts
            .next
            .with_locals(&places)
            .replaced(&|expr| (expr.kind == ExprKind::Local(parts.total)).then(|| load(&access, expr.element)));
        let body = vec![made(StatementKind::Store { access: access.clone(), value, is_async: false })];
        let body = vec![made(self.each(axes, body, statement))];
        let (local, low, high) = parts.term;
        found.push(made(StatementKind::For { local, low, high, body }));
        if kept == Kept::Apart {
            let (axes, places) = self.other_axes(&parts.axes);
            let (access, from) = (parts.result.with_locals(&places), sums.with_locals(&places));
            let value = load(&from, parts.first.element);
            found.push(made(self.each(
                axes,
                vec![made(StatementKind::Store { access, value, is_async: false })],
                statement,
            )));
        }
    }

    fn each(&mut self, axes: Vec<TileAxis>, body: Vec<Statement>, statement: &Statement) -> StatementKind {
        let each = Each::new(axes, body, self.threads, &mut self.kernel.locals, statement.origin());
        StatementKind::Each(Box::new(each))
    }

    /// The axes with iterators of their own, and these by the iterators that they had.
    fn other_axes(&mut self, axes: &[TileAxis]) -> (Vec<TileAxis>, FxHashMap<Local, Expr>) {
        let (mut others, mut places) = (Vec::with_capacity(axes.len()), FxHashMap::default());
        for axis in axes {
            let local = self.kernel.locals.push(self.kernel.locals[axis.local].clone());
            others.push(TileAxis { local, ..*axis });
            places.insert(axis.local, Expr { kind: ExprKind::Local(local), element: ElementType::I64 });
        }
        (others, places)
    }
}

/// The loop over points that computes a sum for each.
struct Parts {
    /// The array of the results.
    array: SharedId,
    axes: Vec<TileAxis>,
    /// The sum so far.
    total: Local,
    /// What the terms are added to.
    first: Expr,
    /// Whether that is what the array has.
    is_in_place: bool,
    /// The iterator over the terms, and its ends.
    term: (Local, Expr, Expr),
    /// The sum with another term.
    next: Expr,
    /// Where the sum is stored.
    result: Access,
}

/// Whether several points read one element for a term.
fn shares_terms(each: &Each, next: &Expr) -> bool {
    let mut are_shared = false;
    next.walk(&mut |expr| {
        let ExprKind::Load(access) = &expr.kind else { return };
        let varies = |axis: &TileAxis| {
            let mut is_found = axis.extent == 1;
            access.offset.walk(&mut |expr| is_found |= is_local(expr, axis.local));
            is_found
        };
        are_shared |= !each.axes.iter().all(varies);
    });
    are_shared
}

/// Whether the next point along the fastest axis reads the next element for a term.
fn reads_neighbours(axes: &[TileAxis], next: &Expr) -> bool {
    let Some(fastest) = axes.iter().rev().find(|axis| axis.extent > 1) else { return false };
    let points = Points::of_axes(axes);
    let mut are_read = false;
    next.walk(&mut |expr| {
        if let ExprKind::Load(access) = &expr.kind {
            are_read |= points.step_along(access, fastest.local) == Some(1);
        }
    });
    are_read
}

fn is_load_of(expr: &Expr, array: SharedId) -> bool {
    matches!(&expr.kind, ExprKind::Load(access) if access.memory == Memory::Shared(array))
}

fn loads_of(expr: &Expr, array: SharedId) -> u32 {
    let mut loads = 0;
    expr.walk(&mut |part| loads += u32::from(is_load_of(part, array)));
    loads
}

fn is_local(expr: &Expr, local: Local) -> bool {
    matches!(expr.kind, ExprKind::Local(own) if own == local)
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Constant(_))
}
