//! Lowers accesses of swizzled layouts: positions with an exclusive or.
//!
//! If the lanes count `c, c + 1, …` from a multiple `c` of their number, and `k` is uniform, then `(c + lane) ^ k` is
//! `(c ^ high) + (low ^ lane)`, where `low` is the remainder of `k` by the number of lanes and `high` is the rest of `k`.
//! Only the first part changes from group to group, so the second is computed before the loop: the place of each lane's
//! element, or, if the lanes of each vector access adjacent elements in another order, the places of the vectors and
//! the permutation within them.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};

use super::access::Target;
use super::emitter::Emitter;
use super::half_floats::Nans;
use crate::cpu::indices::form::{Atom, AtomId, Form};
use crate::cpu::indices::shape::Swizzle;
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::vectors::packs::{Pack, vector_type};

impl Emitter<'_, '_> {
    /// Loads one element per lane.
    pub fn load_swizzled(&mut self, target: &Target, offset: &Form, swizzle: Swizzle) -> Pack {
        let places = self.places(target, offset, swizzle);
        if is_turned_in_vectors(target, swizzle) {
            let (type_, flags) = (vector_type(target.element), self.flags(target.memory));
            let order = self.order_in_group(&places, type_);
            let load = |emitter: &mut Self, start| emitter.builder.ins().load(type_, flags, start, 0);
            let starts = self.groups(&places, type_);
            let vectors = starts.into_iter().map(|start| load(self, start)).collect::<Vec<Value>>();
            return Pack::Vectors(vectors.into_iter().map(|vector| self.permuted(vector, order)).collect());
        }
        let addresses = self.swizzled_addresses(target, &places, swizzle);
        let values: Vec<Value> =
            addresses.into_iter().map(|(address, offset)| self.load_from(target, address, offset)).collect();
        self.pack(&values, target.element)
    }

    /// Stores one element per lane, given as bits of the target's type.
    pub fn store_swizzled(&mut self, target: &Target, offset: &Form, swizzle: Swizzle, pack: &Pack) {
        let places = self.places(target, offset, swizzle);
        if is_turned_in_vectors(target, swizzle) {
            let type_ = vector_type(target.element);
            let order = self.order_in_group(&places, type_);
            let vectors = self.spread(pack, target.element);
            for (start, vector) in self.groups(&places, type_).into_iter().zip(vectors) {
                let vector = self.permuted(vector, order);
                self.builder.ins().store(MemFlagsData::new().with_notrap(), vector, start, 0);
            }
            return;
        }
        let addresses = self.swizzled_addresses(target, &places, swizzle);
        for (lane, (address, offset)) in addresses.into_iter().enumerate() {
            let value = self.lane_of(pack, target.element, lane as u32);
            self.store_to(target, address, offset, value, Nans::Any);
        }
    }

    /// Splits the position into a part that changes with the group of lanes and a part that does not.
    fn places(&mut self, target: &Target, offset: &Form, swizzle: Swizzle) -> Places {
        let Swizzle { atom, coefficient, .. } = swizzle;
        let mask = i64::from(self.width()) - 1;
        let (counting, uniform) = self.sides(atom);
        let (counting, uniform) = (self.form(&counting), self.form(&uniform));
        let low = self.builder.ins().band_imm_s(uniform, mask);
        let high = self.builder.ins().band_imm_s(uniform, !mask);
        let turned = self.builder.ins().bxor(counting, high);
        let turned = self.multiply(turned, coefficient);
        let minus = self.forms.launch.multiply(coefficient, LaunchValue::Constant(-1));
        let minus = Form { constant: LaunchValue::Constant(0), terms: vec![(atom, minus)] };
        let rest = self.forms.add(offset, &minus);
        let rest = self.address(target, &rest);
        let shift = i64::from(target.element.size_bytes().trailing_zeros());
        let turned = self.builder.ins().ishl_imm_u(turned, shift);
        Places { first: self.builder.ins().iadd(rest, turned), low }
    }

    /// The operand of an exclusive or that counts the lanes, and the uniform one.
    fn sides(&mut self, atom: AtomId) -> (Form, Form) {
        // The atom of a swizzle is always an exclusive or.
        let Atom::Xor(left, right) = self.forms.atom(atom).clone() else {
            unreachable!("a swizzle is an exclusive or")
        };
        if self.step_of(&left).is_none() { (right, left) } else { (left, right) }
    }

    /// The address of each lane's element, as an address plus a constant.
    fn swizzled_addresses(&mut self, target: &Target, places: &Places, swizzle: Swizzle) -> Vec<(Value, i32)> {
        let shift = i64::from(target.element.size_bytes().trailing_zeros());
        let nothing = self.int(0);
        let distances = self.lane_addresses(target, nothing, swizzle.step);
        let mut found = Vec::new();
        for (lane, (distance, offset)) in distances.into_iter().enumerate() {
            let turned = self.builder.ins().bxor_imm_u(places.low, lane as i64);
            let scaled = self.multiply(turned, swizzle.coefficient);
            let scaled = self.builder.ins().ishl_imm_u(scaled, shift);
            let distance = self.builder.ins().iadd(distance, scaled);
            found.push((self.builder.ins().iadd(places.first, distance), offset));
        }
        found
    }

    /// The address of each vector of adjacent elements.
    fn groups(&mut self, places: &Places, type_: Type) -> Vec<Value> {
        let per_group = i64::from(type_.lane_count());
        let group_of_first = self.builder.ins().band_imm_s(places.low, -per_group);
        let mut starts = Vec::new();
        for group in 0..i64::from(self.width()) / per_group {
            let start = self.builder.ins().bxor_imm_u(group_of_first, group * per_group);
            let distance = self.builder.ins().ishl_imm_u(start, i64::from(type_.lane_type().bytes().trailing_zeros()));
            starts.push(self.builder.ins().iadd(places.first, distance));
        }
        starts
    }

    /// The source of each byte of a vector. It is the same for loads and stores, since an exclusive or is its own
    /// inverse.
    fn order_in_group(&mut self, places: &Places, type_: Type) -> Value {
        let in_group = self.builder.ins().band_imm_s(places.low, i64::from(type_.lane_count()) - 1);
        let bytes = self.builder.ins().imul_imm_s(in_group, i64::from(type_.lane_type().bytes()));
        let bytes = self.builder.ins().ireduce(types::I8, bytes);
        let turn = self.builder.ins().splat(types::I8X16, bytes);
        let own = self.builder.func.dfg.constants.insert((0..16).collect::<Vec<u8>>().into());
        let own = self.builder.ins().vconst(types::I8X16, own);
        self.builder.ins().bxor(own, turn)
    }

    /// A vector with its bytes permuted.
    fn permuted(&mut self, vector: Value, order: Value) -> Value {
        let type_ = self.builder.func.dfg.value_type(vector);
        let bytes = self.seen_as(types::I8X16, vector);
        let bytes = self.builder.ins().swizzle(bytes, order);
        self.seen_as(type_, bytes)
    }
}

/// The places of the lanes' elements.
struct Places {
    /// The address of the first lane's element without `low`.
    first: Value,
    /// The number that is combined with that of each lane, below the number of lanes.
    low: Value,
}

/// Whether the lanes of each vector access adjacent elements, with the element size of the lanes.
fn is_turned_in_vectors(target: &Target, swizzle: Swizzle) -> bool {
    swizzle.is_permutation() && target.element.size_bytes() >= 4
}
