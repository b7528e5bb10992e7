//! A `use` of a missing file.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::library;
use syntax::span::Span;

/// The documentation of `unresolved-use`.
pub static PAGE: Page = Page {
    code: "unresolved-use",
    severity: Severity::Error,
    title: "a file that `use` names is not there, or cannot be read",
    explanation: r#"`use "other.shape";` takes in the names of another file. Its path is relative to the folder of the file that it stands
in, with `/` between folders, on every system.

`use "std/activations.shape";` takes in a file of the library that comes with the program.

The message shows the path that was looked for. A file that is there but cannot be read, because it is not UTF-8 for
example, is named with the reason; nothing of it is taken in."#,
    wrong: r#"use "missing.shape";
"#,
    right: "tile : [64, 64];
",
};

/// `reason` is a sentence that names the file.
pub(crate) fn unreadable_use(span: Span, reason: &str) -> Diagnostic {
    PAGE.at(span, reason.to_owned()).label("cannot be read").help("nothing of it is taken in until it can be")
}

/// `text` is the path as written, `path` the resolved one.
pub(crate) fn unresolved_use(span: Span, text: &str, path: &str) -> Diagnostic {
    if library::name(path).is_some() {
        let files: Vec<String> = library::uses().map(|path| format!("`{path}`")).collect();
        return PAGE
            .at(span, format!("the library has no file `{text}`"))
            .label("not found")
            .help(format!("its files are {}", files.join(", ")));
    }
    let diagnostic = PAGE
        .at(span, format!("there is no file `{path}`"))
        .label("not found")
        .help("the path is relative to the folder of this file");
    if text.ends_with(".shape") {
        diagnostic
    } else {
        diagnostic.help("the file's ending, `.shape`, belongs to its path")
    }
}
