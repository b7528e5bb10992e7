//! The intervals of values.

use super::values::{Node, ValueId, Values};
use crate::intervals::{below, binary, of_type};
use crate::typed::{MathFunction, UnaryOp};
use dims::Interval;
use elements::ElementType;

/// An upper limit on the trip count of any real run: at a nanosecond each, this takes three days.
const MOST_ITERATIONS: i128 = 1 << 48;

/// The interval of a value, and whether it is a count.
pub(super) fn of_node(node: &Node, element: ElementType, values: &Values<'_>) -> (Interval, bool) {
    let all = of_type(element);
    let range = |id: &ValueId| values.range(*id);
    let is_count = |ids: &[ValueId]| {
        element == ElementType::I64 && ids.iter().all(|id| values.get(*id).is_some_and(|value| value.is_count))
    };
    match node {
        Node::Constant(bits) => match element {
            ElementType::U64 => (Interval::point((*bits).into()), true),
            _ if element.is_integer() => (Interval::point((*bits as i64).into()), true),
            _ => (all, false),
        },
        Node::Size(size) => (values.facts().range(size), true),
        Node::Block => (below(values.facts().range(&values.kernel.launch.blocks)), true),
        Node::Thread => (below(values.facts().range(&values.kernel.launch.threads)), true),
        Node::Scalar(_) | Node::Merge(_) | Node::Load(_) | Node::Iterator(_) => (all, false),
        Node::Unary(UnaryOp::Negate, operand) => kept(range(operand).negate(), element, is_count(&[*operand])),
        Node::Binary(op, left, right) => {
            let exact = binary(*op, range(left), range(right), element);
            kept(exact.unwrap_or(Interval::EVERYTHING), element, exact.is_some() && is_count(&[*left, *right]))
        }
        Node::Select(_, then, otherwise) => (range(then).union(range(otherwise)).intersect(all), false),
        Node::Cast(inner) if values.get(*inner).is_some_and(|inner| inner.element.is_integer()) => {
            let count = element == ElementType::I64 && values.get(*inner).is_some_and(|inner| inner.is_count);
            kept(range(inner), element, count)
        }
        Node::Math(MathFunction::Min, args) => {
            (args.iter().map(range).reduce(Interval::least).unwrap_or(all), is_count(args))
        }
        Node::Math(MathFunction::Max, args) => {
            (args.iter().map(range).reduce(Interval::greatest).unwrap_or(all), is_count(args))
        }
        Node::Unary(UnaryOp::Not, _) | Node::Cast(_) | Node::Math(..) => (all, false),
    }
}

/// The interval of an iterator, and whether it is a count.
pub(super) fn of_iterator(low: ValueId, high: ValueId, values: &Values<'_>) -> (Interval, bool) {
    let (first, end) = (values.range(low), values.range(high));
    let far = first.hi.map(|hi| hi.saturating_add(MOST_ITERATIONS));
    let last = [end.hi.map(|hi| hi.saturating_sub(1)), far].into_iter().flatten().min();
    let count = [low, high].into_iter().all(|id| values.get(id).is_some_and(|value| value.is_count));
    (Interval { lo: first.lo, hi: last }, count)
}

/// Whether an operator on integers cannot overflow.
pub(super) fn is_exact(exact: Interval, element: ElementType, is_count: bool) -> bool {
    let all = of_type(element);
    let inside = |end: Option<i128>, holds: bool| end.map_or(is_count, |_| holds);
    inside(exact.lo, exact.lo >= all.lo) && inside(exact.hi, exact.hi <= all.hi)
}

/// The interval of an operator's values; the whole type where it may overflow.
fn kept(exact: Interval, element: ElementType, is_count: bool) -> (Interval, bool) {
    let all = of_type(element);
    match is_exact(exact, element, is_count) {
        // A bound that depends on sizes stays unbounded: the launch checks that 64 bits are enough.
        true if is_count => (exact, true),
        true => (exact.intersect(all), false),
        false => (all, false),
    }
}
