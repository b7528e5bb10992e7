//! Symbolic integers in C++.

use super::emitter::Emitter;
use super::integers::{Meaning, Operation};
use super::value::Value;
use crate::dims::{Atom, Sym};
use crate::kernels::element::ElementType;

/// How an operator of the language's sizes is written: as an index.
fn operation(operation: Operation) -> Meaning {
    Meaning { operation, element: ElementType::I64, is_index: true }
}

impl Emitter<'_> {
    /// The value of a symbolic integer.
    pub fn size(&mut self, size: &Sym) -> Value {
        let mut terms: Vec<(i64, Value)> = Vec::new();
        for (coefficient, factors) in size.terms() {
            let mut product: Option<Value> = None;
            for (atom, power) in factors {
                for _ in 0..*power {
                    let atom = self.atom(atom);
                    product = Some(match product {
                        None => atom,
                        Some(product) => self.binary(operation(Operation::Multiply), product, atom),
                    });
                }
            }
            // `x - 64 * y` reads better than `x + -64 * y`; the sign is kept apart.
            let (sign, magnitude) = match coefficient.checked_abs() {
                Some(magnitude) => (coefficient.signum(), magnitude),
                None => (1, coefficient),
            };
            let magnitude = Value::integer(ElementType::I64, magnitude);
            let term = match product {
                None => magnitude,
                Some(product) => self.binary(operation(Operation::Multiply), magnitude, product),
            };
            terms.push((sign, term));
        }
        // A sum that can begin with a term that is added needs no minus sign in front.
        if let Some(positive) = terms.iter().position(|(sign, _)| *sign > 0) {
            let first = terms.remove(positive);
            terms.insert(0, first);
        }
        let mut sum: Option<Value> = None;
        for (sign, term) in terms {
            sum = Some(match sum {
                None if sign < 0 => self.negate(ElementType::I64, term, true),
                None => term,
                Some(sum) if sign < 0 => self.binary(operation(Operation::Subtract), sum, term),
                Some(sum) => self.binary(operation(Operation::Add), sum, term),
            });
        }
        sum.unwrap_or_else(|| Value::integer(ElementType::I64, 0))
    }

    fn atom(&mut self, atom: &Atom) -> Value {
        match atom {
            Atom::Symbol(symbol) => self.symbol(symbol),
            Atom::FloorDiv { dividend, divisor, .. } => {
                let (dividend, divisor) = (self.size(dividend), self.size(divisor));
                self.binary(operation(Operation::FloorDivide), dividend, divisor)
            }
            Atom::Remainder { dividend, divisor } => {
                let (dividend, divisor) = (self.size(dividend), self.size(divisor));
                self.binary(operation(Operation::FloorRemainder), dividend, divisor)
            }
            Atom::Min(operands) => self.fold(operands, true),
            Atom::Max(operands) => self.fold(operands, false),
        }
    }

    fn fold(&mut self, operands: &[Sym], is_least: bool) -> Value {
        let mut chosen: Option<Value> = None;
        for operand in operands {
            let operand = self.size(operand);
            chosen = Some(match chosen {
                None => operand,
                Some(chosen) => self.extreme(ElementType::I64, is_least, chosen, operand),
            });
        }
        chosen.unwrap_or_else(|| Value::integer(ElementType::I64, 0))
    }
}
