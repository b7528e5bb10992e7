//! An assignment to a variable that was not declared with `mut`.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `immutable`.
pub static PAGE: Page = Page {
    code: "immutable",
    severity: Severity::Error,
    title: "a variable that does not change is assigned",
    explanation: "`let x = e;` gives a name to a value, once. A variable that changes is declared with `let mut x = e;`, as an accumulator
in a loop is. The iterators of loops never change inside the body.",
    wrong: "kernel sum(x: f32[12], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    let total = 0.0;
    for i in 0..3 { total += xs[i]; }
    ys[0] = total;
}
",
    right: "kernel sum(x: f32[12], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    let mut total = 0.0;
    for i in 0..3 { total += xs[i]; }
    ys[0] = total;
}
",
};

/// `name` is assigned at `span`; its name is declared at `declaration`.
pub(crate) fn immutable(span: Span, name: &str, declaration: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is assigned, but it is not declared as `mut`"))
        .label("assigned here")
        .related(declaration, format!("`{name}` is declared here"))
        .fix(format!("declare `{name}` as `mut`"), Span::new(declaration.start, declaration.start), "mut ")
}

/// The constant or the map `name` is assigned at `span`.
pub(crate) fn immutable_definition(span: Span, name: &str, declaration: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is known when the kernel is checked, and cannot be assigned"))
        .label("assigned here")
        .related(declaration, format!("`{name}` is defined here"))
        .help("a variable is declared by `let mut`")
}

/// The iterator `name` of a loop is assigned at `span`; the loop declares it at `declaration`.
pub(crate) fn immutable_iterator(span: Span, name: &str, declaration: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is the iterator of a loop and cannot be assigned"))
        .label("assigned here")
        .related(declaration, format!("`{name}` is the iterator of this loop"))
        .help("use a variable of its own: `let mut k = …;`")
}
