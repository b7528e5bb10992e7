//! Summands from known sums.

use super::super::raiser::MOST_BOUNDED;
use super::super::value::{Kind, ValueId};
use super::Search;
use crate::intervals::of_type;
use crate::typed::{BinaryOp, UnaryOp};
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;

/// The most summands of a sum. Beyond them, a sum is a summand like any other.
const MOST_SUMMANDS: usize = 16;

/// A sum of multiples of values that is known but for a constant.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    terms: Vec<Term>,
    /// The type in which it is computed, if it may wrap there: then it is known modulo the number of values of the type.
    wraps_in: Option<ElementType>,
}

/// A multiple of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) factor: Sym,
    pub(super) value: ValueId,
}

impl Search<'_> {
    /// A value as a sum.
    pub(super) fn sum(&mut self, value: ValueId) -> Sum {
        let element = self.raiser.element(value);
        let mut sum = Sum { terms: Vec::new(), wraps_in: None };
        let mut open = vec![Term { factor: Sym::one(), value }];
        while let Some(Term { factor, value }) = open.pop() {
            let value = self.raiser.plainly(value);
            let is_open = open.len() + sum.terms.len() < MOST_SUMMANDS;
            let Some(operands) = self.summands(value).filter(|_| is_open) else {
                sum.add(factor, value);
                continue;
            };
            let products = operands.into_iter().map(|(by, value)| Some((factor.checked_mul(&by).ok()?, value)));
            match products.collect::<Option<Vec<(Sym, ValueId)>>>() {
                Some(products) => {
                    if self.raiser.may_wrap(value) {
                        sum.wraps_in = Some(element);
                    }
                    open.extend(products.into_iter().map(|(factor, value)| Term { factor, value }));
                }
                None => sum.add(factor, value),
            }
        }
        sum
    }

    /// The summands of a sum, a difference or a multiple; `None` of any other value.
    fn summands(&self, value: ValueId) -> Option<Vec<(Sym, ValueId)>> {
        let size = |id: ValueId| self.raiser.as_size(id);
        let (one, opposite) = (Sym::one(), Sym::constant(-1));
        match *self.raiser.kind(value) {
            Kind::Unary(UnaryOp::Negate, inner) => Some(vec![(opposite, inner)]),
            Kind::Binary(BinaryOp::Add, left, right) => Some(vec![(one.clone(), left), (one, right)]),
            Kind::Binary(BinaryOp::Subtract, left, right) => Some(vec![(one, left), (opposite, right)]),
            Kind::Binary(BinaryOp::Multiply, left, right) => {
                size(right).map(|by| vec![(by, left)]).or_else(|| size(left).map(|by| vec![(by, right)]))
            }
            Kind::Binary(BinaryOp::ShiftLeft, of, by) => {
                let by = size(by)?.as_constant()?;
                let (_, factor) = BinaryOp::ShiftLeft.in_arithmetic(by, self.raiser.element(value))?;
                Some(vec![(Sym::constant(factor), of)])
            }
            _ => None,
        }
    }

    /// Learns what follows from a known sum; keeps it for later where more is to be known first.
    pub(super) fn take_apart(&mut self, sum: Sum) {
        let Sum { terms, wraps_in } = sum;
        let mut open = Vec::with_capacity(terms.len());
        for term in terms {
            if !self.is_known(term.value) {
                open.push(term);
            }
        }
        let sum = Sum { terms: open, wraps_in };
        match sum.terms.as_slice() {
            [] => {}
            [only] => {
                let value = only.value;
                if self.decides(only, wraps_in.filter(|_| !self.is_exact(&sum))) {
                    self.learn(value);
                }
            }
            _ if let Some(known) = self.row_and_column(&sum) => known.into_iter().for_each(|value| self.learn(value)),
            _ => match self.split(&sum) {
                Some(parts) => parts.into_iter().for_each(|part| self.take_apart(part)),
                None => self.sums.push(sum),
            },
        }
    }

    /// Whether a known multiple of a value decides the value.
    fn decides(&self, Term { factor, value }: &Term, wraps_in: Option<ElementType>) -> bool {
        let facts = &self.raiser.facts;
        let is_not_zero = || {
            let is_beyond = |op, end: i64| facts.proves(factor, op, &Sym::constant(end));
            is_beyond(CompareOp::Ge, 1) || is_beyond(CompareOp::Le, -1)
        };
        match wraps_in {
            None => is_not_zero(),
            // An odd number has an inverse modulo a power of two.
            Some(element) => {
                let is_odd = factor.as_constant().is_some_and(|factor| factor % 2 != 0);
                is_odd && self.raiser.element(*value).size_bytes() <= element.size_bytes()
            }
        }
    }

    /// The parts of `unit * whole + rest`, where the rest has at most `unit` values.
    fn split(&mut self, sum: &Sum) -> Option<[Sum; 2]> {
        if !self.is_exact(sum) {
            return None;
        }
        let mut units: Vec<Sym> = Vec::new();
        for Term { factor, .. } in &sum.terms {
            let unit = self.absolute(factor)?;
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        units.into_iter().find_map(|unit| {
            let facts = &self.raiser.facts;
            let (whole, rest): (Vec<Term>, Vec<Term>) =
                sum.terms.iter().cloned().partition(|term| facts.divides(&term.factor, &unit));
            if rest.is_empty() || !self.spans_less(&rest, &unit) {
                return None;
            }
            let facts = &self.raiser.facts;
            let divided = |Term { factor, value }: Term| {
                Some(Term { factor: factor.checked_floor_div(&unit, facts).ok()?, value })
            };
            let whole = whole.into_iter().map(divided).collect::<Option<Vec<Term>>>()?;
            Some([whole, rest].map(|terms| Sum { terms, wraps_in: None }))
        })
    }

    /// Whether the sum itself is known, rather than its remainder by the number of values of a type: the numbers that it may be
    /// have different ones.
    fn is_exact(&self, sum: &Sum) -> bool {
        let Some(element) = sum.wraps_in else { return true };
        let mut numbers = Interval::point(0);
        for Term { factor, value } in &sum.terms {
            let Some(factor) = factor.as_constant() else { return false };
            numbers = numbers.plus(self.raiser.at(*value).plain.times(factor.into()));
        }
        let extent = |numbers: Interval| numbers.hi?.checked_sub(numbers.lo?);
        extent(numbers).zip(extent(of_type(element))).is_some_and(|(own, all)| own <= all)
    }

    /// The distance of a factor from zero, which is at least 1.
    fn absolute(&self, factor: &Sym) -> Option<Sym> {
        let is_positive = |size: &Sym| self.raiser.facts.proves(size, CompareOp::Ge, &Sym::one());
        if is_positive(factor) {
            return Some(factor.clone());
        }
        factor.checked_neg().ok().filter(is_positive)
    }

    /// Whether the least and the greatest value of a sum differ by less than a size.
    fn spans_less(&mut self, terms: &[Term], unit: &Sym) -> bool {
        let mut span = Sym::zero();
        for Term { factor, value } in terms {
            if self.spend().is_none() {
                return false;
            }
            let range = self.raiser.bounds_of_operand(*value, &mut MOST_BOUNDED.clone());
            let of_value = range.low.zip(range.high).and_then(|(low, high)| high.checked_sub(&low).ok());
            // Numbers of `u64` have no bounds as indices, but an interval.
            let numbers = self.raiser.at(*value).plain;
            let by_interval = || numbers.hi?.checked_sub(numbers.lo?).and_then(|span| i64::try_from(span).ok());
            let of_value = of_value.or_else(|| by_interval().map(Sym::constant));
            let own = of_value.zip(self.absolute(factor)).and_then(|(span, by)| span.checked_mul(&by).ok());
            let Some(sum) = own.and_then(|own| span.checked_add(&own).ok()) else { return false };
            span = sum;
        }
        self.raiser.facts.proves(&span, CompareOp::Lt, unit)
    }
}

impl Sum {
    /// A sum that does not wrap.
    pub(super) fn exactly(terms: Vec<Term>) -> Self {
        Self { terms, wraps_in: None }
    }

    /// The multiples in it, with those of constants, unless it may wrap.
    pub(super) fn exact_terms(self) -> Option<Vec<Term>> {
        self.wraps_in.is_none().then_some(self.terms)
    }

    /// Adds a multiple of a value.
    fn add(&mut self, factor: Sym, value: ValueId) {
        match self.terms.iter_mut().find(|term| term.value == value) {
            Some(known) => match known.factor.checked_add(&factor) {
                Ok(sum) => known.factor = sum,
                Err(_) => self.terms.push(Term { factor, value }),
            },
            None => self.terms.push(Term { factor, value }),
        }
        self.terms.retain(|term| !term.factor.is_zero());
    }
}
