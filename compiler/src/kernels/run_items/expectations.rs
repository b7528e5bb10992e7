//! `expect CONDITION within TOL`: an expression over whole tensors.

use smol_str::SmolStr;

use super::RunChecker;
use crate::diagnostics;
use crate::dims::{CompareOp, Sym};
use crate::kernels::element::ElementType;
use crate::kernels::run::{Expectation, TensorExpr, TensorExprKind};
use crate::kernels::typed::{BinaryOp, Constant, MathFunction, ParamId, ParamKind, UnaryOp};
use crate::names;
use crate::shapes::Shape;
use crate::syntax::span::Span;
use crate::syntax::tree::{self, Argument, Expr, ExprKind, PrefixOp, SuffixKind};
use crate::values::Value;

const FUNCTIONS: &[(&str, MathFunction, usize)] = &[
    ("abs", MathFunction::Abs, 1),
    ("sqrt", MathFunction::Sqrt, 1),
    ("rsqrt", MathFunction::Rsqrt, 1),
    ("exp", MathFunction::Exp, 1),
    ("exp2", MathFunction::Exp2, 1),
    ("log", MathFunction::Log, 1),
    ("log2", MathFunction::Log2, 1),
    ("sin", MathFunction::Sin, 1),
    ("cos", MathFunction::Cos, 1),
    ("tanh", MathFunction::Tanh, 1),
    ("floor", MathFunction::Floor, 1),
    ("ceil", MathFunction::Ceil, 1),
    ("round", MathFunction::Round, 1),
    ("min", MathFunction::Min, 2),
    ("max", MathFunction::Max, 2),
    ("pow", MathFunction::Pow, 2),
    ("fma", MathFunction::Fma, 3),
];

/// The reductions that are also written as functions.
const REDUCTIONS: &[&str] = &["sum", "maximum", "minimum"];

/// Whether a word is a function over tensors.
pub(crate) fn is_function(name: &str) -> bool {
    name == "initial"
        || REDUCTIONS.contains(&name)
        || ElementType::from_name(name).is_some()
        || FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

impl RunChecker<'_> {
    /// The condition after `expect`.
    pub(super) fn expectation(&mut self, condition: &Expr, within: Option<&Expr>) -> Option<Expectation> {
        let tolerance = match within {
            Some(within) => match self.evaluator.expr(within)? {
                Value::Float(value) if value >= 0.0 => Some(value),
                Value::Int(value) if value.as_constant().is_some_and(|value| value >= 0) => {
                    value.as_constant().map(|value| value as f64)
                }
                other => return self.report(diagnostics::wrong_type(within.span, "a tolerance of at least 0", &other)),
            },
            None => None,
        };
        let tensor = self.tensor(condition)?;
        if !is_condition(&tensor) {
            let message = "`expect` takes a comparison of tensors, such as `y == 2.0 * x`";
            return self.report(diagnostics::expect_shape(condition.span, message));
        }
        Some(Expectation { condition: tensor, tolerance, span: condition.span })
    }

    fn tensor(&mut self, expr: &Expr) -> Option<TensorExpr> {
        match &expr.kind {
            ExprKind::Name(name) if self.param(name).is_some() => {
                let param = self.param(name)?;
                Some(TensorExpr { kind: TensorExprKind::Final(param), shape: self.param_shape(param) })
            }
            ExprKind::Name(name) if !self.is_known(name) => self.unknown(name, expr.span),
            ExprKind::Paren(inner) => self.tensor(inner),
            ExprKind::Prefix { ops, operand } => {
                let mut value = self.tensor(operand)?;
                for (op, _) in ops.iter().rev() {
                    let op = match op {
                        PrefixOp::Negate => UnaryOp::Negate,
                        PrefixOp::Not => UnaryOp::Not,
                    };
                    let shape = value.shape.clone();
                    value = TensorExpr { kind: TensorExprKind::Unary(op, Box::new(value)), shape };
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
            ExprKind::If { condition, then, otherwise } => {
                let (condition, then, otherwise) =
                    (self.tensor(condition)?, self.tensor(then)?, self.tensor(otherwise)?);
                let shape = self.common_shape(&[&condition, &then, &otherwise], expr.span)?;
                let kind = TensorExprKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise));
                Some(TensorExpr { kind, shape })
            }
            ExprKind::Postfix { base, suffixes } => self.postfix(expr, base, suffixes),
            _ => self.scalar(expr),
        }
    }

    /// Whether a name that is no parameter can mean something outside of the kernel; a hyphen may be a subtraction.
    fn is_known(&self, name: &SmolStr) -> bool {
        let db = self.evaluator.db;
        name.contains('-') || names::lookup(db, self.evaluator.item.file(db), name.clone()).is_some()
    }

    fn unknown<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let parameters: Vec<SmolStr> = self.params.iter().map(|param| param.name.clone()).collect();
        let parameters: Vec<&str> = parameters.iter().map(SmolStr::as_str).collect();
        let db = self.evaluator.db;
        let visible = names::visible(db, self.evaluator.item.file(db));
        let candidates = parameters.iter().copied().chain(visible.keys().map(SmolStr::as_str));
        let nearest = names::nearest(name, candidates);
        self.report(diagnostics::unknown_in_expect(span, name, nearest, &parameters))
    }

    fn param(&self, name: &str) -> Option<ParamId> {
        let position = self.params.iter().position(|param| param.name == name)?;
        u32::try_from(position).ok().map(ParamId)
    }

    fn param_shape(&self, param: ParamId) -> Vec<Sym> {
        match self.params.get(param.0 as usize).map(|param| &param.kind) {
            Some(ParamKind::Tensor { shape, .. }) => shape.clone(),
            _ => Vec::new(),
        }
    }

    /// A constant or a size of the file's scope.
    fn scalar(&mut self, expr: &Expr) -> Option<TensorExpr> {
        let kind = match self.evaluator.expr(expr)? {
            Value::Int(value) => match value.as_constant() {
                Some(value) => TensorExprKind::Constant(Constant::Int(value)),
                None => TensorExprKind::Size(value),
            },
            Value::Float(value) => TensorExprKind::Constant(Constant::Float(value)),
            Value::Bool(value) => TensorExprKind::Constant(Constant::Bool(value)),
            other => return self.report(diagnostics::wrong_type(expr.span, "a tensor or a number", &other)),
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
        let op = match op {
            tree::BinaryOp::Add => BinaryOp::Add,
            tree::BinaryOp::Subtract => BinaryOp::Subtract,
            tree::BinaryOp::Multiply => BinaryOp::Multiply,
            tree::BinaryOp::Divide => BinaryOp::Divide,
            tree::BinaryOp::Remainder => BinaryOp::Remainder,
            tree::BinaryOp::Equal => BinaryOp::Equal,
            tree::BinaryOp::NotEqual => BinaryOp::NotEqual,
            tree::BinaryOp::Less => BinaryOp::Less,
            tree::BinaryOp::LessEqual => BinaryOp::LessEqual,
            tree::BinaryOp::Greater => BinaryOp::Greater,
            tree::BinaryOp::GreaterEqual => BinaryOp::GreaterEqual,
            tree::BinaryOp::And => BinaryOp::And,
            tree::BinaryOp::Or => BinaryOp::Or,
            tree::BinaryOp::Pipe | tree::BinaryOp::BoundedProduct => {
                return self.report(diagnostics::expect_shape(span, "this operator does not apply to tensors"));
            }
        };
        let shape = self.common_shape(&[&left, &right], span)?;
        Some(TensorExpr { kind: TensorExprKind::Binary(op, Box::new(left), Box::new(right)), shape })
    }

    /// The shape of an elementwise operation: scalars go with any shape, other shapes must be equal.
    fn common_shape(&mut self, operands: &[&TensorExpr], span: Span) -> Option<Vec<Sym>> {
        let mut common: Vec<Sym> = Vec::new();
        for operand in operands.iter().filter(|operand| !operand.shape.is_empty()) {
            if common.is_empty() {
                common.clone_from(&operand.shape);
                continue;
            }
            let equal = |(left, right): (&Sym, &Sym)| {
                left == right
                    || !matches!(
                        self.evaluator.facts.prove(left, CompareOp::Eq, right),
                        crate::dims::Proof::Refuted { .. }
                    )
            };
            if common.len() != operand.shape.len() || !common.iter().zip(&operand.shape).all(equal) {
                let (left, right) = (Shape { dims: common }, Shape { dims: operand.shape.clone() });
                let message = format!("shapes {left} and {right} do not go together element by element");
                return self.report(diagnostics::expect_shape(span, message));
            }
        }
        Some(common)
    }

    fn postfix(&mut self, whole: &Expr, base: &Expr, suffixes: &[tree::Suffix]) -> Option<TensorExpr> {
        let mut position = 0;
        let mut value = match (&base.kind, suffixes.first().map(|suffix| &suffix.kind)) {
            (ExprKind::Name(name), Some(SuffixKind::Call(args))) if self.param(name).is_none() => {
                position = 1;
                match self.function(name, args, whole.span) {
                    Some(found) => found?,
                    None => return self.scalar(whole),
                }
            }
            _ => self.tensor(base)?,
        };
        while let Some(suffix) = suffixes.get(position) {
            position += 1;
            value = match &suffix.kind {
                SuffixKind::Member(member) => {
                    let args: &[Argument] = match suffixes.get(position).map(|suffix| &suffix.kind) {
                        Some(SuffixKind::Call(args)) => {
                            position += 1;
                            args
                        }
                        _ => &[],
                    };
                    self.method(value, &member.text, args, suffix.span)?
                }
                SuffixKind::Bracket(indices) => self.index(value, indices, suffix.span)?,
                SuffixKind::Call(_) => {
                    return self.report(diagnostics::expect_shape(suffix.span, "a tensor cannot be called"));
                }
            };
        }
        Some(value)
    }

    /// A function over tensors; `None` where the name is none of them.
    fn function(&mut self, name: &str, args: &[Argument], span: Span) -> Option<Option<TensorExpr>> {
        if name == "initial" {
            return Some(self.initial(args, span));
        }
        if let Some(element) = ElementType::from_name(name) {
            let [arg] = args else { return Some(self.wrong_count(name, 1, span)) };
            return Some(self.tensor(&arg.value).map(|value| {
                let shape = value.shape.clone();
                TensorExpr { kind: TensorExprKind::Cast(element, Box::new(value)), shape }
            }));
        }
        if REDUCTIONS.contains(&name) {
            let Some((first, rest)) = args.split_first() else { return Some(self.wrong_count(name, 1, span)) };
            return Some(self.tensor(&first.value).and_then(|value| self.method(value, name, rest, span)));
        }
        let (_, function, count) = FUNCTIONS.iter().find(|(known, ..)| *known == name)?;
        if args.len() != *count {
            return Some(self.wrong_count(name, *count, span));
        }
        let values = args.iter().map(|arg| self.tensor(&arg.value)).collect::<Vec<_>>();
        let Some(values) = values.into_iter().collect::<Option<Vec<_>>>() else { return Some(None) };
        let shape = self.common_shape(&values.iter().collect::<Vec<_>>(), span);
        Some(shape.map(|shape| TensorExpr { kind: TensorExprKind::Math(*function, values), shape }))
    }

    fn wrong_count<T>(&mut self, name: &str, count: usize, span: Span) -> Option<T> {
        let plural = if count == 1 { "" } else { "s" };
        self.report(diagnostics::expect_shape(span, format!("`{name}` takes {count} argument{plural}")))
    }

    fn initial(&mut self, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let named = match args {
            [Argument { value: Expr { kind: ExprKind::Name(name), .. }, .. }] => self.param(name),
            _ => None,
        };
        match named {
            Some(param) => Some(TensorExpr { kind: TensorExprKind::Initial(param), shape: self.param_shape(param) }),
            None => {
                let message = "`initial` takes a parameter of the kernel and gives its value before the run";
                self.report(diagnostics::expect_shape(span, message))
            }
        }
    }

    fn method(&mut self, value: TensorExpr, name: &str, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let rank = value.shape.len();
        match name {
            "permute" => {
                let mut order = Vec::with_capacity(args.len());
                for arg in args {
                    order.push(self.dimension(&arg.value, rank)?);
                }
                let mut sorted = order.clone();
                sorted.sort_unstable();
                if !sorted.into_iter().eq(0..rank) {
                    let message = format!("`permute` needs each dimension from 0 to {} once", rank.saturating_sub(1));
                    return self.report(diagnostics::expect_shape(span, message));
                }
                let shape = order.iter().map(|dimension| value.shape[*dimension].clone()).collect();
                Some(TensorExpr { kind: TensorExprKind::Permute(Box::new(value), order), shape })
            }
            "reshape" => {
                let mut dims = Vec::with_capacity(args.len());
                for arg in args {
                    match self.evaluator.expr(&arg.value)? {
                        Value::Int(dim) => dims.push(dim),
                        Value::Shape(shape) => dims.extend(shape.dims),
                        other => return self.report(diagnostics::wrong_type(arg.value.span, "a dimension", &other)),
                    }
                }
                let sizes = (Shape { dims: value.shape.clone() }.size(), Shape { dims: dims.clone() }.size());
                let (before, after) = (self.evaluator.settle(span, sizes.0)?, self.evaluator.settle(span, sizes.1)?);
                if let crate::dims::Proof::Refuted { .. } = self.evaluator.facts.prove(&before, CompareOp::Eq, &after) {
                    let message = format!("`reshape` keeps the number of elements: {before} is not {after}");
                    return self.report(diagnostics::expect_shape(span, message));
                }
                Some(TensorExpr { kind: TensorExprKind::Reshape(Box::new(value)), shape: dims })
            }
            "reverse" => {
                let dimension = match args {
                    [] if rank == 0 => {
                        let message = "`reverse` needs a dimension, and a single value has none";
                        return self.report(diagnostics::expect_shape(span, message));
                    }
                    [] => 0,
                    [arg] => self.dimension(&arg.value, rank)?,
                    _ => return self.wrong_count(name, 1, span),
                };
                let shape = value.shape.clone();
                Some(TensorExpr { kind: TensorExprKind::Reverse(Box::new(value), dimension), shape })
            }
            "sum" | "maximum" | "minimum" => {
                let dimension = match args {
                    [] => None,
                    [arg] => Some(self.dimension(&arg.value, rank)?),
                    _ => return self.wrong_count(name, 1, span),
                };
                let mut shape = value.shape.clone();
                match dimension {
                    Some(dimension) => drop(shape.remove(dimension)),
                    None => shape.clear(),
                }
                let value = Box::new(value);
                let kind = match name {
                    "sum" => TensorExprKind::Sum(value, dimension),
                    "maximum" => TensorExprKind::Maximum(value, dimension),
                    _ => TensorExprKind::Minimum(value, dimension),
                };
                Some(TensorExpr { kind, shape })
            }
            _ => {
                let message =
                    format!("a tensor has no `.{name}`; it has permute, reshape, reverse, sum, maximum and minimum");
                self.report(diagnostics::expect_shape(span, message))
            }
        }
    }

    fn dimension(&mut self, expr: &Expr, rank: usize) -> Option<usize> {
        let number = self.evaluator.constant(expr, "the number of a dimension")?;
        match usize::try_from(number).ok().filter(|number| *number < rank) {
            Some(dimension) => Some(dimension),
            None => {
                let message = format!("there is no dimension {number}: the tensor has rank {rank}");
                self.report(diagnostics::expect_shape(expr.span, message))
            }
        }
    }

    /// `x[lo..hi]` and `x[k]` along the leading dimension.
    fn index(&mut self, value: TensorExpr, indices: &[Expr], span: Span) -> Option<TensorExpr> {
        let mut value = value;
        for index in indices {
            let Some(leading) = value.shape.first().cloned() else {
                let message = "there are more indices than dimensions";
                return self.report(diagnostics::expect_shape(span, message));
            };
            value = match self.evaluator.expr(index)? {
                Value::Int(position) => {
                    let shape = value.shape[1..].to_vec();
                    TensorExpr { kind: TensorExprKind::Index(Box::new(value), position), shape }
                }
                Value::Range(low, high) if indices.len() == 1 => {
                    let extent = high.checked_sub(&low);
                    let mut shape = value.shape.clone();
                    shape[0] = self.evaluator.settle(span, extent)?;
                    if let crate::dims::Proof::Refuted { .. } =
                        self.evaluator.facts.prove(&high, CompareOp::Le, &leading)
                    {
                        let message = format!("{low}..{high} goes beyond the dimension, which is {leading}");
                        return self.report(diagnostics::expect_shape(span, message));
                    }
                    TensorExpr { kind: TensorExprKind::Slice(Box::new(value), low, high), shape }
                }
                other => return self.report(diagnostics::wrong_type(index.span, "an index or a range", &other)),
            };
        }
        Some(value)
    }
}

/// Whether an expression is a truth value everywhere.
fn is_condition(expr: &TensorExpr) -> bool {
    match &expr.kind {
        TensorExprKind::Binary(
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual,
            ..,
        )
        | TensorExprKind::Constant(Constant::Bool(_)) => true,
        TensorExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => is_condition(left) && is_condition(right),
        TensorExprKind::Unary(UnaryOp::Not, inner) => is_condition(inner),
        _ => false,
    }
}
