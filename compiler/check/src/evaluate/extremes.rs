//! `min` and `max` of constants, with the semantics of kernels.

use crate::values::Value;

/// `min` or `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extreme {
    /// The minimum.
    Least,
    /// The maximum.
    Greatest,
}

impl Extreme {
    /// Applies the function to two numbers; the result is a float if one of them is. `None` if a value is no number, or
    /// depends on sizes.
    pub(crate) fn choose(self, left: &Value, right: &Value) -> Option<Value> {
        if let (Some(first), Some(second)) = (exact(left), exact(right)) {
            let is_left = (self == Self::Least) == (first <= second);
            return Some(if is_left { left } else { right }.clone());
        }
        let (left, right) = (left.as_float()?, right.as_float()?);
        Some(Value::Float(match self {
            Self::Least => least(left, right),
            Self::Greatest => -least(-left, -right),
        }))
    }
}

fn exact(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => value.as_constant().map(i128::from),
        Value::Unsigned(value) => Some(i128::from(*value)),
        _ => None,
    }
}

/// The minimum of two floats: the other one if one is NaN; −0 is smaller than 0.
fn least(left: f64, right: f64) -> f64 {
    match (left.is_nan(), right.is_nan()) {
        (true, _) => right,
        (_, true) => left,
        _ if left.total_cmp(&right).is_le() => left,
        _ => right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_of_zero_counts_and_nan_does_not() {
        let choose = |extreme: Extreme, left: f64, right: f64| {
            extreme.choose(&Value::Float(left), &Value::Float(right)).and_then(|value| value.as_float()).unwrap()
        };
        for (left, right) in [(-0.0, 0.0), (0.0, -0.0)] {
            assert!(choose(Extreme::Least, left, right).is_sign_negative());
            assert!(choose(Extreme::Greatest, left, right).is_sign_positive());
        }
        assert_eq!(choose(Extreme::Least, f64::NAN, 1.0), 1.0);
        assert_eq!(choose(Extreme::Greatest, 1.0, f64::NAN), 1.0);
        assert!(choose(Extreme::Least, f64::NAN, f64::NAN).is_nan());
    }

    #[test]
    fn integers_beyond_each_other_s_range_are_compared_exactly() {
        let (least, greatest) = (Value::int(-1), Value::Unsigned(u64::MAX));
        assert_eq!(Extreme::Least.choose(&greatest, &least), Some(least.clone()));
        assert_eq!(Extreme::Greatest.choose(&least, &greatest), Some(greatest));
    }
}
