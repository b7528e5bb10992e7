//! A name in a kernel that nothing declares.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `unknown-local`.
pub static PAGE: Page = Page {
    code: "unknown-local",
    severity: Severity::Error,
    title: "a name in a kernel is not declared",
    explanation: "Inside a kernel a name is a parameter, a view, a variable or an iterator that was declared further up, or a constant,
size or map of the file. Unlike items, statements are in order: a variable is used after its `let`, inside the braces
that it stands in.",
    wrong: "kernel fill(value: f32, y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = valeu;
}
",
    right: "kernel fill(value: f32, y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = value;
}
",
};

/// `nearest` is the name in scope that was probably meant.
pub(crate) fn unknown_local(span: Span, name: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic = match name {
        "return" | "break" | "continue" | "while" | "loop" => {
            PAGE.at(span, format!("there is no `{name}` in kernels")).label("not a statement")
        }
        _ => PAGE.at(span, format!("`{name}` is not declared in this kernel")).label("not declared"),
    };
    match nearest {
        Some(_) => words::suggest(diagnostic, span, nearest),
        None => diagnostic.help(advice(name)),
    }
}

/// What to write for a word that other languages have.
fn advice(name: &str) -> &'static str {
    match name {
        "thread" | "thread_id" | "threadIdx" | "tid" | "block" | "block_id" | "blockIdx" | "blockDim"
        | "program_id" | "warp" | "warp_id" | "lane" | "lane_id" | "laneid" => {
            "no word stands for an id: `for t in threads(n, cuda_thread)` gives each thread a number, `for w in \
             threads(n, cuda_warp)` each warp, `for b in grid(n)` each block, and a view each thread its elements"
        }
        "auto" | "var" | "const" => "a value is named by `let NAME = …;`, and a variable by `let mut NAME = …;`",
        _ if ElementType::from_elsewhere(name).is_some() => {
            "a value is named by `let NAME = …;`, and a variable by `let mut NAME = …;`"
        }
        "while" | "loop" => "every loop is bounded: `for i in lo..hi { … }`",
        "return" | "break" | "continue" => "nothing leaves a kernel or a loop early: put the rest under an `if`",
        _ => "declare it further up, as a parameter or with `let`",
    }
}
