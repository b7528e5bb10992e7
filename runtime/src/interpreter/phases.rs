//! A kernel's statements, split where threads wait for each other.

use elements::ElementType;
use kernel::typed::{Barrier, Constant, Expr, Shuffle, Statement, StatementKind, Taken, Waiting};

use super::program::{Builder, Header, Node, Step};
use crate::execute::error::ExecuteError;
use crate::tensors::{Bits, Element};
use maps::hardware::WARP_LANES;

/// A piece of a list of statements.
pub(crate) enum Phase {
    /// Statements without barriers, which each thread runs on its own.
    Alone(Vec<Step>),
    /// A barrier.
    Barrier(PreparedBarrier),
    /// A shuffle, for which lanes of a warp wait for each other.
    Shuffle(PreparedShuffle),
    /// A loop with barriers.
    For { header: Header, body: Vec<Phase> },
    /// A condition with barriers.
    If { condition: Node, then: Vec<Phase>, otherwise: Vec<Phase> },
}

/// A barrier, prepared for interpretation.
pub(crate) struct PreparedBarrier {
    pub barrier: Barrier,
    pub waiting: Waiters,
}

/// A shuffle, prepared for interpretation.
pub(crate) struct PreparedShuffle {
    pub local: usize,
    pub value: Node,
    pub taken: Taken<Node>,
    /// The lanes that have to come.
    pub arrival: PreparedBarrier,
}

impl PreparedShuffle {
    /// What a thread takes, with its number, in a shuffle of the lanes in a mask; `given` is what each thread gives.
    pub fn result(&self, thread: i64, number: i64, mask: u32, given: impl Fn(usize) -> Bits) -> Bits {
        let own = thread % WARP_LANES;
        // The check of the kernel has seen that there are whole warps.
        let of_lane = |lane: i64| given(usize::try_from(thread - own + lane).unwrap_or(0));
        match &self.taken {
            Taken::Lane { lane, .. } => of_lane(lane.source(own, number)),
            Taken::Votes => {
                let votes = (0..WARP_LANES).filter(|lane| mask >> lane & 1 == 1 && bool::decode(of_lane(*lane)));
                votes.fold(0, |votes, lane| votes | 1 << lane)
            }
        }
    }
}

/// The threads that wait at a barrier, prepared for interpretation.
pub(crate) enum Waiters {
    /// All threads of the block.
    Block,
    /// Some lanes of each warp, counted from the first one that waits.
    Warp { lanes: u32, first: Node },
    /// A number of threads at the barrier with this number.
    Warps { id: Node, threads: u32 },
}

/// The phases of a list of statements.
pub(super) fn phases(builder: &Builder<'_>, statements: &[Statement]) -> Result<Vec<Phase>, ExecuteError> {
    let mut phases = Vec::new();
    for statement in statements {
        let phase = phase(builder, statement)?;
        match (phases.last_mut(), phase) {
            (Some(Phase::Alone(before)), Phase::Alone(mut steps)) => before.append(&mut steps),
            (_, phase) => phases.push(phase),
        }
    }
    Ok(phases)
}

fn phase(builder: &Builder<'_>, statement: &Statement) -> Result<Phase, ExecuteError> {
    Ok(match &statement.kind {
        StatementKind::Assign { local, value } => {
            alone(Step::Assign { local: local.0 as usize, value: builder.node(value)? })
        }
        StatementKind::Store { access, value, is_async: false } => {
            alone(Step::Store { place: builder.place(access)?, value: builder.node(value)? })
        }
        StatementKind::Store { access, value, is_async: true } => {
            alone(Step::Copy { place: builder.place(access)?, value: builder.node(value)? })
        }
        StatementKind::Copies(order) => alone(Step::Copies(*order)),
        StatementKind::Atomic(atomic) => alone(Step::Atomic(Box::new(builder.atomic(atomic)?))),
        StatementKind::For { local, low, high, body } => {
            let ending = builder.kernel.ending(body).map(|local| local.0 as usize);
            let (local, low, high) = (local.0 as usize, builder.node(low)?, builder.node(high)?);
            let header = Header { local, low, high, ending };
            match steps(phases(builder, body)?) {
                Ok(body) => alone(Step::For { header, body }),
                Err(body) => Phase::For { header, body },
            }
        }
        StatementKind::If { condition, then, otherwise } => branch(builder, condition, then, otherwise)?,
        StatementKind::Collective { condition, body, .. } => branch(builder, condition, body, &[])?,
        StatementKind::Each(each) => match steps(phases(builder, &each.per_thread)?) {
            Ok(steps) => Phase::Alone(steps),
            Err(then) => {
                let always = Expr::constant(Constant::Bool(true), ElementType::Bool);
                Phase::If { condition: builder.node(&always)?, then, otherwise: Vec::new() }
            }
        },
        StatementKind::Shuffle(shuffle) => {
            let Shuffle { local, value, taken, lanes, .. } = &**shuffle;
            let taken = match taken {
                Taken::Lane { lane, number } => Taken::Lane { lane: *lane, number: builder.node(number)? },
                Taken::Votes => Taken::Votes,
            };
            let waiting = Waiting::Warp { lanes: lanes.mask, first: lanes.first.clone() };
            let barrier = Barrier { waiting, before: statement.span, after: statement.span };
            let value = builder.node(value)?;
            Phase::Shuffle(PreparedShuffle {
                local: local.0 as usize,
                value,
                taken,
                arrival: prepared(builder, &barrier)?,
            })
        }
        StatementKind::Barrier(barrier) => Phase::Barrier(prepared(builder, barrier)?),
    })
}

fn prepared(builder: &Builder<'_>, barrier: &Barrier) -> Result<PreparedBarrier, ExecuteError> {
    let waiting = match &barrier.waiting {
        Waiting::Block => Waiters::Block,
        Waiting::Warp { lanes, first } => Waiters::Warp { lanes: *lanes, first: builder.node(first)? },
        Waiting::Warps { id, threads } => Waiters::Warps { id: builder.node(id)?, threads: *threads },
    };
    Ok(PreparedBarrier { barrier: barrier.clone(), waiting })
}

fn branch(
    builder: &Builder<'_>,
    condition: &Expr,
    then: &[Statement],
    otherwise: &[Statement],
) -> Result<Phase, ExecuteError> {
    let condition = builder.node(condition)?;
    Ok(match (steps(phases(builder, then)?), steps(phases(builder, otherwise)?)) {
        (Ok(then), Ok(otherwise)) => alone(Step::If { condition, then, otherwise }),
        (then, otherwise) => Phase::If { condition, then: again(then), otherwise: again(otherwise) },
    })
}

fn alone(step: Step) -> Phase {
    Phase::Alone(vec![step])
}

/// The steps of phases without barriers; the phases themselves if there are barriers.
fn steps(mut phases: Vec<Phase>) -> Result<Vec<Step>, Vec<Phase>> {
    match phases.pop() {
        None => Ok(Vec::new()),
        // Adjacent steps are one phase, so there is no other one.
        Some(Phase::Alone(steps)) if phases.is_empty() => Ok(steps),
        Some(last) => {
            phases.push(last);
            Err(phases)
        }
    }
}

/// The argument of [`steps`], from its result.
fn again(steps: Result<Vec<Step>, Vec<Phase>>) -> Vec<Phase> {
    match steps {
        Ok(steps) if steps.is_empty() => Vec::new(),
        Ok(steps) => vec![Phase::Alone(steps)],
        Err(phases) => phases,
    }
}
