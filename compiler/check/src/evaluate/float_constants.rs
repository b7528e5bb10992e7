//! Named floats.

/// The names of floats, which declarations may shadow.
pub const FLOAT_CONSTANTS: &[(&str, f64)] = &[("inf", f64::INFINITY), ("nan", f64::NAN)];

/// The float with this name.
pub fn float_constant(word: &str) -> Option<f64> {
    FLOAT_CONSTANTS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}
