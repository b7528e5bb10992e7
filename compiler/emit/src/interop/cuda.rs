//! Maps as device functions of CUDA C++.

use super::emitted::{Emitted, NoForm};
use super::functions::{self, Family};
use dims::Facts;
use maps::IndexMap;

const FAMILY: Family = Family { prelude: "", qualifiers: "__device__ __forceinline__" };

/// Emits the map as functions that kernels call; they need no header.
pub(super) fn emit(name: &str, map: &IndexMap, facts: &Facts) -> Result<Emitted, NoForm> {
    functions::emit(&FAMILY, name, map, facts)
}
