//! Random kernels as source text whose threads work in collectives, share arrays, and wait where the compiler says.
//!
//! Many are accepted and many have a race: what a thread writes is mostly its own part of an array, and what it reads
//! mostly belongs to its team. The writer keeps the program beside the text, so that [`touches`] can say who accesses
//! what, and a refusal can be judged.

pub mod program;
mod scopes;
pub mod touches;
mod writer;

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::{Kernel, ParamKind};

use seeds::Draw;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{ElementType, Scalar, Tensor};

/// A file with one kernel.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Its text.
    pub text: String,
    /// How many blocks run it.
    pub blocks: i64,
    /// The blocks of a cluster.
    pub cluster: i64,
    /// The threads of a block.
    pub threads: i64,
    /// The tensors and shared arrays that its accesses name.
    pub memories: Vec<program::Memory>,
    /// What the threads of a block do.
    pub body: Vec<program::Node>,
}

/// The nest of a seed.
pub fn nest(seed: u64) -> Nest {
    writer::Writer::new(seed).write()
}

/// The nest of a seed in which all threads of a block exchange elements of one shared array, some times in turn.
pub fn exchange(seed: u64) -> Nest {
    writer::Writer::new(seed).exchange()
}

/// Sizes for a nest: `K`, where it has such a symbol, is this one.
pub fn sizes(kernel: &Kernel, trips: i64) -> BTreeMap<Symbol, i64> {
    kernel.symbols.iter().map(|symbol| (symbol.clone(), trips)).collect()
}

/// Arguments of small numbers; none of the tensors depends on a size.
pub fn arguments(kernel: &Kernel, seed: u64) -> Option<Vec<Argument>> {
    let mut draw = Draw::new(seed ^ 0xa5);
    let argument = |param: &kernel::typed::Param| {
        let element = ElementType::from_name(param.element.name())?;
        let mut small = || Scalar::from_f64(element, draw.between(-9, 99) as f64).ok();
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
