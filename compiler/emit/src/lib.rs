//! Emits typed kernels as CUDA C++.
//!
//! The text is meant to be read: it looks like code by a careful CUDA programmer, with the names of the source. It
//! needs no header, only NVRTC's own declarations, and computes exactly the results of the reference interpreter,
//! except that CUDA's math functions (such as `expf`) differ from the host's by a few units in the last place. It has
//! to be compiled without contraction (`--fmad=false`), so that a product is rounded before an addition. The text
//! declares its clusters, so a launch need not set them.
//!
//! Index arithmetic uses 32 bits if the kernel's facts prove that every intermediate value fits, otherwise 64. With
//! [`IndexWidth::Checked`] it uses 32 bits wherever a check of the sizes at launch can guarantee that;
//! [`Emitted::fits`] is that check.
//!
//! [`interop`] writes index maps as functions of CUDA C++, C and numpy and as layouts of CuTe.
//!
//! It uses `kernel` and the crates below, and knows neither files nor diagnostics. Begin at [`cuda_with`].

mod atomics;
mod barriers;
mod branches;
mod casts;
mod constants;
mod copies;
mod emitter;
mod expressions;
mod floats;
mod helpers;
pub(crate) mod integers;
pub mod interop;
mod looping;
pub(crate) mod names;
pub(crate) mod range;
mod reads;
mod reserved;
mod shared;
mod shuffles;
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

/// The compiler options of NVRTC besides the architecture. They disable contraction of `a * b + c`, which would round
/// once where the language rounds twice.
pub const COMPILE_OPTIONS: [&str; 2] = ["--std=c++17", "--fmad=false"];

/// The index arithmetic that uses 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IndexWidth {
    /// Arithmetic that fits for all sizes that the kernel's facts allow.
    #[default]
    Proven,
    /// Arithmetic that fits for the sizes that [`Emitted::fits`] accepts.
    Checked,
}

/// How a kernel is emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// The index arithmetic that uses 32 bits.
    pub width: IndexWidth,
    /// Whether each access is compared with its tensor's length. An access outside is skipped (a load gives 0) and
    /// counted.
    pub guarded: bool,
}

/// A kernel as CUDA C++.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitted {
    /// The text.
    pub source: String,
    /// The name of the kernel's function, declared `extern "C"`.
    pub entry: String,
    /// The parameters of the function, in order.
    pub parameters: Vec<Parameter>,
    /// Whether [`IndexWidth::Checked`] gives another text with more 32-bit indices.
    pub has_narrow_form: bool,
    /// Values that have to fit signed 32-bit integers for the text to be correct; always empty for
    /// [`IndexWidth::Proven`].
    pub obligations: Vec<Sym>,
    /// Values that have to fit signed 64-bit integers for the text to be correct.
    pub limits: Vec<Sym>,
    /// The bytes of dynamic shared memory that the launch has to pass.
    pub dynamic_shared_bytes: Sym,
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
        /// Whether it is a `long long` rather than an `int`.
        wide: bool,
    },
    /// The number of elements in a tensor's storage, a `long long`; only for guarded code.
    Length(ParamId),
    /// The address of [`FAULTS_BYTES`] zero bytes for the faults of guarded code: the number of skipped accesses and
    /// the offset of one of them, 64 bits each, then the position of its tensor among the parameters, 32 bits.
    Faults,
}

/// The bytes at the address in [`Parameter::Faults`].
pub const FAULTS_BYTES: usize = 24;

impl Emitted {
    /// Whether the text is correct for these sizes.
    pub fn fits(&self, sizes: &dyn Fn(&Symbol) -> Option<i64>) -> bool {
        self.obligations.iter().all(|obligation| {
            let value = obligation.evaluate(sizes);
            value.is_ok_and(|value| i32::try_from(value).is_ok())
        })
    }

    /// Whether all indices fit 64 bits with these sizes, which holds for all tensors that fit in memory.
    pub fn is_in_range(&self, sizes: &dyn Fn(&Symbol) -> Option<i64>) -> bool {
        self.limits.iter().all(|limit| limit.evaluate(sizes) != Err(EvaluateError::Overflow))
    }
}

/// The most times that a kernel is emitted to find unused names. A name that only unused declarations need becomes
/// unused in the next text.
const MOST_TEXTS: usize = 4;

/// Emits a kernel as CUDA C++ that is correct for all sizes that its facts allow.
pub fn cuda(kernel: &Kernel) -> Emitted {
    cuda_with(kernel, Options::default(), &|| {})
}

/// Emits a kernel as CUDA C++ with these options. `poll` is called for each statement, and may unwind to cancel the work.
pub fn cuda_with(kernel: &Kernel, options: Options, poll: &dyn Fn()) -> Emitted {
    let kernel = &*kernel::distributed(kernel, poll);
    let mut left_out = BTreeSet::new();
    for _ in 0..MOST_TEXTS {
        let (emitted, needless) =
            emitter::Emitter::new(kernel, options, Reads::without(left_out.clone()), poll).finish();
        // Guarded code also counts accesses whose values are not used.
        if options.guarded || needless == left_out {
            return emitted;
        }
        left_out = needless;
    }
    emitter::Emitter::new(kernel, options, Reads::without(left_out), poll).finish().0
}
