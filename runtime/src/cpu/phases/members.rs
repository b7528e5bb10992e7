//! Finds the threads of a block for which a condition holds, if that is known at compile time.

use std::ops::Range;

use elements::ElementType;
use kernel::loops::{Node, ValueId, Values};
use kernel::typed::BinaryOp;
use kernel::with_enough_stack;
use rustc_hash::FxHashMap;

use crate::interpreter::operation;
use crate::interpreter::program::constant_bits;
use crate::tensors::Bits;

/// The most threads in a block that are enumerated.
const MOST_THREADS: i64 = 1 << 12;

/// The threads for which a condition holds.
#[derive(Debug)]
pub struct Members {
    /// The only threads for which it may hold.
    pub range: Range<i64>,
    /// The remaining condition among them.
    pub rest: Option<ValueId>,
}

impl Members {
    /// Finds the threads of a block for which a condition holds. Parts that depend on more than the thread's id remain
    /// as a condition.
    pub fn among(condition: ValueId, values: &mut Values<'_>) -> Option<Members> {
        let threads = values.kernel.launch.threads.as_constant();
        let threads = threads.filter(|threads| (0..=MOST_THREADS).contains(threads))?;
        let mut members = vec![true; usize::try_from(threads).ok()?];
        let (mut asked, mut rest) = (Vec::new(), Vec::new());
        for part in values.conjuncts(condition) {
            match let_in(part, values, threads) {
                Some(some) => {
                    members.iter_mut().zip(some).for_each(|(all, is_in)| *all &= is_in);
                    asked.push(part);
                }
                None => rest.push(part),
            }
        }
        let (first, last) = (members.iter().position(|&is_in| is_in), members.iter().rposition(|&is_in| is_in));
        let (Some(first), Some(last)) = (first, last) else { return Some(Members { range: 0..0, rest: None }) };
        if !members[first..=last].iter().all(|&is_in| is_in) {
            rest.splice(0..0, asked);
        }
        let and = |left, right| values.made(Node::Binary(BinaryOp::And, left, right), ElementType::Bool);
        Some(Members { range: first as i64..last as i64 + 1, rest: rest.into_iter().reduce(and) })
    }
}

/// For each thread, whether a condition holds; `None` if it depends on more than the thread's id.
fn let_in(condition: ValueId, values: &Values<'_>, threads: i64) -> Option<Vec<bool>> {
    let of_thread = |thread| Evaluator { values, thread, known: FxHashMap::default() }.value(condition);
    (0..threads).map(|thread| Some(of_thread(thread)? != 0)).collect()
}

struct Evaluator<'a, 'k> {
    values: &'a Values<'k>,
    thread: i64,
    known: FxHashMap<ValueId, Bits>,
}

impl Evaluator<'_, '_> {
    fn value(&mut self, id: ValueId) -> Option<Bits> {
        if let Some(known) = self.known.get(&id) {
            return Some(*known);
        }
        let bits = with_enough_stack(|| self.computed(id))?;
        self.known.insert(id, bits);
        Some(bits)
    }

    fn computed(&mut self, id: ValueId) -> Option<Bits> {
        let element = self.values.element(id);
        match self.values.node(id)? {
            Node::Constant(constant) => Some(constant_bits(*constant, element)),
            Node::Size(size) => Some(size.as_constant()? as Bits),
            Node::Thread => Some(self.thread as Bits),
            Node::Unary(operator, operand) => {
                let function = operation::unary(*operator, element)?;
                Some(function(self.value(*operand)?))
            }
            Node::Binary(operator, left, right) => {
                let function = operation::binary(*operator, self.values.element(*left))?;
                Some(function(self.value(*left)?, self.value(*right)?))
            }
            Node::Select(condition, first, second) => {
                let condition = self.value(*condition)?;
                self.value(if condition != 0 { *first } else { *second })
            }
            Node::Cast(operand) => {
                let function = operation::cast(self.values.element(*operand), element);
                Some(function(self.value(*operand)?))
            }
            // A value is kept as its bits.
            Node::Bits(operand) => self.value(*operand),
            _ => None,
        }
    }
}
