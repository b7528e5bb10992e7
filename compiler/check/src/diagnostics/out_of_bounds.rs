//! An access that is out of bounds.

use super::diagnostic::{Diagnostic, Fix, Page, Place, Severity};
use super::evidence::{Executor, Indexed};
use super::race::NO_SUM;
use super::remedy::Remedy;
use super::words;
use dims::{Fact, Sym, Symbol};
use elements::ElementType;
use kernel::raise::Doubt;
use maps::shapes::Shape;
use proofs::Reason;
use smol_str::SmolStr;
use std::collections::BTreeMap;
use syntax::span::Span;

/// The documentation of `out-of-bounds`.
pub static PAGE: Page = Page {
    code: "out-of-bounds",
    severity: Severity::Error,
    title: "an access leaves its tensor",
    explanation: "For some thread and some index this access reaches an element that the tensor does not have; the message names one. On a
GPU it would read or overwrite whatever lies there, often without any error.

Make the map and the tensor fit, put the access under an `if`, or mark the view as `masked`: `view xs = x via m masked;`
loads 0 and stores nothing where the map leaves the tensor.",
    wrong: "kernel sum(x: f32[11]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    let mut total = 0.0;
    for i in 0..3 { total += xs[i]; }
}
",
    right: "kernel sum(x: f32[12]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    let mut total = 0.0;
    for i in 0..3 { total += xs[i]; }
}
",
};

/// An access that is, or may be, out of bounds.
pub(crate) struct UnsafeAccess<'a> {
    /// The span of the access.
    pub(crate) span: Span,
    /// The name of the tensor.
    pub(crate) tensor: &'a str,
    /// Its shape.
    pub(crate) shape: &'a Shape,
    /// The value that has to be below the bound.
    pub(crate) indexed: &'a Indexed,
    /// The bound.
    pub(crate) bound: &'a Sym,
    /// Advice how to correct it.
    pub(crate) advice: Advice,
    /// The `select` of which it is in a value.
    pub(crate) select: Option<&'a SelectAsIf>,
    /// The facts under which it is in bounds.
    pub(crate) remedy: Option<Remedy>,
}

/// A `select`, and what it is as an `if`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SelectAsIf {
    pub(crate) span: Span,
    pub(crate) text: SmolStr,
    /// Whether the kernel itself says it, rather than a function that it calls.
    pub(crate) is_here: bool,
}

impl SelectAsIf {
    /// Says of an access in a value of the `select` that its condition guards nothing.
    fn said(&self, diagnostic: Diagnostic) -> Diagnostic {
        let shown = if self.text.len() <= MOST_SHOWN { self.text.as_str() } else { "if c { x[i] } else { 0 }" };
        let diagnostic = diagnostic
            .help(format!("both values of a `select` are computed, so its condition guards neither: write `{shown}`"));
        if self.is_here { diagnostic.fix("write it as an `if`", self.span, self.text.clone()) } else { diagnostic }
    }
}

/// The longest `if` that a message shows.
const MOST_SHOWN: usize = 80;

/// Ways to keep an access in bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// Sizes that fit, or an `if`.
    Sizes,
    /// The same, or a masked view.
    SizesOrMask,
    /// A loop that ends with the view, or an `if`.
    Loop,
    /// The lengths of a view's map, or a masked view.
    Lengths,
    /// Sizes of whole tiles, or a masked load or store: the member with the masked one that may stand in its place.
    Tile { masked: Option<(Span, &'static str)> },
    /// An index inside the index space.
    TileIndex,
    /// Tiles of indices that are inside, or a masked gather.
    Gather,
    /// Tiles of indices that are inside, or a masked scatter.
    Scatter,
}

impl Advice {
    /// Whether it is about a tile of a partition.
    pub(crate) fn is_of_partition(self) -> bool {
        matches!(self, Self::Tile { .. } | Self::TileIndex)
    }

    /// The diagnostic with the change that keeps the access in bounds, where one does.
    fn fixed(self, diagnostic: Diagnostic) -> Diagnostic {
        match self {
            Self::Tile { masked: Some((member, masked)) } => {
                diagnostic.fix(format!("write `{masked}`"), member, masked)
            }
            _ => diagnostic,
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Sizes => "make the sizes fit, or guard the access with an `if`",
            Self::SizesOrMask => "make the sizes fit, guard the access with an `if`, or mark the view as `masked`",
            Self::Loop => "let the loop end where the view does, or guard the access with an `if`",
            Self::Tile { .. } => "make the sizes multiples of the tile's, or use `load_masked` and `store_masked`",
            Self::TileIndex => "a tile must have an element inside the tensor: guard it with an `if`",
            Self::Gather => "keep the indices inside, as with `clamp`, or use `gather_masked`",
            Self::Scatter => "keep the indices inside, as with `clamp`, or use `scatter_masked`",
            Self::Lengths => "make the lengths of the map those of the tensor, or mark the view as `masked`",
        }
    }
}

/// Evidence that an access is out of bounds.
pub(crate) struct Leaves<'a> {
    /// The value of the index, if it is known.
    pub(crate) reached: Option<i64>,
    /// The thread or point for which it happens.
    pub(crate) at: Option<LeavesAt<'a>>,
    /// The sizes for which it happens.
    pub(crate) sizes: &'a BTreeMap<Symbol, i64>,
}

/// The place at which an access is out of bounds.
pub(crate) enum LeavesAt<'a> {
    /// In a thread.
    Thread(Executor),
    /// At a point of the map of a view.
    Point(&'a [i64]),
}

/// The side on which alone an index may leave its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenSide {
    /// It may be negative; whether it is written with a remainder.
    Negative { is_remainder: bool },
    /// It may be as large as the bound, or larger.
    Beyond,
}

/// The reason why an access is not known to be in bounds.
pub(crate) enum Unshown {
    /// The index, or a condition, depends on data; it leaves its bounds on this side only, if one is named.
    Data(Option<OpenSide>),
    /// The index is a formula of which the least and the greatest value are known only.
    Formula,
    /// Less is known of the index than its text seems to say.
    Doubt(Doubt),
    /// The proof is open; `deeper` says whether further search may decide it.
    Open { reason: Reason, deeper: bool },
}

/// An access is out of bounds.
pub(crate) fn out_of_bounds(access: UnsafeAccess<'_>, found: &Leaves<'_>) -> Diagnostic {
    let UnsafeAccess { span, tensor, shape, indexed, bound, advice, select, remedy } = access;
    let how = match found.reached {
        Some(reached) if reached < 0 => format!("{indexed} becomes {reached}, but must be at least 0"),
        Some(reached) => format!("{indexed} becomes {reached}, but must be below {bound}"),
        None => format!("{indexed} does not stay below {bound}"),
    };
    let diagnostic = PAGE
        .at(span, format!("this access leaves `{tensor}`, which has shape `{shape}`: {how}"))
        .label(format!("leaves `{tensor}`"))
        .help(advice.text());
    let sizes = words::sizes(found.sizes);
    let diagnostic = match &found.at {
        None if sizes.is_empty() => diagnostic,
        None => diagnostic.help(format!("it happens{sizes}")),
        Some(at) => {
            let at = match at {
                LeavesAt::Thread(executor) => executor.to_string(),
                LeavesAt::Point(point) => format!("the point ({}) of the map", words::numbers(point)),
            };
            let separator = if sizes.is_empty() { "" } else { "," };
            diagnostic.help(format!("it happens in {at}{separator}{sizes}"))
        }
    };
    let diagnostic = advice.fixed(diagnostic).remedied(&format!("{indexed} stays inside"), remedy);
    said_of_select(diagnostic, select)
}

fn said_of_select(diagnostic: Diagnostic, select: Option<&SelectAsIf>) -> Diagnostic {
    match select {
        Some(select) => select.said(diagnostic),
        None => diagnostic,
    }
}

/// Adds that the access is settled where these parameters are sizes with these facts; `at_launch` says that it is tested there.
pub(crate) fn settled_by_sizes(found: &mut Diagnostic, parameters: &[SmolStr], facts: &[Fact], at_launch: bool) {
    let names = words::list(parameters);
    let (is, it, parameter) = match parameters {
        [_] => ("is a number", "it as a size", "parameter"),
        _ => ("are numbers", "them as sizes", "parameters"),
    };
    let then = if at_launch { "tested once, when the kernel is launched" } else { "proven" };
    let mut declaration = parameters.join(", ");
    if !facts.is_empty() {
        let facts: Vec<String> = facts.iter().map(Fact::to_string).collect();
        declaration = format!("{declaration} where {}", facts.join(", "));
    }
    found.help.push(format!(
        "{names} {is} of which nothing is known before the run: declare {it}, `dim {declaration};`, in place of the \
         {parameter}; then this access is {then}"
    ));
}

/// A guard that compares an index with a number, where an extent is meant.
pub(crate) struct GuardByNumber<'g> {
    /// The number.
    pub(crate) parameter: &'g str,
    /// Where its name stands.
    pub(crate) place: Span,
    /// The text of the index.
    pub(crate) index: &'g str,
    /// What the index has to be below.
    pub(crate) extent: &'g Sym,
    pub(crate) tensor: &'g str,
}

/// Says of an access that its guard is about a number that nothing connects with the extent.
pub(crate) fn guarded_by_number(found: &mut Diagnostic, guard: &GuardByNumber<'_>) {
    let GuardByNumber { parameter, place, index, extent, tensor } = guard;
    // There is an `if` already.
    found.help.retain(|help| help != Advice::Sizes.text());
    let said = format!(
        "the guard compares with the parameter `{parameter}`, and nothing connects `{parameter}` with `{extent}`, the extent of \
         `{tensor}`: write `{index} < {extent}`, or both, `{index} < {parameter} && {index} < {extent}`"
    );
    found.help.insert(0, said);
    let fix = Fix {
        title: format!("compare with `{extent}`"),
        edits: vec![(Place { item: None, span: *place }, extent.to_string().into())],
    };
    found.fixes.insert(0, fix);
}

/// An index that leaves its own dimension and stays inside another one.
pub(crate) struct Swapped {
    /// The extent of the other one.
    pub(crate) extent: Sym,
    /// Its number.
    pub(crate) dimension: usize,
    /// The edits that exchange the indices.
    pub(crate) edits: Option<Vec<(Span, SmolStr)>>,
}

/// Says that the indices of an access that is out of bounds look swapped.
pub(crate) fn swapped(diagnostic: Diagnostic, swapped: Swapped) -> Diagnostic {
    let Swapped { extent, dimension, edits } = swapped;
    let diagnostic = diagnostic.help(format!(
        "the indices look swapped: this one stays below `{extent}`, which is the extent of dimension {dimension}"
    ));
    match edits {
        Some(edits) => diagnostic.fix_at("swap the indices", edits),
        None => diagnostic,
    }
}

/// An access is not known to be in bounds, and no check at launch would help.
pub(crate) fn bounds_unproven(access: UnsafeAccess<'_>, why: &Unshown) -> Diagnostic {
    let UnsafeAccess { span, tensor, shape, indexed, bound, advice, select, remedy } = access;
    let mut help = advice.text().to_owned();
    let (why, deeper) = match why {
        Unshown::Data(side) => {
            match side {
                Some(OpenSide::Negative { is_remainder: true }) => {
                    help = "a remainder has the sign of what is divided: `((i % n) + n) % n` is never negative; or test it, `if i >= 0 { … }`"
                        .to_owned();
                }
                Some(OpenSide::Negative { .. }) if advice == Advice::Sizes => {
                    help = format!(
                        "guard the access against negative indices, too: give the index a name, `let at = …;`, and test both \
                         ends, `if at >= 0 && at < {bound} {{ … }}`"
                    );
                }
                _ => {}
            }
            let why = "depends on data, on a condition or on a variable that a loop changes";
            let why = match side {
                None => format!("but it {why}, and nothing bounds it"),
                Some(OpenSide::Negative { .. }) => format!("but it may be negative, since it {why}"),
                Some(OpenSide::Beyond) => format!("but it may be {bound} or more, since it {why}"),
            };
            (why, false)
        }
        Unshown::Formula => {
            (format!("but only its least and its greatest value are known, since it is {NO_SUM}"), false)
        }
        Unshown::Doubt(Doubt::Narrowed { from, to }) => {
            help = format!("an index may have any integer type: leave the conversion to `{to}` away");
            let holds = to.range_text();
            (format!("but a conversion from `{from}` to `{to}` changes what is not in {holds}"), false)
        }
        Unshown::Doubt(Doubt::Wraps { element }) => {
            help = match element {
                ElementType::I64 => "test the index itself, `if i >= 0 && i < n { … }`, or compare without a sum: `n <= N - start` in place of \
                                    `start + n <= N`"
                    .to_owned(),
                _ => format!("add in a wider type, `i64(start) + n <= N`, or compare without a sum of `{element}`"),
            };
            let holds = element.range_text();
            (
                format!(
                    "but a condition compares a sum or product that wraps where it is not in {holds}, and so says \
                     nothing of its parts"
                ),
                false,
            )
        }
        Unshown::Open { reason, deeper } => (format!("and {reason}"), *deeper),
    };
    let message = format!(
        "nothing shows that this access stays inside `{tensor}`, which has shape `{shape}`: {indexed} must be at \
         least 0 and below {bound}, {why}"
    );
    let diagnostic = PAGE.at(span, message).label(format!("may leave `{tensor}`")).help(help);
    let diagnostic = advice.fixed(diagnostic).remedied(&format!("{indexed} stays inside"), remedy).deeper(deeper);
    said_of_select(diagnostic, select)
}
