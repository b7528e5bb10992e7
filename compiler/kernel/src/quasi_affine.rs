//! Quasi-affine forms of integers: sums of coefficient · value, with floor divisions, remainders and exclusive ors.
//!
//! This module alone defines which form an operation has, and how a form becomes part of an index map. Two modules
//! number values and use it: [`raise`](crate::raise) for the checks, where conditions around a statement narrow values,
//! and [`loops`](crate::loops) for code generation, where a value is the same everywhere. They decide whether an
//! operation stays in its type before they ask for its form.

mod bits;
mod building;

use std::collections::BTreeSet;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::table::{Table, ids};
use crate::typed::BinaryOp;
use dims::{CompareOp, Facts, Interval, Sym};
use elements::ElementType;
use maps::{Affine, Term, TermId};

pub(crate) use building::Building;

ids!(TermId);

/// A value that is identified by a number.
pub(crate) trait Number: Copy + Ord {
    /// The number.
    fn number(self) -> u32;
}

/// A bound of this magnitude is useless for an index: the value is as good as unbounded on that side.
pub(crate) const FAR: i128 = 1 << 48;

/// The most runs of ones in a mask whose digits are told apart.
const MOST_RUNS: usize = 16;

/// How a value is made, for the search for deciding iterators.
pub(crate) enum Made<V> {
    /// The iterator of a loop.
    Iterator,
    /// Of two operands.
    Binary(BinaryOp, V, V),
    /// Of these operands in another way, or of none.
    Other(Vec<V>),
}

/// The iterators that decide whether operations among values, and among those they are made of, have forms. `is_known`
/// tells whether a value has a number where its iterators have.
pub(crate) fn deciding<V: Copy + Eq + Hash>(
    values: impl IntoIterator<Item = V>,
    made: impl Fn(V) -> Made<V>,
    is_known: impl Fn(V) -> bool,
) -> Vec<V> {
    /// The most values that are visited.
    const MOST_VISITED: usize = 256;
    let mut open: Vec<(V, bool)> = values.into_iter().map(|value| (value, false)).collect();
    let (mut seen, mut steps) = (FxHashSet::default(), MOST_VISITED);
    let mut found = Vec::new();
    while let Some((value, decides)) = open.pop() {
        if steps == 0 || !seen.insert((value, decides)) {
            continue;
        }
        steps -= 1;
        match made(value) {
            Made::Iterator => found.extend(decides.then_some(value)),
            Made::Binary(op, left, right) => {
                let operands = [left, right].into_iter().zip(self::decides(op));
                open.extend(operands.map(|(operand, needed)| (operand, decides || needed && is_known(operand))));
            }
            Made::Other(operands) => open.extend(operands.into_iter().map(|operand| (operand, decides))),
        }
    }
    found
}

/// The terms of all forms over values `V`. [`Term::Coordinate`] holds the number of a value.
#[derive(Clone, Debug)]
pub(crate) struct Terms<V> {
    all: Table<TermId, Known<V>>,
    ids: FxHashMap<Term, TermId>,
    /// The most values that a term may depend on.
    most_values: usize,
    /// The deepest nesting of divisions, remainders and exclusive ors.
    most_depth: u32,
    /// Whether code computes the forms, in 64 bits: then no part of a form may be larger than the parts of what it stands for.
    is_computed: bool,
}

#[derive(Clone, Debug)]
struct Known<V> {
    term: Term,
    depth: u32,
    /// The values that the term depends on, ascending.
    values: Rc<[V]>,
}

/// An operand of an operation.
pub(crate) struct Operand<'a> {
    pub form: &'a Affine,
    /// The range of its values. Used only if [`depends_on_ranges`] holds.
    pub range: Interval,
}

/// Whether the form of an operation depends on the ranges of its operands.
pub(crate) fn depends_on_ranges(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::BitXor | BinaryOp::BitOr)
}

/// Whether the form of an operation is a term with nested forms, rather than a sum.
pub(crate) fn is_nested(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft | BinaryOp::BitOr)
}

/// Which of the two operands makes the operation a form of the other one if it is a constant: `shift_left(1, l)` is a
/// form if `l` is a constant.
pub(crate) fn decides(op: BinaryOp) -> [bool; 2] {
    use BinaryOp::{
        BitAnd, BitOr, BitXor, Divide, FloorDivide, FloorRemainder, Multiply, Remainder, ShiftLeft, ShiftRight,
    };
    match op {
        ShiftLeft | ShiftRight | Divide | Remainder | FloorDivide | FloorRemainder => [false, true],
        Multiply | BitAnd | BitOr | BitXor => [true, true],
        _ => [false, false],
    }
}

impl<V: Number> Terms<V> {
    /// An empty set of terms without limits, for proofs.
    pub fn unlimited() -> Self {
        let (most_values, most_depth) = (usize::MAX, u32::MAX);
        Self { all: Table::default(), ids: FxHashMap::default(), most_values, most_depth, is_computed: false }
    }

    /// An empty set of terms with these limits, for code.
    pub fn computed(most_values: usize, most_depth: u32) -> Self {
        Self { all: Table::default(), ids: FxHashMap::default(), most_values, most_depth, is_computed: true }
    }

    /// The form that consists of a single value.
    pub fn value(&mut self, value: V) -> Affine {
        Affine::term(self.intern(Term::Coordinate(value.number()), 0, [value].into()))
    }

    /// The term with an id.
    pub fn term(&self, id: TermId) -> Option<&Term> {
        self.all.get(id).map(|known| &known.term)
    }

    /// The values that a term depends on, ascending.
    pub fn parts(&self, id: TermId) -> &[V] {
        self.all.get(id).map_or(&[], |known| &known.values)
    }

    /// The values that a form depends on.
    pub fn values_of(&self, form: &Affine) -> impl Iterator<Item = V> {
        form.terms.iter().flat_map(|(term, _)| self.parts(*term)).copied()
    }

    /// Whether a form is a value plus a constant.
    pub fn is_shifted(&self, form: &Affine, value: V) -> bool {
        match form.terms.as_slice() {
            [(term, step)] if step.as_constant() == Some(1) => {
                matches!(self.term(*term), Some(Term::Coordinate(_))) && self.parts(*term) == [value]
            }
            _ => false,
        }
    }

    /// The form of an operation that stays in its type; `None` if it is not quasi-affine.
    pub fn operation(
        &mut self,
        op: BinaryOp,
        [left, right]: [Operand<'_>; 2],
        element: ElementType,
        facts: &Facts,
    ) -> Option<Affine> {
        let by = || Some(Sym::constant(op.in_arithmetic(number(right.form)?, element)?.1));
        let is_natural = |operand: &Operand<'_>| operand.range.is_natural();
        // Rounding towards zero is rounding down if the dividend is not negative.
        let rounded_down = || right.form.as_constant().filter(|size| is_natural(&left) && is_positive(size, facts));
        match op {
            BinaryOp::Add => self
                .with_quotient(left.form, right.form)
                .or_else(|| self.with_quotient(right.form, left.form))
                .or_else(|| left.form.checked_add(right.form).ok()),
            BinaryOp::Subtract => left.form.checked_sub(right.form).ok(),
            BinaryOp::Multiply => match (left.form.as_constant(), right.form.as_constant()) {
                (_, Some(factor)) => left.form.checked_scale(factor).ok(),
                (Some(factor), None) => right.form.checked_scale(factor).ok(),
                (None, None) => None,
            },
            BinaryOp::ShiftLeft => left.form.checked_scale(&by()?).ok(),
            BinaryOp::ShiftRight => self.quotient(left.form, &by()?),
            BinaryOp::FloorDivide => self.quotient(left.form, divisor(right.form)?),
            BinaryOp::FloorRemainder => self.remainder(left.form, divisor(right.form)?),
            BinaryOp::Divide => self.quotient(left.form, rounded_down()?),
            BinaryOp::Remainder => self.remainder(left.form, rounded_down()?),
            BinaryOp::BitAnd => match (number(left.form), number(right.form)) {
                (_, Some(mask)) => self.masked(left.form, mask),
                (Some(mask), None) => self.masked(right.form, mask),
                (None, None) => None,
            },
            BinaryOp::BitOr | BinaryOp::BitXor if self.have_no_bit_in_common(&left, &right) => {
                left.form.checked_add(right.form).ok()
            }
            BinaryOp::BitXor if is_natural(&left) && is_natural(&right) => self.xor(left.form, right.form),
            _ => None,
        }
    }

    /// A digit of a form: `of / divisor % modulus`, rounded down.
    pub fn digit(&mut self, of: &Affine, divisor: &Sym, modulus: Option<&Sym>) -> Option<Affine> {
        let quotient = self.quotient(of, divisor)?;
        match modulus {
            Some(modulus) => self.remainder(&quotient, modulus),
            None => Some(quotient),
        }
    }

    /// `lo + (hi - lo) / 2` as `(lo + hi) / 2`, and the like: a sum with a quotient whose dividend takes up terms of it.
    fn with_quotient(&mut self, sum: &Affine, quotient: &Affine) -> Option<Affine> {
        let [(id, factor)] = quotient.terms.as_slice() else { return None };
        // The dividend becomes as many times larger as the divisor says.
        if self.is_computed {
            return None;
        }
        let Some(Term::Digit { of, divisor, modulus: None }) = self.term(*id).cloned() else { return None };
        if factor.as_constant() != Some(1) || !quotient.constant.is_zero() || divisor.as_constant().is_none() {
            return None;
        }
        let dividend = sum.checked_scale(&divisor).ok()?.checked_add(&of).ok()?;
        let is_simpler = dividend.terms.len() < sum.terms.len() + of.terms.len();
        if is_simpler { self.quotient(&dividend, &divisor) } else { None }
    }

    /// The quotient, rounded down.
    fn quotient(&mut self, of: &Affine, divisor: &Sym) -> Option<Affine> {
        if let Some(exact) = divided_exactly(of, divisor) {
            return Some(exact);
        }
        match (number(of), divisor.as_constant()) {
            (_, Some(1)) => Some(of.clone()),
            (Some(of), Some(by)) => Some(Affine::constant(Sym::constant(of.checked_div_euclid(by)?))),
            _ => self.nested(Term::Digit { of: of.clone(), divisor: divisor.clone(), modulus: None }),
        }
    }

    /// The remainder, which is never negative.
    fn remainder(&mut self, of: &Affine, modulus: &Sym) -> Option<Affine> {
        if let (Some(of), Some(by)) = (number(of), modulus.as_constant()) {
            return Some(Affine::constant(Sym::constant(of.checked_rem_euclid(by)?)));
        }
        self.nested(Term::Digit { of: of.clone(), divisor: Sym::one(), modulus: Some(modulus.clone()) })
    }

    /// `value & mask`. A mask of the lowest bits gives a remainder, whatever the sign of the value; a mask of all other
    /// bits gives the value minus a remainder, and any other one the sum of the digits that it leaves.
    fn masked(&mut self, of: &Affine, mask: i64) -> Option<Affine> {
        let modulus = |mask| BinaryOp::BitAnd.in_arithmetic(mask, ElementType::I64).map(|(_, modulus)| modulus);
        if let Some(modulus) = modulus(mask) {
            return self.remainder(of, &Sym::constant(modulus));
        }
        if let Some(unit) = modulus(!mask) {
            let rest = self.remainder(of, &Sym::constant(unit))?;
            return of.checked_sub(&rest).ok();
        }
        let mut rest = u64::try_from(mask).ok().filter(|mask| *mask < 1 << 62)?;
        let mut sum = Affine::constant(Sym::zero());
        for _ in 0..MOST_RUNS {
            if rest == 0 {
                return Some(sum);
            }
            let unit = 1i64 << rest.trailing_zeros();
            let ones = (rest / unit as u64).trailing_ones();
            let digit = self.digit(of, &Sym::constant(unit), Some(&Sym::constant(1 << ones)))?;
            sum = sum.checked_add(&digit.checked_scale(&Sym::constant(unit)).ok()?).ok()?;
            rest &= !(((1u64 << ones) - 1) * unit as u64);
        }
        None
    }

    /// The exclusive or of two forms that are never negative.
    pub fn xor(&mut self, left: &Affine, right: &Affine) -> Option<Affine> {
        if let (Some(left), Some(right)) = (number(left), number(right)) {
            return Some(Affine::constant(Sym::constant(left ^ right)));
        }
        self.nested(Term::Xor(left.clone(), right.clone()))
    }

    /// A term of nested forms; `None` if it exceeds the limits.
    fn nested(&mut self, term: Term) -> Option<Affine> {
        let inner = || {
            let forms = term.operands().flat_map(|form| form.terms.iter());
            forms.filter_map(|(id, _)| self.all.get(*id))
        };
        let depth = inner().map(|known| known.depth).max().unwrap_or(0).saturating_add(1);
        let values: BTreeSet<V> = inner().flat_map(|known| known.values.iter().copied()).collect();
        if depth > self.most_depth || values.len() > self.most_values {
            return None;
        }
        Some(Affine::term(self.intern(term, depth, values.into_iter().collect())))
    }

    fn intern(&mut self, term: Term, depth: u32, values: Rc<[V]>) -> TermId {
        if let Some(known) = self.ids.get(&term) {
            return *known;
        }
        let id = self.all.push(Known { term: term.clone(), depth, values });
        self.ids.insert(term, id);
        id
    }
}

/// A form of multiples of a number, divided by it.
fn divided_exactly(form: &Affine, divisor: &Sym) -> Option<Affine> {
    let by = divisor.as_constant().filter(|by| *by > 1)?;
    if form.terms.is_empty() {
        return None;
    }
    let divided = |size: &Sym| size.as_constant().filter(|size| size % by == 0).map(|size| Sym::constant(size / by));
    let mut sum = Affine::constant(divided(&form.constant)?);
    for (id, factor) in &form.terms {
        sum = sum.checked_add(&Affine::term(*id).checked_scale(&divided(factor)?).ok()?).ok()?;
    }
    Some(sum)
}

fn number(form: &Affine) -> Option<i64> {
    form.as_constant()?.as_constant()
}

/// The form as a divisor. Typing makes a floor division only if its divisor is proven positive.
fn divisor(form: &Affine) -> Option<&Sym> {
    form.as_constant().filter(|size| size.as_constant().is_none_or(|size| size > 0))
}

fn is_positive(size: &Sym, facts: &Facts) -> bool {
    match size.as_constant() {
        Some(size) => size > 0,
        None => facts.proves(size, CompareOp::Ge, &Sym::one()),
    }
}
