//! Operators in the expressions of kernels.

use super::checker::Checker;
use super::constants::Folded;
use super::context::Division;
use super::integers::Shifted;
use super::operand::{Operand, as_size};
use crate::diagnostics::{self, Actual, Expected};
use crate::evaluate::{complement, is_of_bits};
use dims::{CompareOp, Sym};
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, UnaryOp};
use syntax::span::Span;
use syntax::tree::{self, PrefixOp};

impl Checker<'_> {
    pub(super) fn prefix(&mut self, ops: &[(PrefixOp, Span)], operand: &tree::Expr) -> Option<Operand> {
        let inner = self.operand(operand)?;
        self.prefixed(ops, inner, operand.span)
    }

    /// Applies prefix operators to an operand.
    pub(super) fn prefixed(&mut self, ops: &[(PrefixOp, Span)], mut inner: Operand, at: Span) -> Option<Operand> {
        for (op, span) in ops.iter().rev() {
            inner = match (op, inner.unmasked()) {
                (PrefixOp::Complement, Operand::Int(value)) => {
                    let inverted = complement(&value);
                    Operand::of_bits(self.evaluator.settle(*span, inverted)?)
                }
                (PrefixOp::Negate, Operand::Int(value)) => {
                    let negated = value.checked_neg();
                    Operand::Int(self.evaluator.settle(*span, negated)?)
                }
                (PrefixOp::Negate, Operand::Float(value)) => Operand::Float(-value),
                (PrefixOp::Complement, Operand::Bits(bits)) => Self::inverted_bits(*bits),
                (_, other) => {
                    self.computed_with([(&other, at)], span.to(at))?;
                    let value = self.natural(other, at)?;
                    Operand::Typed(self.typed_prefix(*op, value, *span)?)
                }
            };
        }
        Some(inner)
    }

    fn typed_prefix(&mut self, op: PrefixOp, value: Expr, span: Span) -> Option<Expr> {
        let element = value.element;
        let expected = match op {
            PrefixOp::Negate if element.is_signed() => return Some(Expr::unary(UnaryOp::Negate, value)),
            PrefixOp::Not if element == ElementType::Bool => return Some(Expr::unary(UnaryOp::Not, value)),
            // Every bit differs from those of the number of ones alone, so no digit of the difference borrows: proofs know
            // differences well.
            PrefixOp::Complement if element.is_integer() => {
                let ones = self.coerce(Operand::Mask(-1), element, span)?;
                return Some(Expr::binary(BinaryOp::Subtract, ones, value));
            }
            PrefixOp::Negate => Expected::SignedNumber,
            PrefixOp::Not => Expected::Type(ElementType::Bool),
            PrefixOp::Complement => Expected::Integer,
        };
        self.report(diagnostics::wrong_prefix(span, op, &expected, element))
    }

    /// Applies an operator of the kernel.
    pub(super) fn combine(
        &mut self,
        op: tree::BinaryOp,
        left: Operand,
        right: Operand,
        spans: (Span, Span),
    ) -> Option<Operand> {
        let combined = self.combined(op, left, right, spans)?;
        if let Operand::Typed(value) = &combined {
            self.note_operation(value, spans);
        }
        Some(combined)
    }

    fn combined(&mut self, op: tree::BinaryOp, left: Operand, right: Operand, spans: (Span, Span)) -> Option<Operand> {
        let span = spans.0.to(spans.1);
        self.computed_with([(&left, spans.0), (&right, spans.1)], span)?;
        if op == tree::BinaryOp::Divide {
            let number = |operand: &Operand| match operand {
                Operand::Int(value) => value.as_constant(),
                _ => None,
            };
            let operands = [(spans.0, number(&left)), (spans.1, number(&right))];
            self.context.division = Some(Division { span, operands });
        }
        let (left, right) = match self.folded(op, left, right, span)? {
            Folded::Value(value) => return Some(value),
            Folded::Operands(left, right) => (left, right),
        };
        let Some(written) = BinaryOp::written(op) else {
            return self.report(diagnostics::type_mismatch(span, &Expected::Operator, &Actual::Operator(op)));
        };
        if let Some(compared) = self.compared(written, &left, &right) {
            return Some(Operand::Typed(compared));
        }
        if let Some(bits) = self.free_bits(written, &left, &right, spans) {
            return Some(bits);
        }
        let (left, right) = match written {
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => match self.shifted(written, left, right, spans.0) {
                Shifted::Is(shifted) => return Some(shifted),
                Shifted::Open(left, right) => (left, right),
            },
            _ => (left, right),
        };
        let (left, right) = self.unify(left, right, spans)?;
        let element = left.element;
        let number = element != ElementType::Bool;
        let allowed = match written {
            BinaryOp::Equal | BinaryOp::NotEqual => true,
            BinaryOp::And | BinaryOp::Or => !number,
            _ if is_of_bits(op) => element.is_integer(),
            _ => number,
        };
        if !allowed && is_of_bits(op) {
            return self.report(diagnostics::bits_of_others(span, op, element));
        }
        if !allowed {
            let expected = if number { Expected::Truths } else { Expected::Numbers };
            return self.report(diagnostics::type_mismatch(span, &expected, &Actual::Type(element)));
        }
        let op = match written {
            BinaryOp::Divide | BinaryOp::Remainder if right.kind == ExprKind::Constant(Constant::Int(0)) => {
                return self.report(diagnostics::division_by_zero(span));
            }
            BinaryOp::Divide | BinaryOp::Remainder => self.division(written, &left, &right),
            _ => written,
        };
        let element = if op.gives_bool() { ElementType::Bool } else { element };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        Some(Operand::Typed(Expr { kind, element }))
    }

    /// Division truncates. For indices that are never negative and a positive size, that is floor division.
    fn division(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> BinaryOp {
        let facts = &self.evaluator.facts;
        let is_positive = |divisor: Sym| facts.proves(&divisor, CompareOp::Ge, &Sym::one());
        let positive = as_size(right).is_some_and(is_positive);
        if left.element != ElementType::I64 || !positive {
            return op;
        }
        let value = self.context.left.take().unwrap_or_else(|| self.raiser.value(left));
        if !self.raiser.is_never_negative(value) {
            return op;
        }
        if op == BinaryOp::Divide { BinaryOp::FloorDivide } else { BinaryOp::FloorRemainder }
    }
}
