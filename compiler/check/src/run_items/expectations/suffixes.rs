//! Members and indices of tensors in expectations.

use super::super::RunChecker;
use super::functions::{ONE, is_function};
use crate::diagnostics::{self, Misfit, Quantity, Wanted};
use crate::values::Value;
use dims::{CompareOp, Sym};
use kernel::run::{TensorExpr, TensorExprKind};
use maps::shapes::Shape;
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind, Suffix, SuffixKind};

/// Makes a reduction of a tensor over all elements (`None`) or along one dimension.
type Reduction = fn(Box<TensorExpr>, Option<usize>) -> TensorExprKind;

/// The reduction with this name, which is a member or a function.
pub(super) fn reduction(name: &str) -> Option<Reduction> {
    match name {
        "sum" => Some(TensorExprKind::Sum),
        "maximum" => Some(TensorExprKind::Maximum),
        "minimum" => Some(TensorExprKind::Minimum),
        _ => None,
    }
}

/// The reduction that tiles have under this name; as a function, the name means something else.
fn short_reduction(name: &str) -> Option<Reduction> {
    match name {
        "max" => reduction("maximum"),
        "min" => reduction("minimum"),
        _ => None,
    }
}

impl RunChecker<'_> {
    /// Checks members, calls and indices, one after another.
    pub(super) fn postfix(&mut self, whole: &Expr, base: &Expr, suffixes: &[Suffix]) -> Option<TensorExpr> {
        let mut position = 0;
        let mut value = match (&base.kind, suffixes.first().map(|suffix| &suffix.kind)) {
            (ExprKind::Name(name), Some(SuffixKind::Call(args))) if self.param(name).is_none() => {
                position = 1;
                if !is_function(name) {
                    return self.outer(whole);
                }
                self.function(name, args, whole.span)?
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
                    return self.misfit(suffix.span, &Misfit::Call);
                }
            };
        }
        Some(value)
    }

    /// Checks `x.name(args)`.
    pub(super) fn method(
        &mut self,
        value: TensorExpr,
        name: &str,
        args: &[Argument],
        span: Span,
    ) -> Option<TensorExpr> {
        match name {
            "matmul" => match args {
                [other] => {
                    let other = self.tensor(&other.value)?;
                    self.product(value, other, span)
                }
                _ => self.wrong_count(name, ONE, span),
            },
            "permute" => self.permute(value, args, span),
            "reshape" => self.reshape(value, args, span),
            "reverse" => self.reverse(value, args, span),
            _ => match reduction(name).or_else(|| short_reduction(name)) {
                Some(kind) => self.reduce(kind, value, name, args, span),
                None => self.misfit(span, &Misfit::NoMember(name)),
            },
        }
    }

    fn permute(&mut self, value: TensorExpr, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let rank = value.shape.len();
        let mut order = Vec::with_capacity(args.len());
        for arg in args {
            order.push(self.dimension(&arg.value, rank)?);
        }
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..rank) {
            return self.misfit(span, &Misfit::Permute { rank });
        }
        let shape = order.iter().map(|dimension| value.shape[*dimension].clone()).collect();
        Some(TensorExpr { kind: TensorExprKind::Permute(Box::new(value), order), shape })
    }

    fn reshape(&mut self, value: TensorExpr, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let mut dims = Vec::with_capacity(args.len());
        for arg in args {
            match self.evaluator.expr(&arg.value)? {
                Value::Int(dim) => dims.push(dim),
                Value::Shape(shape) => dims.extend(shape.dims),
                other => return self.report(diagnostics::wrong_type(arg.value.span, Wanted::Dimension, &other)),
            }
        }
        let sizes = (Shape { dims: value.shape.clone() }.size(), Shape { dims: dims.clone() }.size());
        let (before, after) = (self.evaluator.settle(span, sizes.0)?, self.evaluator.settle(span, sizes.1)?);
        if self.refuted(&before, CompareOp::Eq, &after) {
            return self.misfit(span, &Misfit::Reshape { before: &before, after: &after });
        }
        Some(TensorExpr { kind: TensorExprKind::Reshape(Box::new(value)), shape: dims })
    }

    fn reverse(&mut self, value: TensorExpr, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let rank = value.shape.len();
        let dimension = match args {
            [] if rank == 0 => return self.misfit(span, &Misfit::ReverseScalar),
            [] => 0,
            [arg] => self.dimension(&arg.value, rank)?,
            _ => return self.wrong_count("reverse", ONE, span),
        };
        let shape = value.shape.clone();
        Some(TensorExpr { kind: TensorExprKind::Reverse(Box::new(value), dimension), shape })
    }

    /// The product of two matrices, or of as many of them as the leading dimension says.
    pub(super) fn product(&mut self, left: TensorExpr, right: TensorExpr, span: Span) -> Option<TensorExpr> {
        let shape = match (left.shape.as_slice(), right.shape.as_slice()) {
            ([rows, depth], [other, columns]) if !self.refuted(depth, CompareOp::Eq, other) => {
                vec![rows.clone(), columns.clone()]
            }
            ([batch, rows, depth], [others, other, columns])
                if !self.refuted(depth, CompareOp::Eq, other) && !self.refuted(batch, CompareOp::Eq, others) =>
            {
                vec![batch.clone(), rows.clone(), columns.clone()]
            }
            _ => {
                let (left, right) = (Shape { dims: left.shape }, Shape { dims: right.shape });
                let unsaid = self.unsaid(&left, &right);
                return self.misfit(span, &Misfit::Product { left: &left, right: &right, unsaid: unsaid.as_ref() });
            }
        };
        Some(TensorExpr { kind: TensorExprKind::Product(Box::new(left), Box::new(right)), shape })
    }

    /// Checks a reduction over all elements, or along one dimension, which stays with extent 1 if `keep: true` is said.
    fn reduce(
        &mut self,
        kind: Reduction,
        value: TensorExpr,
        name: &str,
        args: &[Argument],
        span: Span,
    ) -> Option<TensorExpr> {
        let is_keep = |arg: &&Argument| arg.name.as_ref().is_some_and(|name| name.text == "keep");
        let keeps = match args.iter().find(is_keep).map(|arg| (&arg.value.kind, arg.value.span)) {
            None => false,
            Some((ExprKind::Bool(keeps), _)) => *keeps,
            Some((_, span)) => return self.misfit(span, &Misfit::Keep),
        };
        let dimension = match args.iter().filter(|arg| !is_keep(arg)).collect::<Vec<_>>().as_slice() {
            [] => None,
            [arg] => Some(self.dimension(&arg.value, value.shape.len())?),
            _ => return self.wrong_count(name, ONE, span),
        };
        let (mut shape, mut kept) = (value.shape.clone(), value.shape.clone());
        match dimension {
            Some(dimension) => {
                shape.remove(dimension);
                kept[dimension] = Sym::one();
            }
            None => {
                shape.clear();
                kept.fill(Sym::one());
            }
        }
        let reduced = TensorExpr { kind: kind(Box::new(value), dimension), shape };
        Some(match keeps {
            true => TensorExpr { kind: TensorExprKind::Reshape(Box::new(reduced)), shape: kept },
            false => reduced,
        })
    }

    fn dimension(&mut self, expr: &Expr, rank: usize) -> Option<usize> {
        let number = self.evaluator.constant(expr, Quantity::DimensionNumber)?;
        match usize::try_from(number).ok().filter(|number| *number < rank) {
            Some(dimension) => Some(dimension),
            None => self.misfit(expr.span, &Misfit::NoDimension { number, rank }),
        }
    }

    /// Checks `x[lo..hi]` and `x[k]` along the leading dimension.
    fn index(&mut self, value: TensorExpr, indices: &[Expr], span: Span) -> Option<TensorExpr> {
        let mut value = value;
        for index in indices {
            let Some(leading) = value.shape.first().cloned() else {
                return self.misfit(span, &Misfit::TooManyIndices);
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
                    if self.refuted(&high, CompareOp::Le, &leading) {
                        let what = Misfit::RangeBeyond { low: &low, high: &high, extent: &leading };
                        return self.misfit(span, &what);
                    }
                    TensorExpr { kind: TensorExprKind::Slice(Box::new(value), low, high), shape }
                }
                other => return self.report(diagnostics::wrong_type(index.span, Wanted::IndexOrRange, &other)),
            };
        }
        Some(value)
    }
}
