//! The values that a kernel computes, each once: the same operation on the same operands is one value.
//!
//! The properties of a value follow from those of its operands: its interval, its quasi-affine form if it is an
//! integer, its meaning if it is a `bool`, and the loops on whose iteration it depends. So the cost of a chain of
//! `let`s is linear. A variable that is assigned on two paths has a new value where these join: a *merge*.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::no_terms;
use super::node::{LoopId, Node, ValueId};
use super::ranges;
use super::truths::{self, Truth};
use crate::assumed::Assumed;
use crate::intervals::of_type;
use crate::quasi_affine::Terms;
use crate::stack::with_enough;
use crate::table::Table;
use crate::typed::{BinaryOp, Constant, Expr, ExprKind, Kernel};
use dims::{Facts, Interval};
use elements::ElementType;
use maps::{Affine, Term, TermId};

/// A value and its properties.
#[derive(Clone, Debug)]
pub struct Value {
    /// How it is computed.
    pub node: Node,
    /// Its type.
    pub element: ElementType,
    /// The interval of an integer.
    pub range: Interval,
    /// What decides whether arithmetic on it is taken not to wrap. The launch checks that 64 bits are enough for its sizes.
    pub(crate) assumed: Assumed,
    /// Whether it is computed from ids, sizes, scalars and iterators alone: it can be computed anywhere in the loops
    /// that it depends on.
    pub is_lasting: bool,
    /// The integer as a form over the terms of [`Values`].
    pub(crate) form: Option<Affine>,
    /// The meaning of a `bool`.
    pub(crate) truth: Truth,
    /// The loops on whose iteration it depends, ascending.
    pub loops: Rc<[LoopId]>,
}

/// All values of a kernel.
#[derive(Clone)]
pub struct Values<'k> {
    /// The kernel that computes them.
    pub kernel: &'k Kernel,
    pub(crate) terms: Terms<ValueId>,
    all: Table<ValueId, Value>,
    /// The bounds of each loop: the first value, and one past the last.
    pub(crate) loop_bounds: Table<LoopId, [ValueId; 2]>,
    known: FxHashMap<(Node, ElementType), ValueId>,
    /// The first value with each form of which the same is assumed.
    by_form: FxHashMap<(Affine, Rc<[LoopId]>, Assumed), ValueId>,
}

impl<'k> Values<'k> {
    /// No values yet.
    pub fn new(kernel: &'k Kernel) -> Values<'k> {
        Values {
            kernel,
            terms: no_terms(),
            all: Table::default(),
            loop_bounds: Table::default(),
            known: FxHashMap::default(),
            by_form: FxHashMap::default(),
        }
    }

    /// What is known of the sizes.
    pub fn facts(&self) -> &'k Facts {
        &self.kernel.facts
    }

    /// A value with its properties.
    pub fn get(&self, id: ValueId) -> Option<&Value> {
        self.all.get(id)
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none yet.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All values; the operands of a value, other than through merges and loads, precede it.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ValueId> + use<> {
        self.all.ids()
    }

    /// The integer as a form; `None` of other values.
    pub(crate) fn form(&self, id: ValueId) -> Option<Affine> {
        self.get(id)?.form.clone()
    }

    /// The integer as a sum of coefficient · term, which is exact wherever the value is computed; `None` for other
    /// values. An integer that is not a sum, or may overflow its type, is a term of its own.
    pub fn affine(&self, id: ValueId) -> Option<&Affine> {
        self.get(id)?.form.as_ref()
    }

    /// The values in the affine form of an integer: the integer itself, if it is a term.
    pub fn parts(&self, id: ValueId) -> impl Iterator<Item = ValueId> {
        self.affine(id).into_iter().flat_map(|form| self.terms.values_of(form))
    }

    /// A term of affine forms. [`Term::Coordinate`] is a value, by its number.
    pub fn term(&self, id: TermId) -> Option<&Term> {
        self.terms.term(id)
    }

    /// The type of a value.
    pub fn element(&self, id: ValueId) -> ElementType {
        self.get(id).map_or(ElementType::I64, |value| value.element)
    }

    /// How a value is computed.
    pub fn node(&self, id: ValueId) -> Option<&Node> {
        self.get(id).map(|value| &value.node)
    }

    /// The interval of an integer.
    pub fn range(&self, id: ValueId) -> Interval {
        self.get(id).map_or(Interval::EVERYTHING, |value| value.range)
    }

    /// Whether computing a value reads memory.
    pub fn reads_memory(&self, id: ValueId) -> bool {
        let (mut open, mut seen) = (vec![id], FxHashSet::default());
        while let Some(id) = open.pop() {
            match self.node(id).filter(|_| seen.insert(id)) {
                Some(Node::Load(_)) => return true,
                Some(node) => open.extend(node.operands()),
                None => {}
            }
        }
        false
    }

    /// A value that depends on the loops of its operands only.
    pub fn made(&mut self, node: Node, element: ElementType) -> ValueId {
        let node = self.folded(&node, element).unwrap_or(node);
        let mut loops: Vec<LoopId> = Vec::new();
        for operand in node.operands() {
            loops.extend(self.get(operand).into_iter().flat_map(|value| value.loops.iter().copied()));
        }
        self.within(node, element, loops)
    }

    /// Folds a sum, a difference or a product of two constants, which wraps in types that are no indices, and a small integer as a float.
    fn folded(&self, node: &Node, element: ElementType) -> Option<Node> {
        let constant = |id: &ValueId| match self.node(*id) {
            Some(Node::Constant(constant)) => constant.as_integer(),
            _ => None,
        };
        let (op, left, right) = match node {
            Node::Binary(op, left, right) => (op, left, right),
            Node::Cast(operand) => {
                let (format, value) = (element.float_format()?, constant(operand)?);
                // All integers of so many digits are numbers of the type.
                let is_exact = value.unsigned_abs() < 1 << format.significant_bits;
                return is_exact.then_some(Node::Constant(Constant::Float(value as f64)));
            }
            _ => return None,
        };
        let (least, greatest) = element.integer_range()?;
        let (left, right) = (constant(left)?, constant(right)?);
        let exact = match op {
            BinaryOp::Add => left + right,
            BinaryOp::Subtract => left - right,
            BinaryOp::Multiply => left.checked_mul(right)?,
            _ => return None,
        };
        let wrapped = least + (exact - least).rem_euclid(greatest - least + 1);
        // Of a number that the program writes, multiples are taken not to wrap; of one that has wrapped they are not.
        if element == ElementType::I64 && wrapped != exact {
            return None;
        }
        Constant::integer(wrapped).map(Node::Constant)
    }

    /// A value that depends on the iteration of these loops.
    pub fn within(&mut self, node: Node, element: ElementType, mut loops: Vec<LoopId>) -> ValueId {
        if let Some(known) = self.known.get(&(node.clone(), element)) {
            return *known;
        }
        loops.sort_unstable();
        loops.dedup();
        let (range, assumed) = ranges::of_node(&node, element, self);
        self.add(node, element, range, assumed, loops.into())
    }

    /// The value of a variable where paths join, with the interval of all that the variable is given, if it is known.
    pub fn merged(
        &mut self,
        number: u32,
        element: ElementType,
        known: Option<Interval>,
        loops: Vec<LoopId>,
    ) -> ValueId {
        let (mut loops, all) = (loops, of_type(element));
        loops.sort_unstable();
        loops.dedup();
        let range = known.map_or(all, |known| known.intersect(all));
        self.add(Node::Merge(number), element, range, Assumed::data(element), loops.into())
    }

    /// The iterator of a new loop between two values.
    pub fn iterator(&mut self, ends: [ValueId; 2]) -> (LoopId, ValueId) {
        let number = self.loop_bounds.push(ends);
        let (range, assumed) = ranges::of_iterator(ends, self);
        (number, self.add(Node::Iterator(number), ElementType::I64, range, assumed, [number].into()))
    }

    fn add(
        &mut self,
        node: Node,
        element: ElementType,
        range: Interval,
        assumed: Assumed,
        loops: Rc<[LoopId]>,
    ) -> ValueId {
        let is_lasting = self.is_lasting(&node);
        let (form, truth) = (None, Truth::Unknown);
        let id = self.all.push(Value { node: node.clone(), element, range, assumed, is_lasting, form, truth, loops });
        self.known.insert((node.clone(), element), id);
        let form = element.is_integer().then(|| super::forms::of_node(id, &node, element, self));
        if let Some(same) = form.as_ref().and_then(|form| self.with_form(id, form)) {
            self.all.pop();
            self.known.insert((node, element), same);
            return same;
        }
        let truth = truths::truth_of(&node, self);
        (self.all[id].form, self.all[id].truth) = (form, truth);
        id
    }

    /// Whether an operation can be computed anywhere in the loops that it depends on.
    fn is_lasting(&self, node: &Node) -> bool {
        let of = |operand: &ValueId| self.get(*operand).is_some_and(|value| value.is_lasting);
        !matches!(node, Node::Merge(_) | Node::Load(_) | Node::Shuffled(_)) && node.operands().iter().all(of)
    }

    /// The earlier value with the same form, so that `256 * b + t` and `t + b * 256` are one value. Without one, this
    /// value is recorded for later ones. Values of other loops are no such values, since iterators can cancel:
    /// `i + t - i` cannot be computed where `t` can. Nor are values of which something else is assumed: `i64(u64(t))` and
    /// `N - N + t` have the form of `t`, but the launch does not test all multiples of these that it tests of `t`.
    fn with_form(&mut self, id: ValueId, form: &Affine) -> Option<ValueId> {
        let value = self.get(id).filter(|value| value.element == ElementType::I64 && value.is_lasting)?;
        if value.node.operands().is_empty() || form.as_constant().is_some() {
            return None;
        }
        let key = (form.clone(), value.loops.clone(), value.assumed);
        let first = *self.by_form.entry(key).or_insert(id);
        (first != id).then_some(first)
    }

    /// The value of an expression of ids, sizes and constants alone.
    pub(crate) fn of_ids(&mut self, expr: &Expr) -> Option<ValueId> {
        let node = match &expr.kind {
            ExprKind::Constant(constant @ Constant::Int(_)) => Node::Constant(*constant),
            ExprKind::Size(size) => Node::Size(size.clone()),
            ExprKind::Binary(op, left, right) => Node::Binary(*op, self.of_ids(left)?, self.of_ids(right)?),
            ExprKind::BlockId => Node::Block,
            ExprKind::ThreadId => Node::Thread,
            _ => return None,
        };
        Some(self.made(node, expr.element))
    }

    /// The value with one of its operands, at any depth, replaced. Loads stay as they are.
    pub fn substitute(&mut self, id: ValueId, from: ValueId, to: ValueId) -> ValueId {
        self.substituted(id, from, to, &mut FxHashMap::default())
    }

    fn substituted(
        &mut self,
        id: ValueId,
        from: ValueId,
        to: ValueId,
        known: &mut FxHashMap<ValueId, ValueId>,
    ) -> ValueId {
        if id == from {
            return to;
        }
        // Operands precede a value.
        if id < from {
            return id;
        }
        if let Some(known) = known.get(&id) {
            return *known;
        }
        let Some(Value { node, element, .. }) = self.get(id).cloned() else { return id };
        let mut of = |id: &ValueId| with_enough(|| self.substituted(*id, from, to, known));
        let node = match node {
            Node::Unary(op, operand) => Node::Unary(op, of(&operand)),
            Node::Binary(op, left, right) => Node::Binary(op, of(&left), of(&right)),
            Node::Select(condition, then, otherwise) => Node::Select(of(&condition), of(&then), of(&otherwise)),
            Node::Cast(operand) => Node::Cast(of(&operand)),
            Node::Bits(operand) => Node::Bits(of(&operand)),
            Node::Math(function, arguments) => Node::Math(function, arguments.iter().map(of).collect()),
            leaf => leaf,
        };
        let found = self.made(node, element);
        known.insert(id, found);
        found
    }

    /// A number.
    pub fn int(&mut self, value: i64) -> ValueId {
        self.made(Node::Constant(Constant::Int(value)), ElementType::I64)
    }
}
