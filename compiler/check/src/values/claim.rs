//! Claims of Booleans with evidence.

use std::fmt;

use dims::Fact;
use maps::threads::Unit;

/// A claim about all sizes that the facts allow.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// `m.injective`
    Injective,
    /// `m.race_free`
    RaceFree,
    /// `m.in_bounds`
    InBounds,
    /// `m.covers`
    Covers,
    /// `m.fits(bits)`
    Fits,
    /// `m == g`
    SameMap,
    /// A comparison of sizes.
    Comparison(Fact),
    /// `work.matches(unit)`
    Matches {
        /// The unit.
        unit: Unit,
        /// Whether the tiling has iterators, so that there is more than one iteration.
        iterators: bool,
    },
    /// The disjunction of two claims, for each size.
    Either(Box<Claim>, Box<Claim>),
}

impl fmt::Display for Claim {
    /// Writes a clause that can follow "the claim that".
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Injective => formatter.write_str("the map is injective"),
            Self::RaceFree => formatter.write_str("the map is free of races"),
            Self::InBounds => formatter.write_str("every valid coordinate stays in bounds"),
            Self::Covers => formatter.write_str("every slot is reached"),
            Self::Fits => formatter.write_str("every index fits"),
            Self::SameMap => formatter.write_str("the maps are equal"),
            Self::Comparison(fact) => write!(formatter, "`{} {} {}`", fact.left, fact.op, fact.right),
            Self::Matches { unit, iterators: false } => write!(formatter, "the threads are one `{unit}`"),
            Self::Matches { unit, iterators: true } => {
                write!(formatter, "the threads of every iteration are one `{unit}`")
            }
            Self::Either(left, right) => write!(formatter, "{left} or {right}"),
        }
    }
}
