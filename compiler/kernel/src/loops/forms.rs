//! Integers as quasi-affine forms: sums of coefficient · value, with floor divisions, remainders and exclusive ors.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::ranges::is_exact;
use super::values::{Node, ValueId, Values};
use crate::intervals::binary;
use crate::typed::{BinaryOp, UnaryOp};
use dims::{Interval, Sym};
use elements::ElementType;
use maps::{Affine, Term, TermId};

/// A form with more terms counts as a value of its own.
const MOST_TERMS: usize = 16;

/// Divisions, remainders and exclusive ors deeper in each other count as values of their own.
const MOST_DEPTH: u32 = 8;

/// The terms of all forms. [`Term::Coordinate`] is a value by its number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forms {
    pub(super) terms: Vec<Known>,
    pub(super) ids: FxHashMap<Term, TermId>,
}

#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) term: Term,
    depth: u32,
    /// The values that it is made of.
    values: Rc<[ValueId]>,
}

impl Forms {
    /// The form that is a value and nothing else.
    pub fn own(&mut self, id: ValueId) -> Affine {
        Affine::term(self.intern(Term::Coordinate(id.0), 0, [id].into()))
    }

    fn intern(&mut self, term: Term, depth: u32, values: Rc<[ValueId]>) -> TermId {
        if let Some(known) = self.ids.get(&term) {
            return *known;
        }
        let id = TermId(self.terms.len() as u32);
        self.ids.insert(term.clone(), id);
        self.terms.push(Known { term, depth, values });
        id
    }

    /// The values that a term is made of.
    pub(super) fn parts(&self, term: TermId) -> &[ValueId] {
        self.terms.get(term.0 as usize).map_or(&[], |known| &known.values)
    }

    /// Whether a term is a value and nothing else.
    pub(super) fn is_value(&self, term: TermId) -> bool {
        self.terms.get(term.0 as usize).is_some_and(|known| matches!(known.term, Term::Coordinate(_)))
    }

    /// The values that a form is made of.
    pub fn values_of(&self, form: &Affine) -> impl Iterator<Item = ValueId> {
        let known = form.terms.iter().filter_map(|(term, _)| self.terms.get(term.0 as usize));
        known.flat_map(|known| known.values.iter().copied())
    }

    /// A term made of other forms; `None` where it is nested too deep or made of too much.
    fn nested(&mut self, term: Term) -> Option<Affine> {
        let inner =
            || term.operands().flat_map(|form| form.terms.iter()).filter_map(|(id, _)| self.terms.get(id.0 as usize));
        let depth = 1 + inner().map(|known| known.depth).max().unwrap_or(0);
        let values: BTreeSet<ValueId> = inner().flat_map(|known| known.values.iter().copied()).collect();
        if depth > MOST_DEPTH || values.len() > MOST_TERMS {
            return None;
        }
        Some(Affine::term(self.intern(term, depth, values.into_iter().collect())))
    }

    /// The exclusive or of two forms that are never negative.
    pub(super) fn xor(&mut self, left: &Affine, right: &Affine) -> Option<Affine> {
        let known = |form: &Affine| form.as_constant()?.as_constant();
        match (known(left), known(right)) {
            (Some(left), Some(right)) => Some(Affine::constant(Sym::constant(left ^ right))),
            _ => self.nested(Term::Xor(left.clone(), right.clone())),
        }
    }

    pub(super) fn digit(&mut self, of: &Affine, divisor: &Sym, modulus: Option<&Sym>) -> Option<Affine> {
        let known = |size: &Sym| of.as_constant()?.as_constant().zip(size.as_constant());
        match modulus {
            None if divisor.as_constant() == Some(1) => return Some(of.clone()),
            None => {
                if let Some((value, by)) = known(divisor) {
                    return Some(Affine::constant(Sym::constant(value.div_euclid(by))));
                }
            }
            Some(modulus) => {
                if let Some((value, by)) = known(modulus).filter(|_| divisor.as_constant() == Some(1)) {
                    return Some(Affine::constant(Sym::constant(value.rem_euclid(by))));
                }
            }
        }
        self.nested(Term::Digit { of: of.clone(), divisor: divisor.clone(), modulus: modulus.cloned() })
    }
}

/// The form of an integer that has just been added.
pub(super) fn of_node(id: ValueId, node: &Node, element: ElementType, values: &mut Values<'_>) -> Affine {
    let found = composed(node, element, values).filter(|form| form.terms.len() <= MOST_TERMS);
    found.unwrap_or_else(|| values.forms.own(id))
}

fn composed(node: &Node, element: ElementType, values: &mut Values<'_>) -> Option<Affine> {
    match node {
        Node::Constant(bits) => {
            let value = i64::try_from(*bits).ok().or((element != ElementType::U64).then_some(*bits as i64))?;
            Some(Affine::constant(Sym::constant(value)))
        }
        Node::Size(size) => Some(Affine::constant(size.clone())),
        Node::Unary(UnaryOp::Negate, operand) => {
            let count = values.get(*operand)?.is_count;
            let exact = values.range(*operand).negate();
            is_exact(exact, element, count).then(|| values.form(*operand)?.checked_scale(&Sym::constant(-1)).ok())?
        }
        Node::Cast(inner) => {
            let operand = values.get(*inner)?;
            // A count fits 64 bits with a sign, and no narrower type.
            let is_count = operand.is_count && element == ElementType::I64;
            let exact = operand.element.is_integer() && is_exact(operand.range, element, is_count);
            exact.then(|| operand.form.clone())?
        }
        Node::Select(_, then, otherwise) => {
            values.form(*then).filter(|then| Some(then) == values.form(*otherwise).as_ref())
        }
        Node::Binary(op, left, right) => {
            let counts = values.get(*left)?.is_count && values.get(*right)?.is_count;
            let ranges = [values.range(*left), values.range(*right)];
            let (one, other) = (values.form(*left)?, values.form(*right)?);
            let shifted = op == &BinaryOp::ShiftLeft;
            let exact = match (shifted, shift(&other, element)) {
                (true, by) => ranges[0].multiply(Interval::point(1i128.checked_shl(by?)?)),
                (false, _) => binary(*op, ranges[0], ranges[1], element)?,
            };
            if !is_exact(exact, element, counts) {
                return None;
            }
            let natural = |range: &Interval| range.lo.is_some_and(|lo| lo >= 0);
            operation(*op, [&one, &other], element, [natural(&ranges[0]), natural(&ranges[1])], &mut values.forms)
        }
        _ => None,
    }
}

/// A known distance of a shift.
fn shift(by: &Affine, element: ElementType) -> Option<u32> {
    let width = u32::try_from(element.size_bytes()).ok()?.checked_mul(8)?;
    u32::try_from(by.as_constant()?.as_constant()?).ok().filter(|by| *by < width)
}

/// An operator that does not leave its type.
fn operation(
    op: BinaryOp,
    [left, right]: [&Affine; 2],
    element: ElementType,
    natural: [bool; 2],
    forms: &mut Forms,
) -> Option<Affine> {
    let power = |by: u32| 1i64.checked_shl(by).filter(|power| *power > 0).map(Sym::constant);
    let divisor = || right.as_constant().filter(|size| size.as_constant().is_none_or(|size| size > 0));
    let one = Sym::one();
    match op {
        BinaryOp::Add => left.checked_add(right).ok(),
        BinaryOp::Subtract => left.checked_sub(right).ok(),
        BinaryOp::Multiply => match (left.as_constant(), right.as_constant()) {
            (_, Some(factor)) => left.checked_scale(factor).ok(),
            (Some(factor), None) => right.checked_scale(factor).ok(),
            (None, None) => None,
        },
        BinaryOp::FloorDivide => forms.digit(left, divisor()?, None),
        BinaryOp::FloorRemainder => forms.digit(left, &one, Some(divisor()?)),
        BinaryOp::Divide if natural[0] => {
            forms.digit(left, divisor().filter(|size| size.as_constant().is_some())?, None)
        }
        BinaryOp::Remainder if natural[0] => {
            forms.digit(left, &one, Some(divisor().filter(|size| size.as_constant().is_some())?))
        }
        BinaryOp::ShiftLeft if natural[0] => left.checked_scale(&power(shift(right, element)?)?).ok(),
        BinaryOp::ShiftRight if natural[0] => forms.digit(left, &power(shift(right, element)?)?, None),
        BinaryOp::BitAnd => {
            let (of, mask, natural) = match (left.as_constant(), right.as_constant()) {
                (_, Some(mask)) => (left, mask, natural[0]),
                (Some(mask), None) => (right, mask, natural[1]),
                (None, None) => return None,
            };
            let end = mask.as_constant()?.checked_add(1)?;
            (natural && end > 0 && end.count_ones() == 1).then(|| forms.digit(of, &one, Some(&Sym::constant(end))))?
        }
        BinaryOp::BitXor if natural == [true; 2] => forms.xor(left, right),
        _ => None,
    }
}
