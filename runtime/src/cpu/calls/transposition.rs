//! Copies a matrix with its rows and columns exchanged, a small square of it in registers at a time.
//!
//! A square has as many rows as a vector of 16 bytes has elements, `n`. A round interleaves each row `i` with row `i + n / 2`. An
//! element's number, its row times `n` plus its column, is thereby rotated by one bit: so after as many rounds as a column has
//! bits, rows and columns have changed places.

/// Where a matrix lies, and where it goes. Distances are in bytes. The element of row `r` and column `c` is read `c` columns and
/// `r` elements behind the first one, and is written `r` rows and `c` elements behind the first one.
#[derive(Clone, Copy)]
pub struct Exchange {
    pub from: *const u8,
    /// The distance of neighbouring columns where they are read.
    pub from_column: isize,
    pub to: *mut u8,
    /// The distance of neighbouring rows where they are written.
    pub to_row: isize,
    pub rows: usize,
    pub columns: usize,
}

impl Exchange {
    /// Copies elements of so many bytes: 1, 2, 4 or 8.
    ///
    /// # Safety
    /// The elements can be read and written, and none that is read is written.
    #[inline(always)]
    pub unsafe fn copy(&self, size: usize) {
        // SAFETY: the caller guarantees it.
        unsafe {
            match size {
                1 => self.copy_of::<1>(),
                2 => self.copy_of::<2>(),
                4 => self.copy_of::<4>(),
                _ => self.copy_of::<8>(),
            }
        }
    }

    /// # Safety
    /// As above, for elements of `SIZE` bytes.
    unsafe fn copy_of<const SIZE: usize>(&self) {
        let n = VECTOR / SIZE;
        let (whole_rows, whole_columns) = (self.rows / n * n, self.columns / n * n);
        // SAFETY: each element that is copied is one of the matrix.
        unsafe {
            // All of a row is written before the next rows are: lines of the cache are written whole.
            for row in (0..whole_rows).step_by(n) {
                (0..whole_columns).step_by(n).for_each(|column| self.copy_square::<SIZE>(row, column));
                self.copy_each::<SIZE>(row..row + n, whole_columns..self.columns);
            }
            self.copy_each::<SIZE>(whole_rows..self.rows, 0..self.columns);
        }
    }

    /// # Safety
    /// The elements are elements of the matrix, which are as above.
    unsafe fn copy_each<const SIZE: usize>(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) {
        for row in rows {
            for column in columns.clone() {
                // SAFETY: the caller guarantees that the element can be read and written.
                unsafe {
                    let (from, to) = self.element::<SIZE>(row, column);
                    to.copy_from_nonoverlapping(from, SIZE);
                }
            }
        }
    }

    /// Where an element is read, and where it is written.
    ///
    /// # Safety
    /// It is an element of the matrix.
    unsafe fn element<const SIZE: usize>(&self, row: usize, column: usize) -> (*const u8, *mut u8) {
        // SAFETY: both are within what can be read and written.
        unsafe {
            let from = self.from.offset(column as isize * self.from_column).add(row * SIZE);
            (from, self.to.offset(row as isize * self.to_row).add(column * SIZE))
        }
    }

    /// # Safety
    /// The elements from this one on, in as many rows and columns as a vector has elements, are of the matrix.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    unsafe fn copy_square<const SIZE: usize>(&self, row: usize, column: usize) {
        use std::arch::x86_64::{_mm_loadu_si128, _mm_setzero_si128, _mm_storeu_si128};
        let n = VECTOR / SIZE;
        // SAFETY: every x86-64 processor has these instructions. A vector holds elements of one column where it is loaded, and
        // of one row where it is stored.
        unsafe {
            let mut square = [_mm_setzero_si128(); VECTOR];
            for (place, vector) in square.iter_mut().enumerate().take(n) {
                *vector = _mm_loadu_si128(self.element::<SIZE>(row, column + place).0.cast());
            }
            for _ in 0..n.trailing_zeros() {
                let before = square;
                for place in 0..n / 2 {
                    [square[2 * place], square[2 * place + 1]] =
                        interleaved::<SIZE>(before[place], before[place + n / 2]);
                }
            }
            for (place, vector) in square.into_iter().enumerate().take(n) {
                _mm_storeu_si128(self.element::<SIZE>(row + place, column).1.cast(), vector);
            }
        }
    }

    /// # Safety
    /// The elements from this one on, in as many rows and columns as a vector has elements, are of the matrix.
    #[cfg(not(target_arch = "x86_64"))]
    unsafe fn copy_square<const SIZE: usize>(&self, row: usize, column: usize) {
        let n = VECTOR / SIZE;
        // SAFETY: the caller guarantees it.
        unsafe { self.copy_each::<SIZE>(row..row + n, column..column + n) }
    }
}

/// The bytes of a vector.
const VECTOR: usize = 16;

/// The elements of two vectors in turn: those of their first halves, and those of their second halves.
#[cfg(target_arch = "x86_64")]
#[inline]
fn interleaved<const SIZE: usize>(
    a: std::arch::x86_64::__m128i,
    b: std::arch::x86_64::__m128i,
) -> [std::arch::x86_64::__m128i; 2] {
    use std::arch::x86_64::*;
    // SAFETY: every x86-64 processor has these instructions.
    unsafe {
        match SIZE {
            1 => [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)],
            2 => [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)],
            4 => [_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)],
            _ => [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix of `rows` by `columns` numbers of `SIZE` bytes, stored by columns, comes out by rows; what lies between the rows
    /// stays.
    fn is_exchanged<const SIZE: usize>(rows: usize, columns: usize) {
        let (from_column, to_row) = (rows + 3, columns + 5);
        let number = |index: usize| -> [u8; SIZE] { std::array::from_fn(|byte| (index * 7 + byte * 101) as u8) };
        let from: Vec<u8> = (0..columns * from_column).flat_map(number).collect();
        let mut to = vec![0xee; rows * to_row * SIZE];
        let exchange = Exchange {
            from: from.as_ptr(),
            from_column: (from_column * SIZE) as isize,
            to: to.as_mut_ptr(),
            to_row: (to_row * SIZE) as isize,
            rows,
            columns,
        };
        // SAFETY: both vectors hold the whole matrix.
        unsafe { exchange.copy(SIZE) };
        for (index, bytes) in to.chunks(SIZE).enumerate() {
            let (row, column) = (index / to_row, index % to_row);
            let expected = if column < columns { number(column * from_column + row) } else { [0xee; SIZE] };
            assert_eq!(bytes, expected, "row {row}, column {column} of {rows} by {columns}, {SIZE} bytes");
        }
    }

    #[test]
    fn rows_and_columns_change_places_whatever_their_numbers_are() {
        for rows in [1, 2, 3, 4, 7, 8, 16, 17, 33] {
            for columns in [1, 2, 4, 5, 8, 15, 16, 32, 40] {
                is_exchanged::<1>(rows, columns);
                is_exchanged::<2>(rows, columns);
                is_exchanged::<4>(rows, columns);
                is_exchanged::<8>(rows, columns);
            }
        }
    }
}
