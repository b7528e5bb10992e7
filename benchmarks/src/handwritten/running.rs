//! Running sums and sums of parts of an array, the parts on all cores.

use rayon::prelude::*;
use shapewright_runtime::tensors::{ElementType, Tensor, TensorError};

use super::by_hand::{ByHand, numbers};

/// The numbers that are added up.
pub const NUMBERS: usize = 64 << 20;

/// The numbers of a part.
const PART: usize = 256;

/// The fewest parts for which another thread is worth while.
const TOGETHER: usize = 256;

/// The running sum of each part, and its total.
pub struct Running {
    numbers: Vec<f32>,
    sums: Vec<f32>,
    totals: Vec<f32>,
}

impl Running {
    pub fn new() -> Running {
        Running { numbers: numbers(NUMBERS, 1), sums: vec![0.0; NUMBERS], totals: vec![0.0; NUMBERS / PART] }
    }
}

impl ByHand for Running {
    fn arguments(&self) -> Result<Vec<Tensor>, TensorError> {
        let numbers = Tensor::from_slice(&[NUMBERS as u64], &self.numbers)?;
        let sums = Tensor::zeros(ElementType::F32, &[NUMBERS as u64])?;
        Ok(vec![numbers, sums, Tensor::zeros(ElementType::F32, &[(NUMBERS / PART) as u64])?])
    }

    fn compute(&mut self) {
        let parts = self.sums.par_chunks_exact_mut(PART).zip(self.numbers.par_chunks_exact(PART));
        parts.zip(&mut self.totals).with_min_len(TOGETHER).for_each(|((sums, numbers), total)| {
            let mut sum = 0.0;
            for (to, number) in sums.iter_mut().zip(numbers) {
                sum += number;
                *to = sum;
            }
            *total = sum;
        });
    }

    fn results(&self) -> Result<Vec<Tensor>, TensorError> {
        let sums = Tensor::from_slice(&[NUMBERS as u64], &self.sums)?;
        Ok(vec![sums, Tensor::from_slice(&[(NUMBERS / PART) as u64], &self.totals)?])
    }
}

/// The total of each part.
pub struct Totals {
    numbers: Vec<f32>,
    totals: Vec<f32>,
}

/// The chains in which a total is added up, so that the compiler makes vectors of them.
const CHAINS: usize = 32;

impl Totals {
    pub fn new() -> Totals {
        Totals { numbers: numbers(NUMBERS, 1), totals: vec![0.0; NUMBERS / PART] }
    }
}

impl ByHand for Totals {
    fn arguments(&self) -> Result<Vec<Tensor>, TensorError> {
        let numbers = Tensor::from_slice(&[NUMBERS as u64], &self.numbers)?;
        Ok(vec![numbers, Tensor::zeros(ElementType::F32, &[(NUMBERS / PART) as u64])?])
    }

    fn compute(&mut self) {
        let parts = self.numbers.par_chunks_exact(PART).zip(&mut self.totals).with_min_len(TOGETHER);
        parts.for_each(|(numbers, total)| {
            let mut chains = [0.0; CHAINS];
            for numbers in numbers.chunks_exact(CHAINS) {
                chains.iter_mut().zip(numbers).for_each(|(chain, number)| *chain += number);
            }
            *total = chains.iter().sum();
        });
    }

    fn results(&self) -> Result<Vec<Tensor>, TensorError> {
        Ok(vec![Tensor::from_slice(&[(NUMBERS / PART) as u64], &self.totals)?])
    }
}
