//! Measures the errors of the functions.

use super::exact::{Exact, of_f32, of_two_f32, units_f32};
use super::numbers;
use crate::{BinaryFunction, Function};

/// The largest error of a function, in units in the last place.
fn bound(function: Function) -> f64 {
    match function {
        Function::Sqrt => 0.5,
        Function::Tanh | Function::Erf => 2.0,
        _ => 1.0,
    }
}

/// A large prime, so that the tested numbers have all kinds of last digits; 1 to test all numbers, which takes minutes
/// for each function.
fn step() -> usize {
    if std::env::var_os("EVERY_FLOAT").is_some() { 1 } else { 1009 }
}

fn check_f32(function: Function) {
    let mut worst = (0.0, 0.0);
    let mut values = Vec::new();
    let mut bits = (0..=u32::MAX).step_by(step());
    loop {
        values.clear();
        values.extend(bits.by_ref().take(4096).map(f32::from_bits));
        if values.is_empty() {
            break;
        }
        let mut results = values.clone();
        function.replace(&mut results);
        for (&x, &result) in values.iter().zip(&results) {
            let units = units_f32(result, of_f32(function, x));
            if units > worst.0 {
                worst = (units, x);
            }
        }
    }
    println!("{function:?} of f32: {:.4} units at {:e}", worst.0, worst.1);
    // The error of the reference itself is less than a thousandth of a unit.
    assert!(worst.0 <= bound(function) + 0.001, "{function:?} of {:e} is {} units off", worst.1, worst.0);
}

/// Arguments for which a function of f64 neither rounds to a constant nor overflows: half of them in its usual range,
/// and half of them anywhere.
fn arguments(function: Function, count: usize) -> Vec<f64> {
    let unit = |bits: u64| bits as f64 / 2f64.powi(64);
    let anywhere = |bits: u64, largest: i32| {
        let exponent = (bits >> 54) as i32 % (largest + 300) - 300;
        let size = (1.0 + unit(bits << 10)) * 2f64.powi(exponent);
        if bits & 1 == 0 { size } else { -size }
    };
    let of_any_size = |bits: u64| f64::from_bits(bits & !(1 << 63)).clamp(0.0, f64::MAX);
    let arguments = numbers(function as u64).map(|bits| match function {
        Function::Sqrt | Function::Rsqrt | Function::Log | Function::Log2 | Function::Log10 => match bits % 3 {
            0 => of_any_size(bits),
            1 => 0.5 + unit(bits),
            _ => 1.0 + (unit(bits) - 0.5) * 2f64.powi(-((bits >> 3) as i32 & 31)),
        },
        Function::Exp => match bits & 4 {
            0 => anywhere(bits, 9),
            _ => -745.0 + 1454.0 * unit(bits),
        },
        Function::Exp2 => match bits & 4 {
            0 => anywhere(bits, 9),
            _ => -1074.0 + 2097.0 * unit(bits),
        },
        Function::Sin | Function::Cos | Function::Tan => match bits & 6 {
            0 => anywhere(bits, 1023),
            // Near a multiple of π/2, where most of the digits cancel.
            2 => ((bits >> 44) as f64) * std::f64::consts::FRAC_PI_2,
            _ => (unit(bits) - 0.5) * 2f64.powi((bits >> 3) as i32 & 31),
        },
        Function::Atan => match bits & 4 {
            0 => anywhere(bits, 60),
            _ => 8.0 * (unit(bits) - 0.5),
        },
        Function::Cbrt => f64::from_bits(bits).clamp(f64::MIN, f64::MAX),
        Function::Tanh => match bits & 4 {
            0 => anywhere(bits, 4),
            _ => 44.0 * (unit(bits) - 0.5),
        },
        Function::Erf => match bits & 4 {
            0 => anywhere(bits, 2),
            _ => 12.0 * (unit(bits) - 0.5),
        },
    });
    arguments.filter(|x| *x != 0.0 && !x.is_nan()).take(count).collect()
}

fn check_f64(function: Function) {
    let count = if std::env::var_os("EVERY_FLOAT").is_some() { 1_000_000 } else { 3000 };
    let mut exact = Exact::new();
    let mut worst = (0.0, 0.0);
    for x in arguments(function, count) {
        let units = exact.units(function, x, function.apply(x));
        if units > worst.0 {
            worst = (units, x);
        }
    }
    println!("{function:?} of f64: {:.4} units at {:e}", worst.0, worst.1);
    assert!(worst.0 <= bound(function), "{function:?} of {:e} is {} units off", worst.1, worst.0);
}

macro_rules! accuracy {
    ($($name:ident $function:ident;)*) => {$(
        #[test]
        fn $name() {
            check_f32(Function::$function);
            check_f64(Function::$function);
        }
    )*};
}

accuracy! {
    sqrt_is_correctly_rounded Sqrt;
    rsqrt_is_one_unit_off_at_most Rsqrt;
    exp_is_one_unit_off_at_most Exp;
    exp2_is_one_unit_off_at_most Exp2;
    log_is_one_unit_off_at_most Log;
    log2_is_one_unit_off_at_most Log2;
    log10_is_one_unit_off_at_most Log10;
    sin_is_one_unit_off_at_most Sin;
    cos_is_one_unit_off_at_most Cos;
    tan_is_one_unit_off_at_most Tan;
    atan_is_one_unit_off_at_most Atan;
    cbrt_is_one_unit_off_at_most Cbrt;
    tanh_is_two_units_off_at_most Tanh;
    erf_is_two_units_off_at_most Erf;
}

#[test]
fn pow_of_f32_is_one_unit_off_at_most() {
    let mut worst = (0.0, 0.0, 0.0);
    let mut bits = numbers(20);
    for round in 0..2_000_000 {
        let (first, second) = (bits.next().unwrap_or(0), bits.next().unwrap_or(0));
        // Pairs of any size, and pairs whose power is in range.
        let x = f32::from_bits(first as u32 & 0x7fff_ffff);
        let any = f32::from_bits(second as u32);
        let fitting = (second as u32 as f32 / 2f32.powi(32) - 0.5) * 300.0 / x.log2();
        let y = if round % 4 == 0 { any } else { fitting };
        let units = units_f32(BinaryFunction::Pow.apply(x, y), of_two_f32(BinaryFunction::Pow, x, y));
        if units > worst.0 {
            worst = (units, x, y);
        }
    }
    println!("pow of f32: {:.4} units at {:e}, {:e}", worst.0, worst.1, worst.2);
    assert!(worst.0 <= 1.001, "pow({:e}, {:e}) is {} units off", worst.1, worst.2, worst.0);
}

#[test]
fn pow_of_f64_is_one_unit_off_at_most() {
    let mut exact = Exact::new();
    let mut worst = (0.0, 0.0, 0.0);
    let mut bits = numbers(21);
    for round in 0..6000 {
        let (first, second) = (bits.next().unwrap_or(0), bits.next().unwrap_or(0));
        let any = f64::from_bits(first & !(1 << 63));
        let near_one = 1.0 + (first as f64 / 2f64.powi(64) - 0.4) * 2f64.powi(-(second as i32 & 15));
        let x = if round % 2 == 0 { any } else { near_one };
        let y = (second as f64 / 2f64.powi(64) - 0.5) * 2100.0 / x.log2();
        let result = BinaryFunction::Pow.apply(x, y);
        if !x.is_finite() || !y.is_finite() || !result.is_finite() {
            continue;
        }
        let units = exact.units_of_two(BinaryFunction::Pow, x, y, result);
        if units > worst.0 {
            worst = (units, x, y);
        }
    }
    println!("pow of f64: {:.4} units at {:e}, {:e}", worst.0, worst.1, worst.2);
    assert!(worst.0 <= 1.0, "pow({:e}, {:e}) is {} units off", worst.1, worst.2, worst.0);
}

/// A number of any size, or one whose size is near that of another one, so that both coordinates of a point count.
fn coordinate(bits: u64, near: f64) -> f64 {
    let size = near * (bits as f64 / 2f64.powi(63)) * 2f64.powi((bits & 7) as i32 - 3);
    if bits & 8 == 0 { size } else { -size }
}

#[test]
fn functions_of_two_coordinates_are_one_unit_off_at_most_in_f32() {
    for function in [BinaryFunction::Atan2, BinaryFunction::Hypot] {
        let mut bits = numbers(22).map(|bits| bits as u32);
        for round in 0..1_000_000 {
            let (first, second) = (bits.next().unwrap_or(0), bits.next().unwrap_or(0));
            let x = f32::from_bits(first);
            let near = coordinate(u64::from(second) << 32 | u64::from(first), f64::from(x)) as f32;
            let y = if round % 4 == 0 { f32::from_bits(second) } else { near };
            if x.is_nan() || y.is_nan() {
                continue;
            }
            let units = units_f32(function.apply(x, y), of_two_f32(function, x, y));
            assert!(units <= 1.001, "{function:?} of {x:e} and {y:e} is {units} units off");
        }
    }
}

#[test]
fn functions_of_two_coordinates_are_one_unit_off_at_most_in_f64() {
    let mut exact = Exact::new();
    for function in [BinaryFunction::Atan2, BinaryFunction::Hypot] {
        let mut worst = (0.0, 0.0, 0.0);
        let mut bits = numbers(23);
        for round in 0..6000 {
            let (first, second) = (bits.next().unwrap_or(0), bits.next().unwrap_or(0));
            let x = f64::from_bits(first);
            let y = if round % 4 == 0 { f64::from_bits(second) } else { coordinate(second, x) };
            let result = function.apply(x, y);
            // The reference loses the digits of quotients below the normal numbers.
            if !x.is_finite() || !y.is_finite() || !result.is_finite() || !result.is_normal() || x == 0.0 || y == 0.0 {
                continue;
            }
            let units = exact.units_of_two(function, x, y, result);
            if units > worst.0 {
                worst = (units, x, y);
            }
        }
        println!("{function:?} of f64: {:.4} units at {:e}, {:e}", worst.0, worst.1, worst.2);
        assert!(worst.0 <= 1.0, "{function:?} of {:e} and {:e} is {} units off", worst.1, worst.2, worst.0);
    }
}
