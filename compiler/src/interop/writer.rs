//! Writes the arithmetic of a map, with every value as wide as it must be and no wider.
//!
//! The mechanism is the same for every language: terms that are used more than once get a name, constants are folded,
//! and a division becomes a shift or a mask where its operand is known not to be negative.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::NoForm;
use super::dialect::Dialect;
use crate::dims::{Facts, Sym, Symbol};
use crate::emit::integers::{Operation, identity};
use crate::emit::names::Names;
use crate::emit::range::Range;
use crate::emit::sizes::IndexArithmetic;
use crate::emit::text::{Level, Text};
use crate::emit::value::Value;
use crate::kernels::element::ElementType;
use crate::maps::arithmetic;
use crate::maps::{Affine, IndexMap, Term, TermId};

/// More than these bounds on sizes are not listed; a reader would not check them.
const MOST_LIMITS: usize = 8;

/// Writes expressions over the coordinates and symbols of a map.
#[derive(Clone)]
pub(super) struct Writer<'m> {
    dialect: Dialect,
    map: &'m IndexMap,
    facts: &'m Facts,
    /// The names that can be seen where the text has got to.
    pub names: Names,
    /// The upper coordinates.
    pub coordinates: Vec<Value>,
    symbols: BTreeMap<Symbol, String>,
    /// How often what is being written uses each term.
    uses: Vec<usize>,
    terms: BTreeMap<TermId, Value>,
    sums: FxHashMap<Affine, Value>,
    /// The definitions that what was written needs before it, in order.
    pub lines: Vec<String>,
    /// Sizes that must fit 64 bits for the text to be right.
    pub limits: Vec<Sym>,
    /// Whether a value can leave 64 bits because a coordinate has no end.
    pub is_unbounded: bool,
    problem: Option<NoForm>,
}

impl<'m> Writer<'m> {
    /// A writer for a map; `names` holds what is taken already. The coordinates come first, under the names that the
    /// map's formulas use for them.
    pub(super) fn new(dialect: Dialect, map: &'m IndexMap, facts: &'m Facts, mut names: Names) -> Writer<'m> {
        let axis_names = map.axis_names();
        let mut coordinates = Vec::with_capacity(map.upper.len());
        for (axis, name) in map.upper.iter().zip(&axis_names) {
            let range = match &axis.extent {
                Some(extent) => Range::below(extent, 1 << 63, facts),
                None => {
                    let lower = Some(Sym::zero());
                    Range { lower, index: true, ..Range::between(0, i128::from(i64::MAX)) }
                }
            };
            let wide = !fits_int(&range);
            coordinates.push(Value { text: Text::primary(names.take(name)), range, wide });
        }
        let symbols = map.symbols();
        let symbols = symbols.into_iter().map(|symbol| (symbol.clone(), names.take(symbol.name()))).collect();
        Writer {
            dialect,
            map,
            facts,
            names,
            coordinates,
            symbols,
            uses: vec![0; map.terms.len()],
            terms: BTreeMap::new(),
            sums: FxHashMap::default(),
            lines: Vec::new(),
            limits: Vec::new(),
            is_unbounded: false,
            problem: None,
        }
    }

    /// The symbols and what they are called here, in order.
    pub(super) fn symbols(&self) -> impl Iterator<Item = (&Symbol, &String)> {
        self.symbols.iter()
    }

    /// The values that a symbol can have.
    pub(super) fn symbol_range(&self, symbol: &Symbol) -> Range {
        cut(Range::size(&Sym::symbol(symbol.clone()), self.facts))
    }

    /// Keeps what another writer for the same map found out about the limits of the text.
    pub(super) fn take_notes(&mut self, other: Writer<'m>) {
        self.is_unbounded |= other.is_unbounded;
        self.problem = self.problem.take().or(other.problem);
        for limit in other.limits {
            if self.limits.len() < MOST_LIMITS && !self.limits.contains(&limit) {
                self.limits.push(limit);
            }
        }
    }

    /// What stands in the way of the text, if something does.
    pub(super) fn problem(&self) -> Result<(), NoForm> {
        self.problem.clone().map_or(Ok(()), Err)
    }

    /// Announces forms that are going to be written, so that what they share gets a name.
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
        for (number, term) in self.map.terms.iter().enumerate().rev() {
            if reached.get(number).is_some_and(|uses| *uses > 0) {
                term.operands().for_each(|operand| count(operand, &mut reached));
            }
        }
        self.uses = reached;
    }

    /// The value of an affine form.
    pub(super) fn form(&mut self, form: &Affine) -> Value {
        let mut terms = Vec::with_capacity(form.terms.len() + 1);
        for (term, coefficient) in &form.terms {
            let value = self.term(*term);
            terms.push(match coefficient.as_constant() {
                Some(coefficient) => self.scaled(coefficient, Some(value)),
                None => {
                    let coefficient = self.size(coefficient);
                    (1, self.operate(Operation::Multiply, coefficient, value))
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
        let (value, word) = match self.map.term(id) {
            Some(Term::Coordinate(axis)) => (self.coordinates.get(*axis as usize).cloned(), None),
            Some(Term::Digit { of, divisor, modulus }) => {
                let of = self.dividend(of);
                let divisor = self.size(divisor);
                let quotient = self.operate(Operation::FloorDivide, of, divisor);
                let digit = match modulus {
                    None => quotient,
                    Some(modulus) => {
                        let modulus = self.size(modulus);
                        self.operate(Operation::FloorRemainder, quotient, modulus)
                    }
                };
                (Some(digit), Some("digit"))
            }
            Some(Term::Xor(left, right)) => {
                let (left, right) = (self.form(left), self.form(right));
                (Some(self.operate(Operation::Xor, left, right)), Some("mixed"))
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

    /// What a digit is cut from: a sum that several digits are cut from gets a name.
    fn dividend(&mut self, of: &Affine) -> Value {
        if let Some(value) = self.sums.get(of) {
            return value.clone();
        }
        let cut_here =
            |(term, uses): &(&Term, &usize)| matches!(term, Term::Digit { of: other, .. } if other == of) && **uses > 0;
        let digits = self.map.terms.iter().zip(&self.uses).filter(cut_here).count();
        let value = self.form(of);
        let value = if digits > 1 { self.named(value, "sum") } else { value };
        self.sums.insert(of.clone(), value.clone());
        value
    }

    /// A value under a name, unless it is a name or a number already.
    pub(super) fn named(&mut self, value: Value, word: &str) -> Value {
        if value.text.level == Level::Primary && !value.text.code.ends_with(')') {
            return value;
        }
        let name = self.names.take(word);
        self.lines.push(self.dialect.definition(&name, &value.text.code, &value.range));
        Value { text: Text::primary(name), wide: !fits_int(&value.range), range: value.range }
    }

    /// The tests that `low ≤ value < high` needs where the ranges do not show it; none where they do.
    pub(super) fn tests(&mut self, form: &Affine, low: Option<&Sym>, high: Option<&Sym>) -> Vec<Text> {
        let value = self.form(form);
        let facts = self.facts;
        let is_above = |low: &&Sym| {
            let known = low.as_constant().is_some_and(|low| value.range.at_least(i128::from(low)));
            known || value.range.lower.as_ref().is_some_and(|least| arithmetic::at_most(low, least, facts))
        };
        let is_below = |high: &&Sym| {
            let most = high.as_constant().and_then(|high| i128::from(high).checked_sub(1));
            let known = most.is_some_and(|most| value.range.high.is_some_and(|highest| highest <= most));
            known || value.range.upper.as_ref().is_some_and(|most| arithmetic::less(most, high, facts))
        };
        let (low, high) = (low.filter(|low| !is_above(low)), high.filter(|high| !is_below(high)));
        let value = if low.is_some() && high.is_some() { self.named(value, "value") } else { value };
        self.bounds(&value, low, high)
    }

    /// `low <= value` and `value < high`.
    pub(super) fn bounds(&mut self, value: &Value, low: Option<&Sym>, high: Option<&Sym>) -> Vec<Text> {
        let mut tests = Vec::new();
        if let Some(low) = low {
            let low = self.size(low);
            tests.push(Text::infix("<=", Level::Relation, &low.text, &value.text));
        }
        if let Some(high) = high {
            let high = self.size(high);
            tests.push(Text::infix("<", Level::Relation, &value.text, &high.text));
        }
        tests
    }

    /// Notes why there is no text; the first reason counts.
    fn fail(&mut self, reason: &str) {
        self.problem.get_or_insert_with(|| NoForm(reason.to_owned()));
    }

    /// Notes that a value may leave 64 bits, or that it does.
    fn note_overflow(&mut self, range: &Range) {
        let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
        if range.within(least, greatest) {
            return;
        }
        let has_symbols = self.symbols.keys().next().is_some();
        let has_end = self.map.upper.iter().all(|axis| axis.extent.is_some());
        if !has_end {
            self.is_unbounded = true;
        }
        if !has_symbols && has_end {
            self.fail("a value on the way to an index does not fit in 64 bits");
        }
        let low = range.lower.as_ref().filter(|_| !range.at_least(least));
        let high = range.upper.as_ref().filter(|_| range.high.is_none_or(|high| high > greatest));
        for bound in low.into_iter().chain(high) {
            if self.limits.len() < MOST_LIMITS && !self.limits.contains(bound) {
                self.limits.push(bound.clone());
            }
        }
    }

    /// `+`, `-`, `*` and the negative, of values that are as wide as the result must be.
    fn exact(
        &mut self,
        range: Range,
        left: Option<&Value>,
        right: Value,
        write: fn(Option<&Text>, &Text) -> Text,
    ) -> Value {
        self.note_overflow(&range);
        let operands = || left.into_iter().chain([&right]);
        let wide = operands().any(|operand| operand.wide) || !fits_int(&range);
        let is_wide_already = operands().any(|operand| operand.wide);
        let text = match left {
            // One operand of 64 bits makes the other one so.
            Some(left) if self.dialect == Dialect::C && wide && !is_wide_already => {
                write(Some(&left.widened()), &right.text)
            }
            Some(left) => write(Some(&left.text), &right.text),
            None if self.dialect == Dialect::C && wide => write(None, &right.widened()),
            None => write(None, &right.text),
        };
        Value { text, range: cut(range), wide }
    }

    fn quotient(&mut self, left: Value, right: Value) -> Value {
        if right.range.point() == Some(1) {
            return left;
        }
        let range = left.range.floor_divide(&right.range, self.facts);
        if let Some(point) = range.point().and_then(|point| i64::try_from(point).ok()) {
            return self.integer(point);
        }
        let wide = left.wide || right.wide;
        if self.dialect == Dialect::Python {
            let text = Text::infix("//", Level::Product, &left.text, &right.text);
            return Value { text, range: cut(range), wide };
        }
        if left.range.at_least(0) {
            let text = match power_of_two(&right) {
                Some(power) => Text::infix(">>", Level::Shift, &left.text, &Text::primary(power.to_string())),
                None => Text::infix("/", Level::Product, &left.text, &right.text),
            };
            return Value { text, range: cut(range), wide };
        }
        if let Some((raised, steps)) = self.raised(&left, &right) {
            let quotient = self.quotient(raised, right);
            let quotient = self.operate(Operation::Subtract, quotient, self.integer(steps));
            return Value { range: cut(range), ..quotient };
        }
        let (left, right) = (self.named(left, "dividend"), self.named(right, "divisor"));
        // C truncates; below zero that is one too many unless the division is exact.
        let remainder = Text::infix("%", Level::Product, &left.text, &right.text);
        let is_above = Text::infix("<", Level::Relation, &remainder, &Text::primary("0"));
        let truncated = Text::infix("/", Level::Product, &left.text, &right.text);
        let text = Text::infix("-", Level::Sum, &truncated, &is_above);
        Value { text, range: cut(range), wide }
    }

    fn remainder(&mut self, left: Value, right: Value) -> Value {
        if right.range.point() == Some(1) {
            return self.integer(0);
        }
        let range = left.range.floor_remainder(&right.range);
        let is_below = match (left.range.high, right.range.low) {
            (Some(high), Some(low)) => high < low,
            _ => false,
        };
        if left.range.at_least(0) && is_below {
            return left;
        }
        let wide = left.wide || right.wide;
        if self.dialect == Dialect::Python {
            let text = Text::infix("%", Level::Product, &left.text, &right.text);
            return Value { text, range: cut(range), wide };
        }
        if left.range.at_least(0) {
            let text = match power_of_two(&right) {
                Some(power) => {
                    let mask = self.integer((1i64 << power) - 1);
                    Text::infix("&", Level::BitAnd, &left.text, &mask.text)
                }
                None => Text::infix("%", Level::Product, &left.text, &right.text),
            };
            return Value { text, range: cut(range), wide };
        }
        if let Some((raised, _)) = self.raised(&left, &right) {
            let remainder = self.remainder(raised, right);
            return Value { range: cut(range), ..remainder };
        }
        let right = self.named(right, "divisor");
        let truncated = Text::infix("%", Level::Product, &left.text, &right.text);
        let most = right.range.high.unwrap_or(i128::from(i64::MAX));
        let remainder = self.named(Value { text: truncated, range: Range::between(-most, most), wide }, "rest");
        let is_below = Text::infix("<", Level::Relation, &remainder.text, &Text::primary("0"));
        let zero = Text::primary("0");
        let correction = Text::choice(&is_below, &right.text, &zero);
        let text = Text::infix("+", Level::Sum, &remainder.text, &correction);
        Value { text, range: cut(range), wide }
    }

    /// A dividend that can be negative, raised by a multiple of the divisor so that it cannot; and how many times the
    /// divisor was added. Only where both are known numbers of moderate size.
    fn raised(&mut self, left: &Value, right: &Value) -> Option<(Value, i64)> {
        let moderate = 1i128 << 40;
        let divisor = right.range.point().filter(|divisor| (1..=moderate).contains(divisor))?;
        let low = left.range.low.filter(|low| *low >= -moderate)?;
        left.range.high.filter(|high| *high <= i128::from(i64::MAX) - 2 * moderate)?;
        let steps = i64::try_from(-low.div_euclid(divisor)).ok()?;
        let raise = i64::try_from(i128::from(steps) * divisor).ok()?;
        let raised = self.operate(Operation::Add, left.clone(), self.integer(raise));
        raised.range.at_least(0).then_some((raised, steps))
    }
}

impl IndexArithmetic for Writer<'_> {
    fn integer(&self, value: i64) -> Value {
        let literal = Value::integer(ElementType::I64, value);
        match self.dialect {
            Dialect::C => literal,
            Dialect::Python => Value { text: Text::number(value.to_string()), ..literal },
        }
    }

    fn symbol(&mut self, symbol: &Symbol) -> Value {
        let range = self.symbol_range(symbol);
        let name = self.symbols.get(symbol).cloned().unwrap_or_else(|| symbol.name().to_owned());
        Value { text: Text::primary(name), wide: !fits_int(&range), range }
    }

    fn operate(&mut self, operation: Operation, left: Value, right: Value) -> Value {
        if let Some(value) = identity(operation, ElementType::I64, &left, &right) {
            return value;
        }
        if let Some(value) = folded(operation, &left, &right) {
            return self.integer(value);
        }
        match operation {
            Operation::Add => {
                let range = left.range.add(&right.range, self.facts);
                self.exact(range, Some(&left), right, |left, right| infix("+", Level::Sum, left, right))
            }
            Operation::Subtract => {
                let range = left.range.subtract(&right.range, self.facts);
                self.exact(range, Some(&left), right, |left, right| infix("-", Level::Sum, left, right))
            }
            Operation::Multiply => {
                let range = left.range.multiply(&right.range, self.facts);
                self.exact(range, Some(&left), right, |left, right| infix("*", Level::Product, left, right))
            }
            Operation::FloorDivide | Operation::FloorRemainder => {
                if !right.range.at_least(1) {
                    let divisor = right.text.code.clone();
                    self.fail(&format!("the divisor `{divisor}` is not known to be positive"));
                }
                let is_quotient = operation == Operation::FloorDivide;
                if is_quotient { self.quotient(left, right) } else { self.remainder(left, right) }
            }
            Operation::Xor => {
                let range = left.range.bits(&right.range, self.facts);
                let text = Text::infix("^", Level::BitXor, &left.text, &right.text);
                Value { text, range: cut(range), wide: left.wide || right.wide }
            }
            // Index arithmetic has no others.
            _ => {
                self.fail("the map has an operator that cannot be written");
                left
            }
        }
    }

    fn negative(&mut self, operand: Value) -> Value {
        let range = operand.range.negate();
        self.exact(range, None, operand, |_, operand| Text::prefix("-", operand))
    }

    fn lesser_or_greater(&mut self, is_least: bool, left: Value, right: Value) -> Value {
        let range = if is_least {
            left.range.minimum(&right.range, self.facts)
        } else {
            left.range.maximum(&right.range, self.facts)
        };
        let wide = left.wide || right.wide;
        if self.dialect == Dialect::Python {
            let text = Text::call(if is_least { "min" } else { "max" }, &[&left.text, &right.text]);
            return Value { text, range: cut(range), wide };
        }
        let (left, right) = (self.named(left, "size"), self.named(right, "size"));
        let is_less = Text::infix("<", Level::Relation, &left.text, &right.text);
        let (first, second) = if is_least { (&left.text, &right.text) } else { (&right.text, &left.text) };
        Value { text: Text::choice(&is_less, first, second), range: cut(range), wide }
    }
}

/// Whether an `int` holds every value.
pub(super) fn fits_int(range: &Range) -> bool {
    range.within(i128::from(i32::MIN), i128::from(i32::MAX))
}

/// The range as far as 64 bits go: what lies beyond is excluded by the limits.
fn cut(range: Range) -> Range {
    let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
    Range {
        low: Some(range.low.map_or(least, |low| low.max(least))),
        high: Some(range.high.map_or(greatest, |high| high.min(greatest))),
        ..range
    }
}

fn infix(operator: &str, level: Level, left: Option<&Text>, right: &Text) -> Text {
    left.map_or_else(|| right.clone(), |left| Text::infix(operator, level, left, right))
}

/// The exponent of a divisor that is a power of two.
fn power_of_two(divisor: &Value) -> Option<u32> {
    let value = u64::try_from(divisor.range.point()?).ok()?;
    value.is_power_of_two().then(|| value.trailing_zeros())
}

/// An operator of two known integers.
fn folded(operation: Operation, left: &Value, right: &Value) -> Option<i64> {
    let (left, right) = (left.range.point()?, right.range.point()?);
    let value = match operation {
        Operation::Add => left.checked_add(right)?,
        Operation::Subtract => left.checked_sub(right)?,
        Operation::Multiply => left.checked_mul(right)?,
        Operation::FloorDivide if right > 0 => left.div_euclid(right),
        Operation::FloorRemainder if right > 0 => left.rem_euclid(right),
        Operation::Xor => left ^ right,
        _ => return None,
    };
    i64::try_from(value).ok()
}
