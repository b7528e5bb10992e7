//! Strides that give two elements of an output the same address.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::remedy::Remedy;
use proofs::Verdict;
use syntax::span::Span;

/// The documentation of `overlapping-strides`.
pub static PAGE: Page = Page {
    code: "overlapping-strides",
    severity: Severity::Error,
    title: "the strides of an output put two elements at one place",
    explanation:
        "A tensor that a kernel writes must have one place for each element. Strides that overlap let two threads write
one place although they write different elements, which is a race that no index shows.

State how the sizes relate (`where N <= LD`), or use larger strides. A tensor that is only read may overlap.",
    wrong: "dim M, N, LD;
kernel fill(y: mut f32[M, N] strided [LD, 1]) {
    view ys = y via reshape_map([1] | [M * N] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
    right: "dim M, N, LD where N <= LD;
kernel fill(y: mut f32[M, N] strided [LD, 1]) {
    view ys = y via reshape_map([1] | [M * N] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
};

/// Two elements of `tensor` have the same address, or may have: `injective` is the verdict.
pub(crate) fn overlapping_strides(
    span: Span,
    tensor: &str,
    injective: &Verdict,
    remedy: Option<Remedy>,
) -> Option<Diagnostic> {
    let message = match injective {
        Verdict::Proven { .. } => return None,
        Verdict::Refuted { counterexample, .. } => {
            format!("two elements of `{tensor}` lie at one place: {counterexample}")
        }
        Verdict::Open { reason, .. } => {
            format!("nothing shows that no two elements of `{tensor}` lie at one place: {reason}")
        }
    };
    Some(
        PAGE.at(span, message)
            .label("strides overlap")
            .help("state how the sizes relate after `where`, or use larger strides")
            .remedied("they are apart", remedy),
    )
}
