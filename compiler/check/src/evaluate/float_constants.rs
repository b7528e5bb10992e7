//! Floats that have a name.

/// The words that mean a float wherever nothing declares them.
pub const FLOAT_CONSTANTS: &[(&str, f64)] = &[("inf", f64::INFINITY), ("nan", f64::NAN)];

/// The float that a word means.
pub fn float_constant(word: &str) -> Option<f64> {
    FLOAT_CONSTANTS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}
