//! Checking a kernel: from its syntax to a typed kernel, whose accesses are then proven safe and whose threads wait for
//! each other where they must. Begin reading with `queries`.

mod access;
mod bank_conflicts;
mod bindings;
mod branches;
mod calls;
mod claims;
mod coalescing;
mod collectives;
mod conditions;
mod constants;
mod context;
mod expressions;
mod hints;
mod holders;
mod launch;
mod loops;
mod lower;
mod meaning;
mod memories;
mod operands;
mod prover;
mod queries;
mod races;
mod raised;
mod remembered;
mod shared;
mod shifted;
mod signature;
mod statements;
mod views;
mod waits;
mod whole_tensors;

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::db::{Db, Item};
use crate::diagnostics::{BlockSize, Diagnostic, Severity};
use crate::evaluate::Evaluator;
use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::raise::Raiser;
use kernel::typed::{Kernel, Launch, Local, LocalVariable, Memory, ParamId};
use maps::threads::Tiling;
use maps::{IndexMap, MapError};
use syntax::span::Span;
use syntax::tree;

pub use calls::functions as kernel_functions;
pub use collectives::CollectiveLoop;
pub use collectives::threads_domain;
pub use meaning::{Meaning, SharedMeaning, ViewMeaning};
pub use queries::{
    CheckedKernel, PlacedKernel, ProvenKernel, RefutedAccess, TypedKernel, checked_kernel, kernel_hints, placed_kernel,
    proven_kernel, typed_kernel,
};

use bank_conflicts::{SharedAccess, SharedSource};
use bindings::Bindings;
use claims::Subject;
use context::Context;
pub use launch::grid_domain;
use memories::Memories;
use raised::Composed;
use remembered::{Interned, Remembered};
use views::View;

/// The code of what this version lacks.
const NOT_YET: &str = "not-available-yet";

/// What a name in a kernel means.
#[derive(Clone)]
enum Binding {
    /// A scalar parameter.
    Scalar(ParamId),
    /// A tensor parameter or a shared array.
    Memory(Memory),
    /// A variable or an iterator.
    Local(Local),
    /// A view.
    View(Arc<View>),
    /// Something whose declaration has a mistake, which is reported there.
    Broken,
}

/// Checks one kernel.
struct Checker<'db> {
    evaluator: Evaluator<'db>,
    memories: Memories,
    /// Where each parameter is declared: its name, its element type.
    param_spans: Vec<(Span, Span)>,
    locals: Vec<LocalVariable>,
    /// The variables whose type only the literal says that they are declared with, and where their names stand there.
    free_types: FxHashMap<Local, Span>,
    /// What expressions come to, where the check stands.
    raiser: Raiser,
    /// Names, innermost last.
    bindings: Bindings,
    launch: Launch,
    /// Where the threads of a block are written, or could be.
    block_size: Option<BlockSize>,
    collectives: Vec<Tiling>,
    collective_loops: Vec<CollectiveLoop>,
    /// How each shared array is indexed.
    layouts: Vec<Arc<IndexMap>>,
    /// How each shared array is declared.
    shared_sources: Vec<SharedSource>,
    shared_accesses: Vec<SharedAccess>,
    /// The maps of accesses, each once.
    composed: Interned<Composed>,
    /// Other maps, each once.
    maps: Interned<IndexMap>,
    /// What has to be tested of the conditions of maps, guards included.
    tested: Remembered<IndexMap, Result<IndexMap, MapError>>,
    context: Context,
    /// What is to be proven, in the order of the text.
    subjects: Vec<Subject>,
    /// Each `if` and each loop, with its condition or its range.
    condition_places: Vec<(Span, Span)>,
    meanings: Vec<(Span, Meaning)>,
}

impl<'db> Checker<'db> {
    fn new(db: &'db dyn Db, item: Item) -> Self {
        Self {
            evaluator: Evaluator::new(db, item),
            memories: Memories::default(),
            param_spans: Vec::new(),
            locals: Vec::new(),
            free_types: FxHashMap::default(),
            raiser: Raiser::new(Launch::default()),
            bindings: Bindings::default(),
            launch: Launch::default(),
            block_size: None,
            collectives: Vec::new(),
            collective_loops: Vec::new(),
            layouts: Vec::new(),
            shared_sources: Vec::new(),
            shared_accesses: Vec::new(),
            composed: Interned::default(),
            maps: Interned::default(),
            tested: Remembered::default(),
            context: Context::default(),
            subjects: Vec::new(),
            condition_places: Vec::new(),
            meanings: Vec::new(),
        }
    }

    fn check(mut self, kernel: &tree::Kernel) -> TypedKernel {
        self.signature(kernel);
        self.block_size = launch::block_size(kernel);
        let launch = self.decide_launch(kernel).map(|()| self.launch.clone());
        // Without a launch it is not known whether there are threads enough for a loop over them.
        self.context.unknown_threads = launch.is_none();
        self.raiser.set_launch(self.launch.clone());
        let body = self.block(&kernel.body);
        let diagnostics = std::mem::take(&mut self.evaluator.diagnostics);
        let unfinished = |found: &Diagnostic| found.severity() == Severity::Error || found.page.code == NOT_YET;
        let draft = body.filter(|_| !diagnostics.iter().any(unfinished)).map(|body| {
            Arc::new(Kernel {
                name: kernel.name.text.clone(),
                symbols: self.symbols(),
                facts: self.evaluator.facts.clone(),
                params: self.memories.params.clone(),
                launch: self.launch.clone(),
                collectives: std::mem::take(&mut self.collectives),
                shared: self.memories.shared.clone(),
                locals: std::mem::take(&mut self.locals),
                body,
                obligations: Vec::new(),
            })
        });
        TypedKernel {
            launch,
            launched: self.launch,
            meanings: self.meanings,
            collectives: self.collective_loops,
            facts: self.evaluator.facts,
            diagnostics,
            draft,
            memories: self.memories,
            subjects: self.subjects,
            param_spans: self.param_spans,
            layouts: self.layouts,
            shared_sources: self.shared_sources,
            shared_accesses: self.shared_accesses,
            condition_places: self.condition_places,
        }
    }

    /// Every symbol that the launch, the parameters or an access depends on.
    fn symbols(&self) -> Vec<Symbol> {
        let mut symbols: BTreeSet<Symbol> = BTreeSet::new();
        symbols.extend(self.launch.blocks.symbols());
        symbols.extend(self.launch.threads.symbols());
        for param in &self.memories.params {
            if let kernel::typed::ParamKind::Tensor { shape, strides, .. } = &param.kind {
                symbols.extend(shape.iter().chain(strides).flat_map(Sym::symbols));
            }
        }
        for subject in &self.subjects {
            if let Subject::Access(record) = subject {
                symbols.extend(record.composed.map.symbols());
            }
        }
        symbols.extend(self.context.seen_symbols.iter().cloned());
        symbols.into_iter().collect()
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.evaluator.report(diagnostic)
    }

    fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.get(name).map(|(_, _, binding)| binding)
    }

    fn new_local(&mut self, name: &SmolStr, element: ElementType, mutable: bool) -> Local {
        self.locals.push(LocalVariable { name: name.clone(), element, mutable, range: None });
        Local(u32::try_from(self.locals.len() - 1).unwrap_or(u32::MAX))
    }
}
