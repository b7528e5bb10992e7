//! Whether the shared arrays of a block exist and have room with the sizes of a launch.

use std::collections::BTreeMap;
use std::fmt;

use crate::target::LaunchLimits;
use crate::typed::Kernel;
use dims::{Arithmetic, EvaluateError, Sym, Symbol};

/// Why the shared arrays of a kernel cannot be made with some sizes; the text is the end of a sentence about the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// An extent, or the number of stored elements, is less than 1.
    Empty {
        /// The array.
        array: String,
        /// The extent, as a formula.
        extent: Sym,
        /// Its value.
        value: i64,
        /// The sizes that decide it: `N = 3`.
        sizes: String,
    },
    /// The arrays take more bytes than any GPU has for a block, or than 64 bits count.
    TooLarge {
        /// The bytes, as a formula.
        formula: Sym,
        /// The bytes, if 64 bits count them.
        bytes: Option<i64>,
        /// The sizes that decide them.
        sizes: String,
        /// The most there can be.
        most: i64,
    },
    /// A number has no value.
    Unknown {
        /// The number.
        formula: Sym,
        /// Why it has none.
        reason: EvaluateError,
    },
    /// The bytes have no formula.
    NoFormula(Arithmetic),
}

impl fmt::Display for NoRoom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { array, extent, value, sizes } => {
                write!(
                    formatter,
                    "the extent {extent} of the shared array {array} is {value} with {sizes}, and has to be at least 1"
                )
            }
            Self::TooLarge { formula, bytes, sizes, most } => {
                write!(formatter, "the shared arrays take {formula} bytes, ")?;
                match bytes {
                    Some(bytes) => write!(formatter, "which are {bytes} with {sizes}, ")?,
                    None => write!(formatter, "which are more than 64 bits count with {sizes}, ")?,
                }
                write!(formatter, "and a block has at most {most}")
            }
            Self::Unknown { formula, reason } => {
                write!(formatter, "the size {formula} of its shared arrays has no value: {reason}")
            }
            Self::NoFormula(reason) => write!(formatter, "the bytes of its shared arrays are not known: {reason}"),
        }
    }
}

/// The number of elements of each shared array, or of the part of each thread.
///
/// # Errors
/// If an extent is less than 1, or if all arrays together do not fit into the memory that any GPU has for a block.
pub fn array_lengths(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Result<Vec<i64>, NoRoom> {
    let value = |size: &Sym| size.evaluate(&|symbol| sizes.get(symbol).copied());
    let unknown = |formula: &Sym| {
        let formula = formula.clone();
        |reason| NoRoom::Unknown { formula, reason }
    };
    let layout = kernel.shared_layout().map_err(NoRoom::NoFormula)?;
    let too_large = |bytes: Option<i64>| NoRoom::TooLarge {
        formula: layout.bytes.clone(),
        bytes,
        sizes: sizes_of(&layout.bytes, sizes),
        most: LaunchLimits::for_target(None).shared,
    };
    let mut lengths = Vec::with_capacity(kernel.shared.len());
    for array in &kernel.shared {
        // A layout may give an array other extents than its storage has.
        for extent in array.shape.iter().chain([&array.length]) {
            let value = match value(extent) {
                Err(EvaluateError::Overflow) => return Err(too_large(None)),
                other => other.map_err(unknown(extent))?,
            };
            if value < 1 {
                let (array, extent, sizes) = (array.name.to_string(), extent.clone(), sizes_of(extent, sizes));
                return Err(NoRoom::Empty { array, extent, value, sizes });
            }
        }
        lengths.push(value(&array.length).map_err(unknown(&array.length))?);
    }
    match value(&layout.bytes) {
        Ok(bytes) if bytes <= LaunchLimits::for_target(None).shared => Ok(lengths),
        Ok(bytes) => Err(too_large(Some(bytes))),
        Err(EvaluateError::Overflow) => Err(too_large(None)),
        Err(reason) => Err(unknown(&layout.bytes)(reason)),
    }
}

/// `N = 3, M = 4`: the sizes that decide a number.
fn sizes_of(number: &Sym, sizes: &BTreeMap<Symbol, i64>) -> String {
    let known = number.symbols().into_iter().filter_map(|symbol| Some(format!("{symbol} = {}", sizes.get(&symbol)?)));
    known.collect::<Vec<String>>().join(", ")
}
