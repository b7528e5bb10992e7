//! Members and indices of tensors in expectations.

use std::collections::BTreeSet;

use super::super::RunChecker;
use super::functions::{KEEP, ONE, is_function};
use crate::diagnostics::{self, Misfit, Quantity, Wanted};
use crate::values::Value;
use dims::{CompareOp, Sym};
use elements::ElementType;
use kernel::run::{TensorExpr, TensorExprKind};
use kernel::typed::{BinaryOp, Constant};
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

/// The reductions that are members only; as functions, these names mean something else or nothing.
const OTHER_REDUCTIONS: &[&str] = &["max", "min", "mean", "any", "all"];

/// The members of tensors.
const TENSOR_MEMBERS: &[&str] =
    &["permute", "reshape", "reverse", "insert", "sum", "mean", "max", "min", "any", "all", "matmul"];

/// Whether the elements are not 0.
fn is_not_zero(value: TensorExpr) -> TensorExpr {
    let shape = value.shape.clone();
    let zero = TensorExpr { kind: TensorExprKind::Constant(Constant::Int(0)), shape: Vec::new() };
    TensorExpr { kind: TensorExprKind::Binary(BinaryOp::NotEqual, Box::new(value), Box::new(zero)), shape }
}

/// The elements divided by a number.
fn divided(value: TensorExpr, by: TensorExpr) -> TensorExpr {
    let shape = value.shape.clone();
    TensorExpr { kind: TensorExprKind::Binary(BinaryOp::Divide, Box::new(value), Box::new(by)), shape }
}

impl RunChecker<'_> {
    /// Checks members, calls and indices, one after another.
    pub(super) fn postfix(&mut self, whole: &Expr, base: &Expr, suffixes: &[Suffix]) -> Option<TensorExpr> {
        let mut position = 0;
        let mut value = match (&base.kind, suffixes.first().map(|suffix| &suffix.kind)) {
            (ExprKind::Name(name), Some(SuffixKind::Call(args))) if self.param(name).is_none() => {
                position = 1;
                match self.evaluator.function_named(name) {
                    Some(function) => self.called(&function, args, base.span.to(suffixes[0].span))?,
                    None if is_function(name) => self.function(name, args, whole.span)?,
                    None => return self.outer(whole),
                }
            }
            _ => self.tensor(base)?,
        };
        while let Some(suffix) = suffixes.get(position) {
            if matches!(value.kind, TensorExprKind::File(_)) {
                return self.misfit(suffix.span, &Misfit::PartOfFile);
            }
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
        let is_reduction = reduction(name).is_some() || OTHER_REDUCTIONS.contains(&name);
        self.known_names(name, args, if is_reduction { KEEP } else { &[] })?;
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
            "insert" => self.insert(value, args, span),
            "max" => self.reduce(TensorExprKind::Maximum, value, args),
            "min" => self.reduce(TensorExprKind::Minimum, value, args),
            "mean" => self.mean(value, args, span),
            "any" => self.reduce(TensorExprKind::Maximum, value, args).map(is_not_zero),
            "all" => self.reduce(TensorExprKind::Minimum, value, args).map(is_not_zero),
            _ => match reduction(name) {
                Some(kind) => self.reduce(kind, value, args),
                None => self.misfit(span, &Misfit::NoMember { name, members: TENSOR_MEMBERS }),
            },
        }
    }

    /// `x.insert(1)`: a dimension of extent 1 before dimension 1.
    fn insert(&mut self, value: TensorExpr, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let [place] = args else { return self.wrong_count("insert", ONE, span) };
        let place = self.dimension(&place.value, value.shape.len() + 1)?;
        let mut shape = value.shape.clone();
        shape.insert(place, Sym::one());
        Some(TensorExpr { kind: TensorExprKind::Reshape(Box::new(value)), shape })
    }

    /// The sum divided by the number of elements in it.
    fn mean(&mut self, value: TensorExpr, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let sizes = (Shape { dims: value.shape.clone() }).size();
        let all = self.evaluator.settle(span, sizes)?;
        let sum = self.reduce(TensorExprKind::Sum, value, args)?;
        let sizes = (Shape { dims: sum.shape.clone() }).size();
        let left = self.evaluator.settle(span, sizes)?;
        let number = |size: Sym| {
            let size = TensorExpr { kind: TensorExprKind::Size(size), shape: Vec::new() };
            TensorExpr { kind: TensorExprKind::Cast(ElementType::F64, Box::new(size)), shape: Vec::new() }
        };
        let count = divided(number(all), number(left));
        Some(divided(sum, count))
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
        Some(permuted(value, order))
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

    /// Checks a reduction over all elements, or along some dimensions, which stay with extent 1 if `keep: true` is said.
    fn reduce(&mut self, kind: Reduction, value: TensorExpr, args: &[Argument]) -> Option<TensorExpr> {
        let (named, positional): (Vec<&Argument>, Vec<&Argument>) = args.iter().partition(|arg| arg.name.is_some());
        let mut keeps = false;
        for arg in named {
            let ExprKind::Bool(said) = arg.value.kind else { return self.misfit(arg.value.span, &Misfit::Keep) };
            keeps = said;
        }
        let rank = value.shape.len();
        let mut gone = BTreeSet::new();
        for arg in &positional {
            let listed = match &arg.value.kind {
                ExprKind::List(list) => list.iter().collect(),
                _ => vec![&arg.value],
            };
            for dimension in listed {
                gone.insert(self.dimension(dimension, rank)?);
            }
        }
        let mut kept = value.shape.clone();
        let reduced = if positional.is_empty() {
            kept.fill(Sym::one());
            TensorExpr { kind: kind(Box::new(value), None), shape: Vec::new() }
        } else {
            // The last one first, so that the numbers of the others stay.
            gone.into_iter().rev().fold(value, |value, dimension| {
                let mut shape = value.shape.clone();
                shape.remove(dimension);
                kept[dimension] = Sym::one();
                TensorExpr { kind: kind(Box::new(value), Some(dimension)), shape }
            })
        };
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

    /// Checks `x[k, lo..hi]`: of each dimension in turn one place, without which the tensor goes on, or a part.
    fn index(&mut self, value: TensorExpr, indices: &[Expr], span: Span) -> Option<TensorExpr> {
        let mut value = value;
        let mut dimension = 0;
        for index in indices {
            let rank = value.shape.len();
            let Some(extent) = value.shape.get(dimension).cloned() else {
                return self.misfit(span, &Misfit::TooManyIndices);
            };
            if index.kind == ExprKind::Underscore {
                let tokens = self.evaluator.item.tokens(self.evaluator.db);
                let what = Misfit::Whole { sign: tokens.text(index.span.start as usize), extent: &extent };
                let found = diagnostics::expect_shape(index.span, &what);
                return self.report(found);
            }
            // Places and parts are those of the leading dimension.
            let turned = permuted(value, std::iter::once(dimension).chain((0..rank).filter(|&at| at != dimension)));
            value = match self.evaluator.expr(index)? {
                Value::Int(position) => {
                    let shape = turned.shape[1..].to_vec();
                    TensorExpr { kind: TensorExprKind::Index(Box::new(turned), position), shape }
                }
                Value::Range(low, high) => {
                    if self.refuted(&high, CompareOp::Le, &extent) {
                        let what = Misfit::RangeBeyond { low: &low, high: &high, extent: &extent };
                        return self.misfit(span, &what);
                    }
                    let mut shape = turned.shape.clone();
                    shape[0] = self.evaluator.settle(span, high.checked_sub(&low))?;
                    let part = TensorExpr { kind: TensorExprKind::Slice(Box::new(turned), low, high), shape };
                    let before = dimension;
                    dimension += 1;
                    permuted(part, (1..=before).chain([0]).chain(before + 1..rank))
                }
                other => return self.report(diagnostics::wrong_type(index.span, Wanted::IndexOrRange, &other)),
            };
        }
        Some(value)
    }
}

/// The tensor whose dimension `k` is dimension `order[k]` of another.
fn permuted(value: TensorExpr, order: impl IntoIterator<Item = usize>) -> TensorExpr {
    let order: Vec<usize> = order.into_iter().collect();
    if order.is_sorted() {
        return value;
    }
    let shape = order.iter().map(|dimension| value.shape[*dimension].clone()).collect();
    TensorExpr { kind: TensorExprKind::Permute(Box::new(value), order), shape }
}
