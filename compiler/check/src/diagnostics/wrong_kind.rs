//! A name of one kind of item where another is needed.

use std::fmt;

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::kernel_names::KernelName;
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `wrong-kind`.
pub static PAGE: Page = Page {
    code: "wrong-kind",
    severity: Severity::Error,
    title: "a name stands for another kind of item",
    explanation: "The name is declared, but as something else: a kernel is no value, and a map is declared by `map`, not by `const`.

`const` is for numbers, truth values, tuples and lists; `map` for index maps; a name with a colon for shapes. A kernel is
started by a `run` item.",
    wrong: "const m = reshape_map([3] | [4] => layout: [i0, t0]);
",
    right: "map m = reshape_map([3] | [4] => layout: [i0, t0]);
",
};

/// The kind of an item without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemOf {
    Map,
    Unit,
    Tiling,
    Kernel,
}

impl fmt::Display for ItemOf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Map => "a map",
            Self::Unit => "a unit",
            Self::Tiling => "a tiling",
            Self::Kernel => "a kernel",
        })
    }
}

/// `name` is declared by another kind of item than needed.
pub(crate) fn wrong_kind(span: Span, name: &str, found: ItemOf) -> Diagnostic {
    let expected = if found == ItemOf::Kernel { "a value" } else { "a constant" };
    PAGE.at(span, format!("`{name}` is {found}, expected {expected}")).label(format!("this is {found}")).help(
        match found {
            ItemOf::Map => format!("declare it with `map {name} = …`"),
            ItemOf::Unit => format!("declare it with `unit {name} = …`"),
            ItemOf::Tiling => format!("declare it with `tiling {name} = …`"),
            ItemOf::Kernel => format!("a kernel is started by an item `run {name}(…)`"),
        },
    )
}

/// A name of a kernel, declared at `declared`, is used where a value is needed before the kernel runs.
pub(crate) fn name_of_kernel(span: Span, name: &str, found: KernelName, declared: Span) -> Diagnostic {
    let help = match found {
        KernelName::Scalar => format!(
            "declare the size outside of the kernel, `dim {name};`, and leave the parameter out: statements may use a size as a number"
        ),
        KernelName::View => format!(
            "the sizes of a partition stand where they are used, `grid({name}.index_space)` and `0..{name}.index_space(1)`, and that of a tensor has a name of its own: `x: f32[N]`"
        ),
        KernelName::Tensor | KernelName::Shared => "the size of a tensor has a name of its own: `x: f32[N]`".to_owned(),
        _ => format!(
            "declare it by `const {name} = …;` where it is a number, here or outside of the kernel, and by `dim {name};` where it is a size that a run gives"
        ),
    };
    PAGE.at(span, format!("`{name}` is {found}, expected a size that is known before the kernel runs"))
        .label("not known here")
        .related(declared, format!("`{name}` is declared here"))
        .help(help)
}

/// A `const` in a kernel, whose word is at `word`, is made of `name`, at `span`, which only a run knows.
pub(crate) fn computed_constant(word: Span, name: &str, span: Span) -> Diagnostic {
    PAGE.at(span, format!("a `const` is computed when the kernel is checked, and `{name}` is known only when it runs"))
        .label("known only when the kernel runs")
        .help("`let` gives a name to what a run computes")
        .fix("write `let`", word, "let")
}

/// `name` is a generic parameter that stands for an element type.
pub(crate) fn type_as_value(span: Span, name: &str, element: ElementType) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is an element type, here `{element}`, expected a value"))
        .label("this is a type")
        .help(format!("convert a value with `{name}(…)`"))
}
