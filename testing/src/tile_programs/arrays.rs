//! Whole arrays of integers, which is all that the oracle of tiles computes with.

/// An array in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The extents.
    pub shape: Vec<usize>,
    /// The elements, the last index the fastest.
    pub elements: Vec<i32>,
}

impl Array {
    /// The array whose element at an index is what a function says.
    pub fn new(shape: &[usize], mut element: impl FnMut(&[usize]) -> i32) -> Self {
        let elements = indices(shape).map(|index| element(&index)).collect();
        Self { shape: shape.to_vec(), elements }
    }

    /// The element at an index.
    pub fn at(&self, index: &[usize]) -> i32 {
        let number = index.iter().zip(&self.shape).fold(0, |number, (index, extent)| number * extent + index);
        self.elements[number]
    }
}

/// Every index of a shape, in row-major order.
pub fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let shape = shape.to_vec();
    (0..shape.iter().product()).map(move |mut number: usize| {
        let mut index = vec![0; shape.len()];
        for (place, extent) in shape.iter().enumerate().rev() {
            index[place] = number % extent;
            number /= extent;
        }
        index
    })
}

/// The tile of an array with this number, padded with zeros.
pub fn tile_of(array: &Array, number: &[usize], tile: &[usize]) -> Array {
    Array::new(tile, |index| {
        let place: Vec<usize> =
            number.iter().zip(tile).zip(index).map(|((n, extent), index)| n * extent + index).collect();
        if place.iter().zip(&array.shape).all(|(place, extent)| place < extent) { array.at(&place) } else { 0 }
    })
}
