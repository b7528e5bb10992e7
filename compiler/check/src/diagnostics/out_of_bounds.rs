//! An access that leaves its tensor.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::remedy::Remedy;
use super::words;
use syntax::span::Span;

/// The documentation of `out-of-bounds`.
pub static PAGE: Page = Page {
    code: "out-of-bounds",
    severity: Severity::Error,
    title: "an access leaves its tensor",
    explanation: "For some thread and some index this access reaches an element that the tensor does not have; the message names one. On a
GPU it would read or overwrite whatever lies there, often without any error.

Make the map and the tensor fit, put the access under an `if`, or mark the view as `masked`: `view xs = x via m masked;`
loads 0 and stores nothing where the map leaves the tensor.",
    wrong: "kernel sum(x: f32[11]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    let mut total = 0.0;
    for i in 0..3 { total += xs[i]; }
}
",
    right: "kernel sum(x: f32[12]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    let mut total = 0.0;
    for i in 0..3 { total += xs[i]; }
}
",
};

/// An access that leaves its tensor, or may.
pub(crate) struct UnsafeAccess<'a> {
    /// Where it stands.
    pub(crate) span: Span,
    /// What is accessed.
    pub(crate) tensor: &'a str,
    /// Its shape.
    pub(crate) shape: &'a str,
    /// What to do.
    pub(crate) advice: &'a str,
    /// The facts under which it stays inside.
    pub(crate) remedy: Option<Remedy>,
}

/// `verdict` says what happens, `executor` who does it and for which sizes (may be empty).
pub(crate) fn out_of_bounds(access: UnsafeAccess<'_>, verdict: &str, executor: &str) -> Diagnostic {
    let UnsafeAccess { span, tensor, shape, advice, remedy } = access;
    let diagnostic = PAGE
        .at(span, format!("this access leaves `{tensor}`, which has shape `{shape}`: {}", words::unstopped(verdict)))
        .label(format!("leaves `{tensor}`"))
        .help(advice);
    let diagnostic = match executor {
        "" => diagnostic,
        sizes if sizes.starts_with("for ") => diagnostic.help(format!("it happens {sizes}")),
        executor => diagnostic.help(format!("it happens in {executor}")),
    };
    diagnostic.remedied("it stays inside", remedy)
}

/// Nothing shows that an access stays in bounds, and nothing at launch could: it depends on data.
pub(crate) fn bounds_unproven(access: UnsafeAccess<'_>, reason: &str, deeper: bool) -> Diagnostic {
    let UnsafeAccess { span, tensor, shape, advice, remedy } = access;
    let message = format!(
        "nothing shows that this access stays inside `{tensor}`, which has shape `{shape}`: {}",
        words::unstopped(reason)
    );
    let diagnostic = PAGE.at(span, message).label(format!("may leave `{tensor}`")).help(advice);
    diagnostic.remedied("it stays inside", remedy).deeper(deeper)
}
