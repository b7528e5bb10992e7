//! Tests whether a condition holds for all threads of a tile, so that their loops can be one call.
//!
//! A comparison of sums of rows and columns holds for all threads if it holds for the greatest value of the smaller side
//! and the least value of the larger one: both are in corners of the tile.

use dims::CompareOp;
use std::collections::HashSet;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use kernel::loops::ValueId;

use super::products::is_uniform;
use crate::cpu::indices::form::{Atom, Digit, Form};
use crate::cpu::indices::forms::Forms;
use crate::cpu::indices::shape::{Comparison, Condition, LaneFacts, condition};
use crate::cpu::lowering::emitter::Emitter;

/// Distances between neighbouring threads up to this can be multiplied by the number of threads.
const SMALL: i64 = 1 << 32;

/// A condition that can be tested for all threads of a tile at once. The test may fail although it holds for all of them.
pub enum TileGuard {
    Known(bool),
    /// The value, which is the same in all threads, is this.
    Uniform(ValueId, bool),
    /// The first sum is less than the other one, or perhaps equal.
    Compare {
        smaller: Ends,
        larger: Ends,
        may_be_equal: bool,
    },
    All(Vec<TileGuard>),
    Any(Vec<TileGuard>),
}

/// The values that a sum has in a tile.
pub struct Ends {
    form: Form,
    /// How much less than the first thread's value the least one is.
    below: i64,
    /// How much more than the first thread's value the greatest one is.
    above: i64,
}

/// The test of a condition for the threads in these ranges of digits, into which the threads' ids are split.
pub fn tile_guard(forms: &mut Forms<'_>, ranges: &[Range<i64>; 2], guard: ValueId) -> Option<TileGuard> {
    // It is computed outside the loops over threads, whatever is tested around it.
    if !forms.program.is_lasting(guard) {
        return None;
    }
    let condition = condition(forms, guard, true);
    test(forms, ranges, &condition)
}

fn test(forms: &mut Forms<'_>, ranges: &[Range<i64>; 2], condition: &Condition) -> Option<TileGuard> {
    let mut each = |parts: &[Condition]| -> Option<Vec<TileGuard>> {
        parts.iter().map(|part| test(forms, ranges, part)).collect()
    };
    match condition {
        Condition::Known(value) => Some(TileGuard::Known(*value)),
        Condition::Other(value, wanted) => is_uniform(forms, *value).then_some(TileGuard::Uniform(*value, *wanted)),
        Condition::All(parts) => each(parts).map(TileGuard::All),
        Condition::Any(parts) => each(parts).map(TileGuard::Any),
        Condition::Compare(Comparison { left, operator, right }) => {
            let (smaller, larger) = match operator {
                CompareOp::Lt | CompareOp::Le => (left, right),
                CompareOp::Gt | CompareOp::Ge => (right, left),
                _ => return None,
            };
            let may_be_equal = matches!(operator, CompareOp::Le | CompareOp::Ge);
            let (smaller, larger) = (ends(forms, ranges, smaller)?, ends(forms, ranges, larger)?);
            Some(TileGuard::Compare { smaller, larger, may_be_equal })
        }
    }
}

/// The ends of a sum; `None` if its steps from row to row and from column to column are no small constants.
fn ends(forms: &mut Forms<'_>, ranges: &[Range<i64>; 2], form: &Form) -> Option<Ends> {
    let mut ends = Ends { form: form.clone(), below: 0, above: 0 };
    for digit in [Digit::High, Digit::Low] {
        let counter = forms.id(Atom::Digit(digit));
        let step = LaneFacts::new(counter, 1, HashSet::new()).step(forms, form).as_constant()?;
        let Range { start, end } = ranges[digit as usize];
        let reach = Some(step).filter(|step| (-SMALL..=SMALL).contains(step))?.checked_mul(end - start - 1)?;
        ends.below = ends.below.checked_sub(reach.min(0))?;
        ends.above = ends.above.checked_add(reach.max(0))?;
    }
    Some(ends)
}

impl Emitter<'_, '_> {
    /// Whether a condition holds for all threads of a tile; the counters are those of its first thread.
    pub fn holds_in_tile(&mut self, guard: &TileGuard) -> Value {
        match guard {
            TileGuard::Known(value) => self.builder.ins().iconst(types::I8, i64::from(*value)),
            TileGuard::Uniform(value, wanted) => {
                let value = self.value(*value);
                if *wanted { value } else { self.builder.ins().bxor_imm_u(value, 1) }
            }
            TileGuard::Compare { smaller, larger, may_be_equal } => {
                let ([_, greatest], fits) = self.ends(smaller);
                let ([least, _], fits_too) = self.ends(larger);
                let order = if *may_be_equal { IntCC::SignedLessThanOrEqual } else { IntCC::SignedLessThan };
                let holds = self.builder.ins().icmp(order, greatest, least);
                let fit = self.builder.ins().band(fits, fits_too);
                self.builder.ins().band(holds, fit)
            }
            TileGuard::All(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.holds_in_tile(part)).collect();
                let all = self.builder.ins().iconst(types::I8, 1);
                parts.into_iter().fold(all, |all, part| self.builder.ins().band(all, part))
            }
            TileGuard::Any(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.holds_in_tile(part)).collect();
                let none = self.builder.ins().iconst(types::I8, 0);
                parts.into_iter().fold(none, |any, part| self.builder.ins().bor(any, part))
            }
        }
    }

    /// The least and the greatest value of a sum, and whether none of its values wraps.
    fn ends(&mut self, Ends { form, below, above }: &Ends) -> ([Value; 2], Value) {
        let first = self.form(form);
        let least = self.builder.ins().iadd_imm_s(first, -below);
        let greatest = self.builder.ins().iadd_imm_s(first, *above);
        let low = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, least, first);
        let high = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, first, greatest);
        ([least, greatest], self.builder.ins().band(low, high))
    }
}
