//! A division of dimensions that leaves a remainder, or may leave one.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::remedy::Remedy;
use dims::{Fact, Sym};
use syntax::span::Span;

/// The documentation of `inexact-division`.
pub static PAGE: Page = Page {
    code: "inexact-division",
    severity: Severity::Hint,
    title: "a division of dimensions rounds down",
    explanation: "`/` on dimensions rounds down, so `10 / 4` is 2 and two elements are left over. A grid of `10 / 4` blocks of 4 threads
never touches the last two elements: one of the most common mistakes in CUDA.

Where a part should be covered too, round up with `cdiv(10, 4)` and mask or pad the last tile. Where the division is
meant to be exact, say so: `dim N where N % 4 == 0`. The fact is checked at launch, and the hint goes away.",
    wrong: "const blocks = 10 / 4;
",
    right: "const blocks = cdiv(10, 4);
",
};

/// `left / right` leaves the constant `remainder`.
pub(crate) fn inexact_division(span: Span, left: &Sym, right: &Sym, remainder: &Sym) -> Diagnostic {
    let (written_left, written_right) = (left.as_operand(), right.as_operand());
    let message = match (left.as_constant(), right.as_constant(), remainder.as_constant()) {
        (Some(left), Some(right), Some(remainder)) if right != 0 => {
            let quotient = (i128::from(left) - i128::from(remainder)) / i128::from(right);
            format!("`{written_left} / {written_right}` is {quotient}, remainder {remainder}; use `cdiv` to round up")
        }
        _ => format!("`{written_left} / {written_right}` leaves the remainder {remainder}; use `cdiv` to round up"),
    };
    PAGE.at(span, message).label("rounds down").help(format!("`cdiv({left}, {right})` rounds up"))
}

/// It is not known whether `left / right` is exact; the fact states it.
pub(crate) fn unproven_division(
    span: Span,
    left: &Sym,
    right: &Sym,
    exact: &Fact,
    remedy: Option<Remedy>,
) -> Diagnostic {
    let (written_left, written_right) = (left.as_operand(), right.as_operand());
    PAGE.at(span, format!("`{written_left} / {written_right}` may round down: it is exact only if `{exact}`"))
        .label("may round down")
        .help(format!("state that fact after `where`, or round up with `cdiv({left}, {right})`"))
        .remedied_claim(exact, "it is exact", remedy)
}

/// `left / right` is `whole / right` rounded up, as written in a language without `cdiv`.
pub(crate) fn division_rounds_up(span: Span, left: &Sym, right: &Sym, whole: &Sym) -> Diagnostic {
    let (written_left, written_right) = (left.as_operand(), right.as_operand());
    let rounded = format!("cdiv({whole:#}, {right:#})");
    PAGE.at(span, format!("`{written_left} / {written_right}` is `{rounded}`")).label("rounds up").fix(
        format!("write `{rounded}`"),
        span,
        &rounded,
    )
}
