//! Division of plain integers, rounded down.

use num_integer::Integer;

/// Division rounded down and its remainder for plain integers. The divisor must not be zero, and the quotient must
/// not overflow (`MIN / -1`).
pub(super) trait FloorDivision: Sized {
    /// The quotient rounded down.
    fn floor_div(self, divisor: Self) -> Self;
    /// The matching remainder, which has the sign of the divisor.
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

/// The greatest common divisor; where that may overflow, 1, which is always a common divisor.
pub(super) fn greatest_common_divisor(left: i128, right: i128) -> i128 {
    if left == i128::MIN || right == i128::MIN {
        return 1;
    }
    left.gcd(&right)
}
