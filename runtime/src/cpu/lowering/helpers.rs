//! Rust functions that compiled code calls for operations without an instruction.
//!
//! They are the functions of the interpreter, so both give the same bits.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};

use kernel::functions::Compute;
use kernel::typed::MathFunction;

use crate::interpreter::arithmetic::Real;

/// A function of f32 or f64 with its number of arguments.
#[derive(Clone, Copy)]
pub struct RealHelper {
    /// For f32.
    pub single: *const u8,
    /// For f64.
    pub double: *const u8,
    /// The number of arguments.
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
    floor(value) => value.floor();
    ceil(value) => value.ceil();
    round(value) => value.round_ties_even();
    fma(value, factor, summand) => value.mul_add(factor, summand);
    fmod(left, right) => left % right;
}

macro_rules! helper {
    ($name:ident, $arguments:literal) => {
        RealHelper { single: $name::<f32> as *const u8, double: $name::<f64> as *const u8, arguments: $arguments }
    };
}

/// The helper for a math function that is an instruction on many processors, for other processors; `None` for any other
/// function.
pub fn without_instruction(function: MathFunction) -> Option<RealHelper> {
    Some(match function {
        MathFunction::Floor => helper!(floor, 1),
        MathFunction::Ceil => helper!(ceil, 1),
        MathFunction::Round => helper!(round, 1),
        MathFunction::Fma => helper!(fma, 3),
        _ => return None,
    })
}

/// Machine code that computes a function of many values. Its arguments are the address of the operands' values, one
/// operand after another, and their count; it replaces the first operand by the results.
#[derive(Clone, Copy)]
pub struct MathStrip {
    /// For f32.
    pub single: *const u8,
    /// For f64.
    pub double: *const u8,
}

/// The machine code of a math function; `None` for functions that are instructions.
pub fn strip(function: MathFunction) -> Option<MathStrip> {
    let (single, double) = match function.operation().compute {
        Compute::Instruction => return None,
        Compute::Function(called) => (called.strip::<f32>() as *const u8, called.strip::<f64>() as *const u8),
        Compute::BinaryFunction(called) => (called.strip::<f32>() as *const u8, called.strip::<f64>() as *const u8),
    };
    Some(MathStrip { single, double })
}

/// The remainder of floats, as C's `fmod`.
pub fn remainder() -> RealHelper {
    helper!(fmod, 2)
}

/// The faults that compiled code with bounds checks found; shared by the threads of a run.
#[derive(Debug, Default)]
pub struct FaultRecord {
    count: AtomicU64,
    taken: AtomicBool,
    param: AtomicU32,
    offset: AtomicI64,
}

impl FaultRecord {
    /// The number of skipped accesses.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// The parameter and the offset of the first recorded fault.
    pub fn first(&self) -> (u32, i64) {
        (self.param.load(Ordering::Relaxed), self.offset.load(Ordering::Relaxed))
    }
}

/// Called by compiled code for an access outside its tensor's storage.
///
/// # Safety
/// `record` points to a record that outlives the call.
pub unsafe extern "C" fn record_fault(record: *const FaultRecord, param: u32, offset: i64) {
    // SAFETY: the caller guarantees it.
    let record = unsafe { &*record };
    record.count.fetch_add(1, Ordering::Relaxed);
    if !record.taken.swap(true, Ordering::Relaxed) {
        record.param.store(param, Ordering::Relaxed);
        record.offset.store(offset, Ordering::Relaxed);
    }
}

/// Called by compiled code at the start of a block, for an array that has to be zero.
///
/// # Safety
/// `bytes` bytes from `start` on are writable, and are not accessed otherwise during the call.
pub unsafe extern "C" fn clear(start: *mut u8, bytes: usize) {
    // SAFETY: the caller guarantees it.
    unsafe { start.write_bytes(0, bytes) };
}

/// Whether the processor has an instruction for a math function, so that the code generator does not call a library
/// function instead.
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

/// The number of f16 values that a helper converts at once.
pub const HALF_RUN: usize = 32;

/// Conversions of [`HALF_RUN`] adjacent f16 values by the processor's instructions.
#[derive(Clone, Copy)]
pub struct HalfRuns {
    /// `fn(from: *const f16, to: *mut f32)`
    pub decode: *const u8,
    /// `fn(from: *const f32, to: *mut f16)`, rounding to nearest even.
    pub encode: *const u8,
    /// `fn(values: *mut f32)`, rounding each to f16.
    pub round: *const u8,
}

/// The conversions, if the processor has instructions for them.
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

    /// The number of values that one instruction converts: those of one vector in the compiled code. The code has just
    /// written the values, or is about to read them, in vectors of this size; with wider ones the processor could not
    /// forward the stores and would wait for its cache.
    const GROUP: usize = 4;

    /// # Safety
    /// `from` has [`HALF_RUN`] f16 values and `to` room for as many f32, both at any alignment.
    #[target_feature(enable = "avx,f16c")]
    pub unsafe extern "C" fn decode(from: *const u16, to: *mut f32) {
        for first in (0..HALF_RUN).step_by(GROUP) {
            // SAFETY: the caller guarantees HALF_RUN values on both sides.
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
            // SAFETY: the caller guarantees HALF_RUN values on both sides.
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
            // SAFETY: the caller guarantees HALF_RUN values.
            unsafe {
                let halves = _mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm_loadu_ps(values.add(first)));
                _mm_storeu_ps(values.add(first), _mm_cvtph_ps(halves));
            }
        }
    }
}
