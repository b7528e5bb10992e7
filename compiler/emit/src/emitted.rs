//! An emitted kernel, and how it may be emitted.

use dims::{EvaluateError, Sym, Symbol};
use kernel::typed::ParamId;

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
