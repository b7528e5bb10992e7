//! The functions compiled for each instruction set, and the choice between them.
//!
//! Each function is written once, for one number, without branches. Here it stands in a loop over [`LANES`] numbers, inside
//! functions that may use an instruction set; the compiler makes vectors of it. It never contracts or reorders operations on
//! floats, so all forms give the same bits.

use std::sync::LazyLock;

use crate::real::Real;
use crate::{error_function, exponential, hyperbolic, logarithm, power, root, trigonometric};

/// So many numbers are computed at once: those of the widest vector, for f32.
const LANES: usize = 16;

/// So many numbers are looked through for rare ones before they are computed.
const PIECE: usize = 16 * LANES;

/// Replaces `count` numbers by their function.
///
/// # Safety
///
/// `count` numbers from `values` on can be read and written, and nobody else looks at them meanwhile.
pub type Strip<R> = unsafe extern "C" fn(values: *mut R, count: usize);

/// Replaces `count` numbers by their powers.
///
/// # Safety
///
/// As of [`Strip`]; and `count` numbers from `exponents` on can be read, and are others than the values.
pub type PowerStrip<R> = unsafe extern "C" fn(values: *mut R, exponents: *const R, count: usize);

/// A function of one number.
trait Unary {
    type Real: Real;
    /// Whether some numbers are rare ones.
    const HAS_RARE: bool = false;
    /// The function of a number that is not rare.
    fn of(x: Self::Real) -> Self::Real;
    /// Whether the number is one of the rare ones that take another way.
    #[inline(always)]
    fn is_rare(_: Self::Real) -> bool {
        false
    }
    /// The function of a rare number.
    #[inline(always)]
    fn of_rare(x: Self::Real) -> Self::Real {
        x
    }
    /// The function of any number.
    #[inline(always)]
    fn of_any(x: Self::Real) -> Self::Real {
        if Self::is_rare(x) { Self::of_rare(x) } else { Self::of(x) }
    }
}

/// A function of two numbers.
trait Binary {
    type Real: Real;
    fn of(x: Self::Real, y: Self::Real) -> Self::Real;
}

/// Replaces numbers, of which there are a multiple of [`LANES`]. The number is not known when this is compiled, or else the
/// loop would be gone before vectors are made of it.
#[inline(always)]
fn replace_whole<F: Unary>(values: &mut [F::Real]) {
    if !F::HAS_RARE {
        return values.iter_mut().for_each(|x| *x = F::of(*x));
    }
    for piece in values.chunks_mut(PIECE) {
        let mut has_rare = false;
        for &mut x in &mut *piece {
            has_rare |= F::is_rare(x);
        }
        if has_rare {
            piece.iter_mut().for_each(|x| *x = F::of_any(*x));
        } else {
            piece.iter_mut().for_each(|x| *x = F::of(*x));
        }
    }
}

/// The same of two numbers.
#[inline(always)]
fn combine_whole<F: Binary>(values: &mut [F::Real], others: &[F::Real]) {
    for (x, &y) in values.iter_mut().zip(others) {
        *x = F::of(*x, y);
    }
}

/// How many numbers the whole lanes of a slice have.
fn whole(count: usize) -> usize {
    count - count % LANES
}

/// The numbers behind the whole lanes, filled up.
fn filled_up<R: Real>(values: &[R]) -> [R; LANES] {
    let mut lanes = [R::ONE; LANES];
    lanes[..values.len()].copy_from_slice(values);
    lanes
}

/// The types that stand for functions.
macro_rules! functions {
    ($($function:ident $real:ident: $of:expr $(, rare: $is_rare:expr => $of_rare:expr)?;)*) => {$(
        struct $function;
        impl Unary for $function {
            type Real = $real;
            #[inline(always)]
            fn of(x: $real) -> $real {
                $of(x)
            }
            $(
                const HAS_RARE: bool = true;
                #[inline(always)]
                fn is_rare(x: $real) -> bool {
                    $is_rare(x)
                }
                #[inline(always)]
                fn of_rare(x: $real) -> $real {
                    $of_rare(x)
                }
            )?
        }
    )*};
}

/// Whether a number is beyond the limit, or none.
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
}

struct PowF32;
impl Binary for PowF32 {
    type Real = f32;
    #[inline(always)]
    fn of(x: f32, y: f32) -> f32 {
        power::pow_f32(x, y)
    }
}

struct PowF64;
impl Binary for PowF64 {
    type Real = f64;
    #[inline(always)]
    fn of(x: f64, y: f64) -> f64 {
        power::pow_f64(x, y)
    }
}

/// A function of one number: of a single one, and of many.
#[derive(Clone, Copy)]
pub struct UnaryKernel<R> {
    pub one: unsafe fn(R) -> R,
    pub strip: Strip<R>,
}

/// The same of two numbers.
#[derive(Clone, Copy)]
pub struct BinaryKernel<R> {
    pub one: unsafe fn(R, R) -> R,
    pub strip: PowerStrip<R>,
}

/// The functions of one type, in the order of [`Function`](crate::Function).
pub struct Kernels<R> {
    pub unary: [UnaryKernel<R>; 10],
    pub pow: BinaryKernel<R>,
}

/// The functions for one instruction set.
pub struct Form {
    /// What it is called.
    pub name: &'static str,
    pub f32: Kernels<f32>,
    pub f64: Kernels<f64>,
}

macro_rules! form {
    ($static:ident, $module:ident, $name:literal $(, $feature:literal)?) => {
        mod $module {
            use super::{Binary, LANES, Unary, combine_whole, filled_up, replace_whole, whole};

            /// # Safety
            ///
            /// The processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub unsafe fn unary<F: Unary>(x: F::Real) -> F::Real {
                F::of_any(x)
            }

            /// # Safety
            ///
            /// The processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub unsafe fn binary<F: Binary>(x: F::Real, y: F::Real) -> F::Real {
                F::of(x, y)
            }

            /// # Safety
            ///
            /// The processor has the instructions; and as of [`super::Strip`].
            $(#[target_feature(enable = $feature)])?
            pub unsafe extern "C" fn unary_many<F: Unary>(values: *mut F::Real, count: usize) {
                // SAFETY: the caller says so.
                let values = unsafe { std::slice::from_raw_parts_mut(values, count) };
                let (values, rest) = values.split_at_mut(whole(count));
                replace_whole::<F>(values);
                if !rest.is_empty() {
                    let mut lanes = filled_up(rest);
                    // SAFETY: the lanes are this function's own.
                    unsafe { unary_many::<F>(lanes.as_mut_ptr(), LANES) };
                    rest.copy_from_slice(&lanes[..rest.len()]);
                }
            }

            /// # Safety
            ///
            /// The processor has the instructions; and as of [`super::PowerStrip`].
            $(#[target_feature(enable = $feature)])?
            pub unsafe extern "C" fn binary_many<F: Binary>(values: *mut F::Real, others: *const F::Real, count: usize) {
                // SAFETY: the caller says so.
                let (values, others) = unsafe {
                    (std::slice::from_raw_parts_mut(values, count), std::slice::from_raw_parts(others, count))
                };
                let (values, rest) = values.split_at_mut(whole(count));
                let (others, other_rest) = others.split_at(values.len());
                combine_whole::<F>(values, others);
                if !rest.is_empty() {
                    let (mut lanes, others) = (filled_up(rest), filled_up(other_rest));
                    // SAFETY: the lanes are this function's own.
                    unsafe { binary_many::<F>(lanes.as_mut_ptr(), others.as_ptr(), LANES) };
                    rest.copy_from_slice(&lanes[..rest.len()]);
                }
            }
        }

        static $static: Form = Form {
            name: $name,
            f32: kernels!($module, PowF32, SqrtF32 RsqrtF32 ExpF32 Exp2F32 LogF32 Log2F32 SinF32 CosF32 TanhF32 ErfF32),
            f64: kernels!($module, PowF64, SqrtF64 RsqrtF64 ExpF64 Exp2F64 LogF64 Log2F64 SinF64 CosF64 TanhF64 ErfF64),
        };
    };
}

macro_rules! kernels {
    ($module:ident, $pow:ident, $($function:ident)*) => {
        Kernels {
            unary: [$(UnaryKernel {
                one: $module::unary::<$function>,
                strip: $module::unary_many::<$function>,
            }),*],
            pow: BinaryKernel { one: $module::binary::<$pow>, strip: $module::binary_many::<$pow> },
        }
    };
}

// Of AArch64 every processor has vectors and fused multiply-add, so there the portable form uses both.
form!(PORTABLE, portable, "portable");
#[cfg(target_arch = "x86_64")]
form!(AVX2, avx2, "AVX2", "avx2,fma");
#[cfg(target_arch = "x86_64")]
form!(AVX512, avx512, "AVX-512", "avx512f,avx512dq,avx512vl,avx512bw");

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
