//! What compiled code calls to copy tiles.

use super::transposition::Exchange;

/// The operands of a copy. Distances are in bytes.
#[repr(C)]
pub struct Rows {
    pub from: *const u8,
    pub from_row: isize,
    pub from_column: isize,
    pub to: *mut u8,
    pub to_row: isize,
    pub rows: usize,
    pub columns: usize,
    /// The bytes of an element where it is written.
    pub size: usize,
    /// The rows that are copied, and the columns.
    pub inside_rows: usize,
    pub inside_columns: usize,
    /// Whether the other elements become 0.
    pub clears: usize,
}

/// What becomes of the elements of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// They stay as they are.
    Nothing,
    /// They become f32, from this type.
    Widening(Narrow),
}

/// The types that a copy makes wider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// Where the processor has instructions for it ([`half_runs`](crate::cpu::lowering::helpers::half_runs)), which make signalling NaNs quiet.
    F16,
    Bf16,
}

impl Change {
    /// The function that compiled code calls with the address of [`Rows`].
    pub fn copy_rows(self) -> *const u8 {
        match self {
            Change::Nothing => copy_rows as *const u8,
            #[cfg(target_arch = "x86_64")]
            Change::Widening(Narrow::F16) => f16c::widen_rows as *const u8,
            #[cfg(not(target_arch = "x86_64"))]
            Change::Widening(Narrow::F16) => unreachable!("no processor of this kind is known to convert f16"),
            Change::Widening(Narrow::Bf16) => widen_bf16_rows as *const u8,
        }
    }
}

impl Rows {
    /// Copies each row inside, and clears the rest if it has to be.
    ///
    /// # Safety
    /// The elements inside can be read. They can be written, and if the others become 0, so can these; none of those that are
    /// read is written. The function copies a row of so many elements.
    #[inline(always)]
    unsafe fn each_row(&self, copy_row: impl Fn(*const u8, *mut u8, usize)) {
        // SAFETY: the caller guarantees it.
        unsafe {
            for row in 0..self.inside_rows as isize {
                copy_row(self.from.offset(row * self.from_row), self.to.offset(row * self.to_row), self.inside_columns);
            }
            self.clear_outside();
        }
    }

    /// # Safety
    /// As above.
    unsafe fn clear_outside(&self) {
        if self.clears == 0 {
            return;
        }
        for row in 0..self.rows {
            let inside = if row < self.inside_rows { self.inside_columns } else { 0 };
            // SAFETY: the caller guarantees that the elements outside can be written.
            unsafe {
                let first = self.to.offset(row as isize * self.to_row).add(inside * self.size);
                first.write_bytes(0, (self.columns - inside) * self.size);
            }
        }
    }
}

/// Copies a tile.
///
/// # Safety
/// The argument points to rows whose elements inside can be read. They can be written, and if the others become 0, so can these;
/// none of those that are read is written. Where they are read, rows have a distance of one element, or columns have.
unsafe extern "C" fn copy_rows(rows: *const Rows) {
    // SAFETY: the caller guarantees it, also for the parts of the tile.
    unsafe {
        let rows = &*rows;
        let size = rows.size;
        if rows.from_column == size as isize {
            return rows.each_row(|from, to, columns| to.copy_from_nonoverlapping(from, columns * size));
        }
        let Rows { from, from_column, to, to_row, inside_rows, inside_columns, .. } = *rows;
        Exchange { from, from_column, to, to_row, rows: inside_rows, columns: inside_columns }.copy(size);
        rows.clear_outside();
    }
}

/// Copies a tile of bf16 to one of f32.
///
/// # Safety
/// As above; columns have a distance of one element where they are read.
unsafe extern "C" fn widen_bf16_rows(rows: *const Rows) {
    // SAFETY: the caller guarantees it.
    unsafe {
        (*rows).each_row(|from, to, columns| {
            let (from, to) = (from.cast::<u16>(), to.cast::<u32>());
            for place in 0..columns {
                to.add(place).write_unaligned(u32::from(from.add(place).read_unaligned()) << 16);
            }
        });
    }
}

#[cfg(target_arch = "x86_64")]
mod f16c {
    use std::arch::x86_64::{
        _mm_cvtph_ps, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_store_ss, _mm256_cvtph_ps, _mm256_storeu_ps,
    };

    use super::Rows;

    /// The values that one instruction converts.
    const GROUP: usize = 8;

    /// Copies a tile of f16 to one of f32.
    ///
    /// # Safety
    /// As above; the processor has these instructions.
    #[target_feature(enable = "avx,f16c")]
    pub unsafe extern "C" fn widen_rows(rows: *const Rows) {
        // SAFETY: the caller guarantees it.
        unsafe {
            (*rows).each_row(|from, to, columns| {
                let (from, to) = (from.cast::<u16>(), to.cast::<f32>());
                let whole = columns / GROUP * GROUP;
                for place in (0..whole).step_by(GROUP) {
                    let halves = _mm_loadu_si128(from.add(place).cast());
                    _mm256_storeu_ps(to.add(place), _mm256_cvtph_ps(halves));
                }
                for place in whole..columns {
                    let half = _mm_cvtsi32_si128(i32::from(from.add(place).read_unaligned()));
                    _mm_store_ss(to.add(place), _mm_cvtph_ps(half));
                }
            });
        }
    }
}
