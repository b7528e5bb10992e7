//! An assertion that could be neither proven nor refuted.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::remedy::Remedy;
use crate::values::{Claim, Truth};
use proofs::Verdict;
use syntax::span::Span;

/// The documentation of `assertion-open`.
pub static PAGE: Page = Page {
    code: "assertion-open",
    severity: Severity::Warning,
    title: "an assertion is neither proven nor refuted",
    explanation: "Nothing is known to be wrong, but nothing is proven either: the claim depends on sizes that are only known at launch, and
the facts about them do not settle it.

The message says which fact over the symbolic dimensions would settle it, where one is known. Add that fact after `where`
in the `dim` item, as a CUDA programmer would write `assert(N % 4 == 0)` in the host code. It is then checked once at
launch, and everything that was proven from it holds.",
    wrong: "dim N;
assert N * N % 3 <= 1;
",
    right: "dim N where N <= 64;
assert N < 65;
",
};

/// The claim of an assertion is open.
pub(crate) fn assertion_open(span: Span, truth: &Truth, remedy: Option<Remedy>) -> Diagnostic {
    let claim = &truth.claim;
    let Verdict::Open { obligation, reason, deeper } = &truth.verdict else {
        return PAGE.at(span, format!("it is open whether {claim}"));
    };
    let diagnostic =
        PAGE.at(span, format!("it is open whether {claim}: {}", reason)).label("neither proven nor refuted");
    let diagnostic = match obligation {
        Some(fact) if truth.negated => {
            diagnostic.help(format!("the claim would hold, and this assertion fail, if `{fact}`"))
        }
        None if !deeper => diagnostic.help("state more about the sizes after `where` in their `dim` item"),
        _ => match claim {
            Claim::Comparison(fact) => diagnostic.remedied_claim(fact, "it holds", remedy),
            _ => diagnostic.remedied("it holds", remedy),
        },
    };
    diagnostic.deeper(*deeper)
}
