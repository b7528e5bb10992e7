//! A name of one kind of item where another is needed.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `wrong-kind`.
pub static PAGE: Page = Page {
    code: "wrong-kind",
    severity: Severity::Error,
    title: "a name stands for another kind of item",
    explanation: "The name is declared, but as something else: a kernel is no value, and a map is declared by `map`, not by `const`.

`const` is for numbers, truth values, tuples and lists; `map` for index maps; a name with a colon for shapes. A kernel is
started by a `run` item.",
    wrong: "const m = reshape_map([3] | [4] => layout: [i0, t0]);
",
    right: "map m = reshape_map([3] | [4] => layout: [i0, t0]);
",
};

/// `name` is `found`, and `expected` is needed; both with their articles.
pub(crate) fn wrong_kind(span: Span, name: &str, found: &str, expected: &str) -> Diagnostic {
    let diagnostic =
        PAGE.at(span, format!("`{name}` is {found}, expected {expected}")).label(format!("this is {found}"));
    match found {
        "a map" => diagnostic.help(format!("declare it with `map {name} = …`")),
        "a unit" => diagnostic.help(format!("declare it with `unit {name} = …`")),
        "a tiling" => diagnostic.help(format!("declare it with `tiling {name} = …`")),
        "a kernel" => diagnostic.help(format!("a kernel is started by an item `run {name}(…)`")),
        _ => diagnostic,
    }
}
