//! Lowers maps to integer expressions, which Cranelift and CUDA compute.

use super::operands::{constant, size};
use dims::Sym;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind};
use maps::{Affine, IndexMap, Term};

/// The offset and the mask of a map with one lower coordinate, evaluated at `axes`. An axis that the map does not use
/// may be `None`.
pub(super) fn lower(map: &IndexMap, axes: &[Option<Expr>]) -> Option<(Expr, Option<Expr>)> {
    let mut terms: Vec<Option<Expr>> = Vec::with_capacity(map.terms.len());
    for term in &map.terms {
        let expr = term_expr(term, axes, &terms);
        terms.push(expr);
    }
    let [slot] = map.lower.as_slice() else { return None };
    let offset = affine(&slot.value, &terms)?;
    let mut conditions = Vec::new();
    for mask in &map.masks {
        let value = affine(&mask.value, &terms)?;
        if let Some(low) = &mask.low {
            conditions.push(binary(BinaryOp::GreaterEqual, value.clone(), size(low)));
        }
        if let Some(high) = &mask.high {
            conditions.push(binary(BinaryOp::Less, value, size(high)));
        }
    }
    let mask = conditions.into_iter().reduce(|left, right| binary(BinaryOp::And, left, right));
    Some((offset, mask))
}

fn term_expr(term: &Term, axes: &[Option<Expr>], terms: &[Option<Expr>]) -> Option<Expr> {
    Some(match term {
        Term::Coordinate(axis) => axes.get(*axis as usize)?.clone()?,
        Term::Digit { of, divisor, modulus } => {
            let mut value = affine(of, terms)?;
            if divisor.as_constant() != Some(1) {
                value = binary(BinaryOp::FloorDivide, value, size(divisor));
            }
            if let Some(modulus) = modulus {
                value = binary(BinaryOp::FloorRemainder, value, size(modulus));
            }
            value
        }
        Term::Xor(left, right) => binary(BinaryOp::BitXor, affine(left, terms)?, affine(right, terms)?),
    })
}

/// `constant + Σ coefficient · term`.
fn affine(form: &Affine, terms: &[Option<Expr>]) -> Option<Expr> {
    let mut sum: Option<Expr> = None;
    for (term, coefficient) in &form.terms {
        let value = terms.get(term.0 as usize)?.clone()?;
        sum = Some(match (sum, coefficient.as_constant()) {
            (None, Some(1)) => value,
            (Some(sum), Some(1)) => binary(BinaryOp::Add, sum, value),
            (Some(sum), Some(-1)) => binary(BinaryOp::Subtract, sum, value),
            (None, _) => binary(BinaryOp::Multiply, value, size(coefficient)),
            (Some(sum), _) => binary(BinaryOp::Add, sum, binary(BinaryOp::Multiply, value, size(coefficient))),
        });
    }
    Some(match sum {
        None => size(&form.constant),
        Some(sum) if form.constant.is_zero() => sum,
        Some(sum) => binary(BinaryOp::Add, sum, size(&form.constant)),
    })
}

/// The position in storage of the element with this row-major index, in a tensor with strides.
pub(super) fn storage_offset(index: Expr, shape: &[Sym], strides: &[Sym]) -> Expr {
    let mut rest = index;
    let mut sum: Option<Expr> = None;
    for (position, (dim, stride)) in shape.iter().zip(strides).enumerate().rev() {
        let digit =
            if position == 0 { rest.clone() } else { binary(BinaryOp::FloorRemainder, rest.clone(), size(dim)) };
        if position > 0 {
            rest = binary(BinaryOp::FloorDivide, rest, size(dim));
        }
        let part =
            if stride.as_constant() == Some(1) { digit } else { binary(BinaryOp::Multiply, digit, size(stride)) };
        sum = Some(match sum {
            None => part,
            Some(sum) => binary(BinaryOp::Add, sum, part),
        });
    }
    sum.unwrap_or_else(|| constant(Constant::Int(0), ElementType::I64))
}

/// An operation on two `i64`.
pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let element = if op.gives_bool() { ElementType::Bool } else { left.element };
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), element }
}
