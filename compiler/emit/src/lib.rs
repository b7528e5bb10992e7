//! Typed kernels as CUDA C++.
//!
//! The text is meant to be read: it is what a careful CUDA programmer would have written, with the names of the source.
//! It needs no header, only NVRTC's own declarations, and it means exactly what the reference interpreter computes,
//! except that CUDA's own math functions (`expf` and its like) are a few units in the last place off the host's.
//! It must be compiled without contraction (`--fmad=false`), so that a product is rounded before something is added.
//! Its clusters are those of the text; a launch need not name them.
//!
//! Index arithmetic is done in 32 bits where the kernel's facts prove that every intermediate value fits, else in 64.
//! With [`IndexWidth::Checked`] it is done in 32 bits wherever that can be made to hold by a check of the sizes at
//! launch; [`Emitted::fits`] is that check.
//!
//! [`interop`] writes index maps as functions of CUDA C++, C and numpy and as layouts of CuTe.
//!
//! It uses `kernel` and what is below, and knows neither files nor diagnostics. Begin at [`cuda_with`].

mod barriers;
mod casts;
mod constants;
mod emitter;
mod expressions;
mod floats;
mod helpers;
pub(crate) mod integers;
pub mod interop;
pub(crate) mod names;
pub(crate) mod range;
mod reads;
mod reserved;
mod shared;
mod signature;
pub(crate) mod sizes;
mod statements;
pub(crate) mod text;
mod types;
pub(crate) mod value;
mod variables;
mod vectors;
mod visible;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use reads::Reads;

use dims::{EvaluateError, Sym, Symbol};
use kernel::typed::{Kernel, ParamId};

/// What NVRTC is to be told besides the architecture: no contraction of `a * b + c`, which would round once where the
/// language rounds twice.
pub const COMPILE_OPTIONS: [&str; 2] = ["--std=c++17", "--fmad=false"];

/// Which index arithmetic is done in 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IndexWidth {
    /// What fits for all sizes that the kernel's facts allow.
    #[default]
    Proven,
    /// What fits for the sizes that [`Emitted::fits`] accepts.
    Checked,
}

/// How a kernel is emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Which index arithmetic is done in 32 bits.
    pub width: IndexWidth,
    /// Whether each access is compared with its tensor's length. One outside is left out (a load gives 0) and counted.
    pub guarded: bool,
}

/// A kernel as CUDA C++.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitted {
    /// The text.
    pub source: String,
    /// The name of the kernel's function, declared `extern "C"`.
    pub entry: String,
    /// What the function takes, in order.
    pub parameters: Vec<Parameter>,
    /// Whether there is another text, of [`IndexWidth::Checked`], with more 32-bit indices.
    pub has_narrow_form: bool,
    /// Values that must fit in 32 bits with a sign for the text to be right; always empty for [`IndexWidth::Proven`].
    pub obligations: Vec<Sym>,
    /// Values that must fit in 64 bits with a sign for the text to be right.
    pub limits: Vec<Sym>,
    /// The dynamic shared memory that the launch must give each block, in bytes.
    pub dynamic_shared_bytes: u32,
}

/// A parameter of an emitted function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A parameter of the kernel: a tensor's address or a scalar's value.
    Param(ParamId),
    /// The value of a symbol.
    Size {
        /// The symbol.
        symbol: Symbol,
        /// Whether it is a `long long`; else it is an `int`.
        wide: bool,
    },
    /// The number of elements in the storage of a tensor, a `long long`; only guarded code takes it.
    Length(ParamId),
    /// The address of [`FAULTS_BYTES`] zero bytes in which guarded code counts: the number of accesses left out, the
    /// offset of one of them, the position of its tensor among the parameters; 64 bits each, the last one 32.
    Faults,
}

/// The size of what [`Parameter::Faults`] points to.
pub const FAULTS_BYTES: usize = 24;

impl Emitted {
    /// Whether the text is right for these sizes.
    pub fn fits(&self, sizes: &dyn Fn(&Symbol) -> Option<i64>) -> bool {
        self.obligations.iter().all(|obligation| {
            let value = obligation.evaluate(sizes);
            value.is_ok_and(|value| i32::try_from(value).is_ok())
        })
    }

    /// Whether no index leaves 64 bits with these sizes, which only sizes of tensors that no memory holds can do.
    pub fn is_in_range(&self, sizes: &dyn Fn(&Symbol) -> Option<i64>) -> bool {
        self.limits.iter().all(|limit| limit.evaluate(sizes) != Err(EvaluateError::Overflow))
    }
}

/// How many texts are written at most to find what can be left out. Each one finds what only the conditions need that
/// the one before left out.
const MOST_TEXTS: usize = 4;

/// The kernel as CUDA C++ that is right for all sizes that its facts allow.
pub fn cuda(kernel: &Kernel) -> Emitted {
    cuda_with(kernel, Options::default(), &|| {})
}

/// The kernel as CUDA C++ with these options. `poll` is called for each statement, and may unwind to cancel the work.
pub fn cuda_with(kernel: &Kernel, options: Options, poll: &dyn Fn()) -> Emitted {
    let mut left_out = BTreeSet::new();
    for _ in 0..MOST_TEXTS {
        let (emitted, needless) =
            emitter::Emitter::new(kernel, options, Reads::without(left_out.clone()), poll).finish();
        // Guarded code also counts the accesses whose values are not used.
        if options.guarded || needless == left_out {
            return emitted;
        }
        left_out = needless;
    }
    emitter::Emitter::new(kernel, options, Reads::without(left_out), poll).finish().0
}
