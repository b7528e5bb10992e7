//! Values as quasi-affine forms, and maps made of them for the prover.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ranges::{self, is_exact};
use super::values::{LoopId, Node, ValueId, Values};
use crate::typed::{BinaryOp, MathFunction, UnaryOp};
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, Term, TermId, UpperAxis};

/// A form with more terms counts as a value of its own.
const MOST_TERMS: usize = 16;

/// Divisions, remainders and exclusive ors deeper in each other count as values of their own.
const MOST_DEPTH: u32 = 8;

/// Values farther from zero are no coordinate to count from.
const FAR: i128 = 1 << 48;

/// What a truth says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Truth {
    Unknown,
    Constant(bool),
    /// `form op 0`
    Compare(Affine, CompareOp),
    Not(ValueId),
    And(ValueId, ValueId),
    Or(ValueId, ValueId),
}

/// The terms of all forms. [`Term::Coordinate`] is a value by its number.
#[derive(Default)]
pub(super) struct Forms {
    terms: Vec<Known>,
    ids: FxHashMap<Term, TermId>,
}

struct Known {
    term: Term,
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

    fn digit(&mut self, of: &Affine, divisor: &Sym, modulus: Option<&Sym>) -> Option<Affine> {
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

fn form(id: ValueId, values: &Values<'_>) -> Option<Affine> {
    values.get(id)?.form.clone()
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
            let exact = values.range(*operand).multiply(Interval::point(-1));
            is_exact(exact, element, count).then(|| form(*operand, values)?.checked_scale(&Sym::constant(-1)).ok())?
        }
        Node::Cast(inner) => {
            let operand = values.get(*inner)?;
            let exact = operand.element.is_integer() && is_exact(operand.range, element, operand.is_count);
            exact.then(|| operand.form.clone())?
        }
        Node::Select(_, then, otherwise) => {
            form(*then, values).filter(|then| Some(then) == form(*otherwise, values).as_ref())
        }
        Node::Binary(op, left, right) => {
            let counts = values.get(*left)?.is_count && values.get(*right)?.is_count;
            let ranges = [values.range(*left), values.range(*right)];
            let (one, other) = (form(*left, values)?, form(*right, values)?);
            let shifted = op == &BinaryOp::ShiftLeft;
            let exact = match (shifted, shift(&other, element)) {
                (true, by) => ranges[0].multiply(Interval::point(1i128.checked_shl(by?)?)),
                (false, _) => ranges::binary(*op, ranges[0], ranges[1], element)?,
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
        BinaryOp::BitXor if natural == [true; 2] => {
            let known = |form: &Affine| form.as_constant()?.as_constant();
            match (known(left), known(right)) {
                (Some(left), Some(right)) => Some(Affine::constant(Sym::constant(left ^ right))),
                _ => forms.nested(Term::Xor(left.clone(), right.clone())),
            }
        }
        _ => None,
    }
}

/// What a truth says that has just been added.
pub(super) fn truth_of(node: &Node, values: &Values<'_>) -> Truth {
    match node {
        Node::Constant(bits) => Truth::Constant(*bits != 0),
        Node::Unary(UnaryOp::Not, operand) => Truth::Not(*operand),
        Node::Binary(BinaryOp::And, left, right) => Truth::And(*left, *right),
        Node::Binary(BinaryOp::Or, left, right) => Truth::Or(*left, *right),
        Node::Binary(op, left, right) => {
            let op = match op {
                BinaryOp::Equal => CompareOp::Eq,
                BinaryOp::NotEqual => CompareOp::Ne,
                BinaryOp::Less => CompareOp::Lt,
                BinaryOp::LessEqual => CompareOp::Le,
                BinaryOp::Greater => CompareOp::Gt,
                BinaryOp::GreaterEqual => CompareOp::Ge,
                _ => return Truth::Unknown,
            };
            let (left, right) = (form(*left, values), form(*right, values));
            let difference = left.zip(right).and_then(|(left, right)| left.checked_sub(&right).ok());
            difference.map_or(Truth::Unknown, |form| Truth::Compare(form, op))
        }
        Node::Cast(inner) => form(*inner, values).map_or(Truth::Unknown, |form| Truth::Compare(form, CompareOp::Ne)),
        _ => Truth::Unknown,
    }
}

/// What a map for the prover is to lead to, and where it is valid.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    /// The element that is reached: a map, at coordinates.
    pub reached: Option<(Arc<IndexMap>, Vec<Affine>)>,
    /// What else it leads to.
    pub lower: Vec<Affine>,
    /// Conditions that hold, or that do not.
    pub guards: Vec<(ValueId, bool)>,
    /// `form op 0`
    pub comparisons: Vec<(Affine, CompareOp)>,
}

/// A map for the prover.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub map: IndexMap,
    /// Whether its valid points are exactly those that there are in some run.
    pub exact: bool,
}

/// The most conditions that a map states; the others are left out.
pub(super) const MOST_CONDITIONS: usize = 48;

impl Values<'_> {
    /// The values that a side is made of, with those that bound them.
    pub fn values_of_side(&self, side: &Side) -> (BTreeSet<ValueId>, Vec<(Affine, CompareOp)>, bool) {
        let mut exact = true;
        let mut conditions = side.comparisons.clone();
        for (guard, holds) in side.guards.iter().rev().take(MOST_CONDITIONS) {
            exact &= self.state(*guard, *holds, &mut conditions);
        }
        exact &= side.guards.len() <= MOST_CONDITIONS;
        let mut found = BTreeSet::new();
        let mut open: Vec<ValueId> = Vec::new();
        let coordinates = side.reached.iter().flat_map(|(_, coordinates)| coordinates);
        let stated = conditions.iter().map(|(form, _)| form);
        for form in coordinates.chain(&side.lower).chain(stated) {
            open.extend(self.forms.values_of(form));
        }
        while let Some(id) = open.pop() {
            if !found.insert(id) {
                continue;
            }
            let before = conditions.len();
            exact &= self.bounds(id, &mut conditions);
            open.extend(conditions.iter().skip(before).flat_map(|(form, _)| self.forms.values_of(form)));
        }
        (found, conditions, exact)
    }

    /// Adds what a condition says. Whether that is all it says.
    fn state(&self, condition: ValueId, holds: bool, to: &mut Vec<(Affine, CompareOp)>) -> bool {
        let mut exact = true;
        let mut open = vec![(condition, holds)];
        while let Some((condition, holds)) = open.pop() {
            match self.get(condition).map(|value| &value.truth) {
                Some(Truth::Not(inner)) => open.push((*inner, !holds)),
                Some(Truth::And(left, right)) if holds => open.extend([(*left, true), (*right, true)]),
                Some(Truth::Or(left, right)) if !holds => open.extend([(*left, false), (*right, false)]),
                Some(Truth::Compare(form, op)) => {
                    let op = if holds { *op } else { op.negated() };
                    exact &= op != CompareOp::Ne && to.len() < MOST_CONDITIONS;
                    if to.len() < MOST_CONDITIONS {
                        to.push((form.clone(), op));
                    }
                }
                Some(Truth::Constant(value)) if *value == holds => {}
                Some(Truth::Constant(_)) => to.push((Affine::constant(Sym::one()), CompareOp::Lt)),
                _ => exact = false,
            }
        }
        exact
    }

    /// Adds what bounds a value by others. Whether that is all there is to know of it.
    fn bounds(&self, id: ValueId, to: &mut Vec<(Affine, CompareOp)>) -> bool {
        let below = |one: ValueId, other: ValueId| {
            form(one, self).zip(form(other, self)).and_then(|(one, other)| one.checked_sub(&other).ok())
        };
        match self.node(id) {
            Some(Node::Thread | Node::Block) => true,
            Some(Node::Iterator(number)) => {
                let Some([low, high]) = self.ends(*number) else { return false };
                let [first, last] = [below(low, id), below(id, high)];
                let exact = first.is_some() && last.is_some();
                to.extend(first.map(|form| (form, CompareOp::Le)));
                to.extend(last.map(|form| (form, CompareOp::Lt)));
                exact
            }
            Some(Node::Math(function @ (MathFunction::Min | MathFunction::Max), arguments)) => {
                for argument in arguments {
                    let op = if *function == MathFunction::Min { CompareOp::Le } else { CompareOp::Ge };
                    to.extend(below(id, *argument).map(|form| (form, op)));
                }
                false
            }
            _ => false,
        }
    }

    /// The map of a side. `None` where a number is too large for it.
    pub fn build(&self, side: &Side) -> Option<Built> {
        let (found, conditions, exact) = self.values_of_side(side);
        let mut upper = Vec::new();
        let mut places = Vec::with_capacity(found.len());
        for id in &found {
            let place = self.place(*id, upper.len());
            upper.extend(place.axes.iter().cloned());
            places.push((*id, place));
        }
        let map = self.with_axes(side, upper, &places, &conditions).ok()?;
        Some(Built { map, exact })
    }

    fn with_axes(
        &self,
        side: &Side,
        upper: Vec<UpperAxis>,
        places: &[(ValueId, Place)],
        conditions: &[(Affine, CompareOp)],
    ) -> Result<IndexMap, MapError> {
        let mut builder = MapBuilder::new(upper, self.facts());
        let mut known: FxHashMap<TermId, Affine> = FxHashMap::default();
        for (id, place) in places {
            let value = place.value(&mut builder)?;
            if let Some(term) = self.forms.ids.get(&Term::Coordinate(id.0)) {
                known.insert(*term, value);
            }
        }
        let mut converter = Converter { forms: &self.forms, builder, known };
        for (form, op) in conditions {
            converter.condition(form, *op)?;
        }
        let mut lower = Vec::with_capacity(side.lower.len() + 1);
        if let Some((map, coordinates)) = &side.reached {
            let coordinates =
                coordinates.iter().map(|form| converter.form(form)).collect::<Result<Vec<Affine>, MapError>>()?;
            lower.extend(converter.builder.apply(map, &coordinates)?);
        }
        for form in &side.lower {
            lower.push(LowerAxis { value: converter.form(form)?, extent: None });
        }
        converter.builder.finish(lower)
    }

    /// How a value is a coordinate, or the difference of two.
    fn place(&self, id: ValueId, first: usize) -> Place {
        let role = if self.node(id) == Some(&Node::Thread) { AxisRole::Thread } else { AxisRole::Local };
        let axis = |extent: Option<Sym>| UpperAxis { extent, role };
        let launch = &self.kernel.launch;
        let extent = match self.node(id) {
            Some(Node::Thread) => Some(&launch.threads),
            Some(Node::Block) => Some(&launch.blocks),
            _ => None,
        };
        if let Some(extent) = extent {
            return Place { axes: vec![axis(Some(extent.clone()))], first, offset: 0 };
        }
        let Interval { lo, hi } = self.range(id);
        let near = |end: Option<i128>| end.filter(|end| end.abs() < FAR).and_then(|end| i64::try_from(end).ok());
        match (near(lo), near(hi)) {
            (Some(low), high) => {
                let extent = high.map(|high| Sym::constant(high.saturating_sub(low).saturating_add(1).max(0)));
                Place { axes: vec![axis(extent)], first, offset: low }
            }
            (None, _) => Place { axes: vec![axis(None), axis(None)], first, offset: 0 },
        }
    }

    /// The values at which a loop begins and before which it ends.
    pub fn ends(&self, number: LoopId) -> Option<[ValueId; 2]> {
        self.loop_ends.get(number.0 as usize).copied()
    }
}

/// The coordinates that a value is made of.
struct Place {
    axes: Vec<UpperAxis>,
    first: usize,
    offset: i64,
}

impl Place {
    fn value(&self, builder: &mut MapBuilder<'_>) -> Result<Affine, MapError> {
        let value = builder.coordinate(self.first)?.checked_offset(&Sym::constant(self.offset))?;
        match self.axes.len() {
            1 => Ok(value),
            _ => value.checked_sub(&builder.coordinate(self.first + 1)?),
        }
    }
}

/// Forms over values as forms of a map under construction.
struct Converter<'a, 'f> {
    forms: &'a Forms,
    builder: MapBuilder<'f>,
    known: FxHashMap<TermId, Affine>,
}

impl Converter<'_, '_> {
    fn form(&mut self, form: &Affine) -> Result<Affine, MapError> {
        let mut sum = Affine::constant(form.constant.clone());
        for (term, factor) in &form.terms {
            sum = sum.checked_add(&self.term(*term)?.checked_scale(factor)?)?;
        }
        Ok(sum)
    }

    fn term(&mut self, id: TermId) -> Result<Affine, MapError> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let known = self.forms.terms.get(id.0 as usize).ok_or(MapError::Malformed)?;
        let found = match &known.term {
            // Every value that takes part has been given its coordinates.
            Term::Coordinate(_) => return Err(MapError::Malformed),
            Term::Digit { of, divisor, modulus } => {
                let of = self.form(of)?;
                self.builder.digit(&of, divisor, modulus.as_ref())?
            }
            Term::Xor(left, right) => {
                let (left, right) = (self.form(left)?, self.form(right)?);
                self.builder.xor(&left, &right)?
            }
        };
        self.known.insert(id, found.clone());
        Ok(found)
    }

    /// `form op 0` as a mask.
    fn condition(&mut self, form: &Affine, op: CompareOp) -> Result<(), MapError> {
        let value = self.form(form)?;
        let (zero, one) = (Sym::zero(), Sym::one());
        let (low, high) = match op {
            CompareOp::Eq => (Some(&zero), Some(&one)),
            CompareOp::Lt => (None, Some(&zero)),
            CompareOp::Le => (None, Some(&one)),
            CompareOp::Gt => (Some(&one), None),
            CompareOp::Ge => (Some(&zero), None),
            CompareOp::Ne => return Ok(()),
        };
        self.builder.mask(&value, low, high, MaskReason::Guard)
    }
}
