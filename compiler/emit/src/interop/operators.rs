//! The operators of index arithmetic, each with the range of its result.
//!
//! Division rounds down, as in the language. Division in C truncates, so a dividend that may be negative is increased
//! by a multiple of the divisor, or the result is corrected.

use super::dialect::Dialect;
use super::width::{cut, fits_int};
use super::writer::{MOST_LIMITS, Writer};
use crate::integers::identity;
use crate::range::Range;
use crate::sizes::IndexArithmetic;
use crate::text::{Level, Text};
use crate::value::Value;
use dims::Symbol;
use elements::ElementType;
use kernel::intervals::Arithmetic;
use kernel::typed::{BinaryOp, MathFunction};

impl IndexArithmetic for Writer<'_> {
    fn integer(&self, value: i64) -> Value {
        let literal = Value::integer(ElementType::I64, value);
        match self.dialect {
            Dialect::C => literal,
            Dialect::Python => Value { text: Text::number(value < 0, value.unsigned_abs().to_string()), ..literal },
        }
    }

    fn symbol(&mut self, symbol: &Symbol) -> Value {
        let range = self.symbol_range(symbol);
        let name = self.symbols.get(symbol).cloned().unwrap_or_else(|| symbol.name().to_owned());
        Value { text: Text::primary(name), wide: !fits_int(&range), range }
    }

    fn operate(&mut self, operation: BinaryOp, left: Value, right: Value) -> Value {
        if let Some(value) = identity(operation, ElementType::I64, &left, &right) {
            return value;
        }
        if let Some(value) = folded(operation, &left, &right) {
            return self.integer(value);
        }
        self.note_width([&left, &right]);
        let value = self.computed(operation, left, right);
        self.note_width([&value]);
        value
    }

    fn negative(&mut self, operand: Value) -> Value {
        let range = Range::of_arithmetic(&Arithmetic::Negate(&operand.range), ElementType::I64, self.facts);
        let negative = self.exact(range, None, operand, |_, operand| Text::negative(operand));
        self.note_width([&negative]);
        negative
    }

    fn lesser_or_greater(&mut self, is_least: bool, left: Value, right: Value) -> Value {
        self.note_width([&left, &right]);
        let function = if is_least { MathFunction::Min } else { MathFunction::Max };
        let arithmetic = Arithmetic::Math(function, vec![&left.range, &right.range]);
        let range = Range::of_arithmetic(&arithmetic, ElementType::I64, self.facts);
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

impl Writer<'_> {
    /// An operator of two values that are not both constant.
    fn computed(&mut self, operation: BinaryOp, left: Value, right: Value) -> Value {
        let range = Range::of_binary(operation, &left.range, &right.range, self.facts);
        match operation {
            BinaryOp::Add => self.exact(range, Some(&left), right, |left, right| infix("+", Level::Sum, left, right)),
            BinaryOp::Subtract => {
                self.exact(range, Some(&left), right, |left, right| infix("-", Level::Sum, left, right))
            }
            BinaryOp::Multiply => {
                self.exact(range, Some(&left), right, |left, right| infix("*", Level::Product, left, right))
            }
            BinaryOp::FloorDivide | BinaryOp::FloorRemainder => {
                if !right.range.at_least(1) {
                    let divisor = right.text.code.clone();
                    self.fail(&format!("the divisor `{divisor}` is not known to be positive"));
                }
                let is_quotient = operation == BinaryOp::FloorDivide;
                if is_quotient { self.quotient(range, left, right) } else { self.remainder(range, left, right) }
            }
            BinaryOp::BitXor => {
                let text = Text::infix("^", Level::BitXor, &left.text, &right.text);
                Value { text, range: cut(range), wide: left.wide || right.wide }
            }
            // Index arithmetic has no other operators.
            _ => {
                self.fail("the map has an operator that cannot be written");
                left
            }
        }
    }

    /// Records that a value may overflow 64 bits, or always does.
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
        let low = range.sizes.low.as_ref().filter(|_| !range.at_least(least));
        let high = range.sizes.high.as_ref().filter(|_| range.numbers.hi.is_none_or(|high| high > greatest));
        for bound in low.into_iter().chain(high) {
            if self.limits.len() < MOST_LIMITS && !self.limits.contains(bound) {
                self.limits.push(bound.clone());
            }
        }
    }

    /// `+`, `-`, `*` and negation of values that are as wide as the result.
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
            // One 64-bit operand makes C widen the other one.
            Some(left) if self.dialect == Dialect::C && wide && !is_wide_already => {
                write(Some(&left.widened()), &right.text)
            }
            Some(left) => write(Some(&left.text), &right.text),
            None if self.dialect == Dialect::C && wide => write(None, &right.widened()),
            None => write(None, &right.text),
        };
        Value { text, range: cut(range), wide }
    }

    fn quotient(&mut self, range: Range, left: Value, right: Value) -> Value {
        if right.range.point() == Some(1) {
            return left;
        }
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
                Some(power) => Text::infix(">>", Level::Shift, &left.text, &Text::literal(power.to_string())),
                None => Text::infix("/", Level::Product, &left.text, &right.text),
            };
            return Value { text, range: cut(range), wide };
        }
        if let Some((raised, steps)) = self.raised(&left, &right) {
            let quotient = self.computed(BinaryOp::FloorDivide, raised, right);
            let quotient = self.operate(BinaryOp::Subtract, quotient, self.integer(steps));
            return Value { range: cut(range), ..quotient };
        }
        let (left, right) = (self.named(left, "dividend"), self.named(right, "divisor"));
        // C truncates; below zero the result is one too large unless the division is exact.
        let remainder = Text::infix("%", Level::Product, &left.text, &right.text);
        let is_above = Text::infix("<", Level::Relation, &remainder, &Text::literal("0"));
        let truncated = Text::infix("/", Level::Product, &left.text, &right.text);
        let text = Text::infix("-", Level::Sum, &truncated, &is_above);
        Value { text, range: cut(range), wide }
    }

    fn remainder(&mut self, range: Range, left: Value, right: Value) -> Value {
        if right.range.point() == Some(1) {
            return self.integer(0);
        }
        let is_below = match (left.range.numbers.hi, right.range.numbers.lo) {
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
            let remainder = self.computed(BinaryOp::FloorRemainder, raised, right);
            return Value { range: cut(range), ..remainder };
        }
        let right = self.named(right, "divisor");
        let truncated = Text::infix("%", Level::Product, &left.text, &right.text);
        let most = right.range.numbers.hi.unwrap_or(i128::from(i64::MAX));
        let remainder = self.named(Value { text: truncated, range: Range::between(-most, most), wide }, "rest");
        let is_below = Text::infix("<", Level::Relation, &remainder.text, &Text::literal("0"));
        let zero = Text::literal("0");
        let correction = Text::choice(&is_below, &right.text, &zero);
        let text = Text::infix("+", Level::Sum, &remainder.text, &correction);
        Value { text, range: cut(range), wide }
    }

    /// A dividend that may be negative, increased by a multiple of the divisor so that it never is, and the number of
    /// divisors added. Only for constants of moderate size.
    fn raised(&mut self, left: &Value, right: &Value) -> Option<(Value, i64)> {
        let moderate = 1i128 << 40;
        let divisor = right.range.point().filter(|divisor| (1..=moderate).contains(divisor))?;
        let low = left.range.numbers.lo.filter(|low| *low >= -moderate)?;
        left.range.numbers.hi.filter(|high| *high <= i128::from(i64::MAX) - 2 * moderate)?;
        let steps = i64::try_from(-low.div_euclid(divisor)).ok()?;
        let raise = i64::try_from(i128::from(steps) * divisor).ok()?;
        let raised = self.operate(BinaryOp::Add, left.clone(), self.integer(raise));
        raised.range.at_least(0).then_some((raised, steps))
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

/// Folds an operator of two constants.
fn folded(operation: BinaryOp, left: &Value, right: &Value) -> Option<i64> {
    let (left, right) = (left.range.point()?, right.range.point()?);
    let value = match operation {
        BinaryOp::Add => left.checked_add(right)?,
        BinaryOp::Subtract => left.checked_sub(right)?,
        BinaryOp::Multiply => left.checked_mul(right)?,
        BinaryOp::FloorDivide if right > 0 => left.div_euclid(right),
        BinaryOp::FloorRemainder if right > 0 => left.rem_euclid(right),
        BinaryOp::BitXor => left ^ right,
        _ => return None,
    };
    i64::try_from(value).ok()
}
