//! Loops with vectors in C++: the vectors of some iterations are loaded into arrays, the iterations run on the arrays, and the
//! arrays that they wrote are stored.

use super::emitter::Emitter;
use super::helpers::Helper;
use super::range::Range;
use super::statements::Block;
use super::text::{Level, Text};
use super::types;
use super::visible::Declared;
use elements::ElementType;
use kernel::loops::{Access, AccessId, For, Group, Node, StepKind, ValueId, VectorLoop};
use kernel::typed::{BinaryOp, Memory};
use proofs::memory::ElementSize;

/// The arrays that stand for memory where the text has got to.
#[derive(Default)]
pub(super) struct Arrays {
    all: Vec<Array>,
    /// The name of the index into them.
    lane: String,
}

struct Array {
    name: String,
    accesses: Vec<AccessId>,
    needs_mask: bool,
}

impl Arrays {
    fn array(&self, access: AccessId) -> Option<&Array> {
        self.all.iter().find(|array| array.accesses.contains(&access))
    }

    /// The element of an array that stands for an access.
    pub fn element(&self, access: AccessId) -> Option<Text> {
        let array = self.array(access)?;
        Some(Text::element(&array.name, &Text::primary(self.lane.clone())))
    }

    /// Whether the condition of an access is tested where it stands, or where its array is copied.
    pub fn needs_mask(&self, access: AccessId) -> bool {
        self.array(access).is_none_or(|array| array.needs_mask)
    }
}

impl Emitter<'_> {
    /// Writes a loop with vectors; `false` where it has none.
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
            self.line(&format!("for (int {first} = 0; {first} < {count}; {first} += {step}) {{"));
            self.depth += 1;
            self.vectors_of(&vectors, counted, body, Some(&first));
            self.names.release(&first);
        }
        self.close();
        true
    }

    /// Loads, iterations and stores of one step, whose first iteration has a name unless it is the loop's first one.
    fn vectors_of(&mut self, vectors: &VectorLoop, counted: &For, body: Block<'_>, first: Option<&str>) {
        let names: Vec<String> = vectors.groups.iter().map(|group| self.declare_array(group, vectors.step)).collect();
        self.copies(vectors, counted, (&names, first), true);
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
        self.copies(vectors, counted, (&names, first), false);
        names.iter().for_each(|name| self.names.release(name));
    }

    /// Whether the body needs the iterator for more than the accesses that are taken as vectors.
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

    /// The values that stand in the text of an access.
    fn written_out(&self, id: AccessId) -> impl Iterator<Item = ValueId> {
        let access = self.loops.access(id);
        let offset = access.filter(|_| self.arrays.element(id).is_none()).map(|access| access.offset);
        let tested = access.and_then(|access| access.tested).filter(|_| self.arrays.needs_mask(id));
        let is_load = access.is_some_and(|access| !access.store) && self.arrays.element(id).is_some();
        offset.into_iter().chain(tested.filter(move |_| !is_load))
    }

    /// Declares the array of a group. Where its mask does not hold it is zero, as a load is.
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
    fn copies(&mut self, vectors: &VectorLoop, counted: &For, (names, first): (&[String], Option<&str>), loads: bool) {
        let mark = self.visible.enter();
        if let Some(first) = first {
            self.visible.add(counted.iterator, iterator(first, vectors.count - vectors.step + 1));
        }
        let mut open: Option<String> = None;
        let is_wanted = |group: &Group| if loads { group.is_loaded } else { group.is_stored };
        for (group, name) in vectors.groups.iter().zip(names).filter(|(group, _)| is_wanted(group)) {
            let Some(access) = group.accesses.first().and_then(|first| self.loops.access(*first)).cloned() else {
                continue;
            };
            let is_edge = !group.whole.is_empty();
            let mut place = 0;
            while place < vectors.step {
                let here = self.in_iteration(&access, counted, (first, place));
                let mask = match is_edge {
                    true => Some(self.whole(&group.whole, counted, (first, place))),
                    false => here.mask.map(|mask| self.index(mask).text.code),
                };
                if mask != open || is_edge {
                    if open.is_some() {
                        self.close();
                    }
                    if let Some(mask) = &mask {
                        self.line(&format!("if ({mask}) {{"));
                        self.depth += 1;
                    }
                    open = mask;
                }
                if let Memory::Shared(array) = access.memory {
                    self.aligned.insert(array);
                }
                let (memory, _) = self.place(&here);
                let memory = format!("&{}", memory.code);
                let array = if place == 0 { name.clone() } else { format!("{name} + {place}") };
                let (to, from) = if loads { (array, memory) } else { (memory, array) };
                self.line(&format!("copy_vector<{}>({to}, {from});", bytes(group)));
                if is_edge {
                    self.depth -= 1;
                    self.line("} else {");
                    self.depth += 1;
                    self.one_by_one(&access, counted, (first, place..place + group.width), (name, loads));
                    self.close();
                    open = None;
                }
                place += group.width;
            }
        }
        if open.is_some() {
            self.close();
        }
        self.visible.leave(mark);
    }

    /// The condition under which a vector is whole.
    fn whole(&mut self, whole: &[(ValueId, i64)], counted: &For, (first, place): (Option<&str>, i64)) -> String {
        let mut all: Vec<Text> = Vec::new();
        for (condition, iteration) in whole {
            let iterator = self.iteration(counted, (first, place + iteration));
            let condition = self.loops.values.substitute(*condition, counted.iterator, iterator);
            all.push(self.index(condition).text);
        }
        let all = all.into_iter().reduce(|left, right| Text::infix("&&", Level::And, &left, &right));
        all.map_or_else(|| "true".to_owned(), |all| all.code)
    }

    /// Copies the elements of a vector that is not whole.
    fn one_by_one(
        &mut self,
        access: &Access,
        counted: &For,
        (first, places): (Option<&str>, std::ops::Range<i64>),
        (array, loads): (&str, bool),
    ) {
        for place in places {
            let here = self.in_iteration(access, counted, (first, place));
            let mask = here.mask.map(|mask| self.index(mask).text.code).unwrap_or_else(|| "true".to_owned());
            let (memory, _) = self.place(&here);
            let (to, from) = (memory.code, format!("{array}[{place}]"));
            let (to, from) = if loads { (from, to) } else { (to, from) };
            self.line(&format!("if ({mask}) {{"));
            self.line(&format!("    {to} = {from};"));
            self.line("}");
        }
    }

    /// The iterator so many iterations after the first one of the step.
    fn iteration(&mut self, counted: &For, (first, place): (Option<&str>, i64)) -> ValueId {
        let values = &mut self.loops.values;
        let place = values.int(place);
        match first {
            None => place,
            Some(_) => values.made(Node::Binary(BinaryOp::Add, counted.iterator, place), ElementType::I64),
        }
    }

    /// The access so many iterations after the first one of the step.
    fn in_iteration(&mut self, access: &Access, counted: &For, (first, place): (Option<&str>, i64)) -> Access {
        let iterator = self.iteration(counted, (first, place));
        let values = &mut self.loops.values;
        let mut of = |id: ValueId| values.substitute(id, counted.iterator, iterator);
        Access { offset: of(access.offset), mask: access.mask.map(of), ..access.clone() }
    }
}

/// An iterator over `0..count`, an `int`.
fn iterator(name: &str, count: i64) -> Declared {
    let range = Range::iterator(&Range::constant(0), &Range::constant(count));
    Declared { name: name.to_owned(), range, wide: false }
}

/// The bytes of a vector.
fn bytes(group: &Group) -> i64 {
    group.width * ElementSize::from(group.element).bytes()
}
