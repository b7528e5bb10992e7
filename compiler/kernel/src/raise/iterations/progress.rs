//! How iterations change a variable: what they add to it, or by how much they shift it.

use super::super::raiser::Raiser;
use super::super::value::{Kind, ValueId};
use crate::typed::{BinaryOp, Expr, ExprKind, Local};
use dims::{Facts, Interval, Sym};
use elements::ElementType;
use maps::Range;
use num_integer::Integer as _;

/// How every iteration changes a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// It adds a number.
    Adds(Sym),
    /// It multiplies by a power of two.
    ShiftsLeft(u32),
    /// It divides by a power of two, rounded down.
    ShiftsRight(u32),
}

/// The distances by which an iteration moves a variable.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) least: Sym,
    pub(super) most: Sym,
    /// The greatest number that divides all of them; none if not all of them are numbers, or all are 0.
    pub(super) divisor: Option<i64>,
}

impl Moves {
    fn one(by: Sym) -> Self {
        Self { least: by.clone(), divisor: by.as_constant(), most: by }
    }

    /// These distances and a further one.
    fn and(self, by: &Sym, facts: &Facts) -> Option<Self> {
        // Of the least number of the type there is no absolute value.
        let common = |one: i64, other: i64| i64::try_from(i128::from(one).gcd(&i128::from(other))).ok();
        let divisor = self.divisor.zip(by.as_constant()).and_then(|(one, other)| common(one, other));
        let (least, most) = (self.least.checked_min(by, facts).ok()?, self.most.checked_max(by, facts).ok()?);
        Some(Self { least, most, divisor })
    }
}

impl Raiser {
    /// The number of an iteration, from zero on.
    pub(super) fn number_of(&mut self, iterator: Local, low: ValueId) -> Option<ValueId> {
        let iterator = self.intern(Kind::Iterator(iterator), ElementType::I64);
        match self.as_size(low) {
            Some(low) if low.is_zero() => Some(iterator),
            _ => self.exactly(BinaryOp::Subtract, iterator, low),
        }
    }

    /// The value of a variable after a number of iterations, from the one before the loop, if no operation in it wraps.
    pub(super) fn closed(&mut self, first: ValueId, progress: &Progress, number: ValueId) -> Option<ValueId> {
        if self.element(first) != ElementType::I64 {
            return None;
        }
        match progress {
            Progress::Adds(by) => {
                let by = self.size(by);
                let distance = if self.as_size(by)? == Sym::one() {
                    number
                } else {
                    self.exactly(BinaryOp::Multiply, number, by)?
                };
                match self.as_size(first) {
                    Some(zero) if zero.is_zero() => Some(distance),
                    _ => self.exactly(BinaryOp::Add, first, distance),
                }
            }
            Progress::ShiftsLeft(by) => {
                let places = self.places(number, *by)?;
                self.exactly(BinaryOp::ShiftLeft, first, places)
            }
            Progress::ShiftsRight(by) => {
                let places = self.places(number, *by)?;
                self.exactly(BinaryOp::ShiftRight, first, places)
            }
        }
    }

    /// The distance of a shift that is repeated; fewer places than a number has.
    fn places(&mut self, number: ValueId, by: u32) -> Option<ValueId> {
        let by = self.size(&Sym::constant(by.into()));
        let places = self.exactly(BinaryOp::Multiply, number, by)?;
        let numbers = self.at(places).plain;
        numbers.lies_in(Interval::between(0, 62)).then_some(places)
    }

    /// An operation that never wraps, or only with larger sizes than those of real tensors. The program reaches its result step by
    /// step, where the launch does not look for it, so its bounds have to fit at launch.
    fn exactly(&mut self, op: BinaryOp, left: ValueId, right: ValueId) -> Option<ValueId> {
        let id = self.intern(Kind::Binary(op, left, right), ElementType::I64);
        if self.stays_in_its_type(id) {
            return Some(id);
        }
        if !self.is_assumed_exact(id) {
            return None;
        }
        let Range { low, high } = self.range_here(id);
        self.rely_on_fitting(&[low?, high?]);
        Some(id)
    }

    /// The distances of a value from another one that it is computed from by sums and choices.
    pub(super) fn moves_of(&self, end: ValueId, start: ValueId) -> Option<Moves> {
        let mut open = vec![(end, Sym::zero())];
        let mut found: Option<Moves> = None;
        let mut steps = 64;
        while let Some((value, by)) = open.pop() {
            steps -= 1;
            let value = self.plainly(value);
            if value == start {
                found = Some(match found {
                    None => Moves::one(by),
                    Some(moves) => moves.and(&by, &self.facts)?,
                });
                continue;
            }
            if steps == 0 {
                return None;
            }
            match *self.kind(value) {
                Kind::Binary(BinaryOp::Add, left, right) => match (self.as_size(left), self.as_size(right)) {
                    (_, Some(more)) => open.push((left, by.checked_add(&more).ok()?)),
                    (Some(more), None) => open.push((right, by.checked_add(&more).ok()?)),
                    _ => return None,
                },
                Kind::Binary(BinaryOp::Subtract, left, right) => {
                    open.push((left, by.checked_sub(&self.as_size(right)?).ok()?));
                }
                Kind::Select(_, then, otherwise) => open.extend([(then, by.clone()), (otherwise, by)]),
                _ => return None,
            }
        }
        found
    }

    /// How a value is another one that is shifted by a known distance, which is never negative if `is_natural` says so: only
    /// then a division that truncates is a shift, and every further one is of such a number, too.
    pub(super) fn shifts_of(&self, end: ValueId, start: ValueId, is_natural: bool) -> Option<Progress> {
        let Kind::Binary(op, left, right) = *self.kind(end) else { return None };
        let is_of_start = |value| self.plainly(value) == start;
        let number = |value| self.as_size(value).and_then(|size| size.as_constant());
        let power = |value: i64| (value > 1 && value.count_ones() == 1).then(|| value.trailing_zeros());
        let (by, found): (_, fn(u32) -> Progress) = match op {
            BinaryOp::Multiply if is_of_start(left) => (power(number(right)?)?, Progress::ShiftsLeft),
            BinaryOp::Multiply if is_of_start(right) => (power(number(left)?)?, Progress::ShiftsLeft),
            BinaryOp::FloorDivide if is_of_start(left) => (power(number(right)?)?, Progress::ShiftsRight),
            BinaryOp::Divide if is_of_start(left) && is_natural => (power(number(right)?)?, Progress::ShiftsRight),
            _ => return None,
        };
        Some(found(by))
    }
}

/// The value of a variable at the beginning of an iteration, from the size that it begins with.
pub(super) fn in_program(first: &Sym, progress: &Progress, iterator: Local, low: &Sym) -> Expr {
    let number = Expr { kind: ExprKind::Local(iterator), element: ElementType::I64 };
    let number = if low.is_zero() { number } else { Expr::binary(BinaryOp::Subtract, number, Expr::size(low)) };
    let times = |number: Expr, by: &Sym| {
        if *by == Sym::one() { number } else { Expr::binary(BinaryOp::Multiply, number, Expr::size(by)) }
    };
    match progress {
        Progress::Adds(by) if first.is_zero() => times(number, by),
        Progress::Adds(by) => Expr::binary(BinaryOp::Add, Expr::size(first), times(number, by)),
        Progress::ShiftsLeft(by) | Progress::ShiftsRight(by) => {
            let left = matches!(progress, Progress::ShiftsLeft(_));
            let op = if left { BinaryOp::ShiftLeft } else { BinaryOp::ShiftRight };
            Expr::binary(op, Expr::size(first), times(number, &Sym::constant((*by).into())))
        }
    }
}
