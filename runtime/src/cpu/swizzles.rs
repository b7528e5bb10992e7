//! Lowers accesses at positions that an exclusive or turns about, as swizzled layouts have them.
//!
//! Where the lanes count `c, c + 1, …` from a multiple `c` of their number, and `k` is the same in all, `(c + lane) ^ k` is
//! `(c ^ high) + (low ^ lane)`, where `low` is the remainder of `k` by the number of lanes and `high` is what is left of `k`. Only the first
//! part changes while the lanes walk on, so the second is computed before their loop: where each lane's element lies, or, if every
//! group of lanes reaches neighbouring elements in another order, where the groups lie and the order within them.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};

use super::access::Target;
use super::emitter::Emitter;
use super::forms::{Atom, AtomId, Form};
use super::half_floats::Nans;
use super::lanes::{Pack, vector_type};
use super::launch_table::LaunchValue;
use super::shape::Swizzle;

impl Emitter<'_, '_> {
    /// Reads one element per lane.
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

    /// Writes one element per lane, the bits of the target's type.
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

    /// Takes the position apart into what changes while the lanes walk on, and what does not.
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

    /// The side of an exclusive or that counts the lanes, and the side that is the same in all.
    fn sides(&mut self, atom: AtomId) -> (Form, Form) {
        // Only an exclusive or is ever the atom of a swizzle.
        let Atom::Xor(left, right) = self.forms.atom(atom).clone() else {
            unreachable!("a swizzle is an exclusive or")
        };
        if self.step_of(&left).is_none() { (right, left) } else { (left, right) }
    }

    /// The address of each lane's element, with a constant to be added.
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

    /// The address where each group begins of as many neighbours as a vector has lanes.
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

    /// Where each byte of a group comes from. It is the same for reading and for writing, an exclusive or being its own inverse.
    fn order_in_group(&mut self, places: &Places, type_: Type) -> Value {
        let in_group = self.builder.ins().band_imm_s(places.low, i64::from(type_.lane_count()) - 1);
        let bytes = self.builder.ins().imul_imm_s(in_group, i64::from(type_.lane_type().bytes()));
        let bytes = self.builder.ins().ireduce(types::I8, bytes);
        let turn = self.builder.ins().splat(types::I8X16, bytes);
        let own = self.builder.func.dfg.constants.insert((0..16).collect::<Vec<u8>>().into());
        let own = self.builder.ins().vconst(types::I8X16, own);
        self.builder.ins().bxor(own, turn)
    }

    /// A vector with its bytes taken from these places in it.
    fn permuted(&mut self, vector: Value, order: Value) -> Value {
        let type_ = self.builder.func.dfg.value_type(vector);
        let bytes = self.seen_as(types::I8X16, vector);
        let bytes = self.builder.ins().swizzle(bytes, order);
        self.seen_as(type_, bytes)
    }
}

/// Where the lanes' elements lie.
struct Places {
    /// The address of the first lane's element, were it not for `low`.
    first: Value,
    /// What the number of each lane is turned about with, below the number of lanes.
    low: Value,
}

/// Whether neighbouring lanes reach neighbouring elements, which lie in memory as in the lanes of a vector.
fn is_turned_in_vectors(target: &Target, swizzle: Swizzle) -> bool {
    swizzle.is_permutation() && target.element.size_bytes() >= 4
}
