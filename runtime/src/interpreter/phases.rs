//! A kernel's statements, split where threads wait for each other.

use elements::ElementType;
use kernel::typed::{Barrier, Constant, Expr, Lane, Shuffle, Statement, StatementKind, Waiting};
use syntax::span::Span;

use super::program::{Builder, Header, Node, Step};
use crate::execute::error::ExecuteError;

/// A piece of a list of statements.
pub(crate) enum Phase {
    /// Statements without barriers, which each thread runs on its own.
    Alone(Vec<Step>),
    /// A barrier.
    Barrier(PreparedBarrier),
    /// A shuffle, for which the threads of a warp wait for each other.
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
    pub lane: Lane,
    pub number: Node,
    /// All lanes of the warp have to come.
    pub arrival: PreparedBarrier,
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
        StatementKind::Store { access, value } => {
            alone(Step::Store { place: builder.place(access)?, value: builder.node(value)? })
        }
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
            let Shuffle { local, value, lane, number } = &**shuffle;
            let (value, number) = (builder.node(value)?, builder.node(number)?);
            let arrival = whole_warp(statement.span);
            Phase::Shuffle(PreparedShuffle { local: local.0 as usize, value, lane: *lane, number, arrival })
        }
        StatementKind::Barrier(barrier) => {
            let waiting = match &barrier.waiting {
                Waiting::Block => Waiters::Block,
                Waiting::Warp { lanes, first } => Waiters::Warp { lanes: *lanes, first: builder.node(first)? },
                Waiting::Warps { id, threads } => Waiters::Warps { id: builder.node(id)?, threads: *threads },
            };
            Phase::Barrier(PreparedBarrier { barrier: barrier.clone(), waiting })
        }
    })
}

/// What all lanes of a warp do together, as a barrier.
fn whole_warp(span: Span) -> PreparedBarrier {
    let waiting = Waiting::Warp { lanes: u32::MAX, first: Expr::int(0) };
    let barrier = Barrier { waiting, before: span, after: span };
    PreparedBarrier { barrier, waiting: Waiters::Warp { lanes: u32::MAX, first: Node::Constant(0) } }
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
