//! Machine code for values, steps, loops and regions, one value at a time.
//!
//! Begin at [`emitter`], then see [`regions`] from the outside in: regions, threads, loops ([`counted`]), steps, values
//! ([`scalar`]).

pub mod access;
pub mod atomics;
pub mod bits;
pub mod cast;
pub mod counted;
pub mod emitter;
pub mod half_floats;
pub mod helpers;
pub mod prefetch;
pub mod regions;
pub mod scalar;
pub mod split_threads;
pub mod steps;
pub mod swizzles;
pub mod threads;
