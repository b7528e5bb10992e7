//! A symbolic value where a plain number is needed.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::quantity::Quantity;
use crate::values::Truth;
use dims::Sym;
use proofs::Verdict;
use syntax::span::Span;

/// The documentation of `not-constant`.
pub static PAGE: Page = Page {
    code: "not-constant",
    severity: Severity::Error,
    title: "a number is needed that does not depend on symbolic dimensions",
    explanation: "Some things are fixed when the file is written: the rank of an `mdspan`, the coordinates that a map is asked at, the
condition of an `if` outside of kernels. They cannot depend on a size that is only known at launch.

Use a `const` instead of a `dim`, or ask for a claim that is proven for all sizes. A condition can also be settled by a
fact after `where`.",
    wrong: "dim R;
mdspan<R> s : [64];
",
    right: "const R = 1;
mdspan<R> s : [64];
",
};

/// `what` has a symbolic value.
pub(crate) fn not_constant(span: Span, what: Quantity, value: &Sym) -> Diagnostic {
    let help = match what {
        Quantity::TileExtent => {
            "use a generic parameter of the kernel, `kernel k[B = 64](…)`, or a `const` instead of a `dim` here"
        }
        Quantity::Iterations => {
            "threads are given out when the kernel is checked: use a generic parameter of the kernel, `kernel k[B = 64](…)`, of which \
             a run chooses the value, or a `const` instead of a `dim` here"
        }
        _ => "use a `const` instead of a `dim` here",
    };
    PAGE.at(span, format!("{what} must be a plain number, but `{value}` is only known at launch"))
        .label("depends on the sizes")
        .help(help)
}

/// A loop over threads has as many iterations as `name` says, at `span`, which only a run knows.
pub(crate) fn computed_threads(span: Span, name: &str) -> Diagnostic {
    let what = Quantity::Iterations;
    PAGE.at(span, format!("{what} must be a plain number, but `{name}` is only known when the kernel runs"))
        .label("known only when the kernel runs")
        .help("threads are given out when the kernel is checked: use a generic parameter of the kernel, `kernel k[B = 64](…)`, of which a run chooses the value")
        .help(format!("or let some of the threads pass: `for t in threads(256, cuda_thread) {{ if t < {name} {{ … }} }}`"))
}

/// The condition at `span` has no single answer for all sizes; `truth` is its evidence.
pub(crate) fn not_constant_condition(span: Span, truth: &Truth) -> Diagnostic {
    let claim = &truth.claim;
    let message = match &truth.verdict {
        Verdict::Refuted { counterexample, .. } => {
            format!("it depends on the sizes whether {claim}: {counterexample}")
        }
        Verdict::Open { reason, .. } => format!("it is open whether {claim}: {}", reason),
        Verdict::Proven { rule } => format!("{claim}: {}", rule),
    };
    PAGE.at(span, message).label("must be the same for every size").help("state a fact after `where` that decides it")
}
