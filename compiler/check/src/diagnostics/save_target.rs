//! A `save` of something that is no output.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `save-target`.
pub static PAGE: Page = Page {
    code: "save-target",
    severity: Severity::Error,
    title: "`save` names something that the kernel does not write",
    explanation: r#"`save y: "y.npy"` writes a tensor to a file after the run. What stands before the colon is a tensor that the kernel
writes: a parameter declared as `mut`."#,
    wrong: r#"kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
run fill(y: zeros) save z: "z.npy";
"#,
    right: r#"kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
run fill(y: zeros) save y: "y.npy";
"#,
};

/// `name` is no tensor that the kernel writes.
pub(crate) fn save_target(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is not a tensor that this kernel writes, so it cannot be saved"))
        .label("not an output")
        .help("`save` takes a parameter declared as `mut`")
}
