//! Errors in units and in the steps of tilings, with their numbers.

use std::fmt;

use super::{Launch, Scale, Size};
use crate::hardware::{MOST_BLOCK_THREADS, MOST_CLUSTER_BLOCKS};

/// Why a unit or tiling is refused. Units and steps are given in source notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadsError {
    /// A cluster has no block, or too many.
    Cluster {
        /// How many.
        blocks: i64,
    },
    /// A block has no thread, or too many.
    Block {
        /// How many.
        threads: i64,
    },
    /// A unit has no dimension.
    NoDimensions,
    /// It is not clear which dimension of a unit is scaled.
    NoScaledDimension {
        /// The unit.
        unit: String,
        /// The unit in full notation.
        notation: String,
        /// Whether several could be meant; otherwise none can.
        several: bool,
    },
    /// A size is not an integer for the launch.
    Fraction {
        /// The unit.
        unit: String,
        /// The size.
        size: Size,
        /// Its value.
        value: Scale,
        /// The launch.
        launch: Launch,
    },
    /// The extents of a unit do not divide the number of threads.
    Domain {
        /// The unit.
        unit: String,
        /// Its extents.
        extents: Vec<i64>,
        /// The launch.
        launch: Launch,
    },
    /// A unit takes more of a dimension than there is.
    BoxBeyondExtent {
        /// The unit.
        unit: String,
        /// The number of the dimension.
        dimension: usize,
        /// The extent as it is written.
        of: Size,
        /// The extent.
        extent: i64,
        /// How much it takes.
        taken: i64,
        /// The launch.
        launch: Launch,
    },
    /// A unit takes a part that does not divide its dimension.
    Unaligned {
        /// The unit.
        unit: String,
        /// How much it takes.
        taken: i64,
        /// Of how much.
        extent: i64,
    },
    /// A dimension cannot be split where the other side has a boundary.
    Completion {
        /// The unit.
        unit: String,
        /// The extent of the dimension.
        extent: i64,
        /// The distance of neighbours along it.
        own: i64,
        /// The distance at which it would have to be split.
        pitch: i64,
    },
    /// The box of a unit cannot be split where the tiling has a boundary.
    BoxSplit {
        /// The unit.
        unit: String,
        /// The box.
        taken: i64,
        /// The factor that does not divide it.
        factor: i64,
    },
    /// A split would give iterations other threads.
    SplitChangesThreads {
        /// The step that narrows the dimension to less than a part of the split.
        step: String,
        /// The unit that asks for the split.
        unit: String,
        /// How many threads there were before the step.
        before: i64,
        /// How many it leaves.
        taken: i64,
        /// The number of threads in a part of the split.
        pitch: i64,
    },
    /// A split would cut the box of an earlier step.
    SplitUnaligned {
        /// The earlier step.
        step: String,
        /// The unit that asks for the split.
        unit: String,
        /// How many threads the step takes.
        taken: i64,
        /// How many it leaves out before.
        offset: i64,
        /// The number of threads that both must be a multiple of.
        pitch: i64,
    },
    /// A unit takes a part of several dimensions.
    AmbiguousDimension {
        /// The step.
        step: String,
        /// The extents of all dimensions.
        domain: Vec<i64>,
        /// The number of a dimension, how much the unit takes, and of how much.
        parts: Vec<(usize, i64, i64)>,
    },
    /// There are fewer threads than a step needs.
    NotEnough {
        /// The step.
        step: String,
        /// Its unit.
        unit: String,
        /// How many units it needs.
        count: i64,
        /// The threads of one.
        each: i64,
        /// The threads that there are.
        threads: i64,
        /// How many units there are.
        fit: i64,
    },
    /// One unit takes all threads, and a step needs several units.
    OnlyOne {
        /// The step.
        step: String,
        /// Its unit.
        unit: String,
        /// How many it needs.
        count: i64,
        /// The threads that there are.
        threads: i64,
    },
    /// A loop has no iteration.
    Count {
        /// The step.
        step: String,
        /// The number of iterations.
        count: i64,
    },
    /// A range has no unit, or begins before the first.
    EmptyRange {
        /// The step.
        step: String,
        /// Its first unit.
        low: i64,
        /// One past its last unit.
        high: i64,
    },
    /// A tiling has too many steps.
    TooManySteps {
        /// The limit.
        most: usize,
    },
    /// Two steps have the same iterator.
    IteratorReused {
        /// Its name.
        name: String,
    },
    /// An iteration is given by too few or too many values.
    Values {
        /// How many iterators there are.
        expected: usize,
        /// How many values.
        found: usize,
    },
    /// There is no such iteration.
    Iteration {
        /// The iterator.
        name: String,
        /// The value that it does not have.
        value: i64,
        /// How many it has.
        count: i64,
    },
    /// A number overflows 64 bits.
    Overflow,
}

impl fmt::Display for ThreadsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sentence())
    }
}

impl std::error::Error for ThreadsError {}

impl ThreadsError {
    fn sentence(&self) -> String {
        match self {
            Self::Cluster { blocks } => format!("a cluster has 1 to {MOST_CLUSTER_BLOCKS} blocks, not {blocks}"),
            Self::Block { threads } => format!("a block has 1 to {MOST_BLOCK_THREADS} threads, not {threads}"),
            Self::NoDimensions => "a unit needs a dimension".to_owned(),
            Self::NoScaledDimension { unit, notation, several } => no_scaled_dimension(unit, notation, *several),
            Self::Fraction { unit, size, value, launch } => fraction(unit, size, *value, launch),
            Self::Domain { unit, extents, launch } => format!(
                "the domain of `{unit}` has {} threads, but the {} threads of the cluster ({}) are no multiple of that",
                product(extents),
                launch.threads(),
                sizes(launch),
            ),
            Self::BoxBeyondExtent { unit, of, dimension, extent, taken, launch } => match of.as_integer() {
                None => format!("`{unit}` takes {taken} of `{of}`, which is {extent} with {}", sizes(launch)),
                Some(_) => format!("`{unit}` takes {taken} of the {extent} of dimension {dimension}"),
            },
            Self::Unaligned { unit, taken, extent } => {
                format!(
                    "`{unit}` has no place of its own: its {taken} threads do not divide the {extent} that they are taken of"
                )
            }
            Self::Completion { unit, extent, own, pitch } => completion(unit, *extent, *own, *pitch),
            Self::BoxSplit { unit, taken, factor } => format!(
                "`{unit}` and the tiling have no common dimensions: the tiling has parts of {factor}, which do not divide the \
                 {taken} that the unit takes"
            ),
            Self::SplitChangesThreads { step, unit, before, taken, pitch } => format!(
                "`{unit}` needs the threads in parts of {pitch}, but `{step}` takes {taken} out of {before}: splitting by {pitch} \
                 would take {taken} out of every {pitch}, other threads"
            ),
            Self::SplitUnaligned { step, unit, taken, offset, pitch } => {
                split_unaligned(step, unit, (*taken, *offset), *pitch)
            }
            Self::AmbiguousDimension { step, domain, parts } => ambiguous_dimension(step, domain, parts),
            Self::NotEnough { step, unit, count, each, threads, fit } => {
                let (needed, fit) = (needed(*count, *each), fitting(unit, *fit));
                format!("`{step}` needs {needed} threads, but there are {threads}: {fit}")
            }
            Self::OnlyOne { step, unit, count, threads } => {
                format!(
                    "`{step}` needs {count} of them, but one `{unit}` is all of the {threads} threads that there are"
                )
            }
            Self::Count { step, count } => format!("`{step}` has {count} iterations, it needs at least one"),
            Self::EmptyRange { step, low, high } => empty_range(step, *low, *high),
            Self::TooManySteps { most } => format!("a tiling has at most {most} steps"),
            Self::IteratorReused { name } => format!("the tiling already has an iterator `{name}`"),
            Self::Values { expected, found } => {
                format!("an iteration has {expected} iterators, {found} values are given")
            }
            Self::Iteration { name, value, count } => {
                format!(
                    "iterator `{name}` has {count} iterations, from 0 to {}, so there is none of number {value}",
                    count - 1
                )
            }
            Self::Overflow => "a size does not fit in 64 bits".to_owned(),
        }
    }
}

fn no_scaled_dimension(unit: &str, notation: &str, several: bool) -> String {
    if several {
        format!("which dimension of `{unit}` to scale is ambiguous: it takes a part of several in `{notation}`")
    } else {
        format!("`{unit}` has no dimension to scale: it takes one coordinate, all or any of each in `{notation}`")
    }
}

fn fraction(unit: &str, size: &Size, value: Scale, launch: &Launch) -> String {
    if *size == Size::from(value) {
        format!("`{unit}` takes {value} of a dimension, which is no integer")
    } else {
        format!("`{size}` of `{unit}` is {value} with {}, which is no integer", sizes(launch))
    }
}

fn completion(unit: &str, extent: i64, own: i64, pitch: i64) -> String {
    let none = format!("`{unit}` and the tiling have no common dimensions");
    match pitch % own {
        0 => format!("{none}: {} does not divide {extent}", pitch / own),
        _ => format!("{none}: one has parts of {pitch} threads, the other of {own}, and {own} does not divide {pitch}"),
    }
}

fn split_unaligned(step: &str, unit: &str, (taken, offset): (i64, i64), pitch: i64) -> String {
    let what = if taken % pitch == 0 { format!("begins after {offset}") } else { format!("takes {taken}") };
    format!("`{unit}` needs the threads in parts of {pitch}, but `{step}` {what}, which is no multiple of {pitch}")
}

fn ambiguous_dimension(step: &str, domain: &[i64], parts: &[(usize, i64, i64)]) -> String {
    let part = |(at, taken, extent): &(usize, i64, i64)| format!("{taken} of the {extent} of dimension {at}");
    let parts: Vec<String> = parts.iter().map(part).collect();
    let domain: Vec<String> = domain.iter().map(i64::to_string).collect();
    format!(
        "which dimension `{step}` is about is ambiguous: on the domain ({}) it takes {}",
        domain.join(", "),
        parts.join(" and ")
    )
}

fn needed(count: i64, each: i64) -> String {
    match count.checked_mul(each) {
        Some(needed) => format!("{count} × {each} = {needed}"),
        None => format!("{count} × {each}"),
    }
}

/// How many units fit into the threads that there are.
fn fitting(unit: &str, fit: i64) -> String {
    match fit {
        0 => format!("not even one `{unit}` fits"),
        1 => format!("one `{unit}` fits"),
        fit => format!("{fit} `{unit}` fit"),
    }
}

fn empty_range(step: &str, low: i64, high: i64) -> String {
    if low < 0 {
        format!("`{step}` begins at {low}, the first unit is 0")
    } else {
        format!("`{step}` keeps no thread: the range from {low} up to before {high} is empty")
    }
}

fn sizes(launch: &Launch) -> String {
    format!("clusterDim = {} and blockDim = {}", launch.cluster(), launch.block())
}

fn product(extents: &[i64]) -> String {
    match extents {
        [only] => only.to_string(),
        _ => {
            let factors: Vec<String> = extents.iter().map(i64::to_string).collect();
            let product = extents.iter().try_fold(1i64, |product, extent| product.checked_mul(*extent));
            format!(
                "{} = {}",
                factors.join(" × "),
                product.map_or_else(|| "too many".to_owned(), |product| product.to_string())
            )
        }
    }
}
