//! A value of a generic parameter does not fit.

use std::fmt;

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `generic-value`.
pub static PAGE: Page = Page {
    code: "generic-value",
    severity: Severity::Error,
    title: "a value of a generic parameter does not fit",
    explanation: "A kernel's generic parameters stand in brackets after its name: integers with a default, `B = 64`, and element types out of
a list, `T: f16 | f32 = f32`. They are known when the kernel is checked. A run gives others than the defaults after the
kernel's name, `run f[B: 32, T: f16](…)`, and so does the command line, `-G B=32`.

The kernel is checked for its defaults, for every type of a list, and for every combination of values that `tune(B: [32, 64])`
names. Combinations that the kernel's `where` excludes are left out.",
    wrong: "dim N;
kernel scale[B = 64](x: f32[N], y: mut f32[N]) where B <= 256 {
    view px = partition(x, [B]);
    view py = partition(y, [B]);
    for i in grid(py.index_space) { py.store_masked(px.load_masked(i) * 2.0, i); }
}
run scale[B: 512](x: arange, y: zeros) with N = 1000;
",
    right: "dim N;
kernel scale[B = 64](x: f32[N], y: mut f32[N]) where B <= 256 {
    view px = partition(x, [B]);
    view py = partition(y, [B]);
    for i in grid(py.index_space) { py.store_masked(px.load_masked(i) * 2.0, i); }
}
run scale[B: 128](x: arange, y: zeros) with N = 1000;
",
};

/// Why a value of a generic parameter does not fit.
pub(crate) enum WrongGeneric<'g> {
    /// The kernel has no such parameter.
    Unknown { kernel: &'g str, name: &'g str, generics: &'g [&'g str] },
    /// The kernel has no such parameter, and `tune` knows no such word.
    Untunable { kernel: &'g str, name: &'g str, generics: &'g [&'g str] },
    /// A parameter is given twice.
    Twice { name: &'g str },
    /// A type that the parameter does not list.
    NoneOf { name: &'g str, value: &'g str, types: Vec<&'g str> },
    /// Something else than a type.
    NoType { name: &'g str, types: Vec<&'g str> },
    /// The command line gives a value of the wrong kind, or a type that is not listed.
    Chosen { name: &'g str, value: &'g str, types: Vec<&'g str> },
    /// An argument of `tune` that is no list.
    NoList,
    /// An argument of `tune` without a name.
    NoName,
    /// More combinations than are checked; `None` if they cannot be counted.
    TooMany { found: Option<usize>, most: usize },
    /// A run chooses values that the kernel's `where` excludes.
    Excluded { kernel: &'g str, values: &'g str, error: &'g str },
    /// A run chooses values with which the kernel has an error.
    Broken { kernel: &'g str, values: &'g str, error: &'g str },
}

/// A value of a generic parameter at `span` does not fit.
pub(crate) fn generic_value(span: Span, why: &WrongGeneric<'_>) -> Diagnostic {
    let diagnostic = PAGE.at(span, why.to_string());
    match why.help() {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

impl WrongGeneric<'_> {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Unknown { generics: [], .. } => {
                "generic parameters are declared after the kernel's name: `kernel f[B = 64](…)`".to_owned()
            }
            Self::Untunable { .. } => "`tune` may also list `stages` and `warps`, which change no result".to_owned(),
            Self::NoList | Self::NoName => "name each parameter with a list: `tune(B: [32, 64])`".to_owned(),
            Self::TooMany { .. } => "list fewer values, or several kernels with some of them each".to_owned(),
            _ => return None,
        })
    }
}

impl fmt::Display for WrongGeneric<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |types: &[&str]| types.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match self {
            Self::Unknown { kernel, name, generics: [] } | Self::Untunable { kernel, name, generics: [] } => {
                write!(formatter, "`{kernel}` has no generic parameters, so `{name}` has nothing to set")
            }
            Self::Unknown { kernel, name, generics } | Self::Untunable { kernel, name, generics } => {
                write!(formatter, "`{name}` is no generic parameter of `{kernel}`, which has {}", listed(generics))
            }
            Self::Twice { name } => write!(formatter, "`{name}` is given twice"),
            Self::NoneOf { name, value, types } => {
                write!(formatter, "`{name}` cannot be `{value}`; it is one of {}", listed(types))
            }
            Self::NoType { name, types } => {
                write!(formatter, "`{name}` is an element type, one of {}", listed(types))
            }
            Self::Chosen { name, value, types } if types.is_empty() => {
                write!(formatter, "`{name}` is an integer, but the command line gives it `{value}`")
            }
            Self::Chosen { name, value, types } => {
                write!(formatter, "`{name}` is one of {}, but the command line gives it `{value}`", listed(types))
            }
            Self::NoList => formatter.write_str("the candidates of a parameter are a list"),
            Self::NoName => formatter.write_str("this list belongs to no parameter"),
            Self::TooMany { found: Some(found), most } => {
                write!(formatter, "these are {}; at most {most} are checked", words::count(*found, "combination"))
            }
            Self::TooMany { found: None, most } => {
                write!(formatter, "these are too many combinations; at most {most} are checked")
            }
            Self::Excluded { kernel, values, error } => {
                write!(formatter, "the `where` of `{kernel}` excludes {values}: {error}")
            }
            Self::Broken { kernel, values, error } => {
                write!(formatter, "with {values}, `{kernel}` has an error: {error}")
            }
        }
    }
}
