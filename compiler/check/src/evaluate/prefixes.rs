//! The operators before an operand: `-`, `!`, `~`.

use std::sync::Arc;

use super::bits::complement;
use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, Wanted};
use crate::values::{Truth, Value};
use syntax::span::Span;
use syntax::tree::{Expr, PrefixOp};

impl Evaluator<'_> {
    /// Applies prefix operators, outermost first, to an operand.
    pub(super) fn prefix(&mut self, ops: &[(PrefixOp, Span)], operand: &Expr) -> Outcome {
        let mut value = self.expr(operand)?;
        for (op, span) in ops.iter().rev() {
            value = match (op, value) {
                (PrefixOp::Negate, Value::Int(value)) => {
                    let negated = value.checked_neg();
                    Value::Int(self.settle(*span, negated)?)
                }
                (PrefixOp::Complement, Value::Int(value)) => {
                    let inverted = complement(&value);
                    Value::Int(self.settle(*span, inverted)?)
                }
                (PrefixOp::Negate, Value::Float(value)) => Value::Float(-value),
                (PrefixOp::Negate, Value::Unsigned(value)) => {
                    return self.report(diagnostics::negated_unsigned(*span, value));
                }
                (PrefixOp::Not, Value::Bool(value)) => Value::Bool(!value),
                (PrefixOp::Not, Value::Truth(truth)) => {
                    Value::Truth(Arc::new(Truth { negated: !truth.negated, ..(*truth).clone() }))
                }
                (PrefixOp::Complement, other) => {
                    return self.report(diagnostics::wrong_type(operand.span, Wanted::Integer, &other));
                }
                (PrefixOp::Negate, other) => {
                    return self.report(diagnostics::wrong_type(operand.span, Wanted::Number, &other));
                }
                (PrefixOp::Not, other) => {
                    return self.report(diagnostics::wrong_type(operand.span, Wanted::Truth, &other));
                }
            };
        }
        Some(value)
    }
}
