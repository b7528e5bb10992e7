//! The state while one kernel is emitted.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::arrays::Arrays;
use super::emitted::{IndexWidth, Options};
use super::helper::Helper;
use super::names::{Names, identifier};
use super::range::Range;
use super::reads::Reads;
use super::text::Text;
use super::value::Value;
use super::variables::Variables;
use super::visible::Visible;
use dims::{Facts, Sym, Symbol};
use kernel::Table;
use kernel::loops::{self, AccessId, Jumps, LoopId, Loops, Node, StepKind, Stepped, VectorLoop, lower, vector_loops};
use kernel::typed::{AccessKind, Kernel, Local, Memory, ParamId, SharedId, SharedLayout};
use maps::hardware::{MOST_BLOCK_THREADS, MOST_GRID_BLOCKS, STATIC_SHARED_BYTES};

/// The most bounds on the sizes that are compared with each other, to drop those that follow from others.
const MOST_COMPARED: usize = 16;

/// The number of the block or of the thread in a text.
pub(super) struct Id {
    pub name: String,
    pub is_used: bool,
    /// The constants of the program that are the number, if all of them have this name.
    pub constants: BTreeSet<Local>,
}

impl Id {
    /// A number that is called as the program calls it, if it does so with one name; otherwise it has its `own` name.
    fn new(loops: &Loops<'_>, node: &Node, own: &str, names: &mut Names) -> Id {
        let mut constants = BTreeSet::new();
        let mut open = vec![&loops.body];
        while let Some(list) = open.pop() {
            for step in &list.steps {
                if let StepKind::Assign { local: Some(local), value } = step.kind
                    && loops.values.node(value) == Some(node)
                    && !loops.values.kernel.is_variable(local)
                {
                    constants.insert(local);
                }
                open.extend(step.kind.lists());
            }
        }
        let called = |local: &Local| loops.values.kernel.locals.get(*local).map(|local| local.name.clone());
        let sources: BTreeSet<_> = constants.iter().filter_map(called).collect();
        match sources.first().filter(|_| sources.len() == 1) {
            Some(source) if source != own => Id { name: names.take(source), is_used: false, constants },
            Some(_) => Id { name: own.to_owned(), is_used: false, constants },
            None => Id { name: own.to_owned(), is_used: false, constants: BTreeSet::new() },
        }
    }
}

/// Emits one kernel.
pub(super) struct Emitter<'k> {
    pub kernel: &'k Kernel,
    /// The kernel as a loop nest.
    pub loops: Loops<'k>,
    /// The vectorised loops.
    pub vector_loops: BTreeMap<LoopId, VectorLoop>,
    /// The loops that count by steps.
    pub stepped: BTreeMap<LoopId, Stepped>,
    /// What leaves the loops.
    pub jumps: Jumps,
    /// The values that get names, and the unused names.
    pub common: loops::Names,
    options: Options,
    /// Called for each statement; may unwind to cancel the work.
    pub poll: &'k dyn Fn(),
    /// The names in scope.
    pub names: Names,
    /// The names of the parameters, in order.
    pub params: Table<ParamId, String>,
    /// The names of the shared arrays, in order.
    pub shared: Table<SharedId, String>,
    /// The layout of the dynamic shared memory and its name, if there is any.
    pub dynamic: Option<(String, SharedLayout)>,
    /// The shared arrays that are accessed by vectors, and need alignment.
    pub aligned: BTreeSet<SharedId>,
    symbols: BTreeMap<Symbol, String>,
    pub used_symbols: BTreeSet<Symbol>,
    /// The assignments of the variables.
    pub variables: Variables,
    /// The values that have a name in scope.
    pub visible: Visible,
    pub helpers: BTreeSet<Helper>,
    pub obligations: Vec<Sym>,
    pub limits: Vec<Sym>,
    /// The names of the lengths of tensors in guards.
    pub lengths: BTreeMap<ParamId, String>,
    /// The local arrays of the current vectorised loop.
    pub arrays: Arrays,
    pub block: Id,
    pub thread: Id,
    pub has_narrow_form: bool,
    /// Whether the kernel has an expression without a meaning, as a variable that is read where it has no value.
    pub is_meaningless: bool,
    /// Records which names are read.
    pub reads: Reads,
    /// The text of the body so far.
    pub body: String,
    /// The current indentation depth.
    pub depth: usize,
    /// The numbers of the `if`s whose conditions the headers of the loops around them have tested.
    pub tested: BTreeSet<usize>,
    /// How often the statements stand in the text once the loops around them that have to be unrolled are; 1 outside of such.
    pub unrolled: i128,
}

impl<'k> Emitter<'k> {
    pub fn new(kernel: &'k Kernel, options: Options, reads: Reads, poll: &'k dyn Fn()) -> Emitter<'k> {
        let mut names = Names::default();
        names.take(&entry(kernel));
        let params = kernel.params.iter().map(|param| names.take(&param.name)).collect();
        let shared = kernel.shared.iter().map(|array| names.take(&array.name)).collect();
        let dynamic = dynamic(kernel).map(|layout| (names.take("shared_memory"), layout));
        let symbols = kernel.symbols.iter().map(|symbol| (symbol.clone(), names.take(symbol.name()))).collect();
        let mut loops = lower(kernel, poll);
        // Guarded accesses are checked one by one, so they are never vectorised.
        let vector_loops = if options.guarded { BTreeMap::new() } else { vector_loops(&loops, poll) };
        let groups = vector_loops.values().flat_map(|vectors| &vectors.groups);
        let of_vectors: FxHashSet<AccessId> = groups.flat_map(|group| group.accesses.iter().copied()).collect();
        let is_vector = |access| of_vectors.contains(&access);
        let mut stepped = loops::stepped_loops(&mut loops, poll);
        stepped.retain(|id, _| !vector_loops.contains_key(id));
        let jumps = loops::jumps(&loops, poll);
        let common = loops::names(&loops, &is_vector, &stepped);
        let block = Id::new(&loops, &Node::Block, "block", &mut names);
        let thread = Id::new(&loops, &Node::Thread, "thread", &mut names);
        Emitter {
            kernel,
            loops,
            vector_loops,
            stepped,
            jumps,
            common,
            options,
            poll,
            names,
            params,
            shared,
            dynamic,
            aligned: BTreeSet::new(),
            symbols,
            used_symbols: BTreeSet::new(),
            variables: Variables::new(kernel),
            visible: Visible::default(),
            helpers: BTreeSet::new(),
            obligations: Vec::new(),
            limits: Vec::new(),
            lengths: BTreeMap::new(),
            arrays: Arrays::default(),
            block,
            thread,
            has_narrow_form: false,
            is_meaningless: false,
            reads,
            body: String::new(),
            depth: 1,
            unrolled: 1,
            tested: BTreeSet::new(),
        }
    }

    /// Whether every access is compared with its tensor's length.
    pub fn is_guarded(&self) -> bool {
        self.options.guarded
    }

    /// Whether threads may read elements of a tensor that other threads have written.
    pub fn is_exchanged(&self, tensor: ParamId) -> bool {
        let mut accesses = self.loops.accesses.iter();
        self.kernel.has_barriers()
            && accesses.any(|access| access.memory == Memory::Param(tensor) && access.kind == AccessKind::Load)
    }

    /// Whether another text has more 32-bit indices.
    pub fn has_narrow_form(&self) -> bool {
        self.has_narrow_form
    }

    /// The values that have to fit 32 bits at launch.
    pub fn obligations(&self) -> &[Sym] {
        &self.obligations
    }

    /// The name of a symbol's parameter.
    pub fn symbol_name(&self, symbol: &Symbol) -> String {
        let known = self.symbols.get(symbol);
        // The parameters include every symbol; a missing one would keep its own name.
        known.cloned().unwrap_or_else(|| identifier(symbol.name()))
    }

    /// The condition that an access is inside its tensor, in guarded code; other code only counts the access.
    pub fn guard(&mut self, memory: Memory, offset: &Text) -> Option<Text> {
        // Accesses of shared arrays are proven at compile time.
        let Memory::Param(tensor) = memory else { return None };
        if !self.options.guarded {
            return None;
        }
        self.helpers.insert(Helper::Faults);
        if !self.lengths.contains_key(&tensor) {
            let name = self.names.take(&format!("{}_length", self.param(tensor)));
            self.lengths.insert(tensor, name);
        }
        let length = self.lengths.get(&tensor).cloned().unwrap_or_default();
        let (length, tensor, faults) =
            (Text::primary(length), Text::literal(tensor.0.to_string()), Text::primary("faults"));
        Some(Text::call("inside", &[offset, &length, &tensor, &faults]))
    }

    /// The value of a symbol.
    pub fn symbol(&mut self, symbol: &Symbol) -> Value {
        self.used_symbols.insert(symbol.clone());
        let range = Range::size(&Sym::symbol(symbol.clone()), &self.kernel.facts);
        let wide = !self.fits_int(&range);
        let text = Text::primary(self.symbol_name(symbol));
        Value { text, range, wide }
    }

    /// The id of the block.
    pub fn block(&mut self) -> Value {
        self.block.is_used = true;
        let range = Range::below(&self.kernel.launch.blocks, i128::from(MOST_GRID_BLOCKS), &self.kernel.facts);
        let text = Text::primary(self.block.name.clone());
        Value { text, range, wide: false }
    }

    /// The id of the thread within its block.
    pub fn thread(&mut self) -> Value {
        self.thread.is_used = true;
        let range = Range::below(&self.kernel.launch.threads, i128::from(MOST_BLOCK_THREADS), &self.kernel.facts);
        let text = Text::primary(self.thread.name.clone());
        Value { text, range, wide: false }
    }

    /// Whether an `i64` fits an `int`. If that depends on the sizes and checks at launch are allowed, it becomes an
    /// obligation.
    pub fn fits_int(&mut self, range: &Range) -> bool {
        let (least, greatest) = (i128::from(i32::MIN), i128::from(i32::MAX));
        let low_is_known = range.at_least(least);
        let high_is_known = range.numbers.hi.is_some_and(|high| high <= greatest);
        if low_is_known && high_is_known {
            return true;
        }
        let bounds = [(low_is_known, &range.sizes.low), (high_is_known, &range.sizes.high)];
        let open: Option<Vec<&Sym>> =
            bounds.into_iter().filter(|(is_known, _)| !is_known).map(|(_, bound)| bound.as_ref()).collect();
        let Some(open) = open else {
            return false;
        };
        // A bound that never fits would make every launch fall back to 64 bits.
        let is_hopeless = open.iter().any(|bound| {
            let known = self.kernel.facts.range(bound);
            known.lo.is_some_and(|lo| lo > greatest) || known.hi.is_some_and(|hi| hi < least)
        });
        if is_hopeless {
            return false;
        }
        if self.options.width == IndexWidth::Proven {
            self.has_narrow_form = true;
            return false;
        }
        let facts = &self.kernel.facts;
        open.into_iter().for_each(|bound| add_bound(&mut self.obligations, bound, facts, least));
        true
    }

    /// Whether an `i64` in an index is known to fit 64 bits. The compiler has proven that for expressions of sizes,
    /// ids, iterators and constants; if it depends on the actual sizes, it becomes a limit at launch.
    pub fn fits_long(&mut self, range: &Range) -> bool {
        if !range.assumed.is_of_sizes() {
            return false;
        }
        let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
        let low = range.sizes.low.as_ref().filter(|_| !range.at_least(least));
        let high = range.sizes.high.as_ref().filter(|_| range.numbers.hi.is_none_or(|high| high > greatest));
        let facts = &self.kernel.facts;
        low.into_iter().chain(high).for_each(|bound| add_bound(&mut self.limits, bound, facts, least));
        true
    }
}

/// Adds a value that has to fit a width, and drops values that fit whenever another one does; `least` is the smallest
/// integer of that width.
fn add_bound(bounds: &mut Vec<Sym>, bound: &Sym, facts: &Facts, least: i128) {
    if bounds.contains(bound) {
        return;
    }
    // Comparing all pairs would take long for many bounds, and redundant ones do no harm.
    if bounds.len() < MOST_COMPARED {
        // A value that is not too small, and at most another one that fits, fits.
        let follows = |small: &Sym, great: &Sym| {
            let difference = great.checked_sub(small).ok();
            facts.range(small).lo.is_some_and(|lo| lo >= least)
                && difference.is_some_and(|difference| facts.range(&difference).lo >= Some(0))
        };
        if bounds.iter().any(|other| follows(bound, other)) {
            return;
        }
        bounds.retain(|other| !follows(other, bound));
    }
    bounds.push(bound.clone());
}

/// The layout of the dynamic shared memory; `None` if static arrays suffice.
fn dynamic(kernel: &Kernel) -> Option<SharedLayout> {
    let suffices = |bytes: i64| bytes <= STATIC_SHARED_BYTES;
    kernel.shared_layout().ok().filter(|layout| !layout.bytes.as_constant().is_some_and(suffices))
}

/// The name of the kernel's function. The suffix avoids names that C++ and CUDA declare.
pub(super) fn entry(kernel: &Kernel) -> String {
    format!("{}_kernel", identifier(&kernel.name))
}
