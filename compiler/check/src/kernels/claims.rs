//! The claims of a typed kernel that remain to be proven.

use std::sync::Arc;

use smol_str::SmolStr;

use super::access::AccessRecord;
use super::raised::Composed;
use super::views::View;
use crate::diagnostics::{Advice, Indexed};
use dims::{Facts, Sym};
use kernel::raise::Doubt;
use kernel::typed::{self, Memory};
use maps::IndexMap;
use syntax::span::Span;

/// A group of claims, in the order of the text. If one of them fails, the later ones of the group are skipped.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    /// The strides of a parameter that the kernel writes.
    Strides { name: SmolStr, map: IndexMap, facts: Facts, span: Span },
    /// A view.
    View(Arc<View>),
    /// An access.
    Access(Box<AccessRecord>),
}

/// The claim that an index or an element of an access is below a bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Below {
    pub(super) composed: Arc<Composed>,
    /// The same claim in each case of an exhaustive list, if cases give more information.
    pub(super) cases: Vec<Arc<Composed>>,
    pub(super) claim: typed::Claim,
    /// Why less is known of it than its text seems to say.
    pub(super) doubt: Option<Doubt>,
    pub(super) indexed: Indexed,
    /// What the user can do if it fails.
    pub(super) advice: Advice,
    /// The facts about sizes at the access.
    pub(super) facts: Facts,
}

/// The claim that a view's map stays inside a dimension of the tensor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dimension {
    pub(super) memory: Memory,
    pub(super) map: IndexMap,
    pub(super) position: usize,
    pub(super) extent: Sym,
    pub(super) facts: Facts,
    pub(super) span: Span,
}
