//! Sums and running sums of lanes on a processor.
//!
//! On a GPU all lanes of a warp take part in each step of a sum: each joins what it has with what the lane has whose number
//! differs in one bit, a *butterfly*. On a processor one thread does it for all of them, with half as many operations in each
//! step as in the one before. The results have the same bits, since operands of these operations may be exchanged.

use std::collections::BTreeMap;

use elements::ElementType;
use kernel::typed::{
    Access, BinaryOp, Combination, Constant, Expr, ExprKind, Kernel, Lane, Lanes, Local, MathFunction, Shuffle,
    Statement, StatementKind, Taken, Together,
};
use maps::hardware::WARP_LANES;

/// Shuffles that follow each other, with what is made of them.
pub struct Butterfly {
    /// What each lane begins with.
    pub value: Expr,
    pub join: Combination,
    /// The bits by which the numbers of lanes differ, in the order of the steps.
    pub bits: Vec<i64>,
    /// The variable with the result of all lanes.
    pub total: Local,
    /// The variable with the result of a lane and those before it, if it is wanted.
    pub up_to: Option<Local>,
    /// The lanes that execute it.
    pub lanes: Lanes,
    /// The threads that execute it together.
    pub together: Together,
    /// How many statements it takes the place of.
    pub statements: usize,
}

/// One step.
struct Step {
    bit: i64,
    join: Combination,
    value: Expr,
    joined: Local,
    up_to: Option<Local>,
    other: Local,
    statements: usize,
}

/// How often each variable is read.
pub struct Reads(BTreeMap<Local, usize>);

impl Reads {
    pub fn in_kernel(kernel: &Kernel) -> Self {
        let mut reads = Self(BTreeMap::new());
        Statement::walk(&kernel.body, &mut |statement| {
            statement.walk_own_expressions(&mut |expr| match &expr.kind {
                ExprKind::Local(local) => *reads.0.entry(*local).or_default() += 1,
                ExprKind::Load(access) => reads.add_coordinates(access),
                _ => {}
            });
            match &statement.kind {
                StatementKind::Store { access, .. } => reads.add_coordinates(access),
                StatementKind::Atomic(atomic) => reads.add_coordinates(&atomic.access),
                _ => {}
            }
        });
        reads
    }

    fn add_coordinates(&mut self, access: &Access) {
        for coordinate in &access.coordinates {
            coordinate.locals(&mut |local| *self.0.entry(local).or_default() += 1);
        }
    }

    /// Whether a variable is read at all.
    pub fn is_read(&self, local: Local) -> bool {
        self.count(local) > 0
    }

    pub fn count(&self, local: Local) -> usize {
        self.0.get(&local).copied().unwrap_or(0)
    }
}

/// The butterfly with which a list of statements begins.
pub fn butterfly(statements: &[Statement], reads: &Reads) -> Option<Butterfly> {
    let StatementKind::Shuffle(shuffle) = &statements.first()?.kind else { return None };
    let (lanes, together) = (shuffle.lanes.clone(), shuffle.together);
    let mut steps: Vec<Step> = Vec::new();
    let mut taken = 0;
    while let Some(step) = next(statements.get(taken..)?, steps.last(), &lanes) {
        if steps.iter().any(|before| before.bit == step.bit) {
            break;
        }
        taken += step.statements;
        steps.push(step);
    }
    // What the steps leave behind for the last one only is not there any more.
    while steps.len() > 1 && !are_for_last(&steps, reads) {
        steps.pop();
    }
    let (first, last) = (steps.first()?, steps.last()?);
    (steps.len() > 1 && are_for_last(&steps, reads)).then(|| Butterfly {
        value: first.value.clone(),
        join: first.join,
        bits: steps.iter().map(|step| step.bit).collect(),
        total: last.joined,
        up_to: last.up_to,
        lanes,
        together,
        statements: steps.iter().map(|step| step.statements).sum(),
    })
}

/// Whether nothing else reads what steps before the last one gave.
fn are_for_last(steps: &[Step], reads: &Reads) -> bool {
    steps.iter().enumerate().all(|(place, step)| {
        let is_last = place + 1 == steps.len();
        // The other lane's value is read by the sum, and by the running sum.
        let is_other_kept = reads.count(step.other) > 1 + usize::from(step.up_to.is_some());
        let is_joined_kept = !is_last
            && steps.get(place + 1).is_some_and(|next| next.joined != step.joined)
            && reads.count(step.joined) > 2;
        // The running sum of the next step reads it twice.
        let is_up_to_kept = !is_last && step.up_to.is_some_and(|local| reads.count(local) > 2);
        !is_other_kept && !is_joined_kept && !is_up_to_kept
    })
}

/// The step with which statements begin, behind the one before.
fn next(statements: &[Statement], before: Option<&Step>, lanes: &Lanes) -> Option<Step> {
    let StatementKind::Shuffle(shuffle) = &statements.first()?.kind else { return None };
    let Shuffle { local: other, value, taken: Taken::Lane { lane: Lane::Xor, number }, lanes: own, .. } = &**shuffle
    else {
        return None;
    };
    let ExprKind::Constant(Constant::Int(bit)) = number.kind else { return None };
    let is_bit = (1..WARP_LANES).contains(&bit) && bit & (bit - 1) == 0;
    // What is given is a variable, so that it is known where it is joined again.
    let ExprKind::Local(given) = value.kind else { return None };
    if !is_bit || own != lanes || before.is_some_and(|before| before.joined != given) {
        return None;
    }
    let assigned = |place: usize| match &statements.get(place)?.kind {
        StatementKind::Assign { local, value } => Some((*local, value)),
        _ => None,
    };
    let own_before = match before {
        Some(before) => before.up_to,
        None => Some(given),
    };
    let (second, found) = assigned(1)?;
    let element = value.element;
    let (up_to, place) = match running(found, *other, bit, element) {
        Some((own, join)) if Some(own) == own_before => (Some((second, join)), 2),
        _ => (None, 1),
    };
    let (joined, sum) = assigned(place)?;
    let join = joined_from(sum, value, *other)?;
    // Either all steps have a running sum or none has.
    let is_alike = before.is_none_or(|before| before.up_to.is_some() == up_to.is_some() && before.join == join);
    let is_bit_new = is_alike && up_to.as_ref().is_none_or(|(_, running)| *running == join);
    let up_to = up_to.map(|(local, _)| local);
    is_bit_new.then(|| Step { bit, join, value: value.clone(), joined, up_to, other: *other, statements: place + 1 })
}

/// The operation of a sum of what a lane has and what another one gave, in whichever order.
fn joined_from(sum: &Expr, value: &Expr, other: Local) -> Option<Combination> {
    let (join, left, right) = joining(sum)?;
    let is_other = |expr: &Expr| expr.kind == ExprKind::Local(other);
    let is_sum = left == value && is_other(right) || right == value && is_other(left);
    is_sum.then_some(join)
}

/// The variable and the operation of a running sum: `if thread & bit != 0 { other + own } else { own }`.
fn running(expr: &Expr, other: Local, bit: i64, element: ElementType) -> Option<(Local, Combination)> {
    let ExprKind::Select(condition, then, otherwise) = &expr.kind else { return None };
    let own_bit = Expr::binary(BinaryOp::BitAnd, Expr::thread_id(), Expr::int(bit));
    let is_behind = Expr::binary(BinaryOp::NotEqual, own_bit, Expr::int(0));
    let ExprKind::Local(own) = otherwise.kind else { return None };
    let (join, left, right) = joining(then)?;
    let is_running = **condition == is_behind
        && left.kind == ExprKind::Local(other)
        && right == &**otherwise
        && expr.element == element;
    is_running.then_some((own, join))
}

/// An operation whose operands may be exchanged.
fn joining(expr: &Expr) -> Option<(Combination, &Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Binary(op, left, right)
            if matches!(
                op,
                BinaryOp::Add | BinaryOp::Multiply | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
            ) =>
        {
            Some((Combination::Operator(*op), left, right))
        }
        ExprKind::Math(function @ (MathFunction::Min | MathFunction::Max), arguments) => match arguments.as_slice() {
            [left, right] => Some((Combination::Function(*function), left, right)),
            _ => None,
        },
        _ => None,
    }
}

impl Butterfly {
    /// The lanes of a group, relative to the first of them: all combinations of the bits. Place `k` has the bits of the steps
    /// in `k`, the first step as the lowest.
    pub fn offsets(&self) -> Vec<i64> {
        let of = |place: usize| {
            let set = self.bits.iter().enumerate().filter(|(step, _)| place >> step & 1 == 1);
            set.map(|(_, bit)| bit).sum()
        };
        (0..1usize << self.bits.len()).map(of).collect()
    }
}
