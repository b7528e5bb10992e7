//! An access with too many or too few indices.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use dims::Sym;
use maps::shapes::Shape;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `index-count`.
pub static PAGE: Page = Page {
    code: "index-count",
    severity: Severity::Error,
    title: "an access has too many or too few indices",
    explanation: "A view takes one index for each local coordinate of its map, and a tensor one for each dimension. The thread id is not
among them: a view supplies it.

For `view xs = x via reshape_map([2, 3] | [4] …)` an element is `xs[i, j]`.",
    wrong: "kernel read(x: f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    let element = xs[0, 0];
}
",
    right: "kernel read(x: f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    let element = xs[0];
}
",
};

/// `name` takes `expected` indices, and was given `found`.
pub(crate) fn wrong_index_count(span: Span, name: &str, expected: usize, found: usize) -> Diagnostic {
    PAGE.at(span, format!("`{name}` takes {}, found {found}", words::count(expected, "index")))
        .label(format!("expected {}", words::count(expected, "index")))
        .help("a view has one index for each local dimension of its map, a tensor one for each of its dimensions")
}

/// One index for all elements of a tensor of several dimensions.
pub(crate) struct FlatIndex<'i> {
    /// The place and the text of the index.
    pub(crate) index: (Span, &'i str),
    /// The extents of the tensor.
    pub(crate) extents: &'i [Sym],
    /// The indices of which it is made, `r` and `c` in `r * N + c`.
    pub(crate) parts: Option<[SmolStr; 2]>,
}

/// The tensor `name` of several dimensions was given one index for all of its elements.
pub(crate) fn flat_index(span: Span, name: &str, flat: &FlatIndex<'_>) -> Diagnostic {
    let (place, text) = flat.index;
    let rank = flat.extents.len();
    let is_word = |text: &str| text.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    let grouped = |text: &str| if is_word(text) { text.to_owned() } else { format!("({text})") };
    let digit = |dimension: usize| {
        let below: Vec<String> =
            flat.extents[dimension + 1..].iter().map(|extent| grouped(&extent.to_string())).collect();
        let above = match below.as_slice() {
            [] => grouped(text),
            [one] => format!("{} / {one}", grouped(text)),
            several => format!("{} / ({})", grouped(text), several.join(" * ")),
        };
        if dimension == 0 { above } else { format!("{above} % {}", grouped(&flat.extents[dimension].to_string())) }
    };
    let indices = match &flat.parts {
        Some(parts) => parts.join(", "),
        None => (0..rank).map(digit).collect::<Vec<_>>().join(", "),
    };
    let shape = Shape { dims: flat.extents.to_vec() };
    let diagnostic = PAGE
        .at(span, format!("`{name}` takes {}, found 1", words::count(rank, "index")))
        .label(format!("expected {}", words::count(rank, "index")))
        .help(format!("an element of {shape} has an index for each dimension: `{name}[{indices}]`"))
        .fix(format!("write `{name}[{indices}]`"), place, indices);
    match &flat.parts {
        Some(_) => diagnostic,
        None => {
            let all = flat.extents.iter().map(|extent| grouped(&extent.to_string())).collect::<Vec<_>>().join(" * ");
            diagnostic.help(format!(
                "or number the elements through by a view: `view flat = {name} via row_major([{all}]);`, and then `flat[{text}]`"
            ))
        }
    }
}

/// A tile of the partition `name` was given `found` indices in place of one for each of its `rank` dimensions.
/// The `member` is what is done with the tile, and `tile` what stands before the indices.
pub(crate) fn wrong_tile_index_count(
    span: Span,
    (name, member, tile): (&str, &str, Option<&str>),
    rank: usize,
    found: usize,
) -> Diagnostic {
    let names: Vec<String> = match rank {
        1 => vec!["i".to_owned()],
        2 => vec!["i".to_owned(), "j".to_owned()],
        _ => (0..rank).map(|number| format!("i{number}")).collect(),
    };
    let names: Vec<String> = tile.map(str::to_owned).into_iter().chain(names).collect();
    let indices = words::count(rank, "index");
    PAGE.at(span, format!("a tile of `{name}` has {indices}, found {found}")).label(format!("expected {indices}")).help(
        format!(
            "a tile has an index for each dimension of `{name}.index_space`: `{name}.{member}({})`",
            names.join(", ")
        ),
    )
}

/// `x[:, 1]` of a tensor: the `sign` at `span` is no index.
pub(crate) fn whole_dimension(span: Span, name: &str, sign: &str) -> Diagnostic {
    PAGE.at(span, format!("an element of `{name}` has a number for each index, and `{sign}` is none"))
        .label("not a number")
        .help("a loop goes over all of a dimension, and a `partition` divides it into tiles")
}

/// `for i in grid(m, n)`: a grid gives one number for each of its sizes.
pub(crate) fn grid_iterators(span: Span, sizes: usize, iterators: usize) -> Diagnostic {
    let needed = match sizes {
        1 => {
            "write `for i in grid(n)`, and take `i` apart with `/` and `%`, or give a size for each iterator".to_owned()
        }
        _ => {
            let names: Vec<String> = (0..sizes).map(|number| format!("i{number}")).collect();
            format!("write `for ({}) in grid(…)`", names.join(", "))
        }
    };
    let found = words::count(iterators, "iterator");
    PAGE.at(span, format!("this grid has {}, found {found}", words::count(sizes, "size")))
        .label("one iterator for each size")
        .help(needed)
}

/// `y[i][j]` instead of `y[i, j]`. `gaps` are the `][`s.
pub(crate) fn several_brackets(span: Span, gaps: Vec<Span>) -> Diagnostic {
    let edits = gaps.into_iter().map(|gap| (gap, SmolStr::new_static(", "))).collect();
    PAGE.at(span, "the indices of an element stand in one pair of brackets")
        .label("several pairs of brackets")
        .help("write `y[i, j]`")
        .fix_at("write them in one pair", edits)
}

/// `y(i)` instead of `y[i]`, with the parentheses at both ends of `brackets`.
pub(crate) fn called_tensor(span: Span, name: &str, brackets: Span) -> Diagnostic {
    let (first, last) = (Span::new(brackets.start, brackets.start + 1), Span::new(brackets.end - 1, brackets.end));
    PAGE.at(span, "the indices of an element stand in square brackets")
        .label(format!("`{name}` is no function"))
        .help(format!("write `{name}[…]`"))
        .fix_at("write square brackets", vec![(first, SmolStr::new_static("[")), (last, SmolStr::new_static("]"))])
}

/// A loop that numbers threads by rows and columns, `for (ty, tx) in threads(8, 32)`, and how it is written with one number.
pub(crate) struct ThreadsInRows {
    /// The name of the one number.
    pub(crate) counter: &'static str,
    /// The iterators, and how many numbers each of them has.
    pub(crate) iterators: Vec<SmolStr>,
    /// The texts of factors.
    pub(crate) extents: Vec<SmolStr>,
    /// The unit that is numbered.
    pub(crate) unit: SmolStr,
    /// The iterators with their parentheses.
    pub(crate) iterator_span: Span,
    /// The arguments of `threads(…)`.
    pub(crate) argument_span: Span,
    /// The brace that opens the body.
    pub(crate) brace: Span,
}

impl ThreadsInRows {
    /// `let ty = t / 32; let tx = t % 32;`
    fn digits(&self) -> String {
        let counter = self.counter;
        let digit = |(place, name): (usize, &SmolStr)| {
            let inner = &self.extents[place + 1..];
            let modulus = &self.extents[place];
            match (place, inner) {
                (0, []) => format!("let {name} = {counter};"),
                (0, _) => format!("let {name} = {counter} / {};", divisor(inner)),
                (_, []) => format!("let {name} = {counter} % {modulus};"),
                (_, _) => format!("let {name} = {counter} / {} % {modulus};", divisor(inner)),
            }
        };
        self.iterators.iter().enumerate().map(digit).collect::<Vec<_>>().join(" ")
    }
}

/// The text of a product: a number where all factors are numbers.
fn product(factors: &[SmolStr]) -> String {
    let numbers = factors.iter().map(|factor| factor.parse::<i64>().ok());
    let known = numbers.into_iter().try_fold(1i64, |product, number| product.checked_mul(number?));
    known.map_or_else(|| factors.join(" * "), |known| known.to_string())
}

/// The same as a divisor.
fn divisor(factors: &[SmolStr]) -> String {
    let text = product(factors);
    if text.contains(" * ") { format!("({text})") } else { text }
}

/// `for (i, j) in threads(…)`, although the loop has one iterator.
pub(crate) fn threads_iterators(span: Span, iterators: usize, rows: Option<ThreadsInRows>) -> Diagnostic {
    let found =
        PAGE.at(span, format!("`threads` gives one number, found {iterators} iterators")).label("gives one number");
    let Some(rows) = rows else {
        return found.help("write `for t in threads(n, cuda_thread)`, and take `t` apart with `/` and `%`");
    };
    let ThreadsInRows { counter, unit, .. } = &rows;
    let (digits, arguments) = (rows.digits(), format!("{}, {unit}", product(&rows.extents)));
    let edits = vec![
        (rows.iterator_span, SmolStr::new_static(counter)),
        (rows.argument_span, arguments.as_str().into()),
        (rows.brace, format!("{{ {digits}").into()),
    ];
    found
        .help(format!("write `for {counter} in threads({arguments}) {{ {digits} … }}`"))
        .fix_at("number the threads by one number, and take it apart", edits)
}
