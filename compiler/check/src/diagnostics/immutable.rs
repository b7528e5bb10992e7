//! An assignment to a variable that was not declared with `mut`.

use super::diagnostic::{Diagnostic, Page, Severity};
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `immutable`.
pub static PAGE: Page = Page {
    code: "immutable",
    severity: Severity::Error,
    title: "a variable that does not change is assigned",
    explanation: "`let x = e;` gives a name to a value, once. A variable that changes is declared with `let mut x = e;`, as an accumulator
in a loop is. The iterators of loops never change inside the body, nor do sizes and the numbers that a kernel is given. Of a
tensor each element is assigned by its index.",
    wrong: "kernel sum(x: f32[12], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    let total = 0.0;
    for i in 0..3 { total += xs[i]; }
    ys[0] = total;
}
",
    right: "kernel sum(x: f32[12], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    let mut total = 0.0;
    for i in 0..3 { total += xs[i]; }
    ys[0] = total;
}
",
};

/// `name` is assigned at `span`; its name is declared at `declaration`.
pub(crate) fn immutable(span: Span, name: &str, declaration: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is assigned, but it is not declared as `mut`"))
        .label("assigned here")
        .related(declaration, format!("`{name}` is declared here"))
        .fix(format!("declare `{name}` as `mut`"), Span::new(declaration.start, declaration.start), "mut ")
}

/// The constant or the map `name` is assigned at `span`.
pub(crate) fn immutable_definition(span: Span, name: &str, declaration: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is known when the kernel is checked, and cannot be assigned"))
        .label("assigned here")
        .related(declaration, format!("`{name}` is defined here"))
        .help("a variable is declared by `let mut`")
}

/// The iterator `name` of a loop is assigned at `span`; the loop declares it at `declaration`.
pub(crate) fn immutable_iterator(span: Span, name: &str, declaration: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is the iterator of a loop and cannot be assigned"))
        .label("assigned here")
        .related(declaration, format!("`{name}` is the iterator of this loop"))
        .help(format!("use a variable of its own, which may begin with it: `let mut next = {name};`"))
}

/// The size `name`, which the file or the kernel declares, is assigned at `span`.
pub(crate) fn immutable_size(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is a size, which is known before the kernel runs, and cannot be assigned"))
        .label("assigned here")
        .help("a run says how large it is: `with` and its name; what changes is a variable, `let mut n = …;`")
}

/// What is assigned as if it were a variable.
pub(crate) enum Assigned {
    /// A tensor, an array or a view with so many indices.
    Elements(usize),
    /// A partition whose tiles have so many indices.
    Tiles(usize),
    /// A number that is a parameter.
    Number,
}

/// `name`, which is no variable, is assigned at `span`.
pub(crate) fn assigned_whole(span: Span, name: &str, declaration: Span, assigned: &Assigned) -> Diagnostic {
    let indices = |count: usize| match count {
        0 => "".to_owned(),
        1 => "i".to_owned(),
        2 => "i, j".to_owned(),
        _ => (0..count).map(|axis| format!("i{axis}")).collect::<Vec<String>>().join(", "),
    };
    let (message, help) = match assigned {
        Assigned::Elements(count) => (
            format!("`{name}` has elements, which are assigned one by one, and not all at once"),
            format!("name the element: `{name}[{}] = …;`", indices(*count)),
        ),
        Assigned::Tiles(count) => (
            format!("`{name}` has tiles, which are stored one by one, and not all at once"),
            format!("name the tile: `{name}.store(…, {});`", indices(*count)),
        ),
        Assigned::Number => (
            format!("`{name}` is a number that the kernel is given, and cannot be assigned"),
            format!(
                "use a variable of its own, `let mut v = {name};`; a number that a kernel gives back is a tensor of one element, \
                 `mut f32[1]`"
            ),
        ),
    };
    PAGE.at(span, message).label("assigned here").related(declaration, format!("`{name}` is declared here")).help(help)
}

/// The number `name` is declared as `mut`; its `element` type is at `at`, and the word before it.
pub(crate) fn mutable_number(name: &str, at: Span, element: ElementType) -> Diagnostic {
    let word = Span::new(at.start.saturating_sub(1), at.start);
    PAGE.at(word, format!("`{name}` is one number, which a kernel is given and does not give back"))
        .label("`mut` is for tensors")
        .help(format!(
            "a number that a kernel gives back is a tensor of one element, which has an index: `{name}[0] = …;`"
        ))
        .fix("make it a tensor of one element", at, format!("{element}[1]"))
        .fix("leave out `mut`", word.to(at), element.name())
}
