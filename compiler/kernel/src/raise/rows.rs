//! Places in rows that lie one behind the other and have lengths of their own, as in packed triangles: `i * (i + 1) / 2 + j` where
//! `j <= i`, or `i * N - i * (i - 1) / 2 + j - i` where `i <= j < N`.
//!
//! Twice such a place is a polynomial in row and column. Where each row ends no later than the next one begins, and no row between two
//! others has a negative length, places of different rows differ, and all lie from the beginning of the first row on to the end of
//! the last one.

use std::collections::BTreeMap;

use super::condition::Condition;
use super::raiser::Raiser;
use super::value::{Kind, ValueId};
use crate::typed::{BinaryOp, UnaryOp};
use dims::{Atom, CompareOp, Fact, Facts, Sym, Symbol};
use elements::ElementType;
use maps::Range;
use smol_str::format_smolstr;

/// The most operations of a place.
const MOST_OPERATIONS: u32 = 32;
/// The most comparisons of a column that are looked at.
const MOST_COMPARED: usize = 8;
/// The most names of which a number is shown to be even, by all of their remainders.
const MOST_NAMES: usize = 6;

/// A place in rows of which no two have one in common.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) rows: Rows,
    /// Where all places lie.
    range: Range,
}

/// Rows of places. Places in the same rows are the same only in the same row and column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rows {
    pub(super) row: ValueId,
    pub(super) column: ValueId,
    /// The first and the last row.
    ends: [Sym; 2],
    /// Twice the first place of a row, and twice the one behind it.
    of_row: [Sym; 2],
}

/// An integer that is a polynomial, or half of one.
#[derive(Clone)]
struct Polynomial {
    value: Sym,
    is_halved: bool,
}

/// The values that are the variables of polynomials.
struct Variables {
    values: Vec<ValueId>,
    steps: u32,
}

impl Variables {
    /// No values but these yet.
    fn from(values: Vec<ValueId>) -> Self {
        Self { values, steps: MOST_OPERATIONS }
    }

    /// The symbol of a variable. No name in a program has a space.
    fn symbol(number: usize) -> Symbol {
        Symbol::coordinate(format_smolstr!("variable {number}"), 0)
    }

    /// The variable that a value is; `None` if there are more than a row and a column.
    fn variable(&mut self, value: ValueId) -> Option<Sym> {
        let known = self.values.iter().position(|known| *known == value);
        let number = known.unwrap_or(self.values.len());
        if known.is_none() {
            self.values.push(value);
        }
        (number < 2).then(|| Sym::symbol(Self::symbol(number)))
    }
}

impl Polynomial {
    fn whole(value: Sym) -> Self {
        Self { value, is_halved: false }
    }

    fn twice(&self) -> Option<Sym> {
        if self.is_halved { Some(self.value.clone()) } else { self.value.checked_add(&self.value).ok() }
    }

    fn plus(&self, other: &Self, is_subtracted: bool) -> Option<Self> {
        let is_halved = self.is_halved || other.is_halved;
        let [one, other] = match is_halved {
            true => [self.twice()?, other.twice()?],
            false => [self.value.clone(), other.value.clone()],
        };
        let value = if is_subtracted { one.checked_sub(&other) } else { one.checked_add(&other) };
        Some(Self { value: value.ok()?, is_halved })
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let is_halved = self.is_halved || other.is_halved;
        let value = self.value.checked_mul(&other.value).ok()?;
        (!(self.is_halved && other.is_halved)).then_some(Self { value, is_halved })
    }
}

/// Whether a polynomial is even for all numbers: whether it is depends on which of its variables are even.
fn is_always_even(value: &Sym) -> bool {
    let is_polynomial = value.terms().all(|(_, atoms)| atoms.iter().all(|(atom, _)| matches!(atom, Atom::Symbol(_))));
    let symbols: Vec<Symbol> = value.symbols().into_iter().collect();
    let is_even = |bits: usize| {
        let remainder = |symbol: &Symbol| {
            let place = symbols.iter().position(|known| known == symbol)?;
            Some(i64::from(bits >> place & 1 == 1))
        };
        value.evaluate_wide(&remainder).is_ok_and(|value| value % 2 == 0)
    };
    is_polynomial && symbols.len() <= MOST_NAMES && (0..1 << symbols.len()).all(is_even)
}

impl Raiser {
    /// That the places in rows of which an index is made are within all rows.
    pub(super) fn within_rows(&mut self, index: ValueId) -> Vec<Condition> {
        let mut found = Vec::new();
        for (place, Place { range, .. }) in self.places_in_rows(index) {
            for (op, end) in [(CompareOp::Ge, range.low), (CompareOp::Le, range.high)] {
                if let Some(end) = end {
                    let right = self.size(&end);
                    found.push(Condition { left: place, op, right });
                }
            }
        }
        found
    }

    /// The places in rows of which an index is made, each with its value.
    pub(super) fn places_in_rows(&mut self, index: ValueId) -> Vec<(ValueId, Place)> {
        let (mut open, mut found) = (vec![index], Vec::new());
        for _ in 0..MOST_OPERATIONS {
            let Some(value) = open.pop() else { break };
            let value = self.bare(value);
            let Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply), left, right) =
                *self.kind(value)
            else {
                continue;
            };
            match self.place_in_rows(value).filter(|_| op != BinaryOp::Multiply) {
                Some(place) => found.push((value, place)),
                None => open.extend([left, right]),
            }
        }
        found
    }

    /// The row and the column of a place.
    fn place_in_rows(&mut self, place: ValueId) -> Option<Place> {
        if self.element(place) != ElementType::I64 || !self.has_product(place) {
            return None;
        }
        // A column that is a sum itself is one variable.
        let columns = match *self.kind(place) {
            Kind::Binary(BinaryOp::Add, left, right) => [right, left].map(|column| vec![self.bare(column)]).to_vec(),
            _ => Vec::new(),
        };
        [vec![vec![]], columns].concat().into_iter().find_map(|column| {
            let mut variables = Variables::from(column);
            let twice = self.polynomial(place, &mut variables)?.twice()?;
            let [_, _] = variables.values.as_slice() else { return None };
            (0..2).find_map(|row| {
                // Where rows lie anyway comes first, as two statements have that in common.
                let (anywhere, here) =
                    (self.range_anywhere(variables.values[row]), self.range_here(variables.values[row]));
                let of_rows = [anywhere, here];
                of_rows.into_iter().find_map(|of_rows| self.place_in(&twice, &variables.values, row, of_rows))
            })
        })
    }

    /// The range of a value, whatever conditions hold.
    fn range_anywhere(&mut self, value: ValueId) -> Range {
        if self.has_no_conditions() {
            return self.range_here(value);
        }
        let held = self.held();
        let around = self.take_since(held.without_conditions());
        let range = self.range_here(value);
        self.put_back(around, held);
        range
    }

    /// Whether a sum has a product of two values that are no sizes.
    fn has_product(&self, sum: ValueId) -> bool {
        let mut open = vec![sum];
        for _ in 0..MOST_OPERATIONS {
            let Some(value) = open.pop() else { break };
            match *self.kind(self.bare(value)) {
                Kind::Binary(BinaryOp::Multiply, left, right)
                    if self.as_size(left).is_none() && self.as_size(right).is_none() =>
                {
                    return true;
                }
                Kind::Binary(_, left, right) => open.extend([left, right]),
                _ => {}
            }
        }
        false
    }

    /// A value as a polynomial; what is none is a variable of it.
    fn polynomial(&mut self, id: ValueId, variables: &mut Variables) -> Option<Polynomial> {
        variables.steps = variables.steps.checked_sub(1)?;
        let id = self.bare(id);
        if let Some(size) = self.as_size(id) {
            return Some(Polynomial::whole(size));
        }
        match self.kind(id).clone() {
            _ if variables.values.contains(&id) => variables.variable(id).map(Polynomial::whole),
            Kind::Unary(UnaryOp::Negate, inner) if self.is_sum(id) => {
                Polynomial::whole(Sym::zero()).plus(&self.polynomial(inner, variables)?, true)
            }
            Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) if self.is_sum(id) => {
                let left = self.polynomial(left, variables)?;
                left.plus(&self.polynomial(right, variables)?, op == BinaryOp::Subtract)
            }
            Kind::Binary(BinaryOp::Multiply, left, right) if self.is_sum(id) => {
                let left = self.polynomial(left, variables)?;
                left.times(&self.polynomial(right, variables)?)
            }
            // An exact half is the same, however it is rounded.
            Kind::Binary(BinaryOp::FloorDivide | BinaryOp::Divide, of, by)
                if self.as_size(by) == Some(Sym::constant(2)) =>
            {
                let of = self.polynomial(of, variables)?;
                let is_half = !of.is_halved && is_always_even(&of.value);
                is_half.then_some(Polynomial { value: of.value, is_halved: true })
            }
            _ => variables.variable(id).map(Polynomial::whole),
        }
    }

    /// The place whose double is a polynomial in two values, of which this one is the row.
    fn place_in(&mut self, twice: &Sym, values: &[ValueId], row: usize, of_rows: Range) -> Option<Place> {
        let [row_value, column_value] = [values[row], values[1 - row]];
        let [row, column] = [row, 1 - row].map(Variables::symbol);
        let Range { low: Some(first), high: Some(last) } = of_rows else { return None };
        if !self.facts.proves(&first, CompareOp::Ge, &Sym::zero()) {
            return None;
        }
        let facts = self.facts.clone();
        let with = |of: &Sym, symbol: &Symbol, value: &Sym| {
            of.substitute(&BTreeMap::from([(symbol.clone(), value.clone())]), &facts).ok()
        };
        // Neighbours in a row are neighbours.
        let one = Sym::symbol(column.clone()).checked_mul(&Sym::constant(2)).ok()?;
        if twice.checked_sub(&with(twice, &column, &Sym::zero())?).ok()? != one {
            return None;
        }
        let rows = Sym::symbol(row.clone());
        let mut here = facts.clone();
        here.assume(Fact::compare(rows.clone(), CompareOp::Ge, first.clone())).ok()?;
        here.assume(Fact::compare(rows.clone(), CompareOp::Le, last.clone())).ok()?;
        let mut before_last = here.clone();
        let has_next = before_last.assume(Fact::compare(rows.clone(), CompareOp::Lt, last.clone())).is_ok();
        let next = rows.checked_add(&Sym::one()).ok()?;
        let [begins, ends] = self.ends_of_rows(column_value, row_value, &rows);
        let at = |ends: &[Sym]| -> Vec<Sym> { ends.iter().filter_map(|end| with(twice, &column, end)).collect() };
        let (begins, ends) = (at(&begins), at(&ends));
        for (begin, end) in begins.iter().flat_map(|begin| ends.iter().map(move |end| (begin, end))) {
            let is_in_order = here.proves(begin, CompareOp::Le, end)
                && (!has_next || before_last.proves(end, CompareOp::Le, &with(begin, &row, &next)?));
            if is_in_order {
                let half = |end: &Sym| end.checked_floor_div(&Sym::constant(2), &facts).ok();
                let low = with(begin, &row, &first).and_then(|begin| half(&begin));
                let high = with(end, &row, &last).and_then(|end| half(&end)?.checked_sub(&Sym::one()).ok());
                let of_row = [begin.clone(), end.clone()];
                let rows = Rows { row: row_value, column: column_value, ends: [first, last], of_row };
                return Some(Place { rows, range: Range { low, high } });
            }
        }
        None
    }

    /// Where the columns of a row begin, and where they end, by what holds here, each in terms of the row.
    fn ends_of_rows(&mut self, column: ValueId, row: ValueId, rows: &Sym) -> [Vec<Sym>; 2] {
        // What holds of the column anyway comes first, as two statements have that in common.
        let mut begins = Vec::from_iter(self.is_never_negative(column).then(Sym::zero));
        let mut ends: Vec<Sym> = Vec::new();
        let after = |end: &Sym| end.checked_add(&Sym::one()).ok();
        if self.is_never_above(column, row) {
            ends.extend(after(rows));
        }
        let compared: Vec<(CompareOp, ValueId)> = self.comparisons_of(column).take(MOST_COMPARED).collect();
        for (op, other) in compared {
            // The row is the first variable here, whichever it is in the place.
            let mut variables = Variables::from(vec![row]);
            let Some(Polynomial { value, is_halved: false }) = self.polynomial(other, &mut variables) else { continue };
            let own = BTreeMap::from([(Variables::symbol(0), rows.clone())]);
            let Ok(value) = value.substitute(&own, &Facts::empty()) else { continue };
            if variables.values.len() > 1 {
                continue;
            }
            match op {
                CompareOp::Lt => ends.push(value),
                CompareOp::Le => ends.extend(after(&value)),
                CompareOp::Gt => begins.extend(after(&value)),
                CompareOp::Ge => begins.push(value),
                CompareOp::Eq | CompareOp::Ne => {}
            }
        }
        let Range { low, high } = self.range_here(column);
        begins.extend(low);
        ends.extend(high.as_ref().and_then(after));
        [begins, ends]
    }
}
