//! What compiled code calls for several sums of each thread: see [`joints`](super::joints).

use std::mem::{MaybeUninit, offset_of};

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use elements::ElementType;
use math::{Tile, TileSums};

use super::joints::{Joint, MOST_ELEMENTS, Spread};
use super::products::TileRegion;
use super::tile_calls::function;
use crate::cpu::lowering::emitter::Emitter;

/// The operands of a call.
#[repr(C)]
struct JointSums<N> {
    /// The whole. The call sets where the sums are.
    tile: Tile<N>,
    /// What adds the products.
    add: Option<TileSums<N>>,
    /// Where each part is, by rows and columns.
    parts: *const Part<N>,
    rows: Spread,
    columns: Spread,
}

/// The elements of all threads that are the same part of what each of them has, those of neighbouring columns adjacent.
#[repr(C)]
struct Part<N> {
    initial: *const N,
    sums: *mut N,
}

/// The sums of a call.
#[repr(C, align(64))]
struct Room<N>([MaybeUninit<N>; MOST_ELEMENTS as usize]);

/// The numbers that are moved together.
const LANES: usize = 16;

/// Gathers the sums of all threads, adds the products, and gives the threads their sums.
///
/// # Safety
/// The argument points to the operands. All threads have an element in each part, and [`MOST_ELEMENTS`] is no less than all
/// of them. For the factors of the tile, and what adds the products, [`TileSums`] says what must hold.
unsafe extern "C" fn add_joint<N: Copy>(joint: *const JointSums<N>) {
    let mut room = Room::<N>([MaybeUninit::uninit(); MOST_ELEMENTS as usize]);
    let whole = room.0.as_mut_ptr().cast::<N>();
    // SAFETY: the caller guarantees that the parts are those of all threads, whose places in the room are all different, and
    // that it is large enough.
    unsafe {
        let joint = &*joint;
        let width = joint.tile.columns as isize;
        each_run(joint, |part, place, run| {
            copy_run(part.initial.offset(run.first), 1, whole.offset(place), run.apart, run.count)
        });
        let tile =
            Tile { initial: whole, initial_row: width, initial_column: 1, sums: whole, sums_row: width, ..joint.tile };
        if let Some(add) = joint.add {
            add(&raw const tile);
        }
        each_run(joint, |part, place, run| {
            copy_run(whole.offset(place), run.apart, part.sums.offset(run.first), 1, run.count)
        });
    }
}

/// The elements of a part in one row of threads.
struct Run {
    /// The place of the first one in the part.
    first: isize,
    /// The distance of neighbours in the whole.
    apart: isize,
    count: usize,
}

/// Visits each part of each row of threads, with the place of its first element in the whole.
///
/// # Safety
/// As for [`add_joint`].
#[inline(always)]
unsafe fn each_run<N>(joint: &JointSums<N>, visit: impl Fn(&Part<N>, isize, Run)) {
    let JointSums { rows, columns, .. } = joint;
    let width = joint.tile.columns as i64;
    for row_part in 0..rows.parts {
        for column_part in 0..columns.parts {
            // SAFETY: there are as many parts.
            let part = unsafe { &*joint.parts.offset((row_part * columns.parts + column_part) as isize) };
            for thread in 0..rows.threads {
                let row = thread * rows.threads_apart + row_part * rows.parts_apart;
                let place = row * width + column_part * columns.parts_apart;
                let first = (thread * columns.threads) as isize;
                let run = Run { first, apart: columns.threads_apart as isize, count: columns.threads as usize };
                visit(part, place as isize, run);
            }
        }
    }
}

/// Copies numbers at one distance to places at another one.
///
/// # Safety
/// The numbers can be read, the places be written, and none is both.
#[inline(always)]
unsafe fn copy_run<N: Copy>(from: *const N, from_apart: isize, to: *mut N, to_apart: isize, count: usize) {
    // SAFETY: the caller guarantees it.
    unsafe {
        if from_apart == 1 && to_apart == 1 && count.is_multiple_of(LANES) {
            for first in (0..count).step_by(LANES) {
                let lanes = from.add(first).cast::<[N; LANES]>().read_unaligned();
                to.add(first).cast::<[N; LANES]>().write_unaligned(lanes);
            }
            return;
        }
        for place in 0..count as isize {
            to.offset(place * to_apart).write(from.offset(place * from_apart).read());
        }
    }
}

impl Emitter<'_, '_> {
    /// Adds products to the sums of all threads in one call, to which a tile describes the factors.
    pub fn add_joint(&mut self, region: &TileRegion<'_>, joint: &Joint, tile: &[(usize, Value)]) {
        let element = self.program.element(joint.sum.head);
        let parts = self.room((joint.parts.len() * size_of::<Part<f32>>()) as u32);
        for (place, sum) in joint.parts.iter().enumerate() {
            let (initial, to) = region.arrays[*sum];
            let to = self.base(to);
            let from = initial.array().map_or(to, |from| self.base(from));
            let start = place * size_of::<Part<f32>>();
            for (within, address) in [(offset_of!(Part<f32>, initial), from), (offset_of!(Part<f32>, sums), to)] {
                self.builder.ins().store(MemFlagsData::trusted(), address, parts, (start + within) as i32);
            }
        }
        let description = self.room(size_of::<JointSums<f32>>() as u32);
        let add = self.int(function(element, joint.sum.fused) as usize as i64);
        let mut words = vec![(offset_of!(JointSums<f32>, add), add), (offset_of!(JointSums<f32>, parts), parts)];
        let start = offset_of!(JointSums<f32>, tile);
        words.extend(tile.iter().map(|(place, word)| (start + place, *word)));
        for (start, spread) in
            [(offset_of!(JointSums<f32>, rows), joint.rows), (offset_of!(JointSums<f32>, columns), joint.columns)]
        {
            for (place, number) in [
                (offset_of!(Spread, threads), spread.threads),
                (offset_of!(Spread, threads_apart), spread.threads_apart),
                (offset_of!(Spread, parts), spread.parts),
                (offset_of!(Spread, parts_apart), spread.parts_apart),
            ] {
                words.push((start + place, self.int(number)));
            }
        }
        for (place, word) in words {
            self.builder.ins().store(MemFlagsData::trusted(), word, description, place as i32);
        }
        let call = match element {
            ElementType::F64 => add_joint::<f64> as *const u8,
            ElementType::F32 => add_joint::<f32> as *const u8,
            _ => add_joint::<i32> as *const u8,
        };
        self.call(call, &[types::I64], &[description]);
    }
}
