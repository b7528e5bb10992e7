//! The wording of verdicts: the one place where evidence becomes text.
//!
//! A rule, a reason and a counterexample are each the end of a sentence: lower case, without a full stop.

use std::fmt;

use super::{Counterexample, CounterexampleKind, Found, Reason, Rule};

/// One coordinate without parentheses, several with.
struct Coordinate<'a>(&'a [i64]);

impl fmt::Display for Coordinate<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [one] => write!(formatter, "{one}"),
            several => write!(formatter, "({})", list(several)),
        }
    }
}

/// `a, b, c`
fn list<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<String>>().join(", ")
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::NoPoints => formatter.write_str("there are no points"),
            Rule::NoSlots => formatter.write_str("there are no slots"),
            Rule::OnePoint => formatter.write_str("there is only one point"),
            Rule::OneThread => formatter.write_str("there is only one thread"),
            Rule::NestedStrides { strides, undoes_xor, undoes_remainder } => {
                let strides = list(strides);
                write!(
                    formatter,
                    "nested strides {strides} (T1, T9): each is larger than all that the smaller ones add up to"
                )?;
                if *undoes_xor {
                    formatter.write_str("; an xor is undone where one side of it is known (T4)")?;
                }
                match undoes_remainder {
                    true => {
                        formatter.write_str("; a remainder is undone where the rest of its sum stays within one period")
                    }
                    false => Ok(()),
                }
            }
            Rule::TwoStridesApart => formatter.write_str("no two points differ by what the strides cancel (T2)"),
            Rule::StridesApart => formatter.write_str("no two points differ by what the strides cancel (T10)"),
            Rule::RelationEmpty => {
                formatter.write_str("no two points have the differences that the relation asks for (T10)")
            }
            Rule::NoGap { symbolic: true } => formatter.write_str("strides that leave no gap cover the slots (T3, T9)"),
            Rule::NoGap { symbolic: false } => formatter.write_str("strides that leave no gap cover the slots (T3)"),
            Rule::NoBitsCancel => formatter.write_str("the map is linear over bits and no bits cancel (T5)"),
            Rule::BitsReachAll => formatter.write_str("the map is linear over bits and reaches them all (T5)"),
            Rule::SameNormalForm => formatter.write_str("both maps have the same normal form (T7)"),
            Rule::Below(bounds) => write!(formatter, "the largest index is below {}", list(bounds)),
            Rule::CornersInside => formatter.write_str("no corner of the map leaves the bounds"),
            Rule::FitsBits(bits) => write!(formatter, "every index fits in {bits} bits"),
            Rule::EveryPoint(points) => write!(formatter, "each of the {points} points was tried"),
            Rule::FollowsFromFacts => formatter.write_str("it follows from the facts for every size"),
            Rule::Solver { name } => write!(formatter, "an SMT solver ({name}) found that there is no counterexample"),
            Rule::Threads(matched) => write!(formatter, "{matched}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::LowerRank { found, asked } => {
                write!(formatter, "the map has {found} lower coordinates, not {asked}")
            }
            Reason::DifferentRanks => formatter.write_str("the maps have different numbers of coordinates"),
            Reason::ExtentsNotComparable(error) => {
                write!(formatter, "the extents of the maps cannot be compared: {error}")
            }
            Reason::NoNormalForm(error) => write!(formatter, "the map has no normal form: {error}"),
            Reason::DifferentNormalForms => formatter.write_str("the maps have different normal forms"),
            Reason::Sizes(error) => write!(formatter, "{error}"),
            Reason::NotEnumerable(error) => write!(formatter, "the points of the map cannot be gone through: {error}"),
            Reason::TooManyPoints { limit } => {
                write!(formatter, "the map has more than {limit} points, too many to try each")
            }
            Reason::TooManySlots => formatter.write_str("there are too many slots to look at each"),
            Reason::TooManyOwnedSlots => formatter.write_str("there are too many slots to note the thread of each"),
            Reason::ScatteredSlots => formatter.write_str("the slots are too far apart for a table"),
            Reason::NoUpperEnd => formatter.write_str("a coordinate has no upper end"),
            Reason::CoordinatesNotDetermined(axes) => {
                let coordinates = if axes.len() == 1 { "coordinate" } else { "coordinates" };
                write!(
                    formatter,
                    "it is not known that points with different {coordinates} {} lead to different slots",
                    list(axes)
                )
            }
            Reason::NotKnownBelow(bounds) => {
                write!(formatter, "the index is not known to stay below {}", list(bounds))
            }
            Reason::NotKnownToCover => formatter.write_str("the map is not known to reach every slot"),
            Reason::Unconfirmed(found) => write!(formatter, "{found} was found and could not be confirmed"),
            Reason::NumbersTooLarge => formatter.write_str("the maps have numbers that are too large to be compared"),
            Reason::SearchEndedEarly => formatter.write_str("the search for two such points ended early"),
            Reason::SizesDecide => formatter.write_str("only the sizes decide whether there are two such points"),
            Reason::FactsDoNotDecide => formatter.write_str("the facts about the symbols do not decide it"),
            Reason::EachSideFails => {
                formatter.write_str("each side fails for some sizes, and none are known for which both do")
            }
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Found::Collision => "a collision",
            Found::OutOfBounds => "a point out of bounds",
            Found::Difference => "a difference",
        })
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
