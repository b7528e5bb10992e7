//! A condition of an `expect` that does not fit the tensors in it.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use dims::{Sym, Symbol};
use kernel::functions::ArgumentCount;
use maps::shapes::Shape;
use syntax::span::Span;

/// The documentation of `expect-shape`.
pub static PAGE: Page = Page {
    code: "expect-shape",
    severity: Severity::Error,
    title: "the condition of an `expect` does not fit its tensors",
    explanation: "`expect` compares whole tensors: both sides have the same shape, or one of them is a single number. Elements along a
dimension of extent 1 are repeated: `x / x.sum(1, keep: true)` divides each row by its sum. `x.permute(1, 0)` turns the
dimensions, `x.reshape([…])` keeps the elements and needs the same number of them, `x.sum()` leaves a number.

The message shows the shapes.",
    wrong: "kernel copy(x: f32[4], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = xs[0];
}
run copy(x: arange, y: zeros) expect y == x.reshape([2, 2]);
",
    right: "kernel copy(x: f32[4], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = xs[0];
}
run copy(x: arange, y: zeros) expect y == x;
",
};

/// An error in the condition of an `expect`.
pub(crate) enum Misfit<'a> {
    /// It is no condition.
    NoCondition,
    /// An operator that does not apply to tensors.
    Operator,
    /// Two shapes that differ; `unsaid` is a size that the run does not give, if that is the reason.
    Shapes { left: &'a Shape, right: &'a Shape, unsaid: Option<&'a Symbol> },
    /// Two shapes whose product does not exist; `unsaid` as for `Shapes`.
    Product { left: &'a Shape, right: &'a Shape, unsaid: Option<&'a Symbol> },
    /// `keep:` with something other than `true` or `false`.
    Keep,
    /// A member or an element of a file, whose shape is only that of what it is compared with.
    PartOfFile,
    /// A list without a number.
    EmptyList,
    /// Rows of a list that are not equally long.
    UnequalRows,
    /// A tensor in a list.
    TensorInList,
    /// A function with a wrong number of arguments.
    Arguments { function: &'a str, expected: ArgumentCount },
    /// `initial` of anything but a parameter.
    Initial,
    /// A tensor that is called.
    Call,
    /// A member `name` that tensors do not have, but these.
    NoMember { name: &'a str, members: &'a [&'a str] },
    /// `permute` without each dimension once.
    Permute { rank: usize },
    /// `reshape` to another number of elements.
    Reshape { before: &'a Sym, after: &'a Sym },
    /// `reverse` of a single value.
    ReverseScalar,
    /// A dimension that the tensor does not have.
    NoDimension { number: i64, rank: usize },
    /// More indices than dimensions.
    TooManyIndices,
    /// A whole dimension of this extent, as this sign says it.
    Whole { sign: &'a str, extent: &'a Sym },
    /// A range that exceeds its dimension.
    RangeBeyond { low: &'a Sym, high: &'a Sym, extent: &'a Sym },
}

/// The condition does not fit at `span`.
pub(crate) fn expect_shape(span: Span, what: &Misfit<'_>) -> Diagnostic {
    let diagnostic = PAGE.at(span, message(what));
    match what {
        Misfit::Shapes { unsaid: Some(symbol), .. } | Misfit::Product { unsaid: Some(symbol), .. } => {
            diagnostic.help(format!("say which `{symbol}` this run has: `with {symbol} = …`"))
        }
        Misfit::Shapes { left, right, .. } => match inserted(&left.dims, &right.dims) {
            Some((shape, dimension)) => diagnostic.help(format!(
                "`.insert({dimension})` gives {shape} a dimension of extent 1, along which its elements are repeated"
            )),
            None => diagnostic,
        },
        Misfit::Whole { extent, .. } => diagnostic.fix(format!("write `0..{extent}`"), span, format!("0..{extent}")),
        Misfit::NoMember { name: "T" | "mT", .. } => diagnostic
            .help("`x.permute(1, 0)` exchanges the dimensions of a matrix")
            .fix("write `.permute(1, 0)`", span, ".permute(1, 0)"),
        Misfit::NoMember { name: "transpose" | "swapaxes" | "t", .. } => {
            diagnostic.help("`x.permute(1, 0)` exchanges the dimensions of a matrix")
        }
        _ => diagnostic,
    }
}

/// The shape that has a dimension less than the other one, and where it is missing.
fn inserted(left: &[Sym], right: &[Sym]) -> Option<(Shape, usize)> {
    let (few, many) = if left.len() < right.len() { (left, right) } else { (right, left) };
    if few.len() + 1 != many.len() {
        return None;
    }
    let is_missing = |dimension: &usize| {
        let (before, after) = few.split_at(*dimension);
        let rest = many.get(*dimension + 1..);
        let agree = |own: &[Sym], other: &[Sym]| own.iter().zip(other).all(|(own, other)| own == other);
        agree(before, many) && rest.is_some_and(|rest| agree(after, rest))
    };
    let dimension = (0..many.len()).find(is_missing)?;
    Some((Shape { dims: few.to_vec() }, dimension))
}

fn message(what: &Misfit<'_>) -> String {
    match what {
        Misfit::NoCondition => "`expect` takes a comparison of tensors, such as `y == 2.0 * x`".to_owned(),
        Misfit::Operator => "this operator does not apply to tensors".to_owned(),
        Misfit::Shapes { left, right, .. } => {
            format!("shapes {left} and {right} do not go together element by element")
        }
        Misfit::Product { left, right, .. } => {
            format!(
                "`matmul` multiplies matrices [M, K] and [K, N], or batches of them, but these are {left} and {right}"
            )
        }
        Misfit::Keep => "`keep` is `true` or `false`".to_owned(),
        Misfit::PartOfFile => {
            "a file has the shape of what it is compared with, so it stands by itself: `y == npy(\"y.npy\")`".to_owned()
        }
        Misfit::EmptyList => "a list needs at least one number".to_owned(),
        Misfit::UnequalRows => "the rows of a list must all be equally long".to_owned(),
        Misfit::TensorInList => "a list holds numbers, and no tensors".to_owned(),
        Misfit::Arguments { function, expected } => format!("`{function}` takes {expected}"),
        Misfit::Initial => "`initial` takes a parameter of the kernel and gives its value before the run".to_owned(),
        Misfit::Call => "a tensor cannot be called".to_owned(),
        Misfit::NoMember { name, members } => {
            format!("a tensor has no `.{name}`; it has {}", words::list(members))
        }
        Misfit::Permute { rank } => {
            format!("`permute` needs each dimension from 0 to {} once", rank.saturating_sub(1))
        }
        Misfit::Reshape { before, after } => {
            format!("`reshape` keeps the number of elements: {before} is not {after}")
        }
        Misfit::ReverseScalar => "`reverse` needs a dimension, and a single value has none".to_owned(),
        Misfit::NoDimension { number, rank } => {
            format!("there is no dimension {number}: the tensor has rank {rank}")
        }
        Misfit::TooManyIndices => "there are more indices than dimensions".to_owned(),
        Misfit::Whole { sign, .. } => {
            format!("a part of a tensor is said by a range with both ends, and `{sign}` has none")
        }
        Misfit::RangeBeyond { low, high, extent } => {
            format!("{low}..{high} goes beyond the dimension, which is {extent}")
        }
    }
}
