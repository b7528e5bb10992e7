//! Ids and iterators from a known value that follows from them alone and has each number once: `t | 1` of even threads.

use super::super::value::Kind;
use super::super::value::ValueId;
use super::Search;
use crate::typed::{BinaryOp, UnaryOp};

/// The most values that are looked at for one question.
const MOST_LOOKED_AT: usize = 32;

impl Search<'_> {
    /// Notes the parts of sums that no other rule takes apart and that decide ids or iterators, by what holds here.
    pub(super) fn note_deciding(&mut self, given: &[ValueId]) {
        let mut open = given.to_vec();
        for _ in 0..MOST_LOOKED_AT {
            let Some(value) = open.pop() else { break };
            let value = self.raiser.plainly(value);
            match *self.raiser.kind(value) {
                Kind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, left, right) => {
                    open.extend([left, right]);
                }
                Kind::Unary(UnaryOp::Negate, inner) | Kind::Cast(inner) => open.push(inner),
                Kind::Binary(BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor, ..)
                | Kind::Select(..)
                | Kind::Math(..)
                | Kind::Load { .. } => {
                    let leaves = self.raiser.leaves_from(value);
                    self.deciding.extend(leaves.map(|leaves| (value, leaves)));
                }
                _ => {}
            }
        }
    }
}
