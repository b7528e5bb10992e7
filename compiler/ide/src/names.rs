//! Every name in an item with what it means: what definition, references, rename, highlights and colours are made of.
//!
//! What a name means here is what it means to the checks, which look for it in different scopes at different places: the
//! map of a view is an expression of the file, a loop's end is one of the kernel.

use std::ops::Range;

use smol_str::SmolStr;

use check::db::{Db, Item};
use check::names;
use syntax::span::Span;

/// What a name refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A name that an item declares: a shape, a symbol, a kernel.
    Declared(Item, SmolStr),
    /// A name inside an item: a parameter, a variable, a view, an iterator of a loop or a tiling, declared at these tokens.
    Local(Item, Span),
}

/// What is done with the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It is declared here.
    Declare,
    /// Its value is read.
    Read,
    /// It is assigned to.
    Write,
}

/// What kind of thing a name inside an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalKind {
    /// A parameter without a shape.
    Scalar,
    /// A parameter with a shape.
    Tensor,
    /// A generic parameter.
    Generic,
    /// A view.
    View,
    /// A variable that never changes.
    Constant,
    /// A variable.
    Variable,
    /// A variable in shared memory.
    Shared,
    /// The variable of a loop, or the iterator of a tiling.
    Iterator,
}

/// A name in an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// Its tokens, of which there is one.
    pub span: Span,
    /// Its bytes inside that token: all of them, or those of one part where a hyphenated word stands for a difference.
    pub within: Range<u32>,
    /// The name.
    pub name: SmolStr,
    /// What it means.
    pub target: Target,
    /// What is done with it.
    pub access: Access,
    /// For a name inside an item, what kind of thing it is.
    pub local: Option<LocalKind>,
}

/// The names in an item that mean something, in the order of their places. Names of members, functions and element types
/// are not among them, nor are names that nothing declares. A hyphenated word that stands for a difference is one name for
/// each of its parts.
#[salsa::tracked(returns(deref))]
pub fn occurrences(db: &dyn Db, item: Item) -> Box<[Occurrence]> {
    let mut found = walk::names_of(db, item);
    found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.within.start));
    found.into()
}

/// Whether a name that is declared inside an item stands among some of its tokens.
pub(super) fn mentions_locals(db: &dyn Db, item: Item, span: Span) -> bool {
    let inside = occurrences(db, item).iter().filter(|occurrence| span.holds(occurrence.span));
    inside.into_iter().any(|occurrence| matches!(occurrence.target, Target::Local(..)))
}

/// Where what a target stands for is declared.
pub fn declaration(db: &dyn Db, target: &Target) -> (Item, Span) {
    match target {
        Target::Declared(item, name) => (*item, names::declaration_span(db, *item, name)),
        Target::Local(item, span) => (*item, *span),
    }
}

mod iterators;
mod walk;

#[cfg(test)]
mod tests;
