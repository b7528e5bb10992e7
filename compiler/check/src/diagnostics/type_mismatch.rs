//! An expression in a kernel with another type than its place needs.

use std::fmt;

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::values::Kind;
use dims::Sym;
use elements::ElementType;
use smol_str::SmolStr;
use syntax::span::Span;
use syntax::tree::{BinaryOp, PrefixOp};

/// The documentation of `type-mismatch`.
pub static PAGE: Page = Page {
    code: "type-mismatch",
    severity: Severity::Error,
    title: "an expression in a kernel has another element type",
    explanation: "Element types do not change by themselves: an `i32` is not quietly made an `f32`, nor an `f64` an `f32`. CUDA converts
without a word, and a forgotten `f` after a constant makes a whole loop run in double precision.

Only integers that are computed with each other become the wider one of their types, where it holds all numbers of the other: `i32` with
`i64` is `i64`, and `u8` with `i32` is `i32`. Between `u32` and `i32`, or `u64` and `i64`, you decide.

Numbers without a type take the type of what stands beside them, so `2.0 * x` is fine for every float type. Everything
else is converted by naming the type: `f32(n)`.

`e4m3` and `e5m2` are for storage: their elements are loaded, stored, converted, and multiplied as matrices by `mma`. Every other
operator and function needs the conversion.",
    wrong: "kernel scale(n: i32, x: f32[12], y: mut f32[12]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
    for i in 0..3 { ys[i] = n * xs[i]; }
}
",
    right: "kernel scale(n: i32, x: f32[12], y: mut f32[12]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
    for i in 0..3 { ys[i] = f32(n) * xs[i]; }
}
",
};

/// The type that an expression needs.
pub(crate) enum Expected {
    /// This element type.
    Type(ElementType),
    /// A value that this type holds.
    ValueOf(ElementType),
    /// An element of a tensor or view of this name.
    ElementOf(SmolStr),
    /// A number of any type.
    Number,
    SignedNumber,
    NumberOrTruth,
    Integer,
    Integers,
    IntegerIndex,
    Float,
    /// An operator that kernels have.
    Operator,
    /// Two numbers around an operator.
    Numbers,
    /// Two Booleans around an operator.
    Truths,
    /// Two integers around this operator.
    Bits(BinaryOp),
}

/// The actual expression.
pub(crate) enum Actual {
    /// A value of this element type.
    Type(ElementType),
    /// An integer that has no type yet.
    Int(Sym),
    /// An integer above 2⁶³ − 1 that has no type yet.
    Unsigned(u64),
    /// A float that has no type yet.
    Float(f64),
    /// A tensor or view of this name, without an index.
    WholeOf(SmolStr),
    /// An operator that kernels do not have.
    Operator(BinaryOp),
    /// A value of this kind, which is no number.
    Kind(Kind),
    /// No operand at all: a list, a tuple, `_`.
    Other,
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(element) => write!(formatter, "`{element}`"),
            Self::ValueOf(element) => write!(formatter, "`{element}`, which holds {}", element.range_text()),
            Self::ElementOf(name) => write!(formatter, "an element such as `{name}[…]`"),
            Self::Number => formatter.write_str("a number"),
            Self::SignedNumber => formatter.write_str("a signed number"),
            Self::NumberOrTruth => formatter.write_str("a number or a truth value"),
            Self::Integer => formatter.write_str("an integer"),
            Self::Integers => formatter.write_str("integers"),
            Self::IntegerIndex => formatter.write_str("an integer index"),
            Self::Float => formatter.write_str("a float; convert it, for example with `f32(…)`"),
            Self::Operator => formatter.write_str("an operator of numbers or truth values"),
            Self::Numbers => formatter.write_str("numbers on both sides"),
            Self::Truths => formatter.write_str("`bool` on both sides"),
            Self::Bits(op) => write!(formatter, "integers on both sides of `{}`", op.text()),
        }
    }
}

impl fmt::Display for Actual {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(element) => write!(formatter, "`{element}`"),
            Self::Int(value) => write!(formatter, "the integer `{value}`"),
            Self::Unsigned(value) => write!(formatter, "the integer `{value}`"),
            Self::Float(value) => write!(formatter, "the float `{value:?}`"),
            Self::WholeOf(name) => write!(formatter, "all of `{name}`"),
            Self::Operator(op) => write!(formatter, "`{}`", op.text()),
            Self::Kind(kind) => write!(formatter, "{kind}"),
            Self::Other => formatter.write_str("this"),
        }
    }
}

/// `expected` is needed instead of `found`.
pub(crate) fn type_mismatch(span: Span, expected: &Expected, found: &Actual) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("expected {expected}, found {found}")).label(match found {
        Actual::Other => "of another type".to_owned(),
        _ => format!("this is {found}"),
    });
    match (expected, found) {
        (Expected::Type(to), Actual::Type(from)) if *to != ElementType::Bool => {
            let diagnostic = diagnostic.help(format!("types are converted only where it is written: `{to}(…)`"));
            // Truncating was rarely intended; more often the other operand should be converted.
            if from.is_float() && !to.is_float() {
                return diagnostic;
            }
            diagnostic.wrap(format!("convert it to `{to}`"), span, format!("{to}("), ")")
        }
        (Expected::IntegerIndex, Actual::Type(from)) if from.is_float() || *from == ElementType::Bool => {
            let how = if from.is_float() { ", which leaves out its fraction" } else { "" };
            diagnostic.help(format!("an index is an integer: convert it{how}, `i64(…)`")).wrap(
                "convert it to `i64`",
                span,
                "i64(",
                ")",
            )
        }
        // As in C, where every number is a condition.
        (Expected::Type(ElementType::Bool), Actual::Type(from)) if from.is_integer() || from.is_float() => {
            let zero = if from.is_float() { "0.0" } else { "0" };
            diagnostic.help(format!("a number is no condition: compare it, `x != {zero}`")).wrap(
                "compare it with zero",
                span,
                "",
                format!(" != {zero}"),
            )
        }
        _ => diagnostic,
    }
}

/// The tile of numbers at `tile` is joined as truth values are.
pub(crate) fn numbers_joined(tile: Span, element: ElementType) -> Diagnostic {
    let zero = if element.is_float() { "0.0" } else { "0" };
    PAGE.at(tile, format!("expected a tile of `bool`, found one of `{element}`"))
        .label(format!("its elements are `{element}`"))
        .help(format!("compare the elements first: `(t != {zero})` is a tile of `bool`"))
        .wrap("compare them with zero", tile, "(", format!(" != {zero})"))
}

/// The tile of truth values at `tile` is joined as numbers are.
pub(crate) fn truths_joined(tile: Span) -> Diagnostic {
    PAGE.at(tile, "expected a tile of numbers, found one of `bool`")
        .label("its elements are `bool`")
        .help("`any` and `all` join truth values; to count those that hold, make them numbers: `i32(t)`")
        .wrap("make them numbers", tile, "i32(", ")")
}

/// A number at `span` that only a run knows is given to the function `name` of sizes.
pub(crate) fn known_sizes_only(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` takes sizes, which are known before the kernel runs, and this number is computed by it"))
        .label("computed by the kernel")
        .help("where it follows from sizes alone, define it by `const` in place of `let`; of other numbers write `(a + b - 1) / b`")
}

/// The integers at `operands` are divided at `span`, where a float is needed.
pub(crate) fn divided_integers(span: Span, to: ElementType, from: ElementType, operands: [Span; 2]) -> Diagnostic {
    let insert = |at: u32, text: String| (Span::new(at, at), SmolStr::from(text));
    let edits = operands.map(|at| [insert(at.start, format!("{to}(")), insert(at.end, ")".to_owned())]);
    PAGE.at(span, format!("expected `{to}`, found `{from}`: a quotient of integers, which has no fraction"))
        .label(format!("this is `{from}`"))
        .help(format!("`1 / 3` of integers is 0: convert before the division, `{to}(a) / {to}(b)`"))
        .fix_at(format!("convert both to `{to}`"), edits.concat())
}

/// A prefix operator stands before a value of a type that does not have it.
pub(crate) fn wrong_prefix(span: Span, op: PrefixOp, expected: &Expected, found: ElementType) -> Diagnostic {
    let diagnostic = type_mismatch(span, expected, &Actual::Type(found));
    match op {
        PrefixOp::Not if found.is_integer() => {
            diagnostic.help("`~` inverts the bits of an integer, and `x == 0` compares it")
        }
        PrefixOp::Complement if found == ElementType::Bool => diagnostic.help("of a truth value write `!`"),
        _ => diagnostic,
    }
}

/// An operator of bits stands between values of a type that has none.
pub(crate) fn bits_of_others(span: Span, op: BinaryOp, found: ElementType) -> Diagnostic {
    let diagnostic = type_mismatch(span, &Expected::Bits(op), &Actual::Type(found));
    match (found, op) {
        (ElementType::Bool, BinaryOp::BitAnd) => diagnostic.help("of truth values write `&&`"),
        (ElementType::Bool, BinaryOp::BitOr) => diagnostic.help("of truth values write `||`"),
        (ElementType::Bool, BinaryOp::BitXor) => diagnostic.help("of truth values write `!=`"),
        (found, BinaryOp::BitAnd | BinaryOp::BitOr) if found.is_float() => diagnostic
            .help(format!("between conditions write `{}`", if op == BinaryOp::BitAnd { "&&" } else { "||" }))
            .help("`bitcast(u32, x)` gives the bits of an `f32`, and `i32(x)` its whole part"),
        (found, _) if found.is_float() => {
            diagnostic.help("`bitcast(u32, x)` gives the bits of an `f32`, and `i32(x)` its whole part")
        }
        _ => diagnostic,
    }
}

/// Integers of two types are combined at `span`, and neither type holds all numbers of the other.
pub(crate) fn mixed_integers(span: Span, operands: [(ElementType, Span); 2]) -> Diagnostic {
    let [(one, _), (other, at)] = operands;
    let diagnostic = PAGE
        .at(at, format!("`{one}` and `{other}` meet, and neither type holds all numbers of the other"))
        .label(format!("this is `{other}`"))
        .related(span, "both are combined here");
    let insert = |at: u32, text: String| (Span::new(at, at), SmolStr::from(text));
    let converted = |to: ElementType, at: Span| [insert(at.start, format!("{to}(")), insert(at.end, ")".to_owned())];
    let is_above = |element: &ElementType| {
        let range = |element: ElementType| element.integer_range().unwrap_or_default();
        let ((low, high), ranges) = (range(*element), [range(one), range(other)]);
        ranges.into_iter().all(|(least, greatest)| low <= least && greatest <= high)
    };
    match [ElementType::I16, ElementType::I32, ElementType::I64].into_iter().find(is_above) {
        Some(both) => diagnostic
            .help(format!("`{both}` holds the numbers of both: convert both, `{both}(…)`"))
            .fix_at(format!("convert both to `{both}`"), operands.map(|(_, at)| converted(both, at)).concat()),
        None => operands.into_iter().fold(
            diagnostic.help("convert the one that the other type holds in your kernel: `i64(…)` what is below 2^63, or `u64(…)` what is never negative"),
            |diagnostic, (element, at)| {
                let to = if element == ElementType::U64 { ElementType::I64 } else { ElementType::U64 };
                diagnostic.fix_at(format!("convert the `{element}` to `{to}`"), converted(to, at).to_vec())
            },
        ),
    }
}

/// Something of a type that is stored only is computed with.
fn computed_with(span: Span, element: ElementType) -> Diagnostic {
    PAGE.at(
        span,
        format!("`{element}` has no operators and functions: it is stored, converted, and multiplied by `mma`"),
    )
    .label(format!("computes with `{element}`"))
}

/// `span` is an assignment with an operator to an element of a type that is stored only.
pub(crate) fn stored_only_assigned(span: Span, element: ElementType, op: BinaryOp) -> Diagnostic {
    let sign = op.text();
    computed_with(span, element).help(format!("convert both ways: `y[i] = {element}(f32(y[i]) {sign} …);`"))
}

/// The operands at `places` have a type that is stored only, so `span` cannot be computed.
pub(crate) fn stored_only(span: Span, element: ElementType, places: &[Span]) -> Diagnostic {
    let diagnostic = computed_with(span, element).help("convert it: `f32(…)`");
    if places.is_empty() {
        return diagnostic;
    }
    let insert = |at: u32, text: &'static str| (Span::new(at, at), SmolStr::new_static(text));
    let edits = places.iter().flat_map(|place| [insert(place.start, "f32("), insert(place.end, ")")]);
    diagnostic.fix_at("convert it to `f32`", edits.collect())
}

/// Adds to an error at a use of a variable without a type that another use decided this type.
pub(crate) fn decided_by_use(found: Diagnostic, declared: Span, element: ElementType, use_of: Span) -> Diagnostic {
    found
        .related(declared, "it is declared here, without a type")
        .related(use_of, format!("this use decides that it is `{element}`"))
}

/// A variable that is declared without a type is of type `from` by its use at `use_of`, and its value is needed at `span` in the wider
/// type `to`. Converting it there would convert what has wrapped, or has been rounded, in the narrow type.
pub(crate) fn declared_narrow(
    span: Span,
    declared: Span,
    (from, to): (ElementType, ElementType),
    use_of: Span,
) -> Diagnostic {
    let lost = if from.is_integer() { "wraps" } else { "is rounded" };
    PAGE.at(span, format!("expected `{to}`, found `{from}`"))
        .label(format!("this is `{from}`"))
        .help(format!("declare the variable as `{to}`: what is collected in `{from}` {lost} before a conversion here"))
        .related(declared, "it is declared here, without a type")
        .related(use_of, format!("this use decides that it is `{from}`"))
        .fix(format!("declare it as `{to}`"), Span::new(declared.end, declared.end), format!(": {to}"))
}

/// What stands at `span` is computed in the type `from`, where it may wrap, and needed in the wider type `to`, in which these `edits`
/// compute it.
pub(crate) fn computed_narrow(
    span: Span,
    (from, to): (ElementType, ElementType),
    edits: Vec<(Span, SmolStr)>,
) -> Diagnostic {
    PAGE.at(span, format!("expected `{to}`, found `{from}`"))
        .label(format!("this is `{from}`"))
        .help(format!(
            "convert an operand, `{to}(a) * b`: converted afterwards, `{to}(a * b)`, it would have wrapped in `{from}`"
        ))
        .fix_at(format!("compute it in `{to}`"), edits)
}

/// A variable is declared with a literal of default type `natural`, and used with type `meant` at `span`.
pub(crate) fn free_type(
    span: Span,
    name: &str,
    declared: Span,
    (natural, meant): (ElementType, ElementType),
) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is `{natural}`, the type of its first number, but `{meant}` is needed here"))
        .label(format!("needs `{meant}`"))
        .related(declared, format!("`{name}` is declared here, without a type"))
        .fix(format!("declare it as `{name}: {meant}`"), Span::new(declared.end, declared.end), format!(": {meant}"))
}

/// A number of the text at `number` has default type `natural`; what threads received of it is used with type `meant` at `span`.
pub(crate) fn free_number(span: Span, number: Span, (natural, meant): (ElementType, ElementType)) -> Diagnostic {
    PAGE.at(span, format!("the number that the threads exchange is `{natural}`, but `{meant}` is needed here"))
        .label(format!("needs `{meant}`"))
        .related(number, "the number is written here, without a type")
        .wrap(format!("convert it to `{meant}`"), number, format!("{meant}("), ")")
}
