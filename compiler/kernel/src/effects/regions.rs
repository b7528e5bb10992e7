//! A kernel as a tree of regions: lists of statements, loops and branches, with their accesses of shared arrays.
//! Statements without such accesses are left out.

use super::uniform::{BLOCK, Class};
use crate::collectives;
use crate::loops::{self, LoopId};
use crate::loops::{AccessId, For, Loops, Node, Side, ValueId, lower};
use crate::typed::{Expr, Kernel, Memory, Scope};
use elements::ElementType;
use maps::threads::Tiling;
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
    /// The body of a narrower collective.
    Collective(List),
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
}

/// The most distinguished kinds of collectives: the bits of a set.
const MOST_CLASSES: usize = 64;

/// The regions of a kernel; `poll` is called for each statement.
pub(super) fn regions<'k>(kernel: &'k Kernel, poll: &dyn Fn()) -> Regions<'k> {
    let mut loops = lower(kernel, poll);
    let zero = loops.values.int(0);
    let [thread, block] = [Node::Thread, Node::Block].map(|node| loops.values.made(node, ElementType::I64));
    let whole = Class { condition: None, instance: zero, is_thread: kernel.launch.threads.as_constant() == Some(1) };
    let mut collector = Collector { thread, classes: vec![whole], class_of: Vec::new(), wanted: Vec::new() };
    for tiling in &kernel.collectives {
        let class = collector.class(tiling, &mut loops);
        collector.class_of.push(class);
    }
    let body = collector.list(&loops.body, BLOCK, &loops);
    let Collector { classes, wanted, .. } = collector;
    Regions { loops, classes, thread, block, wanted, body }
}

struct Collector {
    thread: ValueId,
    classes: Vec<Class>,
    /// The class of each collective.
    class_of: Vec<usize>,
    /// What decides who runs what together.
    wanted: Vec<ValueId>,
}

impl Collector {
    /// The class of a collective.
    fn class(&mut self, tiling: &Tiling, loops: &mut Loops<'_>) -> usize {
        let Ok(whole) = Tiling::new(tiling.launch().cluster(), tiling.launch().block()) else { return BLOCK };
        let mut value = |expr: &Expr| loops.values.of_ids(expr);
        let condition = collectives::condition(&whole, tiling).map(|condition| value(&condition));
        let instance = value(&collectives::instance(tiling));
        let single = Class { condition: None, instance: self.thread, is_thread: true };
        let class = match (condition, instance) {
            // Kinds beyond the limit, or without a formula for the instance, count as single threads, without
            // barriers.
            (Some(None), _) | (_, None) => single,
            // The last place is that of single threads.
            _ if self.classes.len() + 1 >= MOST_CLASSES => single,
            (condition, Some(instance)) => {
                Class { condition: condition.flatten(), instance, is_thread: tiling.leaf_threads() == 1 }
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
            let is_shared = |id: &&AccessId| {
                let memory = loops.access(**id).map(|access| access.memory);
                memory.is_some_and(|memory| {
                    matches!(memory, Memory::Shared(_)) && !loops.values.kernel.is_held_by_thread(memory)
                })
            };
            let accesses: Vec<AccessId> = step.accesses.iter().filter(is_shared).copied().collect();
            let kind = self.kind(&step.kind, class, loops);
            let lists: &[&List] = match &kind {
                StepKind::Plain => &[],
                StepKind::Loop { body, .. } | StepKind::Collective(body) => &[body],
                StepKind::Branch { then, otherwise, .. } => &[then, otherwise],
            };
            if !accesses.is_empty() || lists.iter().any(|list| !list.steps.is_empty()) {
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
            | loops::StepKind::Shuffle(_)
            | loops::StepKind::Barrier { .. } => StepKind::Plain,
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
            loops::StepKind::Collective { body, .. } => {
                let inner = match body.scope {
                    Scope::Threads(id) => self.class_of.get(id.0 as usize).copied().unwrap_or(BLOCK),
                    _ => BLOCK,
                };
                StepKind::Collective(self.list(body, inner, loops))
            }
        }
    }
}
