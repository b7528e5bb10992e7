//! The functions that kernels and expectations call: a file for each, and a line in the list at the end of this file.
//!
//! A file has everything particular to its function: its syntax, operands and meaning, and its names in generated
//! code and in other languages. Typing, hover, completion, signature help, the word lists of the editors and every
//! executor read it from here.
//!
//! Begin with [`Function`], then read `exp.rs` (computed by each executor) and `clamp.rs` (made of other functions).

mod operation;
mod signature;
mod term;
#[cfg(test)]
mod tests;

use std::fmt;

use super::typed::BinaryOp;

pub use operation::{Compute, Operation};
pub use signature::{Choice, Given, Parameter, Signature};
pub use term::{Build, Term};

/// A function that can be called.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// What it means, in one to three sentences.
    pub text: &'static str,
    /// An error-free source file that calls it.
    pub example: &'static str,
    /// Its other names in CUDA, CuTe, numpy and Triton.
    pub elsewhere: &'static [&'static str],
    /// Which operands it takes.
    pub takes: Operands,
    /// What it computes.
    pub meaning: Meaning,
}

/// Which operands a function takes; they all have one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Floats. A bare number becomes `f32` where no operand has a type.
    Floats,
    /// Numbers of any type.
    Numbers,
    /// Two or more numbers of any type: the function is applied from the left.
    ManyNumbers,
    /// Integers.
    Integers,
    /// Sizes, known while the kernel is checked.
    Sizes,
}

/// How many arguments a call has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentCount {
    /// This many.
    Exactly(usize),
    /// This many or more.
    AtLeast(usize),
}

impl ArgumentCount {
    /// Whether a call may have `found` arguments.
    pub fn allows(self, found: usize) -> bool {
        match self {
            Self::Exactly(count) => found == count,
            Self::AtLeast(least) => found >= least,
        }
    }
}

impl fmt::Display for ArgumentCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(1) => formatter.write_str("1 argument"),
            Self::Exactly(count) => write!(formatter, "{count} arguments"),
            Self::AtLeast(least) => write!(formatter, "at least {least} arguments"),
        }
    }
}

/// What a function computes.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// An operation of the typed kernel, which every executor computes.
    Operation(MathFunction),
    /// An operator that is written as a call.
    Operator(BinaryOp),
    /// An expression of operations and operators.
    Term(&'static Term),
    /// A size, computed while the kernel is checked.
    Size(SizeFunction),
}

/// A function of two sizes that gives a size, computed while the kernel is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeFunction {
    /// Division, rounded up.
    CeilingDivide,
    /// The smaller one.
    Least,
    /// The larger one.
    Greatest,
}

impl Function {
    /// The function of a name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        FUNCTIONS.iter().copied().find(|function| function.name == name)
    }

    /// The function with a name elsewhere: `expf` is `exp`.
    pub fn from_elsewhere(name: &str) -> Option<&'static Self> {
        FUNCTIONS.iter().copied().find(|function| function.elsewhere.contains(&name))
    }

    /// How many arguments a call has.
    pub fn count(&self) -> ArgumentCount {
        let count = self.parameters.len();
        let is_open = self.parameters.iter().any(|parameter| parameter.is_repeated);
        if is_open { ArgumentCount::AtLeast(count) } else { ArgumentCount::Exactly(count) }
    }

    /// Whether its result is a `bool`; otherwise it has the type of its operands.
    pub fn gives_bool(&self) -> bool {
        match self.meaning {
            Meaning::Term(term) => term.gives_bool(),
            Meaning::Operation(_) | Meaning::Operator(_) | Meaning::Size(_) => false,
        }
    }

    /// What calls with only sizes compute, which are sizes; `None` of functions that never give sizes.
    pub fn of_sizes(&self) -> Option<SizeFunction> {
        match self.meaning {
            Meaning::Size(function) => Some(function),
            Meaning::Operation(MathFunction::Min) => Some(SizeFunction::Least),
            Meaning::Operation(MathFunction::Max) => Some(SizeFunction::Greatest),
            Meaning::Operation(_) | Meaning::Operator(_) | Meaning::Term(_) => None,
        }
    }
}

/// A function of one float that each executor computes: its word, what it means, its operation, its names elsewhere.
macro_rules! of_float {
    ($name:literal, $text:literal, $operation:ident, $elsewhere:expr) => {
        $crate::functions::Function {
            name: $name,
            parameters: &[$crate::functions::Parameter::new("x", "a float")],
            text: concat!($text, " `f16` and `bf16` are computed in `f32` and rounded once."),
            example: concat!(
                "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = ",
                $name,
                "(x[i]); }\n}"
            ),
            elsewhere: $elsewhere,
            takes: $crate::functions::Operands::Floats,
            meaning: $crate::functions::Meaning::Operation($crate::functions::MathFunction::$operation),
        }
    };
}

/// A function of two integers that is an operator: its word, its parameters, what it means, its operator, an example call.
macro_rules! of_bits {
    ($name:literal, $parameters:expr, $text:literal, $operator:ident, $example:literal, $elsewhere:expr) => {
        $crate::functions::Function {
            name: $name,
            parameters: $parameters,
            text: $text,
            example: concat!(
                "kernel apply(x: i32[8], y: mut i32[8]) {\n    for i in grid(8) { y[i] = ",
                $example,
                "; }\n}"
            ),
            elsewhere: $elsewhere,
            takes: $crate::functions::Operands::Integers,
            meaning: $crate::functions::Meaning::Operator($crate::typed::BinaryOp::$operator),
        }
    };
}

/// Declares the files of functions and lists them. Those with an operation come first, each with the name of its
/// [`MathFunction`].
macro_rules! functions {
    (operations { $($module:ident => $operation:ident,)* } others { $($other:ident,)* }) => {
        $(mod $module;)*
        $(mod $other;)*

        operation::operations! { $($module => $operation,)* }

        /// Every function, in the order of the reference.
        pub static FUNCTIONS: &[&Function] = &[$(&$module::FUNCTION,)* $(&$other::FUNCTION,)*];
    };
}

functions! {
    operations {
        sqrt => Sqrt,
        rsqrt => Rsqrt,
        exp => Exp,
        exp2 => Exp2,
        log => Log,
        log2 => Log2,
        log10 => Log10,
        sin => Sin,
        cos => Cos,
        tan => Tan,
        atan => Atan,
        tanh => Tanh,
        erf => Erf,
        cbrt => Cbrt,
        floor => Floor,
        ceil => Ceil,
        round => Round,
        abs => Abs,
        min => Min,
        max => Max,
        pow => Pow,
        atan2 => Atan2,
        hypot => Hypot,
        copysign => Copysign,
        fma => Fma,
        popcount => Popcount,
        clz => Clz,
        ctz => Ctz,
        ffs => Ffs,
        brev => Brev,
        mulhi => Mulhi,
    }
    others {
        clamp,
        isnan,
        cdiv,
        bit_and,
        bit_or,
        bit_xor,
        shift_left,
        shift_right,
    }
}
