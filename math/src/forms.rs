//! The functions compiled for each instruction set, and the selection of a form.
//!
//! Each function is written once, for one number, without branches. Here it is called in a loop over [`LANES`] numbers,
//! inside functions that may use an instruction set, and the compiler vectorises the loop. It never contracts or
//! reorders float operations, so all forms give the same bits.

use std::sync::LazyLock;

use crate::real::Real;
use crate::tiles::{Fused, Rounded, TileKernels, Wrapping};
use crate::{arc_tangent, error_function, exponential, hyperbolic, logarithm, power, root, trigonometric};

/// The numbers that are computed together: a widest vector of f32.
const LANES: usize = 16;

/// The numbers that are searched for rare ones at a time, before they are computed.
const PIECE: usize = 16 * LANES;

/// Replaces `count` numbers by their function values.
///
/// # Safety
///
/// `count` numbers from `values` on can be read and written, and are not accessed otherwise during the call.
pub type Strip<R> = unsafe extern "C" fn(values: *mut R, count: usize);

/// Replaces `count` numbers by the values of a function of two arguments, of which they are the first ones.
///
/// # Safety
///
/// As for [`Strip`]; in addition, `count` numbers from `others` on can be read, and do not overlap the values.
pub type BinaryStrip<R> = unsafe extern "C" fn(values: *mut R, others: *const R, count: usize);

/// A function of one argument.
trait Unary {
    type Real: Real;
    /// Whether the function has rare numbers.
    const HAS_RARE: bool = false;
    /// The function value of a number that is not rare.
    fn apply(x: Self::Real) -> Self::Real;
    /// Whether a number is rare, which means that it needs another algorithm.
    #[inline(always)]
    fn is_rare(_: Self::Real) -> bool {
        false
    }
    /// The function value of a rare number.
    #[inline(always)]
    fn apply_to_rare(x: Self::Real) -> Self::Real {
        x
    }
    /// The function value of any number.
    #[inline(always)]
    fn apply_to_any(x: Self::Real) -> Self::Real {
        if Self::is_rare(x) { Self::apply_to_rare(x) } else { Self::apply(x) }
    }
}

/// A function of two arguments.
trait Binary {
    type Real: Real;
    fn apply(x: Self::Real, y: Self::Real) -> Self::Real;
}

/// Replaces numbers, whose count is a multiple of [`LANES`]. The count is not a compile-time constant, since the
/// compiler would then unroll the loop before it is vectorised.
#[inline(always)]
fn replace_whole<F: Unary>(values: &mut [F::Real]) {
    if !F::HAS_RARE {
        return values.iter_mut().for_each(|x| *x = F::apply(*x));
    }
    for piece in values.chunks_mut(PIECE) {
        let mut has_rare = false;
        for &mut x in &mut *piece {
            has_rare |= F::is_rare(x);
        }
        if has_rare {
            piece.iter_mut().for_each(|x| *x = F::apply_to_any(*x));
        } else {
            piece.iter_mut().for_each(|x| *x = F::apply(*x));
        }
    }
}

/// The same for two arguments.
#[inline(always)]
fn combine_whole<F: Binary>(values: &mut [F::Real], others: &[F::Real]) {
    for (x, &y) in values.iter_mut().zip(others) {
        *x = F::apply(*x, y);
    }
}

/// The count of numbers in complete groups of [`LANES`].
fn whole(count: usize) -> usize {
    count - count % LANES
}

/// The numbers after the complete groups, padded to [`LANES`].
fn filled_up<R: Real>(values: &[R]) -> [R; LANES] {
    let mut lanes = [R::ONE; LANES];
    lanes[..values.len()].copy_from_slice(values);
    lanes
}

/// Declares the types that implement functions.
macro_rules! functions {
    ($($function:ident $real:ident: $apply:expr $(, rare: $is_rare:expr => $apply_to_rare:expr)?;)*) => {$(
        struct $function;
        impl Unary for $function {
            type Real = $real;
            #[inline(always)]
            fn apply(x: $real) -> $real {
                $apply(x)
            }
            $(
                const HAS_RARE: bool = true;
                #[inline(always)]
                fn is_rare(x: $real) -> bool {
                    $is_rare(x)
                }
                #[inline(always)]
                fn apply_to_rare(x: $real) -> $real {
                    $apply_to_rare(x)
                }
            )?
        }
    )*};
}

/// Whether the absolute value of a number exceeds the limit, or the number is NaN.
#[inline(always)]
fn is_large<R: Real>(x: R, limit: R) -> bool {
    x.abs() >= limit || x.is_nan()
}

functions! {
    SqrtF32 f32: root::sqrt;
    SqrtF64 f64: root::sqrt;
    RsqrtF32 f32: root::rsqrt;
    RsqrtF64 f64: root::rsqrt;
    ExpF32 f32: exponential::exp;
    ExpF64 f64: exponential::exp;
    Exp2F32 f32: exponential::exp2;
    Exp2F64 f64: exponential::exp2;
    LogF32 f32: logarithm::log_f32;
    LogF64 f64: logarithm::log_f64;
    Log2F32 f32: logarithm::log2_f32;
    Log2F64 f64: logarithm::log2_f64;
    SinF32 f32: trigonometric::sin_f32,
        rare: |x| is_large(x, trigonometric::LIMIT as f32) => |x| trigonometric::sin_of_large(f64::from(x)) as f32;
    SinF64 f64: trigonometric::sin_f64, rare: |x| is_large(x, trigonometric::LIMIT) => trigonometric::sin_of_large;
    CosF32 f32: trigonometric::cos_f32,
        rare: |x| is_large(x, trigonometric::LIMIT as f32) => |x| trigonometric::cos_of_large(f64::from(x)) as f32;
    CosF64 f64: trigonometric::cos_f64, rare: |x| is_large(x, trigonometric::LIMIT) => trigonometric::cos_of_large;
    TanhF32 f32: hyperbolic::tanh;
    TanhF64 f64: hyperbolic::tanh;
    ErfF32 f32: error_function::erf;
    ErfF64 f64: error_function::erf;
    TanF32 f32: trigonometric::tan_f32,
        rare: |x| is_large(x, trigonometric::LIMIT as f32) => |x| trigonometric::tan_of_large(f64::from(x)) as f32;
    TanF64 f64: trigonometric::tan_f64, rare: |x| is_large(x, trigonometric::LIMIT) => trigonometric::tan_of_large;
    AtanF32 f32: arc_tangent::atan_f32;
    AtanF64 f64: arc_tangent::atan_f64;
    Log10F32 f32: logarithm::log10_f32;
    Log10F64 f64: logarithm::log10_f64;
    CbrtF32 f32: root::cbrt_f32;
    CbrtF64 f64: root::cbrt_f64;
}

/// Declares the types that implement functions of two arguments.
macro_rules! binary_functions {
    ($($function:ident $real:ident: $apply:expr;)*) => {$(
        struct $function;
        impl Binary for $function {
            type Real = $real;
            #[inline(always)]
            fn apply(x: $real, y: $real) -> $real {
                $apply(x, y)
            }
        }
    )*};
}

binary_functions! {
    PowF32 f32: power::pow_f32;
    PowF64 f64: power::pow_f64;
    Atan2F32 f32: arc_tangent::atan2_f32;
    Atan2F64 f64: arc_tangent::atan2_f64;
    HypotF32 f32: root::hypot_f32;
    HypotF64 f64: root::hypot_f64;
}

/// The machine code of a function of one argument: for a number, and for many.
#[derive(Clone, Copy)]
pub struct UnaryKernel<R> {
    pub one: unsafe fn(R) -> R,
    pub strip: Strip<R>,
}

/// The machine code of a function of two arguments.
#[derive(Clone, Copy)]
pub struct BinaryKernel<R> {
    pub one: unsafe fn(R, R) -> R,
    pub strip: BinaryStrip<R>,
}

/// The functions for one type, in the order of [`Function`](crate::Function) and [`BinaryFunction`](crate::BinaryFunction).
pub struct Kernels<R> {
    pub unary: [UnaryKernel<R>; crate::Function::ALL.len()],
    pub binary: [BinaryKernel<R>; crate::BinaryFunction::ALL.len()],
}

/// The functions for one instruction set.
pub struct Form {
    /// The name of the instruction set.
    pub name: &'static str,
    pub f32: Kernels<f32>,
    pub f64: Kernels<f64>,
    pub tiles: TileKernels,
}

macro_rules! form {
    ($static:ident, $module:ident, $name:literal, rows: $rows:literal, vectors: $vectors:literal $(, $feature:literal)?) => {
        mod $module {
            use super::{Binary, LANES, Unary, combine_whole, filled_up, replace_whole, whole};
            use crate::tiles::{Addition, Tile, add_products};

            /// # Safety
            ///
            /// The processor has the instructions of this form, and the argument is as for [`crate::TileSums`].
            $(#[target_feature(enable = $feature)])?
            pub unsafe extern "C" fn tile<A: Addition, const PANEL: usize, const LANES: usize, const WIDE: usize>(
                tile: *const Tile<A::Number>,
            ) {
                // SAFETY: the caller guarantees it.
                unsafe { add_products::<A, $rows, PANEL, LANES, WIDE>(&*tile) };
            }

            /// # Safety
            ///
            /// The processor has the instructions of this form.
            $(#[target_feature(enable = $feature)])?
            pub unsafe fn unary<F: Unary>(x: F::Real) -> F::Real {
                F::apply_to_any(x)
            }

            /// # Safety
            ///
            /// The processor has the instructions of this form.
            $(#[target_feature(enable = $feature)])?
            pub unsafe fn binary<F: Binary>(x: F::Real, y: F::Real) -> F::Real {
                F::apply(x, y)
            }

            /// # Safety
            ///
            /// The processor has the instructions of this form, and the arguments are as for [`super::Strip`].
            $(#[target_feature(enable = $feature)])?
            pub unsafe extern "C" fn unary_many<F: Unary>(values: *mut F::Real, count: usize) {
                // SAFETY: the caller guarantees it.
                let values = unsafe { std::slice::from_raw_parts_mut(values, count) };
                let (values, rest) = values.split_at_mut(whole(count));
                replace_whole::<F>(values);
                if !rest.is_empty() {
                    let mut lanes = filled_up(rest);
                    // SAFETY: the lanes are a local array.
                    unsafe { unary_many::<F>(lanes.as_mut_ptr(), LANES) };
                    rest.copy_from_slice(&lanes[..rest.len()]);
                }
            }

            /// # Safety
            ///
            /// The processor has the instructions of this form, and the arguments are as for [`super::BinaryStrip`].
            $(#[target_feature(enable = $feature)])?
            pub unsafe extern "C" fn binary_many<F: Binary>(values: *mut F::Real, others: *const F::Real, count: usize) {
                // SAFETY: the caller guarantees it.
                let (values, others) = unsafe {
                    (std::slice::from_raw_parts_mut(values, count), std::slice::from_raw_parts(others, count))
                };
                let (values, rest) = values.split_at_mut(whole(count));
                let (others, other_rest) = others.split_at(values.len());
                combine_whole::<F>(values, others);
                if !rest.is_empty() {
                    let (mut lanes, others) = (filled_up(rest), filled_up(other_rest));
                    // SAFETY: the lanes are a local array.
                    unsafe { binary_many::<F>(lanes.as_mut_ptr(), others.as_ptr(), LANES) };
                    rest.copy_from_slice(&lanes[..rest.len()]);
                }
            }
        }

        static $static: Form = Form {
            name: $name,
            f32: kernels!(
                $module,
                unary: SqrtF32 RsqrtF32 ExpF32 Exp2F32 LogF32 Log2F32 Log10F32 SinF32 CosF32 TanF32 AtanF32 TanhF32 ErfF32 CbrtF32,
                binary: PowF32 Atan2F32 HypotF32
            ),
            f64: kernels!(
                $module,
                unary: SqrtF64 RsqrtF64 ExpF64 Exp2F64 LogF64 Log2F64 Log10F64 SinF64 CosF64 TanF64 AtanF64 TanhF64 ErfF64 CbrtF64,
                binary: PowF64 Atan2F64 HypotF64
            ),
            tiles: TileKernels {
                f32: $module::tile::<Rounded<f32>, { $vectors * 16 }, 16, 256>,
                f64: $module::tile::<Rounded<f64>, { $vectors * 8 }, 8, 128>,
                fused_f32: $module::tile::<Fused<f32>, { $vectors * 16 }, 16, 256>,
                fused_f64: $module::tile::<Fused<f64>, { $vectors * 8 }, 8, 128>,
                i32: $module::tile::<Wrapping<i32>, { $vectors * 16 }, 16, 256>,
            },
        };
    };
}

macro_rules! kernels {
    ($module:ident, unary: $($function:ident)*, binary: $($binary:ident)*) => {
        Kernels {
            unary: [$(UnaryKernel {
                one: $module::unary::<$function>,
                strip: $module::unary_many::<$function>,
            }),*],
            binary: [$(BinaryKernel {
                one: $module::binary::<$binary>,
                strip: $module::binary_many::<$binary>,
            }),*],
        }
    };
}

// Every AArch64 processor has vectors and fused multiply-add, so the portable form uses both there. The rows, and the vectors
// of 64 bytes of sums in each, are as many as leave registers for the factors. With two such vectors, a left factor that is
// loaded serves both: with one, the loads take longer than the products.
form!(PORTABLE, portable, "portable", rows: 2, vectors: 1);
#[cfg(target_arch = "x86_64")]
form!(AVX2, avx2, "AVX2", rows: 4, vectors: 1, "avx2,fma");
#[cfg(target_arch = "x86_64")]
form!(AVX512, avx512, "AVX-512", rows: 8, vectors: 2, "avx512f,avx512dq,avx512vl,avx512bw");

/// The forms that this processor can run, the fastest one first.
pub fn available() -> Vec<&'static Form> {
    let mut forms = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let has_avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw");
        if has_avx2 && has_avx512 {
            forms.push(&AVX512);
        }
        if has_avx2 {
            forms.push(&AVX2);
        }
    }
    forms.push(&PORTABLE);
    forms
}

/// The fastest form that this processor can run.
pub fn fastest() -> &'static Form {
    static FASTEST: LazyLock<&'static Form> = LazyLock::new(|| available()[0]);
    &FASTEST
}
