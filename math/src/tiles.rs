//! Sums of products for all elements of a tile: a matrix product whose results are added to numbers that are there.
//!
//! `sums[row][column] = initial[row][column] + left[row][0] · right[0][column] + left[row][1] · right[1][column] + …`,
//! in this order. As many sums as the registers hold are computed together: each number of `right` that is loaded is
//! used for several rows, and each number of `left` for a whole vector of columns. Each sum is a chain of its own, so
//! its bits do not depend on the instruction set, nor on how many others are computed with it.

use std::mem::MaybeUninit;

/// The operands and the results. Distances are counted in numbers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tile<N> {
    /// The number of the first row and column to which products are added.
    pub initial: *const N,
    /// The distance of the next row of initial numbers.
    pub initial_row: isize,
    /// The distance of the next column.
    pub initial_column: isize,
    /// The sum of the first row and column. The columns of a row are adjacent.
    pub sums: *mut N,
    /// The distance of the next row of sums.
    pub sums_row: isize,
    /// The left factor of the first row and step.
    pub left: *const N,
    /// The distance of the next row of left factors.
    pub left_row: isize,
    /// The distance of the left factor of the next step.
    pub left_step: isize,
    /// The right factor of the first column and step.
    pub right: *const N,
    /// The distance of the next column of right factors.
    pub right_column: isize,
    /// The distance of the right factor of the next step.
    pub right_step: isize,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The number of products in each sum.
    pub steps: usize,
}

/// Computes the sums of a tile.
///
/// # Safety
///
/// The argument points to a tile. Its initial numbers and its factors can be read, and its sums written. The sums
/// overlap no factor; they overlap initial numbers only if these are the numbers that the sums replace.
pub type TileSums<N> = unsafe extern "C" fn(tile: *const Tile<N>);

/// How a product is added to a sum.
pub trait Addition {
    /// The type of the numbers.
    type Number: Copy;
    /// The sum with the product added.
    fn add_product(sum: Self::Number, left: Self::Number, right: Self::Number) -> Self::Number;
}

/// The products and the sums are rounded.
pub struct Rounded<N>(N);
/// Only the sums are rounded.
pub struct Fused<N>(N);
/// Products and sums wrap.
pub struct Wrapping<N>(N);

macro_rules! additions {
    ($($addition:ident<$number:ident>: |$sum:ident, $left:ident, $right:ident| $next:expr;)*) => {$(
        impl Addition for $addition<$number> {
            type Number = $number;
            #[inline(always)]
            fn add_product($sum: $number, $left: $number, $right: $number) -> $number {
                $next
            }
        }
    )*};
}

additions! {
    Rounded<f32>: |sum, left, right| sum + left * right;
    Rounded<f64>: |sum, left, right| sum + left * right;
    Fused<f32>: |sum, left, right| left.mul_add(right, sum);
    Fused<f64>: |sum, left, right| left.mul_add(right, sum);
    Wrapping<i32>: |sum, left, right| sum.wrapping_add(left.wrapping_mul(right));
}

/// The most steps for which right factors are copied at a time.
const COPIED_STEPS: usize = 128;

/// The panels of right factors that are copied together: left factors that were loaded for one serve the others from the first
/// cache.
const TOGETHER: usize = 2;

/// Numbers at a distance of a multiple of this many bytes share a few places of a processor's first cache.
const BYTES_OF_PAGE: usize = 4096;

/// The bytes of a cache line.
const BYTES_OF_LINE: usize = 64;

/// Computes the sums of a tile, `ROWS × PANEL` of them at a time, and `ROWS × LANES` of the columns that are left: `LANES`
/// numbers are a widest vector. Of fewer rows, `WIDE` columns are computed at a time.
///
/// # Safety
///
/// As for [`TileSums`].
#[inline(always)]
pub unsafe fn add_products<
    A: Addition,
    const ROWS: usize,
    const PANEL: usize,
    const LANES: usize,
    const WIDE: usize,
>(
    tile: &Tile<A::Number>,
) {
    // SAFETY: every part below is inside the tile, which the caller vouches for; copies are in local arrays.
    unsafe {
        let begun = begin(tile);
        let tile = &begun;
        let mut first = 0;
        if tile.rows < ROWS && tile.right_column == 1 {
            first = add_to_panels::<A, 1, WIDE>(tile, first, false);
        }
        let is_copied = tile.right_column != 1 || tile.rows >= 2 * ROWS && tile.has_distant_steps();
        first = add_to_panels::<A, ROWS, PANEL>(tile, first, is_copied);
        let whole = add_to_panels::<A, ROWS, LANES>(tile, first, is_copied);
        let rest = tile.columns - whole;
        if rest > 0 {
            add_to_narrow_panel::<A, ROWS, LANES>(&tile.panel(whole), rest);
        }
    }
}

/// Adds the products of the panels of `LANES` columns from a column on, if need be after copying their right factors. Returns
/// the first column behind them.
#[inline(always)]
unsafe fn add_to_panels<A: Addition, const ROWS: usize, const LANES: usize>(
    tile: &Tile<A::Number>,
    first: usize,
    is_copied: bool,
) -> usize {
    let end = tile.columns - (tile.columns - first) % LANES;
    let mut column = first;
    while column < end {
        // SAFETY: the columns are in the tile.
        unsafe {
            let panel = tile.panel(column);
            if !is_copied {
                add_to_panel::<A, ROWS, LANES>(&panel);
            } else if end - column >= TOGETHER * LANES {
                add_copied::<A, ROWS, LANES, TOGETHER>(&panel, LANES);
                column += (TOGETHER - 1) * LANES;
            } else {
                add_copied::<A, ROWS, LANES, 1>(&panel, LANES);
            }
        }
        column += LANES;
    }
    end
}

impl<N: Copy> Tile<N> {
    /// Whether the right factors of neighbouring steps push each other out of the cache before other rows use them. Copies of
    /// them do not.
    fn has_distant_steps(&self) -> bool {
        let distance = self.right_step.unsigned_abs().wrapping_mul(size_of::<N>());
        let beyond = distance.wrapping_add(BYTES_OF_LINE) % BYTES_OF_PAGE;
        distance > BYTES_OF_LINE && beyond <= 2 * BYTES_OF_LINE
    }

    /// The tile whose sums are the initial numbers.
    #[inline(always)]
    fn going_on(&self) -> Tile<N> {
        Tile { initial: self.sums.cast_const(), initial_row: self.sums_row, initial_column: 1, ..*self }
    }

    /// The tile from a column on.
    #[inline(always)]
    unsafe fn panel(&self, column: usize) -> Tile<N> {
        let column = column as isize;
        // SAFETY: the caller asks for a column of this tile.
        unsafe {
            let (sums, right) = (self.sums.offset(column), self.right.offset(column * self.right_column));
            Tile { initial: self.initial.offset(column), sums, right, ..*self }
        }
    }
}

/// The tile with initial numbers whose columns are adjacent: where they are not, all sums are set to them.
#[inline(always)]
unsafe fn begin<N: Copy>(tile: &Tile<N>) -> Tile<N> {
    let Tile { initial, initial_row, initial_column, sums, sums_row, .. } = *tile;
    if initial_column == 1 {
        return *tile;
    }
    for row in 0..tile.rows as isize {
        // SAFETY: the rows and columns of the tile. Initial numbers that the sums replace were no reason to come here.
        unsafe {
            let (to, from) = (sums.offset(row * sums_row), initial.offset(row * initial_row));
            match initial_column {
                0 => std::slice::from_raw_parts_mut(to, tile.columns).fill(*from),
                _ => (0..tile.columns as isize)
                    .for_each(|column| *to.offset(column) = *from.offset(column * initial_column)),
            }
        }
    }
    tile.going_on()
}

/// Adds the products of the first `LANES` columns, whose right factors are adjacent.
#[inline(always)]
unsafe fn add_to_panel<A: Addition, const ROWS: usize, const LANES: usize>(tile: &Tile<A::Number>) {
    // SAFETY: the caller guarantees it.
    unsafe { add_to_panels_alike::<A, ROWS, LANES, 1>(&[*tile]) };
}

/// The same for panels with the same rows and left factors.
#[inline(always)]
unsafe fn add_to_panels_alike<A: Addition, const ROWS: usize, const LANES: usize, const PANELS: usize>(
    panels: &[Tile<A::Number>; PANELS],
) {
    let rows = panels[0].rows;
    let whole = rows - rows % ROWS;
    // SAFETY: the groups of rows are in the tile.
    unsafe {
        for row in (0..whole).step_by(ROWS) {
            for panel in panels {
                add_to_rows::<A, ROWS, LANES>(panel, row);
            }
        }
        for row in whole..rows {
            for panel in panels {
                add_to_rows::<A, 1, LANES>(panel, row);
            }
        }
    }
}

/// The same for `ROWS` rows. The sums are in registers.
#[inline(always)]
unsafe fn add_to_rows<A: Addition, const ROWS: usize, const LANES: usize>(tile: &Tile<A::Number>, first: usize) {
    let Tile { sums_row, left_row, left_step, right, right_step, .. } = *tile;
    let first = first as isize;
    // SAFETY: the rows and the first lanes of the tile, as the caller guarantees.
    unsafe {
        let (sums, left) = (tile.sums.offset(first * sums_row), tile.left.offset(first * left_row));
        let initial = tile.initial.offset(first * tile.initial_row);
        let row_of_sums = |row: usize| sums.offset(row as isize * sums_row).cast::<[A::Number; LANES]>();
        let row_of_initial = |row: usize| initial.offset(row as isize * tile.initial_row).cast::<[A::Number; LANES]>();
        let mut own: [[A::Number; LANES]; ROWS] = std::array::from_fn(|row| row_of_initial(row).read());
        for step in 0..tile.steps as isize {
            let right = right.offset(step * right_step).cast::<[A::Number; LANES]>().read();
            for (row, own) in own.iter_mut().enumerate() {
                let left = *left.offset(row as isize * left_row + step * left_step);
                for (sum, right) in own.iter_mut().zip(right) {
                    *sum = A::add_product(*sum, left, right);
                }
            }
        }
        for (row, own) in own.into_iter().enumerate() {
            row_of_sums(row).write(own);
        }
    }
}

/// Right factors that were copied, so that those of one step are adjacent.
#[repr(align(64))]
struct Copied<N, const LANES: usize>([[MaybeUninit<N>; LANES]; COPIED_STEPS]);

/// Adds the products of some panels of `LANES` columns after copying the right factors; of the columns of each, the first
/// `columns` are in the tile, and the others are repetitions of its first one.
#[inline(always)]
unsafe fn add_copied<A: Addition, const ROWS: usize, const LANES: usize, const PANELS: usize>(
    tile: &Tile<A::Number>,
    columns: usize,
) {
    let mut copied = [const { Copied::<A::Number, LANES>([[MaybeUninit::uninit(); LANES]; COPIED_STEPS]) }; PANELS];
    // Without any product, sums become their initial numbers all the same.
    for first in (0..tile.steps.max(1)).step_by(COPIED_STEPS) {
        let steps = COPIED_STEPS.min(tile.steps - first);
        // SAFETY: the steps from `first` on and the columns are in the tile; all lanes of the steps are written before
        // they are read.
        unsafe {
            let begun = if first == 0 { *tile } else { tile.going_on() };
            let left = tile.left.offset(first as isize * tile.left_step);
            let right = tile.right.offset(first as isize * tile.right_step);
            let part = Tile { left, right, steps, ..begun };
            if tile.right_column == 1 && columns == LANES {
                // All of a row is copied before the next one, which may be in another page.
                for step in 0..steps {
                    let row = right.offset(step as isize * tile.right_step).cast::<[MaybeUninit<A::Number>; LANES]>();
                    for (panel, copied) in copied.iter_mut().enumerate() {
                        copied.0[step] = row.add(panel).read();
                    }
                }
            } else {
                for (panel, copied) in copied.iter_mut().enumerate() {
                    copy_right(&part.panel(panel * LANES), columns, &mut copied.0[..steps]);
                }
            }
            let panels: [Tile<A::Number>; PANELS] = std::array::from_fn(|panel| {
                let right = copied[panel].0.as_ptr().cast::<A::Number>();
                Tile { right, right_column: 1, right_step: LANES as isize, ..part.panel(panel * LANES) }
            });
            add_to_panels_alike::<A, ROWS, LANES, PANELS>(&panels);
        }
    }
}

/// Copies the right factors of the first columns of a tile one by one.
#[inline(always)]
unsafe fn copy_right<N: Copy, const LANES: usize>(
    tile: &Tile<N>,
    columns: usize,
    copied: &mut [[MaybeUninit<N>; LANES]],
) {
    // SAFETY: there are as many steps and columns in the tile.
    unsafe {
        for (step, lanes) in copied.iter_mut().enumerate() {
            let start = tile.right.offset(step as isize * tile.right_step);
            for (lane, number) in lanes.iter_mut().enumerate() {
                let column = if lane < columns { lane as isize } else { 0 };
                number.write(*start.offset(column * tile.right_column));
            }
        }
    }
}

/// Adds the products of fewer columns than a vector has lanes, a group of rows after the other.
#[inline(always)]
unsafe fn add_to_narrow_panel<A: Addition, const ROWS: usize, const LANES: usize>(
    tile: &Tile<A::Number>,
    columns: usize,
) {
    for first in (0..tile.rows).step_by(GROUP) {
        let rows = GROUP.min(tile.rows - first);
        let first = first as isize;
        // SAFETY: the rows and columns are in the tile.
        unsafe {
            let sums = tile.sums.offset(first * tile.sums_row);
            let initial = tile.initial.offset(first * tile.initial_row);
            // Lanes without a column start with some number of the tile.
            let mut lanes = [[*initial; LANES]; GROUP];
            for (row, lanes) in lanes[..rows].iter_mut().enumerate() {
                let from = initial.offset(row as isize * tile.initial_row);
                (0..columns).for_each(|column| lanes[column] = *from.add(column));
            }
            let left = tile.left.offset(first * tile.left_row);
            let own = lanes.as_mut_ptr().cast::<A::Number>();
            let part = Tile { left, sums: own, sums_row: LANES as isize, rows, ..*tile }.going_on();
            add_copied::<A, ROWS, LANES, 1>(&part, columns);
            for (row, lanes) in lanes[..rows].iter().enumerate() {
                let to = sums.offset(row as isize * tile.sums_row);
                (0..columns).for_each(|column| *to.add(column) = lanes[column]);
            }
        }
    }
}

/// The most rows of a narrow panel that are computed together.
const GROUP: usize = 32;

/// The functions of one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct TileKernels {
    /// Products and sums of `f32`, each rounded.
    pub f32: TileSums<f32>,
    /// Products and sums of `f64`, each rounded.
    pub f64: TileSums<f64>,
    /// Products added to sums of `f32` with one rounding.
    pub fused_f32: TileSums<f32>,
    /// Products added to sums of `f64` with one rounding.
    pub fused_f64: TileSums<f64>,
    /// Products and sums of integers of 32 bits, signed or not, which wrap.
    pub i32: TileSums<i32>,
}
