//! What is asked of a kernel, each a query of its own: what it says, whether its accesses are safe, where its threads wait,
//! and what is worth a hint. Whoever wants to know what a name means waits for none of the others.

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

/// What a kernel says: its names, its types, its accesses with what is to be proven of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedKernel {
    /// The launch, where it could be decided; also where the body is wrong.
    pub launch: Option<Launch>,
    /// What the names in the body mean, by the tokens that declare them; also where the kernel is wrong elsewhere.
    pub meanings: Vec<(Span, Meaning)>,
    /// The loops over thread collectives, in the order of the text; also where the kernel is wrong elsewhere.
    pub collectives: Vec<CollectiveLoop>,
    /// What is known of its sizes.
    pub facts: Facts,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
    /// The kernel without its barriers and obligations, where its types are right.
    pub draft: Option<Arc<Kernel>>,
    /// The launch that the checks go by: where it could not be decided, of one thread.
    pub(super) launched: Launch,
    pub(super) memories: Memories,
    /// What is to be proven, in the order of the text.
    pub(super) subjects: Vec<Subject>,
    /// Where each parameter is declared: its name, its element type.
    pub(super) param_spans: Vec<(Span, Span)>,
    /// How each shared array is indexed.
    pub(super) layouts: Vec<Arc<IndexMap>>,
    /// How each shared array is declared.
    pub(super) shared_sources: Vec<SharedSource>,
    pub(super) shared_accesses: Vec<SharedAccess>,
    /// Each `if` and each loop, with its condition or its range.
    pub(super) condition_places: Vec<(Span, Span)>,
}

/// What the claims of a kernel's accesses come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProvenKernel {
    /// What could not be proven for every size, and is asked again at launch with the actual ones.
    pub obligations: Vec<Obligation>,
    /// Accesses of which a claim was refuted.
    pub refuted: Vec<RefutedAccess>,
    /// Outputs that are not fully written, as far as the kernel has no mistake.
    pub outputs: Vec<Diagnostic>,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// A kernel with its barriers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedKernel {
    /// The kernel, where its threads can wait wherever they must.
    pub kernel: Option<Arc<Kernel>>,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// What checking a kernel gives in the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckedKernel {
    /// The kernel, where nothing is wrong with it.
    pub kernel: Option<Arc<Kernel>>,
    /// What was found by all of the queries.
    pub diagnostics: Vec<Diagnostic>,
}

/// An access of which a claim was refuted, with what a picture of it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct RefutedAccess {
    /// Where it stands; the diagnostic is there too.
    pub span: Span,
    /// The type of the tensor's elements.
    pub element: ElementType,
    /// From block, thread and iterators to the element.
    pub map: Arc<IndexMap>,
    /// What is known of the sizes.
    pub facts: Facts,
    /// What goes wrong.
    pub counterexample: Counterexample,
}

/// What a kernel item says.
#[salsa::tracked(lru = 1024)]
pub fn typed_kernel(db: &dyn Db, item: Item) -> Arc<Large<TypedKernel>> {
    let Some(parsed) = &item.tree(db).item else { return Arc::default() };
    let ItemKind::Kernel(kernel) = &parsed.kind else { return Arc::default() };
    Arc::new(Large::new(Checker::new(db, item).check(kernel)))
}

/// What the claims of a kernel's accesses come to.
#[salsa::tracked(lru = 1024)]
pub fn proven_kernel(db: &dyn Db, item: Item) -> Arc<Large<ProvenKernel>> {
    Arc::new(Large::new(Prover::new(db, item, typed_kernel(db, item)).prove()))
}

/// The kernel with its barriers. Where an access is wrong, nothing is said of who waits for it.
#[salsa::tracked(lru = 1024)]
pub fn placed_kernel(db: &dyn Db, item: Item) -> Arc<Large<PlacedKernel>> {
    let typed = typed_kernel(db, item);
    let wrong = proven_kernel(db, item).diagnostics.iter().any(is_error);
    let placed = typed.draft.as_ref().filter(|_| !wrong).map(|draft| waits::placed(db, typed, draft));
    Arc::new(Large::new(placed.unwrap_or_default()))
}

/// Hints about what a kernel's accesses cost.
#[salsa::tracked(lru = 1024)]
pub fn kernel_hints(db: &dyn Db, item: Item) -> Arc<Vec<Diagnostic>> {
    Arc::new(Hints::all(db, item, typed_kernel(db, item)))
}

/// The kernel of an item that passed every check, and all that was found.
#[salsa::tracked(lru = 1024)]
pub fn checked_kernel(db: &dyn Db, item: Item) -> Arc<Large<CheckedKernel>> {
    let (typed, proven, placed) = (typed_kernel(db, item), proven_kernel(db, item), placed_kernel(db, item));
    let found = [&typed.diagnostics, &proven.diagnostics, &placed.diagnostics];
    let mut diagnostics: Vec<Diagnostic> = found.into_iter().flatten().cloned().collect();
    // In a kernel with a mistake the accesses may not be what they will be.
    if !diagnostics.iter().any(is_error) {
        diagnostics.extend(proven.outputs.iter().chain(kernel_hints(db, item).iter()).cloned());
    }
    // What the grammar left out may have been the point of the kernel.
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
    /// The signature, also where the body is wrong; `run` items need no more.
    pub fn params(&self) -> &[Param] {
        &self.memories.params
    }

    /// The accesses that the sizes let be executed.
    pub(super) fn executed(&self) -> impl Iterator<Item = &AccessRecord> {
        self.subjects.iter().filter_map(|subject| match subject {
            Subject::Access(record) if record.executed => Some(&**record),
            _ => None,
        })
    }
}
