//! Exact results: for f32 by another library in f64, for f64 in higher precision.

use astro_float::{BigFloat, Consts, RoundingMode, Sign};

use crate::{BinaryFunction, Function};

/// The precision of the reference for f64, in bits.
const DIGITS: usize = 256;

/// The error of an f32 result, in units in the last place of the exact one.
pub fn units_f32(result: f32, exact: f64) -> f64 {
    if result.is_nan() || exact.is_nan() {
        return if result.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
    }
    // Infinity stands for the first number that is too large.
    let beyond = 2.0 * f64::from(1u128.wrapping_shl(127) as f32);
    let clamped = exact.clamp(-beyond, beyond);
    let result = f64::from(result).clamp(-beyond, beyond);
    let exponent = if clamped == 0.0 { -126 } else { (clamped.abs().log2().floor() as i32).clamp(-126, 127) };
    (result - clamped).abs() / 2f64.powi(exponent - 23)
}

/// The function of an f32, by a library that computes in f64.
pub fn of_f32(function: Function, x: f32) -> f64 {
    let x = f64::from(x);
    match function {
        Function::Sqrt => x.sqrt(),
        Function::Rsqrt => 1.0 / x.sqrt(),
        Function::Exp => libm::exp(x),
        Function::Exp2 => libm::exp2(x),
        Function::Log => libm::log(x),
        Function::Log2 => libm::log2(x),
        Function::Log10 => libm::log10(x),
        Function::Sin => libm::sin(x),
        Function::Cos => libm::cos(x),
        Function::Tan => libm::tan(x),
        Function::Atan => libm::atan(x),
        Function::Tanh => libm::tanh(x),
        Function::Erf => libm::erf(x),
        Function::Cbrt => libm::cbrt(x),
    }
}

/// A function of two f32, by a library that computes in f64.
pub fn of_two_f32(function: BinaryFunction, x: f32, y: f32) -> f64 {
    let (x, y) = (f64::from(x), f64::from(y));
    match function {
        BinaryFunction::Pow => libm::pow(x, y),
        BinaryFunction::Atan2 => libm::atan2(x, y),
        BinaryFunction::Hypot => libm::hypot(x, y),
    }
}

/// Computes in high precision.
pub struct Exact {
    constants: Consts,
}

impl Exact {
    pub fn new() -> Self {
        Self { constants: Consts::new().expect("there is memory for the constants") }
    }

    /// The error of a finite f64 result, in units in the last place of the exact one.
    pub fn units(&mut self, function: Function, x: f64, result: f64) -> f64 {
        let exact = self.function(function, x);
        self.distance(&exact, result)
    }

    /// The error of a result of a function of two numbers.
    pub fn units_of_two(&mut self, function: BinaryFunction, x: f64, y: f64, result: f64) -> f64 {
        let exact = self.of_two(function, &number(x), &number(y));
        self.distance(&exact, result)
    }

    fn of_two(&mut self, function: BinaryFunction, x: &BigFloat, y: &BigFloat) -> BigFloat {
        let none = RoundingMode::None;
        match function {
            BinaryFunction::Pow => x.pow(y, DIGITS, none, &mut self.constants),
            BinaryFunction::Hypot => {
                x.mul(x, DIGITS, none).add(&y.mul(y, DIGITS, none), DIGITS, none).sqrt(DIGITS, none)
            }
            // The height is `x`: an arc tangent on the right, and a half turn further on the left.
            BinaryFunction::Atan2 => {
                let angle = x.div(y, DIGITS, none).atan(DIGITS, none, &mut self.constants);
                let half_turn = self.constants.pi(DIGITS, none);
                match (y.is_negative(), x.is_negative()) {
                    (false, _) => angle,
                    (true, false) => angle.add(&half_turn, DIGITS, none),
                    (true, true) => angle.sub(&half_turn, DIGITS, none),
                }
            }
        }
    }

    fn distance(&mut self, exact: &BigFloat, result: f64) -> f64 {
        let difference = exact.sub(&number(result), DIGITS, RoundingMode::None);
        // `exact` is a fraction from 1/2 to 1 times a power of two.
        let last_place = exact.exponent().unwrap_or(-1021).max(-1021) - 53;
        to_f64(&difference, last_place).abs()
    }

    fn function(&mut self, function: Function, x: f64) -> BigFloat {
        let (x, constants, none) = (number(x), &mut self.constants, RoundingMode::None);
        match function {
            Function::Sqrt => x.sqrt(DIGITS, none),
            Function::Rsqrt => x.sqrt(DIGITS, none).reciprocal(DIGITS, none),
            Function::Exp => x.exp(DIGITS, none, constants),
            Function::Exp2 => number(2.0).pow(&x, DIGITS, none, constants),
            Function::Log => x.ln(DIGITS, none, constants),
            Function::Log2 => x.log2(DIGITS, none, constants),
            Function::Log10 => x.log10(DIGITS, none, constants),
            Function::Sin => x.sin(DIGITS, none, constants),
            Function::Cos => x.cos(DIGITS, none, constants),
            Function::Tan => x.tan(DIGITS, none, constants),
            Function::Atan => x.atan(DIGITS, none, constants),
            Function::Tanh => x.tanh(DIGITS, none, constants),
            Function::Erf => self.erf(&x),
            Function::Cbrt => x.cbrt(DIGITS, none),
        }
    }

    /// The series `2/√π exp(-x²) (x + 2x³/3 + 4x⁵/15 + …)`, whose terms have the same sign.
    fn erf(&mut self, x: &BigFloat) -> BigFloat {
        let none = RoundingMode::None;
        let square = x.mul(x, DIGITS, none);
        let (mut term, mut sum) = (x.clone(), x.clone());
        for place in 1..400 {
            let factor = number(2.0).div(&number(f64::from(2 * place + 1)), DIGITS, none);
            term = term.mul(&square, DIGITS, none).mul(&factor, DIGITS, none);
            sum = sum.add(&term, DIGITS, none);
        }
        let root = self.constants.pi(DIGITS, none).sqrt(DIGITS, none);
        let power = square.neg().exp(DIGITS, none, &mut self.constants);
        sum.mul(&power, DIGITS, none).mul(&number(2.0), DIGITS, none).div(&root, DIGITS, none)
    }
}

fn number(value: f64) -> BigFloat {
    // The library misreads subnormal numbers.
    let lifted = BigFloat::from_f64(value * 2f64.powi(if value.abs() < 1.0 { 100 } else { 0 }), DIGITS);
    let unit = BigFloat::from_f64(2f64.powi(if value.abs() < 1.0 { -100 } else { 0 }), DIGITS);
    lifted.mul(&unit, DIGITS, RoundingMode::None)
}

/// `value / 2^exponent`, approximately.
fn to_f64(value: &BigFloat, exponent: i32) -> f64 {
    match value.as_raw_parts() {
        Some((words, _, sign, own, _)) => {
            let first = words.last().copied().unwrap_or(0);
            let size = first as f64 / 2f64.powi(64) * 2f64.powi((own - exponent).clamp(-1000, 1000));
            if sign == Sign::Neg { -size } else { size }
        }
        None => f64::INFINITY,
    }
}
