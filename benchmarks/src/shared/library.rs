//! Products of matrices by a library in the same process.

use std::time::{Duration, Instant};

/// The factors and the product of two square matrices of `f32`, in rows.
pub struct Factors {
    size: usize,
    left: Vec<f32>,
    right: Vec<f32>,
    product: Vec<f32>,
}

impl Factors {
    /// Matrices of this many rows and columns.
    pub fn new(size: u64) -> Factors {
        let size = size as usize;
        let numbers = |step: usize| (0..size * size).map(|place| (place * step % 17) as f32 / 17.0).collect();
        Factors { size, left: numbers(3), right: numbers(5), product: vec![0.0; size * size] }
    }

    /// The time of one product.
    pub fn multiply(&mut self) -> Duration {
        let Factors { size, left, right, product } = self;
        let (size, row, column) = (*size, *size as isize, 1);
        let started = Instant::now();
        // SAFETY: all three matrices have `size` rows of `size` numbers, and the product overlaps no factor.
        unsafe {
            gemm::gemm(
                size,
                size,
                size,
                product.as_mut_ptr(),
                column,
                row,
                false,
                left.as_ptr(),
                column,
                row,
                right.as_ptr(),
                column,
                row,
                0.0,
                1.0,
                false,
                false,
                false,
                gemm::Parallelism::Rayon(0),
            );
        }
        started.elapsed()
    }
}
