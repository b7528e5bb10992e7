//! The text of a kernel for the sizes of a launch, which allow more than what holds for all sizes: indices of 32 bits,
//! and vectors where rows begin at multiples of one.
//!
//! A text must not be made for one launch only, since compiling it takes a while. So it depends on few facts: whether
//! indices fit 32 bits, and for each size whether it is a multiple of 16, 8, 4 or 2. What is compiled is cached by its text,
//! and a fact that changes nothing in the code makes no text of its own.

use std::collections::BTreeMap;

use dims::{CompareOp, Fact, Facts, Sym, Symbol};
use emit::{Emitted, IndexWidth, Options, cuda_with};
use kernel::BoundsChecks;
use kernel::typed::Kernel;
use maps::hardware::VECTOR_BYTES;

use super::launch::LaunchError;
use crate::execute::SizedKernel;

/// What a size may be a multiple of, the greatest first: the elements of a vector, if they have 8, 16, 32 or 64 bits.
const MULTIPLES: [i64; 4] = [16, 8, 4, 2];

/// The comment above a text that relies on such facts. It does not name them, so that facts that change nothing make no
/// other text.
const COMMENT: &str = "// Only for sizes that are multiples of what its vectors need, which is checked at launch.";

/// Emits a kernel for a launch.
///
/// # Errors
/// An index would not fit 64 bits.
pub(super) fn emit(sized: &SizedKernel<'_>) -> Result<Emitted, LaunchError> {
    let general = in_width(sized, sized.kernel())?;
    // Guarded code checks elements one by one and has no vectors.
    let divisible =
        (sized.bounds() == BoundsChecks::Proven).then(|| divisible(sized.kernel(), sized.sizes())).flatten();
    let Some(kernel) = divisible else { return Ok(general) };
    let special = in_width(sized, &kernel)?;
    let own = code(&special.source);
    if own == code(&general.source) {
        return Ok(general);
    }
    let source = format!("{COMMENT}\n{own}");
    Ok(Emitted { source, ..special })
}

/// The kernel with 32-bit indices if the sizes allow it, otherwise with 64-bit ones.
fn in_width(sized: &SizedKernel<'_>, kernel: &Kernel) -> Result<Emitted, LaunchError> {
    let value = |symbol: &Symbol| sized.sizes().get(symbol).copied();
    let guarded = sized.bounds() == BoundsChecks::Guarded;
    [IndexWidth::Checked, IndexWidth::Proven]
        .into_iter()
        .map(|width| cuda_with(kernel, Options { width, guarded }, &|| {}))
        .find(|emitted| emitted.fits(&value) && emitted.is_in_range(&value))
        .ok_or_else(|| LaunchError::IndexOverflow { kernel: kernel.name.to_string() })
}

/// The kernel with what its sizes are multiples of as further facts; `None` if that is nothing new.
fn divisible(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Option<Kernel> {
    let smallest = kernel.params.iter().map(|param| param.element.size_bytes()).min()?;
    let most = VECTOR_BYTES / i64::try_from(smallest).ok()?;
    let mut facts = kernel.facts.clone();
    for symbol in &kernel.symbols {
        let value = sizes.get(symbol)?;
        let greatest = MULTIPLES.iter().find(|multiple| **multiple <= most && value % **multiple == 0);
        let Some(fact) = greatest.and_then(|multiple| multiple_of(symbol, *multiple)) else { continue };
        // The facts hold for these sizes, so they contradict nothing.
        let _: Result<(), dims::Contradiction> = facts.assume(fact);
    }
    (facts != kernel.facts).then(|| Kernel { facts, ..kernel.clone() })
}

fn multiple_of(symbol: &Symbol, multiple: i64) -> Option<Fact> {
    let remainder = Sym::symbol(symbol.clone()).checked_remainder(&Sym::constant(multiple), &Facts::empty()).ok()?;
    Some(Fact::compare(remainder, CompareOp::Eq, Sym::zero()))
}

/// The text behind the comment above it, which names all facts.
fn code(source: &str) -> &str {
    let comment: usize = source.split_inclusive('\n').take_while(|line| line.starts_with("//")).map(str::len).sum();
    &source[comment..]
}
