//! Intervals of values by types, sizes, loops and conditions.
//!
//! Their main use is to decide whether arithmetic may wrap. A condition on a sum that wraps says nothing about its
//! operands.

use super::condition::Condition;
use super::raiser::{LoopRange, Raiser};
use super::value::{Cached, Kind, ValueId};
use crate::assumed::{Assumed, MadeOf};
use crate::intervals::{self, Arithmetic, SMALL_SIZE, below, of_type};
use crate::typed::{BinaryOp, Expr, Local, UnaryOp};
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;

/// The most values whose intervals are recomputed under conditions for one question.
const MOST_NARROWED: u32 = 64;

/// The sizes that intervals assume.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Sizes {
    /// Whatever the facts allow.
    Known,
    /// Small ones only.
    Small,
}

impl Raiser {
    /// The interval by types, sizes and loops, without conditions; `small` is the one for small sizes.
    ///
    /// Where only large sizes would make arithmetic on ids, iterators and sizes wrap, it is taken not to wrap, as in
    /// [`Raiser::may_wrap`].
    pub(super) fn plain_numbers(&self, kind: &Kind, element: ElementType, made_of: MadeOf) -> Interval {
        let all = of_type(element);
        let Some(exact) = self.exact(kind, element, Sizes::Known, |id| self.at(id).plain) else { return all };
        if exact.lies_in(all) {
            return exact;
        }
        let is_exact = element == ElementType::I64 && made_of != MadeOf::Data;
        if is_exact { exact.intersect(all) } else { all }
    }

    /// What decides whether arithmetic on a value is taken not to wrap.
    pub(super) fn assumed(&self, kind: &Kind, element: ElementType) -> Assumed {
        let small = self.exact(kind, element, Sizes::Small, |id| self.at(id).small);
        let operands = match kind {
            Kind::Int(_) | Kind::Size(_) | Kind::Block | Kind::Thread => MadeOf::Sizes,
            Kind::Iterator(local) => match self.loops.get(local) {
                Some(LoopRange { extent: Some(_), .. }) => MadeOf::Sizes,
                _ => MadeOf::Data,
            },
            Kind::Named(inner) | Kind::Again(inner, _) => self.at(*inner).made_of,
            Kind::Bool(_)
            | Kind::Unsigned(_)
            | Kind::Scalar(_)
            | Kind::Unknown(_)
            | Kind::Load { .. }
            // The launch follows a variable up to the next loop that assigns it, which is less than what is held in it here.
            | Kind::Held(_)
            | Kind::Unary(UnaryOp::Not, _) => MadeOf::Data,
            Kind::Unary(UnaryOp::Negate, _)
            | Kind::Binary(..)
            | Kind::Select(..)
            | Kind::Cast(_)
            | Kind::Math(..) => arithmetic(kind).map_or(MadeOf::Data, |operation| {
                operation.made_of(|id| {
                    let operand = self.at(*id);
                    let known = Assumed { made_of: operand.made_of, small: operand.small };
                    if let Kind::Cast(_) = kind { known.to_be_cast(operand.element).made_of } else { known.made_of }
                })
            }),
        };
        Assumed::of_result(operands, small, element)
    }

    /// The interval of an operation in unbounded arithmetic, given the intervals of its operands; `None` if it is
    /// unknown.
    fn exact(
        &self,
        kind: &Kind,
        element: ElementType,
        sizes: Sizes,
        mut of: impl FnMut(ValueId) -> Interval,
    ) -> Option<Interval> {
        match kind {
            Kind::Int(value) => Some(Interval::point((*value).into())),
            Kind::Unsigned(value) => Some(Interval::point((*value).into())),
            Kind::Size(size) => Some(self.of_size(size, sizes)),
            Kind::Block => Some(below(self.of_size(&self.launch.blocks, sizes))),
            Kind::Thread => Some(below(self.of_size(&self.launch.threads, sizes))),
            Kind::Iterator(local) => self.of_iterator(*local, sizes),
            Kind::Named(inner) | Kind::Held(inner) | Kind::Again(inner, _) => Some(of(*inner)),
            // What the condition says narrows its sides, but not where sizes are small: the launch does not look at it.
            Kind::Select(condition, then, otherwise) if sizes == Sizes::Known => {
                let comparison = self.compared(*condition);
                let then = self.narrowed_by(*then, of(*then), comparison, &mut of);
                let opposite = comparison.map(Condition::negated);
                let otherwise = self.narrowed_by(*otherwise, of(*otherwise), opposite, &mut of);
                Arithmetic::Choice(then, otherwise).interval(element, |side| Some(*side))
            }
            // A load that is masked off gives zero.
            Kind::Load { contents, mask, .. } => {
                let contents = self.contents((*contents)?).numbers;
                Some(if mask.is_some() { contents.union(Interval::point(0)) } else { contents })
            }
            _ => arithmetic(kind)?.interval(element, |id| Some(of(*id))),
        }
    }

    pub(super) fn of_size(&self, size: &Sym, sizes: Sizes) -> Interval {
        match sizes {
            Sizes::Known => intervals::of_size(size, &self.facts),
            Sizes::Small => intervals::of_small_size(size, &self.facts),
        }
    }

    fn of_iterator(&self, local: Local, sizes: Sizes) -> Option<Interval> {
        let range = self.loops.get(&local)?;
        let low = self.of_size(&range.low, sizes);
        let count = match &range.extent {
            Some(extent) => self.of_size(extent, sizes),
            // No loop counts so far that its numbers are not small, unless it starts at a large one.
            None if sizes == Sizes::Small && range.starts_at_low => Interval::point(SMALL_SIZE + 1),
            None => return Some(Interval { hi: Some(i64::MAX.into()), ..low }),
        };
        Some(Interval { lo: low.lo, hi: low.plus(below(count)).hi })
    }

    /// The interval of a value at the current program point.
    pub fn numbers(&mut self, id: ValueId) -> Interval {
        self.numbers_within(id, &mut MOST_NARROWED.clone())
    }

    fn numbers_within(&mut self, id: ValueId, steps: &mut u32) -> Interval {
        let value = self.at(id);
        if !self.conditions.concern_any(value.leaves) {
            return value.plain;
        }
        let generation = self.conditions.generation();
        match &value.here {
            Some(kept) if kept.generation == Some(generation) => return kept.value,
            _ if *steps == 0 => return value.plain,
            _ => *steps -= 1,
        }
        let (plain, all) = (value.plain, of_type(value.element));
        let exact = self.exact_here(id, steps).filter(|exact| exact.lies_in(all)).unwrap_or(plain);
        let value = self.narrowed(id, exact);
        self.at_mut(id).here = Some(Cached { generation: Some(generation), value });
        value
    }

    /// The interval of an operation at the current program point in unbounded arithmetic.
    fn exact_here(&mut self, id: ValueId, steps: &mut u32) -> Option<Interval> {
        if self.at(id).is_closed {
            return Some(self.at(id).plain);
        }
        let (kind, element) = (self.kind(id).clone(), self.element(id));
        let mut known: [Option<(ValueId, Interval)>; 3] = [None; 3];
        for (place, operand) in known.iter_mut().zip(Self::operands(&kind)) {
            *place = Some((operand, self.numbers_within(operand, steps)));
        }
        let of = |id: ValueId| {
            let found = known.iter().flatten().find(|(operand, _)| *operand == id);
            found.map_or_else(|| self.at(id).plain, |(_, numbers)| *numbers)
        };
        let mut exact = self.exact(&kind, element, Sizes::Known, of)?;
        if self.known_range(id).is_some() {
            exact = narrower(self.at(id).plain, exact);
        }
        Some(match kind {
            Kind::Binary(BinaryOp::Add, left, right) => self.narrowed_sum(left, right, exact),
            Kind::Binary(BinaryOp::Subtract, left, right) => self.narrowed_difference(left, right, exact),
            _ => exact,
        })
    }

    /// The interval of a sum in unbounded arithmetic, narrowed by comparisons of one part with a difference of the other:
    /// `a < b - c` says that `a + c < b`, if the difference does not wrap.
    fn narrowed_sum(&self, left: ValueId, right: ValueId, mut sum: Interval) -> Interval {
        let plain = |id: ValueId| self.narrowed(id, self.at(self.bare(id)).plain);
        for (part, rest) in [(left, right), (right, left)] {
            for (op, other) in self.comparisons_of(part) {
                let other = self.bare(other);
                let Kind::Binary(BinaryOp::Subtract, whole, taken) = *self.kind(other) else { continue };
                let is_exact = plain(whole).plus(plain(taken).negate()).lies_in(of_type(self.element(other)));
                if self.bare(taken) == self.bare(rest) && is_exact {
                    sum = compared(sum, op, plain(whole));
                }
            }
        }
        sum
    }

    /// The interval of a difference in unbounded arithmetic, narrowed by comparisons of both parts: `lo < hi` says that `hi - lo`
    /// is at least 1.
    fn narrowed_difference(&self, left: ValueId, right: ValueId, mut difference: Interval) -> Interval {
        let right = self.bare(right);
        for (op, other) in self.comparisons_of(left) {
            if self.bare(other) == right {
                difference = compared(difference, op, Interval::point(0));
            }
        }
        difference
    }

    /// An interval narrowed by the conditions here.
    fn narrowed(&self, id: ValueId, mut range: Interval) -> Interval {
        for (op, other) in self.comparisons_of(id) {
            range = compared(range, op, self.at(self.bare(other)).plain);
        }
        range
    }

    /// The interval of a value, narrowed by a comparison if it is one of its sides.
    fn narrowed_by(
        &self,
        id: ValueId,
        range: Interval,
        comparison: Option<Condition>,
        of: &mut impl FnMut(ValueId) -> Interval,
    ) -> Interval {
        let Some(Condition { left, op, right }) = comparison else { return range };
        let side = self.bare(id);
        let narrow = if self.bare(left) == side {
            compared(range, op, of(right))
        } else if self.bare(right) == side {
            compared(range, op.turned(), of(left))
        } else {
            range
        };
        // An alternative that is never chosen has an empty interval, but an interval holds at least one number.
        let is_empty = narrow.lo.zip(narrow.hi).is_some_and(|(lo, hi)| lo > hi);
        if is_empty { range } else { narrow }
    }

    /// Whether an operation on integers may overflow.
    ///
    /// The result of a wrapping operation differs from the exact result by a multiple of the type's range. The
    /// operation does not wrap if the conditions on its result exclude every such number: `first + t` under `first + t
    /// >= 0`.
    pub(super) fn leaves_its_type(&mut self, id: ValueId) -> bool {
        match self.exact_here(id, &mut MOST_NARROWED.clone()) {
            Some(exact) => self.may_differ_from_exact(id, exact),
            None => true,
        }
    }

    /// Whether an operation on integers may overflow at the current program point.
    pub fn leaves_type(&mut self, operation: &Expr) -> bool {
        let id = self.value(operation);
        self.leaves_its_type(id)
    }

    /// Whether a value may differ from the exact result of its operations, which lies in an interval. Any number of operations
    /// may wrap in between: the value differs from the exact result by a multiple of the type's range.
    pub(super) fn may_differ_from_exact(&self, id: ValueId, exact: Interval) -> bool {
        let all = of_type(self.element(id));
        if exact.lies_in(all) {
            return false;
        }
        let there = self.narrowed(id, all);
        let Some(away) = all.hi.zip(all.lo).map(|(hi, lo)| hi - lo + 1) else { return true };
        !exact.lies_in(Interval { lo: there.hi.map(|hi| hi - away + 1), hi: there.lo.map(|lo| lo + away - 1) })
    }

    /// Whether an operation on integers never overflows, whatever conditions hold.
    pub(super) fn stays_in_its_type(&self, id: ValueId) -> bool {
        let value = self.at(id);
        let exact = self.exact(&value.kind, value.element, Sizes::Known, |id| self.at(id).plain);
        exact.is_some_and(|exact| exact.lies_in(of_type(value.element)))
    }

    /// Whether arithmetic that gives a value is taken not to wrap, whatever conditions hold.
    pub(super) fn is_assumed_exact(&self, id: ValueId) -> bool {
        let value = self.at(id);
        value.element == ElementType::I64 && value.made_of != MadeOf::Data
    }

    /// Whether an index is never negative at the current program point.
    pub fn is_never_negative(&mut self, id: ValueId) -> bool {
        self.is_count(id) || self.numbers(id).is_natural()
    }

    /// Whether an index is never negative at any program point.
    ///
    /// A sum or product of counts, ids and sizes never is, unless a constant makes it wrap: with the sizes of real
    /// tensors no index is that large.
    pub(super) fn is_count(&self, id: ValueId) -> bool {
        let value = self.at(id);
        value.traits.counts && value.small.is_natural()
    }
}

/// How a value is computed from others; `None` if it is not.
fn arithmetic(kind: &Kind) -> Option<Arithmetic<ValueId>> {
    Some(match kind {
        Kind::Unary(UnaryOp::Negate, inner) => Arithmetic::Negate(*inner),
        Kind::Binary(op, left, right) => Arithmetic::Binary(*op, *left, *right),
        Kind::Select(_, then, otherwise) => Arithmetic::Choice(*then, *otherwise),
        Kind::Cast(inner) => Arithmetic::Cast(*inner),
        Kind::Math(function, args) => Arithmetic::Math(*function, args.clone()),
        _ => return None,
    })
}

/// The part of an interval in which `range op other` can hold.
fn compared(range: Interval, op: CompareOp, other: Interval) -> Interval {
    let by = |end: Option<i128>, by: i128| end.map(|end| end.saturating_add(by));
    let within = match op {
        CompareOp::Lt => Interval { lo: None, hi: by(other.hi, -1) },
        CompareOp::Le => Interval { lo: None, hi: other.hi },
        CompareOp::Gt => Interval { lo: by(other.lo, 1), hi: None },
        CompareOp::Ge => Interval { lo: other.lo, hi: None },
        CompareOp::Eq => other,
        CompareOp::Ne => Interval::EVERYTHING,
    };
    range.intersect(within)
}

/// Both intervals, unless they have nothing in common: an interval holds at least one number.
pub(super) fn narrower(one: Interval, other: Interval) -> Interval {
    let both = one.intersect(other);
    let is_empty = both.lo.zip(both.hi).is_some_and(|(lo, hi)| lo > hi);
    if is_empty { one } else { both }
}
