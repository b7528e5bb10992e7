//! Displays values in the notation of the language.

use std::fmt;

use super::{Truth, Value};
use proofs::Verdict;

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(formatter, "{value}"),
            Self::Unsigned(value) => write!(formatter, "{value}"),
            Self::Float(value) => write!(formatter, "{value:?}"),
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Text(value) => write!(formatter, "{value:?}"),
            Self::Shape(shape) => write!(formatter, "{shape}"),
            Self::Tuple(values) => separated(formatter, '(', values, ')'),
            Self::List(values) => separated(formatter, '[', values, ']'),
            Self::Range(low, high) => write!(formatter, "{low}..{high}"),
            Self::Nothing => formatter.write_str("_"),
            Self::Map(map) => write!(formatter, "{map}"),
            Self::Unit(unit) => formatter.write_str(&unit.notation()),
            Self::Tiling(tiling) => write!(formatter, "{tiling}"),
            Self::Threads(threads) => write!(formatter, "{threads}"),
            Self::Function(function) => {
                write!(formatter, "fn {}({})", function.function.name.text, function.parameters().join(", "))
            }
            Self::Truth(truth) => write!(formatter, "{truth}"),
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Proven { rule } => write!(formatter, "{}: proven ({rule})", !self.negated),
            Verdict::Refuted { counterexample, .. } => {
                write!(formatter, "{}: refuted ({counterexample})", self.negated)
            }
            Verdict::Open { obligation: Some(fact), .. } => write!(formatter, "open: it would hold if `{fact}`"),
            Verdict::Open { reason, .. } => write!(formatter, "open: {reason}"),
        }
    }
}

fn separated(formatter: &mut fmt::Formatter<'_>, open: char, values: &[Value], close: char) -> fmt::Result {
    write!(formatter, "{open}")?;
    for (position, value) in values.iter().enumerate() {
        if position > 0 {
            formatter.write_str(", ")?;
        }
        write!(formatter, "{value}")?;
    }
    write!(formatter, "{close}")
}
