//! What typing a kernel knows at the current place of the text, and what it has found so far.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::bindings::{Binding, Bindings};
use super::claims::Subject;
use super::context::Context;
use super::exchanges::ExchangeArray;
use super::meaning::{CollectiveLoop, Meaning, TileParts};
use super::memories::Memories;
use super::raised::Composed;
use super::reached::Reached;
use super::remembered::{Interned, Remembered, Same};
use super::shared_array::{SharedAccess, SharedSource};
use super::tiles::Tiles;
use crate::db::{Db, Item};
use crate::diagnostics::{BlockSize, Diagnostic};
use crate::evaluate::Evaluator;
use crate::values::{Generics, Value};
use dims::Facts;
use elements::ElementType;
use kernel::Id;
use kernel::raise::Raiser;
use kernel::typed::{Launch, Local, LocalVariable, Memory};
use maps::threads::Tiling;
use maps::{IndexMap, MapError};
use syntax::span::Span;

/// Types one kernel.
pub(super) struct Checker<'db> {
    pub(super) evaluator: Evaluator<'db>,
    pub(super) memories: Memories,
    /// For each parameter, the spans of its name and of its element type.
    pub(super) param_spans: Vec<(Span, Span)>,
    pub(super) locals: Vec<LocalVariable>,
    /// Variables whose type follows only from the literal in their declaration, each with the span of its name.
    pub(super) free_types: FxHashMap<Local, Span>,
    /// The values of expressions at the current program point.
    pub(super) raiser: Raiser,
    /// The visible names, innermost last.
    pub(super) bindings: Bindings,
    pub(super) launch: Launch,
    /// The place where the number of threads in a block is written, or could be.
    pub(super) block_size: Option<BlockSize>,
    pub(super) collectives: Vec<Tiling>,
    pub(super) collective_loops: Vec<CollectiveLoop>,
    /// The layout of each shared array: from its indices to the position in its storage.
    pub(super) layouts: Vec<Arc<IndexMap>>,
    /// The declaration of each shared array.
    pub(super) shared_sources: Vec<SharedSource>,
    pub(super) shared_accesses: Vec<SharedAccess>,
    /// The facts that the program states, before those that a launch with such shared arrays implies; `None` if there are none of these.
    pub(super) stated_facts: Option<Facts>,
    /// The maps of accesses, interned.
    pub(super) composed: Interned<Composed>,
    /// The maps of accesses by their values.
    pub(super) reached: Reached,
    /// The maps of views, by their places in the text.
    pub(super) view_maps: Remembered<Span, Value>,
    /// Other maps, interned.
    pub(super) maps: Interned<IndexMap>,
    /// The maps of tensors that are indexed directly.
    pub(super) direct: Remembered<Memory, Arc<IndexMap>>,
    /// Maps with only those masks that have to be tested inside the guards of an access.
    pub(super) tested: Remembered<Same<Composed>, Result<Arc<IndexMap>, MapError>>,
    pub(super) context: Context,
    /// The arrays through which warps exchange values.
    pub(super) exchange_arrays: Vec<ExchangeArray>,
    pub(super) tiles: Tiles,
    /// The claims to prove, in the order of the text.
    pub(super) subjects: Vec<Subject>,
    /// The span of each `if` and each loop, with that of its condition or its range.
    pub(super) condition_places: Vec<(Span, Span)>,
    pub(super) meanings: Vec<(Span, Meaning)>,
    pub(super) parts: TileParts,
}

impl<'db> Checker<'db> {
    pub(super) fn new(db: &'db dyn Db, item: Item, generics: Generics) -> Self {
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

    pub(super) fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.evaluator.report(diagnostic)
    }

    pub(super) fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.get(name).map(|(_, _, binding)| binding).filter(|binding| !matches!(binding, Binding::Defined))
    }

    pub(super) fn new_local(&mut self, name: &SmolStr, element: ElementType, mutable: bool) -> Local {
        let local = Local::next(&self.locals);
        self.locals.push(LocalVariable { name: name.clone(), element, mutable, range: None });
        local
    }
}
