//! Products of matrices.

use rayon::prelude::*;

use super::error::ExpectError;
use super::evaluate::{Elements, PIECE, column};
use super::node::Node;
use super::number::{Column, Kind};
use crate::execute::Control;

/// The most elements of a product and its factors, which are all in memory: of floats, these are 2 GiB.
const MOST_ELEMENTS: usize = 1 << 28;

/// The elements of a product of two matrices, or of as many of them as a leading dimension says, in row-major order. Each
/// sum goes along the inner dimension in ascending order.
pub fn product(factors: &[Node<'_>; 2], kind: Kind, control: &Control<'_>) -> Result<Column, ExpectError> {
    let [left, right] = factors;
    let (extents, batch) = match (left.shape.as_slice(), right.shape.as_slice()) {
        ([rows, depth], [other, columns]) if depth == other => ([*rows, *depth, *columns], 1),
        ([batch, rows, depth], [others, other, columns]) if depth == other && batch == others => {
            ([*rows, *depth, *columns], *batch)
        }
        (left, right) => return Err(ExpectError::Factors(format!("{left:?} and {right:?}"))),
    };
    let [rows, _, columns] = extents;
    let elements = [batch, rows, columns].into_iter().try_fold(1usize, usize::checked_mul);
    let all = elements.and_then(|elements| elements.checked_add(left.len())?.checked_add(right.len()));
    if all.is_none_or(|all| all > MOST_ELEMENTS) {
        return Err(ExpectError::Large { left: format!("{:?}", left.shape), right: format!("{:?}", right.shape) });
    }
    Ok(match kind {
        Kind::Float => {
            let [left, right] = [floats(left, control)?, floats(right, control)?];
            let add = |sum: &mut f64, left: f64, right: f64| {
                *sum += left * right;
                Ok(())
            };
            Column::Float(sums([&left, &right], (extents, batch), add, control)?)
        }
        _ => {
            let [left, right] = [integers(left, control)?, integers(right, control)?];
            let add = |sum: &mut i128, left: i128, right: i128| {
                let next = left.checked_mul(right).and_then(|product| sum.checked_add(product));
                *sum = next.ok_or(ExpectError::Overflow("a product of matrices"))?;
                Ok(())
            };
            Column::Integer(sums([&left, &right], (extents, batch), add, control)?)
        }
    })
}

/// The sums of all elements, the rows on all cores. `add` adds a product to a sum.
fn sums<N: Copy + Default + Send + Sync>(
    [left, right]: [&[N]; 2],
    ([rows, depth, columns], batch): ([usize; 3], usize),
    add: impl Fn(&mut N, N, N) -> Result<(), ExpectError> + Sync,
    control: &Control<'_>,
) -> Result<Vec<N>, ExpectError> {
    let mut sums = vec![N::default(); batch * rows * columns];
    if sums.is_empty() {
        return Ok(sums);
    }
    sums.par_chunks_mut(columns).enumerate().try_for_each(|(row, sums)| {
        let matrix = row / rows * depth;
        for step in 0..depth {
            if control.is_cancelled() {
                return Err(ExpectError::Cancelled);
            }
            let (Some(&factor), Some(others)) =
                (left.get(row * depth + step), right.get((matrix + step) * columns..(matrix + step + 1) * columns))
            else {
                continue;
            };
            sums.iter_mut().zip(others).try_for_each(|(sum, other)| add(sum, factor, *other))?;
        }
        Ok(())
    })?;
    Ok(sums)
}

fn floats(node: &Node<'_>, control: &Control<'_>) -> Result<Vec<f64>, ExpectError> {
    let mut all = Vec::with_capacity(node.len());
    pieces(node, control, &mut |piece| all.extend(piece.into_floats()))?;
    Ok(all)
}

fn integers(node: &Node<'_>, control: &Control<'_>) -> Result<Vec<i128>, ExpectError> {
    let mut all = Vec::with_capacity(node.len());
    pieces(node, control, &mut |piece| all.extend(piece.into_integers()))?;
    Ok(all)
}

/// All elements of an expression, some at a time.
fn pieces(node: &Node<'_>, control: &Control<'_>, take: &mut dyn FnMut(Column)) -> Result<(), ExpectError> {
    for first in (0..node.len()).step_by(PIECE) {
        let count = PIECE.min(node.len() - first);
        take(column(node, Elements::Run { first, count }, control)?);
        if control.is_cancelled() {
            return Err(ExpectError::Cancelled);
        }
    }
    Ok(())
}
