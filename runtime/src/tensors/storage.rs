//! The memory behind a tensor: zero-initialised, aligned to 64 bytes, never copied.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// The alignment of a tensor's first element in bytes: a cache line, and what the widest vector instructions like.
pub const ALIGNMENT: usize = 64;

/// A block of bytes that starts at a multiple of [`ALIGNMENT`].
pub(super) struct Storage {
    /// The start of the allocation; the bytes begin at the next multiple of [`ALIGNMENT`].
    base: NonNull<u8>,
    /// The first byte that is used.
    start: NonNull<u8>,
    /// The number of bytes that are used, at most `isize::MAX - ALIGNMENT`.
    len: usize,
}

// SAFETY: a `Storage` owns its allocation and gives access to it only through `&self` and `&mut self`.
unsafe impl Send for Storage {}
// SAFETY: see above; shared references only read.
unsafe impl Sync for Storage {}

impl Storage {
    /// `len` zero bytes, or `None` if the allocator refuses.
    ///
    /// The standard library asks the system for pages that are already zero (`calloc`) only for small alignments and
    /// writes zeros itself for large ones. So that big tensors are not touched before they are used, the allocation has
    /// a small alignment and the start is rounded up.
    pub(super) fn zeroed(len: usize) -> Option<Storage> {
        let layout = Self::layout(len)?;
        // SAFETY: the layout's size is at least ALIGNMENT, so it is not zero.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let padding = base.as_ptr().align_offset(ALIGNMENT);
        if padding > ALIGNMENT {
            // `align_offset` may give up (it does not outside of constant evaluation); then there is no storage.
            // SAFETY: `base` was just allocated with this layout.
            unsafe { dealloc(base.as_ptr(), layout) };
            return None;
        }
        // SAFETY: `padding` is at most ALIGNMENT and the allocation has ALIGNMENT bytes more than `len`.
        let start = unsafe { base.add(padding) };
        Some(Storage { base, start, len })
    }

    /// The layout of the whole allocation, `None` where it leaves the address space.
    fn layout(len: usize) -> Option<Layout> {
        Layout::from_size_align(len.checked_add(ALIGNMENT)?, align_of::<u64>()).ok()
    }

    /// All bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: `start` is followed by `len` initialised bytes (zeros at first) that `self` owns.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// All bytes, to be written.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`, and `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.len) {
            // SAFETY: `zeroed` allocated `base` with the layout of the same `len`.
            unsafe { dealloc(self.base.as_ptr(), layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_is_aligned_and_zero() {
        for len in [0, 1, 63, 64, 65, 1 << 20] {
            let mut storage = Storage::zeroed(len).unwrap();
            assert_eq!(storage.bytes().len(), len);
            assert_eq!(storage.bytes().as_ptr() as usize % ALIGNMENT, 0);
            assert!(storage.bytes().iter().all(|&byte| byte == 0));
            storage.bytes_mut().fill(7);
        }
    }

    #[test]
    fn sizes_that_no_machine_has_are_refused() {
        assert!(Storage::zeroed(usize::MAX).is_none());
        assert!(Storage::zeroed(isize::MAX as usize).is_none());
    }
}
