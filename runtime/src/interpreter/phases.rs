//! A kernel's statements, cut where threads wait for each other.

use kernel::typed::{Barrier, Expr, Statement, StatementKind, Waiting};

use super::program::{Builder, Node, Step};
use crate::execute::error::ExecuteError;

/// A piece of a list of statements.
pub(crate) enum Phase {
    /// No thread waits in these: each runs them for itself.
    Alone(Vec<Step>),
    /// Threads wait for each other.
    Meeting(Meeting),
    /// A loop in which threads wait.
    For { local: usize, low: Node, high: Node, body: Vec<Phase> },
    /// A condition under which threads wait.
    If { condition: Node, then: Vec<Phase>, otherwise: Vec<Phase> },
}

/// A barrier.
pub(crate) struct Meeting {
    pub barrier: Barrier,
    pub waiting: Waiters,
}

/// Who waits at a barrier, made ready like everything else of the kernel.
pub(crate) enum Waiters {
    /// All threads of the block.
    Block,
    /// Some lanes of each warp, counted from the first one.
    Warp { lanes: u32, first: Node },
    /// So many threads at the barrier of this number.
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
        StatementKind::For { local, low, high, body } => {
            let (local, low, high) = (local.0 as usize, builder.node(low)?, builder.node(high)?);
            match steps(phases(builder, body)?) {
                Ok(body) => alone(Step::For { local, low, high, body }),
                Err(body) => Phase::For { local, low, high, body },
            }
        }
        StatementKind::If { condition, then, otherwise } => branch(builder, condition, then, otherwise)?,
        StatementKind::Collective { condition, body, .. } => branch(builder, condition, body, &[])?,
        StatementKind::Barrier(barrier) => {
            let waiting = match &barrier.waiting {
                Waiting::Block => Waiters::Block,
                Waiting::Warp { lanes, first } => Waiters::Warp { lanes: *lanes, first: builder.node(first)? },
                Waiting::Warps { id, threads } => Waiters::Warps { id: builder.node(id)?, threads: *threads },
            };
            Phase::Meeting(Meeting { barrier: barrier.clone(), waiting })
        }
    })
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

/// The steps of phases in which nobody waits; the phases themselves where somebody does.
fn steps(mut phases: Vec<Phase>) -> Result<Vec<Step>, Vec<Phase>> {
    match phases.pop() {
        None => Ok(Vec::new()),
        // Neighbouring steps are one phase, so there is no other one.
        Some(Phase::Alone(steps)) if phases.is_empty() => Ok(steps),
        Some(last) => {
            phases.push(last);
            Err(phases)
        }
    }
}

/// The phases that [`steps`] was given.
fn again(steps: Result<Vec<Step>, Vec<Phase>>) -> Vec<Phase> {
    match steps {
        Ok(steps) if steps.is_empty() => Vec::new(),
        Ok(steps) => vec![Phase::Alone(steps)],
        Err(phases) => phases,
    }
}
