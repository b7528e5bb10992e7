//! Prepares expressions that rearrange the elements of a tensor.

use dims::Sym;
use kernel::run::TensorExpr;

use super::super::error::ExpectError;
use super::super::node::{Node, Operation, row_major};
use super::{Prepared, Preparer, dimension, malformed};

impl<'a> Preparer<'a> {
    pub(super) fn reshape(&self, operand: &TensorExpr, shape: &[usize]) -> Prepared<'a> {
        let operand = self.boxed(operand)?;
        if operand.len() != shape.iter().product::<usize>() {
            return Err(malformed(format!("a reshape of {:?} to {shape:?}", operand.shape)));
        }
        Ok((operand.kind, Operation::Reshape(operand)))
    }

    pub(super) fn extend(&self, operand: &TensorExpr, shape: &[usize]) -> Prepared<'a> {
        let operand = self.boxed(operand)?;
        let strides = row_major(&operand.shape);
        let is_like = operand.shape.len() == shape.len()
            && operand.shape.iter().zip(shape).all(|(own, extent)| own == extent || *own == 1);
        if !is_like {
            return Err(ExpectError::Shapes(format!("{:?} and {shape:?}", operand.shape)));
        }
        let dimensions = operand.shape.iter().zip(shape).zip(strides);
        let strides = dimensions.map(|((own, extent), stride)| if own == extent { stride } else { 0 }).collect();
        Ok((operand.kind, Operation::View { operand, start: 0, strides }))
    }

    pub(super) fn permute(&self, operand: &TensorExpr, order: &[usize]) -> Prepared<'a> {
        let operand = self.boxed(operand)?;
        let strides = row_major(&operand.shape);
        let mut seen = vec![false; operand.shape.len()];
        let axes: Option<Vec<usize>> = order
            .iter()
            .map(|&axis| {
                let slot = seen.get_mut(axis).filter(|slot| !**slot)?;
                *slot = true;
                Some(axis)
            })
            .collect();
        let axes = axes.filter(|axes| axes.len() == operand.shape.len());
        let axes = axes.ok_or_else(|| malformed(format!("a permutation {order:?} of {:?}", operand.shape)))?;
        let strides = axes.into_iter().map(|axis| strides[axis]).collect();
        Ok((operand.kind, Operation::View { operand, start: 0, strides }))
    }

    pub(super) fn reverse(&self, operand: &TensorExpr, axis: usize) -> Prepared<'a> {
        let operand = self.boxed(operand)?;
        let mut strides = row_major(&operand.shape);
        let length = dimension(&operand, axis)?;
        let start = strides[axis] * (length as i64 - 1).max(0);
        strides[axis] = -strides[axis];
        Ok((operand.kind, Operation::View { operand, start, strides }))
    }

    pub(super) fn slice(&self, operand: &TensorExpr, start: &Sym, end: &Sym) -> Prepared<'a> {
        let operand = self.boxed(operand)?;
        let length = dimension(&operand, 0)?;
        let (start, end) = (self.size(start)?, self.size(end)?);
        if start < 0 || start > end || end as u64 > length as u64 {
            let what = format!("the slice {start}..{end}");
            return Err(ExpectError::OutOfRange { what, length: length as u64 });
        }
        let strides = row_major(&operand.shape);
        let start = start * strides[0];
        Ok((operand.kind, Operation::View { operand, start, strides }))
    }

    pub(super) fn index(&self, operand: &TensorExpr, index: &Sym) -> Prepared<'a> {
        let operand = self.boxed(operand)?;
        let length = dimension(&operand, 0)?;
        let index = self.size(index)?;
        if index < 0 || index as u64 >= length as u64 {
            let what = format!("the index {index}");
            return Err(ExpectError::OutOfRange { what, length: length as u64 });
        }
        let strides = row_major(&operand.shape);
        let start = index * strides[0];
        Ok((operand.kind, Operation::View { operand, start, strides: strides[1..].to_vec() }))
    }
}

/// Checks that a view stays inside its operand, and that a reduction has the expected shape.
pub(super) fn check_view(node: &Node<'_>) -> Result<(), ExpectError> {
    match &node.operation {
        Operation::View { operand, start, strides } if node.len() > 0 => {
            if strides.len() != node.shape.len() {
                return Err(malformed(format!("a view of the shape {:?}", node.shape)));
            }
            let (mut low, mut high) = (*start, *start);
            for (&dimension, &stride) in node.shape.iter().zip(strides) {
                let reach = stride.saturating_mul(dimension as i64 - 1);
                low = low.saturating_add(reach.min(0));
                high = high.saturating_add(reach.max(0));
            }
            if low < 0 || high >= operand.len() as i64 {
                return Err(malformed(format!("a view of the shape {:?} beyond its tensor", node.shape)));
            }
            Ok(())
        }
        Operation::Reduce { operand, axis, .. } => {
            let mut expected = operand.shape.clone();
            match axis {
                Some(axis) => drop(expected.remove(*axis)),
                None => expected.clear(),
            }
            if node.shape == expected {
                return Ok(());
            }
            Err(malformed(format!("a reduction of {:?} to {:?}", operand.shape, node.shape)))
        }
        _ => Ok(()),
    }
}
