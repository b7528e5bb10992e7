//! Symbolic integers in the languages of the C family.

use super::emitter::Emitter;
use super::integers::Meaning;
use super::value::Value;
use dims::{Atom, Sym, Symbol};
use elements::ElementType;
use kernel::typed::BinaryOp;

/// Emits index arithmetic on mathematical integers, with division rounded down. It can emit every symbolic integer.
pub(crate) trait IndexArithmetic {
    /// The value of a symbol.
    fn symbol(&mut self, symbol: &Symbol) -> Value;

    /// Emits `left operation right`.
    fn operate(&mut self, operation: BinaryOp, left: Value, right: Value) -> Value;

    /// Emits `-operand`.
    fn negative(&mut self, operand: Value) -> Value;

    /// The minimum or maximum of two integers.
    fn lesser_or_greater(&mut self, is_least: bool, left: Value, right: Value) -> Value;

    /// An integer constant.
    fn integer(&self, value: i64) -> Value {
        Value::integer(ElementType::I64, value)
    }

    /// The value of a symbolic integer.
    fn size(&mut self, size: &Sym) -> Value {
        let mut terms: Vec<(i64, Value)> = Vec::new();
        for (coefficient, factors) in size.terms() {
            let mut product: Option<Value> = None;
            for (atom, power) in factors {
                for _ in 0..*power {
                    let atom = self.atom(atom);
                    product = Some(match product {
                        None => atom,
                        Some(product) => self.operate(BinaryOp::Multiply, product, atom),
                    });
                }
            }
            terms.push(self.scaled(coefficient, product));
        }
        self.sum(terms)
    }

    /// A coefficient and its factor, as a sign and a magnitude, since `x - 64 * y` is clearer than `x + -64 * y`.
    fn scaled(&mut self, coefficient: i64, factor: Option<Value>) -> (i64, Value) {
        let (sign, magnitude) = match coefficient.checked_abs() {
            Some(magnitude) => (coefficient.signum(), magnitude),
            None => (1, coefficient),
        };
        let magnitude = self.integer(magnitude);
        match factor {
            None => (sign, magnitude),
            Some(factor) => (sign, self.operate(BinaryOp::Multiply, magnitude, factor)),
        }
    }

    /// The sum of terms, each with its sign.
    fn sum(&mut self, mut terms: Vec<(i64, Value)>) -> Value {
        // A sum that begins with a positive term needs no leading minus sign.
        if let Some(positive) = terms.iter().position(|(sign, _)| *sign > 0) {
            let first = terms.remove(positive);
            terms.insert(0, first);
        }
        let mut sum: Option<Value> = None;
        for (sign, term) in terms {
            sum = Some(match sum {
                None if sign < 0 => self.negative(term),
                None => term,
                Some(sum) if sign < 0 => self.operate(BinaryOp::Subtract, sum, term),
                Some(sum) => self.operate(BinaryOp::Add, sum, term),
            });
        }
        sum.unwrap_or_else(|| self.integer(0))
    }

    /// The value of an atom.
    fn atom(&mut self, atom: &Atom) -> Value {
        match atom {
            Atom::Symbol(symbol) => self.symbol(symbol),
            Atom::FloorDiv { dividend, divisor, .. } => {
                let (dividend, divisor) = (self.size(dividend), self.size(divisor));
                self.operate(BinaryOp::FloorDivide, dividend, divisor)
            }
            Atom::Remainder { dividend, divisor } => {
                let (dividend, divisor) = (self.size(dividend), self.size(divisor));
                self.operate(BinaryOp::FloorRemainder, dividend, divisor)
            }
            Atom::Min(operands) => self.fold(operands, true),
            Atom::Max(operands) => self.fold(operands, false),
        }
    }

    /// The minimum or maximum of several integers.
    fn fold(&mut self, operands: &[Sym], is_least: bool) -> Value {
        let mut chosen: Option<Value> = None;
        for operand in operands {
            let operand = self.size(operand);
            chosen = Some(match chosen {
                None => operand,
                Some(chosen) => self.lesser_or_greater(is_least, chosen, operand),
            });
        }
        chosen.unwrap_or_else(|| self.integer(0))
    }
}

impl IndexArithmetic for Emitter<'_> {
    fn symbol(&mut self, symbol: &Symbol) -> Value {
        Emitter::symbol(self, symbol)
    }

    fn operate(&mut self, operation: BinaryOp, left: Value, right: Value) -> Value {
        self.binary(Meaning { operation, element: ElementType::I64, is_index: true }, left, right)
    }

    fn negative(&mut self, operand: Value) -> Value {
        self.negate(ElementType::I64, operand, true)
    }

    fn lesser_or_greater(&mut self, is_least: bool, left: Value, right: Value) -> Value {
        self.extreme(ElementType::I64, is_least, left, right)
    }
}
