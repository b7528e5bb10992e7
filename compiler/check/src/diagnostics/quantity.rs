//! The meaning of a number in a program: the subject of sentences such as "the number of slots must be a plain number".

use std::fmt;

/// The meaning of a number in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    ClusterBlocks,
    BlockThreads,
    FirstUnit,
    EndOfUnits,
    Iterations,
    IteratorValue,
    UnitFactor,
    UnitSize,
    DimensionNumber,
    MdspanRank,
    IndexBits,
    PermutationEntry,
    CoordinatePosition,
    Slots,
    ElementBytes,
    ThreadExtent,
    TileExtent,
    GenericValue,
    RunSize,
    Seed,
    Length,
    Rows,
    Columns,
    Modulus,
    Padding,
    Offset,
    Position,
    Beginning,
    End,
}

impl fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ClusterBlocks => "the number of blocks of a cluster",
            Self::BlockThreads => "the number of threads of a block",
            Self::FirstUnit => "the first unit",
            Self::EndOfUnits => "the end of the units",
            Self::Iterations => "the number of iterations",
            Self::IteratorValue => "the value of an iterator",
            Self::UnitFactor => "the factor of a unit",
            Self::UnitSize => "a size of a unit",
            Self::DimensionNumber => "the number of a dimension",
            Self::MdspanRank => "the rank of an mdspan",
            Self::IndexBits => "the number of bits",
            Self::PermutationEntry => "an entry of a permutation",
            Self::CoordinatePosition => "the position of a coordinate",
            Self::Slots => "the number of slots",
            Self::ElementBytes => "the size of an element",
            Self::TileExtent => "the extent of a tile",
            Self::GenericValue => "a generic parameter's value",
            Self::ThreadExtent => "the extent of an array of each thread",
            Self::RunSize => "the size of a run",
            Self::Seed => "a seed",
            Self::Length => "the length",
            Self::Rows => "the number of rows",
            Self::Columns => "the number of columns",
            Self::Modulus => "the modulus",
            Self::Padding => "the padding",
            Self::Offset => "the offset",
            Self::Position => "the position",
            Self::Beginning => "the beginning",
            Self::End => "the end",
        })
    }
}
