//! A reversal of a dimension whose size in the tensor differs.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `reversal-clips`.
pub static PAGE: Page = Page {
    code: "reversal-clips",
    severity: Severity::Hint,
    title: "a reversed dimension is clipped before it is reversed",
    explanation: "A minus sign in the layout reverses a dimension: `TD - 1 - id` stands for `id`. Where the size `D` differs from the size
`TD` in the tensor, it matters whether an id is tested before or after the reversal.

As its documentation says, an id is valid here if it is below `D` and below `TD` *before* it is reversed. The code of the
original `reshape_map!` macro tests afterwards, and so masks off other elements. If you compare the two, expect that.",
    wrong: "map m = reshape_map([(2, 4)] | [4] => layout: [-i0, t0]);
",
    right: "map m = reshape_map([(2, 4)] | [4] => layout: [i0, t0]);
",
};

/// The reversed entry at `span` has size `size`, and `in_tensor` in the tensor.
pub(crate) fn reversal_clips(span: Span, size: &Sym, in_tensor: &Sym) -> Diagnostic {
    PAGE.at(
        span,
        format!(
            "this reversed dimension has size {size}, but {in_tensor} in the tensor: ids are tested before the reversal, \
             the original macro tests them after it"
        ),
    )
    .label("clipped, then reversed")
    .help(format!(
        "an id is valid below {size} and below {in_tensor}, and `{} - 1 - id` stands for it",
        in_tensor.as_operand()
    ))
}
