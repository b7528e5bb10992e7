//! Random tests: every run has a new seed, and prints how to repeat it.
//!
//! A test takes its cases from [`range`], one seed for each, or runs proptest with [`config`]. The first seed of each run
//! is new. It is in the log of each test program and in the output of each test that fails:
//!
//! ```text
//! SHAPEWRIGHT_SEED=271828 repeats the random tests
//! ```
//!
//! A failing case of [`range`] prints its own seed; with `SHAPEWRIGHT_SEED` set to it, the case is the first one of its
//! test. `SHAPEWRIGHT_CASES=40` tries 40 times as many cases.
//!
//! This crate is for tests only, and knows nothing of the compiler.

mod draw;

pub use draw::Draw;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::ops::Range;
use std::sync::OnceLock;

use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

/// The seeds for `usual` cases of a test, times `SHAPEWRIGHT_CASES`.
pub fn range(usual: u64) -> Range<u64> {
    let first = seed();
    first..first.saturating_add(usual.saturating_mul(factor()))
}

/// The configuration of proptest for this number of cases, times `SHAPEWRIGHT_CASES`. It keeps no file of failures,
/// since the seed repeats them.
pub fn config(usual: u32) -> Config {
    let factor = u32::try_from(factor()).unwrap_or(u32::MAX);
    Config {
        cases: usual.saturating_mul(factor),
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed()),
        ..Config::default()
    }
}

/// The seed of this run: `SHAPEWRIGHT_SEED`, or a new one.
///
/// # Panics
/// If the variable is not a number.
pub fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    let seed = *SEED.get_or_init(|| {
        let seed = variable("SHAPEWRIGHT_SEED").unwrap_or_else(fresh);
        // Written to the process's standard error, which is not captured, so that a log has it even if all tests pass.
        // A failure to write it is harmless.
        let _nobody_reads = writeln!(std::io::stderr(), "{}", repeated(seed));
        seed
    });
    // The captured output of a test is shown if it fails.
    println!("{}", repeated(seed));
    seed
}

/// The factor for the usual number of cases.
fn factor() -> u64 {
    variable("SHAPEWRIGHT_CASES").unwrap_or(1)
}

fn repeated(seed: u64) -> String {
    format!("SHAPEWRIGHT_SEED={seed} repeats the random tests")
}

/// A new seed that is short enough to be typed.
fn fresh() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var_os(name)?;
    let number = text.to_str().and_then(|text| text.parse().ok());
    Some(number.unwrap_or_else(|| panic!("{name} is a number such as 42, and not {}", text.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_one_seed() {
        assert_eq!(seed(), seed());
        assert_eq!(range(7).start, seed());
        assert_eq!(range(7).count() as u64, 7 * factor());
        assert_eq!(config(1).rng_seed, RngSeed::Fixed(seed()));
    }

    #[test]
    fn fresh_seeds_differ() {
        let seeds: std::collections::BTreeSet<u64> = (0..100).map(|_| fresh()).collect();
        assert!(seeds.len() > 90);
    }

    #[test]
    fn a_run_says_how_it_is_repeated() {
        assert_eq!(repeated(42), "SHAPEWRIGHT_SEED=42 repeats the random tests");
    }
}
