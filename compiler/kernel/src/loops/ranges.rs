//! The intervals that values lie in.

use super::values::{Node, ValueId, Values};
use crate::typed::{BinaryOp, MathFunction, UnaryOp};
use dims::Interval;
use elements::ElementType;

/// No loop runs through more iterations in any run: at a nanosecond for each they would take three days.
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
        Node::Unary(UnaryOp::Negate, operand) => {
            kept(range(operand).multiply(Interval::point(-1)), element, is_count(&[*operand]))
        }
        Node::Binary(op, left, right) => {
            let exact = binary(*op, range(left), range(right), element);
            kept(exact.unwrap_or(Interval::EVERYTHING), element, exact.is_some() && is_count(&[*left, *right]))
        }
        Node::Select(_, then, otherwise) => (union(range(then), range(otherwise)).intersect(all), false),
        Node::Cast(inner) if values.get(*inner).is_some_and(|inner| inner.element.is_integer()) => {
            let count = element == ElementType::I64 && values.get(*inner).is_some_and(|inner| inner.is_count);
            kept(range(inner), element, count)
        }
        Node::Math(MathFunction::Min, args) => (args.iter().map(range).reduce(least).unwrap_or(all), is_count(args)),
        Node::Math(MathFunction::Max, args) => (args.iter().map(range).reduce(greatest).unwrap_or(all), is_count(args)),
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

/// Whether an operator on integers gives what it gives without the ends of its type.
pub(super) fn is_exact(exact: Interval, element: ElementType, is_count: bool) -> bool {
    let all = of_type(element);
    let inside = |end: Option<i128>, holds: bool| end.map_or(is_count, |_| holds);
    inside(exact.lo, exact.lo >= all.lo) && inside(exact.hi, exact.hi <= all.hi)
}

/// The values of an operator, had its type no end; `None` where nothing is known.
pub(super) fn binary(op: BinaryOp, left: Interval, right: Interval, element: ElementType) -> Option<Interval> {
    let natural = |range: Interval| range.lo.is_some_and(|lo| lo >= 0);
    let positive = right.lo.is_some_and(|lo| lo > 0);
    Some(match op {
        BinaryOp::Add => left.plus(right),
        BinaryOp::Subtract => left.plus(right.multiply(Interval::point(-1))),
        BinaryOp::Multiply => left.multiply(right),
        BinaryOp::FloorDivide if positive => left.divide(right),
        BinaryOp::FloorRemainder if positive => left.remainder(right),
        BinaryOp::Divide if positive && natural(left) => left.divide(right),
        BinaryOp::Remainder if positive && natural(left) => left.remainder(right),
        BinaryOp::BitAnd if natural(left) && natural(right) => {
            Interval { lo: Some(0), hi: least(left, right).hi.or(left.hi).or(right.hi) }
        }
        BinaryOp::BitAnd if natural(right) => Interval { lo: Some(0), hi: right.hi },
        BinaryOp::BitAnd if natural(left) => Interval { lo: Some(0), hi: left.hi },
        BinaryOp::BitXor | BinaryOp::BitOr if natural(left) && natural(right) => {
            let ones = |hi: i128| (1i128 << (i128::BITS - hi.leading_zeros()).min(126)) - 1;
            Interval { lo: Some(0), hi: left.hi.zip(right.hi).map(|(left, right)| ones(left.max(right))) }
        }
        BinaryOp::ShiftRight if natural(left) => {
            let by = shift_distance(right, element)?;
            Interval { lo: Some(0), hi: left.hi.map(|hi| hi >> by) }
        }
        _ => return None,
    })
}

/// The least distance of a shift, where no distance is taken modulo the type's width.
fn shift_distance(by: Interval, element: ElementType) -> Option<u32> {
    let width = i128::try_from(element.size_bytes()).ok()?.checked_mul(8)?;
    let (lo, hi) = (by.lo?, by.hi?);
    (lo >= 0 && hi < width).then(|| u32::try_from(lo).ok()).flatten()
}

pub(super) fn of_type(element: ElementType) -> Interval {
    match element.integer_range() {
        Some((lo, hi)) => Interval { lo: Some(lo), hi: Some(hi) },
        None => Interval::EVERYTHING,
    }
}

/// The interval of an operator's values; all of the type where they may leave it.
fn kept(exact: Interval, element: ElementType, is_count: bool) -> (Interval, bool) {
    let all = of_type(element);
    match is_exact(exact, element, is_count) {
        // An end that depends on sizes stays open: the launch sees to it that 64 bits are enough.
        true if is_count => (exact, true),
        true => (exact.intersect(all), false),
        false => (all, false),
    }
}

fn below(count: Interval) -> Interval {
    Interval { lo: Some(0), hi: count.hi.map(|hi| hi - 1) }
}

fn union(left: Interval, right: Interval) -> Interval {
    let both = |left: Option<i128>, right: Option<i128>, of: fn(i128, i128) -> i128| Some(of(left?, right?));
    Interval { lo: both(left.lo, right.lo, i128::min), hi: both(left.hi, right.hi, i128::max) }
}

fn least(left: Interval, right: Interval) -> Interval {
    let hi = [left.hi, right.hi].into_iter().flatten().min();
    Interval { lo: left.lo.zip(right.lo).map(|(left, right)| left.min(right)), hi }
}

fn greatest(left: Interval, right: Interval) -> Interval {
    let lo = [left.lo, right.lo].into_iter().flatten().max();
    Interval { lo, hi: left.hi.zip(right.hi).map(|(left, right)| left.max(right)) }
}
