//! A kernel as a tree of regions: lists of statements, loops and branches, with the accesses of shared arrays in them.
//!
//! The tree is made in one pass over the text. Statements without an access in them are left out.

use std::rc::Rc;
use std::sync::Arc;

use super::forms::Side;
use super::uniform::{BLOCK, Class, Load, Merge};
use super::values::{LoopId, Node, ValueId, Values};
use crate::collectives;
use crate::typed::{
    Access, BinaryOp, Constant, Expr, ExprKind, Kernel, Memory, ParamKind, Scope, SharedId, Statement, StatementKind,
    UnaryOp,
};
use dims::Interval;
use elements::ElementType;
use maps::threads::Tiling;
use maps::{Affine, IndexMap};
use syntax::span::Span;

/// An access of a shared array.
#[derive(Clone, Debug)]
pub(super) struct Effect {
    pub array: SharedId,
    pub store: bool,
    pub span: Span,
    /// From the coordinates to the position in the array.
    pub map: Arc<IndexMap>,
    pub coordinates: Vec<ValueId>,
    /// The conditions under which it happens, the outermost first.
    pub guards: Rc<[(ValueId, bool)]>,
    /// The loops around it, the outermost first.
    pub loops: Rc<[LoopId]>,
    /// The first access that is the same in all but its place in the text.
    pub like: usize,
}

/// A list of statements that the threads of each instance of a class run together.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub class: usize,
    pub scope: Scope,
    pub steps: Vec<Step>,
}

/// A statement with accesses in it.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its number among all statements, outer before inner.
    pub number: usize,
    pub span: Span,
    /// The accesses of its own expressions.
    pub accesses: Vec<usize>,
    pub kind: StepKind,
}

#[derive(Clone, Debug)]
pub(super) enum StepKind {
    Plain,
    Loop {
        number: LoopId,
        /// What its threads have to see same to run the body together.
        ends: [ValueId; 2],
        /// The least number of iterations, and the greatest where it is known.
        iterations: (i128, Option<i128>),
        body: List,
    },
    Branch {
        condition: ValueId,
        then: List,
        otherwise: List,
    },
    /// What lets the threads of a collective in.
    Collective(List),
}

/// What the pass over the text has found.
pub(super) struct Regions<'k> {
    pub values: Values<'k>,
    pub classes: Vec<Class>,
    pub merges: Vec<Merge>,
    pub loads: Vec<Load>,
    pub effects: Vec<Effect>,
    /// The numbers of the thread and of its block.
    pub thread: ValueId,
    pub block: ValueId,
    /// What decides who runs what together.
    pub wanted: Vec<ValueId>,
    pub body: List,
}

/// The most conditions around an access that are kept: the innermost ones.
pub(super) const MOST_GUARDS: usize = super::forms::MOST_CONDITIONS + 1;

/// No more kinds of collectives are told apart than a set has bits.
const MOST_CLASSES: usize = 64;

/// The regions of a kernel; `poll` is called for each statement.
pub(super) fn regions<'k>(kernel: &'k Kernel, poll: &dyn Fn()) -> Regions<'k> {
    let mut values = Values::new(kernel);
    let zero = values.int(0);
    let [thread, block] = [Node::Thread, Node::Block].map(|node| values.made(node, ElementType::I64));
    let whole = Class { condition: None, instance: zero, is_thread: kernel.launch.threads.as_constant() == Some(1) };
    let mut collector = Collector {
        kernel,
        thread,
        locals: vec![zero; kernel.locals.len()],
        values,
        classes: vec![whole],
        class_of: Vec::new(),
        merges: Vec::new(),
        loads: Vec::new(),
        effects: Vec::new(),
        same: rustc_hash::FxHashMap::default(),
        guards: Vec::new(),
        loops: Vec::new(),
        wanted: Vec::new(),
        next: 0,
        poll,
    };
    for tiling in &kernel.collectives {
        let class = collector.class(tiling);
        collector.class_of.push(class);
    }
    let body = collector.list(&kernel.body, BLOCK, Scope::Block);
    let Collector { values, classes, merges, loads, effects, wanted, .. } = collector;
    Regions { values, classes, merges, loads, effects, thread, block, wanted, body }
}

/// What is the same of accesses that meet the same others.
type Likeness = (SharedId, bool, Arc<IndexMap>, Vec<ValueId>, Rc<[(ValueId, bool)]>, Rc<[LoopId]>);

struct Collector<'k, 'c> {
    kernel: &'k Kernel,
    thread: ValueId,
    values: Values<'k>,
    /// What each variable holds here.
    locals: Vec<ValueId>,
    classes: Vec<Class>,
    /// The class of each collective.
    class_of: Vec<usize>,
    merges: Vec<Merge>,
    loads: Vec<Load>,
    effects: Vec<Effect>,
    same: rustc_hash::FxHashMap<Likeness, usize>,
    guards: Vec<(ValueId, bool)>,
    loops: Vec<LoopId>,
    /// What decides who runs what together.
    wanted: Vec<ValueId>,
    /// The number of the next statement.
    next: usize,
    poll: &'c dyn Fn(),
}

impl<'k> Collector<'k, '_> {
    /// The class of a collective. Kinds beyond those that are told apart count as threads that never wait for each other.
    fn class(&mut self, tiling: &Tiling) -> usize {
        let Ok(whole) = Tiling::new(tiling.launch().cluster(), tiling.launch().block()) else { return BLOCK };
        let condition = collectives::condition(&whole, tiling).map(|condition| self.value(&condition, &mut Vec::new()));
        let instance = self.value(&collectives::instance(tiling), &mut Vec::new());
        // What depends on the block alone, all of its threads are in together.
        let lower = self.values.get(instance).and_then(|value| value.form.clone()).into_iter().collect();
        let guards = condition.map(|condition| (condition, true)).into_iter().collect();
        let side = Side { lower, guards, ..Side::default() };
        let is_block = !self.values.values_of_side(&side).0.contains(&self.thread);
        let is_last = self.classes.len() + 1 == MOST_CLASSES;
        let class = match is_last {
            true => Class { condition: None, instance: self.thread, is_thread: true },
            false => Class { condition, instance, is_thread: tiling.leaf_threads() == 1 },
        };
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

    fn list(&mut self, statements: &'k [Statement], class: usize, scope: Scope) -> List {
        let mut steps = Vec::new();
        for statement in statements {
            (self.poll)();
            let number = self.next;
            self.next += 1;
            let mut accesses = Vec::new();
            let kind = self.step(statement, (class, scope), &mut accesses);
            let lists: &[&List] = match &kind {
                StepKind::Plain => &[],
                StepKind::Loop { body, .. } | StepKind::Collective(body) => &[body],
                StepKind::Branch { then, otherwise, .. } => &[then, otherwise],
            };
            if !accesses.is_empty() || lists.iter().any(|list| !list.steps.is_empty()) {
                steps.push(Step { number, span: statement.span, accesses, kind });
            }
        }
        List { class, scope, steps }
    }

    fn step(
        &mut self,
        statement: &'k Statement,
        (class, scope): (usize, Scope),
        accesses: &mut Vec<usize>,
    ) -> StepKind {
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                let value = self.value(value, accesses);
                self.set(local.0, value);
                StepKind::Plain
            }
            StatementKind::Store { access, value } => {
                self.value(value, accesses);
                let coordinates = self.coordinates(access, accesses);
                self.effect(access, coordinates, true, accesses);
                StepKind::Plain
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.value(condition, accesses);
                match narrowed(then, scope) {
                    Some(inner) => self.collective(condition, then, inner),
                    None => self.branch(condition, (then, otherwise), (class, scope)),
                }
            }
            StatementKind::For { local, low, high, body } => {
                let ends = [self.value(low, accesses), self.value(high, accesses)];
                self.count(local.0, ends, body, (class, scope))
            }
            StatementKind::Barrier(_) => StepKind::Plain,
        }
    }

    fn set(&mut self, local: u32, value: ValueId) {
        if let Some(slot) = self.locals.get_mut(local as usize) {
            *slot = value;
        }
    }

    fn collective(&mut self, condition: ValueId, then: &'k [Statement], scope: Scope) -> StepKind {
        let class = match scope {
            Scope::Threads(id) => self.class_of.get(id.0 as usize).copied().unwrap_or(BLOCK),
            _ => BLOCK,
        };
        let before = self.locals.clone();
        self.guards.push((condition, true));
        let inner = self.list(then, class, scope);
        self.guards.pop();
        self.meet(before, condition);
        StepKind::Collective(inner)
    }

    fn branch(
        &mut self,
        condition: ValueId,
        (then, otherwise): (&'k [Statement], &'k [Statement]),
        (class, scope): (usize, Scope),
    ) -> StepKind {
        let before = self.locals.clone();
        self.wanted.push(condition);
        self.guards.push((condition, true));
        let then = self.list(then, class, scope);
        self.guards.pop();
        let after = std::mem::replace(&mut self.locals, before);
        self.guards.push((condition, false));
        let otherwise = self.list(otherwise, class, scope);
        self.guards.pop();
        self.meet(after, condition);
        StepKind::Branch { condition, then, otherwise }
    }

    /// Where two paths meet that a condition chose between: these variables, and those of the other path.
    fn meet(&mut self, other: Vec<ValueId>, condition: ValueId) {
        for (place, theirs) in other.into_iter().enumerate() {
            let Some(&mine) = self.locals.get(place) else { continue };
            if mine != theirs {
                let merged = self.merge(place, vec![theirs, mine], vec![condition]);
                self.set(place as u32, merged);
            }
        }
    }

    fn merge(&mut self, local: usize, values: Vec<ValueId>, conditions: Vec<ValueId>) -> ValueId {
        let element = self.kernel.locals.get(local).map_or(ElementType::I64, |local| local.element);
        let number = self.merges.len() as u32;
        self.merges.push(Merge { values, conditions });
        self.values.within(Node::Merge(number), element, self.loops.clone())
    }

    fn count(
        &mut self,
        local: u32,
        ends: [ValueId; 2],
        body: &'k [Statement],
        (class, scope): (usize, Scope),
    ) -> StepKind {
        let [low, high] = ends;
        let iterations = self.iterations(ends);
        let (number, iterator) = self.values.iterator(low, high);
        let assigned = assigned(body);
        self.loops.push(number);
        // In an iteration a variable holds what it held before the loop, or what the iteration before has left.
        let mut heads = Vec::with_capacity(assigned.len());
        for local in assigned {
            let place = local as usize;
            let Some(&before) = self.locals.get(place) else { continue };
            let head = self.merge(place, vec![before], vec![low]);
            self.set(local, head);
            heads.push((place, head, self.merges.len() - 1));
        }
        self.set(local, iterator);
        self.wanted.extend(ends);
        let body = self.list(body, class, scope);
        self.loops.pop();
        for (place, head, merge) in heads {
            let Some(&after) = self.locals.get(place) else { continue };
            if let Some(merge) = self.merges.get_mut(merge) {
                merge.values.push(after);
            }
            let left = self.merge(place, vec![head], ends.to_vec());
            self.set(place as u32, left);
        }
        StepKind::Loop { number, ends, iterations, body }
    }

    /// How many iterations a loop has at least, and at most where that is known.
    fn iterations(&self, [low, high]: [ValueId; 2]) -> (i128, Option<i128>) {
        let form = |id: ValueId| self.values.get(id).and_then(|value| value.form.clone());
        let count = form(high).zip(form(low)).and_then(|(high, low)| high.checked_sub(&low).ok());
        let Interval { lo, hi } = match count.as_ref().and_then(Affine::as_constant) {
            Some(count) => self.values.facts().range(count),
            None => self.values.range(high).plus(self.values.range(low).multiply(Interval::point(-1))),
        };
        (lo.unwrap_or(0).max(0), hi)
    }

    /// The value of an expression; the accesses in it are added.
    fn value(&mut self, expr: &Expr, accesses: &mut Vec<usize>) -> ValueId {
        let element = expr.element;
        let node = match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Node::Constant(*value as u64),
            ExprKind::Constant(Constant::Unsigned(value)) => Node::Constant(*value),
            ExprKind::Constant(Constant::Bool(value)) => Node::Constant((*value).into()),
            ExprKind::Constant(Constant::Float(value)) => Node::Constant(value.to_bits()),
            ExprKind::Size(size) => Node::Size(size.clone()),
            ExprKind::Scalar(param) => Node::Scalar(*param),
            ExprKind::Local(local) => {
                return self.locals.get(local.0 as usize).copied().unwrap_or_else(|| self.values.int(0));
            }
            ExprKind::BlockId => Node::Block,
            ExprKind::ThreadId => Node::Thread,
            ExprKind::Load(access) => return self.load(access, element, accesses),
            ExprKind::Unary(op, inner) => Node::Unary(*op, self.value(inner, accesses)),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let left = self.value(left, accesses);
                let right = self.value_where(left, *op == BinaryOp::And, right, accesses);
                Node::Binary(*op, left, right)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.value(left, accesses);
                Node::Binary(*op, left, self.value(right, accesses))
            }
            ExprKind::Select(condition, then, otherwise) => {
                let condition = self.value(condition, accesses);
                let then = self.value_where(condition, true, then, accesses);
                let otherwise = self.value_where(condition, false, otherwise, accesses);
                Node::Select(condition, then, otherwise)
            }
            ExprKind::Cast(inner) => Node::Cast(self.value(inner, accesses)),
            ExprKind::Math(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.value(argument, accesses)).collect();
                Node::Math(*function, arguments)
            }
        };
        if let Node::Unary(UnaryOp::Not, inner) = node
            && let Some(Node::Unary(UnaryOp::Not, inner)) = self.values.node(inner)
        {
            return *inner;
        }
        self.values.made(node, element)
    }

    /// A part of an expression that is evaluated only where a condition holds, or where it does not.
    fn value_where(&mut self, condition: ValueId, holds: bool, part: &Expr, accesses: &mut Vec<usize>) -> ValueId {
        self.guards.push((condition, holds));
        let value = self.value(part, accesses);
        self.guards.pop();
        value
    }

    fn coordinates(&mut self, access: &Access, accesses: &mut Vec<usize>) -> Vec<ValueId> {
        access.coordinates.iter().map(|coordinate| self.value(coordinate, accesses)).collect()
    }

    fn load(&mut self, access: &Access, element: ElementType, accesses: &mut Vec<usize>) -> ValueId {
        let coordinates = self.coordinates(access, accesses);
        if let Memory::Param(param) = access.memory
            && let Some(ParamKind::Tensor { mutable: false, .. }) =
                self.kernel.params.get(param.0 as usize).map(|param| &param.kind)
        {
            return self.values.made(Node::Element { tensor: param, map: access.map.clone(), coordinates }, element);
        }
        let is_shared = matches!(access.memory, Memory::Shared(_));
        if is_shared {
            self.effect(access, coordinates.clone(), false, accesses);
        }
        let number = self.loads.len() as u32;
        self.loads.push(Load { coordinates, is_shared });
        self.values.within(Node::Load(number), element, self.loops.clone())
    }

    fn effect(&mut self, access: &Access, coordinates: Vec<ValueId>, store: bool, accesses: &mut Vec<usize>) {
        let Memory::Shared(array) = access.memory else { return };
        let number = self.effects.len();
        let (map, guards, loops) = (
            access.map.clone(),
            self.guards[self.guards.len().saturating_sub(MOST_GUARDS)..].into(),
            self.loops.clone().into(),
        );
        let likeness = (array, store, map, coordinates, guards, loops);
        let like = *self.same.entry(likeness.clone()).or_insert(number);
        let (array, store, map, coordinates, guards, loops) = likeness;
        self.effects.push(Effect { array, store, span: access.span, map, coordinates, guards, loops, like });
        accesses.push(number);
    }
}

/// The scope of the collective that a branch lets in, where it is one that narrows and not an `if` of the program.
fn narrowed(then: &[Statement], scope: Scope) -> Option<Scope> {
    let inner = then.first()?.scope;
    (matches!(inner, Scope::Threads(_)) && inner != scope).then_some(inner)
}

/// The variables that statements assign, ascending.
fn assigned(body: &[Statement]) -> Vec<u32> {
    let mut found = Vec::new();
    Statement::walk(body, &mut |statement| {
        if let StatementKind::Assign { local, .. } | StatementKind::For { local, .. } = &statement.kind {
            found.push(local.0);
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}
