//! An access that stays inside its tensor for some sizes only.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::out_of_bounds::UnsafeAccess;

/// The documentation of `bounds-open`.
pub static PAGE: Page = Page {
    code: "bounds-open",
    severity: Severity::Warning,
    title: "whether an access stays in its tensor depends on the sizes",
    explanation: "Whether this access stays inside its tensor depends on sizes that are known at launch. It is checked once then, on the
actual sizes, before any thread runs; where they do not fit, the launch is refused with this message.

Stating the fact that is missing, `where N >= 12`, makes the kernel proven, and whoever calls it with other sizes learns
of it earlier. In CUDA the check would be an `if (i < n)` in every thread, or forgotten.",
    wrong: "dim N;
kernel read(x: f32[2]) grid(1) block(1) {
    let element = x[N * N % 3];
}
",
    right: "kernel read(x: f32[2]) grid(1) block(1) {
    let element = x[0];
}
",
};

/// An index may be out of bounds; `sizes_decide` says whether that depends on sizes, or only on further search.
pub(crate) fn out_of_bounds_open(access: UnsafeAccess<'_>, sizes_decide: bool, deeper: bool) -> Diagnostic {
    let UnsafeAccess { span, tensor, shape, indexed, advice, remedy, .. } = access;
    let message =
        format!("{indexed} may lie outside of `{tensor}`, which has shape `{shape}`: this is checked once at launch");
    let label = if sizes_decide { "depends on the sizes" } else { "not decided" };
    let diagnostic = PAGE.at(span, message).label(label);
    let diagnostic = match remedy {
        None => diagnostic.help(advice.text()),
        remedy => diagnostic.remedied(&format!("{indexed} stays inside"), remedy),
    };
    diagnostic.deeper(deeper)
}
