//! The operators of integers and floats, and chains of them.

use super::bits::bits;
use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, Diagnostics};
use crate::values::Value;
use dims::{Arithmetic, CompareOp, Fact, Facts, Proof, Sym};
use maps::shapes::{Operand, ShapeError, combine};
use syntax::span::Span;
use syntax::tree::{BinaryOp, Expr, Link};

impl Evaluator<'_> {
    /// Evaluates operators of one precedence level, from left to right.
    pub(crate) fn chain(&mut self, first: &Expr, rest: &[Link]) -> Outcome {
        if rest.iter().any(|link| link.op == BinaryOp::Pipe) {
            return self.pipeline(first, rest);
        }
        let mut left = self.expr(first);
        let mut span = first.span;
        for link in rest {
            let right = match link.op {
                BinaryOp::Or => self.alternative(left.as_ref(), &link.operand),
                _ => self.expr(&link.operand),
            };
            span = span.to(link.operand.span);
            left = match (left, right) {
                (Some(left), Some(right)) => self.binary(link.op, left, right, span),
                _ => None,
            };
        }
        left
    }

    /// Evaluates one operator.
    pub(crate) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Outcome {
        match op {
            BinaryOp::And | BinaryOp::Or => self.connective(op, left, right, span),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => self.compare(op, left, right, span),
            _ => self.arithmetic(op, left, right, span),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Outcome {
        let shape = match (&left, &right) {
            (Value::Int(left), Value::Int(right)) => return self.int_arithmetic(op, left, right, span).map(Value::Int),
            (Value::Float(_), Value::Float(_) | Value::Int(_)) | (Value::Int(_), Value::Float(_)) => {
                return self.float_arithmetic(op, &left, &right, span);
            }
            (Value::Shape(left), Value::Int(right)) => {
                self.shape_arithmetic(op, Operand::Each(&left.dims), Operand::Same(right), span)
            }
            (Value::Int(left), Value::Shape(right)) => {
                self.shape_arithmetic(op, Operand::Same(left), Operand::Each(&right.dims), span)
            }
            (Value::Unit(unit), factor) if matches!(op, BinaryOp::Multiply | BinaryOp::Divide) => {
                return self.scaled_unit(op, unit, factor, span);
            }
            (factor, Value::Unit(unit)) if op == BinaryOp::Multiply => return self.scaled_unit(op, unit, factor, span),
            _ => match (each(&left), each(&right)) {
                (Some(left), Some(right)) => {
                    self.shape_arithmetic(op, Operand::Each(&left), Operand::Each(&right), span)
                }
                _ => return self.report(diagnostics::operands(span, op.text(), &left, &right)),
            },
        };
        shape.map(Value::Shape)
    }

    /// Applies a function of two integers, for each dimension if an operand is a shape.
    pub(crate) fn per_dimension(
        &mut self,
        name: &str,
        left: &Value,
        right: &Value,
        span: Span,
        operation: &mut dyn FnMut(&Sym, &Sym) -> Result<Sym, Arithmetic>,
    ) -> Outcome {
        let (left_dims, right_dims) = (each(left), each(right));
        let (Some(left), Some(right)) = (operand(left, left_dims.as_deref()), operand(right, right_dims.as_deref()))
        else {
            return self.report(diagnostics::operands(span, name, left, right));
        };
        match combine(left, right, operation) {
            Ok(shape) => Some(Value::Shape(shape)),
            Err(ShapeError::Rank { left, right }) => self.report(diagnostics::operand_ranks(span, name, left, right)),
            Err(ShapeError::Arithmetic(error)) => self.settle(span, Err(error)),
        }
    }

    fn shape_arithmetic(
        &mut self,
        op: BinaryOp,
        left: Operand<'_>,
        right: Operand<'_>,
        span: Span,
    ) -> Option<maps::shapes::Shape> {
        let mut failed = false;
        let result = combine(left, right, |left, right| {
            Ok(self.int_arithmetic(op, left, right, span).unwrap_or_else(|| {
                failed = true;
                Sym::one()
            }))
        });
        match result {
            Ok(_) if failed => None,
            Ok(shape) => Some(shape),
            Err(ShapeError::Rank { left, right }) => {
                self.report(diagnostics::operand_ranks(span, op.text(), left, right))
            }
            Err(ShapeError::Arithmetic(error)) => self.settle(span, Err(error)),
        }
    }

    /// Arithmetic on two integers. An inexact division gets a hint.
    pub(crate) fn int_arithmetic(&mut self, op: BinaryOp, left: &Sym, right: &Sym, span: Span) -> Option<Sym> {
        let result = match op {
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Subtract => left.checked_sub(right),
            BinaryOp::Multiply | BinaryOp::BoundedProduct => left.checked_mul(right),
            BinaryOp::Divide => {
                self.hint_inexact(left, right, span);
                left.checked_floor_div(right, &self.facts)
            }
            BinaryOp::Remainder => left.checked_remainder(right, &self.facts),
            _ if let Some(result) = bits(op, left, right, &self.facts) => result,
            _ => {
                return self.report(diagnostics::operands(
                    span,
                    op.text(),
                    &Value::Int(left.clone()),
                    &Value::Int(right.clone()),
                ));
            }
        };
        self.settle(span, result)
    }

    fn hint_inexact(&mut self, left: &Sym, right: &Sym, span: Span) {
        if right.is_zero() {
            return;
        }
        let premises = self.premises();
        let remainder = match left.checked_remainder(right, &premises) {
            Ok(remainder) if !remainder.is_zero() => remainder,
            _ => return,
        };
        match premises.prove(&remainder, CompareOp::Eq, &Sym::zero()) {
            Proof::Proven => {}
            _ if remainder.as_constant().is_some() => {
                self.diagnostics.push_once_saying(diagnostics::inexact_division(span, left, right, &remainder));
            }
            _ if let Some(whole) = rounded_up(left, right) => {
                self.diagnostics.push(diagnostics::division_rounds_up(span, left, right, &whole));
            }
            _ => {
                let exact = Fact::compare(remainder, CompareOp::Eq, Sym::zero());
                let zero = |facts: &Facts| facts.proves(&exact.left, CompareOp::Eq, &Sym::zero());
                let remedy = premises.settling([exact.clone()], zero).map(|fact| self.remedy(vec![fact]));
                self.diagnostics.push_once_saying(diagnostics::unproven_division(span, left, right, &exact, remedy));
            }
        }
    }

    fn float_arithmetic(&mut self, op: BinaryOp, left: &Value, right: &Value, span: Span) -> Outcome {
        let (Some(a), Some(b)) = (left.as_float(), right.as_float()) else {
            return self.report(diagnostics::operands(span, op.text(), left, right));
        };
        Some(Value::Float(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Subtract => a - b,
            BinaryOp::Multiply => a * b,
            BinaryOp::Divide => a / b,
            _ => return self.report(diagnostics::operands(span, op.text(), left, right)),
        }))
    }
}

/// The `x` in a division `(x + d - 1) / d`, which rounds `x / d` up.
fn rounded_up(left: &Sym, right: &Sym) -> Option<Sym> {
    let whole = left.checked_sub(right).ok()?.checked_add(&Sym::one()).ok()?;
    let has_constant = whole.terms().any(|(_, factors)| factors.is_empty());
    let is_simpler = whole.terms().count() < left.terms().count();
    (!has_constant && is_simpler && whole.as_constant().is_none()).then_some(whole)
}

/// An operand for each dimension: a number is the same for all, a shape has one for each.
fn operand<'a>(value: &'a Value, dims: Option<&'a [Sym]>) -> Option<Operand<'a>> {
    match value {
        Value::Int(value) => Some(Operand::Same(value)),
        _ => dims.map(Operand::Each),
    }
}

/// The integers of a shape, tuple or list.
fn each(value: &Value) -> Option<Vec<Sym>> {
    match value {
        Value::Shape(shape) => Some(shape.dims.clone()),
        Value::Tuple(values) | Value::List(values) => values
            .iter()
            .map(|value| match value {
                Value::Int(value) => Some(value.clone()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}
