//! The intervals of values.

use super::node::{Node, ValueId};
use super::values::Values;
use crate::assumed::Assumed;
use crate::intervals::{below, of_type};
use dims::Interval;
use elements::ElementType;

/// An upper limit on the trip count of any real run: at a nanosecond each, this takes three days.
const MOST_ITERATIONS: i128 = 1 << 48;

/// The interval of a value, and what is assumed of it.
pub(super) fn of_node(node: &Node, element: ElementType, values: &Values<'_>) -> (Interval, Assumed) {
    let assumed = assumed(node, element, values);
    let all = of_type(element);
    let interval = match node {
        Node::Constant(constant) => constant.as_integer().map_or(all, Interval::point),
        Node::Size(size) => values.facts().range(size),
        Node::Block => below(values.facts().range(&values.kernel.launch.blocks)),
        Node::Thread => below(values.facts().range(&values.kernel.launch.threads)),
        _ => {
            let arithmetic = node.arithmetic();
            let exact = arithmetic.as_ref().and_then(|it| it.interval(element, |id| Some(values.range(*id))));
            match (arithmetic, exact) {
                (Some(arithmetic), Some(exact)) if arithmetic.may_leave_its_type() => kept(exact, element, assumed),
                (_, Some(exact)) => exact.intersect(all),
                (_, None) => all,
            }
        }
    };
    (interval, assumed)
}

/// What decides whether arithmetic on a value is taken not to wrap.
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
    values.get(id).map_or(Assumed::default(), |value| value.assumed)
}

/// The interval of an iterator, and what is assumed of it.
pub(super) fn of_iterator([low, high]: [ValueId; 2], values: &Values<'_>) -> (Interval, Assumed) {
    let (first, end) = (values.range(low), values.range(high));
    let far = first.hi.map(|hi| hi.saturating_add(MOST_ITERATIONS));
    let last = [end.hi.map(|hi| hi.saturating_sub(1)), far].into_iter().flatten().min();
    let [low, high] = [low, high].map(|id| of_operand(id, values));
    (Interval { lo: first.lo, hi: last }, Assumed::iterator(low, high))
}

/// Whether an operator on integers does not overflow, or is taken not to.
pub(super) fn is_exact(exact: Interval, element: ElementType, assumed: Assumed) -> bool {
    let all = of_type(element);
    let inside = |end: Option<i128>, holds: bool| end.map_or(assumed.is_exact(), |_| holds);
    inside(exact.lo, exact.lo >= all.lo) && inside(exact.hi, exact.hi <= all.hi)
}

/// The interval of an operator's values; the whole type where it may overflow.
fn kept(exact: Interval, element: ElementType, assumed: Assumed) -> Interval {
    let all = of_type(element);
    match is_exact(exact, element, assumed) {
        // A bound that depends on sizes stays unbounded: the launch checks that 64 bits are enough.
        true if assumed.is_exact() => exact,
        true => exact.intersect(all),
        false => all,
    }
}
