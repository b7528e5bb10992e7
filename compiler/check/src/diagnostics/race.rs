//! Two threads that write the same element.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::evidence::{Element, Executor};
use super::remedy::Remedy;
use super::words;
use dims::Symbol;
use smol_str::SmolStr;
use std::collections::BTreeMap;
use std::fmt;
use syntax::span::Span;

/// The documentation of `race`.
pub static PAGE: Page = Page {
    code: "race",
    severity: Severity::Error,
    title: "two threads write one element",
    explanation: "Two threads of the launch store to the same element, in an order that nothing fixes. Whatever comes last stays, and it
may be another one on the next run or on another GPU. The message names two threads and the element.

Where two threads of one block write an element in different statements, the compiler places a barrier between these. So the two
threads are of different blocks, which cannot wait for each other, or they write in one statement, or no barrier can stand between the
two, as within one loop over threads.

Give every thread elements of its own: a view through a `reshape_map` does so by construction. Where several threads
contribute to one result, let one of them add up what the others left, or change it atomically: `atomic_add(y[0], v);`. A
`scatter` whose indices are data says with `atomic: add`, or another operation, what becomes of elements that meet.",
    wrong: "kernel fill(y: mut f32[3]) grid(1) block(4) {
    for i in 0..3 { y[i] = 1.0; }
}
",
    right: "kernel fill(y: mut f32[12]) grid(1) block(4) {
    view ys = y via reshape_map([3] | [4] => layout: [i0, t0]);
    for i in 0..3 { ys[i] = 1.0; }
}
",
};

/// Two threads that store to the same element.
pub(crate) struct Race<'a> {
    /// The threads.
    pub(crate) threads: [Executor; 2],
    /// The element.
    pub(crate) element: Element,
    /// The sizes for which this happens.
    pub(crate) sizes: &'a BTreeMap<Symbol, i64>,
    /// The store of the second one, where it is another one.
    pub(crate) other: Option<Span>,
}

/// A store as an atomic access.
pub(crate) struct Atomically {
    /// The function that does it.
    pub(crate) name: &'static str,
    /// The edits that call it.
    pub(crate) edits: Vec<(Span, SmolStr)>,
}

impl Atomically {
    /// Adds it to a diagnostic about elements of `tensor`, in which it is not known whether threads meet.
    pub(super) fn offer(found: Option<Self>, diagnostic: Diagnostic, tensor: &str) -> Diagnostic {
        match found {
            Some(Self { name: "atomic_store", edits }) => diagnostic
                .help(format!(
                    "where you know that no two meet, or any of them may stay, say so: `atomic_store({tensor}[…], …);`"
                ))
                .fix_at("store it by `atomic_store`", edits),
            Some(Self { name, edits }) => diagnostic
                .help(format!("where threads may meet in an element, change it in one step: `{name}({tensor}[…], …);`"))
                .fix_at(format!("change it by `{name}`"), edits),
            None => diagnostic,
        }
    }
}

/// Who stores.
#[derive(Clone, Copy)]
pub(crate) enum Storing {
    /// A thread.
    Thread,
    /// All threads of a block, each the same element.
    Alike,
    /// A thread for its block, of which it is the only one.
    Block,
    /// A block that stores a tile through a partition.
    Tile,
    /// The threads of a block, which share the elements of a tile out; an argument may follow this one.
    Scattered(Span),
}

/// Another access of the tensor, besides the store in a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    /// The span of the access.
    pub(crate) span: Span,
    /// How the element is named there.
    pub(crate) way: Way,
}

/// How an access names an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Through a view.
    View,
    /// As one of a tile.
    Tile,
    /// By another index of the tensor.
    Index,
    /// By the same index, which other threads have too.
    SameIndex,
}

impl fmt::Display for Elsewhere {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (how, who) = match self.way {
            Way::View => ("through another view", "thread"),
            Way::Tile => ("in another tile", "block"),
            Way::Index => ("at another index", "thread"),
            Way::SameIndex => ("at the same index", "thread"),
        };
        write!(formatter, "{how}, and nothing shows that each {who} reaches only elements of its own both times")
    }
}

/// The reason why a tensor is not known to be free of races.
pub(crate) enum RaceDoubt {
    /// The written elements depend on data.
    Data,
    /// They follow from a formula that no map states.
    Formula,
    /// Another store uses another map.
    Written(Elsewhere),
}

/// What a formula is of which only the ends are known.
pub(super) const NO_SUM: &str = "no sum of multiples, quotients and remainders";

/// Two threads write the same element of `tensor`.
pub(crate) fn race(
    span: Span,
    tensor: &str,
    storing: Storing,
    found: Race<'_>,
    remedy: Option<Remedy>,
    atomically: Option<Atomically>,
) -> Diagnostic {
    let Race { threads: [first, second], element, sizes, other } = found;
    let sizes = words::sizes(sizes);
    let diagnostic = PAGE
        .at(span, format!("{first} and {second} both write element {element} of `{tensor}`{sizes}"))
        .label("a race");
    let diagnostic = apart(diagnostic, tensor, storing);
    let diagnostic = diagnostic.remedied("no two do", remedy);
    // Which of several different values stays would still be open.
    let added = atomically.filter(|found| found.name != "atomic_store");
    let diagnostic = Atomically::offer(added, diagnostic, tensor);
    match other {
        Some(other) => diagnostic.related(other, format!("{second} writes it here")),
        None => diagnostic,
    }
}

/// It is not known that no two threads write the same element of `tensor`.
pub(crate) fn race_unproven(
    span: Span,
    tensor: &str,
    storing: Storing,
    doubt: &RaceDoubt,
    atomically: Option<Atomically>,
) -> Diagnostic {
    let why = match doubt {
        RaceDoubt::Data => {
            "which element a thread writes depends on data, on a condition or on a variable that a loop changes"
                .to_owned()
        }
        RaceDoubt::Formula => {
            format!("only the least and the greatest value of its index are known, since that is {NO_SUM}")
        }
        RaceDoubt::Written(elsewhere) => format!("it is written here and {elsewhere}"),
    };
    let diagnostic = PAGE
        .at(span, format!("nothing shows that no two threads write one element of `{tensor}`: {why}"))
        .label("possibly a race");
    let diagnostic = apart(diagnostic, tensor, storing);
    match doubt {
        RaceDoubt::Data | RaceDoubt::Formula => Atomically::offer(atomically, diagnostic, tensor),
        RaceDoubt::Written(elsewhere) => diagnostic.related(elsewhere.span, format!("`{tensor}` is written here")),
    }
}

/// It is not known that the elements of a tile are scattered to different elements of `tensor`. An argument may follow `last`.
pub(crate) fn scatter_unproven(span: Span, tensor: &str, last: Span) -> Diagnostic {
    let message = format!("nothing shows that the elements of the tile go to different elements of `{tensor}`");
    meeting(PAGE.at(span, message).label("possibly a race"), last)
}

/// It is not known that `tensor`, to which a tile is scattered, is not accessed at one of these elements at `other`, too.
pub(crate) fn scatter_and_access(span: Span, tensor: &str, other: Span) -> Diagnostic {
    PAGE.at(
        span,
        format!("nothing shows that other threads do not access elements of `{tensor}` that are scattered here"),
    )
    .label("possibly a race")
    .related(other, format!("`{tensor}` is accessed here"))
    .help("do one of the two in a kernel of its own; only atomic accesses may meet")
}

/// Says how elements that are scattered may meet.
fn meeting(diagnostic: Diagnostic, last: Span) -> Diagnostic {
    let after = Span::new(last.end, last.end);
    diagnostic
        .help("where elements may meet, say what becomes of them")
        .fix("add them: `atomic: add`", after, ", atomic: add")
        .fix("keep one of them: `atomic: store`", after, ", atomic: store")
}

/// Says how who stores may keep apart.
fn apart(diagnostic: Diagnostic, tensor: &str, storing: Storing) -> Diagnostic {
    let help = match storing {
        Storing::Scattered(last) => return meeting(diagnostic, last),
        Storing::Thread => {
            format!("give each thread its own elements: `view v = {tensor} via reshape_map([…] | [threads] => …);`")
        }
        Storing::Alike => "all threads of the block store this element: let the one that has the result store it, \
                           `if t == 0 { … }`, share the work out, `for t in threads(n, cuda_thread) { … }`, or launch \
                           blocks of one thread, `block(1)`"
            .to_owned(),
        Storing::Block => format!(
            "store each number in one block, or add in one step what several blocks have: `atomic_add({tensor}[…], …);`"
        ),
        Storing::Tile => "store each tile in one block, or add in one step what several blocks have, through the \
                          partition: `p.atomic_add_masked(t, …);`"
            .to_owned(),
    };
    diagnostic.help(help)
}
