//! A transposition in blocks, bands of which are on all cores.

use rayon::prelude::*;
use shapewright_runtime::tensors::{ElementType, Tensor, TensorError};

use super::by_hand::{ByHand, numbers};

/// The rows and the columns of the matrix.
pub const SIZE: usize = 4096;

/// The rows and the columns of a block: both matrices' parts of it lie in the first cache.
const BLOCK: usize = 32;

pub struct Transposed {
    matrix: Vec<f32>,
    transposed: Vec<f32>,
}

impl Transposed {
    pub fn new() -> Transposed {
        Transposed { matrix: numbers(SIZE * SIZE, 1), transposed: vec![0.0; SIZE * SIZE] }
    }
}

impl ByHand for Transposed {
    fn arguments(&self) -> Result<Vec<Tensor>, TensorError> {
        let shape = [SIZE as u64, SIZE as u64];
        Ok(vec![Tensor::from_slice(&shape, &self.matrix)?, Tensor::zeros(ElementType::F32, &shape)?])
    }

    fn compute(&mut self) {
        let matrix = &self.matrix;
        self.transposed.par_chunks_exact_mut(BLOCK * SIZE).enumerate().for_each(|(band, rows)| {
            for first in (0..SIZE).step_by(BLOCK) {
                for (number, row) in rows.chunks_exact_mut(SIZE).enumerate() {
                    let column = band * BLOCK + number;
                    for (place, to) in row[first..first + BLOCK].iter_mut().enumerate() {
                        *to = matrix[(first + place) * SIZE + column];
                    }
                }
            }
        });
    }

    fn results(&self) -> Result<Vec<Tensor>, TensorError> {
        Ok(vec![Tensor::from_slice(&[SIZE as u64, SIZE as u64], &self.transposed)?])
    }
}
