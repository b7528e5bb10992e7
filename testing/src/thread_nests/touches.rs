//! The possible accesses of each thread to a nest's memory. They are found by executing its program for each block and
//! group of threads, without the compiler's maps, conditions or iterators.

use std::collections::BTreeSet;

use super::program::{Access, Condition, Held, Index, Names, Node};
use super::{Nest, program};

/// A possible access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    /// The number of the memory.
    pub memory: usize,
    /// The block.
    pub block: i64,
    /// The element in row-major order; `None` if it may be any.
    pub element: Option<i64>,
    /// The thread id within its block.
    pub thread: i64,
    /// Whether it writes.
    pub write: bool,
}

/// All possible accesses. A condition on data may hold or fail.
pub fn touches(nest: &Nest) -> BTreeSet<Touch> {
    let mut found = BTreeSet::new();
    for block in 0..nest.blocks {
        let mut names = Names::new();
        names.insert("i".to_owned(), block / nest.cluster);
        let threads: Vec<i64> = (0..nest.threads).collect();
        let mut walk = Walk { nest, block, found: &mut found };
        walk.run(&nest.body, &threads, &mut names, &[]);
    }
    found
}

/// Whether two threads may access the same element of such a memory, and at least one of them writes it. What is held for a block
/// is no other block's.
pub fn conflicts(nest: &Nest, touches: &BTreeSet<Touch>, held: Held) -> bool {
    let of_kind = |touch: &&Touch| nest.memories[touch.memory].held == held;
    let writes: Vec<&Touch> = touches.iter().filter(of_kind).filter(|touch| touch.write).collect();
    let place = |touch: &Touch| (touch.memory, if held == Held::ByThreads { 0 } else { touch.block });
    let meets = |write: &Touch, other: &Touch| {
        place(write) == place(other)
            && (write.block, write.thread) != (other.block, other.thread)
            && (write.element.is_none() || other.element.is_none() || write.element == other.element)
    };
    writes.iter().any(|write| touches.iter().filter(of_kind).any(|other| meets(write, other)))
}

struct Walk<'n> {
    nest: &'n Nest,
    block: i64,
    found: &'n mut BTreeSet<Touch>,
}

impl Walk<'_> {
    fn run(&mut self, nodes: &[Node], threads: &[i64], names: &mut Names, values: &[i64]) {
        if threads.is_empty() {
            return;
        }
        nodes.iter().for_each(|node| self.node(node, threads, names, values));
    }

    fn node(&mut self, node: &Node, threads: &[i64], names: &mut Names, values: &[i64]) {
        match node {
            Node::Threads { name, count, tiling, body, .. } => {
                let base = self.block % self.nest.cluster * self.nest.threads;
                for value in 0..*count {
                    let mut values = values.to_vec();
                    if let Some(name) = name {
                        values.push(value);
                        names.insert(name.clone(), value);
                    }
                    let Ok(set) = tiling.threads(&values) else { continue };
                    let inside: Vec<i64> =
                        threads.iter().copied().filter(|thread| set.contains(base + thread)).collect();
                    self.run(body, &inside, names, &values);
                }
            }
            Node::Loop { name, low, end, body, .. } => {
                for value in *low..*end {
                    names.insert(name.clone(), value);
                    self.run(body, threads, names, values);
                }
            }
            Node::If { condition, then, otherwise } => {
                let known = match condition {
                    // The compiler checks both branches of a constant condition for races, too.
                    Condition::Below(Index::Constant(_), _) => None,
                    Condition::Below(index, bound) => index.value(names).map(|value| value < *bound),
                    Condition::Open(_) => None,
                };
                if known != Some(false) {
                    self.run(then, threads, names, values);
                }
                if known != Some(true) {
                    self.run(otherwise, threads, names, values);
                }
            }
            Node::Let(name, index) => match index.value(names) {
                Some(value) => drop(names.insert(name.clone(), value)),
                None => drop(names.remove(name)),
            },
            Node::Assign(_, reads) => reads.iter().for_each(|read| self.note(read, false, threads, names)),
            Node::Store { target, reads, .. } => {
                reads.iter().for_each(|read| self.note(read, false, threads, names));
                self.note(target, true, threads, names);
            }
        }
    }

    fn note(&mut self, access: &Access, write: bool, threads: &[i64], names: &Names) {
        for &thread in threads {
            let element = element(self.nest, access, thread, names);
            self.found.insert(Touch { memory: access.memory, block: self.block, element, thread, write });
        }
    }
}

fn element(nest: &Nest, access: &Access, thread: i64, names: &Names) -> Option<i64> {
    let indices: Vec<i64> = access.indices.iter().map(|index| index.value(names)).collect::<Option<_>>()?;
    match (&access.view, indices.as_slice()) {
        (Some(view), [local]) => Some(view.element(*local, thread, nest.threads)),
        (Some(_), _) => None,
        (None, _) => {
            let program::Memory { shape, .. } = &nest.memories[access.memory];
            Some(indices.iter().zip(shape).fold(0, |flat, (index, extent)| flat * extent + index))
        }
    }
}
