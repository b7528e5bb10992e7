//! Lowers the loops of a tile of threads that add products to sums: one call for each sum.

use std::mem::offset_of;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use elements::ElementType;
use kernel::typed::Memory;
use math::Tile;

use super::products::{Factor, Initial, TileLoop, TileRegion, TileSum};
use crate::cpu::indices::form::{Atom, Digit, Digits};
use crate::cpu::lowering::access::Target;
use crate::cpu::lowering::emitter::Emitter;
use crate::cpu::vectors::packs::register_type;

impl Emitter<'_, '_> {
    /// Lowers a region that consists of loops that add products. If not all threads are known to run it, it may have to be
    /// lowered in another way as well.
    pub fn tile_region(&mut self, region: &TileRegion<'_>, otherwise: impl FnOnce(&mut Self)) {
        let Some(guard) = &region.guard else { return self.add_products(region, None) };
        self.enter_digits(region.tile.digits, &region.tile.ranges);
        let all = self.scope(|emitter| emitter.holds_in_tile(guard));
        self.forms.unsplit();
        self.branch(
            all,
            |emitter| {
                emitter.add_products(region, None);
                None
            },
            |emitter| {
                otherwise(emitter);
                None
            },
            None,
        );
    }

    /// Splits the threads' ids into rows and columns, and sets their counters to the first thread of these ranges.
    pub fn enter_digits(&mut self, digits: Digits, ranges: &[Range<i64>; 2]) {
        self.forms.split(digits);
        for digit in [Digit::High, Digit::Low] {
            let start = self.int(ranges[digit as usize].start);
            let id = self.forms.id(Atom::Digit(digit));
            let counter = self.counter(id);
            self.builder.def_var(counter, start);
        }
    }

    /// Lowers the loops of all threads of a tile, so many times if the factors of the next time are behind these.
    pub fn add_products(&mut self, region: &TileRegion<'_>, times: Option<Value>) {
        let TileRegion { own, tile, arrays, joint, .. } = region;
        let [low, high] = own.ends.map(|end| self.value(end));
        let distance = self.builder.ins().isub(high, low);
        let runs = self.builder.ins().icmp(IntCC::SignedLessThan, low, high);
        let nothing = self.int(0);
        let mut steps = self.builder.ins().select(runs, distance, nothing);
        if let Some(times) = times {
            steps = self.builder.ins().imul(steps, times);
        }
        // The factors of the first thread and iteration.
        self.enter_digits(tile.digits, &tile.ranges);
        let iterator = self.forms.id(Atom::Value(own.iterator));
        let counter = self.counter(iterator);
        self.builder.def_var(counter, low);
        match joint {
            Some(joint) => self.scope(|emitter| {
                let [rows, columns] = [joint.rows.count(), joint.columns.count()].map(|count| emitter.int(count));
                let words = emitter.factors(&joint.sum, [rows, columns, steps]);
                emitter.add_joint(region, joint, &words);
            }),
            None => {
                for (sum, (initial, to)) in tile.sums.iter().zip(arrays) {
                    self.scope(|emitter| emitter.add_products_to(tile, sum, (*initial, *to), steps));
                }
            }
        }
        self.forms.unsplit();
    }

    /// What describes the factors of a sum to the function that adds their products.
    fn factors(&mut self, sum: &TileSum, [rows, columns, steps]: [Value; 3]) -> Vec<(usize, Value)> {
        let [left, left_row, left_step] = match &sum.left {
            Some(factor) => self.factor(factor),
            None => {
                let (one, zero) = (self.one(self.program.element(sum.head)), self.int(0));
                [self.kept(one), zero, zero]
            }
        };
        let [right, right_column, right_step] = self.factor(&sum.right);
        vec![
            (offset_of!(Tile<f32>, left), left),
            (offset_of!(Tile<f32>, left_row), left_row),
            (offset_of!(Tile<f32>, left_step), left_step),
            (offset_of!(Tile<f32>, right), right),
            (offset_of!(Tile<f32>, right_column), right_column),
            (offset_of!(Tile<f32>, right_step), right_step),
            (offset_of!(Tile<f32>, rows), rows),
            (offset_of!(Tile<f32>, columns), columns),
            (offset_of!(Tile<f32>, steps), steps),
        ]
    }

    fn add_products_to(&mut self, tile: &TileLoop, sum: &TileSum, (initial, to): (Initial, Memory), steps: Value) {
        let element = self.program.element(sum.head);
        let [rows, columns] = [0, 1].map(|place| tile.ranges[place].end - tile.ranges[place].start);
        let (own_row, zero, one) = (self.int(tile.digits.low), self.int(0), self.int(1));
        let (from, distances) = match initial {
            Initial::Array(memory) => (self.element_of_first_thread(tile, memory, element), [own_row, one]),
            Initial::Uniform(value) => {
                let value = self.value(value);
                (self.kept(value), [zero, zero])
            }
        };
        let to = self.element_of_first_thread(tile, to, element);
        let [rows, columns] = [rows, columns].map(|count| self.int(count));
        let mut words = vec![
            (offset_of!(Tile<f32>, initial), from),
            (offset_of!(Tile<f32>, initial_row), distances[0]),
            (offset_of!(Tile<f32>, initial_column), distances[1]),
            (offset_of!(Tile<f32>, sums), to),
            (offset_of!(Tile<f32>, sums_row), own_row),
        ];
        words.extend(self.factors(sum, [rows, columns, steps]));
        let description = self.room(size_of::<Tile<f32>>() as u32);
        for (place, word) in words {
            self.builder.ins().store(MemFlagsData::trusted(), word, description, place as i32);
        }
        self.call(function(element, sum.fused), &[types::I64], &[description]);
    }

    /// The number 1.
    fn one(&mut self, element: ElementType) -> Value {
        match register_type(element) {
            types::F32 => self.builder.ins().f32const(1.0),
            types::F64 => self.builder.ins().f64const(1.0),
            integer => self.builder.ins().iconst(integer, 1),
        }
    }

    /// The address of a value on the stack.
    fn kept(&mut self, value: Value) -> Value {
        let room = self.room(self.builder.func.dfg.value_type(value).bytes());
        self.builder.ins().store(MemFlagsData::trusted(), value, room, 0);
        room
    }

    /// The address of the first thread's element in an array with one for each thread.
    fn element_of_first_thread(&mut self, tile: &TileLoop, memory: Memory, element: ElementType) -> Value {
        let first = tile.ranges[0].start * tile.digits.low + tile.ranges[1].start;
        let base = self.base(memory);
        self.builder.ins().iadd_imm_s(base, first * element.size_bytes() as i64)
    }

    /// The address of the first factor, and the distances to the next thread's and the next iteration's.
    fn factor(&mut self, factor: &Factor) -> [Value; 3] {
        if let Some(in_place) = self.factor_in_place(factor) {
            return in_place;
        }
        let Target { memory, element } = self.target(factor.access);
        let offset = self.offset(factor.access);
        let address = self.address(&Target { memory, element }, &offset);
        [address, self.launch_value(factor.across), self.launch_value(factor.along)]
    }
}

/// The machine code for sums of a type.
pub fn function(element: ElementType, fused: bool) -> *const u8 {
    let kernels = math::tile_kernels();
    match (element, fused) {
        (ElementType::F32, false) => kernels.f32 as *const u8,
        (ElementType::F32, true) => kernels.fused_f32 as *const u8,
        (ElementType::F64, false) => kernels.f64 as *const u8,
        (ElementType::F64, true) => kernels.fused_f64 as *const u8,
        _ => kernels.i32 as *const u8,
    }
}
