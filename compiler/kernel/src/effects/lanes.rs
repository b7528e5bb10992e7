//! Which values are the same in lanes of a warp because of what these passed to each other.
//!
//! For each value it is known by which bits the numbers of two lanes may differ that still have the same value, apart from what
//! holds for whole classes. A sum that each lane makes of its own value and that of the lane beside it, whose number differs
//! in one bit, is the same in both, since operands of a sum may be exchanged. So after a sum for each bit, all lanes have the
//! same one, and a barrier may stand behind an `if` on it.

use rustc_hash::FxHashMap;

use super::uniform::{ALL_LANES, Class, Classes};
use crate::loops::{Node, Shuffle, ValueId, Values};
use crate::typed::{BinaryOp, Constant, Lane, MathFunction, Taken};

/// The bits by which lanes with the same value may differ, of each value so far.
pub(super) struct SameInLanes<'a, 'k> {
    values: &'a Values<'k>,
    shuffles: &'a FxHashMap<usize, Shuffle>,
    /// The classes whose instances are lanes of a warp, each with the bits by which these differ.
    classes: Vec<(Classes, u32)>,
    bits: Vec<u32>,
}

impl<'a, 'k> SameInLanes<'a, 'k> {
    pub fn new(values: &'a Values<'k>, classes: &[Class], shuffles: &'a FxHashMap<usize, Shuffle>) -> Self {
        let lanes = classes.iter().enumerate().filter_map(|(number, class)| Some((1 << number, class.lanes?)));
        Self { values, shuffles, classes: lanes.collect(), bits: Vec::new() }
    }

    /// Adds the next value, for which these classes are uniform; gives all for which it is.
    pub fn add(&mut self, id: ValueId, uniform: Classes) -> Classes {
        if self.shuffles.is_empty() {
            return uniform;
        }
        let of_classes = self.classes.iter().filter(|(class, _)| uniform & class != 0);
        let known = of_classes.fold(0, |all, (_, bits)| all | bits);
        let bits = known | self.found(id);
        self.bits.push(bits);
        let more = self.classes.iter().filter(|(_, lanes)| lanes & !bits == 0);
        more.fold(uniform, |all, (class, _)| all | class)
    }

    fn exchanged_bits(&self, id: ValueId) -> u32 {
        self.bits.get(id.0 as usize).copied().unwrap_or(0)
    }

    fn found(&self, id: ValueId) -> u32 {
        match self.values.node(id) {
            Some(Node::Shuffled(number)) => self.shuffles.get(number).map_or(0, |shuffle| self.taken(shuffle)),
            Some(Node::Binary(op, left, right)) if may_exchange(*op) => self.joined(*left, *right),
            Some(Node::Math(MathFunction::Min | MathFunction::Max, arguments)) => match arguments.as_slice() {
                [left, right] => self.joined(*left, *right),
                _ => 0,
            },
            // Which NaN a NaN is, is not defined.
            Some(Node::Bits(_)) => 0,
            Some(node) => match node.operands().as_slice() {
                [] => 0,
                operands => operands.iter().fold(ALL_LANES, |all, operand| all & self.exchanged_bits(*operand)),
            },
            None => 0,
        }
    }

    /// What is taken in a shuffle.
    fn taken(&self, shuffle: &Shuffle) -> u32 {
        match shuffle.taken {
            Taken::Votes => self.differing(shuffle.lanes.mask),
            // It depends on the number alone whose value that is.
            Taken::Lane { lane: Lane::At, number } => self.exchanged_bits(number),
            Taken::Lane { lane: Lane::Xor, number } => self.exchanged_bits(number) & self.exchanged_bits(shuffle.value),
            Taken::Lane { lane: Lane::Up | Lane::Down, .. } => match self.exchanged_bits(shuffle.value) {
                ALL_LANES => ALL_LANES,
                _ => 0,
            },
        }
    }

    /// What an operation gives whose operands may be exchanged.
    fn joined(&self, left: ValueId, right: ValueId) -> u32 {
        let of_both = self.exchanged_bits(left) & self.exchanged_bits(right);
        of_both | self.with_beside(left, right) | self.with_beside(right, left)
    }

    /// The same for a value and that of the lane whose number differs in one bit.
    fn with_beside(&self, own: ValueId, other: ValueId) -> u32 {
        let Some(Node::Shuffled(number)) = self.values.node(other) else { return 0 };
        let Some(shuffle) = self.shuffles.get(number).filter(|shuffle| shuffle.value == own) else { return 0 };
        let Taken::Lane { lane: Lane::Xor, number } = shuffle.taken else { return 0 };
        let Some(Node::Constant(Constant::Int(number))) = self.values.node(number) else { return 0 };
        match u32::try_from(*number) {
            Ok(bit) if bit.is_power_of_two() && bit & ALL_LANES == bit => self.exchanged_bits(own) | bit,
            _ => 0,
        }
    }

    /// The bits by which lanes of a mask, relative to the first of them, differ in every way.
    fn differing(&self, mask: u32) -> u32 {
        let bits = (0..u32::BITS).filter(|lane| mask >> lane & 1 == 1).fold(0, |all, lane| all | lane);
        let combinations = (0..u32::BITS).filter(|lane| lane & !bits == 0).fold(0u32, |all, lane| all | 1 << lane);
        if combinations == mask { bits } else { 0 }
    }
}

/// Whether both operands give the same in the other order.
fn may_exchange(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Equal, Multiply, NotEqual, Or};
    matches!(op, Add | And | BitAnd | BitOr | BitXor | Equal | Multiply | NotEqual | Or)
}
