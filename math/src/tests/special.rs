//! Zeros, infinities, NaN and the bounds of ranges, by annex F of the C standard.

use crate::{Function, pow};

const INFINITY: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Function, argument, result.
const SPECIAL: [(Function, f64, f64); 58] = [
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
fn special_powers_are_what_the_standard_says() {
    for (x, y, expected) in POWERS {
        let result = pow(x, y);
        assert_eq!(result.to_bits(), expected.to_bits(), "pow({x:?}, {y:?}) in f64 is {result:?}");
        let result = pow(x as f32, y as f32);
        assert_eq!(result.to_bits(), (expected as f32).to_bits(), "pow({x:?}, {y:?}) in f32 is {result:?}");
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
}
