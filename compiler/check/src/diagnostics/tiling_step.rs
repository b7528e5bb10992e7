//! A misplaced or invalid part of a tiling.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `tiling-step`.
pub static PAGE: Page = Page {
    code: "tiling-step",
    severity: Severity::Error,
    title: "a part of a tiling has no meaning where it stands",
    explanation: "A tiling begins with the launch, `cluster(c) block(b)` or `block(b)` for a cluster of one block, and goes on with steps behind
`|>`: `tile(iterator: count, unit)` gives each iteration a unit of threads, `specialize(lo..hi, unit)` keeps some units. A
tiling may also begin with another one.",
    wrong: "tiling work = block(64) |> tile(2, cuda_warp);
",
    right: "tiling work = block(64) |> tile(w: 2, cuda_warp);
",
};

/// The misplaced or invalid part.
pub(crate) enum Misplaced<'a> {
    /// A grid in the launch of a tiling.
    Grid,
    /// A repeated clause of the launch, such as `block`.
    ClauseTwice(&'a str),
    /// A step that does not follow `|>`.
    StepAlone(&'a str),
    /// A launch without a number of threads in a block.
    NoBlock,
    /// A call of anything but a step.
    NoStep(&'a str),
    /// Something that is no call.
    NoCall,
    /// A `tile` whose iterator has no name.
    NoIteratorName,
    /// A `tile` with other arguments than an iterator and a unit.
    TileArguments,
    /// A `tile` with two names.
    SecondIterator,
    /// A `specialize` without a range.
    NoRange,
    /// The tiling exceeds the limit of steps.
    TooManySteps(usize),
}

/// Such a part is at `span`.
pub(crate) fn tiling_step(span: Span, what: &Misplaced<'_>) -> Diagnostic {
    let message = match what {
        Misplaced::Grid => "a tiling is about the threads of one cluster, so it has no grid".to_owned(),
        Misplaced::ClauseTwice(word) => format!("the launch of this tiling has `{word}` twice"),
        Misplaced::StepAlone(name) => format!("`{name}` is a step of a tiling, and stands behind `|>`"),
        Misplaced::NoBlock => "a tiling needs the number of threads of a block".to_owned(),
        Misplaced::NoStep(name) => format!("`{name}` is no step of a tiling"),
        Misplaced::NoCall => "this is no step of a tiling".to_owned(),
        Misplaced::NoIteratorName => "the iterator of this step has no name".to_owned(),
        Misplaced::TileArguments => "`tile` takes an iterator and a unit".to_owned(),
        Misplaced::SecondIterator => "`tile` has one iterator; its second argument is a unit".to_owned(),
        Misplaced::NoRange => "`specialize` keeps a range of units".to_owned(),
        Misplaced::TooManySteps(most) => format!("a tiling has at most {most} steps"),
    };
    PAGE.at(span, message).help(match what {
        Misplaced::Grid => "leave `grid(…)` out; how many clusters there are is the kernel's launch",
        Misplaced::ClauseTwice(_) => "leave one of them out",
        Misplaced::StepAlone(_) => "a tiling begins with its launch: `block(128) |> tile(w: 4, cuda_warp)`",
        Misplaced::NoBlock => "write the threads of a block too: `cluster(2) block(128)`",
        Misplaced::NoStep(_) | Misplaced::NoCall => {
            "a step is written `tile(w: 8, cuda_warp)` or `specialize(0..4, cuda_warp)`"
        }
        Misplaced::NoIteratorName | Misplaced::TileArguments | Misplaced::SecondIterator => {
            "write the iterator with its count, and the unit of one iteration: `tile(w: 8, cuda_warp)`"
        }
        Misplaced::NoRange => "write the first unit and one past the last: `specialize(0..4, cuda_warp)`",
        Misplaced::TooManySteps(_) => "leave out the steps that narrow nothing",
    })
}
