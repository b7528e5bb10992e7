//! The operations behind math functions: operations of the typed kernel, which every executor implements.

/// The properties of an operation for generated code and cost estimates.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The function of CUDA that computes it on `float`, or on integers of 32 bits.
    pub cuda_single: &'static str,
    /// The function of CUDA that computes it on `double`, or on integers of 64 bits.
    pub cuda_double: &'static str,
    /// How many operands it has.
    pub operands: usize,
    /// How it is computed.
    pub compute: Compute,
}

/// How an operation on `f32` and `f64` is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compute {
    /// By one or a few instructions, which every executor emits itself.
    Instruction,
    /// By a function of one number with the same bits everywhere.
    Function(math::Function),
    /// By a function of two numbers with the same bits everywhere.
    BinaryFunction(math::BinaryFunction),
}

impl Operation {
    /// An operation of one operand computed by a function, with its CUDA names for `float` and `double`.
    pub(super) const fn called(function: math::Function, cuda_single: &'static str, cuda_double: &'static str) -> Self {
        Self { cuda_single, cuda_double, operands: 1, compute: Compute::Function(function) }
    }

    /// An operation of two operands computed by a function, with its CUDA names for `float` and `double`.
    pub(super) const fn called_with_two(
        function: math::BinaryFunction,
        cuda_single: &'static str,
        cuda_double: &'static str,
    ) -> Self {
        Self { cuda_single, cuda_double, operands: 2, compute: Compute::BinaryFunction(function) }
    }
}

/// Makes [`MathFunction`] of the list of files that have an operation.
macro_rules! operations {
    ($($module:ident => $operation:ident,)*) => {
        /// An operation of numbers of one type. Those of f16 and bf16 are computed in f32 and rounded once.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the file of each function says what it computes")]
        pub enum MathFunction {
            $($operation,)*
        }

        impl MathFunction {
            /// Every operation, in the order of the reference.
            pub const ALL: &[Self] = &[$(Self::$operation,)*];

            /// The properties of the operation.
            pub const fn operation(self) -> &'static Operation {
                match self {
                    $(Self::$operation => &$module::OPERATION,)*
                }
            }

            /// The value of a function of one or two floats, computed as in an `f64`; `None` of the others.
            pub fn of_floats(self, operands: &[f64]) -> Option<f64> {
                match (self.operation().compute, self, operands) {
                    (Compute::Function(function), _, [value]) => Some(function.apply(*value)),
                    (Compute::BinaryFunction(function), _, [left, right]) => Some(function.apply(*left, *right)),
                    (Compute::Instruction, Self::Abs, [value]) => Some(value.abs()),
                    (Compute::Instruction, Self::Sqrt, [value]) => Some(value.sqrt()),
                    (Compute::Instruction, Self::Floor, [value]) => Some(value.floor()),
                    (Compute::Instruction, Self::Ceil, [value]) => Some(value.ceil()),
                    (Compute::Instruction, Self::Round, [value]) => Some(value.round_ties_even()),
                    (Compute::Instruction, Self::Copysign, [size, sign]) => Some(size.copysign(*sign)),
                    _ => None,
                }
            }

            /// Whether it is of integers only, and depends on how many bits their type has.
            pub const fn is_of_bits(self) -> bool {
                matches!(
                    self,
                    Self::Popcount | Self::Clz | Self::Ctz | Self::Ffs | Self::Brev | Self::Mulhi
                )
            }

            /// Whether numbers of a type have the operation.
            pub fn is_defined_on(self, element: elements::ElementType) -> bool {
                match self {
                    Self::Abs | Self::Min | Self::Max => element.computes() && element != elements::ElementType::Bool,
                    _ if self.is_of_bits() => element.is_integer(),
                    _ => element.computes() && element.is_float(),
                }
            }

            /// The name of its function.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$operation => $module::FUNCTION.name,)*
                }
            }
        }
    };
}

pub(super) use operations;
