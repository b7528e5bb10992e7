//! The arrays of a random nest, and accesses of them.

use super::super::program::{Access, Held, Index, Memory, Node, View};
use super::Writer;

impl Writer {
    pub(super) fn shared(&mut self) {
        let threads = self.threads;
        let mut kinds = vec![(vec![threads], ""), (vec![threads], ""), (vec![threads + 1], ""), (vec![2, threads], "")];
        if threads % 8 == 0 {
            kinds.extend([(vec![threads / 8, 8], " |> xor"), (vec![threads / 8, 8], ""), (vec![threads / 8, 9], "")]);
        }
        let (shape, layout) = self.draw.pick(&kinds);
        let (held, layout) = if self.exchanges { (Held::ByBlock, "") } else { (Held::InSharedMemory, layout) };
        let element = self.draw.pick(&["i32", "i32", "i32", "u8", "i16", "f32", "i64", "f16"]);
        let name = format!("s{}", self.memories.len());
        self.memories.push(Memory { name, element, shape, held });
        self.layouts.push(layout);
    }

    pub(super) fn view(&mut self, memory: usize, layout: &'static str) {
        let name = self.fresh("v");
        self.views.push(View { name, memory, local: 1, layout });
    }

    /// The number of an array with elements for each thread of a block.
    pub(super) fn array(&mut self) -> usize {
        let is_of_block = |memory: &usize| self.memories[*memory].held != Held::ByThreads;
        let arrays: Vec<usize> = (0..self.memories.len()).filter(is_of_block).collect();
        self.draw.pick(&arrays)
    }

    /// The element of an array that belongs to the thread with this number.
    pub(super) fn element(&mut self, memory: usize, own: Index) -> Access {
        let indices = match self.memories[memory].shape.as_slice() {
            [_] => vec![own],
            [2, columns] if *columns == self.threads => vec![self.stage(), own],
            _ => vec![own.clone().part(8), own.rest(8)],
        };
        Access { memory, view: None, indices }
    }

    fn stage(&mut self) -> Index {
        let Some(name) = self.loops.last().map(|name| Index::name(name)) else {
            return Index::Constant(self.draw.between(0, 1));
        };
        match self.draw.below(5) {
            0 => Index::Constant(self.draw.between(0, 1)),
            1 | 2 => name.plus(Index::Constant(1)).rest(2),
            _ => name.rest(2),
        }
    }

    pub(super) fn said(&self, access: &Access) -> String {
        let name = access.view.as_ref().map_or(&self.memories[access.memory].name, |view| &view.name);
        let is_of_block = access.view.is_none() && self.memories[access.memory].held == Held::ByBlock;
        let block = self.grid.filter(|_| is_of_block).map(|_| "i".to_owned());
        let indices: Vec<String> = block.into_iter().chain(access.indices.iter().map(Index::to_string)).collect();
        format!("{name}[{}]", indices.join(", "))
    }

    pub(super) fn read(&self, access: &Access) -> String {
        match self.memories[access.memory].element {
            "i32" => self.said(access),
            _ => format!("i32({})", self.said(access)),
        }
    }

    /// A store of an `i32`.
    pub(super) fn store(&self, target: Access, value: &str, reads: Vec<Access>) -> Node {
        let said = self.said(&target);
        let text = match self.memories[target.memory].element {
            "i32" => format!("{said} = {value};"),
            element => format!("{said} = {element}({value});"),
        };
        Node::Store { target, text, reads }
    }

    /// A store to a new tensor, at the thread's element.
    pub(super) fn output(&mut self, own: Index, value: String, reads: Vec<Access>) -> Node {
        let name = self.fresh("y");
        let mut shape = vec![self.threads];
        let mut indices = vec![own];
        if self.ranked {
            shape.insert(0, self.cluster);
            indices.insert(0, Index::name("c"));
        }
        if let Some(grid) = self.grid {
            shape.insert(0, grid);
            indices.insert(0, Index::name("i"));
        }
        if self.slip() {
            let place = self.draw.below(indices.len() as u64) as usize;
            indices[place] = Index::Constant(0);
        }
        self.memories.push(Memory { name, element: "i32", shape, held: Held::ByThreads });
        self.layouts.push("");
        let target = Access { memory: self.memories.len() - 1, view: None, indices };
        self.store(target, &value, reads)
    }
}
