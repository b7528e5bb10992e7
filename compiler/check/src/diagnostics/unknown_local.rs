//! An undeclared name in a kernel.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::foreign_names::{self, ForeignName, OF_MODULES, foreign_name, is_id, is_module};
use super::{foreign_functions, words};
use kernel::functions::Function;
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

/// `nearest` is the name in scope that was probably meant; `member` is what stands behind a point, with its span.
pub(crate) fn unknown_local(span: Span, name: &str, nearest: Option<&str>, member: Option<(&str, Span)>) -> Diagnostic {
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
    match (nearest, foreign_name(name)) {
        (Some(_), _) => words::suggest(diagnostic, span, nearest),
        (None, _) if is_module(name) => of_module(diagnostic, span, member),
        (None, Some(ForeignName { ours: Some(ours), .. })) => {
            diagnostic.help(format!("it is called `{ours}` here")).fix(format!("write `{ours}`"), span, ours)
        }
        (None, Some(ForeignName { advice, ours: None })) => diagnostic.help(advice),
        (None, None) => diagnostic.help("declare it further up, as a parameter or with `let`"),
    }
}

/// Advice for a module of another language, of which a `member` is used.
fn of_module(diagnostic: Diagnostic, span: Span, member: Option<(&str, Span)>) -> Diagnostic {
    let Some((member, at)) = member else { return diagnostic.help(OF_MODULES) };
    let own = || Function::from_name(member).map(|function| function.name);
    let ours = own().or_else(|| foreign_names::constant(member)).or_else(|| foreign_functions::meant(member));
    match (ours, foreign_functions::advice(member)) {
        (Some(ours), _) => diagnostic
            .help(format!("there are no modules: what is meant is called `{ours}` alone"))
            .fix(format!("write `{ours}`"), span.to(at), ours),
        (None, Some(IDS)) => diagnostic.help("there are no modules").help(IDS),
        (None, Some(advice)) => diagnostic.help(OF_MODULES).help(advice),
        (None, None) => diagnostic.help(OF_MODULES),
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
