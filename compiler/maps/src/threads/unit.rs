//! Units: how many threads form a unit, and how they lie in a cluster.

use std::fmt;

use smol_str::{SmolStr, format_smolstr};

use super::typing::{TypedUnit, Typing};
use super::{Launch, Scale, Size, ThreadsError};
use crate::hardware::MOST_BLOCK_THREADS;

/// A collective unit: the cluster as a multi-dimensional space, and the box that the unit takes of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// Its name in messages: the factor and the name of the scaled unit.
    name: SmolStr,
    factor: Scale,
    scaled: SmolStr,
    dimensions: Vec<UnitDimension>,
    scales: Scales,
}

/// One dimension of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitDimension {
    /// How many coordinates it has.
    pub extent: Size,
    /// How many of them the unit takes; `None`: any, written `_`.
    pub taken: Option<Size>,
}

/// Which dimension `k * unit` makes larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scales {
    Dimension(usize),
    /// None: the unit takes one coordinate, all or any of each.
    Nothing,
    /// Several could be meant.
    Ambiguous,
}

impl Unit {
    /// A unit from its dimensions, the slowest first. Scaling applies to the only dimension, or else to the one
    /// dimension of which the unit takes neither one coordinate, nor all, nor any.
    ///
    /// # Errors
    /// A unit without dimensions.
    pub fn new(dimensions: Vec<UnitDimension>) -> Result<Unit, ThreadsError> {
        if dimensions.is_empty() {
            return Err(ThreadsError::NoDimensions);
        }
        let part = |dimension: &UnitDimension| {
            dimension.taken.is_some_and(|taken| taken != Size::ONE && taken != dimension.extent)
        };
        let parts: Vec<usize> = dimensions.iter().enumerate().filter(|(_, one)| part(one)).map(|(at, _)| at).collect();
        let scales = match (dimensions.as_slice(), parts.as_slice()) {
            ([UnitDimension { taken: Some(_), .. }], _) => Scales::Dimension(0),
            (_, [only]) => Scales::Dimension(*only),
            (_, []) => Scales::Nothing,
            _ => Scales::Ambiguous,
        };
        let name: SmolStr = notation(&dimensions).into();
        Ok(Unit { scaled: name.clone(), name, factor: Scale::ONE, dimensions, scales })
    }

    /// The unit under a name of its own.
    pub fn named(self, name: impl Into<SmolStr>) -> Unit {
        let name = name.into();
        Unit { scaled: name.clone(), name, factor: Scale::ONE, ..self }
    }

    /// The unit with the given dimension as the scaled one.
    pub(super) fn scaling(self, dimension: usize) -> Unit {
        Unit { scales: Scales::Dimension(dimension), ..self }
    }

    /// `factor * unit`.
    ///
    /// # Errors
    /// A unit of which no dimension, or more than one, could be meant; a size that overflows 64 bits.
    pub fn scaled(&self, factor: Scale) -> Result<Unit, ThreadsError> {
        let refused =
            |several| ThreadsError::NoScaledDimension { unit: self.to_string(), notation: self.notation(), several };
        let scaled = match self.scales {
            Scales::Dimension(dimension) => dimension,
            Scales::Nothing => return Err(refused(false)),
            Scales::Ambiguous => return Err(refused(true)),
        };
        let mut dimensions = self.dimensions.clone();
        if let Some(dimension) = dimensions.get_mut(scaled)
            && let Some(taken) = dimension.taken
        {
            dimension.taken = Some(taken.checked_mul(factor.into()).ok_or(ThreadsError::Overflow)?);
        }
        let factor = self.factor.checked_mul(factor).ok_or(ThreadsError::Overflow)?;
        let name = match (factor, factor.denominator()) {
            (Scale::ONE, _) => self.scaled.clone(),
            (_, 1) => format_smolstr!("{factor} * {}", self.scaled),
            _ => format_smolstr!("({factor}) * {}", self.scaled),
        };
        Ok(Unit { name, factor, scaled: self.scaled.clone(), dimensions, scales: self.scales })
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The dimensions, the slowest first.
    pub fn dimensions(&self) -> &[UnitDimension] {
        &self.dimensions
    }

    /// The unit in full notation: `(blockDim / 16, 16; 2, 4)`.
    pub fn notation(&self) -> String {
        notation(&self.dimensions)
    }

    /// The nearest block sizes below and above that of a launch for which the unit exists.
    pub fn nearest_blocks(&self, launch: Launch) -> Vec<i64> {
        let has = |block: &i64| {
            let launch = Launch::new(launch.cluster(), *block);
            launch.is_ok_and(|launch| TypedUnit::new(self, launch, Typing::Agnostic).is_ok())
        };
        let below = (1..launch.block()).rev().find(has);
        let above = (launch.block() + 1..=MOST_BLOCK_THREADS).find(has);
        below.into_iter().chain(above).collect()
    }

    /// Whether both units are the same threads, under any name.
    pub fn is_same(&self, other: &Unit) -> bool {
        self.dimensions == other.dimensions
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

fn notation(dimensions: &[UnitDimension]) -> String {
    let extents: Vec<String> = dimensions.iter().map(|dimension| dimension.extent.to_string()).collect();
    let taken = |dimension: &UnitDimension| dimension.taken.map_or_else(|| "_".to_owned(), |taken| taken.to_string());
    let taken: Vec<String> = dimensions.iter().map(taken).collect();
    format!("({}; {})", extents.join(", "), taken.join(", "))
}
