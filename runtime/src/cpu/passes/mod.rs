//! What is changed in a typed kernel before it is compiled, one pass after the other ([`executed`]).

mod alike;
mod butterflies;
mod copies;
pub mod gathered;
pub mod plain_layouts;
mod shuffles;
mod sinking;
mod thread_arrays;
mod thread_variables;
pub mod tiles;

use std::borrow::Cow;

use kernel::BoundsChecks;
use kernel::typed::Kernel;

use crate::execute::{ExecuteError, SizedKernel};
use gathered::{Gathered, gathered};

/// The kernel as the processor executes it, and the tensors in whose places cores have arrays. The passes stand in the order in
/// which they run.
pub fn executed(sized: SizedKernel<'_>) -> Result<(Cow<'_, Kernel>, Vec<Gathered>), ExecuteError> {
    // A checked access reports a fault, which a variable does not, and finds it at the place that the program means.
    let is_proven = sized.bounds() == BoundsChecks::Proven;
    let (lengths, threads) = (sized.array_lengths()?, sized.extent().threads);
    let mut kernel = match is_proven {
        true => thread_variables::with_variables(sized.kernel()),
        false => Cow::Borrowed(sized.kernel()),
    };
    kernel = thread_arrays::of_block(kernel, &lengths, threads)?;
    kernel = match kernel {
        Cow::Borrowed(kernel) => tiles::for_processor(kernel),
        Cow::Owned(kernel) => Cow::Owned(tiles::for_processor(&kernel).into_owned()),
    };
    kernel = shuffles::without_shuffles(kernel);
    kernel = copies::at_once(kernel);
    if is_proven {
        kernel = plain_layouts::without_swizzles(kernel);
        kernel = sinking::sunk(kernel);
    }
    Ok(gathered(kernel, sized))
}
