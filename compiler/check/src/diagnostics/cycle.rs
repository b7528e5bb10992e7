//! An item whose value depends on itself.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::tree::Name;

/// The documentation of `cycle`.
pub static PAGE: Page = Page {
    code: "cycle",
    severity: Severity::Error,
    title: "an item depends on itself",
    explanation: "To know the value of this item one would have to know it already. Items may stand in any order and use each other across
files, but following the uses must come to an end.

Look at the names on the right-hand side, and at what they use in turn. Replace one of the uses by a number or by a
`dim`, which is a size that is given at launch.",
    wrong: "const a = a + 1;
",
    right: "dim N;
const a = N + 1;
",
};

/// The item that declares `name` depends on itself.
pub(crate) fn cycle(name: &Name) -> Diagnostic {
    PAGE.at(name.span, format!("the value of `{}` depends on itself", name.text))
        .label("needed for its own value")
        .help("replace one of the uses in the circle by a number, or by a `dim`")
}
