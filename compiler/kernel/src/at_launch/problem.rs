//! Why a kernel cannot be launched with some sizes, and how that is said.

use std::collections::BTreeMap;
use std::fmt;

use crate::typed::Claim;
use dims::Symbol;
use proofs::{Counterexample, Reason};

/// Why a kernel cannot be launched with some sizes; the text is a part of a sentence about the launch.
#[derive(Clone, Debug, PartialEq)]
pub enum LaunchProblem {
    /// A size is larger than all that proofs count with.
    SizeTooLarge {
        /// The symbol.
        symbol: Symbol,
        /// Its value.
        size: i64,
    },
    /// An index may not fit in 64 bits.
    IndexTooLarge {
        /// The index, in the notation of the language.
        index: String,
        /// What it may become.
        value: i128,
        /// The sizes of the launch.
        sizes: BTreeMap<Symbol, i64>,
    },
    /// A claim about accesses does not hold, or is not known to.
    Claim {
        /// The name of the accessed memory.
        memory: String,
        /// The claim.
        claim: Claim,
        /// What speaks against it.
        evidence: Evidence,
    },
}

/// What speaks against a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// It does not hold.
    Refuted(Counterexample),
    /// It could not be shown.
    Open(Reason),
}

impl fmt::Display for LaunchProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SizeTooLarge { symbol, size } => {
                write!(formatter, "`{symbol}` is {size}, and a size is below 2⁶²")
            }
            Self::IndexTooLarge { index, value, sizes } => {
                let sizes: Vec<String> = sizes.iter().map(|(symbol, size)| format!("{symbol} = {size}")).collect();
                write!(
                    formatter,
                    "`{index}` may become {value}, which does not fit in 64 bits, with {}; run it with smaller sizes",
                    sizes.join(", ")
                )
            }
            Self::Claim { memory, claim, evidence: Evidence::Refuted(counterexample) } => match claim {
                Claim::InBounds(_) => write!(formatter, "an access leaves `{memory}`: {counterexample}"),
                Claim::WithinView(_) => write!(formatter, "an index leaves its view of `{memory}`: {counterexample}"),
                Claim::RaceFree => write!(formatter, "two threads write one element of `{memory}`: {counterexample}"),
            },
            Self::Claim { memory, claim, evidence: Evidence::Open(reason) } => {
                formatter.write_str("it could not be shown that ")?;
                match claim {
                    Claim::InBounds(_) => write!(formatter, "every access stays inside `{memory}`: {reason}"),
                    Claim::WithinView(_) => {
                        write!(formatter, "every index into a view of `{memory}` stays inside it: {reason}")
                    }
                    Claim::RaceFree => {
                        write!(formatter, "the threads write different elements of `{memory}`: {reason}")
                    }
                }
            }
        }
    }
}
