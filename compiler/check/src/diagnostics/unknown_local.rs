//! An undeclared name in a kernel.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `unknown-local`.
pub static PAGE: Page = Page {
    code: "unknown-local",
    severity: Severity::Error,
    title: "a name in a kernel is not declared",
    explanation: "Inside a kernel or a function a name is a parameter, a view, a variable or an iterator that was declared further up, or a constant,
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
    if is_id(name) && nearest.is_none() {
        return PAGE
            .at(span, "no word stands for an id of a block or a thread, nor for how many there are")
            .label("not declared")
            .help(IDS)
            .help("the ids of warps are those of `for w in threads(n, cuda_warp)`, and a view gives each thread its elements");
    }
    let diagnostic = match name {
        "return" | "break" | "continue" | "while" | "loop" | "do" => {
            PAGE.at(span, format!("there is no `{name}` in kernels")).label("not a statement")
        }
        _ => PAGE.at(span, undeclared_message(name)).label("not declared"),
    };
    match nearest {
        Some(_) => words::suggest(diagnostic, span, nearest),
        None if is_module(name) => diagnostic.help(MODULES).help(IDS),
        None => diagnostic.help(advice(name)),
    }
}

/// A name in the body of a function that is neither a parameter nor anything of the file.
pub(crate) fn unknown_in_function(span: Span, name: &str, function: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("`{name}` is not declared in `{function}`")).label("not declared");
    match nearest {
        Some(_) => words::suggest(diagnostic, span, nearest),
        None => diagnostic.help(
            "a function sees its parameters, its own definitions and the names of its file: pass it what it needs",
        ),
    }
}

/// An assignment to an undeclared name, which could be its declaration.
pub(crate) fn undeclared(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, undeclared_message(name))
        .label("not declared")
        .help(format!("where it begins, write `let {name} = …;`, or `let mut {name} = …;` if it is assigned again"))
        .fix("declare it here", span, format!("let mut {name}"))
}

fn undeclared_message(name: &str) -> String {
    format!("`{name}` is not declared in this kernel")
}

/// Advice for ids of blocks and threads.
pub(super) const IDS: &str = "number the blocks by `for b in grid(n)` and the threads of each by `for t in threads(256, cuda_thread)` \
     inside it; then `let i = b * 256 + t;` is the number of a thread among all";

/// Whether other languages use a name for an id or for the number of blocks or threads.
fn is_id(name: &str) -> bool {
    matches!(
        name,
        "thread"
            | "thread_id"
            | "threadIdx"
            | "tid"
            | "block"
            | "block_id"
            | "blockIdx"
            | "blockDim"
            | "gridDim"
            | "program_id"
            | "warp"
            | "warp_id"
            | "warpSize"
            | "lane"
            | "lane_id"
            | "laneid"
    )
}

/// Advice for functions of modules.
const MODULES: &str = "there are no modules: a function is called by its name alone, `exp(x[i])`, and what a kernel loads and stores are \
     elements, `y[i] = x[i];`";

/// Whether a name is that of a module of other languages with functions for kernels.
fn is_module(name: &str) -> bool {
    matches!(name, "tl" | "triton" | "cuda" | "ti" | "wp" | "np" | "numpy" | "torch" | "math" | "std")
}

/// Advice for a word of other languages.
fn advice(name: &str) -> &'static str {
    match name {
        "auto" | "var" | "const" => "a value is named by `let NAME = …;`, and a variable by `let mut NAME = …;`",
        _ if ElementType::from_elsewhere(name).is_some() => {
            "a value is named by `let NAME = …;`, and a variable by `let mut NAME = …;`"
        }
        "while" | "loop" | "do" => "every loop is bounded: `for i in lo..hi { … }`, or `while c max n { … }`",
        "break" | "continue" => "write it as a statement of its own, `break;`, in a loop one step at a time",
        "return" => "nothing leaves a kernel early: put the rest under an `if`",
        _ => "declare it further up, as a parameter or with `let`",
    }
}
