//! The bits of a value cannot be those of another type.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `bit-cast`.
pub static PAGE: Page = Page {
    code: "bit-cast",
    severity: Severity::Error,
    title: "the bits of a value cannot be those of another type",
    explanation: "`bitcast(u32, x)` takes the bits of a number as they are for a number of another type: `bitcast(u32, 1.0)` is `0x3f800000`.
Both types have the same number of bits, and are integers or floats: not every byte is a `bool`. A conversion, `u32(x)`, keeps
the value instead, and changes the bits.",
    wrong: "kernel bits(x: f64[4], y: mut u32[4]) {
    for i in grid(4) { y[i] = bitcast(u32, x[i]); }
}
",
    right: "kernel bits(x: f64[4], y: mut u64[4]) {
    for i in grid(4) { y[i] = bitcast(u64, x[i]); }
}
",
};

/// A value of the type `from` at `span` cannot be taken for one of the type `to`.
pub(crate) fn bit_cast(span: Span, from: ElementType, to: ElementType) -> Diagnostic {
    if let Some(truth) = [from, to].into_iter().find(|element| *element == ElementType::Bool) {
        return PAGE
            .at(span, format!("not every byte is a `{truth}`, so its bits are not those of a number"))
            .label(format!("from `{from}` to `{to}`"))
            .help("write `bool(x)`, which is `x != 0`, or `u8(b)`, which is 1 or 0");
    }
    let width = |element: ElementType| format!("`{element}` has {} bits", element.bits());
    let fits = |other: &ElementType| *other != from && other.bits() == from.bits();
    let names: Vec<&str> = ElementType::ALL.into_iter().filter(fits).map(ElementType::name).collect();
    PAGE.at(span, format!("{}, but {}", width(from), width(to)))
        .label(format!("from `{from}` to `{to}`"))
        .help(format!("its bits can be those of {}; a conversion, `{to}(x)`, keeps the value", words::list(&names)))
}

/// The type stands behind the value: `bitcast(x, u32)`.
pub(crate) fn bit_cast_order(value: Span, type_span: Span, name: &str) -> Diagnostic {
    let edits = vec![
        (Span::new(value.start, value.start), format!("{name}, ").into()),
        (Span::new(value.end, type_span.end), "".into()),
    ];
    PAGE.at(value.to(type_span), "in a bit cast the type stands before the value")
        .label("the value comes first here")
        .fix_at(format!("write `bitcast({name}, …)`"), edits)
}

/// No type stands before the value.
pub(crate) fn bit_cast_without_type(span: Span) -> Diagnostic {
    PAGE.at(span, "a bit cast says a type and a value").label("no type").help("write it as `bitcast(u32, x)`")
}
