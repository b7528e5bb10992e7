//! Values that lie a multiple of a number from another one: a variable that some iterations of a loop move on by 64 and others by
//! 128, or not at all.
//!
//! Such a value has no form, since nothing says how often it was moved, so this is stated beside it.

use super::condition::Condition;
use super::raiser::{OnStride, Raiser};
use super::value::{Kind, ValueId};
use crate::intervals::of_type;
use crate::typed::BinaryOp;
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;
use maps::Range;

/// The most values within each other that are multiples of a number apart.
const MOST_IN_A_CHAIN: usize = 4;

/// The distances from a value that are multiples of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stride {
    /// The number, at least 2.
    pub(super) by: i64,
    /// Whether no distance is negative, and whether none is positive.
    pub(super) never: [bool; 2],
}

impl Raiser {
    /// States that a value lies on a stride from another one, if their difference does not wrap. The value is new.
    pub(super) fn know_stride(&mut self, value: ValueId, from: ValueId, Stride { by, never }: Stride) {
        let is_index = |raiser: &Self, id| raiser.element(id) == ElementType::I64;
        if by < 2 || !is_index(self, value) || !is_index(self, from) {
            return;
        }
        let difference = self.at(value).plain.plus(self.at(from).plain.negate());
        if !difference.lies_in(of_type(ElementType::I64)) {
            return;
        }
        let [rises, falls] = never;
        let zero = |is: bool| is.then(Sym::zero);
        let times = self.unknown_within(ElementType::I64, Range { low: zero(rises), high: zero(falls) });
        // So many times the number is a difference that does not wrap.
        let most = i128::from(i64::MAX / by);
        let numbers = Interval::between(if rises { 0 } else { -most }, if falls { 0 } else { most });
        let known = self.at_mut(times);
        (known.plain, known.small) = (numbers, numbers);
        self.strides.insert(value, OnStride { from, by, times });
    }

    /// What is stated of a value that lies on a stride from another one, and of that one.
    pub(super) fn on_strides(&mut self, id: ValueId) -> Vec<Condition> {
        let mut found = Vec::new();
        let mut at = self.bare(id);
        while found.len() < MOST_IN_A_CHAIN
            && let Some(OnStride { from, by, times }) = self.strides.get(&at).copied()
        {
            let by = self.size(&Sym::constant(by));
            let left = self.intern(Kind::Binary(BinaryOp::Subtract, at, from), ElementType::I64);
            let right = self.intern(Kind::Binary(BinaryOp::Multiply, times, by), ElementType::I64);
            found.push(Condition { left, op: CompareOp::Eq, right });
            at = self.bare(from);
        }
        found
    }
}
