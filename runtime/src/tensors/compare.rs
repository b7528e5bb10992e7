//! Compares the results of a kernel with the expected ones.

use super::element::with_element;
use super::{Element, Scalar, Tensor, TensorError};
use rayon::prelude::*;

/// The first element that differs from the expected one.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// Its index, one number for each dimension.
    pub index: Vec<u64>,
    /// The expected value.
    pub expected: Scalar,
    /// The actual value.
    pub actual: Scalar,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The first element, in row-major order, that differs by more than the tolerance.
    pub first_mismatch: Option<Mismatch>,
    /// How many elements differ by more than the tolerance.
    pub mismatches: u64,
    /// The largest |actual - expected| over all elements, including those within the tolerance. Infinite if a NaN or an
    /// infinity is compared with another value.
    pub max_error: f64,
}

/// Compares two tensors element by element; the strides may differ, the shapes must not.
///
/// Integers and `bool` must be equal. If either type is a float, elements agree when `|a - e| <= tolerance · max(1, |e|)`
/// with a the actual and e the expected value, both as `f64`: an absolute tolerance for small values, a relative one for
/// large ones. NaN agrees with NaN, an infinity with the same infinity, 0 with -0. The element types may differ (an
/// expectation computed in `f64`, say).
pub fn compare(actual: &Tensor, expected: &Tensor, tolerance: f64) -> Result<Comparison, TensorError> {
    if actual.shape() != expected.shape() {
        return Err(TensorError::ShapesDiffer { left: actual.shape().to_vec(), right: expected.shape().to_vec() });
    }
    let same_type = actual.element() == expected.element();
    let found = if same_type && actual.is_row_major() && expected.is_row_major() {
        with_element!(actual.element(), T => compare_slices::<T>(actual, expected, tolerance)?)
    } else {
        pieces(actual.len(), |first, count| {
            let mut piece = Piece::default();
            let offsets = actual.offsets(first, count).zip(expected.offsets(first, count));
            for (position, (a, e)) in offsets.enumerate() {
                if let (Some(a), Some(e)) = (actual.get_at(a), expected.get_at(e)) {
                    piece.take(first + position, difference(a, e), allowed(a, e, tolerance));
                }
            }
            piece
        })
    };
    let first_mismatch = match found.first {
        None => None,
        Some(linear) => {
            let index = actual.index_of(linear);
            Some(Mismatch { expected: expected.get(&index)?, actual: actual.get(&index)?, index })
        }
    };
    Ok(Comparison { first_mismatch, mismatches: found.count, max_error: found.max_error })
}

/// The first element that differs by more than the tolerance; see [`compare`].
pub fn first_mismatch(actual: &Tensor, expected: &Tensor, tolerance: f64) -> Result<Option<Mismatch>, TensorError> {
    Ok(compare(actual, expected, tolerance)?.first_mismatch)
}

/// The findings in a part of the elements.
#[derive(Default)]
struct Piece {
    first: Option<usize>,
    count: u64,
    max_error: f64,
}

impl Piece {
    fn take(&mut self, linear: usize, error: f64, allowed: f64) {
        self.max_error = self.max_error.max(error);
        // With a NaN tolerance only equal values are accepted.
        if error != 0.0 && (error > allowed || allowed.is_nan()) {
            self.first = self.first.or(Some(linear));
            self.count += 1;
        }
    }

    /// Combines the findings of two adjacent parts.
    fn then(self, next: Piece) -> Piece {
        Piece {
            first: self.first.or(next.first),
            count: self.count + next.count,
            max_error: self.max_error.max(next.max_error),
        }
    }
}

/// Compares `0 .. len` in pieces, possibly in parallel, and combines the findings in order.
fn pieces(len: usize, piece: impl Fn(usize, usize) -> Piece + Sync) -> Piece {
    const SIZE: usize = 1 << 15;
    let run = |k: usize| piece(k * SIZE, SIZE.min(len - k * SIZE));
    (0..len.div_ceil(SIZE)).into_par_iter().map(run).reduce(Piece::default, Piece::then)
}

fn compare_slices<T: Element>(actual: &Tensor, expected: &Tensor, tolerance: f64) -> Result<Piece, TensorError> {
    let actual = actual.as_slice::<T>()?;
    let expected = expected.as_slice::<T>()?;
    Ok(pieces(actual.len(), |first, count| {
        let mut piece = Piece::default();
        let both = actual[first..first + count].iter().zip(&expected[first..first + count]);
        for (k, (&a, &e)) in both.enumerate() {
            if a != e {
                let (a, e) = (a.to_scalar(), e.to_scalar());
                piece.take(first + k, difference(a, e), allowed(a, e, tolerance));
            }
        }
        piece
    }))
}

/// |actual - expected|; infinite if that is NaN and the values differ.
fn difference(actual: Scalar, expected: Scalar) -> f64 {
    if let (Some(actual), Some(expected)) = (actual.to_i128(), expected.to_i128()) {
        return (actual - expected).unsigned_abs() as f64;
    }
    if actual.same(expected) {
        return 0.0;
    }
    let difference = (actual.to_f64() - expected.to_f64()).abs();
    if difference.is_nan() { f64::INFINITY } else { difference }
}

/// The allowed difference: 0 between integers, and for infinite or NaN values.
fn allowed(actual: Scalar, expected: Scalar, tolerance: f64) -> f64 {
    let exact = !actual.element().is_float() && !expected.element().is_float();
    let expected = expected.to_f64();
    // Otherwise an expected infinity would allow any value.
    if exact || !expected.is_finite() { 0.0 } else { tolerance * expected.abs().max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::super::{ElementType, Initial};
    use super::*;

    fn floats(values: &[f32]) -> Tensor {
        Tensor::from_slice(&[values.len() as u64], values).unwrap()
    }

    #[test]
    fn the_tolerance_is_absolute_below_one_and_relative_above() {
        let differs = |a: f32, e: f32, tolerance| compare(&floats(&[a]), &floats(&[e]), tolerance).unwrap().mismatches;
        assert_eq!(differs(0.01, 0.0, 0.01), 0);
        assert_eq!(differs(0.011, 0.0, 0.01), 1);
        assert_eq!(differs(1009.0, 1000.0, 0.01), 0);
        assert_eq!(differs(1011.0, 1000.0, 0.01), 1);
        assert_eq!(differs(f32::NAN, f32::NAN, 0.0), 0);
        assert_eq!(differs(f32::NAN, 1.0, 1e9), 1);
        assert_eq!(differs(1.0, f32::NAN, 1e9), 1);
        assert_eq!(differs(1.0, f32::INFINITY, 1e9), 1);
        assert_eq!(differs(f32::INFINITY, 1.0, 1e9), 1);
        assert_eq!(differs(f32::INFINITY, f32::NEG_INFINITY, f64::INFINITY), 1);
        assert_eq!(differs(f32::INFINITY, f32::INFINITY, 0.0), 0);
        assert_eq!(differs(0.0, -0.0, 0.0), 0);
        assert_eq!(differs(1.0, 1.5, f64::NAN), 1);
    }

    #[test]
    fn the_first_mismatch_is_the_first_in_row_major_order() {
        let shape = [3, 100_000];
        let expected = Tensor::initial(ElementType::I32, &shape, Initial::Arange).unwrap();
        let mut actual = expected.try_clone().unwrap();
        assert_eq!(compare(&actual, &expected, 0.0).unwrap().first_mismatch, None);
        actual.set(&[2, 5], Scalar::I32(-1)).unwrap();
        actual.set(&[1, 77_777], Scalar::I32(0)).unwrap();
        let comparison = compare(&actual, &expected, 1e9).unwrap();
        assert_eq!(
            comparison.first_mismatch,
            Some(Mismatch { index: vec![1, 77_777], expected: Scalar::I32(177_777), actual: Scalar::I32(0) })
        );
        assert_eq!((comparison.mismatches, comparison.max_error), (2, 200_006.0));
    }

    #[test]
    fn strides_and_types_may_differ() {
        let mut transposed = Tensor::strided(ElementType::F16, &[3, 4], &[1, 3]).unwrap();
        transposed.fill(Initial::Arange).unwrap();
        let mut wide = Tensor::initial(ElementType::F64, &[3, 4], Initial::Arange).unwrap();
        assert_eq!(compare(&transposed, &wide, 0.0).unwrap().mismatches, 0);
        wide.set(&[2, 1], Scalar::F64(9.5)).unwrap();
        let comparison = compare(&transposed, &wide, 0.01).unwrap();
        assert_eq!(comparison.first_mismatch.unwrap().index, [2, 1]);
        assert_eq!(comparison.max_error, 0.5);
    }

    #[test]
    fn integers_are_exact_even_beyond_f64() {
        let left = Tensor::from_slice(&[1], &[u64::MAX]).unwrap();
        let right = Tensor::from_slice(&[1], &[u64::MAX - 1]).unwrap();
        let comparison = compare(&left, &right, 1.0).unwrap();
        assert_eq!((comparison.mismatches, comparison.max_error), (1, 1.0));
        let other_shape = Tensor::zeros(ElementType::U64, &[1, 1]).unwrap();
        assert_eq!(compare(&left, &other_shape, 0.0).unwrap_err().to_string(), "the shapes differ: [1] and [1, 1]");
    }
}
