//! Reductions whose 32 chains are the lanes of a warp join them without memory.
//!
//! A reduction is two loops: one over (the points of the result, 32 chains), which stores the total of each chain, and one
//! over the points of the result, which joins 32 totals in halves. Where the threads of a block are whole warps, the chains
//! of a point are the lanes of one warp in one round, so a lane can take the total of another one from its registers. Chain
//! `c` is joined with chain `c + 16`, then with `c + 8`, and so on, as the second loop did it: the sum has the same bits.

use std::collections::{BTreeMap, BTreeSet};

use super::accesses::{Points, Reach, Usages};
use super::liveness::Sites;
use crate::typed::{
    Access, BinaryOp, Combination, Each, Expr, ExprKind, Kernel, Lane, Local, LocalVariable, Locals, Memory, SharedId,
    Shuffle, Statement, StatementKind, TileAxis,
};
use elements::ElementType;
use maps::hardware::WARP_LANES;

/// Makes one loop of the two of each reduction, for a number of threads that are whole warps. The array between the two is
/// used no more then.
pub(super) fn use_shuffles(kernel: &mut Kernel, threads: i64, poll: &dyn Fn()) {
    let passed = passed_on(kernel, threads, poll);
    let body = std::mem::take(&mut kernel.body);
    kernel.body = Joining { passed: &passed, locals: &mut kernel.locals, threads, poll }.list(body);
}

/// The arrays that carry elements from a loop over points to the loop after it, and no further: the first loop writes all elements,
/// the second one reads them, and there are no other uses but more such pairs.
fn passed_on(kernel: &Kernel, threads: i64, poll: &dyn Fn()) -> BTreeSet<SharedId> {
    let sites = Sites::new(kernel, threads, poll);
    let mut pairs: BTreeMap<SharedId, usize> = BTreeMap::new();
    let mut open = vec![kernel.body.as_slice()];
    while let Some(list) = open.pop() {
        poll();
        for pair in list.windows(2) {
            if let [
                Statement { kind: StatementKind::Each(first), .. },
                Statement { kind: StatementKind::Each(second), .. },
            ] = pair
                && let Some(array) = carried((first, second), kernel, threads)
            {
                *pairs.entry(array).or_default() += 1;
            }
        }
        let outer = list.iter().filter(|statement| !matches!(statement.kind, StatementKind::Each(_)));
        open.extend(outer.flat_map(|statement| statement.blocks()));
    }
    let is_used_otherwise = |(array, pairs): &(SharedId, usize)| {
        sites.others.get(Memory::Shared(*array)).accesses > 0 || sites.of_array(*array).count() != 2 * pairs
    };
    pairs.into_iter().filter(|pair| !is_used_otherwise(pair)).map(|(array, _)| array).collect()
}

/// The array that the first of two loops writes and the second one reads.
fn carried((first, second): (&Each, &Each), kernel: &Kernel, threads: i64) -> Option<SharedId> {
    let StatementKind::Store { access: Access { memory: Memory::Shared(array), .. }, .. } = first.body.last()?.kind
    else {
        return None;
    };
    let memory = Memory::Shared(array);
    let [before, after] = [first, second].map(|each| Usages::of_each(each, &kernel.locals, threads).get(memory));
    let length = kernel.shared.get(array)?.known_length()?;
    let is_carried = (before.reach, before.accesses) == (Reach::Point, 1)
        && first.points() == length
        && after.accesses > 0
        && !after.writes;
    is_carried.then_some(array)
}

struct Joining<'k> {
    passed: &'k BTreeSet<SharedId>,
    locals: &'k mut Locals,
    threads: i64,
    poll: &'k dyn Fn(),
}

impl Joining<'_> {
    fn list(&mut self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut found: Vec<Statement> = Vec::with_capacity(statements.len());
        for mut statement in statements {
            (self.poll)();
            if let StatementKind::Each(second) = &statement.kind {
                if let Some(before) = found.last_mut()
                    && before.scope == statement.scope
                    && let StatementKind::Each(first) = &mut before.kind
                    && let Some(reduction) = self.reduction(first, second)
                {
                    let body = self.body(first, &reduction, &statement);
                    first.body = body;
                    continue;
                }
            } else {
                statement.change_blocks(&mut |block| self.list(block));
            }
            found.push(statement);
        }
        found
    }

    /// What two neighbouring loops reduce, if they are a reduction.
    fn reduction(&self, first: &Each, second: &Each) -> Option<Reduction> {
        let (chain, outer) = first.axes.split_last().filter(|(chain, _)| chain.extent == WARP_LANES)?;
        let StatementKind::Store { access: Access { memory, .. }, value: total, .. } = &first.body.last()?.kind else {
            return None;
        };
        let Memory::Shared(array) = memory else { return None };
        let [Statement { kind: StatementKind::Store { access: result, value: tree, is_async: false }, .. }] =
            second.body.as_slice()
        else {
            return None;
        };
        let [before, after] = [first, second].map(|each| Usages::of_each(each, self.locals, self.threads));
        let chains = Chains { memory: *memory, points: Points::new(second), join: combination(tree)? };
        let is_reduction = self.passed.contains(array)
            && (before.get(*memory).accesses, before.get(*memory).reach) == (1, Reach::Point)
            && i64::from(after.get(*memory).accesses) == WARP_LANES
            && are_apart(&before, &after, *memory)
            && chains.are_joined_in_halves(tree, 0, 1);
        let places = is_reduction.then(|| same_points(&second.axes, outer))??;
        let result = result.clone().replaced(&|expr| match expr.kind {
            ExprKind::Local(local) => places.iter().find(|(own, _)| *own == local).map(|(_, place)| place.clone()),
            _ => None,
        });
        Some(Reduction { chain: chain.local, total: total.clone(), join: chains.join, result })
    }

    /// The body of the one loop: the chain of each lane, the join of all, and the result in the first lane.
    fn body(&mut self, first: &Each, reduction: &Reduction, second: &Statement) -> Vec<Statement> {
        let statement = |kind| second.origin().statement(kind);
        let chain = first.body.len().saturating_sub(1);
        let mut body: Vec<Statement> = first.body.iter().take(chain).cloned().collect();
        let mut total = reduction.total.clone();
        if !matches!(total.kind, ExprKind::Local(_)) {
            let (local, value) = self.variable("total".to_owned(), total.element);
            body.push(statement(StatementKind::Assign { local, value: std::mem::replace(&mut total, value) }));
        }
        let mut lanes = WARP_LANES / 2;
        while lanes > 0 {
            let (local, other) = self.variable(format!("other_{lanes}"), total.element);
            let shuffle = Shuffle::in_warp(local, total.clone(), Lane::Down, Expr::int(lanes));
            body.push(statement(StatementKind::Shuffle(Box::new(shuffle))));
            let (local, joined) = self.variable(format!("joined_{lanes}"), total.element);
            let value = reduction.join.apply(std::mem::replace(&mut total, joined), other);
            body.push(statement(StatementKind::Assign { local, value }));
            lanes /= 2;
        }
        let chain = Expr { kind: ExprKind::Local(reduction.chain), element: ElementType::I64 };
        let condition = Expr::binary(BinaryOp::Equal, chain, Expr::int(0));
        let store = StatementKind::Store { access: reduction.result.clone(), value: total, is_async: false };
        let then = vec![statement(store)];
        body.push(statement(StatementKind::If { condition, then, otherwise: Vec::new() }));
        body
    }

    /// A new variable that is assigned once.
    fn variable(&mut self, name: String, element: ElementType) -> (Local, Expr) {
        let local = self.locals.push(LocalVariable { name: name.into(), element, mutable: false, range: None });
        (local, Expr { kind: ExprKind::Local(local), element })
    }
}

/// A reduction of 32 chains.
struct Reduction {
    /// The number of the chain, which is that of the lane.
    chain: Local,
    /// The total of the chain.
    total: Expr,
    /// How two totals become one.
    join: Combination,
    /// Where the result is stored, over the axes of the first loop.
    result: Access,
}

/// How the outermost operation of an expression makes one element of two, if it is one that may.
fn combination(expr: &Expr) -> Option<Combination> {
    match &expr.kind {
        ExprKind::Binary(op, ..) => Some(Combination::Operator(*op)),
        ExprKind::Math(function, _) => Some(Combination::Function(*function)),
        _ => None,
    }
}

/// The totals of the chains as the second loop reads them.
struct Chains {
    memory: Memory,
    points: Points,
    join: Combination,
}

impl Chains {
    /// Whether an expression joins, of 32 chains of its point, those at `chain`, `chain + apart`, … in halves.
    fn are_joined_in_halves(&self, expr: &Expr, chain: i64, apart: i64) -> bool {
        if apart == WARP_LANES {
            let ExprKind::Load(access) = &expr.kind else { return false };
            return access.memory == self.memory && self.points.reaches(access, WARP_LANES, chain);
        }
        let (left, right) = match &expr.kind {
            ExprKind::Binary(_, left, right) => (&**left, &**right),
            ExprKind::Math(_, arguments) => match arguments.as_slice() {
                [left, right] => (left, right),
                _ => return false,
            },
            _ => return false,
        };
        // A comparison gives another type than it takes.
        combination(expr) == Some(self.join)
            && left.element == expr.element
            && self.are_joined_in_halves(left, chain, 2 * apart)
            && self.are_joined_in_halves(right, chain + apart, 2 * apart)
    }
}

/// Whether a loop may run at a point while another one that stood before it still runs at others, but for one memory.
fn are_apart(before: &Usages, after: &Usages, but: Memory) -> bool {
    let may_meet = |(memory, usage): (Memory, super::accesses::Usage)| {
        let earlier = before.get(memory);
        memory != but && earlier.accesses > 0 && (usage.writes || earlier.writes)
    };
    !before.are_atomic && !after.are_atomic && !after.iter().any(may_meet)
}

/// The coordinates of a point on some axes from those of the same point on other axes; `None` if their boxes have other points.
fn same_points(axes: &[TileAxis], of: &[TileAxis]) -> Option<Vec<(Local, Expr)>> {
    let mut wide = of.iter().filter(|axis| axis.extent != 1);
    let mut found = Vec::with_capacity(axes.len());
    for axis in axes {
        let place = match axis.extent {
            1 => Expr::int(0),
            extent => {
                let same = wide.next().filter(|other| other.extent == extent)?;
                Expr { kind: ExprKind::Local(same.local), element: ElementType::I64 }
            }
        };
        found.push((axis.local, place));
    }
    wide.next().is_none().then_some(found)
}
