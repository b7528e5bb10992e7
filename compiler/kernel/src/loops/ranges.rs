//! The intervals of values.

use super::values::{Node, ValueId, Values};
use crate::intervals::{below, binary, math, of_small_size, of_type};
use crate::typed::{MathFunction, UnaryOp};
use dims::Interval;
use elements::ElementType;

/// An upper limit on the trip count of any real run: at a nanosecond each, this takes three days.
const MOST_ITERATIONS: i128 = 1 << 48;

/// The interval of a value, and that of a count if all sizes are small.
pub(super) fn of_node(node: &Node, element: ElementType, values: &Values<'_>) -> (Interval, Option<Interval>) {
    let all = of_type(element);
    let range = |id: &ValueId| values.range(*id);
    let count = of_count(node, element, values).filter(|count| count.lies_in(all));
    let interval = match node {
        Node::Constant(_) => count.unwrap_or(all),
        Node::Size(size) => values.facts().range(size),
        Node::Block => below(values.facts().range(&values.kernel.launch.blocks)),
        Node::Thread => below(values.facts().range(&values.kernel.launch.threads)),
        Node::Unary(UnaryOp::Negate, operand) => return kept(range(operand).negate(), element, count),
        Node::Binary(op, left, right) => match binary(*op, range(left), range(right), element) {
            Some(exact) => return kept(exact, element, count),
            None => return (all, None),
        },
        Node::Select(_, then, otherwise) => range(then).union(range(otherwise)).intersect(all),
        Node::Cast(inner) if values.get(*inner).is_some_and(|inner| inner.element.is_integer()) => {
            return kept(range(inner), element, count);
        }
        Node::Math(function, args) => {
            let operands: Vec<Interval> = args.iter().map(range).collect();
            math(*function, &operands, element).map_or(all, |exact| exact.intersect(all))
        }
        _ => all,
    };
    (interval, count)
}

/// The interval of a count if all sizes are small, in unbounded arithmetic; `None` for other values.
fn of_count(node: &Node, element: ElementType, values: &Values<'_>) -> Option<Interval> {
    let count = |id: &ValueId| values.get(*id).and_then(|value| value.count);
    let small = |size| of_small_size(size, values.facts());
    match node {
        Node::Constant(constant) => constant.as_integer().map(Interval::point),
        Node::Size(size) => Some(small(size)),
        Node::Block => Some(below(small(&values.kernel.launch.blocks))),
        Node::Thread => Some(below(small(&values.kernel.launch.threads))),
        _ if element != ElementType::I64 => None,
        Node::Unary(UnaryOp::Negate, operand) => Some(count(operand)?.negate()),
        Node::Binary(op, left, right) => binary(*op, count(left)?, count(right)?, element),
        Node::Cast(inner) => count(inner),
        Node::Math(MathFunction::Min, args) => args.iter().map(count).reduce(|one, other| Some(one?.least(other?)))?,
        Node::Math(MathFunction::Max, args) => {
            args.iter().map(count).reduce(|one, other| Some(one?.greatest(other?)))?
        }
        _ => None,
    }
}

/// The interval of an iterator, and that of a count if all sizes are small.
pub(super) fn of_iterator(low: ValueId, high: ValueId, values: &Values<'_>) -> (Interval, Option<Interval>) {
    let (first, end) = (values.range(low), values.range(high));
    let far = first.hi.map(|hi| hi.saturating_add(MOST_ITERATIONS));
    let last = [end.hi.map(|hi| hi.saturating_sub(1)), far].into_iter().flatten().min();
    let [low, high] = [low, high].map(|id| values.get(id).and_then(|value| value.count));
    let count = low.zip(high).map(|(low, high)| Interval { lo: low.lo, hi: high.hi.map(|hi| hi.saturating_sub(1)) });
    (Interval { lo: first.lo, hi: last }, count)
}

/// Whether an operator on integers cannot overflow.
pub(super) fn is_exact(exact: Interval, element: ElementType, is_count: bool) -> bool {
    let all = of_type(element);
    let inside = |end: Option<i128>, holds: bool| end.map_or(is_count, |_| holds);
    inside(exact.lo, exact.lo >= all.lo) && inside(exact.hi, exact.hi <= all.hi)
}

/// The interval of an operator's values; the whole type where it may overflow.
fn kept(exact: Interval, element: ElementType, count: Option<Interval>) -> (Interval, Option<Interval>) {
    let all = of_type(element);
    match is_exact(exact, element, count.is_some()) {
        // A bound that depends on sizes stays unbounded: the launch checks that 64 bits are enough.
        true if count.is_some() => (exact, count),
        true => (exact.intersect(all), None),
        false => (all, None),
    }
}
