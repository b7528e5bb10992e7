//! A dimension that stands twice in a layout.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `layout-duplicate`.
pub static PAGE: Page = Page {
    code: "layout-duplicate",
    severity: Severity::Error,
    title: "a dimension stands twice in a layout",
    explanation: "A layout is a permutation: it lists every dimension of the map exactly once, from the one that runs fastest in memory to
the slowest. Here one of them stands twice.

If it were accepted, two different coordinates would reach the same element, and threads would overwrite each other's
results. Replace one of the two by the dimension that is missing.",
    wrong: "map m = reshape_map([3] | [4] => layout: [i0, i0]);
",
    right: "map m = reshape_map([3] | [4] => layout: [i0, t0]);
",
};

/// The entry at `span` names the dimension `name` again; `missing` are the dimensions that no entry names.
pub(crate) fn layout_duplicate(span: Span, name: &str, first: Span, missing: &[String], reversed: bool) -> Diagnostic {
    let diagnostic = PAGE
        .at(span, format!("`{name}` stands twice in the layout"))
        .label("the second time")
        .related(first, format!("`{name}` stands here already"));
    match missing {
        [] => diagnostic.help("every dimension has its entry already").fix(
            "remove the entry",
            Span::new(span.start.saturating_sub(1), span.end),
            "",
        ),
        [missing] => {
            let entry = format!("{}{missing}", if reversed { "-" } else { "" });
            diagnostic.help(format!("`{missing}` has no entry")).fix(
                format!("replace it by `{entry}`"),
                span,
                entry.as_str(),
            )
        }
        _ => diagnostic.help(format!("{} have no entry", words::list(missing))),
    }
}
