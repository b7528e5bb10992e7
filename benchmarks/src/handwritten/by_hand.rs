//! What somebody writes by hand, and the numbers that it is given.

use shapewright_runtime::tensors::{Tensor, TensorError};

/// What somebody writes by hand.
pub(super) trait ByHand {
    /// What the kernel is called with that does the same: first what is read, then what is written.
    fn arguments(&self) -> Result<Vec<Tensor>, TensorError>;
    /// Computes it once.
    fn compute(&mut self);
    /// What was computed: the last arguments of the kernel.
    fn results(&self) -> Result<Vec<Tensor>, TensorError>;
}

/// Numbers between -1 and 1 that are the same each time.
pub(super) fn numbers(count: usize, seed: u64) -> Vec<f32> {
    use rayon::prelude::*;
    use shapewright_runtime::tensors::random_bits;
    (0..count)
        .into_par_iter()
        .map(|place| (random_bits(seed, place as u64) >> 40) as f32 / (1 << 23) as f32 - 1.0)
        .collect()
}
