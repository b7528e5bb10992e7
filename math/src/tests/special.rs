//! Zeros, infinities, NaN and the bounds of ranges, by annex F of the C standard.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::{BinaryFunction, Function};

const INFINITY: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Function, argument, result.
const SPECIAL: [(Function, f64, f64); 84] = [
    (Function::Sqrt, 0.0, 0.0),
    (Function::Sqrt, -0.0, -0.0),
    (Function::Sqrt, INFINITY, INFINITY),
    (Function::Sqrt, -1.0, NAN),
    (Function::Sqrt, -INFINITY, NAN),
    (Function::Sqrt, NAN, NAN),
    (Function::Rsqrt, 0.0, INFINITY),
    (Function::Rsqrt, -0.0, -INFINITY),
    (Function::Rsqrt, INFINITY, 0.0),
    (Function::Rsqrt, 4.0, 0.5),
    (Function::Rsqrt, -1.0, NAN),
    (Function::Rsqrt, NAN, NAN),
    (Function::Exp, 0.0, 1.0),
    (Function::Exp, -0.0, 1.0),
    (Function::Exp, INFINITY, INFINITY),
    (Function::Exp, -INFINITY, 0.0),
    (Function::Exp, 1e4, INFINITY),
    (Function::Exp, -1e4, 0.0),
    (Function::Exp, NAN, NAN),
    (Function::Exp2, 0.0, 1.0),
    (Function::Exp2, -0.0, 1.0),
    (Function::Exp2, 3.0, 8.0),
    (Function::Exp2, -126.0, 1.0 / (1u128 << 126) as f64),
    (Function::Exp2, INFINITY, INFINITY),
    (Function::Exp2, -INFINITY, 0.0),
    (Function::Exp2, 1e4, INFINITY),
    (Function::Exp2, NAN, NAN),
    (Function::Log, 1.0, 0.0),
    (Function::Log, 0.0, -INFINITY),
    (Function::Log, -0.0, -INFINITY),
    (Function::Log, -1.0, NAN),
    (Function::Log, INFINITY, INFINITY),
    (Function::Log, -INFINITY, NAN),
    (Function::Log, NAN, NAN),
    (Function::Log2, 1.0, 0.0),
    (Function::Log2, 1024.0, 10.0),
    (Function::Log2, 1.0 / 1024.0, -10.0),
    (Function::Log2, 0.0, -INFINITY),
    (Function::Log2, -1.0, NAN),
    (Function::Log2, INFINITY, INFINITY),
    (Function::Log2, NAN, NAN),
    (Function::Sin, 0.0, 0.0),
    (Function::Sin, -0.0, -0.0),
    (Function::Sin, INFINITY, NAN),
    (Function::Sin, NAN, NAN),
    (Function::Cos, 0.0, 1.0),
    (Function::Cos, -INFINITY, NAN),
    (Function::Cos, NAN, NAN),
    (Function::Tanh, 0.0, 0.0),
    (Function::Tanh, -0.0, -0.0),
    (Function::Tanh, INFINITY, 1.0),
    (Function::Tanh, -INFINITY, -1.0),
    (Function::Tanh, NAN, NAN),
    (Function::Erf, 0.0, 0.0),
    (Function::Erf, -0.0, -0.0),
    (Function::Erf, INFINITY, 1.0),
    (Function::Erf, -INFINITY, -1.0),
    (Function::Erf, NAN, NAN),
    (Function::Log10, 1.0, 0.0),
    (Function::Log10, 1000.0, 3.0),
    (Function::Log10, 1e22, 22.0),
    (Function::Log10, 0.0, -INFINITY),
    (Function::Log10, -1.0, NAN),
    (Function::Log10, INFINITY, INFINITY),
    (Function::Log10, NAN, NAN),
    (Function::Tan, 0.0, 0.0),
    (Function::Tan, -0.0, -0.0),
    (Function::Tan, INFINITY, NAN),
    (Function::Tan, NAN, NAN),
    (Function::Atan, 0.0, 0.0),
    (Function::Atan, -0.0, -0.0),
    (Function::Atan, 1.0, FRAC_PI_4),
    (Function::Atan, INFINITY, FRAC_PI_2),
    (Function::Atan, -INFINITY, -FRAC_PI_2),
    (Function::Atan, 1e30, FRAC_PI_2),
    (Function::Atan, NAN, NAN),
    (Function::Cbrt, 0.0, 0.0),
    (Function::Cbrt, -0.0, -0.0),
    (Function::Cbrt, 27.0, 3.0),
    (Function::Cbrt, -8.0, -2.0),
    (Function::Cbrt, 1e-30, 1e-10),
    (Function::Cbrt, INFINITY, INFINITY),
    (Function::Cbrt, -INFINITY, -INFINITY),
    (Function::Cbrt, NAN, NAN),
];

/// Base, exponent, power.
const POWERS: [(f64, f64, f64); 47] = [
    (0.0, -3.0, INFINITY),
    (-0.0, -3.0, -INFINITY),
    (0.0, -2.0, INFINITY),
    (-0.0, -2.0, INFINITY),
    (-0.0, -2.5, INFINITY),
    (0.0, -INFINITY, INFINITY),
    (-0.0, -INFINITY, INFINITY),
    (0.0, 3.0, 0.0),
    (-0.0, 3.0, -0.0),
    (-0.0, 2.0, 0.0),
    (-0.0, 2.5, 0.0),
    (-1.0, INFINITY, 1.0),
    (-1.0, -INFINITY, 1.0),
    (1.0, NAN, 1.0),
    (1.0, INFINITY, 1.0),
    (1.0, 5.5, 1.0),
    (NAN, 0.0, 1.0),
    (NAN, -0.0, 1.0),
    (INFINITY, 0.0, 1.0),
    (0.0, 0.0, 1.0),
    (-0.0, -0.0, 1.0),
    (-2.0, 0.5, NAN),
    (-2.0, -1.5, NAN),
    (0.5, -INFINITY, INFINITY),
    (-0.5, -INFINITY, INFINITY),
    (2.0, -INFINITY, 0.0),
    (-2.0, -INFINITY, 0.0),
    (0.5, INFINITY, 0.0),
    (2.0, INFINITY, INFINITY),
    (-2.0, INFINITY, INFINITY),
    (-INFINITY, -3.0, -0.0),
    (-INFINITY, -2.0, 0.0),
    (-INFINITY, -2.5, 0.0),
    (-INFINITY, 3.0, -INFINITY),
    (-INFINITY, 2.0, INFINITY),
    (-INFINITY, 2.5, INFINITY),
    (INFINITY, -1.0, 0.0),
    (INFINITY, 1.0, INFINITY),
    (NAN, 1.0, NAN),
    (2.0, NAN, NAN),
    (2.0, 10.0, 1024.0),
    (-2.0, 3.0, -8.0),
    (-2.0, -2.0, 0.25),
    (-3.0, 2.0, 9.0),
    (4.0, 0.5, 2.0),
    (1e30, 1e30, INFINITY),
    (-1e30, -1e30, 0.0),
];

/// Function, both arguments, result.
const OF_TWO: [(BinaryFunction, f64, f64, f64); 27] = [
    (BinaryFunction::Atan2, 0.0, 1.0, 0.0),
    (BinaryFunction::Atan2, -0.0, 1.0, -0.0),
    (BinaryFunction::Atan2, 0.0, 0.0, 0.0),
    (BinaryFunction::Atan2, -0.0, 0.0, -0.0),
    (BinaryFunction::Atan2, 0.0, -0.0, PI),
    (BinaryFunction::Atan2, -0.0, -0.0, -PI),
    (BinaryFunction::Atan2, 0.0, -1.0, PI),
    (BinaryFunction::Atan2, -0.0, -1.0, -PI),
    (BinaryFunction::Atan2, 1.0, 0.0, FRAC_PI_2),
    (BinaryFunction::Atan2, -1.0, -0.0, -FRAC_PI_2),
    (BinaryFunction::Atan2, 1.0, 1.0, FRAC_PI_4),
    (BinaryFunction::Atan2, -2.0, 2.0, -FRAC_PI_4),
    (BinaryFunction::Atan2, 3.0, -3.0, 3.0 * FRAC_PI_4),
    (BinaryFunction::Atan2, INFINITY, INFINITY, FRAC_PI_4),
    (BinaryFunction::Atan2, INFINITY, -INFINITY, 3.0 * FRAC_PI_4),
    (BinaryFunction::Atan2, -INFINITY, 1.0, -FRAC_PI_2),
    (BinaryFunction::Atan2, 1.0, INFINITY, 0.0),
    (BinaryFunction::Atan2, 1.0, -INFINITY, PI),
    (BinaryFunction::Atan2, NAN, 1.0, NAN),
    (BinaryFunction::Atan2, 1.0, NAN, NAN),
    (BinaryFunction::Hypot, 3.0, -4.0, 5.0),
    (BinaryFunction::Hypot, 0.0, -0.0, 0.0),
    (BinaryFunction::Hypot, -2.0, 0.0, 2.0),
    (BinaryFunction::Hypot, NAN, -INFINITY, INFINITY),
    (BinaryFunction::Hypot, INFINITY, 1.0, INFINITY),
    (BinaryFunction::Hypot, NAN, 1.0, NAN),
    (BinaryFunction::Hypot, 1.0, NAN, NAN),
];

#[test]
fn special_arguments_give_what_the_standard_says() {
    for (function, x, expected) in SPECIAL {
        let result = function.apply(x);
        assert_eq!(result.to_bits(), expected.to_bits(), "{function:?} of {x:?} in f64 is {result:?}");
        let result = function.apply(x as f32);
        assert_eq!(result.to_bits(), (expected as f32).to_bits(), "{function:?} of {x:?} in f32 is {result:?}");
    }
}

#[test]
fn special_pairs_give_what_the_standard_says() {
    let powers = POWERS.map(|(x, y, expected)| (BinaryFunction::Pow, x, y, expected));
    for (function, x, y, expected) in OF_TWO.into_iter().chain(powers) {
        let result = function.apply(x, y);
        assert_eq!(result.to_bits(), expected.to_bits(), "{function:?} of {x:?} and {y:?} in f64 is {result:?}");
        let result = function.apply(x as f32, y as f32);
        assert_eq!(
            result.to_bits(),
            (expected as f32).to_bits(),
            "{function:?} of {x:?} and {y:?} in f32 is {result:?}"
        );
    }
}

#[test]
fn results_are_finite_up_to_the_end_of_the_range() {
    assert!(Function::Exp.apply(88.722_83_f32).is_finite());
    assert_eq!(Function::Exp.apply(88.722_84_f32), f32::INFINITY);
    assert!(Function::Exp.apply(709.782_712_893_383_9_f64).is_finite());
    assert_eq!(Function::Exp.apply(709.782_712_893_384_1_f64), f64::INFINITY);
    assert!(Function::Exp2.apply(127.999_99_f32).is_finite());
    assert_eq!(Function::Exp2.apply(128.0_f32), f32::INFINITY);
    assert!(Function::Exp2.apply(1_023.999_999_999_999_9_f64).is_finite());
    assert_eq!(Function::Exp2.apply(1024.0_f64), f64::INFINITY);
}

#[test]
fn results_below_the_normal_numbers_are_not_lost() {
    assert_eq!(Function::Exp2.apply(-149.0_f32), f32::from_bits(1));
    assert_eq!(Function::Exp2.apply(-1074.0_f64), f64::from_bits(1));
    assert_eq!(Function::Exp.apply(-103.0_f32), f32::from_bits(1));
    assert_eq!(Function::Log2.apply(f32::from_bits(1)), -149.0);
    assert_eq!(Function::Log2.apply(f64::from_bits(1)), -1074.0);
    assert_eq!(Function::Rsqrt.apply(f64::from_bits(4)), 2f64.powi(536));
    assert_eq!(Function::Sin.apply(f32::from_bits(7)), f32::from_bits(7));
    assert_eq!(Function::Tanh.apply(-f64::from_bits(7)), -f64::from_bits(7));
    assert_eq!(Function::Atan.apply(-f64::from_bits(7)), -f64::from_bits(7));
    assert_eq!(Function::Tan.apply(f64::from_bits(7)), f64::from_bits(7));
    assert_eq!(Function::Cbrt.apply(f64::from_bits(8)), 2.0 * Function::Cbrt.apply(f64::from_bits(1)));
    assert_eq!(BinaryFunction::Atan2.apply(f64::from_bits(7), 1.0), f64::from_bits(7));
    assert_eq!(BinaryFunction::Atan2.apply(f64::from_bits(3), f64::from_bits(3)), FRAC_PI_4);
    assert_eq!(BinaryFunction::Hypot.apply(f64::from_bits(3), f64::from_bits(4)), f64::from_bits(5));
}

#[test]
fn squares_beyond_the_type_do_not_make_a_length_infinite() {
    assert_eq!(BinaryFunction::Hypot.apply(3e300_f64, 4e300), 5e300);
    assert_eq!(BinaryFunction::Hypot.apply(3e30_f32, 4e30), 5e30);
    assert_eq!(BinaryFunction::Hypot.apply(f64::MAX, f64::MAX), INFINITY);
    assert_eq!(BinaryFunction::Atan2.apply(f64::MAX, f64::MAX), FRAC_PI_4);
}
