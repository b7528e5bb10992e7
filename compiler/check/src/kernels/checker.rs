//! What typing a kernel knows at the current place of the text, and what it has found so far.

use std::sync::Arc;

use smol_str::SmolStr;

use super::bindings::{Binding, Bindings};
use super::context::Context;
use super::exchanges::ExchangeArray;
use super::free_type::FreeTypes;
use super::memories::Memories;
use super::reached::KnownMaps;
use super::record::Record;
use super::shared_array::SharedSource;
use super::tiles::Tiles;
use crate::db::{Db, Item};
use crate::diagnostics::{BlockSize, Diagnostic};
use crate::evaluate::Evaluator;
use crate::values::Generics;
use dims::{Fact, Facts};
use elements::ElementType;
use kernel::Table;
use kernel::raise::Raiser;
use kernel::typed::{CollectiveId, Launch, Local, LocalVariable, Locals, SharedId};
use maps::IndexMap;
use maps::threads::Tiling;

/// Types one kernel.
#[derive(Clone)]
pub(super) struct Checker<'db> {
    pub(super) evaluator: Evaluator<'db>,
    pub(super) memories: Memories,
    pub(super) locals: Locals,
    pub(super) free_types: FreeTypes,
    /// The values of expressions at the current program point.
    pub(super) raiser: Raiser,
    /// The visible names, innermost last.
    pub(super) bindings: Bindings,
    pub(super) launch: Launch,
    /// The place where the number of threads in a block is written, or could be.
    pub(super) block_size: Option<BlockSize>,
    pub(super) collectives: Table<CollectiveId, Tiling>,
    /// The layout of each shared array: from its indices to the position in its storage.
    pub(super) layouts: Table<SharedId, Arc<IndexMap>>,
    /// The declaration of each shared array.
    pub(super) shared_sources: Table<SharedId, SharedSource>,
    pub(super) context: Context,
    pub(super) tiles: Tiles,
    pub(super) found: Findings,
    /// What is supposed beside the text, to find what would be proven then.
    pub(super) supposed: Supposed,
}

/// What is supposed of a kernel beside its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Supposed {
    /// Scalar parameters that are taken for sizes.
    pub(super) sizes: Vec<SmolStr>,
    /// Facts about these and other sizes.
    pub(super) facts: Vec<Fact>,
}

/// What one walk over a kernel's body has found. All else of a [`Checker`] is known where it is, whoever walks on from there:
/// a body that is typed on the side begins with all of it, and with no findings.
#[derive(Clone, Default)]
pub(super) struct Findings {
    /// The facts that the program states, before those that a launch with such shared arrays implies; `None` if there are none of these.
    pub(super) stated_facts: Option<Facts>,
    /// The maps that were determined so far.
    pub(super) maps: KnownMaps,
    /// The arrays through which warps exchange values.
    pub(super) exchange_arrays: Vec<ExchangeArray>,
    /// What typing says of the kernel beside its statements.
    pub(super) record: Record,
}

impl<'db> Checker<'db> {
    pub(super) fn new(db: &'db dyn Db, item: Item, generics: Generics) -> Self {
        let mut evaluator = Evaluator::new(db, item);
        evaluator.generics = generics;
        Self {
            evaluator,
            memories: Memories::default(),
            locals: Locals::default(),
            free_types: FreeTypes::default(),
            raiser: Raiser::new(Launch::default()),
            bindings: Bindings::default(),
            launch: Launch::default(),
            block_size: None,
            collectives: Table::default(),
            layouts: Table::default(),
            shared_sources: Table::default(),
            context: Context::default(),
            tiles: Tiles::default(),
            found: Findings::default(),
            supposed: Supposed::default(),
        }
    }

    /// A checker at the same place, which has found and reported nothing.
    pub(super) fn aside(&mut self) -> Checker<'db> {
        let found = std::mem::take(&mut self.found);
        let said = self.evaluator.take_said();
        let mut aside = self.clone();
        self.found = found;
        self.evaluator.put_said(said);
        // The loops within are typed once.
        aside.context.copies = 0;
        aside
    }

    pub(super) fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.evaluator.report(diagnostic)
    }

    pub(super) fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.get(name).map(|(_, _, binding)| binding).filter(|binding| !matches!(binding, Binding::Defined))
    }

    pub(super) fn new_local(&mut self, name: &SmolStr, element: ElementType, mutable: bool) -> Local {
        self.locals.push(LocalVariable { name: name.clone(), element, mutable, range: None })
    }
}
