//! Lowers maps to integer expressions, which Cranelift and CUDA compute.

use dims::Sym;
use kernel::typed::{BinaryOp, Expr};
use maps::{Affine, IndexMap, MapError, Term};

/// The most operations in the indices of one kernel. Expressions are trees, so a part of a map that is used twice
/// counts twice, and there are maps whose trees double with every transform.
pub(super) const MOST_OPERATIONS: usize = 1 << 20;

/// An expression, with its number of operations and leaves.
#[derive(Clone)]
struct Counted {
    expr: Expr,
    nodes: usize,
}

/// Lowers a map to expressions, within the limit of operations.
pub(super) struct Lowering<'k> {
    map: &'k IndexMap,
    terms: Vec<Option<Counted>>,
    /// The remaining number of operations that the kernel's indices may take.
    left: &'k mut usize,
}

impl<'k> Lowering<'k> {
    /// Lowers the terms of a map that is evaluated at `axes`. An axis that the map does not use may be `None`.
    ///
    /// # Errors
    /// [`MapError::TooLarge`] if they take more operations than are `left`.
    pub(super) fn new(map: &'k IndexMap, axes: &[Option<Expr>], left: &'k mut usize) -> Result<Lowering<'k>, MapError> {
        let axes: Vec<Option<Counted>> = axes.iter().map(|axis| axis.clone().map(Counted::new)).collect();
        let mut lowering = Lowering { map, terms: Vec::with_capacity(map.terms.len()), left };
        for term in &map.terms {
            let found = lowering.term(term, &axes)?;
            lowering.terms.push(found);
        }
        Ok(lowering)
    }

    /// The offset and the mask of a map with one lower coordinate.
    ///
    /// # Errors
    /// [`MapError::TooLarge`], and [`MapError::Malformed`] if the map uses an axis that is `None`.
    pub(super) fn offset_and_mask(mut self) -> Result<(Expr, Option<Expr>), MapError> {
        let [slot] = self.map.lower.as_slice() else { return Err(MapError::Malformed) };
        let offset = self.affine(&slot.value)?.ok_or(MapError::Malformed)?;
        let mut conditions = Vec::new();
        for mask in &self.map.masks {
            let value = self.affine(&mask.value)?.ok_or(MapError::Malformed)?;
            if let Some(low) = &mask.low {
                self.take(value.nodes)?;
                conditions.push(Expr::binary(BinaryOp::GreaterEqual, value.expr.clone(), Expr::size(low)));
            }
            if let Some(high) = &mask.high {
                conditions.push(Expr::binary(BinaryOp::Less, value.expr, Expr::size(high)));
            }
        }
        let mask = conditions.into_iter().reduce(|left, right| Expr::binary(BinaryOp::And, left, right));
        Ok((offset.expr, mask))
    }

    /// Counts a copy of `nodes` nodes.
    fn take(&mut self, nodes: usize) -> Result<(), MapError> {
        *self.left = self.left.checked_sub(nodes).ok_or_else(too_many_operations)?;
        Ok(())
    }

    fn term(&mut self, term: &Term, axes: &[Option<Counted>]) -> Result<Option<Counted>, MapError> {
        Ok(match term {
            Term::Coordinate(axis) => axes.get(*axis as usize).cloned().flatten(),
            Term::Digit { of, divisor, modulus } => {
                let Some(mut value) = self.affine(of)? else { return Ok(None) };
                if divisor.as_constant() != Some(1) {
                    value = value.with(BinaryOp::FloorDivide, Counted::size(divisor));
                }
                if let Some(modulus) = modulus {
                    value = value.with(BinaryOp::FloorRemainder, Counted::size(modulus));
                }
                Some(value)
            }
            Term::Xor(left, right) => {
                let (left, right) = (self.affine(left)?, self.affine(right)?);
                left.zip(right).map(|(left, right)| left.with(BinaryOp::BitXor, right))
            }
        })
    }

    /// `constant + Σ coefficient · term`; `None` if it uses a term that is `None`.
    fn affine(&mut self, form: &Affine) -> Result<Option<Counted>, MapError> {
        let mut sum: Option<Counted> = None;
        for (term, coefficient) in &form.terms {
            let nodes = match self.terms.get(term.0 as usize) {
                Some(Some(term)) => term.nodes,
                _ => return Ok(None),
            };
            self.take(nodes)?;
            let Some(Some(value)) = self.terms.get(term.0 as usize).cloned() else { return Ok(None) };
            sum = Some(match (sum, coefficient.as_constant()) {
                (None, Some(1)) => value,
                (Some(sum), Some(1)) => sum.with(BinaryOp::Add, value),
                (Some(sum), Some(-1)) => sum.with(BinaryOp::Subtract, value),
                (None, _) => value.with(BinaryOp::Multiply, Counted::size(coefficient)),
                (Some(sum), _) => sum.with(BinaryOp::Add, value.with(BinaryOp::Multiply, Counted::size(coefficient))),
            });
        }
        Ok(Some(match sum {
            None => Counted::size(&form.constant),
            Some(sum) if form.constant.is_zero() => sum,
            Some(sum) => sum.with(BinaryOp::Add, Counted::size(&form.constant)),
        }))
    }
}

impl Counted {
    fn new(expr: Expr) -> Counted {
        let mut nodes = 0;
        expr.walk(&mut |_| nodes += 1);
        Counted { expr, nodes }
    }

    fn size(value: &Sym) -> Counted {
        Counted { expr: Expr::size(value), nodes: 1 }
    }

    fn with(self, op: BinaryOp, right: Counted) -> Counted {
        Counted { expr: Expr::binary(op, self.expr, right.expr), nodes: self.nodes + right.nodes + 1 }
    }
}

/// The position in storage of the element with this row-major index, in a tensor with strides.
///
/// # Errors
/// [`MapError::TooLarge`] if it takes more operations than are `left`.
pub(super) fn storage_offset(index: Expr, shape: &[Sym], strides: &[Sym], left: &mut usize) -> Result<Expr, MapError> {
    let copies = Counted::new(index.clone()).nodes.saturating_mul(shape.len());
    *left = left.checked_sub(copies).ok_or_else(too_many_operations)?;
    let parts = Expr::digits(index, shape).into_iter().zip(strides).rev().map(|(digit, stride)| {
        if stride.as_constant() == Some(1) {
            digit
        } else {
            Expr::binary(BinaryOp::Multiply, digit, Expr::size(stride))
        }
    });
    Ok(parts.reduce(|sum, part| Expr::binary(BinaryOp::Add, sum, part)).unwrap_or_else(|| Expr::int(0)))
}

fn too_many_operations() -> MapError {
    MapError::TooLarge { what: "operations in the indices of a kernel", limit: MOST_OPERATIONS as u64 }
}
