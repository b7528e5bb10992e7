//! Quasi-affine forms of integers: sums of coefficient · value, with floor divisions, remainders and exclusive ors.
//!
//! This module alone defines which form an operation has, and how a form becomes part of an index map. Two modules
//! number values and use it: [`raise`](crate::raise) for the checks, where conditions around a statement narrow values,
//! and [`loops`](crate::loops) for code generation, where a value is the same everywhere. They decide whether an
//! operation stays in its type before they ask for its form.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::table::{Table, ids};
use crate::typed::BinaryOp;
use dims::{CompareOp, Facts, Interval, Sym};
use elements::ElementType;
use maps::{Affine, MapBuilder, MapError, Term, TermId};

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
    /// An empty set of terms with these limits.
    pub fn new(most_values: usize, most_depth: u32) -> Self {
        Self { all: Table::default(), ids: FxHashMap::default(), most_values, most_depth }
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
        let Some(Term::Digit { of, divisor, modulus: None }) = self.term(*id).cloned() else { return None };
        if factor.as_constant() != Some(1) || !quotient.constant.is_zero() || divisor.as_constant().is_none() {
            return None;
        }
        let dividend = sum.checked_scale(&divisor).ok()?.checked_add(&of).ok()?;
        let is_simpler = dividend.terms.len() < sum.terms.len() + of.terms.len();
        if is_simpler { self.quotient(&dividend, &divisor) } else { None }
    }

    /// Whether two numbers that are never negative have no bit in common, so that their sum has the bits of both.
    fn have_no_bit_in_common(&self, left: &Operand<'_>, right: &Operand<'_>) -> bool {
        if bits_apart(left, right) || bits_apart(right, left) {
            return true;
        }
        let bits = [left, right].map(|operand| self.bits(operand));
        matches!(bits, [Some(left), Some(right)] if left & right == 0)
    }

    /// The bits that a number may have, which is never negative; `None` if that is not known.
    fn bits(&self, operand: &Operand<'_>) -> Option<u64> {
        let most = operand.range.hi.filter(|_| operand.range.is_natural())?;
        let most = u64::try_from(most).ok().filter(|most| *most < 1 << 62)?;
        let all = up_to(most);
        let Some(constant) = operand.form.constant.as_constant().and_then(|value| u64::try_from(value).ok()) else {
            return Some(all);
        };
        let mut found = constant;
        for (id, factor) in &operand.form.terms {
            let of_term = factor.as_constant().and_then(|factor| self.bits_of_term(*id, factor, operand));
            // Bits that occur twice carry.
            match of_term {
                Some(bits) if bits & found == 0 => found |= bits,
                _ => return Some(all),
            }
        }
        Some(found & all)
    }

    /// The bits of a multiple of a term by a power of two.
    fn bits_of_term(&self, id: TermId, factor: i64, operand: &Operand<'_>) -> Option<u64> {
        let factor = u64::try_from(factor).ok().filter(|factor| factor.is_power_of_two())?;
        let most = match self.term(id)? {
            Term::Digit { modulus: Some(modulus), .. } => u64::try_from(modulus.as_constant()?).ok()?.checked_sub(1)?,
            // A single term of which the range of the whole tells.
            _ if operand.form.terms.len() == 1 && operand.form.constant.is_zero() => {
                u64::try_from(operand.range.hi?).ok()? / factor
            }
            _ => return None,
        };
        up_to(most).checked_mul(factor)
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

/// Builds forms in a map under construction, each term once.
pub(crate) struct Building<'a, 'f, V, P> {
    terms: &'a Terms<V>,
    /// The map.
    pub builder: &'a mut MapBuilder<'f>,
    /// Gives each value as a form over the map's coordinates.
    place: P,
    built: FxHashMap<TermId, Affine>,
}

impl<'a, 'f, V, P> Building<'a, 'f, V, P>
where
    V: Number,
    P: FnMut(V, &mut MapBuilder<'f>) -> Result<Affine, MapError>,
{
    /// Starts without any terms; `place` gives each value over the map's coordinates.
    pub fn new(terms: &'a Terms<V>, builder: &'a mut MapBuilder<'f>, place: P) -> Self {
        Self { terms, builder, place, built: FxHashMap::default() }
    }

    /// Builds a form.
    pub fn form(&mut self, form: &Affine) -> Result<Affine, MapError> {
        let mut sum = Affine::constant(form.constant.clone());
        for (term, factor) in &form.terms {
            sum = sum.checked_add(&self.term(*term)?.checked_scale(factor)?)?;
        }
        Ok(sum)
    }

    fn term(&mut self, id: TermId) -> Result<Affine, MapError> {
        if let Some(built) = self.built.get(&id) {
            return Ok(built.clone());
        }
        let Known { term, values, .. } = self.terms.all.get(id).ok_or(MapError::Malformed)?;
        let built = match term {
            Term::Coordinate(_) => (self.place)(*values.first().ok_or(MapError::Malformed)?, self.builder)?,
            Term::Digit { of, divisor, modulus } => {
                let of = self.form(of)?;
                self.builder.digit(&of, divisor, modulus.as_ref())?
            }
            Term::Xor(left, right) => {
                let (left, right) = (self.form(left)?, self.form(right)?);
                self.builder.xor(&left, &right)?
            }
        };
        self.built.insert(id, built.clone());
        Ok(built)
    }
}

/// All bits up to the highest one of a number.
fn up_to(most: u64) -> u64 {
    match most.checked_add(1).and_then(u64::checked_next_power_of_two) {
        Some(end) => end - 1,
        None => u64::MAX,
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

/// Whether a form is a multiple of a power of two that exceeds all values of the other operand, so that they share no
/// bits.
fn bits_apart(one: &Operand<'_>, other: &Operand<'_>) -> bool {
    let Some(most) = other.range.hi.filter(|_| other.range.is_natural()) else { return false };
    let is_multiple = |size: &Sym| {
        let lowest_bit = |value: i64| value.unsigned_abs() & value.unsigned_abs().wrapping_neg();
        size.as_constant().is_some_and(|value| value == 0 || i128::from(lowest_bit(value)) > most)
    };
    one.form.sizes().all(is_multiple)
}
