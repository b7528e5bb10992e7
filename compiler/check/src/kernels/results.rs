//! The results of the queries about a kernel.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::claims::{AccessRecord, Subject};
use super::memories::Memories;
use super::record::Record;
use super::shared_array::SharedSource;
use crate::diagnostics::Diagnostic;
use crate::generics::Generics;
use dims::{Fact, Facts};
use elements::ElementType;
use kernel::Table;
use kernel::typed::{Kernel, Launch, Obligation, Param, ParamId, SharedId};
use maps::IndexMap;
use proofs::Counterexample;
use syntax::span::Span;

/// The result of typing: names, types, and accesses with the claims to prove.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedKernel {
    /// The values of its generic parameters.
    pub generics: Generics,
    /// Whether its `where` excludes these values.
    pub excluded: bool,
    /// The launch; `None` if it has an error.
    pub launch: Option<Launch>,
    /// What typing says of it beside its statements.
    pub record: Record,
    /// The facts about its sizes.
    pub facts: Facts,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// The kernel without barriers and obligations; `None` if typing failed.
    pub draft: Option<Arc<Kernel>>,
    /// The launch that the checks assume: that of one thread if the launch has an error.
    pub(super) launched: Launch,
    pub(super) memories: Memories,
    /// The layout of each shared array: from its indices to the position in its storage.
    pub(super) layouts: Table<SharedId, Arc<IndexMap>>,
    /// The declaration of each shared array.
    pub(super) shared_sources: Table<SharedId, SharedSource>,
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
    /// The tensors of which no two blocks reach one element, but threads of one block do: barriers have to order these. Each with
    /// the races that are reported where none can stand.
    pub(super) exchanged: BTreeMap<ParamId, Races>,
    /// Facts about sizes under which claims that failed would hold, each with the place of the access.
    pub settling: Vec<(Span, Vec<Fact>)>,
}

/// What is said of a tensor if no barrier can order its accesses.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Races {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The accesses with refuted claims.
    pub(super) refuted: Vec<RefutedAccess>,
}

impl Races {
    /// What is said of two accesses.
    pub(super) fn between(&self, [first, second]: [Span; 2]) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|found| {
            let mut others = found.related.iter().map(|(place, _)| place.span);
            match found.span {
                span if first == second => span == first && others.all(|other| other == span),
                span if span == first => others.any(|other| other == second),
                span if span == second => others.any(|other| other == first),
                _ => false,
            }
        })
    }
}

/// A kernel with its barriers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedKernel {
    /// The kernel; `None` if a necessary barrier cannot be placed.
    pub kernel: Option<Arc<Kernel>>,
    /// Errors and warnings about shared memory and barriers.
    pub diagnostics: Vec<Diagnostic>,
    /// The accesses of tensors with refuted claims, since no barrier can order them.
    pub refuted: Vec<RefutedAccess>,
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

impl TypedKernel {
    /// The parameters, also of a kernel with errors; `run` items need no more.
    pub fn params(&self) -> &[Param] {
        self.memories.params.as_slice()
    }

    /// The accesses that the sizes allow to be executed.
    pub(super) fn executed(&self) -> impl Iterator<Item = &AccessRecord> {
        self.record.subjects.iter().filter_map(|subject| match subject {
            Subject::Access(record) if record.executed => Some(&**record),
            _ => None,
        })
    }
}
