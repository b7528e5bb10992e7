//! Maps as inline functions of C99.

use super::emitted::{Emitted, NoForm};
use super::functions::{self, Family};
use dims::Facts;
use maps::IndexMap;

const FAMILY: Family = Family { prelude: "\n#include <stdbool.h>\n", qualifiers: "static inline" };

/// Emits the map as functions for any C or C++ compiler.
pub(super) fn emit(name: &str, map: &IndexMap, facts: &Facts) -> Result<Emitted, NoForm> {
    functions::emit(&FAMILY, name, map, facts)
}
