//! An argument of a `run` that does not fit its parameter.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::values::Kind;
use dims::{Solved, Sym};
use elements::ElementType;
use syntax::span::Span;

/// The documentation of `run-argument`.
pub static PAGE: Page = Page {
    code: "run-argument",
    severity: Severity::Error,
    title: "an argument of a run does not fit its parameter",
    explanation: r#"The arguments of a `run` say what the parameters hold before the kernel starts, by name: `zeros`, `ones`, `arange`,
`random(seed)`, a number, a literal in brackets, or `npy("x.npy")`. A scalar gets a number.

The message says what was expected and what was found."#,
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
run fill(y: zeros, z: zeros);
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
run fill(y: zeros);
",
};

/// An error in an argument of a run, or in a size after `with`.
pub(crate) enum WrongArgument<'a> {
    /// The kernel has no such parameter.
    NoParameter { kernel: &'a str, name: &'a str, parameters: &'a [&'a str], is_size: bool },
    /// The kernel has fewer parameters.
    TooMany { kernel: &'a str, parameters: &'a [&'a str] },
    /// The parameter has a value already.
    Twice { parameter: &'a str },
    /// The kernel has other symbolic sizes, which are `symbols`.
    NoSymbol { kernel: &'a str, name: &'a str, symbols: &'a [&'a str] },
    /// `npy` without the path of a file.
    NoPath,
    /// `zeros`, `ones` or `arange` with arguments.
    Fill { word: &'static str, parameter: &'a str },
    /// `random` without a seed.
    NoSeed,
    /// A word of numpy for the initial value `ours`.
    Elsewhere { word: &'a str, ours: &'a str },
    /// A whole tensor for a scalar.
    TensorForScalar { parameter: &'a str },
    /// Several numbers for a scalar.
    ListForScalar { parameter: &'a str },
    /// A literal with another number of elements than the tensor.
    Length { parameter: &'a str, expected: i64, found: usize },
    /// A literal whose number of elements the tensor has for no size.
    NoSize { parameter: &'a str, dim: &'a Sym, found: usize, solved: &'a Solved },
    /// A literal with a value that the element type does not hold.
    Element { parameter: &'a str, element: ElementType, found: &'a NoElement },
}

/// A value that an element type does not hold.
pub(crate) enum NoElement {
    /// An integer beyond its range.
    Int(i64),
    /// An unsigned integer beyond its range.
    Unsigned(u64),
    /// A float beyond its range.
    Float(f64),
    /// A size that is not a constant.
    Symbolic(Sym),
    /// A value of another kind.
    Kind(Kind),
}

/// An initial value that a word of numpy means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InitialOfNumpy {
    /// The elements of a file.
    File,
    /// This one of ours.
    Ours(&'static str),
}

impl InitialOfNumpy {
    /// What a word of numpy means.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Some(Self::Ours(match word {
            "load" | "loadtxt" | "from_numpy" | "fromfile" | "read" | "file" => return Some(Self::File),
            "rand" | "randn" | "randint" | "uniform" | "normal" | "standard_normal" | "default_rng" => "random(1)",
            "range" | "iota" => "arange",
            "empty" | "zero" | "zeros_like" | "empty_like" => "zeros",
            "ones_like" => "ones",
            // Words of the language that stand behind those of numpy: `np.zeros`.
            "zeros" => "zeros",
            "ones" => "ones",
            "arange" => "arange",
            _ => return None,
        }))
    }

    /// How it is written here; `path` is that of the file, if the program names it.
    pub(crate) fn written(self, path: Option<&str>) -> String {
        match self {
            Self::File => format!("npy({:?})", path.unwrap_or("x.npy")),
            Self::Ours(word) => word.to_owned(),
        }
    }
}

/// The argument at `span` is wrong.
pub(crate) fn run_argument(span: Span, why: &WrongArgument<'_>) -> Diagnostic {
    let diagnostic = PAGE.at(span, message(why)).help(
        "an argument is `name: value` with `zeros`, `ones`, `arange`, `random(1)`, a number, a literal or `npy(\"x.npy\")`",
    );
    match why {
        WrongArgument::NoParameter { name, is_size: true, .. } => {
            diagnostic.help(format!("`{name}` is a size, which stands behind the arguments: `with {name} = …`"))
        }
        WrongArgument::Fill { word, .. } => diagnostic.fix(format!("write `{word}`"), span, *word),
        WrongArgument::Elsewhere { ours, .. } => diagnostic.fix(format!("write `{ours}`"), span, *ours),
        WrongArgument::NoSeed => diagnostic.fix("write `random(1)`", span, "random(1)"),
        _ => diagnostic,
    }
}

fn message(why: &WrongArgument<'_>) -> String {
    match why {
        WrongArgument::NoParameter { kernel, name, parameters, .. } => {
            format!("`{kernel}` has no parameter `{name}`; its parameters are {}", parameters.join(", "))
        }
        WrongArgument::TooMany { kernel, parameters } => {
            let arguments = words::count(parameters.len(), "argument");
            format!("`{kernel}` takes {arguments}: {}", parameters.join(", "))
        }
        WrongArgument::Twice { parameter } => format!("`{parameter}` is given twice"),
        WrongArgument::NoSymbol { kernel, name, symbols: [] } => {
            format!("`{kernel}` has no symbolic sizes, so `{name}` has nothing to set")
        }
        WrongArgument::NoSymbol { kernel, name, symbols } => {
            format!("`{name}` is no symbolic size of `{kernel}`, which has {}", symbols.join(", "))
        }
        WrongArgument::NoPath => "`npy` takes the path of a file, as in `npy(\"x.npy\")`".to_owned(),
        WrongArgument::Fill { word, parameter } => {
            format!("`{word}` stands alone: it fills `{parameter}`, whose shape is known")
        }
        WrongArgument::Elsewhere { word, ours } if word == ours => {
            format!("`{word}` stands alone: the shape of a tensor is known")
        }
        WrongArgument::Elsewhere { word, ours } => format!("`{word}` is called `{ours}` here"),
        WrongArgument::NoSeed => "`random` takes a seed, as in `random(1)`".to_owned(),
        WrongArgument::TensorForScalar { parameter } => format!("`{parameter}` is a scalar: give it a number"),
        WrongArgument::ListForScalar { parameter } => format!("`{parameter}` is a scalar: give it one number"),
        WrongArgument::Length { parameter, expected, found } => {
            format!("`{parameter}` has {expected} elements, but the literal has {found}")
        }
        WrongArgument::NoSize { parameter, dim, found, solved } => {
            let why = match solved {
                Solved::TooSmall(symbol, value) => format!("`{symbol}` would be {value}, and a size is at least 1"),
                _ => format!("`{dim}` is {found} for no size"),
            };
            format!("`{parameter}` has `{dim}` elements, but the literal has {found}: {why}")
        }
        WrongArgument::Element { parameter, element, found } => {
            let range = element.range_text();
            let problem = match found {
                NoElement::Int(value) => format!("is {range}, and not {value}"),
                NoElement::Unsigned(value) => format!("is {range}, and not {value}"),
                NoElement::Float(value) => format!("is {range}, and not {value:?}"),
                NoElement::Symbolic(value) => {
                    format!("cannot be `{value}`: a literal is made of numbers that are known")
                }
                NoElement::Kind(kind) => format!("cannot be {kind}"),
            };
            format!("`{parameter}` holds `{element}`, which {problem}")
        }
    }
}
