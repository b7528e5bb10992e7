//! A view that cannot be made, or an access through a view that is not a thread's own.

use std::fmt;

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `not-a-view`.
pub static PAGE: Page = Page {
    code: "not-a-view",
    severity: Severity::Error,
    title: "something cannot be used as a view",
    explanation: "A view divides what a collective has among its parts: a tensor among the threads, or the part of a block among the threads
of the block. So its map takes local indices and one thread id, the last coordinate, to what it divides; and what belongs to a
single thread cannot be divided further. A map without a thread coordinate divides nothing: it only gives other indices,
such as the rows and columns of `row_major([8, 64])`.

Elements are read and written through a view that belongs to a thread. Divide a block's view once more with `via`.",
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    view again = ys via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
};

/// The reason why there is no view, or no access through one.
pub(crate) enum NotView {
    /// It is already divided down to single threads.
    OfOneThread,
    /// It is not divided down to single threads.
    SharedByThreads,
    /// The map has `lower` coordinates, and its source takes `source`.
    Rank { lower: usize, source: usize },
    /// The threads of a collective would be distributed by warps.
    CollectiveByWarps,
    /// The units are not smaller than the one that holds the source.
    NotSmaller,
    /// The map has more than one thread coordinate.
    SeveralThreads,
    /// The map has no thread coordinate to divide by.
    NoThread,
}

impl fmt::Display for NotView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OfOneThread => formatter.write_str("it belongs to a single thread already"),
            Self::SharedByThreads => {
                formatter.write_str("it belongs to several threads together; make a view of it with `via` first")
            }
            Self::Rank { lower, source } => {
                let (lower, source) = (words::count(*lower, "coordinate"), words::count(*source, "coordinate"));
                write!(formatter, "the map leads to {lower}, but its source is indexed with {source}")
            }
            Self::CollectiveByWarps => formatter.write_str(
                "the threads of a collective are not dealt out by warps: narrow them with a loop over `cuda_warp`",
            ),
            Self::NotSmaller => {
                formatter.write_str("this collective is not smaller than the one that holds the source")
            }
            Self::SeveralThreads => formatter.write_str(
                "its map has several thread coordinates; a view takes one linear thread id, as its last coordinate",
            ),
            Self::NoThread => formatter.write_str(
                "its map has no thread coordinate as its last one, so there is nothing to divide among units",
            ),
        }
    }
}

/// The expression at `span` is no view.
pub(crate) fn not_a_view(span: Span, why: &NotView) -> Diagnostic {
    PAGE.at(span, format!("this cannot be used as a view: {why}")).label("not a view here")
}
