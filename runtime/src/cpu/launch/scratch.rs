//! The memory of a block: its shared arrays, and its variables that live across barriers.
//!
//! A worker runs one block after the other, so each worker has one such memory.

use kernel::typed::{Kernel, Memory, SharedId};

use super::table_layout::TableLayout;
use crate::cpu::phases::phase::{ArrayLength, BlockArray};
use crate::execute::error::ExecuteError;

/// The alignment of arrays: a cache line.
pub const LINE: usize = 64;

/// Memory of the size and alignment of a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    _bytes: [u8; LINE],
}

/// The memory of one worker's blocks.
pub struct Scratch {
    /// Accessed by compiled code only.
    lines: Vec<Line>,
    /// The first line of each array, and its number of elements.
    places: Vec<(usize, u64)>,
}

/// The first line of each array, and the line after the last, in blocks of this many threads: `None` after an array
/// whose size is unknown or too large.
pub fn first_lines(arrays: &[BlockArray], threads: Option<i64>) -> Vec<Option<usize>> {
    let mut places = vec![Some(0)];
    for array in arrays {
        let bytes = length(*array, threads).and_then(|length| length.checked_mul(array.element.size_bytes()));
        let next = places.last().copied().flatten().zip(bytes);
        places.push(next.and_then(|(first, bytes): (usize, usize)| first.checked_add(bytes.div_ceil(LINE))));
    }
    places
}

/// The number of elements of an array.
fn length(array: BlockArray, threads: Option<i64>) -> Option<usize> {
    match array.length {
        ArrayLength::Elements(length) => usize::try_from(length).ok(),
        ArrayLength::PerThread => usize::try_from(threads?).ok(),
    }
}

impl Scratch {
    /// Zeroed memory for these arrays in blocks of this many threads.
    pub fn new(kernel: &Kernel, arrays: &[BlockArray], threads: i64) -> Result<Scratch, ExecuteError> {
        let mut lines = first_lines(arrays, Some(threads));
        let Some(all) = lines.pop().flatten() else { return Err(too_large(kernel, usize::MAX)) };
        let place = |(line, array): (Option<usize>, &BlockArray)| {
            Some((line?, u64::try_from(length(*array, Some(threads))?).ok()?))
        };
        let places = lines.into_iter().zip(arrays).filter_map(place).collect();
        let mut memory = Vec::new();
        memory.try_reserve_exact(all).map_err(|_| too_large(kernel, all))?;
        memory.resize(all, Line { _bytes: [0; LINE] });
        Ok(Scratch { lines: memory, places })
    }

    /// Writes the addresses and lengths of the arrays into a launch's table.
    pub fn enter(&mut self, layout: TableLayout, table: &mut [u64]) {
        let base = self.lines.as_mut_ptr();
        for (number, &(line, length)) in self.places.iter().enumerate() {
            let place = layout.place(Memory::Shared(SharedId(number as u32)));
            table[layout.param(place)] = base.wrapping_add(line) as u64;
            table[layout.length(place)] = length;
        }
    }
}

fn too_large(kernel: &Kernel, lines: usize) -> ExecuteError {
    ExecuteError::BlockMemory { kernel: kernel.name.to_string(), bytes: lines.saturating_mul(LINE) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dims::Sym;
    use elements::ElementType;
    use testing::build::KernelBuilder;

    /// A block whose arrays exceed the memory is refused, with their size.
    #[test]
    fn a_block_that_needs_too_much_memory_is_refused() {
        let kernel = KernelBuilder::new("huge", Sym::one(), Sym::one()).finish(Vec::new());
        let array = BlockArray { element: ElementType::I64, length: ArrayLength::Elements(1 << 58), cleared: false };
        let error = Scratch::new(&kernel, &[array], 1).err().unwrap().to_string();
        assert!(error.starts_with("a block of kernel huge needs 2305843009213693952 bytes of memory"), "{error}");
    }
}
