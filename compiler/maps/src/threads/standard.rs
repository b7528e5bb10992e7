//! The predefined units.

use super::{Size, ThreadsError, Unit, UnitDimension};
use crate::hardware::{QUADPAIR_STRIDE, WARP_LANES, WARPGROUP_THREADS};

/// A predefined unit, or a function that returns one.
#[derive(Debug)]
pub struct StandardUnit {
    /// Its name.
    pub name: &'static str,
    /// The names of its parameters; empty for a unit that is not a function.
    pub parameters: &'static [&'static str],
    /// What it is, as a noun phrase.
    pub what: &'static str,
    /// The dimensions for values of the parameters; `None` for a wrong number of values, or where a size overflows 64
    /// bits.
    dimensions: fn(&[Size]) -> Option<Vec<UnitDimension>>,
}

const BLOCK: Size = Size::BLOCK_DIM;
const CLUSTER: Size = Size::CLUSTER_DIM;
const ALL: Size = Size::CLUSTER_THREADS;

/// All of them, from the smallest to the largest.
pub static STANDARD_UNITS: &[StandardUnit] = &[
    StandardUnit {
        name: "standalone_thread",
        parameters: &[],
        what: "one thread of the cluster",
        dimensions: |_| Some(vec![part(Size::ONE, Size::ONE)]),
    },
    StandardUnit {
        name: "cuda_thread",
        parameters: &[],
        what: "one thread of each block",
        dimensions: |_| Some(vec![part(BLOCK, Size::ONE)]),
    },
    StandardUnit {
        name: "cuda_threads_strided",
        parameters: &["n", "s"],
        what: "`n` threads in a row, out of `s`, of each block",
        dimensions: |sizes| {
            let [n, s] = sizes else { return None };
            Some(vec![part(BLOCK.checked_div(*s)?, Size::ONE), part(*s, *n)])
        },
    },
    StandardUnit {
        name: "cuda_quadpair",
        parameters: &[],
        what: "two times four threads, 16 apart, of each block",
        dimensions: |_| {
            let stride = Size::integer(QUADPAIR_STRIDE)?;
            Some(vec![part(BLOCK.checked_div(stride)?, Size::integer(2)?), part(stride, Size::integer(4)?)])
        },
    },
    StandardUnit {
        name: "cuda_warp",
        parameters: &[],
        what: "one warp of each block",
        dimensions: |_| Some(vec![part(BLOCK, Size::integer(WARP_LANES)?)]),
    },
    StandardUnit {
        name: "cuda_warp_in_cluster",
        parameters: &[],
        what: "one warp of one block",
        dimensions: |_| Some(vec![part(CLUSTER, Size::ONE), part(BLOCK, Size::integer(WARP_LANES)?)]),
    },
    StandardUnit {
        name: "cuda_warpgroup",
        parameters: &[],
        what: "four warps in a row of each block",
        dimensions: |_| Some(vec![part(BLOCK, Size::integer(WARPGROUP_THREADS)?)]),
    },
    StandardUnit {
        name: "cuda_cta_in_cluster",
        parameters: &[],
        what: "one block of the cluster",
        dimensions: |_| Some(vec![part(ALL, BLOCK)]),
    },
    StandardUnit {
        name: "cuda_cta_in_cluster_strided",
        parameters: &["s"],
        what: "one block of the cluster; the next one is `s` blocks on",
        dimensions: |sizes| {
            let [s] = sizes else { return None };
            Some(vec![part(CLUSTER.checked_div(*s)?, Size::ONE), part(*s, Size::ONE), part(BLOCK, BLOCK)])
        },
    },
    StandardUnit {
        name: "cuda_cluster",
        parameters: &[],
        what: "all threads of the cluster",
        dimensions: |_| Some(vec![part(ALL, ALL)]),
    },
    StandardUnit {
        name: "cuda_agnostic_sub_cta",
        parameters: &[],
        what: "any threads of one block",
        dimensions: |_| Some(vec![part(CLUSTER, Size::ONE), UnitDimension { extent: BLOCK, taken: None }]),
    },
    StandardUnit {
        name: "cuda_agnostic_intact_cta",
        parameters: &[],
        what: "any whole blocks of the cluster",
        dimensions: |_| Some(vec![UnitDimension { extent: CLUSTER, taken: None }, part(BLOCK, BLOCK)]),
    },
];

fn part(extent: Size, taken: Size) -> UnitDimension {
    UnitDimension { extent, taken: Some(taken) }
}

/// The standard unit of a name.
pub fn standard_unit(name: &str) -> Option<&'static StandardUnit> {
    STANDARD_UNITS.iter().find(|unit| unit.name == name)
}

impl StandardUnit {
    /// The unit, for values of its parameters.
    ///
    /// # Errors
    /// A wrong number of values; a size that overflows 64 bits or that has a launch parameter in the denominator.
    pub fn build(&self, values: &[Size]) -> Result<Unit, ThreadsError> {
        let unit = Unit::new((self.dimensions)(values).ok_or(ThreadsError::Overflow)?)?;
        let values: Vec<String> = values.iter().map(Size::to_string).collect();
        Ok(match self.name {
            // The blocks of its second dimension lie between two blocks of one unit.
            "cuda_cta_in_cluster_strided" => unit.scaling(0),
            _ => unit,
        }
        .named(match values.as_slice() {
            [] => self.name.to_owned(),
            values => format!("{}({})", self.name, values.join(", ")),
        }))
    }
}
