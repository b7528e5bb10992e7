//! What typing a kernel leaves to be proven.

use std::sync::Arc;

use smol_str::SmolStr;

use super::access::AccessRecord;
use super::raised::Composed;
use super::views::View;
use crate::diagnostics::{Advice, Indexed};
use dims::{Facts, Sym};
use elements::ElementType;
use kernel::typed::{self, Memory};
use maps::IndexMap;
use syntax::span::Span;

/// Claims that belong together, in the order of the text. Where one of them fails, those after it say nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    /// The strides of a parameter that is written.
    Strides { name: SmolStr, map: IndexMap, facts: Facts, span: Span },
    /// A view.
    View(Arc<View>),
    /// An access; a number in the row of accesses.
    Access(Box<AccessRecord>),
}

/// The index, or the element, that an access reaches must lie below a bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Below {
    pub(super) composed: Arc<Composed>,
    /// The same in each of the cases that are all there are, where more is known in them.
    pub(super) cases: Vec<Composed>,
    pub(super) claim: typed::Claim,
    /// The types of a conversion in it that may change it, from and to.
    pub(super) narrowed: Option<(ElementType, ElementType)>,
    pub(super) indexed: Indexed,
    /// What the reader can do.
    pub(super) advice: Advice,
    /// What is known of the sizes there.
    pub(super) facts: Facts,
}

/// Where a map of a view leads to a tensor's own indices: one of them must stay inside its dimension.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dimension {
    pub(super) memory: Memory,
    pub(super) map: IndexMap,
    pub(super) position: usize,
    pub(super) extent: Sym,
    pub(super) facts: Facts,
    pub(super) span: Span,
}
