//! A sparse matrix in rows times a vector, the rows on all cores.

use rayon::prelude::*;
use shapewright_runtime::tensors::{ElementType, Tensor, TensorError, random_bits};

use super::by_hand::{ByHand, numbers};

/// The rows of the matrix, and its columns.
pub const ROWS: usize = 1 << 20;

/// The numbers of the matrix: 16 in a row, more or fewer.
pub const NUMBERS: usize = 16 * ROWS;

/// The fewest rows for which another thread is worth while.
const TOGETHER: usize = 1024;

pub struct Sparse {
    /// Where each row begins, and where the last one ends.
    start: Vec<i32>,
    column: Vec<i32>,
    value: Vec<f32>,
    x: Vec<f32>,
    y: Vec<f32>,
}

impl Sparse {
    pub fn new() -> Sparse {
        // Every other row takes some of the numbers of the next one.
        let start = |row: usize| {
            let moved = if row % 2 == 1 { (random_bits(2, row as u64) % 17) as i32 - 8 } else { 0 };
            16 * row as i32 + moved
        };
        let column = |place: usize| (random_bits(3, place as u64) % ROWS as u64) as i32;
        Sparse {
            start: (0..=ROWS).map(start).collect(),
            column: (0..NUMBERS).into_par_iter().map(column).collect(),
            value: numbers(NUMBERS, 4),
            x: numbers(ROWS, 5),
            y: vec![0.0; ROWS],
        }
    }
}

impl ByHand for Sparse {
    fn arguments(&self) -> Result<Vec<Tensor>, TensorError> {
        Ok(vec![
            Tensor::from_slice(&[ROWS as u64 + 1], &self.start)?,
            Tensor::from_slice(&[NUMBERS as u64], &self.column)?,
            Tensor::from_slice(&[NUMBERS as u64], &self.value)?,
            Tensor::from_slice(&[ROWS as u64], &self.x)?,
            Tensor::zeros(ElementType::F32, &[ROWS as u64])?,
        ])
    }

    fn compute(&mut self) {
        let Sparse { start, column, value, x, y } = self;
        y.par_iter_mut().with_min_len(TOGETHER).zip(start.par_windows(2)).for_each(|(y, ends)| {
            let row = ends[0] as usize..ends[1] as usize;
            let products = value[row.clone()].iter().zip(&column[row]);
            *y = products.map(|(value, column)| value * x[*column as usize]).sum();
        });
    }

    fn results(&self) -> Result<Vec<Tensor>, TensorError> {
        Ok(vec![Tensor::from_slice(&[ROWS as u64], &self.y)?])
    }
}
