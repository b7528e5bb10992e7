//! Every name in an item with its meaning: the basis of definition, references, rename, highlights and colours.
//!
//! Names resolve as in the checks, which use different scopes at different places: the map of a view is in the scope
//! of the file, a loop bound in that of the kernel.

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

/// The kind of a name inside an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalKind {
    /// A parameter without a shape.
    Scalar,
    /// A parameter with a shape.
    Tensor,
    /// A generic parameter that stands for an integer.
    Generic,
    /// A generic parameter that stands for an element type.
    Type,
    /// A view.
    View,
    /// A variable that never changes.
    Constant,
    /// A variable.
    Variable,
    /// A variable in shared memory.
    Shared,
    /// A constant or a map that is known when the kernel is checked.
    Defined,
    /// A function.
    Function,
    /// The variable of a loop, or the iterator of a tiling.
    Iterator,
}

/// A name in an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// Its tokens, of which there is one.
    pub span: Span,
    /// Its bytes inside that token: all, or those of one part if a hyphenated word is a difference.
    pub within: Range<u32>,
    /// The name.
    pub name: SmolStr,
    /// What it means.
    pub target: Target,
    /// What is done with it.
    pub access: Access,
    /// For a name inside an item, its kind.
    pub local: Option<LocalKind>,
}

/// The resolved names in an item, in order. Names of members, functions and element types, and undeclared names, are
/// not included. A hyphenated word that is a difference is one name for each of its parts.
#[salsa::tracked(returns(deref))]
pub fn occurrences(db: &dyn Db, item: Item) -> Box<[Occurrence]> {
    let mut found = walk::names_of(db, item);
    found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.within.start));
    found.into()
}

/// Whether some tokens of an item contain a name that is declared inside it.
pub(super) fn mentions_locals(db: &dyn Db, item: Item, span: Span) -> bool {
    let inside = occurrences(db, item).iter().filter(|occurrence| span.holds(occurrence.span));
    inside.into_iter().any(|occurrence| matches!(occurrence.target, Target::Local(..)))
}

/// The declaration of a target.
pub fn declaration(db: &dyn Db, target: &Target) -> (Item, Span) {
    match target {
        Target::Declared(item, name) => (*item, names::declaration_span(db, *item, name)),
        Target::Local(item, span) => (*item, *span),
    }
}

mod iterators;
mod local;
mod walk;

#[cfg(test)]
mod tests;
