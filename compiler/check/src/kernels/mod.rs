//! Checks kernels: typing gives a typed kernel, whose accesses are then proven safe and whose barriers are placed.
//! Begin with `queries`.

mod access;
mod atomics;
mod bank_conflicts;
mod bindings;
mod bit_casts;
mod branches;
mod calls;
mod claims;
mod coalescing;
mod collectives;
mod conditions;
mod constants;
mod context;
mod copies;
mod definitions;
mod exchanges;
mod expressions;
mod forms;
mod functions;
mod hints;
mod holders;
mod induction;
mod launch;
mod leaving;
mod loops;
mod lower;
mod map_calls;
mod meaning;
mod memories;
mod operands;
mod owners;
mod pairs;
mod prover;
mod queries;
mod races;
mod raised;
mod reached;
mod regions;
mod remembered;
mod room;
mod scattered;
mod shared;
mod shifted;
mod signature;
mod statements;
mod steps;
mod thread_arrays;
mod tiles;
mod views;
mod waits;
mod whole_tensors;

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::db::{Db, Item};
use crate::diagnostics::{BlockSize, Diagnostic};
use crate::evaluate::Evaluator;
use crate::values::{Generics, Value};
use dims::{Facts, Sym, Symbol};
use elements::ElementType;
use kernel::Id;
use kernel::raise::Raiser;
use kernel::typed::{Kernel, Launch, Local, LocalVariable, Memory, ParamId};
use maps::threads::Tiling;
use maps::{IndexMap, MapError};
use syntax::span::Span;
use syntax::tree;

pub use calls::functions as kernel_functions;
pub use collectives::CollectiveLoop;
pub(crate) use exchanges::unit_together;
pub use exchanges::{EXCHANGES, OVER};
pub(crate) use functions::function_diagnostics;
pub use meaning::{Meaning, PartitionMeaning, SharedMeaning, ThreadArrayMeaning, TileMeaning, TileParts, ViewMeaning};
pub use queries::{
    CheckedKernel, PlacedKernel, ProvenKernel, RefutedAccess, TypedKernel, checked_instance, checked_kernel,
    proven_kernel, typed_instance, typed_kernel,
};
pub use tiles::{PartitionMember, TileFunction, TileMethod, parameters};

use bank_conflicts::{SharedAccess, SharedSource};
use bindings::Bindings;
use claims::Subject;
use context::Context;
use exchanges::ExchangeArray;
use memories::Memories;
use operands::Operand;
use raised::Composed;
use reached::Reached;
use remembered::{Interned, Remembered, Same};
use thread_arrays::ThreadArray;
use tiles::{Partition, TileVariable, Tiles};
use views::View;

/// The meaning of a name in a kernel.
#[derive(Clone)]
enum Binding {
    /// A scalar parameter.
    Scalar(ParamId),
    /// A tensor parameter or a shared array.
    Memory(Memory),
    /// A variable or an iterator.
    Local(Local),
    /// An array of which every thread has its own.
    ThreadArray(ThreadArray),
    /// A view.
    View(Arc<View>),
    /// A tensor divided into tiles.
    Partition(Arc<Partition>),
    /// A tile.
    Tile(TileVariable),
    /// A constant, a map or a function, which the evaluator knows as it knows the names of the file.
    Defined,
    /// A number that is given to a function.
    Given(Operand),
    /// A declaration with an error, which is reported there.
    Broken,
}

/// Types one kernel.
struct Checker<'db> {
    evaluator: Evaluator<'db>,
    memories: Memories,
    /// For each parameter, the spans of its name and of its element type.
    param_spans: Vec<(Span, Span)>,
    locals: Vec<LocalVariable>,
    /// Variables whose type follows only from the literal in their declaration, each with the span of its name.
    free_types: FxHashMap<Local, Span>,
    /// The values of expressions at the current program point.
    raiser: Raiser,
    /// The visible names, innermost last.
    bindings: Bindings,
    launch: Launch,
    /// The place where the number of threads in a block is written, or could be.
    block_size: Option<BlockSize>,
    collectives: Vec<Tiling>,
    collective_loops: Vec<CollectiveLoop>,
    /// The layout of each shared array: from its indices to the position in its storage.
    layouts: Vec<Arc<IndexMap>>,
    /// The declaration of each shared array.
    shared_sources: Vec<SharedSource>,
    shared_accesses: Vec<SharedAccess>,
    /// The facts that the program states, before those that a launch with such shared arrays implies; `None` if there are none of these.
    stated_facts: Option<Facts>,
    /// The maps of accesses, interned.
    composed: Interned<Composed>,
    /// The maps of accesses by their values.
    reached: Reached,
    /// The maps of views, by their places in the text.
    view_maps: Remembered<Span, Value>,
    /// Other maps, interned.
    maps: Interned<IndexMap>,
    /// The maps of tensors that are indexed directly.
    direct: Remembered<Memory, Arc<IndexMap>>,
    /// Maps with only those masks that have to be tested inside the guards of an access.
    tested: Remembered<Same<Composed>, Result<Arc<IndexMap>, MapError>>,
    context: Context,
    /// The arrays through which warps exchange values.
    exchange_arrays: Vec<ExchangeArray>,
    tiles: Tiles,
    /// The claims to prove, in the order of the text.
    subjects: Vec<Subject>,
    /// The span of each `if` and each loop, with that of its condition or its range.
    condition_places: Vec<(Span, Span)>,
    meanings: Vec<(Span, Meaning)>,
    parts: TileParts,
}

impl<'db> Checker<'db> {
    fn new(db: &'db dyn Db, item: Item, generics: Generics) -> Self {
        let mut evaluator = Evaluator::new(db, item);
        evaluator.generics = generics;
        Self {
            evaluator,
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
            stated_facts: None,
            composed: Interned::default(),
            reached: Reached::default(),
            view_maps: Remembered::default(),
            maps: Interned::default(),
            direct: Remembered::default(),
            tested: Remembered::default(),
            context: Context::default(),
            exchange_arrays: Vec::new(),
            tiles: Tiles::default(),
            subjects: Vec::new(),
            condition_places: Vec::new(),
            meanings: Vec::new(),
            parts: TileParts::default(),
        }
    }

    fn check(mut self, kernel: &tree::Kernel) -> TypedKernel {
        let excluded = self.assume(kernel);
        self.signature(kernel);
        self.block_size = launch::block_size(kernel);
        let launch = self.decide_launch(kernel).map(|()| self.launch.clone());
        // Without a launch it is not known whether there are threads enough for a loop over them.
        self.context.unknown_threads = launch.is_none();
        self.raiser.set_launch(self.launch.clone());
        let body = self.block(&kernel.body);
        self.check_tensors_of_tiles();
        self.hint_sizes_of_arrays();
        if let Some(body) = &body {
            self.check_agreement(body);
        }
        let diagnostics = std::mem::take(&mut self.evaluator.diagnostics);
        let draft = body.filter(|_| !diagnostics.iter().any(Diagnostic::prevents_results)).map(|body| {
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
            generics: self.evaluator.generics,
            excluded,
            launch,
            launched: self.launch,
            meanings: self.meanings,
            parts: self.parts,
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

    /// Every symbol on which the launch, the parameters or an access depends.
    fn symbols(&self) -> Vec<Symbol> {
        let mut symbols: BTreeSet<Symbol> = BTreeSet::new();
        symbols.extend(self.launch.blocks.symbols());
        symbols.extend(self.launch.threads.symbols());
        for param in &self.memories.params {
            if let kernel::typed::ParamKind::Tensor { shape, strides, .. } = &param.kind {
                symbols.extend(shape.iter().chain(strides).flat_map(Sym::symbols));
            }
        }
        symbols.extend(
            self.memories
                .shared
                .iter()
                .flat_map(|array| array.shape.iter().chain([&array.length]))
                .flat_map(Sym::symbols),
        );
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
        self.bindings.get(name).map(|(_, _, binding)| binding).filter(|binding| !matches!(binding, Binding::Defined))
    }

    fn new_local(&mut self, name: &SmolStr, element: ElementType, mutable: bool) -> Local {
        let local = Local::next(&self.locals);
        self.locals.push(LocalVariable { name: name.clone(), element, mutable, range: None });
        local
    }
}
