//! Maps operators and element types to the functions that compute them.

use elements::ElementType;
use kernel::functions::Compute;
use kernel::typed::{BinaryOp, MathFunction, UnaryOp};

use num_traits::Float as _;

use super::arithmetic::{Arithmetic, Bitwise, Float, Integer, Real, Shift, floor_divide, floor_remainder};
use crate::tensors::element::{with_element, with_float, with_integer};
use crate::tensors::{Bits, Element};

/// A function of one value. `extern "C"`, because compiled kernels call these functions too.
pub type Function1 = extern "C" fn(Bits) -> Bits;
/// A function of two values.
pub type Function2 = extern "C" fn(Bits, Bits) -> Bits;
/// A function of three values.
pub type Function3 = extern "C" fn(Bits, Bits, Bits) -> Bits;

/// Applies a math function to a value of a type.
pub type CalledFunction = fn(math::Function, Bits) -> Bits;
/// Applies a math function to two values of a type.
pub type CalledWithTwo = fn(math::BinaryFunction, Bits, Bits) -> Bits;

/// A function with its number of operands.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// Of one operand.
    One(Function1),
    /// Of two operands.
    Two(Function2),
    /// Of three operands.
    Three(Function3),
    /// A math function that is the same for every executor.
    Called(CalledFunction, math::Function),
    /// The same of two operands.
    CalledWithTwo(CalledWithTwo, math::BinaryFunction),
}

macro_rules! functions1 {
    ($($name:ident <$type:ident : $bound:path> $body:expr;)*) => {$(
        extern "C" fn $name<$type: $bound>(value: Bits) -> Bits {
            let body: fn($type) -> _ = $body;
            body($type::decode(value)).encode()
        }
    )*};
}

macro_rules! functions2 {
    ($($name:ident <$type:ident : $bound:path> $body:expr;)*) => {$(
        extern "C" fn $name<$type: $bound>(left: Bits, right: Bits) -> Bits {
            let body: fn($type, $type) -> _ = $body;
            body($type::decode(left), $type::decode(right)).encode()
        }
    )*};
}

functions1! {
    negate<T: Arithmetic> T::negate;
    absolute<T: Arithmetic> T::absolute;
    sqrt<T: Float> |value| T::rounded(value.computed().sqrt());
    floor<T: Float> |value| T::rounded(value.computed().floor());
    ceil<T: Float> |value| T::rounded(value.computed().ceil());
    round<T: Float> |value| T::rounded(value.computed().round_ties_even());
    popcount<T: Integer> T::count_ones;
    leading_zeros<T: Integer> T::leading_zeros;
    trailing_zeros<T: Integer> T::trailing_zeros;
    first_one<T: Integer> T::first_one;
    reverse_bits<T: Integer> T::reverse_bits;
}

functions2! {
    add<T: Arithmetic> T::add;
    subtract<T: Arithmetic> T::subtract;
    multiply<T: Arithmetic> T::multiply;
    divide<T: Arithmetic> T::divide;
    remainder<T: Arithmetic> T::remainder;
    minimum<T: Arithmetic> T::minimum;
    maximum<T: Arithmetic> T::maximum;
    bit_xor<T: Bitwise> |left, right| left ^ right;
    bit_and<T: Bitwise> |left, right| left & right;
    bit_or<T: Bitwise> |left, right| left | right;
    shift_left<T: Shift> T::shift_left;
    shift_right<T: Shift> T::shift_right;
    equal<T: Element> |left, right| left == right;
    not_equal<T: Element> |left, right| left != right;
    less<T: Element> |left, right| left < right;
    less_equal<T: Element> |left, right| left <= right;
    greater<T: Element> |left, right| left > right;
    greater_equal<T: Element> |left, right| left >= right;
    copysign<T: Float> |size, sign| T::rounded(with_sign_of(size.computed(), sign.computed()));
    multiply_high<T: Integer> T::multiply_high;
}

/// Applies a math function of one argument; f16 and bf16 are computed in f32.
fn of_called<T: Float>(function: math::Function, value: Bits) -> Bits {
    T::rounded(function.apply(T::decode(value).computed())).encode()
}

/// Applies a math function of two arguments; f16 and bf16 are computed in f32.
fn of_called_with_two<T: Float>(function: math::BinaryFunction, left: Bits, right: Bits) -> Bits {
    T::rounded(function.apply(T::decode(left).computed(), T::decode(right).computed())).encode()
}

/// A number with the sign of another one; which sign a NaN has is not defined, so it counts as none.
fn with_sign_of<T: num_traits::Float>(size: T, sign: T) -> T {
    if sign.is_nan() { size.abs() } else { size.copysign(sign) }
}

extern "C" fn fma<T: Float>(left: Bits, right: Bits, summand: Bits) -> Bits {
    let (left, right, summand) = (T::decode(left), T::decode(right), T::decode(summand));
    T::rounded(left.computed().mul_add(right.computed(), summand.computed())).encode()
}

extern "C" fn not(value: Bits) -> Bits {
    (!bool::decode(value)).encode()
}

extern "C" fn index_divide(dividend: Bits, divisor: Bits) -> Bits {
    floor_divide(dividend as i64, divisor as i64) as Bits
}

extern "C" fn index_remainder(dividend: Bits, divisor: Bits) -> Bits {
    floor_remainder(dividend as i64, divisor as i64) as Bits
}

extern "C" fn convert<From: Element, To: Element>(value: Bits) -> Bits {
    To::narrow(From::decode(value).widen()).encode()
}

/// The function for numbers: `None` for `bool`.
macro_rules! number {
    ($element:expr, $alias:ident => $body:expr) => {
        with_integer!($element, $alias => $body).or_else(|| with_float!($element, $alias => $body))
    };
}

/// The function of an operator of one operand; `None` if the type has no such operator.
pub fn unary(operator: UnaryOp, element: ElementType) -> Option<Function1> {
    match operator {
        UnaryOp::Negate => number!(element, T => negate::<T> as Function1),
        UnaryOp::Not => (element == ElementType::Bool).then_some(not as Function1),
    }
}

/// The function of an operator of two operands of the given type; `None` if the type has no such operator.
///
/// For `&&` and `||` it takes two values; callers that need lazy evaluation do not use it.
pub fn binary(operator: BinaryOp, operands: ElementType) -> Option<Function2> {
    macro_rules! arithmetic {
        ($function:ident) => {
            number!(operands, T => $function::<T> as Function2)
        };
    }
    macro_rules! bits {
        ($function:ident) => {
            match operands {
                ElementType::Bool => Some($function::<bool> as Function2),
                _ => with_integer!(operands, T => $function::<T>),
            }
        };
    }
    macro_rules! comparison {
        ($function:ident) => {
            operands.computes().then(|| with_element!(operands, T => $function::<T> as Function2))
        };
    }
    match operator {
        BinaryOp::Add => arithmetic!(add),
        BinaryOp::Subtract => arithmetic!(subtract),
        BinaryOp::Multiply => arithmetic!(multiply),
        BinaryOp::Divide => arithmetic!(divide),
        BinaryOp::Remainder => arithmetic!(remainder),
        BinaryOp::FloorDivide => (operands == ElementType::I64).then_some(index_divide as Function2),
        BinaryOp::FloorRemainder => (operands == ElementType::I64).then_some(index_remainder as Function2),
        BinaryOp::BitXor => bits!(bit_xor),
        BinaryOp::BitAnd => bits!(bit_and),
        BinaryOp::BitOr => bits!(bit_or),
        BinaryOp::ShiftLeft => with_integer!(operands, T => shift_left::<T>),
        BinaryOp::ShiftRight => with_integer!(operands, T => shift_right::<T>),
        BinaryOp::Equal => comparison!(equal),
        BinaryOp::NotEqual => comparison!(not_equal),
        BinaryOp::Less => comparison!(less),
        BinaryOp::LessEqual => comparison!(less_equal),
        BinaryOp::Greater => comparison!(greater),
        BinaryOp::GreaterEqual => comparison!(greater_equal),
        BinaryOp::And => (operands == ElementType::Bool).then_some(bit_and::<bool> as Function2),
        BinaryOp::Or => (operands == ElementType::Bool).then_some(bit_or::<bool> as Function2),
    }
}

extern "C" fn same(value: Bits) -> Bits {
    value
}

/// The function of a cast between two element types. A cast to the same type changes nothing.
pub fn cast(from: ElementType, to: ElementType) -> Function1 {
    if from == to {
        return same;
    }
    with_element!(from, From => with_element!(to, To => convert::<From, To>))
}

/// The function of a math function on a type; `None` if the type has no such function.
pub fn math(function: MathFunction, element: ElementType) -> Option<Function> {
    macro_rules! float {
        ($name:ident) => {
            with_float!(element, T => Function::One($name::<T>))
        };
    }
    match function.operation().compute {
        Compute::Function(called) => {
            return with_float!(element, T => Function::Called(of_called::<T>, called));
        }
        Compute::BinaryFunction(called) => {
            return with_float!(element, T => Function::CalledWithTwo(of_called_with_two::<T>, called));
        }
        Compute::Instruction => {}
    }
    match function {
        MathFunction::Abs => number!(element, T => Function::One(absolute::<T>)),
        MathFunction::Min => number!(element, T => Function::Two(minimum::<T>)),
        MathFunction::Max => number!(element, T => Function::Two(maximum::<T>)),
        MathFunction::Sqrt => float!(sqrt),
        MathFunction::Floor => float!(floor),
        MathFunction::Ceil => float!(ceil),
        MathFunction::Round => float!(round),
        MathFunction::Copysign => with_float!(element, T => Function::Two(copysign::<T>)),
        MathFunction::Popcount => with_integer!(element, T => Function::One(popcount::<T>)),
        MathFunction::Clz => with_integer!(element, T => Function::One(leading_zeros::<T>)),
        MathFunction::Ctz => with_integer!(element, T => Function::One(trailing_zeros::<T>)),
        MathFunction::Ffs => with_integer!(element, T => Function::One(first_one::<T>)),
        MathFunction::Brev => with_integer!(element, T => Function::One(reverse_bits::<T>)),
        MathFunction::Mulhi => with_integer!(element, T => Function::Two(multiply_high::<T>)),
        MathFunction::Fma => with_float!(element, T => Function::Three(fma::<T>)),
        // All other functions are called.
        _ => None,
    }
}

impl Function {
    /// The value of the function; `None` for a wrong number of operands.
    pub fn apply(self, operands: &[Bits]) -> Option<Bits> {
        Some(match (self, operands) {
            (Function::One(function), &[value]) => function(value),
            (Function::Two(function), &[left, right]) => function(left, right),
            (Function::Three(function), &[first, second, third]) => function(first, second, third),
            (Function::Called(function, called), &[value]) => function(called, value),
            (Function::CalledWithTwo(function, called), &[left, right]) => function(called, left, right),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_defined_on_a_type_is_what_can_be_computed() {
        for element in ElementType::ALL {
            for operator in UnaryOp::ALL {
                assert_eq!(
                    unary(operator, element).is_some(),
                    operator.is_defined_on(element),
                    "{operator:?} {element}"
                );
            }
            for operator in BinaryOp::ALL {
                let computed = binary(operator, element).is_some();
                assert_eq!(computed, operator.is_defined_on(element), "{operator:?} {element}");
            }
            for &function in MathFunction::ALL {
                let computed = math(function, element);
                assert_eq!(computed.is_some(), function.is_defined_on(element), "{function:?} {element}");
                let zeros = vec![0; function.operation().operands];
                assert!(computed.is_none_or(|computed| computed.apply(&zeros).is_some()), "{function:?} {element}");
            }
        }
    }
}
