//! Atomic accesses, one step each.

use kernel::typed::{Atomic, AtomicOperation, Combination};

use super::operation::{self, Function, Function2};
use super::program::{Builder, Node, Place};
use super::run::{Run, State};
use crate::execute::error::ExecuteError;
use crate::tensors::Bits;

/// An atomic access, prepared for interpretation.
pub(crate) struct PreparedAtomic {
    pub(super) place: Place,
    change: Change,
    operands: Vec<Node>,
    result: Option<usize>,
}

/// What becomes of the element.
enum Change {
    /// It stays.
    Nothing,
    /// The operand takes its place.
    Replaced,
    /// It is combined with the operand.
    Combined(Function2),
    /// The second operand takes its place if it equals the first one.
    IfEqual,
}

impl Builder<'_> {
    /// Prepares an atomic access.
    pub(super) fn atomic(&self, atomic: &Atomic) -> Result<PreparedAtomic, ExecuteError> {
        let place = self.place(&atomic.access)?;
        let change = match (atomic.operation, atomic.operation.combination()) {
            (AtomicOperation::Load, _) => Change::Nothing,
            (AtomicOperation::CompareExchange, _) => Change::IfEqual,
            (_, None) => Change::Replaced,
            (_, Some(combination)) => {
                let function = match combination {
                    Combination::Operator(operator) => operation::binary(operator, place.element),
                    Combination::Function(function) => match operation::math(function, place.element) {
                        Some(Function::Two(function)) => Some(function),
                        _ => None,
                    },
                };
                let missing = || self.malformed(format!("{} of {}", atomic.operation.name(), place.element));
                Change::Combined(function.ok_or_else(missing)?)
            }
        };
        let operands = atomic.operands.iter().map(|operand| self.node(operand)).collect::<Result<_, _>>()?;
        Ok(PreparedAtomic { place, change, operands, result: atomic.result.map(|local| local.0 as usize) })
    }
}

impl State<'_> {
    /// Performs an atomic access in the current thread.
    pub(crate) fn atomic(&mut self, atomic: &PreparedAtomic) -> Run<()> {
        let mut before = 0;
        // The mask is evaluated first, and the operands only if it holds.
        if let Some(offset) = self.offset(&atomic.place, "changes")? {
            let mut operands = [0; 2];
            for (value, operand) in operands.iter_mut().zip(&atomic.operands) {
                *value = self.value(operand)?;
            }
            before = self.read_at(&atomic.place, offset, "changes")?;
            if let Some(value) = atomic.change.changed(before, operands) {
                self.write_at(&atomic.place, offset, value)?;
            }
        }
        if let Some(local) = atomic.result {
            self.assign(local, before);
        }
        Ok(())
    }
}

impl Change {
    /// What an element becomes, unless it stays as it is.
    fn changed(&self, before: Bits, [first, second]: [Bits; 2]) -> Option<Bits> {
        match self {
            Self::Nothing => None,
            Self::Replaced => Some(first),
            Self::Combined(function) => Some(function(before, first)),
            Self::IfEqual => (before == first).then_some(second),
        }
    }
}
