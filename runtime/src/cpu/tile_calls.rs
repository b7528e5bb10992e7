//! Lowers the loops of a tile of threads that add products to sums: one call for each sum.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use elements::ElementType;
use kernel::typed::Memory;
use math::Tile;

use super::access::Target;
use super::emitter::{Emitter, register_type};
use super::forms::{Atom, Digit};
use super::products::{Factor, Initial, TileLoop, TileRegion, TileSum};

impl<'l> Emitter<'l, '_> {
    /// Lowers the loops of all threads in a region.
    pub fn add_products(&mut self, TileRegion { own, tile, arrays }: &TileRegion<'l>) {
        let [low, high] = own.ends.map(|end| self.value(end));
        let distance = self.builder.ins().isub(high, low);
        let runs = self.builder.ins().icmp(IntCC::SignedLessThan, low, high);
        let nothing = self.int(0);
        let steps = self.builder.ins().select(runs, distance, nothing);
        // The factors of the first thread and iteration.
        self.forms.split(tile.digits);
        let first = [Atom::Digit(Digit::High), Atom::Digit(Digit::Low), Atom::Value(own.iterator)];
        let starts = [self.int(tile.ranges[0].start), self.int(tile.ranges[1].start), low];
        for (atom, start) in first.into_iter().zip(starts) {
            let id = self.forms.id(atom);
            let counter = self.counter(id);
            self.builder.def_var(counter, start);
        }
        for (sum, (initial, to)) in tile.sums.iter().zip(arrays) {
            self.scope(|emitter| emitter.add_products_to(tile, sum, (*initial, *to), steps));
        }
        self.forms.unsplit();
    }

    fn add_products_to(&mut self, tile: &TileLoop, sum: &TileSum, (initial, to): (Initial, Memory), steps: Value) {
        let element = self.program.element(sum.head);
        let [rows, columns] = [0, 1].map(|place| tile.ranges[place].end - tile.ranges[place].start);
        let (own_row, zero, one) = (self.int(tile.digits.low), self.int(0), self.int(1));
        let (from, distances) = match initial {
            Initial::Array(memory) => (self.element_of_first_thread(tile, memory, element), [own_row, one]),
            Initial::Uniform(value) => {
                let value = self.value(value);
                let room = self.room(register_type(element).bytes());
                self.builder.ins().store(MemFlagsData::trusted(), value, room, 0);
                (room, [zero, zero])
            }
        };
        let to = self.element_of_first_thread(tile, to, element);
        let [left, left_row, left_step] = self.factor(&sum.left);
        let [right, right_column, right_step] = self.factor(&sum.right);
        let [rows, columns] = [rows, columns].map(|count| self.int(count));
        let words = [
            (offset_of!(Tile<f32>, initial), from),
            (offset_of!(Tile<f32>, initial_row), distances[0]),
            (offset_of!(Tile<f32>, initial_column), distances[1]),
            (offset_of!(Tile<f32>, sums), to),
            (offset_of!(Tile<f32>, sums_row), own_row),
            (offset_of!(Tile<f32>, left), left),
            (offset_of!(Tile<f32>, left_row), left_row),
            (offset_of!(Tile<f32>, left_step), left_step),
            (offset_of!(Tile<f32>, right), right),
            (offset_of!(Tile<f32>, right_column), right_column),
            (offset_of!(Tile<f32>, right_step), right_step),
            (offset_of!(Tile<f32>, rows), rows),
            (offset_of!(Tile<f32>, columns), columns),
            (offset_of!(Tile<f32>, steps), steps),
        ];
        let description = self.room(size_of::<Tile<f32>>() as u32);
        for (place, word) in words {
            self.builder.ins().store(MemFlagsData::trusted(), word, description, place as i32);
        }
        self.call(function(element, sum.fused), &[types::I64], None, &[description]);
    }

    /// The address of the first thread's element in an array with one for each thread.
    fn element_of_first_thread(&mut self, tile: &TileLoop, memory: Memory, element: ElementType) -> Value {
        let first = tile.ranges[0].start * tile.digits.low + tile.ranges[1].start;
        let base = self.base(memory);
        self.builder.ins().iadd_imm_s(base, first * element.size_bytes() as i64)
    }

    /// The address of the first factor, and the distances to the next thread's and the next iteration's.
    fn factor(&mut self, factor: &Factor) -> [Value; 3] {
        let Target { memory, element } = self.target(factor.access);
        let offset = self.offset(factor.access);
        let address = self.address(&Target { memory, element }, &offset);
        [address, self.launch_value(factor.across), self.launch_value(factor.along)]
    }
}

/// The machine code for sums of a type.
fn function(element: ElementType, fused: bool) -> *const u8 {
    let kernels = math::tile_kernels();
    match (element, fused) {
        (ElementType::F32, false) => kernels.f32 as *const u8,
        (ElementType::F32, true) => kernels.fused_f32 as *const u8,
        (ElementType::F64, false) => kernels.f64 as *const u8,
        (ElementType::F64, true) => kernels.fused_f64 as *const u8,
        _ => kernels.i32 as *const u8,
    }
}
