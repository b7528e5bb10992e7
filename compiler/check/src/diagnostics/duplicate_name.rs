//! A name that is declared twice.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::db::Item;
use syntax::span::Span;
use syntax::tree::Name;

/// The documentation of `duplicate-name`.
pub static PAGE: Page = Page {
    code: "duplicate-name",
    severity: Severity::Error,
    title: "a name is declared twice",
    explanation: "Two items of one file declare the same name. The first declaration counts; the other one is not used.

Names of files that are taken in by `use` may be declared again: the file's own declaration comes first. Shapes, maps,
constants, dimensions and kernels share one set of names.",
    wrong: "tile : [64, 64];
tile : [128, 64];
",
    right: "tile : [64, 64];
wide-tile : [128, 64];
",
};

/// `name` is declared again; the first declaration is at `first_span` of the item `first`.
pub(crate) fn duplicate_name(name: &Name, first: Item, first_span: Span) -> Diagnostic {
    PAGE.at(name.span, format!("`{}` is already declared", name.text))
        .label("declared again")
        .related_item(first, first_span, format!("`{}` is first declared here", name.text))
        .help("rename one of the two; the first declaration counts")
}
