//! The intervals of values.

use super::node::{Node, ValueId};
use super::values::{Value, Values};
use crate::assumed::{Assumed, MadeOf};
use crate::intervals::{below, of_type};
use dims::Interval;
use elements::ElementType;

/// An upper limit on the trip count of any real run: at a nanosecond each, this takes three days.
const MOST_ITERATIONS: i128 = 1 << 48;

/// The interval of a value, and that of a count if all sizes are small.
pub(super) fn of_node(node: &Node, element: ElementType, values: &Values<'_>) -> (Interval, Option<Interval>) {
    let assumed = assumed(node, element, values);
    let count = assumed.is_of_sizes().then_some(assumed.small);
    let all = of_type(element);
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

/// What decides whether arithmetic on a value is taken not to wrap. Here a value is a count or it is data. The value of a variable
/// that is assigned again is a count, too, which the launch does not look at.
fn assumed(node: &Node, element: ElementType, values: &Values<'_>) -> Assumed {
    match node {
        Node::Constant(constant) => constant.as_integer().map_or(Assumed::data(element), Assumed::constant),
        Node::Size(size) => Assumed::size(size, values.facts()),
        Node::Block => Assumed::below(&values.kernel.launch.blocks, values.facts()),
        Node::Thread => Assumed::below(&values.kernel.launch.threads, values.facts()),
        _ => node.arithmetic().map_or(Assumed::data(element), |operation| {
            Assumed::of_operation(&operation, element, |id| match node {
                Node::Cast(_) => of_operand(*id, values).to_be_cast(values.element(*id)),
                _ => of_operand(*id, values),
            })
        }),
    }
}

fn of_operand(id: ValueId, values: &Values<'_>) -> Assumed {
    match values.get(id) {
        Some(Value { count: Some(small), .. }) => Assumed { made_of: MadeOf::Sizes, small: *small },
        _ => Assumed::data(values.element(id)),
    }
}

/// The interval of an iterator, and that of a count if all sizes are small.
pub(super) fn of_iterator([low, high]: [ValueId; 2], values: &Values<'_>) -> (Interval, Option<Interval>) {
    let (first, end) = (values.range(low), values.range(high));
    let far = first.hi.map(|hi| hi.saturating_add(MOST_ITERATIONS));
    let last = [end.hi.map(|hi| hi.saturating_sub(1)), far].into_iter().flatten().min();
    let [low, high] = [low, high].map(|id| of_operand(id, values));
    let assumed = Assumed::iterator(low, high);
    let count = assumed.is_of_sizes().then_some(assumed.small);
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
