//! A tensor in the machine's memory.

use super::error::list;
use super::storage::Storage;
use super::{Element, ElementType, Scalar, TensorError};
use maps::row_major::{self, strides_of};
use std::fmt;

/// Elements of one type at the offsets that a shape and strides say.
///
/// The storage holds every offset from 0 to the largest one, `1 + Σ (dimension - 1) · stride` elements, and starts at a
/// multiple of [`super::ALIGNMENT`] bytes. Elements of the storage that no index reaches are 0 and stay as they are.
/// There is no `Clone`: a copy of a big tensor should be visible ([`Tensor::try_clone`]).
pub struct Tensor {
    element: ElementType,
    shape: Vec<u64>,
    strides: Vec<u64>,
    /// The number of elements that indices reach: the product of the shape.
    len: usize,
    storage: Storage,
}

impl Tensor {
    /// A row-major tensor (the last dimension runs fastest) of zeros, `false` for `bool`.
    pub fn zeros(element: ElementType, shape: &[u64]) -> Result<Tensor, TensorError> {
        let too_large = || TensorError::TooLarge { element, shape: shape.to_vec(), strides: Vec::new() };
        let len = checked_product(shape).ok_or_else(too_large)?;
        // Saturating: with a 0 among the dimensions there is no element, and the others may be as large as they like.
        let strides = strides_of(shape);
        Self::allocate(element, shape, strides, [len, len], too_large)
    }

    /// A tensor of zeros with these strides, in elements, one for each dimension. Strides may be 0 or overlap.
    pub fn strided(element: ElementType, shape: &[u64], strides: &[u64]) -> Result<Tensor, TensorError> {
        if shape.len() != strides.len() {
            return Err(TensorError::StrideCount { shape: shape.to_vec(), strides: strides.to_vec() });
        }
        let too_large = || TensorError::TooLarge { element, shape: shape.to_vec(), strides: strides.to_vec() };
        let len = checked_product(shape).ok_or_else(too_large)?;
        let extent = strided_extent(shape, strides).ok_or_else(too_large)?;
        Self::allocate(element, shape, strides.to_vec(), [len, extent], too_large)
    }

    /// A tensor of so many elements, of which so many are stored; `too_large` is the error where these cannot be counted.
    fn allocate(
        element: ElementType,
        shape: &[u64],
        strides: Vec<u64>,
        [len, stored]: [u64; 2],
        too_large: impl Fn() -> TensorError,
    ) -> Result<Tensor, TensorError> {
        let bytes = stored.checked_mul(element.size_bytes() as u64).ok_or_else(&too_large)?;
        // Rust's allocations end at isize::MAX; a page is kept for the alignment.
        let size = usize::try_from(bytes).ok().filter(|&size| size <= isize::MAX as usize - 4096);
        // With strides of 0 there can be more elements than storage; they must still be countable in bytes.
        let len = usize::try_from(len).ok().filter(|&len| len <= isize::MAX as usize / element.size_bytes());
        let (size, len) = size.zip(len).ok_or_else(&too_large)?;
        let out_of_memory = || TensorError::OutOfMemory { element, shape: shape.to_vec(), bytes };
        let storage = Storage::zeroed(size).ok_or_else(out_of_memory)?;
        Ok(Tensor { element, shape: shape.to_vec(), strides, len, storage })
    }

    /// A row-major tensor with these elements, in row-major order. Fails unless there is one for each index.
    pub fn from_slice<T: Element>(shape: &[u64], elements: &[T]) -> Result<Tensor, TensorError> {
        let mut tensor = Self::zeros(T::TYPE, shape)?;
        if tensor.len != elements.len() {
            return Err(TensorError::ShapesDiffer { left: shape.to_vec(), right: vec![elements.len() as u64] });
        }
        tensor.as_mut_slice::<T>()?.copy_from_slice(elements);
        Ok(tensor)
    }

    /// A copy of the whole storage.
    pub fn try_clone(&self) -> Result<Tensor, TensorError> {
        let mut copy = Self::strided(self.element, &self.shape, &self.strides)?;
        copy.bytes_mut().copy_from_slice(self.bytes());
        Ok(copy)
    }

    /// The type of the elements.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The dimensions, in elements, slowest first for a row-major tensor. A scalar's shape is empty.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The strides, in elements, one for each dimension.
    pub fn strides(&self) -> &[u64] {
        &self.strides
    }

    /// The number of elements that indices reach: the product of the shape.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether a dimension is 0, so that there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of elements in the storage, those that no index reaches included.
    pub fn storage_len(&self) -> usize {
        self.storage.bytes().len() / self.element.size_bytes()
    }

    /// Whether the storage is the elements in row-major order with nothing between them.
    pub fn is_row_major(&self) -> bool {
        let row_major = strides_of(&self.shape);
        self.is_empty()
            || (0..self.shape.len()).all(|axis| self.shape[axis] == 1 || self.strides[axis] == row_major[axis])
    }

    /// All bytes of the storage, in the machine's order.
    pub fn bytes(&self) -> &[u8] {
        self.storage.bytes()
    }

    /// All bytes of the storage, to be written. A `bool` tensor should get only 0 and 1.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.storage.bytes_mut()
    }

    /// The whole storage as elements; for a row-major tensor these are the elements in order.
    pub fn as_slice<T: Element>(&self) -> Result<&[T], TensorError> {
        let count = self.typed_len::<T>()?;
        // SAFETY: the storage starts at a multiple of ALIGNMENT, which T's alignment divides, and holds `count` times
        // T's size in initialised bytes, which `typed_len` found to be values of T.
        Ok(unsafe { std::slice::from_raw_parts(self.bytes().as_ptr().cast(), count) })
    }

    /// The whole storage as elements, to be written.
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T], TensorError> {
        let count = self.typed_len::<T>()?;
        // SAFETY: as in `as_slice`, and `&mut self` makes the access exclusive; any T written is valid bytes.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.bytes_mut().as_mut_ptr().cast(), count) })
    }

    /// The number of `T`s in the storage, if that is what the bytes are.
    fn typed_len<T: Element>(&self) -> Result<usize, TensorError> {
        if self.element != T::TYPE {
            return Err(TensorError::WrongElement { expected: T::TYPE, found: self.element });
        }
        if !T::ANY_BITS
            && let Some(offset) = self.bytes().iter().position(|&byte| !T::is_valid(byte))
        {
            return Err(TensorError::NotBool { offset, byte: self.bytes()[offset] });
        }
        Ok(self.storage_len())
    }

    /// The offset in the storage of an index, in elements; `None` outside the shape or for another rank.
    pub fn offset(&self, index: &[u64]) -> Option<usize> {
        if index.len() != self.shape.len() || index.iter().zip(&self.shape).any(|(i, dimension)| i >= dimension) {
            return None;
        }
        // The largest offset fits a usize (the storage was allocated), so no smaller one overflows.
        Some(index.iter().zip(&self.strides).map(|(i, stride)| (i * stride) as usize).sum())
    }

    /// The element at an index.
    pub fn get(&self, index: &[u64]) -> Result<Scalar, TensorError> {
        self.offset(index).and_then(|offset| self.get_at(offset)).ok_or_else(|| self.outside(index))
    }

    /// Sets the element at an index; the value must have the tensor's element type.
    pub fn set(&mut self, index: &[u64], value: Scalar) -> Result<(), TensorError> {
        let offset = self.offset(index).ok_or_else(|| self.outside(index))?;
        self.set_at(offset, value)
    }

    /// The element at an offset of the storage, in elements.
    pub fn get_at(&self, offset: usize) -> Option<Scalar> {
        let size = self.element.size_bytes();
        let start = offset.checked_mul(size)?;
        let source = self.bytes().get(start..start.checked_add(size)?)?;
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(source);
        Some(Scalar::from_bytes(self.element, bytes))
    }

    /// Sets the element at an offset of the storage, in elements; the value must have the tensor's element type.
    pub fn set_at(&mut self, offset: usize, value: Scalar) -> Result<(), TensorError> {
        if value.element() != self.element {
            return Err(TensorError::WrongScalar { value, expected: self.element });
        }
        let size = self.element.size_bytes();
        let range = offset.checked_mul(size).and_then(|start| Some(start..start.checked_add(size)?));
        match range.and_then(|range| self.storage.bytes_mut().get_mut(range)) {
            Some(target) => target.copy_from_slice(&value.to_bytes()[..size]),
            None => {
                let storage_len = self.storage_len() as u64;
                return Err(TensorError::IndexOutside { index: vec![offset as u64], shape: vec![storage_len] });
            }
        }
        Ok(())
    }

    /// The index of the `linear`-th element in row-major order of the shape. Meaningless beyond [`Tensor::len`].
    pub fn index_of(&self, linear: usize) -> Vec<u64> {
        Walk::new(&self.shape, &self.strides, linear).index
    }

    /// The offsets in the storage of the elements `first .. first + count` in row-major order of the shape.
    ///
    /// The caller keeps the range within [`Tensor::len`]; beyond it the walk ends.
    pub fn offsets(&self, first: usize, count: usize) -> Offsets<'_> {
        let count = count.min(self.len.saturating_sub(first));
        Offsets { tensor: self, walk: Walk::new(&self.shape, &self.strides, first), left: count }
    }

    /// Takes the elements of a tensor of the same shape and element type, whatever the strides of the two.
    pub fn copy_elements_from(&mut self, source: &Tensor) -> Result<(), TensorError> {
        if self.element != source.element {
            return Err(TensorError::WrongElement { expected: self.element, found: source.element });
        }
        if self.shape != source.shape {
            return Err(TensorError::ShapesDiffer { left: self.shape.clone(), right: source.shape.clone() });
        }
        if self.is_row_major() && source.is_row_major() {
            self.bytes_mut().copy_from_slice(source.bytes());
            return Ok(());
        }
        let size = self.element.size_bytes();
        let (shape, strides, len, bytes) = self.parts_mut();
        let mut target = Walk::new(shape, strides, 0);
        for from in source.offsets(0, len) {
            let to = target.offset as usize;
            bytes[to * size..][..size].copy_from_slice(&source.bytes()[from * size..][..size]);
            target.step(shape, strides);
        }
        Ok(())
    }

    fn outside(&self, index: &[u64]) -> TensorError {
        TensorError::IndexOutside { index: index.to_vec(), shape: self.shape.clone() }
    }

    /// The parts a writer of elements needs at once: the shape, the strides, the number of elements, the bytes.
    pub(super) fn parts_mut(&mut self) -> (&[u64], &[u64], usize, &mut [u8]) {
        (&self.shape, &self.strides, self.len, self.storage.bytes_mut())
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.element, list(&self.shape))?;
        if self.is_row_major() { Ok(()) } else { write!(f, " strided {}", list(&self.strides)) }
    }
}

/// The offsets of elements in row-major order; see [`Tensor::offsets`].
pub struct Offsets<'a> {
    tensor: &'a Tensor,
    walk: Walk,
    left: usize,
}

impl Iterator for Offsets<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let offset = self.walk.offset as usize;
        self.walk.step(&self.tensor.shape, &self.tensor.strides);
        Some(offset)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Offsets<'_> {}

/// A position in a tensor that moves in row-major order of the shape.
pub(super) struct Walk {
    index: Vec<u64>,
    /// The offset in the storage, in elements.
    pub(super) offset: u64,
}

impl Walk {
    /// At the `linear`-th element.
    pub(super) fn new(shape: &[u64], strides: &[u64], linear: usize) -> Walk {
        let index = row_major::coordinates(linear as u64, shape);
        let offset = index.iter().zip(strides).map(|(i, stride)| i * stride).sum();
        Walk { index, offset }
    }

    /// On to the next element; from the last one to the first.
    pub(super) fn step(&mut self, shape: &[u64], strides: &[u64]) {
        for axis in (0..shape.len()).rev() {
            self.index[axis] += 1;
            // Wrapping: the stride of a dimension of 1 may be anything, and what is added here is taken back below.
            self.offset = self.offset.wrapping_add(strides[axis]);
            if self.index[axis] < shape[axis] {
                return;
            }
            self.offset = self.offset.wrapping_sub(self.index[axis].wrapping_mul(strides[axis]));
            self.index[axis] = 0;
        }
    }
}

/// The product of the dimensions, `None` beyond 64 bits. A 0 among them makes it 0, however large the others.
pub(crate) fn checked_product(shape: &[u64]) -> Option<u64> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1u64, |product, &dimension| product.checked_mul(dimension))
}

/// `1 + Σ (dimension - 1) · stride`, or 0 where a dimension is 0; `None` beyond 64 bits.
fn strided_extent(shape: &[u64], strides: &[u64]) -> Option<u64> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape
        .iter()
        .zip(strides)
        .try_fold(1u64, |extent, (&dimension, &stride)| extent.checked_add((dimension - 1).checked_mul(stride)?))
}
