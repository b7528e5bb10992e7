//! A function that computes no value, or calls itself.

use super::diagnostic::{Diagnostic, Page, Place, Severity};
use crate::values::FunctionValue;
use syntax::span::Span;

/// The documentation of `function-body`.
pub static PAGE: Page = Page {
    code: "function-body",
    severity: Severity::Error,
    title: "the body of a function is no computation of one value",
    explanation: "A function computes a value from its arguments. Its body has definitions (`let`, `const`, `map`, `fn`, `assert`), and its last
expression is the value; `if … { … } else { … }` is a value, too. There is no `return`. A function changes nothing, so it has
no `let mut`, no stores and no loops: those belong to kernels.",
    wrong: "fn relu(x: f32) -> f32 { if x > 0.0 { x } }
",
    right: "fn relu(x: f32) -> f32 { if x > 0.0 { x } else { 0.0 } }
",
};

/// The documentation of `recursive-function`.
pub static RECURSIVE: Page = Page {
    code: "recursive-function",
    severity: Severity::Error,
    title: "functions call each other without end",
    explanation: "A call of a function means its body with the arguments in the places of the parameters. So a function cannot call itself, not
through other functions either. What repeats something is a loop in a kernel, `for i in 0..n { … }`, or a reduction of a tile.",
    wrong: "fn power(x, n) = if n == 0 { 1 } else { x * power(x, n - 1) };
const a = power(2, 10);
",
    right: "fn square(x) = x * x;
const a = square(square(2));
",
};

/// What is wrong with the body of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrongBody {
    /// It ends without a value.
    NoValue,
    /// An `if` without `else`, as the value.
    NoElse,
    /// It declares a variable that changes.
    Mutable,
    /// A statement that is no definition.
    Statement,
    /// An expression before the value.
    Unused,
}

/// `span` is a part of the body of a function.
pub(crate) fn function_body(span: Span, name: &str, wrong: WrongBody) -> Diagnostic {
    let (message, label, help) = match wrong {
        WrongBody::NoValue => {
            (format!("`{name}` computes no value"), "ends here", "let its last expression be the value")
        }
        WrongBody::NoElse => (
            format!("without an `else`, `{name}` has no value where the condition does not hold"),
            "no `else`",
            "add `else { … }`",
        ),
        WrongBody::Mutable => (
            format!("`{name}` is a function, in which nothing changes"),
            "`let mut` in a function",
            "give each value a name of its own, or write what changes in a kernel",
        ),
        WrongBody::Statement => (
            format!("`{name}` is a function, which only computes a value"),
            "a statement of kernels",
            "functions have `let`, `const`, `map`, `fn`, `assert` and a value; stores and loops belong to kernels",
        ),
        WrongBody::Unused => {
            (format!("nothing in `{name}` uses this value"), "not used", "name it by `let`, or leave it out")
        }
    };
    PAGE.at(span, message).label(label).help(help)
}

/// The function `name` is called within itself.
pub(crate) fn recursive_function(span: Span, name: &str) -> Diagnostic {
    RECURSIVE
        .at(span, format!("`{name}` is called within itself, without end"))
        .label("the same function again")
        .help("write what repeats as a loop in a kernel, `for i in 0..n { … }`")
}

/// What a call exceeds.
pub(crate) enum TooDeep {
    /// So many calls within each other.
    Calls(usize),
    /// So many tokens of functions in one item.
    Tokens(usize),
    /// So many operations in what a name stands for, where it has no variable.
    Operations(usize),
}

/// A call of `name` exceeds a limit.
pub(crate) fn functions_too_deep(span: Span, name: &str, limit: &TooDeep) -> Diagnostic {
    match limit {
        TooDeep::Calls(most) => RECURSIVE
            .at(span, format!("this call of `{name}` is nested in more than {most} others"))
            .label("too deep")
            .help("let a function do more by itself"),
        TooDeep::Tokens(most) => RECURSIVE
            .at(span, format!("with this call of `{name}`, the calls of one item have more than {most} tokens"))
            .label("one call too many")
            .help("name results by `let` and use them again, instead of calls within calls"),
        TooDeep::Operations(most) => RECURSIVE
            .at(
                span,
                format!(
                    "what `{name}` stands for here has more than {most} operations, and is computed under a condition"
                ),
            )
            .label("too many operations")
            .help("name a part of it by `let`, before the condition that it stands in"),
    }
}

impl Diagnostic {
    /// A diagnostic of a function's body as one of its call. Its fixes are left out, since what is right for one call may be
    /// wrong for another.
    pub(crate) fn moved_to(mut self, call: Span, function: &FunctionValue, same_item: bool) -> Self {
        let item = (!same_item).then_some(function.item);
        for (place, _) in &mut self.related {
            place.item = place.item.or(item);
        }
        let place = Place { item, span: self.span };
        let name = &function.function.name.text;
        self.related.insert(0, (place, format!("here in `{name}`")));
        self.span = call;
        self.label = format!("in this call of `{name}`");
        self.fixes.clear();
        self
    }
}
