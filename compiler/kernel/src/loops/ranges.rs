//! The intervals of values.

use super::values::{Node, ValueId, Values};
use crate::intervals::{below, of_small_size, of_type};
use crate::typed::MathFunction;
use dims::Interval;
use elements::ElementType;

/// An upper limit on the trip count of any real run: at a nanosecond each, this takes three days.
const MOST_ITERATIONS: i128 = 1 << 48;

/// The interval of a value, and that of a count if all sizes are small.
pub(super) fn of_node(node: &Node, element: ElementType, values: &Values<'_>) -> (Interval, Option<Interval>) {
    let all = of_type(element);
    let count = of_count(node, element, values).filter(|count| count.lies_in(all));
    let interval = match node {
        Node::Constant(_) => count.unwrap_or(all),
        Node::Size(size) => values.facts().range(size),
        Node::Block => below(values.facts().range(&values.kernel.launch.blocks)),
        Node::Thread => below(values.facts().range(&values.kernel.launch.threads)),
        _ => {
            let Some(arithmetic) = node.arithmetic() else { return (all, None) };
            let Some(exact) = arithmetic.interval(element, |id| Some(values.range(*id))) else { return (all, None) };
            if arithmetic.may_leave_its_type() {
                return kept(exact, element, count);
            }
            exact.intersect(all)
        }
    };
    (interval, count)
}

/// The interval of a count if all sizes are small, in unbounded arithmetic; `None` for other values.
fn of_count(node: &Node, element: ElementType, values: &Values<'_>) -> Option<Interval> {
    let small = |size| of_small_size(size, values.facts());
    match node {
        Node::Constant(constant) => constant.as_integer().map(Interval::point),
        Node::Size(size) => Some(small(size)),
        Node::Block => Some(below(small(&values.kernel.launch.blocks))),
        Node::Thread => Some(below(small(&values.kernel.launch.threads))),
        // What a condition chooses, and whose sign it drops, is data to the checks at launch.
        Node::Select(..) | Node::Math(MathFunction::Abs, _) => None,
        _ if element != ElementType::I64 => None,
        _ => node.arithmetic()?.interval(element, |id| values.get(*id)?.count),
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
