//! A kernel as a tree of regions: lists of statements, loops and branches, with the accesses that barriers order.
//! Statements without such accesses are left out.

use super::uniform::{ALL_LANES, BLOCK, Class, WARP};
use crate::collectives::{self, Members};
use crate::loops::{self, LoopId};
use crate::loops::{Access, AccessId, For, Loops, Node, Shuffle, Side, ValueId, lower};
use crate::typed::{BinaryOp, Expr, Kernel, Scope, Together};
use elements::ElementType;
use maps::hardware::WARP_LANES;
use maps::threads::Tiling;
use rustc_hash::FxHashMap;
use syntax::span::Span;

/// A list of statements that the threads of each instance of a class run together.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub class: usize,
    pub scope: Scope,
    pub steps: Vec<Step>,
}

/// A statement with accesses.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its number among all statements, outer before inner.
    pub number: usize,
    pub span: Span,
    /// The accesses of its own expressions.
    pub accesses: Vec<AccessId>,
    pub kind: StepKind,
}

#[derive(Clone, Debug)]
pub(super) enum StepKind {
    Plain,
    Loop {
        number: LoopId,
        /// The bounds, and what ends it before, which must be uniform for threads to run the body together.
        ends: Vec<ValueId>,
        /// The least trip count, and the greatest if it is known.
        iterations: (i128, Option<i128>),
        body: List,
    },
    Branch {
        condition: ValueId,
        then: List,
        otherwise: List,
    },
    /// The body of a narrower collective, with the condition of its threads.
    Collective(ValueId, List),
    /// Lanes of warps pass values to each other, for which all threads of a class have to come; `None` where it has too many
    /// kinds of threads to tell.
    Shuffle(Option<usize>, Together),
}

/// The regions of a kernel, with its values and accesses.
pub(super) struct Regions<'k> {
    pub loops: Loops<'k>,
    pub classes: Vec<Class>,
    /// The numbers of the thread and of its block.
    pub thread: ValueId,
    pub block: ValueId,
    /// What decides who runs what together.
    pub wanted: Vec<ValueId>,
    pub body: List,
    /// For each shared array, the class of the threads that pass values through it ([`SharedArray::exchanged_by`]).
    pub exchanged_by: Vec<Option<usize>>,
    /// The shuffles, by the numbers of their statements.
    pub shuffles: FxHashMap<usize, Shuffle>,
}

/// The most distinguished kinds of collectives: the bits of a set.
const MOST_CLASSES: usize = 64;

/// The regions of a kernel; `poll` is called for each statement and for each collective.
pub(super) fn regions<'k>(kernel: &'k Kernel, poll: &dyn Fn()) -> Regions<'k> {
    let mut loops = lower(kernel, poll);
    let zero = loops.values.int(0);
    let [thread, block] = [Node::Thread, Node::Block].map(|node| loops.values.made(node, ElementType::I64));
    let has_shuffles = kernel.has_shuffles();
    let threads = kernel.launch.threads.as_constant();
    let lanes = (threads == Some(WARP_LANES)).then_some(ALL_LANES);
    let whole = Class { condition: None, instance: zero, is_thread: threads == Some(1), lanes };
    let warp = has_shuffles.then(|| {
        let lanes = loops.values.int(WARP_LANES);
        let instance = loops.values.made(Node::Binary(BinaryOp::FloorDivide, thread, lanes), ElementType::I64);
        Class { condition: None, instance, is_thread: false, lanes: Some(ALL_LANES) }
    });
    let classes: Vec<Class> = [whole].into_iter().chain(warp).collect();
    let mut collector = Collector {
        thread,
        classes,
        class_of: Vec::new(),
        wanted: Vec::new(),
        has_shuffles,
        shuffles: FxHashMap::default(),
    };
    for tiling in &kernel.collectives {
        poll();
        let class = collector.class(tiling, &mut loops);
        collector.class_of.push(class);
    }
    let body = collector.list(&loops.body, BLOCK, &loops);
    let exchanged_by =
        kernel.shared.iter().map(|array| array.exchanged_by.map(|scope| collector.class_of(scope))).collect();
    let Collector { classes, wanted, shuffles, .. } = collector;
    Regions { loops, classes, thread, block, wanted, body, exchanged_by, shuffles }
}

impl Regions<'_> {
    /// The class of the threads that pass values through the array of an access, if it is one for that.
    pub fn exchanged_by(&self, access: &Access) -> Option<usize> {
        let array = access.array()?;
        self.exchanged_by.get(array.0 as usize).copied().flatten()
    }
}

struct Collector {
    thread: ValueId,
    classes: Vec<Class>,
    /// The class of each collective.
    class_of: Vec<usize>,
    /// What decides who runs what together.
    wanted: Vec<ValueId>,
    /// Whether lanes pass values to each other, for which all have to come.
    has_shuffles: bool,
    shuffles: FxHashMap<usize, Shuffle>,
}

impl Collector {
    /// The class of a collective.
    fn class(&mut self, tiling: &Tiling, loops: &mut Loops<'_>) -> usize {
        let Ok(whole) = Tiling::new(tiling.launch().cluster(), tiling.launch().block()) else { return BLOCK };
        let mut value = |expr: &Expr| loops.values.of_ids(expr);
        let condition = collectives::condition(&whole, tiling).map(|condition| value(&condition));
        let instance = value(&collectives::instance(tiling));
        let single = Class { condition: None, instance: self.thread, is_thread: true, lanes: None };
        let class = match (condition, instance) {
            // Kinds beyond the limit, or without a formula for the instance, count as single threads, without
            // barriers.
            (Some(None), _) | (_, None) => single,
            // The last place is that of single threads.
            _ if self.classes.len() + 1 >= MOST_CLASSES => single,
            (condition, Some(instance)) => {
                let lanes = match Members::of_tiling(tiling) {
                    Members::Lanes { bits, .. } => Some(bits.iter().fold(0, |all, bit| all | bit)),
                    _ => None,
                };
                Class { condition: condition.flatten(), instance, is_thread: tiling.leaf_threads() == 1, lanes }
            }
        };
        // If condition and instance do not depend on the thread, all threads of the block are in one instance.
        let lower = loops.values.form(class.instance).into_iter().collect();
        let guards = class.condition.map(|condition| (condition, true)).into_iter().collect();
        let side = Side { lower, guards, ..Side::default() };
        let is_block = !loops.values.values_of_side(&side).0.contains(&self.thread);
        if is_block {
            return BLOCK;
        }
        let known = self
            .classes
            .iter()
            .position(|known| (known.condition, known.instance) == (class.condition, class.instance));
        known.unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        })
    }

    fn list(&mut self, list: &loops::List, class: usize, loops: &Loops<'_>) -> List {
        let mut steps = Vec::new();
        for step in &list.steps {
            let is_ordered = |id: &&AccessId| {
                let memory = loops.access(**id).map(|access| access.memory);
                memory.is_some_and(|memory| loops.values.kernel.is_ordered_by_barriers(memory))
            };
            let accesses: Vec<AccessId> = step.accesses.iter().filter(is_ordered).copied().collect();
            if let loops::StepKind::Shuffle(shuffle) = &step.kind {
                self.shuffles.insert(step.number, *shuffle);
            }
            let kind = self.kind(&step.kind, class, loops);
            let lists: &[&List] = match &kind {
                StepKind::Plain | StepKind::Shuffle(..) => &[],
                StepKind::Loop { body, .. } | StepKind::Collective(_, body) => &[body],
                StepKind::Branch { then, otherwise, .. } => &[then, otherwise],
            };
            let is_together = matches!(kind, StepKind::Shuffle(..));
            if is_together || !accesses.is_empty() || lists.iter().any(|list| !list.steps.is_empty()) {
                steps.push(Step { number: step.number, span: step.span, accesses, kind });
            }
        }
        List { class, scope: list.scope, steps }
    }

    fn kind(&mut self, kind: &loops::StepKind, class: usize, loops: &Loops<'_>) -> StepKind {
        match kind {
            loops::StepKind::Assign { .. }
            | loops::StepKind::Store { .. }
            | loops::StepKind::Atomic(_)
            | loops::StepKind::Copies(_)
            | loops::StepKind::Barrier { .. } => StepKind::Plain,
            loops::StepKind::Shuffle(shuffle) => {
                let class = match shuffle.together {
                    Together::Block => BLOCK,
                    Together::Warp => WARP,
                    Together::Collective(id) => self.class_of(Scope::Threads(id)),
                };
                let is_one_thread = match shuffle.together {
                    Together::Collective(id) => {
                        let tiling = loops.values.kernel.collectives.get(id);
                        tiling.is_some_and(|tiling| tiling.leaf_threads() == 1)
                    }
                    Together::Warp | Together::Block => true,
                };
                let is_told = is_one_thread || self.classes.get(class).is_some_and(|class| !class.is_thread);
                StepKind::Shuffle(is_told.then_some(class), shuffle.together)
            }
            loops::StepKind::For(For { id, ends, iterations, ending, body, .. }) => {
                let ends: Vec<ValueId> = ends.iter().chain(ending).copied().collect();
                self.wanted.extend(&ends);
                let (body, iterations) = match ending.and_then(|_| body.steps.last()).map(|last| &last.kind) {
                    // A loop that ends early goes on while all threads do. So its body is what stands under the condition, and
                    // a barrier between two iterations stands there, too: behind the last one nobody waits.
                    Some(loops::StepKind::Branch { then, .. }) => (then, (0, iterations.1)),
                    _ => (body, *iterations),
                };
                let body = self.list(body, class, loops);
                StepKind::Loop { number: *id, ends, iterations, body }
            }
            loops::StepKind::Branch { condition, then, otherwise } => {
                self.wanted.push(*condition);
                let then = self.list(then, class, loops);
                StepKind::Branch { condition: *condition, then, otherwise: self.list(otherwise, class, loops) }
            }
            loops::StepKind::Collective { condition, body } => {
                if self.has_shuffles {
                    self.wanted.push(*condition);
                }
                StepKind::Collective(*condition, self.list(body, self.class_of(body.scope), loops))
            }
        }
    }

    /// The class of the threads of a scope.
    fn class_of(&self, scope: Scope) -> usize {
        match scope {
            Scope::Threads(id) => self.class_of.get(id.0 as usize).copied().unwrap_or(BLOCK),
            _ => BLOCK,
        }
    }
}
