//! Division of plain integers, rounded down.

use num_integer::Integer;

/// Division rounded down, and what goes with it, for plain integers. The divisor must not be zero, and the one quotient
/// that does not fit in 128 bits must not be asked for.
pub(super) trait FloorDivision: Sized {
    /// The quotient rounded down.
    fn floor_div(self, divisor: Self) -> Self;
    /// The remainder that goes with it, which has the sign of the divisor.
    fn floor_rem(self, divisor: Self) -> Self;
}

impl FloorDivision for i128 {
    fn floor_div(self, divisor: i128) -> i128 {
        Integer::div_floor(&self, &divisor)
    }

    fn floor_rem(self, divisor: i128) -> i128 {
        Integer::mod_floor(&self, &divisor)
    }
}

/// The greatest common divisor; 1 in the one case where it does not fit, which is always a valid common divisor.
pub(super) fn greatest_common_divisor(left: i128, right: i128) -> i128 {
    if left == i128::MIN || right == i128::MIN {
        return 1;
    }
    left.gcd(&right)
}
