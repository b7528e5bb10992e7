//! The queries about kernels: the typed kernel, proofs about its accesses, its barriers, and hints. They are separate,
//! so that an editor gets the meaning of a name without waiting for proofs.

use std::sync::Arc;

use super::access::AccessRecord;
use super::bank_conflicts::{SharedAccess, SharedSource};
use super::claims::Subject;
use super::hints::Hints;
use super::memories::Memories;
use super::prover::Prover;
use super::{Checker, CollectiveLoop, Meaning, waits};
use crate::db::{Db, Item};
use crate::diagnostics::{Diagnostic, Severity};
use crate::discard::Large;
use dims::Facts;
use elements::ElementType;
use kernel::typed::{Kernel, Launch, Obligation, Param};
use maps::IndexMap;
use proofs::Counterexample;
use syntax::span::Span;
use syntax::tree::ItemKind;

/// The result of typing: names, types, and accesses with the claims to prove.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedKernel {
    /// The launch; `None` if it has an error.
    pub launch: Option<Launch>,
    /// The meanings of the names in the body, by the spans of their declarations; complete even if other parts have
    /// errors.
    pub meanings: Vec<(Span, Meaning)>,
    /// The loops over thread collectives, in the order of the text; complete even if other parts have errors.
    pub collectives: Vec<CollectiveLoop>,
    /// The facts about its sizes.
    pub facts: Facts,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// The kernel without barriers and obligations; `None` if typing failed.
    pub draft: Option<Arc<Kernel>>,
    /// The launch that the checks assume: that of one thread if the launch has an error.
    pub(super) launched: Launch,
    pub(super) memories: Memories,
    /// The claims to prove, in the order of the text.
    pub(super) subjects: Vec<Subject>,
    /// For each parameter, the spans of its name and of its element type.
    pub(super) param_spans: Vec<(Span, Span)>,
    /// The layout of each shared array: from its indices to the position in its storage.
    pub(super) layouts: Vec<Arc<IndexMap>>,
    /// The declaration of each shared array.
    pub(super) shared_sources: Vec<SharedSource>,
    pub(super) shared_accesses: Vec<SharedAccess>,
    /// The span of each `if` and each loop, with that of its condition or its range.
    pub(super) condition_places: Vec<(Span, Span)>,
}

/// The results of the proofs about a kernel's accesses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProvenKernel {
    /// The claims that are not proven for every size, which are checked at launch with the actual ones.
    pub obligations: Vec<Obligation>,
    /// The accesses with refuted claims.
    pub refuted: Vec<RefutedAccess>,
    /// Warnings about outputs that are not fully written, for a kernel without errors.
    pub outputs: Vec<Diagnostic>,
    /// Errors, and warnings about open claims.
    pub diagnostics: Vec<Diagnostic>,
}

/// A kernel with its barriers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedKernel {
    /// The kernel; `None` if a necessary barrier cannot be placed.
    pub kernel: Option<Arc<Kernel>>,
    /// Errors and warnings about shared memory and barriers.
    pub diagnostics: Vec<Diagnostic>,
}

/// The result of all checks of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckedKernel {
    /// The kernel; `None` if it has errors.
    pub kernel: Option<Arc<Kernel>>,
    /// The diagnostics of all queries.
    pub diagnostics: Vec<Diagnostic>,
}

/// An access with a refuted claim, with the data for a picture of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RefutedAccess {
    /// The span of the access and of its diagnostic.
    pub span: Span,
    /// The element type of the tensor.
    pub element: ElementType,
    /// The map from block, thread and iterators to the element.
    pub map: Arc<IndexMap>,
    /// The facts about the sizes.
    pub facts: Facts,
    /// The counterexample.
    pub counterexample: Counterexample,
}

/// Types a kernel item.
#[salsa::tracked(lru = 1024)]
pub fn typed_kernel(db: &dyn Db, item: Item) -> Arc<Large<TypedKernel>> {
    let Some(parsed) = &item.tree(db).item else { return Arc::default() };
    let ItemKind::Kernel(kernel) = &parsed.kind else { return Arc::default() };
    Arc::new(Large::new(Checker::new(db, item).check(kernel)))
}

/// Proves the claims of a kernel's accesses.
#[salsa::tracked(lru = 1024)]
pub fn proven_kernel(db: &dyn Db, item: Item) -> Arc<Large<ProvenKernel>> {
    Arc::new(Large::new(Prover::new(db, item, typed_kernel(db, item)).prove()))
}

/// Places the barriers of a kernel. Does nothing if an access has an error.
#[salsa::tracked(lru = 1024)]
pub fn placed_kernel(db: &dyn Db, item: Item) -> Arc<Large<PlacedKernel>> {
    let typed = typed_kernel(db, item);
    let wrong = proven_kernel(db, item).diagnostics.iter().any(is_error);
    let placed = typed.draft.as_ref().filter(|_| !wrong).map(|draft| waits::placed(db, typed, draft));
    Arc::new(Large::new(placed.unwrap_or_default()))
}

/// Hints about the cost of a kernel's accesses.
#[salsa::tracked(lru = 1024)]
pub fn kernel_hints(db: &dyn Db, item: Item) -> Arc<Vec<Diagnostic>> {
    Arc::new(Hints::all(db, item, typed_kernel(db, item)))
}

/// The kernel of an item if it passes every check, and all diagnostics.
#[salsa::tracked(lru = 1024)]
pub fn checked_kernel(db: &dyn Db, item: Item) -> Arc<Large<CheckedKernel>> {
    let (typed, proven, placed) = (typed_kernel(db, item), proven_kernel(db, item), placed_kernel(db, item));
    let found = [&typed.diagnostics, &proven.diagnostics, &placed.diagnostics];
    let mut diagnostics: Vec<Diagnostic> = found.into_iter().flatten().cloned().collect();
    // The accesses of a kernel with errors may change, so hints about them would be premature.
    if !diagnostics.iter().any(is_error) {
        diagnostics.extend(proven.outputs.iter().chain(kernel_hints(db, item).iter()).cloned());
    }
    // A kernel with syntax errors lacks parts, and is never executed.
    let complete = item.tree(db).errors.is_empty() && !diagnostics.iter().any(is_error);
    let kernel = placed.kernel.as_ref().filter(|_| complete).map(|placed| match proven.obligations.as_slice() {
        [] => Arc::clone(placed),
        obligations => Arc::new(Kernel { obligations: obligations.to_vec(), ..Kernel::clone(placed) }),
    });
    Arc::new(Large::new(CheckedKernel { kernel, diagnostics }))
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity() == Severity::Error
}

impl TypedKernel {
    /// The parameters, also of a kernel with errors; `run` items need no more.
    pub fn params(&self) -> &[Param] {
        &self.memories.params
    }

    /// The accesses that the sizes allow to be executed.
    pub(super) fn executed(&self) -> impl Iterator<Item = &AccessRecord> {
        self.subjects.iter().filter_map(|subject| match subject {
            Subject::Access(record) if record.executed => Some(&**record),
            _ => None,
        })
    }
}
