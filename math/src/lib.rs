//! Math functions of f32 and f64 that give the same bits on every machine, of one number and of many.
//!
//! The approximations are this crate's own (`fit.py` computes their coefficients), and each is written once. It is compiled
//! for several instruction sets, of which the best one that the processor has is chosen when the first function is called
//! ([`forms`](mod@forms)). No function is more than one unit in the last place off the exact result, `tanh` and `erf` not more
//! than two; zeros, infinities and subnormal numbers are what C's standard says (annex F). Where the result is no number it is
//! the quiet NaN without a sign or a payload.
//!
//! Nothing here depends on the rest of the project. Begin with [`Function`], then see `forms.rs` for how a function gets its
//! forms, and `exponential.rs` for a function.

mod argument;
mod coefficients;
mod error_function;
mod exponential;
mod forms;
mod hyperbolic;
mod logarithm;
mod power;
mod real;
mod root;
#[cfg(test)]
mod tests;
mod trigonometric;

pub use forms::{PowerStrip, Strip};

use forms::{Form, Kernels};

/// The functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The square root, correctly rounded.
    Sqrt,
    /// One divided by the square root.
    Rsqrt,
    /// e to the power of the number.
    Exp,
    /// 2 to the power of the number.
    Exp2,
    /// The natural logarithm.
    Log,
    /// The logarithm to base 2.
    Log2,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The hyperbolic tangent.
    Tanh,
    /// The error function.
    Erf,
}

/// A type that the functions are there for: `f32` and `f64`.
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
    /// Every function of one number.
    pub const ALL: [Self; 10] = [
        Self::Sqrt,
        Self::Rsqrt,
        Self::Exp,
        Self::Exp2,
        Self::Log,
        Self::Log2,
        Self::Sin,
        Self::Cos,
        Self::Tanh,
        Self::Erf,
    ];

    /// The function of a number.
    pub fn of<R: Computed>(self, x: R) -> R {
        let kernel = &R::kernels(forms::fastest()).unary[self as usize];
        // SAFETY: the processor has the instructions of the form.
        unsafe { (kernel.one)(x) }
    }

    /// Replaces each number by its function.
    pub fn replace<R: Computed>(self, values: &mut [R]) {
        // SAFETY: the processor has the instructions of the form, and the slice is borrowed mutably.
        unsafe { self.strip::<R>()(values.as_mut_ptr(), values.len()) }
    }

    /// The machine code that replaces numbers by their function, for other machine code to call.
    pub fn strip<R: Computed>(self) -> Strip<R> {
        R::kernels(forms::fastest()).unary[self as usize].strip
    }
}

/// `x` to the power of `y`.
pub fn pow<R: Computed>(x: R, y: R) -> R {
    // SAFETY: the processor has the instructions of the form.
    unsafe { (R::kernels(forms::fastest()).pow.one)(x, y) }
}

/// Replaces each number by its power; for as many as there are of both.
pub fn replace_by_powers<R: Computed>(values: &mut [R], exponents: &[R]) {
    let count = values.len().min(exponents.len());
    // SAFETY: the processor has the instructions of the form, both slices have as many numbers, and one is borrowed mutably,
    // so they do not overlap.
    unsafe { pow_strip::<R>()(values.as_mut_ptr(), exponents.as_ptr(), count) }
}

/// The machine code that replaces numbers by their powers, for other machine code to call.
pub fn pow_strip<R: Computed>() -> PowerStrip<R> {
    R::kernels(forms::fastest()).pow.strip
}
