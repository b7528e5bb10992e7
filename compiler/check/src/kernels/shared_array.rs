//! A shared array as the hints at bank conflicts need it: how it is declared, and its accesses.

use std::sync::Arc;

use super::raised::Composed;
use kernel::typed::SharedId;
use syntax::span::Span;
use syntax::tree;

/// How a shared array is declared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SharedSource {
    /// The stored extents.
    pub(super) shape: Vec<tree::Expr>,
    /// The transforms after each `|>`.
    pub(super) layout: Vec<tree::Expr>,
    /// The span of the declaration.
    pub(super) span: Span,
}

/// An access of a shared array, with the conditions under which threads are active.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SharedAccess {
    pub(super) array: SharedId,
    pub(super) store: bool,
    pub(super) span: Span,
    /// The map from block, thread and iterators to the position in the storage.
    pub(super) composed: Arc<Composed>,
    /// The map from there to the array's own indices; `None` if it is accessed through a view.
    pub(super) indices: Option<Arc<Composed>>,
}
