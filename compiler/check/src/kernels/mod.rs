//! Checking a kernel: from its syntax to a typed kernel, with every access proven safe.

mod access;
mod bank_conflicts;
mod branches;
mod calls;
mod coalescing;
mod collectives;
mod conditions;
mod constants;
mod context;
mod expressions;
mod launch;
mod loops;
mod lower;
mod meaning;
mod memories;
mod operands;
mod races;
mod raised;
mod shared;
mod shifted;
mod signature;
mod statements;
mod views;
mod waits;

use std::collections::BTreeSet;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::db::{Db, Item};
use crate::diagnostics::{BlockSize, Diagnostic};
use crate::discard::Large;
use crate::evaluate::Evaluator;
use dims::{Facts, Sym, Symbol};
use elements::ElementType;
use kernel::raise::Raiser;
use kernel::typed::{Kernel, Launch, Local, LocalVariable, Memory, Obligation, Param, ParamId, SharedArray};
use maps::IndexMap;
use maps::threads::Tiling;
use proofs::Counterexample;
use syntax::span::Span;
use syntax::tree::{self, ItemKind};

pub use calls::functions as kernel_functions;
pub use collectives::CollectiveLoop;
pub use collectives::threads_domain;
pub use meaning::{Meaning, SharedMeaning, ViewMeaning};

use access::AccessRecord;
use bank_conflicts::{SharedAccess, SharedSource};
use context::Context;
pub use launch::grid_domain;
use views::View;

/// What checking a kernel gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckedKernel {
    /// The kernel, where nothing is wrong with it.
    pub kernel: Option<Arc<Kernel>>,
    /// The signature, also where the body is wrong; `run` items need no more.
    pub params: Vec<Param>,
    /// The launch, where it could be decided; also where the body is wrong.
    pub launch: Option<Launch>,
    /// What the names in the body mean, by the tokens that declare them; also where the kernel is wrong elsewhere.
    pub meanings: Vec<(Span, Meaning)>,
    /// The loops over thread collectives, in the order of the text; also where the kernel is wrong elsewhere.
    pub collectives: Vec<CollectiveLoop>,
    /// Accesses of which a claim was refuted.
    pub refuted: Vec<RefutedAccess>,
    /// What was found.
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

/// The typed kernel of a kernel item.
#[salsa::tracked(lru = 1024)]
pub fn checked_kernel(db: &dyn Db, item: Item) -> Arc<Large<CheckedKernel>> {
    let Some(parsed) = &item.tree(db).item else { return Arc::default() };
    let ItemKind::Kernel(kernel) = &parsed.kind else { return Arc::default() };
    let mut checked = Checker::new(db, item).check(kernel);
    // What the grammar left out may have been the point of the kernel.
    if !item.tree(db).errors.is_empty() {
        checked.kernel = None;
    }
    Arc::new(Large::new(checked))
}

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
    params: Vec<Param>,
    /// Where each parameter is declared: its name, its element type.
    param_spans: Vec<(Span, Span)>,
    locals: Vec<LocalVariable>,
    /// What expressions come to, where the check stands.
    raiser: Raiser,
    /// Names, innermost last.
    bindings: Vec<(SmolStr, Span, Binding)>,
    launch: Launch,
    /// Where the threads of a block are written, or could be.
    block_size: Option<BlockSize>,
    collectives: Vec<Tiling>,
    collective_loops: Vec<CollectiveLoop>,
    shared: Vec<SharedArray>,
    /// How each shared array is indexed.
    layouts: Vec<Arc<IndexMap>>,
    /// How each shared array is declared.
    shared_sources: Vec<SharedSource>,
    shared_accesses: Vec<SharedAccess>,
    context: Context,
    accesses: Vec<AccessRecord>,
    /// Each `if` and each loop, with its condition or its range.
    condition_places: Vec<(Span, Span)>,
    meanings: Vec<(Span, Meaning)>,
    refuted: Vec<RefutedAccess>,
    obligations: Vec<Obligation>,
}

impl<'db> Checker<'db> {
    fn new(db: &'db dyn Db, item: Item) -> Self {
        Self {
            evaluator: Evaluator::new(db, item),
            params: Vec::new(),
            param_spans: Vec::new(),
            locals: Vec::new(),
            raiser: Raiser::new(undecided_launch()),
            bindings: Vec::new(),
            launch: undecided_launch(),
            block_size: None,
            collectives: Vec::new(),
            collective_loops: Vec::new(),
            shared: Vec::new(),
            layouts: Vec::new(),
            shared_sources: Vec::new(),
            shared_accesses: Vec::new(),
            context: Context::default(),
            accesses: Vec::new(),
            condition_places: Vec::new(),
            meanings: Vec::new(),
            refuted: Vec::new(),
            obligations: Vec::new(),
        }
    }

    fn check(mut self, kernel: &tree::Kernel) -> CheckedKernel {
        self.signature(kernel);
        self.block_size = launch::block_size(kernel);
        let launch = self.decide_launch(kernel).map(|()| self.launch.clone());
        self.raiser.set_launch(self.launch.clone());
        let body = self.block(&kernel.body);
        let body = body.and_then(|body| self.with_barriers(body));
        self.check_races();
        self.hint_uncoalesced();
        self.hint_bank_conflicts();
        let diagnostics = std::mem::take(&mut self.evaluator.diagnostics);
        let failed = diagnostics.iter().any(|found| found.severity() == crate::diagnostics::Severity::Error);
        let unfinished = diagnostics.iter().any(|found| found.page.code == "not-available-yet");
        let params = self.params.clone();
        let meanings = std::mem::take(&mut self.meanings);
        let refuted = std::mem::take(&mut self.refuted);
        let collectives = std::mem::take(&mut self.collective_loops);
        let complete = !failed && !unfinished;
        let kernel = body.filter(|_| complete).map(|body| {
            Arc::new(Kernel {
                name: kernel.name.text.clone(),
                symbols: self.symbols(),
                facts: self.evaluator.facts.clone(),
                params: self.params,
                launch: self.launch,
                collectives: self.collectives,
                shared: self.shared,
                locals: self.locals,
                body,
                obligations: self.obligations,
            })
        });
        CheckedKernel { kernel, params, launch, meanings, collectives, refuted, diagnostics }
    }

    /// Every symbol that the launch, the parameters or an access depends on.
    fn symbols(&self) -> Vec<Symbol> {
        let mut symbols: BTreeSet<Symbol> = BTreeSet::new();
        symbols.extend(self.launch.blocks.symbols());
        symbols.extend(self.launch.threads.symbols());
        for param in &self.params {
            if let kernel::typed::ParamKind::Tensor { shape, strides, .. } = &param.kind {
                symbols.extend(shape.iter().chain(strides).flat_map(Sym::symbols));
            }
        }
        for record in &self.accesses {
            symbols.extend(record.composed.map.symbols());
        }
        symbols.extend(self.context.seen_symbols.iter().cloned());
        symbols.into_iter().collect()
    }

    /// Remembers what a claim about an access failed by.
    fn note_refuted(&mut self, memory: Memory, map: &IndexMap, counterexample: &Counterexample, span: Span) {
        let Some(element) = self.element_of(memory) else { return };
        let (map, counterexample) = (Arc::new(map.clone()), counterexample.clone());
        let facts = self.evaluator.facts.clone();
        self.refuted.push(RefutedAccess { span, element, map, facts, counterexample });
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.evaluator.report(diagnostic)
    }

    fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().rev().find(|(bound, ..)| bound == name).map(|(_, _, binding)| binding)
    }

    fn new_local(&mut self, name: &SmolStr, element: ElementType, mutable: bool) -> Local {
        self.locals.push(LocalVariable { name: name.clone(), element, mutable, range: None });
        Local(u32::try_from(self.locals.len() - 1).unwrap_or(u32::MAX))
    }
}

fn undecided_launch() -> Launch {
    Launch { cluster: 1, blocks: Sym::one(), threads: Sym::one() }
}
