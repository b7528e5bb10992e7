//! Finds the threads of a block for which a condition holds, if that is known at compile time.

use std::ops::Range;

use dims::CompareOp;
use elements::ElementType;
use kernel::loops::{Node, ValueId, Values};
use kernel::typed::BinaryOp;
use kernel::with_enough_stack;
use maps::Term;
use rustc_hash::FxHashMap;

use crate::interpreter::operation;
use crate::interpreter::program::constant_bits;
use crate::tensors::Bits;

/// The most threads in a block that are enumerated. A tile may have more elements, each with a thread.
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
        let threads = threads.filter(|threads| *threads >= 0)?;
        if threads > MOST_THREADS {
            return Some(Members::by_comparison(condition, values, threads));
        }
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

impl Members {
    /// Of many threads, only comparisons of the id with a number are known: for one, a range of threads.
    fn by_comparison(condition: ValueId, values: &mut Values<'_>, threads: i64) -> Members {
        let (mut range, mut rest) = (0..threads, Vec::new());
        for part in values.conjuncts(condition) {
            match range_of(part, values, threads) {
                Some(some) => range = range.start.max(some.start)..range.end.min(some.end),
                None => rest.push(part),
            }
        }
        if range.is_empty() {
            return Members { range: 0..0, rest: None };
        }
        let and = |left, right| values.made(Node::Binary(BinaryOp::And, left, right), ElementType::Bool);
        Members { range, rest: rest.into_iter().reduce(and) }
    }
}

/// The threads for which a comparison holds, if both sides are sums of the thread's id and numbers.
fn range_of(part: ValueId, values: &Values<'_>, threads: i64) -> Option<Range<i64>> {
    let Node::Binary(operator, left, right) = values.node(part)? else { return None };
    let comparison = operator.comparison()?;
    let difference = values.affine(*left)?.checked_sub(values.affine(*right)?).ok()?;
    let constant = i128::from(difference.constant.as_constant()?);
    let slope = match difference.terms.as_slice() {
        [] => 0,
        [(term, factor)] => {
            let Some(Term::Coordinate(id)) = values.term(*term) else { return None };
            values.node(ValueId(*id)).filter(|node| **node == Node::Thread)?;
            i128::from(factor.as_constant()?)
        }
        _ => return None,
    };
    // The threads with slope · thread + constant ≤ 0.
    let up_to_zero = |slope: i128, constant: i128| match slope.signum() {
        0 if constant <= 0 => 0..threads,
        0 => 0..0,
        1 => 0..clamped((-constant).div_euclid(slope) + 1, threads),
        _ => clamped(-(-constant).div_euclid(-slope), threads)..threads,
    };
    Some(match comparison {
        CompareOp::Le => up_to_zero(slope, constant),
        CompareOp::Lt => up_to_zero(slope, constant + 1),
        CompareOp::Ge => up_to_zero(-slope, -constant),
        CompareOp::Gt => up_to_zero(-slope, 1 - constant),
        CompareOp::Eq => {
            let (below, above) = (up_to_zero(slope, constant), up_to_zero(-slope, -constant));
            below.start.max(above.start)..below.end.min(above.end)
        }
        CompareOp::Ne => return None,
    })
}

/// The number of a thread, or the end of all.
fn clamped(number: i128, threads: i64) -> i64 {
    number.clamp(0, i128::from(threads)) as i64
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

#[cfg(test)]
mod tests {
    use super::*;
    use dims::Sym;
    use testing::build::KernelBuilder;

    /// What is computed of a comparison is what asking every thread would give.
    #[test]
    fn the_range_of_a_comparison_is_that_of_its_threads() {
        const THREADS: i64 = 50;
        let kernel = KernelBuilder::new("k", Sym::one(), Sym::constant(THREADS)).finish(Vec::new());
        let mut values = Values::new(&kernel);
        let operators =
            [BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater, BinaryOp::GreaterEqual, BinaryOp::Equal];
        for slope in -3..=3 {
            for constant in -60..=60 {
                for operator in operators {
                    let thread = values.made(Node::Thread, ElementType::I64);
                    let [factor, offset, seven] = [slope, constant, 7].map(|number| values.int(number));
                    let product = values.made(Node::Binary(BinaryOp::Multiply, thread, factor), ElementType::I64);
                    let sum = values.made(Node::Binary(BinaryOp::Add, product, offset), ElementType::I64);
                    let condition = values.made(Node::Binary(operator, sum, seven), ElementType::Bool);
                    let expected = let_in(condition, &values, THREADS).unwrap();
                    let Some(range) = range_of(condition, &values, THREADS) else {
                        panic!("{slope} {constant} {operator:?}")
                    };
                    let found: Vec<bool> = (0..THREADS).map(|thread| range.contains(&thread)).collect();
                    assert_eq!(found, expected, "{slope} · thread + {constant} {operator:?} 7");
                }
            }
        }
    }
}
