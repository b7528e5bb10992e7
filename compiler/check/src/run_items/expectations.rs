//! Expectations: `expect CONDITION within TOL`, an expression over whole tensors.

mod calls;
mod functions;
mod lists;
mod suffixes;

use smol_str::SmolStr;

use super::RunChecker;
use crate::diagnostics::{self, Misfit, Wanted};
use crate::evaluate::float_constant;
use crate::names;
use crate::spelling;
use crate::values::Value;
use dims::{CompareOp, Proof, Sym, Symbol};
use kernel::run::{Condition, Expectation, TensorExpr, TensorExprKind};
use kernel::typed::{BinaryOp, Constant, ParamId, ParamKind, UnaryOp};
use maps::shapes::Shape;
use syntax::span::Span;
use syntax::tree::{self, Arm, Expr, ExprKind, PrefixOp};

pub(super) use calls::Names;
pub use functions::is_function;

impl RunChecker<'_> {
    /// Checks what follows each `expect`.
    pub(super) fn expectation(&mut self, expectations: &[tree::Expectation]) -> Option<Option<Expectation>> {
        let conditions: Vec<Option<Condition>> = expectations.iter().map(|found| self.condition(found)).collect();
        let conditions: Vec<Condition> = conditions.into_iter().collect::<Option<_>>()?;
        let spans = expectations.iter().map(|found| found.condition.span);
        Some(spans.reduce(Span::to).map(|span| Expectation { conditions, span }))
    }

    /// Checks a condition and the tolerance behind it.
    fn condition(&mut self, tree::Expectation { condition, within }: &tree::Expectation) -> Option<Condition> {
        let tolerance = match within {
            Some(within) => match self.evaluator.expr(within)? {
                Value::Float(value) if value >= 0.0 && value.is_finite() => Some(value),
                Value::Int(value) if value.as_constant().is_some_and(|value| value >= 0) => {
                    value.as_constant().map(|value| value as f64)
                }
                other => return self.report(diagnostics::wrong_type(within.span, Wanted::Tolerance, &other)),
            },
            None => None,
        };
        let tensor = self.conjunction(condition)?;
        if !is_condition(&tensor) {
            return self.misfit(condition.span, &Misfit::NoCondition);
        }
        Some(Condition { holds: tensor, tolerance })
    }

    /// Checks conditions joined by `&&`, each on tensors of its own shape.
    fn conjunction(&mut self, expr: &Expr) -> Option<TensorExpr> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.conjunction(inner),
            ExprKind::Chain { first, rest } if rest.iter().all(|link| link.op == tree::BinaryOp::And) => {
                let mut left = self.conjunction(first)?;
                for link in rest {
                    let right = self.conjunction(&link.operand)?;
                    // The conjunction has no shape of its own.
                    let kind = TensorExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right));
                    left = TensorExpr { kind, shape: Vec::new() };
                }
                Some(left)
            }
            _ => self.tensor(expr),
        }
    }

    fn tensor(&mut self, expr: &Expr) -> Option<TensorExpr> {
        match &expr.kind {
            ExprKind::Name(name) if let Some(tensor) = self.tensor_named(name) => Some(tensor.clone()),
            ExprKind::Block(block) => self.value_of_block(block),
            ExprKind::Name(name) if self.param(name).is_some() => {
                let param = self.param(name)?;
                Some(TensorExpr { kind: TensorExprKind::Final(param), shape: self.param_shape(param) })
            }
            ExprKind::Name(name) if !self.is_known(name) => self.unknown(name, expr.span),
            ExprKind::Paren(inner) => self.tensor(inner),
            ExprKind::Prefix { ops, operand } => {
                let mut value = self.tensor(operand)?;
                for (op, _) in ops.iter().rev() {
                    let shape = value.shape.clone();
                    let kind = match op {
                        PrefixOp::Negate => TensorExprKind::Unary(UnaryOp::Negate, Box::new(value)),
                        PrefixOp::Not => TensorExprKind::Unary(UnaryOp::Not, Box::new(value)),
                        PrefixOp::Complement => {
                            let ones =
                                TensorExpr { kind: TensorExprKind::Constant(Constant::Int(-1)), shape: Vec::new() };
                            TensorExprKind::Binary(BinaryOp::Subtract, Box::new(ones), Box::new(value))
                        }
                    };
                    value = TensorExpr { kind, shape };
                }
                Some(value)
            }
            ExprKind::Chain { first, rest } => {
                let mut left = self.tensor(first)?;
                for link in rest {
                    let right = self.tensor(&link.operand)?;
                    left = self.elementwise(link.op, left, right, link.op_span)?;
                }
                Some(left)
            }
            ExprKind::If { arms, otherwise } => {
                let of_arm = |arm: &Arm| Some((self.tensor(&arm.condition)?, self.tensor(&arm.value)?));
                let arms = arms.iter().map(of_arm).collect::<Option<Vec<(TensorExpr, TensorExpr)>>>()?;
                let mut chosen = self.tensor(otherwise)?;
                for (condition, value) in arms.into_iter().rev() {
                    let ([condition, value, other], shape) = self.extended([condition, value, chosen], expr.span)?;
                    let kind = TensorExprKind::Select(Box::new(condition), Box::new(value), Box::new(other));
                    chosen = TensorExpr { kind, shape };
                }
                Some(chosen)
            }
            ExprKind::Postfix { base, suffixes } => self.postfix(expr, base, suffixes),
            ExprKind::List(parts) => {
                let parts: Option<Vec<TensorExpr>> = parts.iter().map(|part| self.tensor(part)).collect();
                self.list(parts?, expr.span)
            }
            _ => self.outer(expr),
        }
    }

    /// Whether a name that is no parameter has a meaning outside the kernel; a hyphen may be a subtraction.
    fn is_known(&self, name: &SmolStr) -> bool {
        let db = self.evaluator.db;
        name.contains('-')
            || self.evaluator.scope.get(name).is_some()
            || names::lookup(db, self.evaluator.item.file(db), name.clone()).is_some()
            || float_constant(name).is_some()
    }

    fn unknown<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let parameters: Vec<SmolStr> = self.params.iter().map(|param| param.name.clone()).collect();
        let parameters: Vec<&str> = parameters.iter().map(SmolStr::as_str).collect();
        let db = self.evaluator.db;
        let declared = names::suggestions(db, self.evaluator.item);
        let candidates = parameters.iter().copied().chain(declared);
        let nearest = spelling::nearest(name, candidates);
        self.report(diagnostics::unknown_in_expect(span, name, nearest, &parameters))
    }

    fn param(&self, name: &str) -> Option<ParamId> {
        if self.is_inside() {
            return None;
        }
        let position = self.params.iter().position(|param| param.name == name)?;
        u32::try_from(position).ok().map(ParamId)
    }

    fn param_shape(&self, param: ParamId) -> Vec<Sym> {
        match self.params.get(param.0 as usize).map(|param| &param.kind) {
            Some(ParamKind::Tensor { shape, .. }) => shape.clone(),
            _ => Vec::new(),
        }
    }

    /// A value from the file's scope: a constant, a size or a list of them.
    fn outer(&mut self, expr: &Expr) -> Option<TensorExpr> {
        let value = self.evaluator.expr(expr)?;
        self.of_value(value, expr.span)
    }

    fn of_value(&mut self, value: Value, span: Span) -> Option<TensorExpr> {
        let kind = match value {
            Value::Int(value) => match value.as_constant() {
                Some(value) => TensorExprKind::Constant(Constant::Int(value)),
                None => TensorExprKind::Size(value),
            },
            Value::Unsigned(value) => TensorExprKind::Constant(Constant::Unsigned(value)),
            Value::Float(value) => TensorExprKind::Constant(Constant::Float(value)),
            Value::Bool(value) => TensorExprKind::Constant(Constant::Bool(value)),
            Value::List(values) => {
                let parts: Option<Vec<TensorExpr>> =
                    values.iter().map(|part| self.of_value(part.clone(), span)).collect();
                return self.list(parts?, span);
            }
            Value::Shape(shape) => {
                let parts: Option<Vec<TensorExpr>> =
                    shape.dims.into_iter().map(|dim| self.of_value(Value::Int(dim), span)).collect();
                return self.list(parts?, span);
            }
            other => return self.report(diagnostics::wrong_type(span, Wanted::TensorOrNumber, &other)),
        };
        Some(TensorExpr { kind, shape: Vec::new() })
    }

    fn elementwise(
        &mut self,
        op: tree::BinaryOp,
        left: TensorExpr,
        right: TensorExpr,
        span: Span,
    ) -> Option<TensorExpr> {
        let Some(op) = BinaryOp::written(op) else {
            return self.misfit(span, &Misfit::Operator);
        };
        let ([left, right], shape) = self.extended([left, right], span)?;
        Some(TensorExpr { kind: TensorExprKind::Binary(op, Box::new(left), Box::new(right)), shape })
    }

    /// The operands of an elementwise operation with the shape that they have in common: a number goes with any shape, and
    /// elements along a dimension of extent 1 are repeated.
    fn extended<const N: usize>(
        &mut self,
        operands: [TensorExpr; N],
        span: Span,
    ) -> Option<([TensorExpr; N], Vec<Sym>)> {
        let shape = self.common_shape(operands.each_ref(), span)?;
        Some((operands.map(|operand| self.extended_to(operand, &shape)), shape))
    }

    /// The shape of an elementwise operation.
    fn common_shape<'t>(&mut self, operands: impl IntoIterator<Item = &'t TensorExpr>, span: Span) -> Option<Vec<Sym>> {
        let mut common: Vec<Sym> = Vec::new();
        for operand in operands.into_iter().filter(|operand| !operand.shape.is_empty()) {
            if common.is_empty() {
                common.clone_from(&operand.shape);
                continue;
            }
            let together = |(left, right): (&Sym, &Sym)| {
                left == right
                    || [left, right].into_iter().any(|extent| self.is_one(extent))
                    || !self.refuted(left, CompareOp::Eq, right)
            };
            if common.len() != operand.shape.len() || !common.iter().zip(&operand.shape).all(together) {
                let (left, right) = (Shape { dims: common }, Shape { dims: operand.shape.clone() });
                let unsaid = self.unsaid(&left, &right);
                return self.misfit(span, &Misfit::Shapes { left: &left, right: &right, unsaid: unsaid.as_ref() });
            }
            for (own, other) in common.iter_mut().zip(&operand.shape) {
                if own != other && self.is_one(own) {
                    own.clone_from(other);
                }
            }
        }
        Some(common)
    }

    /// Whether an extent is 1, in itself or with the sizes of this run.
    fn is_one(&self, extent: &Sym) -> bool {
        extent.as_constant() == Some(1)
            || extent.evaluate(&|symbol| self.sizes.get(symbol).copied()).is_ok_and(|extent| extent == 1)
    }

    /// An operand with its elements along dimensions of extent 1 repeated to a shape; a number goes with any shape, and a file
    /// has the shape of what it meets.
    fn extended_to(&self, operand: TensorExpr, shape: &[Sym]) -> TensorExpr {
        if matches!(operand.kind, TensorExprKind::File(_)) {
            return TensorExpr { shape: shape.to_vec(), ..operand };
        }
        let is_narrow = operand.shape.iter().zip(shape).any(|(own, extent)| own != extent && self.is_one(own));
        match is_narrow {
            true => TensorExpr { kind: TensorExprKind::Extend(Box::new(operand)), shape: shape.to_vec() },
            false => operand,
        }
    }

    /// A symbol in two shapes of the same rank that has no value in this run.
    fn unsaid(&self, left: &Shape, right: &Shape) -> Option<Symbol> {
        let dims = left.dims.iter().chain(&right.dims);
        let mut symbols = dims.flat_map(Sym::symbols).filter(|symbol| !self.sizes.contains_key(symbol));
        symbols.next().filter(|_| left.dims.len() == right.dims.len())
    }

    /// Whether a comparison of sizes fails, for the sizes of this run or for some sizes if they are not given. An open
    /// comparison is checked again when the sizes are known.
    fn refuted(&self, left: &Sym, op: CompareOp, right: &Sym) -> bool {
        let said = |dim: &Sym| dim.evaluate(&|symbol| self.sizes.get(symbol).copied()).ok();
        match (said(left), said(right)) {
            (Some(left), Some(right)) => !op.holds(i128::from(left), i128::from(right)),
            _ => matches!(self.evaluator.facts.prove(left, op, right), Proof::Refuted { .. }),
        }
    }

    fn misfit<T>(&mut self, span: Span, what: &Misfit<'_>) -> Option<T> {
        self.report(diagnostics::expect_shape(span, what))
    }
}

/// Whether an expression is a Boolean tensor.
fn is_condition(expr: &TensorExpr) -> bool {
    match &expr.kind {
        TensorExprKind::Constant(Constant::Bool(_)) => true,
        TensorExprKind::Binary(op, ..) if op.is_comparison() => true,
        TensorExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => is_condition(left) && is_condition(right),
        TensorExprKind::Unary(UnaryOp::Not, inner) => is_condition(inner),
        _ => false,
    }
}
