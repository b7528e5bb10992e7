//! Lowers accesses at positions that an exclusive or turns about, as swizzled layouts have them.
//!
//! Where the lanes count `c, c + 1, …` from a multiple `c` of their number, `(c + lane) ^ k` is `(c ^ k) ^ lane`. So every group of
//! four lanes reaches four neighbouring elements that begin at a multiple of four, in another order; and where the position
//! steps from lane to lane besides, it takes one exclusive or to find each lane's.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

use super::access::Target;
use super::emitter::Emitter;
use super::forms::Form;
use super::half_floats::Nans;
use super::lanes::{Pack, vector_type};
use super::launch_table::LaunchValue;
use super::shape::Swizzle;

impl Emitter<'_, '_> {
    /// Reads one element per lane.
    pub fn load_swizzled(&mut self, target: &Target, offset: &Form, swizzle: Swizzle) -> Pack {
        if swizzle.is_permutation() && has_words(target) {
            let (starts, masks) = self.groups(target, offset, swizzle);
            let (type_, flags) = (vector_type(target.element), self.flags(target.memory));
            let mut vectors = Vec::new();
            for start in starts {
                let vector = self.builder.ins().load(type_, flags, start, 0);
                vectors.push(self.permuted(vector, masks));
            }
            return Pack::Vectors(vectors);
        }
        let addresses = self.swizzled_addresses(target, offset, swizzle);
        let values: Vec<Value> =
            addresses.into_iter().map(|(address, offset)| self.load_from(target, address, offset)).collect();
        self.pack(&values, target.element)
    }

    /// Writes one element per lane, the bits of the target's type.
    pub fn store_swizzled(&mut self, target: &Target, offset: &Form, swizzle: Swizzle, pack: &Pack) {
        if swizzle.is_permutation() && has_words(target) {
            let (starts, masks) = self.groups(target, offset, swizzle);
            let vectors = self.spread(pack, target.element);
            for (start, vector) in starts.into_iter().zip(vectors) {
                let vector = self.permuted(vector, masks);
                self.builder.ins().store(MemFlagsData::new().with_notrap(), vector, start, 0);
            }
            return;
        }
        let addresses = self.swizzled_addresses(target, offset, swizzle);
        for (lane, (address, offset)) in addresses.into_iter().enumerate() {
            let value = self.lane_of(pack, target.element, lane as u32);
            self.store_to(target, address, offset, value, Nans::Any);
        }
    }

    /// The address of the position without the exclusive or, in the first lane, and the exclusive or there.
    fn parts(&mut self, target: &Target, offset: &Form, swizzle: Swizzle) -> (Value, Value) {
        let turned = self.forms.of_id(swizzle.atom);
        let minus = self.forms.launch.multiply(swizzle.coefficient, LaunchValue::Constant(-1));
        let minus = self.forms.scale(&turned, minus);
        let rest = self.forms.add(offset, &minus);
        (self.address(target, &rest), self.atom(swizzle.atom))
    }

    /// The address of each lane's element, with a constant to be added.
    fn swizzled_addresses(&mut self, target: &Target, offset: &Form, swizzle: Swizzle) -> Vec<(Value, i32)> {
        let (rest, first) = self.parts(target, offset, swizzle);
        let addresses = self.lane_addresses(target, rest, swizzle.step);
        let shift = i64::from(target.element.size_bytes().trailing_zeros());
        let mut found = Vec::new();
        for (lane, (address, offset)) in addresses.into_iter().enumerate() {
            let turned = self.builder.ins().bxor_imm_u(first, lane as i64);
            let scaled = self.multiply(turned, swizzle.coefficient);
            let scaled = self.builder.ins().ishl_imm_u(scaled, shift);
            found.push((self.builder.ins().iadd(address, scaled), offset));
        }
        found
    }

    /// The address where each group of four neighbours begins, and the masks that say how they are turned about.
    fn groups(&mut self, target: &Target, offset: &Form, swizzle: Swizzle) -> (Vec<Value>, [Value; 2]) {
        let (rest, first) = self.parts(target, offset, swizzle);
        let mut starts = Vec::new();
        for group in 0..i64::from(self.width() / 4) {
            let turned = self.builder.ins().bxor_imm_u(first, 4 * group);
            let start = self.builder.ins().band_imm_s(turned, -4);
            let bytes = self.builder.ins().ishl_imm_u(start, 2);
            starts.push(self.builder.ins().iadd(rest, bytes));
        }
        let narrow = self.builder.ins().ireduce(types::I32, first);
        let masks = [0, 1].map(|bit| {
            let bit = self.builder.ins().ushr_imm_u(narrow, bit);
            let bit = self.builder.ins().band_imm_u(bit, 1);
            let mask = self.builder.ins().ineg(bit);
            self.builder.ins().splat(types::I32X4, mask)
        });
        (starts, masks)
    }

    /// The lanes of a vector in the order of `lane ^ k`, k of 0 to 3 given by the masks of its bits. It is its own inverse.
    fn permuted(&mut self, vector: Value, [odd, high]: [Value; 2]) -> Value {
        let type_ = self.builder.func.dfg.value_type(vector);
        let [odd, high] = [odd, high].map(|mask| self.seen_as(type_, mask));
        let pairs = self.shuffle(vector, vector, [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11]);
        let vector = self.builder.ins().bitselect(odd, pairs, vector);
        let halves = self.shuffle(vector, vector, [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]);
        self.builder.ins().bitselect(high, halves, vector)
    }
}

/// Whether four elements are the four lanes of one vector in memory.
fn has_words(target: &Target) -> bool {
    target.element.size_bytes() == 4
}
