//! Random kernels whose threads exchange values, as source text, with what a model says of them that knows nothing of the
//! compiler: it executes each statement for all threads at once.

mod meaning;
mod program;

use std::collections::BTreeMap;

use seeds::Draw;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{ElementType, Scalar, Tensor};

use program::Nest;

/// The blocks of a launch.
const BLOCKS: usize = 2;

/// A random kernel, with what it runs on and what the model says of it.
pub struct Exchanges {
    /// A file with one kernel, whose parameters are the tensor `x`, the number `n` and the tensor `y`.
    pub text: String,
    element: ElementType,
    threads: usize,
    x: Vec<i128>,
    n: i64,
    /// What `y` holds afterwards.
    pub expected: Tensor,
}

impl Exchanges {
    /// The kernel of a seed.
    pub fn new(seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let nest = Nest::new(&mut draw);
        let (element, threads) = (nest.element, nest.threads);
        let x: Vec<i128> =
            (0..BLOCKS * threads).map(|_| meaning::wrapped(i128::from(draw.between(-99, 99)), element)).collect();
        let n = draw.between(0, 3);
        let mut stored = vec![0; BLOCKS * threads];
        for block in 0..BLOCKS {
            let own = block * threads..(block + 1) * threads;
            stored[own.clone()].copy_from_slice(&meaning::of_block(&nest, &x[own], n));
        }
        let expected = tensor(element, threads, &stored);
        Self { text: nest.text(BLOCKS), element, threads, x, n, expected }
    }

    /// The arguments on which it runs, in the order of its parameters.
    pub fn arguments(&self) -> Vec<Argument> {
        let zeros = vec![0; self.x.len()];
        vec![
            Argument::Tensor(tensor(self.element, self.threads, &self.x)),
            Argument::Scalar(Scalar::I64(self.n)),
            Argument::Tensor(tensor(self.element, self.threads, &zeros)),
        ]
    }

    /// Its sizes: none.
    pub fn sizes(&self) -> BTreeMap<dims::Symbol, i64> {
        BTreeMap::new()
    }
}

fn tensor(element: ElementType, threads: usize, values: &[i128]) -> Tensor {
    let mut made = Tensor::zeros(element, &[BLOCKS as u64, threads as u64]).expect("a small tensor");
    for (place, value) in values.iter().enumerate() {
        let value = Scalar::from_i128(element, *value).expect("a value of the type");
        made.set_at(place, value).expect("a place inside");
    }
    made
}
