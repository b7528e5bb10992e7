//! The layout of the table that compiled code reads.

use kernel::typed::{Kernel, Memory, ParamId, SharedId};

use crate::cpu::phases::phase::BlockArray;

/// The positions of the launch's values in the table of 64-bit words.
#[derive(Clone, Copy, Debug)]
pub struct TableLayout {
    params: usize,
    shared: usize,
}

impl TableLayout {
    /// The layout for a kernel whose blocks have these arrays.
    pub fn new(kernel: &Kernel, arrays: &[BlockArray]) -> TableLayout {
        TableLayout { params: kernel.params.len(), shared: arrays.len() }
    }

    /// The number of a memory: the parameters, then the shared arrays.
    pub fn place(self, memory: Memory) -> usize {
        match memory {
            Memory::Param(param) => param.0 as usize,
            Memory::Shared(array) => self.params + array.0 as usize,
        }
    }

    /// The memory with this number.
    pub fn memory(self, place: usize) -> Memory {
        match place.checked_sub(self.params) {
            None => Memory::Param(ParamId(place as u32)),
            Some(array) => Memory::Shared(SharedId(array as u32)),
        }
    }

    /// The pointer to the fault record.
    pub fn fault_record(self) -> usize {
        0
    }

    /// The base pointer of a memory, or the bits of a scalar.
    pub fn param(self, param: usize) -> usize {
        1 + 2 * param
    }

    /// The number of elements in a tensor's storage.
    pub fn length(self, param: usize) -> usize {
        2 + 2 * param
    }

    /// An entry of the launch table.
    pub fn slot(self, slot: usize) -> usize {
        1 + 2 * (self.params + self.shared) + slot
    }
}
