//! The operations behind math functions: what the typed kernel says and every executor computes.

/// What generated code and estimates must know of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The function of CUDA that computes it on `float`.
    pub cuda_single: &'static str,
    /// The function of CUDA that computes it on `double`.
    pub cuda_double: &'static str,
    /// How many operands it has.
    pub operands: usize,
    /// How long it takes on one value, in simple operations.
    pub work: f64,
}

impl Operation {
    /// A function of one operand that is computed by a polynomial, under its names in CUDA on `float` and on `double`.
    pub(super) const fn elementary(cuda_single: &'static str, cuda_double: &'static str) -> Self {
        Self { cuda_single, cuda_double, operands: 1, work: 15.0 }
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

            /// What is known of the operation.
            pub const fn operation(self) -> &'static Operation {
                match self {
                    $(Self::$operation => &$module::OPERATION,)*
                }
            }

            /// The word that calls it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$operation => $module::FUNCTION.name,)*
                }
            }
        }
    };
}

pub(super) use operations;
