//! Constant folding of numbers and sizes in kernels.
//!
//! It follows the semantics of the kernel: integer division truncates, whereas it rounds down outside kernels.
//! Therefore the evaluator of the file gets only expressions without operators of the kernel. A division by operands of
//! unknown sign is left to the launch.

use super::checker::Checker;
use super::operand::Operand;
use crate::diagnostics::{self, Wanted};
use crate::evaluate::{Extreme, bits, comparison, is_of_bits};
use crate::values::Value;
use dims::{Arithmetic, CompareOp, Sym};
use elements::ElementType;
use kernel::functions::{Build, Function, MathFunction, Meaning, Operands, SizeFunction};
use kernel::typed::{self, Constant, Expr, ExprKind};
use syntax::span::Span;
use syntax::tree::{self, BinaryOp, PrefixOp, SuffixKind};

/// The result of folding an operation.
pub(super) enum Folded {
    /// The value of the operation.
    Value(Operand),
    /// The operands, for an operation at run time.
    Operands(Operand, Operand),
}

impl Checker<'_> {
    /// Whether the expression contains arithmetic on numbers, which follows the kernel's semantics. Arithmetic on
    /// shapes is left to the evaluator of the file.
    pub(super) fn computes(&mut self, expr: &tree::Expr) -> bool {
        match &expr.kind {
            tree::ExprKind::Paren(inner) => self.computes(inner),
            tree::ExprKind::Prefix { ops, operand } => {
                let inverts = ops.iter().any(|(op, _)| *op == PrefixOp::Complement);
                self.computes(operand) || inverts && self.is_scalar(operand)
            }
            tree::ExprKind::Chain { first, .. } => self.computes(first) || self.is_scalar(first),
            tree::ExprKind::If { arms, otherwise } => {
                arms.iter().any(|arm| self.computes(&arm.condition) || self.computes(&arm.value))
                    || self.computes(otherwise)
            }
            tree::ExprKind::Postfix { base, suffixes } => match (&base.kind, suffixes.as_slice()) {
                (tree::ExprKind::Name(name), [tree::Suffix { kind: SuffixKind::Call(args), .. }])
                    if is_of_sizes(name) && args.len() >= 2 =>
                {
                    args.iter().all(|arg| arg.name.is_none()) && args.iter().any(|arg| self.computes(&arg.value))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression of the file is a number or a Boolean; true if it has an error.
    fn is_scalar(&mut self, expr: &tree::Expr) -> bool {
        if self.mentions_kernel(expr) {
            return true;
        }
        let reported = std::mem::take(&mut self.evaluator.diagnostics);
        let value = self.evaluator.expr(expr);
        self.evaluator.diagnostics = reported;
        matches!(
            value,
            None | Some(Value::Int(_) | Value::Unsigned(_) | Value::Float(_) | Value::Bool(_) | Value::Truth(_))
        )
    }

    /// Folds an operation if both operands are known.
    pub(super) fn folded(&mut self, op: BinaryOp, left: Operand, right: Operand, span: Span) -> Option<Folded> {
        if is_of_bits(op) {
            return match typed::BinaryOp::written(op).and_then(|op| self.known_bits(op, &left, &right)) {
                Some(Ok(known)) => Some(Folded::Value(known)),
                Some(Err(error)) => match beyond_signed(op, &left, &right) {
                    Some(number) => Some(Folded::Value(Operand::Unsigned(number))),
                    None => self.report(diagnostics::overflow(span, &error)),
                },
                None => Some(Folded::Operands(left, right)),
            };
        }
        let (left, right) = (left.unmasked(), right.unmasked());
        let value = match (&left, &right) {
            (Operand::Int(left), Operand::Int(right)) => match op {
                BinaryOp::Divide | BinaryOp::Remainder => return self.divided(op, left, right, span),
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::BoundedProduct => {
                    Operand::Int(self.evaluator.int_arithmetic(op, left, right, span)?)
                }
                _ => match (comparison(op), left.as_constant(), right.as_constant()) {
                    (Some(op), Some(left), Some(right)) => truth(op.holds(left.into(), right.into())),
                    _ => return Some(Folded::Operands(Operand::Int(left.clone()), Operand::Int(right.clone()))),
                },
            },
            (Operand::Float(_), Operand::Float(_) | Operand::Int(_)) | (Operand::Int(_), Operand::Float(_)) => {
                let computed = !matches!(op, BinaryOp::Remainder | BinaryOp::And | BinaryOp::Or);
                match (value(&left), value(&right)) {
                    (Some(left), Some(right)) if computed => match self.evaluator.binary(op, left, right, span)? {
                        Value::Float(value) => Operand::Float(value),
                        Value::Bool(value) => truth(value),
                        other => return self.report(diagnostics::wrong_type(span, Wanted::Number, &other)),
                    },
                    _ => return Some(Folded::Operands(left, right)),
                }
            }
            _ => return Some(Folded::Operands(left, right)),
        };
        Some(Folded::Value(value))
    }

    /// The result of an operator of bits, if both operands are known sizes and it is one too, unless it leaves 64 bits.
    pub(super) fn known_bits(
        &self,
        op: typed::BinaryOp,
        left: &Operand,
        right: &Operand,
    ) -> Option<Result<Operand, Arithmetic>> {
        let op = match op {
            typed::BinaryOp::BitAnd => BinaryOp::BitAnd,
            typed::BinaryOp::BitOr => BinaryOp::BitOr,
            typed::BinaryOp::BitXor => BinaryOp::BitXor,
            typed::BinaryOp::ShiftLeft => BinaryOp::ShiftLeft,
            typed::BinaryOp::ShiftRight => BinaryOp::ShiftRight,
            _ => return None,
        };
        let (left, right) = (left.as_size()?, right.as_size()?);
        Some(bits(op, &left, &right, &self.evaluator.facts)?.map(Operand::of_bits))
    }

    /// `/` and `%` of sizes. Truncation is floor division if the dividend is not negative and the divisor is positive.
    fn divided(&mut self, op: BinaryOp, left: &Sym, right: &Sym, span: Span) -> Option<Folded> {
        if right.is_zero() || (self.at_least(left, 0) && self.at_least(right, 1)) {
            return Some(Folded::Value(Operand::Int(self.evaluator.int_arithmetic(op, left, right, span)?)));
        }
        let (Some(a), Some(b)) = (left.as_constant(), right.as_constant()) else {
            let op = if op == BinaryOp::Divide { typed::BinaryOp::Divide } else { typed::BinaryOp::Remainder };
            let kind = ExprKind::Binary(op, Box::new(Expr::size(left)), Box::new(Expr::size(right)));
            return Some(Folded::Value(Operand::Typed(Expr { kind, element: ElementType::I64 })));
        };
        let result = if op == BinaryOp::Divide { a.checked_div(b) } else { Some(a.wrapping_rem(b)) };
        match result {
            Some(value) => Some(Folded::Value(Operand::Int(Sym::constant(value)))),
            None => {
                let error = Arithmetic::Overflow { left: left.clone(), op: "/", right: right.clone() };
                self.report(diagnostics::overflow(span, &error))
            }
        }
    }

    fn at_least(&self, value: &Sym, least: i64) -> bool {
        let facts = &self.evaluator.facts;
        match facts.range(value).lo {
            Some(low) if low >= i128::from(least) => true,
            _ => facts.proves(value, CompareOp::Ge, &Sym::constant(least)),
        }
    }

    /// Computes a function of two sizes.
    pub(super) fn size_of_sizes(&mut self, function: SizeFunction, left: &Sym, right: &Sym, span: Span) -> Option<Sym> {
        let facts = &self.evaluator.facts;
        let result = match function {
            SizeFunction::CeilingDivide => left.cdiv(right, facts),
            SizeFunction::Least => left.checked_min(right, facts),
            SizeFunction::Greatest => left.checked_max(right, facts),
        };
        self.evaluator.settle(span, result)
    }
}

/// Folds a call with constant arguments whose result has no more digits than they have, such as `min(1.0, 2.0)`. The
/// result is a constant whose type is still free.
pub(super) fn known_call(function: &Function, operands: &[Operand]) -> Option<Operand> {
    let values = operands.iter().map(value).collect::<Option<Vec<Value>>>()?;
    let mut known = Known;
    let Exact(result) = match function.meaning {
        Meaning::Operation(operation) if function.takes == Operands::ManyNumbers => values
            .into_iter()
            .map(|value| Exact(Some(value)))
            .reduce(|left, right| known.math(operation, vec![left, right]))?,
        Meaning::Operation(operation) => {
            known.math(operation, values.into_iter().map(|value| Exact(Some(value))).collect())
        }
        Meaning::Term(term) => {
            let mut arguments: Vec<Option<Exact>> = values.into_iter().map(|value| Some(Exact(Some(value)))).collect();
            term.build(&mut known, &mut arguments)?
        }
        Meaning::Operator(_) | Meaning::Size(_) => Exact(None),
    };
    match result? {
        Value::Int(value) => Some(Operand::Int(value)),
        Value::Unsigned(value) => Some(Operand::Unsigned(value)),
        Value::Float(value) => Some(Operand::Float(value)),
        _ => None,
    }
}

/// A number that is the same in every type that holds the operands; `None` if it is not.
struct Exact(Option<Value>);

/// Computes terms of functions as [`Exact`] numbers.
struct Known;

impl Build for Known {
    type Expr = Exact;

    fn float(&mut self, value: f64) -> Self::Expr {
        Exact(Some(Value::Float(value)))
    }

    fn unary(&mut self, _: typed::UnaryOp, _: Self::Expr) -> Self::Expr {
        Exact(None)
    }

    fn binary(&mut self, _: typed::BinaryOp, _: Self::Expr, _: Self::Expr) -> Self::Expr {
        Exact(None)
    }

    fn math(&mut self, function: MathFunction, arguments: Vec<Self::Expr>) -> Self::Expr {
        let arguments = arguments.iter().map(|Exact(argument)| argument.as_ref()).collect::<Option<Vec<&Value>>>();
        Exact(arguments.and_then(|arguments| match (function, arguments.as_slice()) {
            (MathFunction::Min, [left, right]) => Extreme::Least.choose(left, right),
            (MathFunction::Max, [left, right]) => Extreme::Greatest.choose(left, right),
            (MathFunction::Abs, [Value::Float(value)]) => Some(Value::Float(value.abs())),
            (MathFunction::Abs, [Value::Int(value)]) => Some(Value::int(value.as_constant()?.checked_abs()?)),
            _ => None,
        }))
    }
}

fn truth(value: bool) -> Operand {
    Operand::Typed(Expr::constant(Constant::Bool(value), ElementType::Bool))
}

/// A constant operand as a value of the evaluator.
fn value(operand: &Operand) -> Option<Value> {
    match operand {
        Operand::Int(value) => value.as_constant().map(Value::int),
        Operand::Mask(value) => Some(Value::int(*value)),
        Operand::Unsigned(value) => Some(Value::Unsigned(*value)),
        Operand::Float(value) => Some(Value::Float(*value)),
        Operand::Typed(_) | Operand::Bits(_) | Operand::Choice(_) => None,
    }
}

/// A number that is shifted to one above 2⁶³ − 1, which a `u64` holds.
fn beyond_signed(op: BinaryOp, left: &Operand, right: &Operand) -> Option<u64> {
    let known = |operand: &Operand| match operand {
        Operand::Int(value) => value.as_constant(),
        _ => None,
    };
    let (number, places) = (u128::try_from(known(left)?).ok()?, u32::try_from(known(right)?).ok()?);
    let is_shift = op == BinaryOp::ShiftLeft && places < u64::BITS;
    is_shift.then(|| u64::try_from(number << places).ok())?
}

/// Whether the function also exists outside kernels, on sizes.
pub(super) fn is_of_sizes(name: &str) -> bool {
    Function::from_name(name).is_some_and(|function| function.of_sizes().is_some())
}
