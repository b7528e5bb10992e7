//! Counterexamples in words that a person can check by hand.

use std::fmt;

use super::{Counterexample, CounterexampleKind};

/// One coordinate without parentheses, several with.
struct Coordinate<'a>(&'a [i64]);

impl fmt::Display for Coordinate<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [one] => write!(formatter, "{one}"),
            several => {
                let parts: Vec<String> = several.iter().map(i64::to_string).collect();
                write!(formatter, "({})", parts.join(", "))
            }
        }
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            CounterexampleKind::Collision { first, second, lower } => {
                let (first, second, lower) = (Coordinate(first), Coordinate(second), Coordinate(lower));
                write!(formatter, "{first} and {second} both reach {lower}")?;
            }
            CounterexampleKind::OutOfBounds { upper, lower, bounds } => {
                let (upper, lower, bounds) = (Coordinate(upper), Coordinate(lower), Coordinate(bounds));
                write!(formatter, "{upper} reaches {lower}, which is not below {bounds}")?;
            }
            CounterexampleKind::Unwritten { lower } => {
                write!(formatter, "nothing reaches {}", Coordinate(lower))?;
            }
            CounterexampleKind::Difference { upper, left, right } => {
                let side = |side: &Option<Vec<i64>>| match side {
                    Some(lower) => Coordinate(lower).to_string(),
                    None => "nowhere".to_owned(),
                };
                write!(formatter, "{} leads to {} and to {}", Coordinate(upper), side(left), side(right))?;
            }
            CounterexampleKind::IndexWidth { index, bits } => {
                write!(formatter, "index {index} needs more than {bits} bits")?;
            }
            CounterexampleKind::Threads(mismatch) => write!(formatter, "{mismatch}")?,
            CounterexampleKind::Sizes => formatter.write_str("it fails")?,
        }
        for (position, (symbol, value)) in self.sizes.iter().enumerate() {
            let lead = if position == 0 { " for " } else { ", " };
            write!(formatter, "{lead}{symbol} = {value}")?;
        }
        Ok(())
    }
}
