//! Sizes of units: products of a rational number, `blockDim` and `clusterDim`.

use std::fmt;

use super::{Launch, Scale};

/// A number of the launch that a size may be relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// The threads of a block.
    BlockDim,
    /// The blocks of a cluster.
    ClusterDim,
}

impl Parameter {
    /// Both, in the order in which sizes name them.
    pub const ALL: [Parameter; 2] = [Parameter::ClusterDim, Parameter::BlockDim];

    /// The name in programs.
    pub fn name(self) -> &'static str {
        match self {
            Parameter::BlockDim => "blockDim",
            Parameter::ClusterDim => "clusterDim",
        }
    }

    /// The parameter of a name.
    pub fn from_name(name: &str) -> Option<Parameter> {
        Parameter::ALL.into_iter().find(|parameter| parameter.name() == name)
    }
}

/// A positive number that may depend on the launch: `scale · clusterDim^a · blockDim^b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    scale: Scale,
    /// The exponent of `clusterDim`.
    cluster: u32,
    /// The exponent of `blockDim`.
    block: u32,
}

/// The value of a size for one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtLaunch {
    Integer(i64),
    /// The numerator and the denominator in lowest terms.
    Fraction(Scale),
    /// It overflows 64 bits.
    TooLarge,
}

impl Size {
    /// The size 1.
    pub const ONE: Size = Size { scale: Scale::ONE, cluster: 0, block: 0 };
    /// The threads of a block.
    pub const BLOCK_DIM: Size = Size { scale: Scale::ONE, cluster: 0, block: 1 };
    /// The blocks of a cluster.
    pub const CLUSTER_DIM: Size = Size { scale: Scale::ONE, cluster: 1, block: 0 };
    /// The threads of a cluster.
    pub const CLUSTER_THREADS: Size = Size { scale: Scale::ONE, cluster: 1, block: 1 };

    /// A size that does not depend on the launch; `None` unless it is positive.
    pub fn integer(value: i64) -> Option<Size> {
        Scale::integer(value).map(Size::from)
    }

    /// The number, where it does not depend on the launch.
    pub fn as_integer(self) -> Option<i64> {
        (self.cluster == 0 && self.block == 0 && self.scale.denominator() == 1).then(|| self.scale.numerator())
    }

    /// The product; `None` on overflow.
    pub fn checked_mul(self, other: Size) -> Option<Size> {
        Some(Size {
            scale: self.scale.checked_mul(other.scale)?,
            cluster: self.cluster.checked_add(other.cluster)?,
            block: self.block.checked_add(other.block)?,
        })
    }

    /// The quotient; `None` on overflow, or where a parameter would remain in the denominator.
    pub fn checked_div(self, other: Size) -> Option<Size> {
        Some(Size {
            scale: self.scale.checked_mul(other.scale.inverse())?,
            cluster: self.cluster.checked_sub(other.cluster)?,
            block: self.block.checked_sub(other.block)?,
        })
    }

    /// The value of the size for a launch.
    pub(super) fn at(self, launch: Launch) -> AtLaunch {
        let power = |base: i64, exponent: u32| base.checked_pow(exponent).and_then(Scale::integer);
        let value = power(launch.cluster(), self.cluster)
            .zip(power(launch.block(), self.block))
            .and_then(|(cluster, block)| self.scale.checked_mul(cluster)?.checked_mul(block));
        match value {
            None => AtLaunch::TooLarge,
            Some(value) if value.denominator() == 1 => AtLaunch::Integer(value.numerator()),
            Some(value) => AtLaunch::Fraction(value),
        }
    }
}

impl From<Scale> for Size {
    fn from(scale: Scale) -> Size {
        Size { scale, ..Size::ONE }
    }
}

impl From<Parameter> for Size {
    fn from(parameter: Parameter) -> Size {
        match parameter {
            Parameter::BlockDim => Size::BLOCK_DIM,
            Parameter::ClusterDim => Size::CLUSTER_DIM,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [(Parameter::ClusterDim, self.cluster), (Parameter::BlockDim, self.block)];
        let mut factors: Vec<String> = Vec::new();
        if self.scale.numerator() != 1 || names.iter().all(|(_, times)| *times == 0) {
            factors.push(self.scale.numerator().to_string());
        }
        for (parameter, times) in names {
            // More than two factors are unusual, so a long product is truncated.
            factors.extend((0..times.min(8)).map(|_| parameter.name().to_owned()));
            if times > 8 {
                factors.push("…".to_owned());
            }
        }
        formatter.write_str(&factors.join(" * "))?;
        match self.scale.denominator() {
            1 => Ok(()),
            denominator => write!(formatter, " / {denominator}"),
        }
    }
}
