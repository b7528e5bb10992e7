//! From an operator and its element type to the function that computes it.

use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::typed::{BinaryOp, MathFunction, UnaryOp};

use super::number::{
    Arithmetic, Bits, Bitwise, Float, Number, Ordered, RealFunctions, Shift, floor_divide, floor_remainder,
};

/// A function of one value. `extern "C"`, because compiled kernels call these functions too.
pub type Function1 = extern "C" fn(Bits) -> Bits;
/// A function of two values.
pub type Function2 = extern "C" fn(Bits, Bits) -> Bits;
/// A function of three values.
pub type Function3 = extern "C" fn(Bits, Bits, Bits) -> Bits;

/// A function with its number of operands.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// Of one operand.
    One(Function1),
    /// Of two operands.
    Two(Function2),
    /// Of three operands.
    Three(Function3),
}

macro_rules! functions1 {
    ($($name:ident <$type:ident : $bound:path> $body:expr;)*) => {$(
        extern "C" fn $name<$type: $bound>(value: Bits) -> Bits {
            let body: fn($type) -> _ = $body;
            body($type::from_bits(value)).to_bits()
        }
    )*};
}

macro_rules! functions2 {
    ($($name:ident <$type:ident : $bound:path> $body:expr;)*) => {$(
        extern "C" fn $name<$type: $bound>(left: Bits, right: Bits) -> Bits {
            let body: fn($type, $type) -> _ = $body;
            body($type::from_bits(left), $type::from_bits(right)).to_bits()
        }
    )*};
}

functions1! {
    negate<T: Arithmetic> T::negate;
    absolute<T: Arithmetic> T::absolute;
    sqrt<T: Float> |value| T::rounded(value.computed().sqrt());
    rsqrt<T: Float> |value| T::rounded(value.computed().rsqrt());
    exp<T: Float> |value| T::rounded(value.computed().exp());
    exp2<T: Float> |value| T::rounded(value.computed().exp2());
    log<T: Float> |value| T::rounded(value.computed().log());
    log2<T: Float> |value| T::rounded(value.computed().log2());
    sin<T: Float> |value| T::rounded(value.computed().sin());
    cos<T: Float> |value| T::rounded(value.computed().cos());
    tanh<T: Float> |value| T::rounded(value.computed().tanh());
    floor<T: Float> |value| T::rounded(value.computed().floor());
    ceil<T: Float> |value| T::rounded(value.computed().ceil());
    round<T: Float> |value| T::rounded(value.computed().round());
}

functions2! {
    add<T: Arithmetic> T::add;
    subtract<T: Arithmetic> T::subtract;
    multiply<T: Arithmetic> T::multiply;
    divide<T: Arithmetic> T::divide;
    remainder<T: Arithmetic> T::remainder;
    minimum<T: Arithmetic> T::minimum;
    maximum<T: Arithmetic> T::maximum;
    bit_xor<T: Bitwise> T::xor;
    bit_and<T: Bitwise> T::and;
    bit_or<T: Bitwise> T::or;
    shift_left<T: Shift> T::shift_left;
    shift_right<T: Shift> T::shift_right;
    equal<T: Ordered> T::equal;
    not_equal<T: Ordered> |left, right| !left.equal(right);
    less<T: Ordered> T::less;
    less_equal<T: Ordered> T::less_equal;
    greater<T: Ordered> |left, right| right.less(left);
    greater_equal<T: Ordered> |left, right| right.less_equal(left);
    pow<T: Float> |value, exponent| T::rounded(value.computed().pow(exponent.computed()));
}

extern "C" fn fma<T: Float>(left: Bits, right: Bits, summand: Bits) -> Bits {
    let (left, right, summand) = (T::from_bits(left), T::from_bits(right), T::from_bits(summand));
    T::rounded(left.computed().fma(right.computed(), summand.computed())).to_bits()
}

extern "C" fn not(value: Bits) -> Bits {
    (!bool::from_bits(value)).to_bits()
}

extern "C" fn index_divide(dividend: Bits, divisor: Bits) -> Bits {
    floor_divide(dividend as i64, divisor as i64) as Bits
}

extern "C" fn index_remainder(dividend: Bits, divisor: Bits) -> Bits {
    floor_remainder(dividend as i64, divisor as i64) as Bits
}

extern "C" fn convert<From: Number, To: Number>(value: Bits) -> Bits {
    To::narrow(From::from_bits(value).widen()).to_bits()
}

/// Evaluates `$body` with `$alias` standing for the Rust type of an element type in the listed classes, else `$other`.
macro_rules! by_class {
    ($element:expr, $alias:ident => { $($class:ident)* } $body:expr, else $other:expr) => {{
        #[allow(unreachable_patterns, reason = "classes may overlap with the catch-all")]
        match $element {
            $(by_class!(@pattern $class) => by_class!(@body $class $element, $alias, $body),)*
            _ => $other,
        }
    }};
    (@pattern bool) => { ElementType::Bool };
    (@pattern integers) => {
        ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64
            | ElementType::U8 | ElementType::U16 | ElementType::U32 | ElementType::U64
    };
    (@pattern floats) => { ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64 };
    (@body bool $element:expr, $alias:ident, $body:expr) => {{ type $alias = bool; $body }};
    (@body integers $element:expr, $alias:ident, $body:expr) => {
        match $element {
            ElementType::I8 => { type $alias = i8; $body }
            ElementType::I16 => { type $alias = i16; $body }
            ElementType::I32 => { type $alias = i32; $body }
            ElementType::I64 => { type $alias = i64; $body }
            ElementType::U8 => { type $alias = u8; $body }
            ElementType::U16 => { type $alias = u16; $body }
            ElementType::U32 => { type $alias = u32; $body }
            _ => { type $alias = u64; $body }
        }
    };
    (@body floats $element:expr, $alias:ident, $body:expr) => {
        match $element {
            ElementType::F16 => { type $alias = half::f16; $body }
            ElementType::Bf16 => { type $alias = half::bf16; $body }
            ElementType::F32 => { type $alias = f32; $body }
            _ => { type $alias = f64; $body }
        }
    };
}

/// The function of an operator of one operand; `None` where the type has no such operator.
pub fn unary(operator: UnaryOp, element: ElementType) -> Option<Function1> {
    match operator {
        UnaryOp::Negate => by_class!(element, T => { integers floats } Some(negate::<T>), else None),
        UnaryOp::Not => (element == ElementType::Bool).then_some(not as Function1),
    }
}

/// The function of an operator of two operands of the given type; `None` where the type has no such operator.
///
/// For `&&` and `||` this is the function of two values that are both known; whoever needs their laziness does not
/// call it.
pub fn binary(operator: BinaryOp, operands: ElementType) -> Option<Function2> {
    macro_rules! number {
        ($function:ident) => {
            by_class!(operands, T => { integers floats } Some($function::<T>), else None)
        };
    }
    macro_rules! bits {
        ($function:ident) => {
            by_class!(operands, T => { bool integers } Some($function::<T>), else None)
        };
    }
    macro_rules! any {
        ($function:ident) => {
            by_class!(operands, T => { bool integers floats } Some($function::<T>), else None)
        };
    }
    match operator {
        BinaryOp::Add => number!(add),
        BinaryOp::Subtract => number!(subtract),
        BinaryOp::Multiply => number!(multiply),
        BinaryOp::Divide => number!(divide),
        BinaryOp::Remainder => number!(remainder),
        BinaryOp::FloorDivide => (operands == ElementType::I64).then_some(index_divide as Function2),
        BinaryOp::FloorRemainder => (operands == ElementType::I64).then_some(index_remainder as Function2),
        BinaryOp::BitXor => bits!(bit_xor),
        BinaryOp::BitAnd => bits!(bit_and),
        BinaryOp::BitOr => bits!(bit_or),
        BinaryOp::ShiftLeft => by_class!(operands, T => { integers } Some(shift_left::<T>), else None),
        BinaryOp::ShiftRight => by_class!(operands, T => { integers } Some(shift_right::<T>), else None),
        BinaryOp::Equal => any!(equal),
        BinaryOp::NotEqual => any!(not_equal),
        BinaryOp::Less => any!(less),
        BinaryOp::LessEqual => any!(less_equal),
        BinaryOp::Greater => any!(greater),
        BinaryOp::GreaterEqual => any!(greater_equal),
        BinaryOp::And => (operands == ElementType::Bool).then_some(bit_and::<bool> as Function2),
        BinaryOp::Or => (operands == ElementType::Bool).then_some(bit_or::<bool> as Function2),
    }
}

/// Whether the operator compares, so that its result is a `bool` whatever its operands are.
pub fn is_comparison(operator: BinaryOp) -> bool {
    matches!(
        operator,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
    )
}

/// The function of a cast between two element types.
pub fn cast(from: ElementType, to: ElementType) -> Function1 {
    by_class!(from, From => { bool integers floats }
        by_class!(to, To => { bool integers floats } convert::<From, To> as Function1, else convert::<From, bool>),
        else convert::<bool, bool>)
}

/// The function of a math function on a type; `None` where the type has no such function.
pub fn math(function: MathFunction, element: ElementType) -> Option<Function> {
    macro_rules! float {
        ($name:ident) => {
            by_class!(element, T => { floats } Some(Function::One($name::<T>)), else None)
        };
    }
    macro_rules! number {
        ($kind:ident, $name:ident) => {
            by_class!(element, T => { integers floats } Some(Function::$kind($name::<T>)), else None)
        };
    }
    match function {
        MathFunction::Abs => number!(One, absolute),
        MathFunction::Min => number!(Two, minimum),
        MathFunction::Max => number!(Two, maximum),
        MathFunction::Sqrt => float!(sqrt),
        MathFunction::Rsqrt => float!(rsqrt),
        MathFunction::Exp => float!(exp),
        MathFunction::Exp2 => float!(exp2),
        MathFunction::Log => float!(log),
        MathFunction::Log2 => float!(log2),
        MathFunction::Sin => float!(sin),
        MathFunction::Cos => float!(cos),
        MathFunction::Tanh => float!(tanh),
        MathFunction::Floor => float!(floor),
        MathFunction::Ceil => float!(ceil),
        MathFunction::Round => float!(round),
        MathFunction::Pow => by_class!(element, T => { floats } Some(Function::Two(pow::<T>)), else None),
        MathFunction::Fma => by_class!(element, T => { floats } Some(Function::Three(fma::<T>)), else None),
    }
}
