//! Something other than a tensor where a tensor is needed.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `not-a-tensor`.
pub static PAGE: Page = Page {
    code: "not-a-tensor",
    severity: Severity::Error,
    title: "a tensor is needed",
    explanation: "Views, partitions and element accesses are of tensors: parameters with a shape, `x: f32[12]`, or `shared` buffers. A
scalar parameter such as `a: f32` is one value and has no elements.",
    wrong: "kernel fill(a: f32, y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = a[0];
}
",
    right: "kernel fill(a: f32, y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = a;
}
",
};

/// The expression where a tensor is needed.
pub(crate) enum NotTensor {
    /// A variable of this name.
    Variable(SmolStr),
    /// A tile of this name.
    Tile(SmolStr),
    /// An array of this name, of which every thread has its own.
    ThreadArray(SmolStr),
    /// A constant of the file of this name, such as a list.
    Constant(SmolStr),
    /// An expression that is no name.
    Expression,
    /// An assigned expression that is no element.
    NoElement,
}

/// The expression at `span` is no tensor.
pub(crate) fn not_a_tensor(span: Span, found: &NotTensor) -> Diagnostic {
    if let NotTensor::Tile(name) = found {
        return PAGE.at(span, format!("`{name}` is a tile, expected a tensor")).label("not a tensor").help(format!(
            "a tile is a value without a place in memory; a part of it is written `{name}[0..4]`, with a range for each dimension"
        ));
    }
    if let NotTensor::ThreadArray(name) = found {
        return PAGE
            .at(span, format!("every thread has its own `{name}`, expected a tensor or a `shared` array"))
            .label("an array of each thread")
            .help(format!("use its elements, `{name}[i]`, or declare what threads share by `shared`"));
    }
    if let NotTensor::Constant(name) = found {
        return PAGE
            .at(span, format!("`{name}` is known before the kernel runs, and has no elements at places of a run"))
            .label("not a tensor")
            .help(format!("give each thread an array of it, `let table: f32[4] = {name};`, and use `table[i]`"));
    }
    let message = match found {
        NotTensor::Variable(name)
        | NotTensor::Tile(name)
        | NotTensor::ThreadArray(name)
        | NotTensor::Constant(name) => {
            format!("`{name}` is a variable, expected a tensor")
        }
        NotTensor::Expression => "this is an expression, expected a tensor".to_owned(),
        NotTensor::NoElement => "this is no element of a tensor or view".to_owned(),
    };
    PAGE.at(span, message).label("not a tensor").help("a parameter with a shape is a tensor: `x: f32[12]`")
}

/// `t[0, 0] = 1.0;` of a tile; the places and the value are texts of the program.
pub(crate) fn element_of_tile(
    span: Span,
    name: &str,
    shape: &[i64],
    places: &[SmolStr],
    value: &SmolStr,
) -> Diagnostic {
    let diagnostic = PAGE
        .at(span, format!("`{name}` is a tile, and none of its elements is assigned by itself"))
        .label("an element of a tile");
    if places.len() != shape.len() || places.is_empty() {
        return diagnostic.help("a tile is a value: make a new one by `select`");
    }
    let numbers: Option<Vec<i64>> = places.iter().map(|place| place.parse().ok()).collect();
    let number = match numbers {
        Some(numbers) => numbers.iter().zip(shape).fold(0_i64, |all, (place, extent)| all * extent + place).to_string(),
        None => row_major(places, shape),
    };
    diagnostic.help(format!(
        "a tile is a value: make a new one, `{name} = select(iota(i64[{}]) == {number}, {value}, {name});`",
        words::numbers(shape)
    ))
}

/// `i * 8 + j`
fn row_major(places: &[SmolStr], shape: &[i64]) -> String {
    let factor = |dimension: usize| shape[dimension + 1..].iter().product::<i64>();
    let grouped = |place: &str| if place.contains(' ') { format!("({place})") } else { place.to_owned() };
    let is_other = |place: &SmolStr| place != "0";
    let terms = places.iter().enumerate().filter(|(_, place)| is_other(place)).map(|(dimension, place)| {
        match factor(dimension) {
            1 => place.to_string(),
            factor => format!("{} * {factor}", grouped(place)),
        }
    });
    terms.collect::<Vec<_>>().join(" + ")
}

/// `gather` from a tile of such elements and extents.
pub(crate) fn gather_of_tile(span: Span, tile: &str, element: ElementType, shape: &[i64], masked: bool) -> Diagnostic {
    let (extents, zeros) = (words::numbers(shape), vec!["0"; shape.len()].join(", "));
    let name = if masked { "gather_masked" } else { "gather" };
    PAGE.at(span, format!("`{tile}` is a tile, and `{name}` takes elements of a tensor"))
        .label("a value without a place in memory")
        .help(format!(
            "store it before: `shared s : {element}[{extents}];` and `view ps = partition(s, [{extents}]);` outside of the loops, \
             then `ps.store({tile}, {zeros});`, and `{name}` from `s`"
        ))
}
