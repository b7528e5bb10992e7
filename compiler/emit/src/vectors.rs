//! Vectorised loops in C++: several iterations load vectors into local arrays, compute on the arrays, and store those
//! that they wrote.

use super::arrays::{Array, Arrays};
use super::emitter::Emitter;
use super::helper::Helper;
use super::range::Range;
use super::statements::Block;
use super::types;
use super::visible::Declared;
use elements::ElementType;
use kernel::loops::{Access, AccessId, Common, For, Group, Node, Role, StepKind, ValueId, VectorLoop};
use kernel::typed::{AccessKind, BinaryOp, Memory};
use proofs::memory::ElementSize;

impl Emitter<'_> {
    /// Writes a vectorised loop; returns `false` if the loop is not vectorised.
    pub fn vector_loop(&mut self, counted: &For, body: Block<'_>) -> bool {
        let Some(vectors) = self.vector_loops.get(&counted.id).cloned() else {
            return false;
        };
        self.helpers.insert(Helper::CopyVector);
        let source = self.source_name(counted.local);
        let (count, step) = (vectors.count, vectors.step);
        if count == step {
            self.line("{");
            self.depth += 1;
            self.vectors_of(&vectors, counted, body, None);
        } else {
            let first = self.names.take(&format!("{source}_first"));
            let unrolled = self.begin_loop(counted);
            self.line(&format!("for (int {first} = 0; {first} < {count}; {first} += {step}) {{"));
            self.depth += 1;
            self.vectors_of(&vectors, counted, body, Some(&first));
            self.unrolled = unrolled;
            self.names.release(&first);
        }
        self.close();
        true
    }

    /// Writes a loop over the first iterations of vectors of such a width.
    pub fn each_vector(&mut self, counted: &For, count: i64, width: i64, write: impl FnOnce(&mut Self)) {
        let source = self.source_name(counted.local);
        let name = self.names.take(&source);
        self.line(&format!("for (int {name} = 0; {name} < {count}; {name} += {width}) {{"));
        self.depth += 1;
        let mark = self.visible.enter();
        self.visible.add(counted.iterator, iterator(&name, count - width + 1));
        write(self);
        self.visible.leave(mark).iter().for_each(|name| self.names.release(name));
        self.close();
        self.names.release(&name);
    }

    /// Writes the loads, iterations and stores of one step. `first` is the name of its first iteration, unless the step
    /// is the whole loop.
    fn vectors_of(&mut self, vectors: &VectorLoop, counted: &For, body: Block<'_>, first: Option<&str>) {
        let around = self.visible.enter();
        if let Some(first) = first {
            self.visible.add(counted.iterator, iterator(first, vectors.count - vectors.step + 1));
        }
        let names: Vec<String> = vectors.groups.iter().map(|group| self.declare_array(group, vectors.step)).collect();
        let step = Step { counted, first: first.is_none(), iterations: vectors.step };
        let edges = self.edges(vectors, step);
        self.copies(vectors, step, &names, &edges, true);
        let source = self.source_name(counted.local);
        let lane = self.names.take(if first.is_none() { &source } else { "lane" });
        self.line("#pragma unroll");
        self.line(&format!("for (int {lane} = 0; {lane} < {}; ++{lane}) {{", vectors.step));
        let arrays = vectors.groups.iter().zip(&names).map(|(group, name)| Array {
            name: name.clone(),
            accesses: group.accesses.clone(),
            needs_mask: group.needs_mask,
        });
        let inner = Arrays { all: arrays.collect(), lane: lane.clone() };
        let outer = std::mem::replace(&mut self.arrays, inner);
        let mark = self.visible.enter();
        match first.filter(|_| self.needs_iterator(counted)) {
            None => self.visible.add(counted.iterator, iterator(&lane, vectors.count)),
            Some(first) => {
                let name = self.names.take(&source);
                self.depth += 1;
                self.line(&format!("const int {name} = {first} + {lane};"));
                self.depth -= 1;
                self.visible.add(counted.iterator, iterator(&name, vectors.count));
            }
        }
        counted.heads.iter().for_each(|(local, value)| self.visible.hold(*local, *value));
        self.inner(body);
        self.line("}");
        self.visible.leave(mark).iter().for_each(|name| self.names.release(name));
        self.names.release(&lane);
        self.arrays = outer;
        self.copies(vectors, step, &names, &edges, false);
        names.iter().for_each(|name| self.names.release(name));
        self.visible.leave(around).iter().for_each(|name| self.names.release(name));
    }

    /// Whether the body uses the iterator for anything but vectorised accesses.
    fn needs_iterator(&self, counted: &For) -> bool {
        let mut open: Vec<ValueId> = Vec::new();
        for step in &counted.body.steps {
            open.extend(step.kind.values());
            if let StepKind::Store { access, .. } = &step.kind {
                open.extend(self.written_out(*access));
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = open.pop() {
            match self.loops.values.node(id).filter(|_| seen.insert(id)) {
                _ if id == counted.iterator => return true,
                Some(Node::Load(access)) => open.extend(self.written_out(*access)),
                Some(node) => open.extend(node.operands()),
                None => {}
            }
        }
        false
    }

    /// The values in the text of an access.
    fn written_out(&self, id: AccessId) -> impl Iterator<Item = ValueId> {
        let access = self.loops.access(id);
        let offset = access.filter(|_| self.arrays.element(id).is_none()).map(|access| access.offset);
        let tested = access.and_then(|access| access.tested).filter(|_| self.arrays.needs_mask(id));
        let is_load = access.is_some_and(|access| access.kind == AccessKind::Load) && self.arrays.element(id).is_some();
        offset.into_iter().chain(tested.filter(move |_| !is_load))
    }

    /// Declares the array of a group. It is zero where its mask does not hold, like a masked load.
    fn declare_array(&mut self, group: &Group, step: i64) -> String {
        let first = group.accesses.first().and_then(|first| self.loops.access(*first)).cloned();
        let memory = first.as_ref().map(|access| self.memory(access.memory)).unwrap_or_default();
        let name = self.names.take(&format!("{memory}_vector"));
        let is_masked = first.is_some_and(|access| access.mask.is_some());
        let zero = if group.is_loaded && is_masked { " = {}" } else { "" };
        self.line(&format!("alignas({}) {} {name}[{step}]{zero};", bytes(group), types::name(group.element)));
        name
    }

    /// Copies vectors from memory to the arrays or back.
    fn copies(&mut self, vectors: &VectorLoop, step: Step<'_>, names: &[String], edges: &[Edge], loads: bool) {
        let mut open: Option<String> = None;
        let is_wanted = |group: &Group| if loads { group.is_loaded } else { group.is_stored };
        for (group, name) in vectors.groups.iter().zip(names).filter(|(group, _)| is_wanted(group)) {
            let Some(access) = self.first_of(group).filter(|_| group.whole.is_empty()) else { continue };
            for place in step.places(group) {
                let distance = self.loops.values.int(place);
                let mask = access.mask.map(|mask| self.at(mask, step, distance));
                let mask = mask.map(|mask| self.index(mask).text.code);
                if mask != open {
                    if open.is_some() {
                        self.close();
                    }
                    if let Some(mask) = &mask {
                        self.line(&format!("if ({mask}) {{"));
                        self.depth += 1;
                    }
                    open = mask;
                }
                self.copy(group, &access, name, place, step, loads);
            }
        }
        if open.is_some() {
            self.close();
        }
        for edge in edges {
            let wanted: Vec<(&Group, &String)> =
                edge.groups.iter().map(|own| (&vectors.groups[*own], &names[*own])).collect();
            let wanted: Vec<(&Group, &String)> = wanted.into_iter().filter(|(group, _)| is_wanted(group)).collect();
            self.copies_at_edge(edge, &wanted, step, loads);
        }
    }

    /// Copies the vectors of groups that share a mask: complete ones by one access, others element by element.
    fn copies_at_edge(&mut self, edge: &Edge, wanted: &[(&Group, &String)], step: Step<'_>, loads: bool) {
        let Some((group, _)) = wanted.first() else { return };
        for (place, whole) in step.places(group).zip(&edge.whole) {
            let whole = self.index(*whole).text.code;
            self.line(&format!("if ({whole}) {{"));
            self.depth += 1;
            for (group, name) in wanted {
                if let Some(access) = self.first_of(group) {
                    self.copy(group, &access, name, place, step, loads);
                }
            }
            self.depth -= 1;
            self.line("} else {");
            self.depth += 1;
            self.one_by_one(edge, wanted, place, step, loads);
            self.close();
        }
    }

    fn one_by_one(&mut self, edge: &Edge, wanted: &[(&Group, &String)], place: i64, step: Step<'_>, loads: bool) {
        let Some((group, _)) = wanted.first() else { return };
        let (name, end) = (self.names.take("lane"), place + group.width);
        self.line("#pragma unroll");
        self.line(&format!("for (int {name} = {place}; {name} < {end}; ++{name}) {{"));
        self.depth += 1;
        let mark = self.visible.enter();
        let values = &mut self.loops.values;
        let ends = [values.int(place), values.int(end)];
        let (_, lane) = values.iterator(ends);
        self.visible.add(lane, iterator(&name, end));
        let mask = self.at(edge.mask, step, lane);
        let mask = self.index(mask).text.code;
        self.line(&format!("if ({mask}) {{"));
        for (group, array) in wanted {
            let Some(access) = self.first_of(group) else { continue };
            let offset = self.at(access.offset, step, lane);
            let (memory, _) = self.place(&Access { offset, ..access });
            let (to, from) = (memory.code, format!("{array}[{name}]"));
            let (to, from) = if loads { (from, to) } else { (to, from) };
            self.line(&format!("    {to} = {from};"));
        }
        self.line("}");
        self.visible.leave(mark).iter().for_each(|name| self.names.release(name));
        self.close();
    }

    /// Copies one vector.
    fn copy(&mut self, group: &Group, access: &Access, array: &str, place: i64, step: Step<'_>, loads: bool) {
        let distance = self.loops.values.int(place);
        let offset = self.at(access.offset, step, distance);
        let here = Access { offset, ..access.clone() };
        if let Memory::Shared(array) = access.memory {
            self.aligned.insert(array);
        }
        let (memory, _) = self.place(&here);
        let memory = format!("&{}", memory.code);
        let array = if place == 0 { array.to_owned() } else { format!("{array} + {place}") };
        let (to, from) = if loads { (array, memory) } else { (memory, array) };
        self.line(&format!("copy_vector<{}>({to}, {from});", bytes(group)));
    }

    /// The groups with possibly incomplete vectors, those with the same mask together. Their positions and the
    /// conditions under which their vectors are complete get names, since loads and stores need both.
    fn edges(&mut self, vectors: &VectorLoop, step: Step<'_>) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::new();
        for (number, group) in vectors.groups.iter().enumerate().filter(|(_, group)| !group.whole.is_empty()) {
            let Some(access) = self.first_of(group) else { continue };
            let Some(mask) = access.mask else { continue };
            let zero = self.loops.values.int(0);
            let base = self.at(access.offset, step, zero);
            let is_operation = matches!(self.loops.values.node(base), Some(Node::Binary(..)));
            if is_operation && self.visible.get(base).is_none() {
                self.name_common(Common { value: base, is_index: true, role: Role::Index, local: None }, None);
            }
            let same = |edge: &&mut Edge| edge.mask == mask && vectors.groups[edge.groups[0]].width == group.width;
            if let Some(edge) = edges.iter_mut().find(same) {
                edge.groups.push(number);
                continue;
            }
            let whole = step.places(group).map(|place| self.whole(&group.whole, place, step)).collect();
            edges.push(Edge { mask, groups: vec![number], whole });
        }
        edges
    }

    /// Names the condition under which a vector is complete.
    fn whole(&mut self, whole: &[(ValueId, i64)], place: i64, step: Step<'_>) -> ValueId {
        let mut all: Vec<ValueId> = Vec::new();
        for (condition, iteration) in whole {
            let distance = self.loops.values.int(place + iteration);
            all.push(self.at(*condition, step, distance));
        }
        let values = &mut self.loops.values;
        let join = |left, right| values.made(Node::Binary(BinaryOp::And, left, right), ElementType::Bool);
        let value = all.into_iter().reduce(join).unwrap_or_else(|| self.loops.values.int(1));
        if self.visible.get(value).is_none() {
            let code = self.index(value).text.code;
            let name = self.names.take("is_whole");
            self.line(&format!("const bool {name} = {code};"));
            self.visible.add(value, Declared { name, range: Range::default(), wide: false, of: None });
        }
        value
    }

    fn first_of(&self, group: &Group) -> Option<Access> {
        group.accesses.first().and_then(|first| self.loops.access(*first)).cloned()
    }

    /// A value at some distance after the first iteration of the step. A value that changes with the iterator is
    /// written as its value in the first iteration plus the distance.
    fn at(&mut self, id: ValueId, step: Step<'_>, distance: ValueId) -> ValueId {
        match self.loops.values.node(id).cloned() {
            Some(Node::Binary(op, left, right)) if op.gives_bool() => {
                let (left, right) = (self.at(left, step, distance), self.at(right, step, distance));
                self.loops.values.made(Node::Binary(op, left, right), ElementType::Bool)
            }
            Some(Node::Binary(..)) if self.loops.moves_with(id, step.counted.id) => {
                let zero = self.loops.values.int(0);
                let base = self.in_iteration(id, step, zero);
                match distance == zero {
                    true => base,
                    false => self.loops.values.made(Node::Binary(BinaryOp::Add, base, distance), ElementType::I64),
                }
            }
            _ => self.in_iteration(id, step, distance),
        }
    }

    fn in_iteration(&mut self, id: ValueId, step: Step<'_>, distance: ValueId) -> ValueId {
        let (values, iterator) = (&mut self.loops.values, step.counted.iterator);
        let iteration = match step.first {
            true => distance,
            false => values.made(Node::Binary(BinaryOp::Add, iterator, distance), ElementType::I64),
        };
        values.substitute(id, iterator, iteration)
    }
}

/// The iterations that one step takes together.
#[derive(Clone, Copy)]
struct Step<'a> {
    counted: &'a For,
    /// Whether the step is the whole loop and begins with its first iteration.
    first: bool,
    /// The number of iterations.
    iterations: i64,
}

impl Step<'_> {
    /// The first iteration of each vector of a group.
    fn places(self, group: &Group) -> impl Iterator<Item = i64> + use<> {
        (0..self.iterations).step_by(usize::try_from(group.width).unwrap_or(1))
    }
}

/// Groups with possibly incomplete vectors.
struct Edge {
    mask: ValueId,
    groups: Vec<usize>,
    /// For each vector, the condition under which it is complete.
    whole: Vec<ValueId>,
}

/// An iterator over `0..count`, an `int`.
fn iterator(name: &str, count: i64) -> Declared {
    let range = Range::iterator(&Range::constant(0), &Range::constant(count));
    Declared { name: name.to_owned(), range, wide: false, of: None }
}

/// The bytes of a vector.
fn bytes(group: &Group) -> i64 {
    group.width * ElementSize::from(group.element).bytes()
}
