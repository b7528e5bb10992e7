//! A `run` with sizes for which a fact does not hold.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::{CompareOp, Fact, Sym, ViolatedFact};
use syntax::span::Span;

/// The documentation of `run-violates-fact`.
pub static PAGE: Page = Page {
    code: "run-violates-fact",
    severity: Severity::Error,
    title: "a run gives sizes for which a fact does not hold",
    explanation: "What is proven about the kernel is proven for the sizes that satisfy the facts after `where`, so it is launched for these
only. The message names the fact and the sizes.

Choose other sizes, or weaken the fact and see what is still proven.",
    wrong: "dim N where N % 4 == 0;
kernel fill(y: mut f32[N]) grid(1) block(4) {
    view ys = y via reshape_map([N / 4] | [4] => layout: [i0, t0]);
    for i in 0..N / 4 { ys[i] = 1.0; }
}
run fill(y: zeros) with N = 63;
",
    right: "dim N where N % 4 == 0;
kernel fill(y: mut f32[N]) grid(1) block(4) {
    view ys = y via reshape_map([N / 4] | [4] => layout: [i0, t0]);
    for i in 0..N / 4 { ys[i] = 1.0; }
}
run fill(y: zeros) with N = 64;
",
};

/// The sizes of a run violate a fact.
pub(crate) fn run_violates_fact(span: Span, violated: &ViolatedFact) -> Diagnostic {
    PAGE.at(span, format!("the fact {violated}")).label("these sizes are excluded").help(
        match is_of_every_size(&violated.fact) {
            true => "every size is at least 1, also where no fact says so",
            false => "choose sizes that satisfy the facts after `where`",
        },
    )
}

/// Whether a fact says that a size is at least 1, as every size is.
fn is_of_every_size(fact: &Fact) -> bool {
    let says = |symbol: dims::Symbol| *fact == Fact::compare(Sym::symbol(symbol), CompareOp::Ge, Sym::one());
    fact.symbols().into_iter().any(says)
}
