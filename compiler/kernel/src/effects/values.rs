//! The values that a kernel computes, each once: the same operation on the same operands is one value.
//!
//! Every value knows, from the values that it is made of: the interval that it lies in, its quasi-affine form where it is an
//! integer, what it says where it is a truth, and the loops on whose iteration it depends. So a chain of `let`s costs as much
//! as it is long. A variable that is assigned on two paths has a new value where these meet: a *merge*.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::forms::{Forms, Truth};
use super::ranges;
use crate::typed::{BinaryOp, Kernel, MathFunction, ParamId, UnaryOp};
use dims::{Facts, Interval, Sym};
use elements::ElementType;
use maps::{Affine, IndexMap};

/// A value, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ValueId(pub u32);

/// A loop of the kernel, by its number in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LoopId(pub u32);

/// How a value is computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// A constant, by its bits.
    Constant(u64),
    Size(Sym),
    Scalar(ParamId),
    Block,
    Thread,
    /// The iterator of a loop, in its present iteration.
    Iterator(LoopId),
    /// What a variable holds where several paths meet, by the number of the merge.
    Merge(u32),
    /// What memory held that the kernel may write, by the number of the load.
    Load(u32),
    /// An element of a tensor that the kernel does not write.
    Element {
        tensor: ParamId,
        map: Arc<IndexMap>,
        coordinates: Vec<ValueId>,
    },
    Unary(UnaryOp, ValueId),
    Binary(BinaryOp, ValueId, ValueId),
    Select(ValueId, ValueId, ValueId),
    Cast(ValueId),
    Math(MathFunction, Vec<ValueId>),
}

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub node: Node,
    pub element: ElementType,
    /// Where an integer lies.
    pub range: Interval,
    /// Whether it is made of ids, sizes, constants and iterators between such alone: the launch sees to it that these stay
    /// in 64 bits.
    pub is_count: bool,
    /// The integer as a form over terms of [`Forms`].
    pub form: Option<Affine>,
    /// What a truth says.
    pub truth: Truth,
    /// The loops on whose iteration it depends, ascending.
    pub loops: Rc<[LoopId]>,
}

/// All values of a kernel.
pub(super) struct Values<'k> {
    pub kernel: &'k Kernel,
    pub forms: Forms,
    all: Vec<Value>,
    /// Where each loop begins, and before what it ends.
    pub loop_ends: Vec<[ValueId; 2]>,
    known: FxHashMap<(Node, ElementType), ValueId>,
}

impl<'k> Values<'k> {
    pub fn new(kernel: &'k Kernel) -> Values<'k> {
        Values { kernel, forms: Forms::default(), all: Vec::new(), loop_ends: Vec::new(), known: FxHashMap::default() }
    }

    pub fn facts(&self) -> &'k Facts {
        &self.kernel.facts
    }

    pub fn get(&self, id: ValueId) -> Option<&Value> {
        self.all.get(id.0 as usize)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All values; what a value is made of, other than by merges and loads, comes before it.
    pub fn ids(&self) -> impl Iterator<Item = ValueId> + use<> {
        (0..self.all.len() as u32).map(ValueId)
    }

    pub fn node(&self, id: ValueId) -> Option<&Node> {
        self.get(id).map(|value| &value.node)
    }

    pub fn range(&self, id: ValueId) -> Interval {
        self.get(id).map_or(Interval::EVERYTHING, |value| value.range)
    }

    /// A value that depends on the loops of its operands only.
    pub fn made(&mut self, node: Node, element: ElementType) -> ValueId {
        let mut loops: Vec<LoopId> = Vec::new();
        for operand in node.operands() {
            loops.extend(self.get(operand).into_iter().flat_map(|value| value.loops.iter().copied()));
        }
        self.within(node, element, loops)
    }

    /// A value that depends on the iteration of these loops.
    pub fn within(&mut self, node: Node, element: ElementType, mut loops: Vec<LoopId>) -> ValueId {
        if let Some(known) = self.known.get(&(node.clone(), element)) {
            return *known;
        }
        loops.sort_unstable();
        loops.dedup();
        let (range, is_count) = ranges::of_node(&node, element, self);
        self.add(node, element, range, is_count, loops.into())
    }

    /// The iterator of a loop between two values that has just been met.
    pub fn iterator(&mut self, low: ValueId, high: ValueId) -> (LoopId, ValueId) {
        let number = LoopId(self.loop_ends.len() as u32);
        self.loop_ends.push([low, high]);
        let (range, is_count) = ranges::of_iterator(low, high, self);
        (number, self.add(Node::Iterator(number), ElementType::I64, range, is_count, [number].into()))
    }

    fn add(
        &mut self,
        node: Node,
        element: ElementType,
        range: Interval,
        is_count: bool,
        loops: Rc<[LoopId]>,
    ) -> ValueId {
        let id = ValueId(self.all.len() as u32);
        let unknown = Value { node: node.clone(), element, range, is_count, form: None, truth: Truth::Unknown, loops };
        self.all.push(unknown);
        self.known.insert((node.clone(), element), id);
        let form = element.is_integer().then(|| super::forms::of_node(id, &node, element, self));
        let truth = super::forms::truth_of(&node, self);
        if let Some(value) = self.all.get_mut(id.0 as usize) {
            (value.form, value.truth) = (form, truth);
        }
        id
    }

    /// A number.
    pub fn int(&mut self, value: i64) -> ValueId {
        self.made(Node::Constant(value as u64), ElementType::I64)
    }
}

impl Node {
    /// The values that it is made of.
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Node::Constant(_)
            | Node::Size(_)
            | Node::Scalar(_)
            | Node::Block
            | Node::Thread
            | Node::Iterator(_)
            | Node::Merge(_)
            | Node::Load(_) => Vec::new(),
            Node::Element { coordinates, .. } => coordinates.clone(),
            Node::Unary(_, operand) | Node::Cast(operand) => vec![*operand],
            Node::Binary(_, left, right) => vec![*left, *right],
            Node::Select(condition, then, otherwise) => vec![*condition, *then, *otherwise],
            Node::Math(_, arguments) => arguments.clone(),
        }
    }
}
