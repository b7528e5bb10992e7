//! Writes the arithmetic of a map, with the narrowest type that holds each value.
//!
//! It works the same for every language: terms that are used more than once get a name, constants are folded, and a
//! division becomes a shift or a mask if its operand is known not to be negative.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::dialect::Dialect;
use super::emitted::NoForm;
use super::width::{cut, fits_int};
use crate::names::Names;
use crate::range::Range;
use crate::sizes::IndexArithmetic;
use crate::text::{Level, Text};
use crate::value::Value;
use dims::{Facts, Sym, Symbol};
use kernel::typed::BinaryOp;
use maps::arithmetic;
use maps::{Affine, IndexMap, Term, TermId};

/// The most bounds on sizes in a comment; a longer list would be useless.
pub(super) const MOST_LIMITS: usize = 8;

/// Writes expressions over the coordinates and symbols of a map.
#[derive(Clone)]
pub(super) struct Writer<'m> {
    pub(super) dialect: Dialect,
    pub(super) map: &'m IndexMap,
    pub(super) facts: &'m Facts,
    /// The names in scope.
    pub names: Names,
    /// The upper coordinates.
    pub coordinates: Vec<Value>,
    pub(super) symbols: BTreeMap<Symbol, String>,
    /// The value of each term with a single value, whose parts are not written.
    known: Vec<Option<i64>>,
    /// The number of uses of each term in the current function.
    uses: Vec<usize>,
    terms: BTreeMap<TermId, Value>,
    sums: FxHashMap<Affine, Value>,
    /// The definitions that have to precede the text, in order.
    pub lines: Vec<String>,
    /// Sizes that have to fit 64 bits for the text to be correct.
    pub limits: Vec<Sym>,
    /// Whether a value may overflow 64 bits because a coordinate is unbounded.
    pub is_unbounded: bool,
    /// Whether the text has a 64-bit value.
    pub has_wide: bool,
    problem: Option<NoForm>,
}

impl<'m> Writer<'m> {
    /// A writer for a map; `names` are the names that are in use already. The coordinates get their names first, as in
    /// the map's formulas.
    pub(super) fn new(dialect: Dialect, map: &'m IndexMap, facts: &'m Facts, mut names: Names) -> Writer<'m> {
        let axis_names = map.axis_names();
        let mut coordinates = Vec::with_capacity(map.upper.len());
        for (axis, name) in map.upper.iter().zip(&axis_names) {
            let range = match &axis.extent {
                Some(extent) => Range::below(extent, 1 << 63, facts),
                None => {
                    let sizes = maps::Range { low: Some(Sym::zero()), high: None };
                    Range { sizes, ..Range::between(0, i128::from(i64::MAX)) }
                }
            };
            let wide = !fits_int(&range);
            coordinates.push(Value { text: Text::primary(names.take(name)), range, wide });
        }
        let symbols = map.symbols();
        let symbols = symbols.into_iter().map(|symbol| (symbol.clone(), names.take(symbol.name()))).collect();
        let mut writer = Writer {
            dialect,
            map,
            facts,
            names,
            coordinates,
            symbols,
            known: vec![None; map.terms.len()],
            uses: vec![0; map.terms.len()],
            terms: BTreeMap::new(),
            sums: FxHashMap::default(),
            lines: Vec::new(),
            limits: Vec::new(),
            is_unbounded: false,
            has_wide: false,
            problem: None,
        };
        writer.known = writer.only_values();
        writer
    }

    /// The value of each term with a single value.
    fn only_values(&self) -> Vec<Option<i64>> {
        let mut trial = self.clone();
        // With a name for every term, each text is short.
        trial.uses = vec![2; self.map.terms.len()];
        let terms = (0..).map(TermId).zip(&self.map.terms);
        let only = |(id, term): (TermId, &Term)| match term {
            Term::Xor(left, right) if left == right => Some(0),
            _ => i64::try_from(trial.term(id).range.point()?).ok(),
        };
        let values = terms.map(only).collect();
        // If a term cannot be written, it is kept so that the reason is reported.
        if trial.problem.is_some() { self.known.clone() } else { values }
    }

    /// The value of a term, if it has only one.
    fn only_value(&self, id: TermId) -> Option<i64> {
        self.known.get(id.0 as usize).copied().flatten()
    }

    /// The symbols with their names in the text, in order.
    pub(super) fn symbols(&self) -> impl Iterator<Item = (&Symbol, &String)> {
        self.symbols.iter()
    }

    /// The values that a symbol can have.
    pub(super) fn symbol_range(&self, symbol: &Symbol) -> Range {
        cut(Range::size(&Sym::symbol(symbol.clone()), self.facts))
    }

    /// Takes over the limits that another writer for the same map found.
    pub(super) fn take_notes(&mut self, other: Writer<'m>) {
        self.is_unbounded |= other.is_unbounded;
        self.has_wide |= other.has_wide;
        self.problem = self.problem.take().or(other.problem);
        for limit in other.limits {
            if self.limits.len() < MOST_LIMITS && !self.limits.contains(&limit) {
                self.limits.push(limit);
            }
        }
    }

    /// The reason why the map cannot be written, if there is one.
    pub(super) fn problem(&self) -> Result<(), NoForm> {
        self.problem.clone().map_or(Ok(()), Err)
    }

    /// Announces forms that will be written, so that their common terms get names.
    pub(super) fn announce<'f>(&mut self, forms: impl Iterator<Item = &'f Affine>) {
        let mut reached = vec![0usize; self.map.terms.len()];
        let count = |form: &Affine, reached: &mut Vec<usize>| {
            for (term, _) in &form.terms {
                if let Some(uses) = reached.get_mut(term.0 as usize) {
                    *uses += 1;
                }
            }
        };
        forms.for_each(|form| count(form, &mut reached));
        for ((number, term), known) in self.map.terms.iter().enumerate().zip(&self.known).rev() {
            if known.is_none() && reached.get(number).is_some_and(|uses| *uses > 0) {
                term.operands().for_each(|operand| count(operand, &mut reached));
            }
        }
        self.uses = reached;
    }

    /// Writes an affine form.
    pub(super) fn form(&mut self, form: &Affine) -> Value {
        let mut terms = Vec::with_capacity(form.terms.len() + 1);
        for (term, coefficient) in &form.terms {
            let value = self.term(*term);
            terms.push(match coefficient.as_constant() {
                Some(coefficient) => self.scaled(coefficient, Some(value)),
                None => {
                    let coefficient = self.size(coefficient);
                    (1, self.operate(BinaryOp::Multiply, coefficient, value))
                }
            });
        }
        if !form.constant.is_zero() {
            terms.push(match form.constant.as_constant() {
                Some(constant) => self.scaled(constant, None),
                None => (1, self.size(&form.constant)),
            });
        }
        self.sum(terms)
    }

    fn term(&mut self, id: TermId) -> Value {
        if let Some(value) = self.terms.get(&id) {
            return value.clone();
        }
        if let Some(value) = self.only_value(id) {
            return self.integer(value);
        }
        let (value, word) = match self.map.term(id) {
            Some(Term::Coordinate(axis)) => (self.coordinates.get(*axis as usize).cloned(), None),
            Some(Term::Digit { of, divisor, modulus }) => {
                let of = self.dividend(of);
                let divisor = self.size(divisor);
                let quotient = self.operate(BinaryOp::FloorDivide, of, divisor);
                let digit = match modulus {
                    None => quotient,
                    Some(modulus) => {
                        let modulus = self.size(modulus);
                        self.operate(BinaryOp::FloorRemainder, quotient, modulus)
                    }
                };
                (Some(digit), Some("digit"))
            }
            Some(Term::Xor(left, right)) => {
                let (left, right) = (self.form(left), self.form(right));
                (Some(self.operate(BinaryOp::BitXor, left, right)), Some("mixed"))
            }
            None => (None, None),
        };
        let Some(value) = value else {
            self.fail("the map refers to a part that it does not have");
            return self.integer(0);
        };
        let is_shared = self.uses.get(id.0 as usize).is_some_and(|uses| *uses > 1);
        let value = match word {
            Some(word) if is_shared => self.named(value, word),
            _ => value,
        };
        self.terms.insert(id, value.clone());
        value
    }

    /// The dividend of a digit. A sum that is the dividend of several digits gets a name.
    fn dividend(&mut self, of: &Affine) -> Value {
        if let Some(value) = self.sums.get(of) {
            return value.clone();
        }
        let cut_here = |((term, uses), known): &((&Term, &usize), &Option<i64>)| {
            matches!(term, Term::Digit { of: other, .. } if other == of) && **uses > 0 && known.is_none()
        };
        let digits = self.map.terms.iter().zip(&self.uses).zip(&self.known).filter(cut_here).count();
        let value = self.form(of);
        let value = if digits > 1 { self.named(value, "sum") } else { value };
        self.sums.insert(of.clone(), value.clone());
        value
    }

    /// Names a value, unless it is a name or a number already.
    pub(super) fn named(&mut self, value: Value, word: &str) -> Value {
        if value.text.level >= Level::Primary {
            return value;
        }
        let name = self.names.take(word);
        self.lines.push(self.dialect.definition(&name, &value.text.code, &value.range));
        let named = Value { text: Text::primary(name), wide: !fits_int(&value.range), range: value.range.clone() };
        self.note_width([&value, &named]);
        named
    }

    /// The tests for `low ≤ value < high` that do not follow from the ranges.
    pub(super) fn tests(&mut self, form: &Affine, low: Option<&Sym>, high: Option<&Sym>) -> Vec<Text> {
        let value = self.form(form);
        let facts = self.facts;
        let is_above = |low: &&Sym| {
            let known = low.as_constant().is_some_and(|low| value.range.at_least(i128::from(low)));
            known || value.range.sizes.low.as_ref().is_some_and(|least| arithmetic::at_most(low, least, facts))
        };
        let is_below = |high: &&Sym| {
            let most = high.as_constant().and_then(|high| i128::from(high).checked_sub(1));
            let known = most.is_some_and(|most| value.range.numbers.hi.is_some_and(|highest| highest <= most));
            known || value.range.sizes.high.as_ref().is_some_and(|most| arithmetic::less(most, high, facts))
        };
        let (low, high) = (low.filter(|low| !is_above(low)), high.filter(|high| !is_below(high)));
        let value = if low.is_some() && high.is_some() { self.named(value, "value") } else { value };
        self.bounds(&value, low, high)
    }

    /// Whether the ranges imply that `low ≤ value < high` never holds.
    pub(super) fn never_holds(&mut self, form: &Affine, low: Option<&Sym>, high: Option<&Sym>) -> bool {
        let Range { numbers, sizes, .. } = self.form(form).range;
        let facts = self.facts;
        let is_below = low.is_some_and(|low| {
            let constant = low.as_constant().zip(numbers.hi).is_some_and(|(low, most)| most < i128::from(low));
            constant || sizes.high.is_some_and(|most| arithmetic::less(&most, low, facts))
        });
        let is_beyond = high.is_some_and(|high| {
            let constant = high.as_constant().zip(numbers.lo).is_some_and(|(high, least)| least >= i128::from(high));
            constant || sizes.low.is_some_and(|least| arithmetic::at_most(high, &least, facts))
        });
        is_below || is_beyond
    }

    /// `low <= value` and `value < high`.
    pub(super) fn bounds(&mut self, value: &Value, low: Option<&Sym>, high: Option<&Sym>) -> Vec<Text> {
        let mut tests = Vec::new();
        self.note_width([value]);
        if let Some(low) = low {
            let low = self.size(low);
            self.note_width([&low]);
            tests.push(Text::infix("<=", Level::Relation, &low.text, &value.text));
        }
        if let Some(high) = high {
            let high = self.size(high);
            self.note_width([&high]);
            tests.push(Text::infix("<", Level::Relation, &value.text, &high.text));
        }
        tests
    }

    /// Records the width of values in the text.
    pub(super) fn note_width<'v>(&mut self, written: impl IntoIterator<Item = &'v Value>) {
        self.has_wide |= written.into_iter().any(|value| value.wide);
    }

    /// Records why the map cannot be written; only the first reason is kept.
    pub(super) fn fail(&mut self, reason: &str) {
        self.problem.get_or_insert_with(|| NoForm(reason.to_owned()));
    }
}
