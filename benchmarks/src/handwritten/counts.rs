//! How often each byte occurs: each thread counts in bins of its own, which are added up in the end.

use rayon::prelude::*;
use shapewright_runtime::tensors::{Tensor, TensorError, random_bits};

use super::by_hand::ByHand;

/// The bytes that are counted.
pub const BYTES: usize = 64 << 20;

/// What a thread counts at a time.
const PART: usize = 1 << 20;

type Bins = [u32; 256];

pub struct Counts {
    bytes: Vec<u8>,
    bins: Bins,
}

impl Counts {
    pub fn new() -> Counts {
        let bytes = (0..BYTES).into_par_iter().map(|place| random_bits(1, place as u64) as u8).collect();
        Counts { bytes, bins: [0; 256] }
    }
}

impl ByHand for Counts {
    fn arguments(&self) -> Result<Vec<Tensor>, TensorError> {
        let shape = [BYTES as u64];
        Ok(vec![Tensor::from_slice(&shape, &self.bytes)?, Tensor::from_slice(&[256], &[0u32; 256])?])
    }

    fn compute(&mut self) {
        let counted = |mut bins: Bins, bytes: &[u8]| {
            bytes.iter().for_each(|byte| bins[usize::from(*byte)] += 1);
            bins
        };
        let joined = |mut bins: Bins, others: Bins| {
            bins.iter_mut().zip(others).for_each(|(bin, other)| *bin += other);
            bins
        };
        self.bins = self.bytes.par_chunks(PART).fold(|| [0; 256], counted).reduce(|| [0; 256], joined);
    }

    fn results(&self) -> Result<Vec<Tensor>, TensorError> {
        Ok(vec![Tensor::from_slice(&[256], &self.bins)?])
    }
}
