//! Shared arrays and barriers for the builder.

use std::sync::Arc;

use dims::Sym;
use elements::ElementType;
use kernel::typed::{Access, Expr, Memory, Residence, SharedArray, SharedId};
use maps::IndexMap;
use syntax::span::Span;

use super::build::{KernelBuilder, identity};

impl KernelBuilder {
    /// Adds a shared array of which some elements may be read before they are written.
    pub fn cleared_array(&mut self, name: &str, element: ElementType, length: i64) -> SharedId {
        self.kernel.shared.push(SharedArray {
            name: name.into(),
            element,
            shape: vec![Sym::constant(length)],
            length: Sym::constant(length),
            held: Residence::Shared,
            cleared: true,
            exchanged_by: None,
            span: Span::default(),
        })
    }

    /// An access of an element of a shared array.
    pub fn element_of(&self, array: SharedId, index: Expr) -> Access {
        plain_access(Memory::Shared(array), &identity(&self.kernel.shared[array].length), index)
    }

    /// Reads an element of a shared array.
    pub fn read_shared(&self, array: SharedId, index: Expr) -> Expr {
        self.load(self.element_of(array, index))
    }
}

fn plain_access(memory: Memory, map: &Arc<IndexMap>, index: Expr) -> Access {
    Access {
        memory,
        map: map.clone(),
        coordinates: vec![index.clone()],
        offset: index,
        mask: None,
        span: Span::default(),
    }
}
