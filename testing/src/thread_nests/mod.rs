//! Random kernels as source text with collectives, shared arrays and barriers that the compiler places.
//!
//! Many are accepted and many have a race: a thread mostly writes its own part of an array, and mostly reads parts of
//! its team. The program is available beside the text, so that [`touches`] can determine the accesses of each thread,
//! which tells whether a refusal is right.

pub mod program;
mod scopes;
mod shortened;
pub mod touches;
mod writer;

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::{Kernel, ParamKind};

use seeds::Draw;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{ElementType, Scalar, Tensor};

pub use shortened::shortened;

/// A file with one kernel.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Its text.
    pub text: String,
    /// The number of blocks.
    pub blocks: i64,
    /// The number of blocks in a cluster.
    pub cluster: i64,
    /// The number of threads in a block.
    pub threads: i64,
    /// The tensors and shared arrays that its accesses refer to.
    pub memories: Vec<program::Memory>,
    /// The program of a block.
    pub body: Vec<program::Node>,
}

/// The nest for a seed.
pub fn nest(seed: u64) -> Nest {
    writer::Writer::new(seed).write()
}

/// The nest for a seed in which all threads of a block repeatedly exchange elements of one shared array.
pub fn exchange(seed: u64) -> Nest {
    writer::Writer::new(seed).exchange()
}

/// The same of two threads, a million times: few enough statements for every executor to run them all.
pub fn long_exchange(seed: u64) -> Nest {
    writer::Writer::new(seed).long_exchange()
}

/// The sizes of a nest: `trips` for `K`, if it has that symbol.
pub fn sizes(kernel: &Kernel, trips: i64) -> BTreeMap<Symbol, i64> {
    kernel.symbols.iter().map(|symbol| (symbol.clone(), trips)).collect()
}

/// Arguments of small numbers; no shape of a tensor depends on a size.
pub fn arguments(kernel: &Kernel, seed: u64) -> Option<Vec<Argument>> {
    let mut draw = Draw::new(seed ^ 0xa5);
    let argument = |param: &kernel::typed::Param| {
        let element = ElementType::from_name(param.element.name())?;
        let least = if element.is_signed() { -9 } else { 0 };
        let mut small = || Scalar::from_f64(element, draw.between(least, 99) as f64).ok();
        let ParamKind::Tensor { shape, .. } = &param.kind else { return Some(Argument::Scalar(small()?)) };
        let extents = shape.iter().map(|extent| u64::try_from(extent.as_constant()?).ok());
        let mut tensor = Tensor::zeros(element, &extents.collect::<Option<Vec<u64>>>()?).ok()?;
        for place in 0..tensor.storage_len() {
            tensor.set_at(place, small()?).ok()?;
        }
        Some(Argument::Tensor(tensor))
    };
    kernel.params.iter().map(argument).collect()
}
