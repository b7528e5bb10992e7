//! Arrays of threads as variables, where each access is of an element that is known once loops are unrolled.
//!
//! Machine code keeps variables in registers, and finds sums of products in them; an array is memory, whatever is done with it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use kernel::typed::{
    Access, BinaryOp, Constant, Expr, ExprKind, Kernel, Local, LocalVariable, Memory, Residence, Rewrite, SharedId,
    Statement, StatementKind,
};

/// The most elements of an array that becomes variables.
const MOST_ELEMENTS: i64 = 64;

/// The most iterations of a loop that is unrolled.
const MOST_ITERATIONS: i64 = 64;

/// The most statements of the kernel once its loops are unrolled.
const MOST_STATEMENTS: usize = 2048;

/// The kernel with variables in the place of such arrays.
pub fn with_variables(kernel: &Kernel) -> Cow<'_, Kernel> {
    let mut search = Search::default();
    let arrays = kernel.shared.entries().filter(|(_, array)| {
        array.held == Residence::Registers
            && !array.cleared
            && array.known_length().is_some_and(|length| length <= MOST_ELEMENTS)
    });
    search.arrays = arrays.map(|(id, _)| id).collect();
    if search.arrays.is_empty() {
        return Cow::Borrowed(kernel);
    }
    search.list(&kernel.body);
    // An array that stays needs no loop unrolled.
    let arrays = search.arrays;
    let unrolled: BTreeSet<Local> =
        search.iterators.iter().filter(|(array, _)| arrays.contains(array)).map(|(_, local)| *local).collect();
    if arrays.is_empty() || statements(&kernel.body, &unrolled) > MOST_STATEMENTS {
        return Cow::Borrowed(kernel);
    }
    let mut changed = kernel.clone();
    let body = std::mem::take(&mut changed.body);
    let mut unrolling =
        Unrolling { kernel: &mut changed, arrays, unrolled, known: BTreeMap::new(), variables: BTreeMap::new() };
    let body = unrolling.statements(body);
    changed.body = body;
    Cow::Owned(changed)
}

/// The first value and the end of a loop, if both are constants that are not far apart.
fn constant_ends(low: &Expr, high: &Expr) -> Option<(i64, i64)> {
    let (low, high) = (value(low, &BTreeMap::new())?, value(high, &BTreeMap::new())?);
    (high.checked_sub(low)? <= MOST_ITERATIONS).then_some((low, high))
}

/// The value of an index made of constants and of these variables.
fn value(expr: &Expr, known: &BTreeMap<Local, i64>) -> Option<i64> {
    match &expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(*value),
        ExprKind::Local(local) => known.get(local).copied(),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (value(left, known)?, value(right, known)?);
            match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Subtract => left.checked_sub(right),
                BinaryOp::Multiply => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The number of statements once some loops are unrolled.
fn statements(list: &[Statement], unrolled: &BTreeSet<Local>) -> usize {
    let of_one = |statement: &Statement| {
        let inside = statement.blocks().into_iter().map(|block| statements(block, unrolled)).sum::<usize>();
        let times = match &statement.kind {
            StatementKind::For { local, low, high, .. } if unrolled.contains(local) => {
                constant_ends(low, high).map_or(1, |(low, high)| (high - low).max(0) as usize)
            }
            _ => 1,
        };
        inside.saturating_mul(times).saturating_add(1)
    };
    list.iter().map(of_one).fold(0, usize::saturating_add)
}

/// Looks for arrays of which every element that is accessed follows from constants and iterators of short loops.
#[derive(Default)]
struct Search {
    arrays: BTreeSet<SharedId>,
    /// The iterators in accesses of each array.
    iterators: BTreeSet<(SharedId, Local)>,
    /// The iterators of the short loops around, each with its first value.
    around: BTreeMap<Local, i64>,
}

impl Search {
    fn list(&mut self, list: &[Statement]) {
        for statement in list {
            statement.walk_own_expressions(&mut |expr| {
                if let ExprKind::Load(access) = &expr.kind {
                    self.access(access);
                }
            });
            match &statement.kind {
                StatementKind::Store { access, .. } => self.access(access),
                // One that is changed in one step stays memory, and so does what a loop over a tile reads.
                StatementKind::Atomic(atomic) => self.refuse(atomic.access.memory),
                StatementKind::Each(_) => self.arrays.clear(),
                _ => {}
            }
            let short = match &statement.kind {
                StatementKind::For { local, low, high, .. } => constant_ends(low, high).map(|(low, _)| (*local, low)),
                _ => None,
            };
            if let Some((local, low)) = short {
                self.around.insert(local, low);
            }
            statement.blocks().into_iter().for_each(|block| self.list(block));
            if let Some((local, _)) = short {
                self.around.remove(&local);
            }
        }
    }

    fn access(&mut self, access: &Access) {
        let Memory::Shared(array) = access.memory else { return };
        if !self.arrays.contains(&array) {
            return;
        }
        if access.mask.is_some() || value(&access.offset, &self.around).is_none() {
            self.refuse(access.memory);
        }
        access.offset.locals(&mut |local| {
            self.iterators.insert((array, local));
        });
    }

    fn refuse(&mut self, memory: Memory) {
        if let Memory::Shared(array) = memory {
            self.arrays.remove(&array);
        }
    }
}

struct Unrolling<'k> {
    kernel: &'k mut Kernel,
    arrays: BTreeSet<SharedId>,
    /// The iterators of the loops that are unrolled.
    unrolled: BTreeSet<Local>,
    /// Their values here.
    known: BTreeMap<Local, i64>,
    /// The variable of each element.
    variables: BTreeMap<(SharedId, i64), Local>,
}

impl Unrolling<'_> {
    /// The variable of an element, if it is one of such an array.
    fn variable(&mut self, access: &Access) -> Option<Local> {
        let place = element(access, &self.arrays, &self.known)?;
        if let Some(local) = self.variables.get(&place) {
            return Some(*local);
        }
        let array = self.kernel.shared.get(place.0)?;
        let variable = LocalVariable { name: array.name.clone(), element: array.element, mutable: true, range: None };
        let local = self.kernel.locals.push(variable);
        self.variables.insert(place, local);
        Some(local)
    }
}

impl Rewrite for Unrolling<'_> {
    fn statement(&mut self, statement: Statement, rewritten: &mut Vec<Statement>) {
        let Statement { kind, scope, span } = statement;
        let made = |kind| Statement { kind, scope, span };
        match kind {
            StatementKind::For { local, low, high, body } if self.unrolled.contains(&local) => {
                let (first, end) = constant_ends(&low, &high).unwrap_or((0, 0));
                for number in first..end {
                    self.known.insert(local, number);
                    rewritten.push(made(StatementKind::Assign { local, value: Expr::int(number) }));
                    rewritten.extend(self.statements(body.clone()));
                }
                self.known.remove(&local);
            }
            StatementKind::Store { access, value, is_async } => {
                let value = self.expr(value);
                rewritten.push(made(match self.variable(&access) {
                    Some(local) => StatementKind::Assign { local, value },
                    None => StatementKind::Store { access: self.access(access), value, is_async },
                }));
            }
            kind => rewritten.push(made(kind).rewrite_parts(self)),
        }
    }

    fn expr(&mut self, expr: Expr) -> Expr {
        let variable = match &expr.kind {
            ExprKind::Load(access) => self.variable(access),
            _ => None,
        };
        match variable {
            Some(local) => Expr { kind: ExprKind::Local(local), element: expr.element },
            None => expr.rewrite_parts(self),
        }
    }
}

/// The element of such an array that is accessed.
fn element(access: &Access, arrays: &BTreeSet<SharedId>, known: &BTreeMap<Local, i64>) -> Option<(SharedId, i64)> {
    match access.memory {
        Memory::Shared(array) if arrays.contains(&array) => Some((array, value(&access.offset, known)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
