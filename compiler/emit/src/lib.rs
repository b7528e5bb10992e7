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

mod arrays;
mod atomics;
mod barriers;
mod bits;
mod branches;
mod casts;
mod constants;
mod copies;
mod emitted;
mod emitter;
mod expressions;
mod finish;
mod floats;
mod helper;
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

use kernel::typed::Kernel;

pub use emitted::{Emitted, FAULTS_BYTES, IndexWidth, Options, Parameter};

/// The compiler options of NVRTC besides the architecture. They disable contraction of `a * b + c`, which would round
/// once where the language rounds twice.
pub const COMPILE_OPTIONS: [&str; 2] = ["--std=c++17", "--fmad=false"];

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
