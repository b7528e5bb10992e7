//! What lanes do one after the other between what they do together.

use kernel::loops::{Atomic, List, Step, StepKind, ValueId};

use super::{Planner, Turns};
use crate::cpu::indices::shape;
use crate::cpu::plan::estimate::{atomic_work, work};

/// The most steps of a branch that each lane takes on its own.
const MOST_DIVIDED: usize = 4;

impl Planner<'_, '_> {
    /// A branch that each lane takes on its own: it only stores.
    pub(super) fn divide(&mut self, step: &Step, condition: ValueId, sides: [&List; 2]) -> Option<()> {
        let program = self.forms.program;
        let only_stores = |step: &Step| matches!(step.kind, StepKind::Assign { .. } | StepKind::Store { .. });
        let is_short =
            sides.into_iter().all(|side| side.steps.len() <= MOST_DIVIDED && side.steps.iter().all(only_stores));
        if !is_short || step.after.iter().any(|(_, merge)| program.is_needed(*merge)) {
            return None;
        }
        self.value(condition)?;
        let test = shape::condition(self.forms, condition, false);
        let can_test = sides[1].steps.is_empty() && self.can_test(&test, false);
        // Lanes that take it are few where that can be tested for all of them.
        let (turns, share) = if can_test { (Turns::UnlessInNone(test), 0.1) } else { (Turns::Always, 1.0) };
        let sides = sides.map(|side| work(self.forms, side));
        self.spend(share * (1.0 + sides[0].max(sides[1])));
        self.plan.divided.insert(condition, turns);
        Some(())
    }

    /// An atomic access, which each lane does after the one before. It is the only access of its memory in the loop.
    pub(super) fn atomic(&mut self, atomic: &Atomic) -> Option<()> {
        if !self.has_apart_atomic {
            return None;
        }
        for operand in &atomic.operands {
            self.value(*operand)?;
        }
        let element = self.forms.program.element_of(self.forms.program.access(atomic.access).memory);
        self.access(atomic.access, element)?;
        self.spend(atomic_work(self.forms.program, atomic) / 2.0);
        Some(())
    }
}
