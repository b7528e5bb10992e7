//! The lowered program, with frequently needed properties of its values.

use std::collections::BTreeSet;

use elements::ElementType;
use kernel::loops::{Access, AccessId, For, List, Loops, Node, Step, StepKind, ValueId};
use kernel::typed::Memory;
use maps::{Affine, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::phases::phase::BlockArray;

/// A kernel as loops, split at its barriers.
pub struct Program<'k> {
    loops: Loops<'k>,
    /// The arrays of a block: shared arrays, and those of values that pass between barrier regions.
    pub arrays: Vec<BlockArray>,
    /// The loads of values that another region has stored in an array.
    carried: FxHashMap<ValueId, Node>,
    traits: Vec<Traits>,
    /// The values on which stores or control flow depend.
    needed: FxHashSet<ValueId>,
    /// The value of each load.
    loaded: FxHashMap<AccessId, ValueId>,
    /// Whether it takes the bits of a float for a number, or the reverse.
    pub looks_at_bits: bool,
}

/// Properties of a value.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    /// Whether it depends on a load.
    reads_memory: bool,
    /// Whether computing it takes loads or function calls.
    is_costly: bool,
    /// How many operations follow one another in it at most.
    height: u32,
}

/// The values that a region takes from arrays instead of computing them.
pub type Taken = BTreeSet<ValueId>;

/// The offset of an access, and its condition.
pub fn place(loops: &Loops<'_>, access: AccessId) -> impl Iterator<Item = ValueId> + use<> {
    let access = loops.access(access);
    let (offset, mask) = access.map_or((None, None), |access| (Some(access.offset), access.tested));
    offset.into_iter().chain(mask)
}

/// These values and all their operands.
pub fn needed(loops: &Loops<'_>, roots: Vec<ValueId>) -> FxHashSet<ValueId> {
    let (mut open, mut needed) = (roots, FxHashSet::default());
    while let Some(id) = open.pop() {
        match loops.values.node(id).filter(|_| needed.insert(id)) {
            Some(Node::Load(access)) => open.extend(place(loops, *access)),
            Some(Node::Merge(_)) => open.extend(merged(loops, id)),
            Some(node) => open.extend(node.operands()),
            None => {}
        }
    }
    needed
}

/// The values that a variable may hold at a join of paths.
pub fn merged<'a>(loops: &'a Loops<'_>, merge: ValueId) -> &'a [ValueId] {
    match loops.values.node(merge) {
        Some(Node::Merge(number)) => loops.merges.get(*number as usize).map_or(&[], |merge| &merge.values),
        _ => &[],
    }
}

/// The values that steps need other than for variables. If `all` is set, those of variables are included, because every
/// access has to be checked.
pub fn roots(loops: &Loops<'_>, steps: &[Step], all: bool, found: &mut Vec<ValueId>) {
    for step in steps {
        if all || !matches!(step.kind, StepKind::Assign { .. } | StepKind::Barrier { .. }) {
            found.extend(step.kind.values());
        }
        if let Some(access) = step.kind.written() {
            found.extend(place(loops, access));
        }
        step.kind.lists().for_each(|inner| roots(loops, &inner.steps, all, found));
    }
}

impl<'k> Program<'k> {
    /// A program in which these values are needed: see [`needed`].
    pub fn new(
        loops: Loops<'k>,
        arrays: Vec<BlockArray>,
        carried: &FxHashMap<ValueId, AccessId>,
        needed: FxHashSet<ValueId>,
    ) -> Program<'k> {
        let mut traits: Vec<Traits> = Vec::with_capacity(loops.values.len());
        let mut loaded = FxHashMap::default();
        let mut looks_at_bits = false;
        for id in loops.values.ids() {
            let Some(node) = loops.values.node(id) else { continue };
            let mut own = Traits {
                reads_memory: matches!(node, Node::Load(_)),
                is_costly: matches!(node, Node::Load(_) | Node::Math(..)),
                height: 0,
            };
            for operand in node.operands() {
                let of = traits.get(operand.0 as usize).copied().unwrap_or_default();
                own.reads_memory |= of.reads_memory;
                own.is_costly |= of.is_costly;
                own.height = own.height.max(of.height.saturating_add(1));
            }
            looks_at_bits |= matches!(node, Node::Bits(_));
            if let Node::Load(access) = node {
                loaded.insert(*access, id);
            }
            traits.push(own);
        }
        let carried = carried.iter().map(|(value, access)| (*value, Node::Load(*access))).collect();
        Program { loops, arrays, carried, traits, needed, loaded, looks_at_bits }
    }

    /// The offset of an access, and its condition.
    pub fn place(&self, access: AccessId) -> impl Iterator<Item = ValueId> + use<> {
        place(&self.loops, access)
    }

    /// The computation of a value in a region that takes these values from arrays.
    pub fn node<'a>(&'a self, id: ValueId, taken: &Taken) -> &'a Node {
        // Every value in a step is one of the program's.
        let own = || &self.loops.values.get(id).unwrap_or_else(|| unreachable!("a value of another kernel")).node;
        if taken.contains(&id) { self.carried.get(&id).unwrap_or_else(own) } else { own() }
    }

    /// The value of a node.
    pub fn id(&mut self, node: Node) -> ValueId {
        self.loops.values.made(node, ElementType::I64)
    }

    /// The constant of a value, if it is one.
    pub fn constant(&self, id: ValueId) -> Option<i64> {
        self.loops.values.affine(id)?.as_constant()?.as_constant()
    }

    /// An access.
    pub fn access(&self, id: AccessId) -> &Access {
        self.loops.access(id).unwrap_or_else(|| unreachable!("an access of another kernel"))
    }

    /// The value of a load.
    pub fn loaded(&self, access: AccessId) -> Option<ValueId> {
        self.loaded.get(&access).copied()
    }

    /// The values that a variable may hold at a join of paths.
    pub fn merged(&self, merge: ValueId) -> &[ValueId] {
        merged(&self.loops, merge)
    }

    /// The type of a value.
    pub fn element(&self, id: ValueId) -> ElementType {
        self.loops.values.element(id)
    }

    /// The element type of a memory.
    pub fn element_of(&self, memory: Memory) -> ElementType {
        match memory {
            Memory::Shared(array) => self.arrays.get(array.0 as usize).map(|array| array.element),
            Memory::Param(_) => self.loops.values.kernel.element(memory),
        }
        .unwrap_or(ElementType::I64)
    }

    /// The sum for an integer that can be computed in signed 64 bits, unless it is a single term.
    pub fn sum(&self, id: ValueId) -> Option<&Affine> {
        let values = &self.loops.values;
        let sum = values.affine(id)?;
        let is_own = sum.as_term().is_some_and(|term| values.term(term) == Some(&Term::Coordinate(id.0)));
        // The sum may be small although a part of it, a `u64`, is not.
        let fits = |part: ValueId| values.range(part).hi.is_some_and(|most| most <= i64::MAX.into());
        let is_signed = values.parts(id).all(|part| values.element(part) != ElementType::U64 || fits(part));
        (!is_own && is_signed).then_some(sum)
    }

    /// A term of a sum.
    pub fn term(&self, id: maps::TermId) -> Option<&Term> {
        self.loops.values.term(id)
    }

    /// Whether stores or control flow depend on a value.
    pub fn is_needed(&self, id: ValueId) -> bool {
        self.needed.contains(&id)
    }

    /// Whether a value depends on a load.
    pub fn reads_memory(&self, id: ValueId) -> bool {
        self.traits(id).reads_memory
    }

    /// Whether computing a value takes loads or function calls.
    pub fn is_costly(&self, id: ValueId) -> bool {
        self.traits(id).is_costly
    }

    /// Whether a value takes more operations in a row than another one.
    pub fn is_higher(&self, one: ValueId, other: ValueId) -> bool {
        self.traits(one).height > self.traits(other).height
    }

    /// Whether a value can be recomputed anywhere in the loops on which it depends.
    pub fn is_lasting(&self, id: ValueId) -> bool {
        self.loops.values.get(id).is_some_and(|value| value.is_lasting)
    }

    fn traits(&self, id: ValueId) -> Traits {
        self.traits.get(id.0 as usize).copied().unwrap_or_default()
    }
}

/// The values that are only available in the body of a loop: those it loads, the iterators of its loops, and joined
/// values in it.
pub fn defined_in(program: &Program<'_>, body: &List) -> FxHashSet<ValueId> {
    let mut own = FxHashSet::default();
    walk(body, &mut |step| {
        own.extend(step.accesses.iter().filter_map(|access| program.loaded(*access)));
        own.extend(step.after.iter().map(|(_, merge)| *merge));
        match &step.kind {
            StepKind::For(For { iterator, heads, .. }) => {
                own.insert(*iterator);
                own.extend(heads.iter().map(|(_, merge)| *merge));
            }
            // A value from an array becomes available where it is named.
            StepKind::Assign { value, .. } if !program.is_lasting(*value) => {
                own.insert(*value);
            }
            _ => {}
        }
    });
    own
}

/// Visits every step of a list, including nested ones, outer before inner.
pub fn walk<'l>(list: &'l List, visit: &mut dyn FnMut(&'l Step)) {
    for step in &list.steps {
        visit(step);
        step.kind.lists().for_each(|inner| walk(inner, visit));
    }
}
