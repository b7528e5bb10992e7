//! The seed of the random tests.

use std::hash::{BuildHasher, Hasher, RandomState};

use super::Need;

/// A seed for all test programs of a run: `SHAPEWRIGHT_SEED`, or a new one. The programs print it.
pub const SEED: Need = Need {
    what: "a seed",
    ahead: false,
    prepare: |_| {
        let new = || (RandomState::new().build_hasher().finish() % 1_000_000_000).to_string().into();
        Ok(vec![("SHAPEWRIGHT_SEED", std::env::var_os("SHAPEWRIGHT_SEED").unwrap_or_else(new))])
    },
};
