//! Rust functions that compiled code calls for what the processor has no instruction for.
//!
//! They are the very functions that the interpreter uses, so both give the same bits.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};

use kernel::typed::MathFunction;

use crate::interpreter::arithmetic::Real;

/// A function of f32 or f64 with its number of arguments.
#[derive(Clone, Copy)]
pub struct RealHelper {
    /// For f32.
    pub single: *const u8,
    /// For f64.
    pub double: *const u8,
    /// How many arguments it takes.
    pub arguments: usize,
}

macro_rules! helpers {
    ($($name:ident($($operand:ident),*) => $body:expr;)*) => {$(
        extern "C" fn $name<T: Real>($($operand: T),*) -> T {
            $body
        }
    )*};
}

helpers! {
    rsqrt(value) => math::Function::Rsqrt.of(value);
    exp(value) => math::Function::Exp.of(value);
    exp2(value) => math::Function::Exp2.of(value);
    log(value) => math::Function::Log.of(value);
    log2(value) => math::Function::Log2.of(value);
    sin(value) => math::Function::Sin.of(value);
    cos(value) => math::Function::Cos.of(value);
    tanh(value) => math::Function::Tanh.of(value);
    floor(value) => value.floor();
    ceil(value) => value.ceil();
    round(value) => value.round_ties_even();
    pow(value, exponent) => math::pow(value, exponent);
    fma(value, factor, summand) => value.mul_add(factor, summand);
    fmod(left, right) => left % right;
}

macro_rules! helper {
    ($name:ident, $arguments:literal) => {
        RealHelper { single: $name::<f32> as *const u8, double: $name::<f64> as *const u8, arguments: $arguments }
    };
}

/// The helper of a math function; `None` for those that are always instructions.
pub fn math(function: MathFunction) -> Option<RealHelper> {
    Some(match function {
        MathFunction::Abs | MathFunction::Min | MathFunction::Max | MathFunction::Sqrt => return None,
        MathFunction::Rsqrt => helper!(rsqrt, 1),
        MathFunction::Exp => helper!(exp, 1),
        MathFunction::Exp2 => helper!(exp2, 1),
        MathFunction::Log => helper!(log, 1),
        MathFunction::Log2 => helper!(log2, 1),
        MathFunction::Sin => helper!(sin, 1),
        MathFunction::Cos => helper!(cos, 1),
        MathFunction::Tanh => helper!(tanh, 1),
        MathFunction::Floor => helper!(floor, 1),
        MathFunction::Ceil => helper!(ceil, 1),
        MathFunction::Round => helper!(round, 1),
        MathFunction::Pow => helper!(pow, 2),
        MathFunction::Fma => helper!(fma, 3),
    })
}

/// The machine code that computes a math function of many values: it takes the addresses of the operands in memory, which
/// stand one behind the other, and how many there are of each, and leaves the results where the first ones were.
pub fn math_of_many(function: MathFunction) -> Option<RealHelper> {
    let unary = match function {
        MathFunction::Pow => {
            let (single, double) = (math::pow_strip::<f32>() as *const u8, math::pow_strip::<f64>() as *const u8);
            return Some(RealHelper { single, double, arguments: 2 });
        }
        MathFunction::Rsqrt => math::Function::Rsqrt,
        MathFunction::Exp => math::Function::Exp,
        MathFunction::Exp2 => math::Function::Exp2,
        MathFunction::Log => math::Function::Log,
        MathFunction::Log2 => math::Function::Log2,
        MathFunction::Sin => math::Function::Sin,
        MathFunction::Cos => math::Function::Cos,
        MathFunction::Tanh => math::Function::Tanh,
        _ => return None,
    };
    let (single, double) = (unary.strip::<f32>() as *const u8, unary.strip::<f64>() as *const u8);
    Some(RealHelper { single, double, arguments: 1 })
}

/// The remainder of floats, as C's `fmod`.
pub fn remainder() -> RealHelper {
    helper!(fmod, 2)
}

/// What compiled code that checks its accesses found wrong; shared by the threads of a run.
#[derive(Debug, Default)]
pub struct FaultRecord {
    count: AtomicU64,
    taken: AtomicBool,
    param: AtomicU32,
    offset: AtomicI64,
}

impl FaultRecord {
    /// How many accesses were left out.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// The parameter and the offset of the one that was recorded first.
    pub fn first(&self) -> (u32, i64) {
        (self.param.load(Ordering::Relaxed), self.offset.load(Ordering::Relaxed))
    }
}

/// Called by compiled code for an access outside its tensor's storage.
pub extern "C" fn record_fault(record: *const FaultRecord, param: u32, offset: i64) {
    // SAFETY: compiled code passes the pointer it was given, to a record that outlives the run.
    let record = unsafe { &*record };
    record.count.fetch_add(1, Ordering::Relaxed);
    if !record.taken.swap(true, Ordering::Relaxed) {
        record.param.store(param, Ordering::Relaxed);
        record.offset.store(offset, Ordering::Relaxed);
    }
}

/// Called by compiled code when a block starts, for an array that has to be 0 then.
///
/// # Safety
/// `bytes` bytes from `start` on are writable, and nobody else uses them.
pub unsafe extern "C" fn clear(start: *mut u8, bytes: usize) {
    // SAFETY: the caller vouches for the bytes.
    unsafe { start.write_bytes(0, bytes) };
}

/// Whether the processor has the instruction behind a math function, so that the code generator makes no call to a
/// library of its own choice.
pub fn has_instruction(function: MathFunction) -> bool {
    match function {
        #[cfg(target_arch = "x86_64")]
        MathFunction::Floor | MathFunction::Ceil | MathFunction::Round => {
            std::arch::is_x86_feature_detected!("sse4.1")
        }
        #[cfg(target_arch = "x86_64")]
        MathFunction::Fma => std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx"),
        #[cfg(target_arch = "aarch64")]
        MathFunction::Floor | MathFunction::Ceil | MathFunction::Round | MathFunction::Fma => true,
        MathFunction::Abs | MathFunction::Min | MathFunction::Max | MathFunction::Sqrt => true,
        _ => false,
    }
}

/// How many f16 values the conversion of a run takes at once.
pub const HALF_RUN: usize = 32;

/// Conversions of [`HALF_RUN`] neighbouring f16 values with the processor's own instructions.
#[derive(Clone, Copy)]
pub struct HalfRuns {
    /// `fn(from: *const f16, to: *mut f32)`
    pub decode: *const u8,
    /// `fn(from: *const f32, to: *mut f16)`, rounding to nearest even.
    pub encode: *const u8,
    /// `fn(values: *mut f32)`, rounding each to f16.
    pub round: *const u8,
}

/// The conversions, where the processor has instructions for them.
pub fn half_runs() -> Option<HalfRuns> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("f16c") && std::arch::is_x86_feature_detected!("avx") {
        return Some(HalfRuns {
            decode: f16c::decode as *const u8,
            encode: f16c::encode as *const u8,
            round: f16c::round as *const u8,
        });
    }
    None
}

#[cfg(target_arch = "x86_64")]
mod f16c {
    use std::arch::x86_64::{
        __m128i, _MM_FROUND_TO_NEAREST_INT, _mm_cvtph_ps, _mm_cvtps_ph, _mm_loadl_epi64, _mm_loadu_ps,
        _mm_storel_epi64, _mm_storeu_ps,
    };

    use super::HALF_RUN;

    /// How many values one instruction converts: as many as a vector of the compiled code has. The code has just
    /// written the values, or is about to read them, in vectors of this size; in wider ones the processor could not
    /// pass them on without waiting for its cache.
    const GROUP: usize = 4;

    /// # Safety
    /// `from` has [`HALF_RUN`] f16 values and `to` room for as many f32, both at any alignment.
    #[target_feature(enable = "avx,f16c")]
    pub unsafe extern "C" fn decode(from: *const u16, to: *mut f32) {
        for first in (0..HALF_RUN).step_by(GROUP) {
            // SAFETY: the caller vouches for HALF_RUN values on both sides.
            unsafe {
                let halves = _mm_loadl_epi64(from.add(first).cast::<__m128i>());
                _mm_storeu_ps(to.add(first), _mm_cvtph_ps(halves));
            }
        }
    }

    /// # Safety
    /// `from` has [`HALF_RUN`] f32 values and `to` room for as many f16, both at any alignment.
    #[target_feature(enable = "avx,f16c")]
    pub unsafe extern "C" fn encode(from: *const f32, to: *mut u16) {
        for first in (0..HALF_RUN).step_by(GROUP) {
            // SAFETY: the caller vouches for HALF_RUN values on both sides.
            unsafe {
                let halves = _mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm_loadu_ps(from.add(first)));
                _mm_storel_epi64(to.add(first).cast::<__m128i>(), halves);
            }
        }
    }

    /// # Safety
    /// `values` are [`HALF_RUN`] f32 values at any alignment.
    #[target_feature(enable = "avx,f16c")]
    pub unsafe extern "C" fn round(values: *mut f32) {
        for first in (0..HALF_RUN).step_by(GROUP) {
            // SAFETY: the caller vouches for HALF_RUN values.
            unsafe {
                let halves = _mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm_loadu_ps(values.add(first)));
                _mm_storeu_ps(values.add(first), _mm_cvtph_ps(halves));
            }
        }
    }
}
