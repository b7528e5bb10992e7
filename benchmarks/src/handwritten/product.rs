//! A product of matrices without a library: sums in registers, slices of the right factor side by side, bands of rows on all
//! cores.

use rayon::prelude::*;
use shapewright_runtime::tensors::{ElementType, Tensor, TensorError};

use super::by_hand::{ByHand, numbers};

/// The rows and columns of all matrices.
pub const SIZE: usize = 1024;

/// The rows and columns of the sums in registers, and the products that are added up at a time.
const ROWS: usize = 8;
const COLUMNS: usize = 32;
const DEPTH: usize = 256;
/// The rows of a band.
const BAND: usize = 128;

pub struct Product {
    left: Vec<f32>,
    right: Vec<f32>,
    product: Vec<f32>,
}

impl Product {
    pub fn new() -> Product {
        let all = SIZE * SIZE;
        Product { left: numbers(all, 6), right: numbers(all, 7), product: vec![0.0; all] }
    }
}

impl ByHand for Product {
    fn arguments(&self) -> Result<Vec<Tensor>, TensorError> {
        let shape = [SIZE as u64; 2];
        let [left, right] = [&self.left, &self.right].map(|factor| Tensor::from_slice(&shape, factor));
        Ok(vec![left?, right?, Tensor::zeros(ElementType::F32, &shape)?])
    }

    fn compute(&mut self) {
        let right = &self.right;
        let bands = self.product.par_chunks_exact_mut(BAND * SIZE).zip(self.left.par_chunks_exact(BAND * SIZE));
        bands.for_each(|(product, left)| band(product, left, right));
    }

    fn results(&self) -> Result<Vec<Tensor>, TensorError> {
        Ok(vec![Tensor::from_slice(&[SIZE as u64; 2], &self.product)?])
    }
}

/// A band of rows, with the widest vectors of the machine.
fn band(product: &mut [f32], left: &[f32], right: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has these instructions.
            return unsafe { band_of_avx512(product, left, right) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            return unsafe { band_of_avx2(product, left, right) };
        }
    }
    band_of_any(product, left, right);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn band_of_avx512(product: &mut [f32], left: &[f32], right: &[f32]) {
    band_of_any(product, left, right);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn band_of_avx2(product: &mut [f32], left: &[f32], right: &[f32]) {
    band_of_any(product, left, right);
}

#[inline(always)]
fn band_of_any(product: &mut [f32], left: &[f32], right: &[f32]) {
    product.fill(0.0);
    let mut slice = [[0.0; COLUMNS]; DEPTH];
    for depth in (0..SIZE).step_by(DEPTH) {
        for column in (0..SIZE).step_by(COLUMNS) {
            for (place, numbers) in slice.iter_mut().enumerate() {
                numbers.copy_from_slice(&right[(depth + place) * SIZE + column..][..COLUMNS]);
            }
            for row in (0..BAND).step_by(ROWS) {
                let mut sums: [[f32; COLUMNS]; ROWS] = [[0.0; COLUMNS]; ROWS];
                let left: [&[f32]; ROWS] = std::array::from_fn(|own| &left[(row + own) * SIZE + depth..][..DEPTH]);
                for (place, numbers) in slice.iter().enumerate() {
                    for (sums, left) in sums.iter_mut().zip(left) {
                        for (sum, number) in sums.iter_mut().zip(numbers) {
                            *sum += left[place] * number;
                        }
                    }
                }
                for (own, sums) in sums.iter().enumerate() {
                    let to = &mut product[(row + own) * SIZE + column..][..COLUMNS];
                    to.iter_mut().zip(sums).for_each(|(to, sum)| *to += sum);
                }
            }
        }
    }
}
