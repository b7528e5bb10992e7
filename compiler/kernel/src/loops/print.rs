//! Loops as text: every value is printed once, before the first step that uses it, with its interval.

use std::fmt::Write as _;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Atomic, For, List, Loops, Node, Shuffle, Step, StepKind, ValueId};
use crate::stack::with_enough;
use crate::typed::{Taken, print};
use dims::Interval;
use elements::ElementType;
use maps::IndexMap;

impl Loops<'_> {
    /// The text of the loops.
    pub fn text(&self) -> String {
        let mut printer = Printer {
            loops: self,
            maps: Vec::new(),
            iterators: FxHashMap::default(),
            written: FxHashSet::default(),
            text: String::new(),
            depth: 1,
        };
        printer.list(&self.body);
        let (heading, maps) =
            (self.values.kernel.heading(crate::typed::Level::Schedule), print::maps_text(&printer.maps));
        format!("{heading}{maps}\n{}", printer.text)
    }
}

struct Printer<'a, 'k> {
    loops: &'a Loops<'k>,
    maps: Vec<Arc<IndexMap>>,
    /// The names of the iterators.
    iterators: FxHashMap<ValueId, String>,
    written: FxHashSet<ValueId>,
    text: String,
    depth: usize,
}

impl Printer<'_, '_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 4 * self.depth);
    }

    fn list(&mut self, list: &List) {
        list.steps.iter().for_each(|step| self.step(step));
    }

    fn inner(&mut self, list: &List) {
        self.depth += 1;
        self.list(list);
        self.depth -= 1;
    }

    fn step(&mut self, step: &Step) {
        step.kind.values().for_each(|value| self.write(value));
        let kernel = self.loops.values.kernel;
        match &step.kind {
            StepKind::Assign { local, value } => {
                let value = self.name(*value);
                let target = local.map_or_else(String::new, |local| format!("{} = ", kernel.local_name(local)));
                self.line(&format!("{target}{value}"));
            }
            StepKind::For(For { local, iterator, ends: [low, high], heads, body, .. }) => {
                let (name, low, high) = (kernel.local_name(*local), self.name(*low), self.name(*high));
                self.iterators.insert(*iterator, name.clone());
                let heads = heads
                    .iter()
                    .map(|(local, value)| format!("{} is {}", kernel.local_name(*local), self.name(*value)));
                let heads: Vec<String> = heads.collect();
                let heads = if heads.is_empty() { String::new() } else { format!("  // {}", heads.join(", ")) };
                self.line(&format!("for {name} in {low}..{high} {{{heads}"));
                self.inner(body);
                self.line("}");
            }
            StepKind::Branch { condition, then, otherwise } => {
                self.line(&format!("if {} {{", self.name(*condition)));
                self.inner(then);
                if !otherwise.steps.is_empty() {
                    self.line("} else {");
                    self.inner(otherwise);
                }
                self.line("}");
            }
            StepKind::Collective { condition, body } => {
                self.line(&format!("if {} {{", self.name(*condition)));
                self.inner(body);
                self.line("}");
            }
            StepKind::Store { access, value } => {
                if let Some(place) = self.access(*access) {
                    self.line(&format!("{place} = {}", self.name(*value)));
                }
            }
            StepKind::Atomic(Atomic { operation, access, operands, result, order, scope }) => {
                let operands: Vec<String> = operands.iter().map(|operand| self.name(*operand)).collect();
                if let Some(place) = self.access(*access) {
                    let call = print::atomic_call(*operation, place, operands, *order, *scope);
                    let target =
                        result.map_or_else(String::new, |(local, _)| format!("{} = ", kernel.local_name(local)));
                    self.line(&format!("{target}{call}"));
                    self.written.extend(result.map(|(_, value)| value));
                }
            }
            StepKind::Shuffle(Shuffle { local, result, value, taken, lanes, .. }) => {
                let number = match taken {
                    Taken::Lane { number, .. } => Some(self.name(*number)),
                    Taken::Votes => None,
                };
                let call = print::shuffle_call(taken, self.name(*value), number);
                let (name, result) = (kernel.local_name(*local), self.name(*result));
                let lanes = print::of_lanes(lanes, &self.name(lanes.first));
                self.line(&format!("{result} = {call}  // {name} is {result}{lanes}"));
            }
            StepKind::Copies(order) => self.line(&format!("copies {order:?}")),
            StepKind::Barrier { barrier, number } => {
                let number = number.map(|number| self.name(number)).unwrap_or_default();
                self.line(&print::waiting(barrier, &number));
            }
        }
        let after: Vec<String> = step
            .after
            .iter()
            .map(|(local, value)| format!("{} is {}", kernel.local_name(*local), self.name(*value)))
            .collect();
        if !after.is_empty() {
            self.line(&format!("// {}", after.join(", ")));
        }
    }

    /// An access: its position in storage, and the map with its coordinates.
    fn access(&mut self, id: super::AccessId) -> Option<String> {
        let access = self.loops.access(id)?;
        let parts = access.coordinates.iter().copied().chain([access.offset]).chain(access.tested);
        parts.for_each(|part| self.write(part));
        let coordinates: Vec<String> = access.coordinates.iter().map(|part| self.name(*part)).collect();
        let number = print::map_number(&mut self.maps, &access.map);
        let tested = access.tested.map_or(String::new(), |tested| format!(" if {}", self.name(tested)));
        let memory = self.loops.values.kernel.memory_text(access.memory);
        Some(format!("{memory}[{}]{tested} via m{number}({})", self.name(access.offset), coordinates.join(", ")))
    }

    /// Prints a value after its operands, unless it is already printed or is printed inline.
    fn write(&mut self, id: ValueId) {
        with_enough(|| self.write_parts(id));
    }

    fn write_parts(&mut self, id: ValueId) {
        let Some(value) = self.loops.values.get(id) else { return };
        if is_leaf(&value.node) || !self.written.insert(id) {
            return;
        }
        let computed = match &value.node {
            Node::Load(access) => self.access(*access).unwrap_or_default(),
            node => {
                node.operands().into_iter().for_each(|operand| self.write(operand));
                self.operation(node, value.element)
            }
        };
        let range = if value.element.is_integer() { format!(" in {}", interval(value.range)) } else { String::new() };
        self.line(&format!("{} = {computed}: {}{range}", self.name(id), value.element));
    }

    fn operation(&self, node: &Node, element: ElementType) -> String {
        match node {
            Node::Unary(op, operand) => print::unary(*op, &self.name(*operand)),
            Node::Binary(op, left, right) => print::binary(*op, &self.name(*left), &self.name(*right)),
            Node::Select(condition, then, otherwise) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|part| self.name(*part));
                format!("if {condition} {{ {then} }} else {{ {otherwise} }}")
            }
            Node::Cast(operand) => format!("{element}({})", self.name(*operand)),
            Node::Bits(operand) => format!("bitcast({element}, {})", self.name(*operand)),
            Node::Math(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.name(*argument)).collect();
                format!("{}({})", function.name(), arguments.join(", "))
            }
            _ => String::new(),
        }
    }

    /// The text of a value at its uses.
    fn name(&self, id: ValueId) -> String {
        let kernel = self.loops.values.kernel;
        let Some(value) = self.loops.values.get(id) else { return format!("%{}", id.0) };
        match &value.node {
            Node::Constant(constant) => print::constant(*constant),
            Node::Size(size) => size.to_string(),
            Node::Scalar(param) => kernel.memory_text(crate::typed::Memory::Param(*param)),
            Node::Block => "block".to_owned(),
            Node::Thread => "thread".to_owned(),
            _ => self.iterators.get(&id).cloned().unwrap_or_else(|| format!("%{}", id.0)),
        }
    }
}

/// Whether a value is printed inline.
fn is_leaf(node: &Node) -> bool {
    !matches!(
        node,
        Node::Load(_)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Select(..)
            | Node::Cast(_)
            | Node::Bits(_)
            | Node::Math(..)
    )
}

fn interval(range: Interval) -> String {
    let end = |end: Option<i128>| end.map_or("_".to_owned(), |end| end.to_string());
    format!("{}..={}", end(range.lo), end(range.hi))
}
