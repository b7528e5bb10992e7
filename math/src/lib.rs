//! Math functions of f32 and f64 with the same bits on every machine, for single numbers and slices.
//!
//! The approximations are this crate's own (`fit.py` computes their coefficients), and each is written once. It is
//! compiled for several instruction sets, and the first call of a function selects the best one for the processor
//! ([`forms`](mod@forms)). The error of each function is at most one unit in the last place, that of `tanh` and `erf`
//! two; results for zeros, infinities and subnormal numbers follow the C standard (annex F). A NaN result is always the
//! quiet NaN without sign or payload.
//!
//! Sums of products ([`Tile`]) are compiled for the same instruction sets, and have the same bits as well.
//!
//! Nothing here depends on the rest of the project. Begin with [`Function`], then see `forms.rs` for the forms of a
//! function, and `exponential.rs` for a function.

mod arc_tangent;
mod argument;
mod coefficients;
mod error_function;
mod exponential;
mod forms;
mod hyperbolic;
mod lanes;
mod logarithm;
mod power;
mod real;
mod root;
#[cfg(test)]
mod tests;
mod tiles;
mod trigonometric;

pub use forms::{BinaryStrip, Strip};
pub use lanes::{LANES, LaneKernels, LaneSums, Running, Totals, lane_kernels};
pub use tiles::{Tile, TileKernels, TileSums};

use forms::{Form, Kernels};

/// The functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The square root, correctly rounded.
    Sqrt,
    /// One divided by the square root.
    Rsqrt,
    /// e to the power of the argument.
    Exp,
    /// 2 to the power of the argument.
    Exp2,
    /// The natural logarithm.
    Log,
    /// The logarithm to base 2.
    Log2,
    /// The logarithm to base 10.
    Log10,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The tangent.
    Tan,
    /// The inverse of the tangent.
    Atan,
    /// The hyperbolic tangent.
    Tanh,
    /// The error function.
    Erf,
    /// The cube root.
    Cbrt,
}

/// The functions of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryFunction {
    /// The first argument to the power of the second one.
    Pow,
    /// The angle of the point whose height is the first argument, and whose distance to the right the second one.
    Atan2,
    /// The square root of the sum of the squares.
    Hypot,
}

/// A type with these functions: `f32` and `f64`.
pub trait Computed: Copy + 'static {
    #[doc(hidden)]
    fn kernels(form: &Form) -> &Kernels<Self>;
}

impl Computed for f32 {
    fn kernels(form: &Form) -> &Kernels<f32> {
        &form.f32
    }
}

impl Computed for f64 {
    fn kernels(form: &Form) -> &Kernels<f64> {
        &form.f64
    }
}

impl Function {
    /// All functions of one argument.
    pub const ALL: [Self; 14] = [
        Self::Sqrt,
        Self::Rsqrt,
        Self::Exp,
        Self::Exp2,
        Self::Log,
        Self::Log2,
        Self::Log10,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Atan,
        Self::Tanh,
        Self::Erf,
        Self::Cbrt,
    ];

    /// The value of the function.
    pub fn apply<R: Computed>(self, x: R) -> R {
        let kernel = &R::kernels(forms::fastest()).unary[self as usize];
        // SAFETY: the processor has the instructions of the form.
        unsafe { (kernel.one)(x) }
    }

    /// Replaces each number by its function value.
    pub fn replace<R: Computed>(self, values: &mut [R]) {
        // SAFETY: the processor has the instructions of the form, and the slice is borrowed mutably.
        unsafe { self.strip::<R>()(values.as_mut_ptr(), values.len()) }
    }

    /// The machine code that replaces numbers by their function values, for calls from other machine code.
    pub fn strip<R: Computed>(self) -> Strip<R> {
        R::kernels(forms::fastest()).unary[self as usize].strip
    }
}

impl BinaryFunction {
    /// All functions of two arguments.
    pub const ALL: [Self; 3] = [Self::Pow, Self::Atan2, Self::Hypot];

    /// The value of the function.
    pub fn apply<R: Computed>(self, x: R, y: R) -> R {
        // SAFETY: the processor has the instructions of the form.
        unsafe { (R::kernels(forms::fastest()).binary[self as usize].one)(x, y) }
    }

    /// The machine code that replaces first arguments by function values, for calls from other machine code.
    pub fn strip<R: Computed>(self) -> BinaryStrip<R> {
        R::kernels(forms::fastest()).binary[self as usize].strip
    }
}

/// The machine code that adds products to the sums of a tile, for calls from other machine code.
pub fn tile_kernels() -> &'static TileKernels {
    &forms::fastest().tiles
}
