//! Lowers vectorised loads and stores.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use elements::ElementType;
use kernel::BoundsChecks;
use kernel::loops::{AccessId, ValueId};

use super::packs::{Pack, vector_type};
use crate::cpu::indices::form::Form;
use crate::cpu::indices::shape::Step;
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::lowering::access::Target;
use crate::cpu::lowering::emitter::Emitter;
use crate::cpu::lowering::half_floats::{Halves, Nans, NarrowFloat};

impl Emitter<'_, '_> {
    /// Loads one element per lane.
    pub fn vector_load(&mut self, access: AccessId) -> Pack {
        let target = self.target(access);
        let mask = self.open_mask(access);
        if let Some(mask) = mask {
            if !self.is_uniform(mask) {
                return self.load_lane_by_lane(access);
            }
            let mask = self.value(mask);
            return self.vector_branch(
                mask,
                target.element,
                |emitter| emitter.load_open(access),
                |emitter| {
                    let nothing = crate::cpu::lowering::emitter::zero(
                        &mut emitter.builder,
                        super::packs::register_type(target.element),
                    );
                    Pack::Uniform(nothing)
                },
            );
        }
        self.load_open(access)
    }

    fn load_lane_by_lane(&mut self, access: AccessId) -> Pack {
        let values: Vec<Value> =
            (0..self.width()).map(|lane| self.for_lane(lane, |emitter| emitter.load(access))).collect();
        let element = self.target(access).element;
        self.pack(&values, element)
    }

    /// Loads without a mask.
    fn load_open(&mut self, access: AccessId) -> Pack {
        let target = self.target(access);
        let offset = self.offset(access);
        let step = self.step_of(&offset);
        if step.is_none() {
            return Pack::Uniform(self.load_unmasked(access));
        }
        if let Step::Swizzled(swizzle) = step
            && !self.must_check(access)
        {
            return self.load_swizzled(&target, &offset, swizzle);
        }
        let Step::By(step) = step else {
            let values: Vec<Value> =
                (0..self.width()).map(|lane| self.for_lane(lane, |emitter| emitter.load_unmasked(access))).collect();
            return self.pack(&values, target.element);
        };
        if self.must_check(access) {
            let inside = self.ends_are_inside(&target, &offset, step);
            return self.vector_branch(
                inside,
                target.element,
                |emitter| emitter.load_stepping(&target, &offset, step),
                |emitter| emitter.load_lane_by_lane(access),
            );
        }
        self.load_stepping(&target, &offset, step)
    }

    /// Whether an access has to be checked here, because no guard implies that it is inside.
    fn must_check(&self, access: AccessId) -> bool {
        let checked = self.lanes.as_ref().is_some_and(|lanes| lanes.plan.inside.contains(&access));
        self.forms.options.bounds == BoundsChecks::Guarded && !checked
    }

    /// Whether the positions of the first and the last lane are inside the storage; then so are those between.
    pub fn ends_are_inside(&mut self, target: &Target, offset: &Form, step: LaunchValue) -> Value {
        let width = self.width();
        self.ends_of_lanes_are_inside(target, offset, step, width)
    }

    /// The same for another number of lanes.
    pub fn ends_of_lanes_are_inside(&mut self, target: &Target, offset: &Form, step: LaunchValue, width: u32) -> Value {
        let first = self.form(offset);
        let reach = self.forms.launch.multiply(step, LaunchValue::Constant(i64::from(width) - 1));
        let reach = self.launch_value(reach);
        let last = self.builder.ins().iadd(first, reach);
        let first_inside = self.is_inside(target, first);
        let last_inside = self.is_inside(target, last);
        let inside = self.builder.ins().band(first_inside, last_inside);
        match self.forms.launch.magnitude_is_small(step) {
            // The step is at most the length of a storage, so the sum did not wrap.
            Some(true) => inside,
            _ => {
                let in_order = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, first, last);
                let step = self.launch_value(step);
                let rising = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, step, 0);
                let consistent = self.builder.ins().icmp(IntCC::Equal, in_order, rising);
                self.builder.ins().band(inside, consistent)
            }
        }
    }

    fn load_stepping(&mut self, target: &Target, offset: &Form, step: LaunchValue) -> Pack {
        let address = self.address(target, offset);
        if let Some(narrow) = NarrowFloat::from_element(target.element) {
            if let (Some(runs), true) = (self.half_runs(target.element), step.is(1)) {
                return Pack::Vectors(self.decode_runs(runs, address));
            }
            // Loads the bits, of which four at a time are converted.
            let element = narrow.bits();
            let bits = self.load_from_steps(&Target { element, ..*target }, address, step);
            let vectors = self.spread(&bits, element);
            let decode = |bits| Halves::new(&mut self.builder, bits).decode(narrow, bits);
            return Pack::Vectors(vectors.into_iter().map(decode).collect());
        }
        self.load_from_steps(target, address, step)
    }

    fn load_from_steps(&mut self, target: &Target, address: Value, step: LaunchValue) -> Pack {
        match step {
            LaunchValue::Constant(1) => self.load_run(target, address, 0),
            LaunchValue::Constant(-1) => {
                // The run that ends at the first lane's element, reversed.
                let back = -(self.width() as i32 - 1) * target.element.size_bytes() as i32;
                let Pack::Vectors(mut vectors) = self.load_run(target, address, back) else {
                    return Pack::Uniform(address);
                };
                vectors.reverse();
                Pack::Vectors(vectors.into_iter().map(|vector| self.reversed(vector)).collect())
            }
            _ => {
                let addresses = self.lane_addresses(target, address, step);
                let values: Vec<Value> =
                    addresses.into_iter().map(|(address, offset)| self.load_from(target, address, offset)).collect();
                self.pack(&values, target.element)
            }
        }
    }

    /// The address of each lane's element, as an address plus a constant.
    pub fn lane_addresses(&mut self, target: &Target, address: Value, step: LaunchValue) -> Vec<(Value, i32)> {
        let size = target.element.size_bytes() as i64;
        if let Some(constant) = step.as_constant()
            && let Ok(stride) = i32::try_from(constant.saturating_mul(size))
            && stride.checked_mul(self.width() as i32).is_some()
        {
            return (0..self.width() as i32).map(|lane| (address, lane * stride)).collect();
        }
        let stride = self.forms.launch.multiply(step, LaunchValue::Constant(size));
        let mut addresses = vec![(address, 0)];
        for lane in 1..i64::from(self.width()) {
            let distance = self.forms.launch.multiply(stride, LaunchValue::Constant(lane));
            let distance = self.launch_value(distance);
            addresses.push((self.builder.ins().iadd(address, distance), 0));
        }
        addresses
    }

    /// Loads adjacent elements from `address + offset` on, with the offset in bytes.
    fn load_run(&mut self, target: &Target, address: Value, offset: i32) -> Pack {
        let flags = self.flags(target.memory);
        let element = target.element;
        let type_ = vector_type(element);
        let bytes = element.size_bytes() as i32 * type_.lane_count() as i32;
        let mut vectors = Vec::new();
        if element.size_bytes() == 1 && self.vectors(element).is_multiple_of(2) {
            for place in 0..self.vectors(element) as i32 / 2 {
                vectors.extend(self.load_eight_bytes(target, address, offset + 8 * place));
            }
            return Pack::Vectors(vectors);
        }
        for place in 0..self.vectors(element) as i32 {
            let offset = offset + place * bytes;
            let ins = self.builder.ins();
            let vector = match (element.size_bytes(), element.is_signed()) {
                (1, _) => {
                    let four = ins.load(types::I32, flags, address, offset);
                    self.lanes_of_four_bytes(four, element)
                }
                (2, true) => ins.sload16x4(flags, address, offset),
                (2, false) => ins.uload16x4(flags, address, offset),
                _ => ins.load(type_, flags, address, offset),
            };
            vectors.push(vector);
        }
        Pack::Vectors(vectors)
    }

    /// Loads eight adjacent elements of one byte.
    fn load_eight_bytes(&mut self, target: &Target, address: Value, offset: i32) -> [Value; 2] {
        let flags = self.flags(target.memory);
        let ins = self.builder.ins();
        if target.element.is_signed() {
            let halves = ins.sload8x8(flags, address, offset);
            return [self.builder.ins().swiden_low(halves), self.builder.ins().swiden_high(halves)];
        }
        let halves = ins.uload8x8(flags, address, offset);
        let lanes = [self.builder.ins().uwiden_low(halves), self.builder.ins().uwiden_high(halves)];
        lanes.map(|lanes| self.byte_lanes(lanes, target.element))
    }

    /// The lanes of a pack from zero-extended bytes.
    fn byte_lanes(&mut self, lanes: Value, element: ElementType) -> Value {
        if element != ElementType::Bool {
            return lanes;
        }
        let nothing = crate::cpu::lowering::emitter::zero(&mut self.builder, types::I32X4);
        self.builder.ins().icmp(IntCC::NotEqual, lanes, nothing)
    }

    /// The four bytes of an integer as the lanes of a vector.
    fn lanes_of_four_bytes(&mut self, four: Value, element: ElementType) -> Value {
        let vector = self.builder.ins().scalar_to_vector(types::I32X4, four);
        let bytes = self.seen_as(types::I8X16, vector);
        if element.is_signed() {
            let halves = self.builder.ins().swiden_low(bytes);
            return self.builder.ins().swiden_low(halves);
        }
        let halves = self.builder.ins().uwiden_low(bytes);
        let lanes = self.builder.ins().uwiden_low(halves);
        self.byte_lanes(lanes, element)
    }

    /// Stores one element per lane.
    pub fn vector_store(&mut self, access: AccessId, value: ValueId) {
        let mask = self.open_mask(access);
        match mask {
            Some(mask) if !self.is_uniform(mask) => self.store_lane_by_lane(access, value),
            Some(mask) => {
                let mask = self.value(mask);
                self.when(mask, |emitter| emitter.store_open(access, value));
            }
            None => self.store_open(access, value),
        }
    }

    fn store_lane_by_lane(&mut self, access: AccessId, value: ValueId) {
        for lane in 0..self.width() {
            self.for_lane(lane, |emitter| emitter.store(access, value));
        }
    }

    /// Stores without a mask.
    fn store_open(&mut self, access: AccessId, value: ValueId) {
        let target = self.target(access);
        let offset = self.offset(access);
        let step = self.step_of(&offset);
        if let Step::Swizzled(swizzle) = step
            && !self.must_check(access)
        {
            let (pack, element) = self.bits_to_store(value);
            return self.store_swizzled(&Target { element, ..target }, &offset, swizzle, &pack);
        }
        let Step::By(step) = step else { return self.store_lane_by_lane(access, value) };
        if step.is(0) {
            return self.store_lane_by_lane(access, value);
        }
        if self.must_check(access) {
            let inside = self.ends_are_inside(&target, &offset, step);
            self.branch(
                inside,
                |emitter| {
                    emitter.store_stepping(&target, &offset, step, value);
                    None
                },
                |emitter| {
                    emitter.store_lane_by_lane(access, value);
                    None
                },
                None,
            );
            return;
        }
        self.store_stepping(&target, &offset, step, value);
    }

    fn store_stepping(&mut self, target: &Target, offset: &Form, step: LaunchValue, value: ValueId) {
        let is_moved = self.moved_from(value).is_some();
        let runs = self.half_runs(target.element).filter(|_| step.is(1) && !is_moved);
        if let Some(runs) = runs {
            let pack = self.unrounded_vector(value);
            let address = self.address(target, offset);
            let vectors = self.spread(&pack, target.element);
            return self.encode_runs(runs, &vectors, address);
        }
        let (pack, element) = self.bits_to_store(value);
        let address = self.address(target, offset);
        self.store_in_steps(&Target { element, ..*target }, address, step, &pack);
    }

    /// The bits of a value as they are stored, and their type.
    fn bits_to_store(&mut self, value: ValueId) -> (Pack, ElementType) {
        if let Some((source, element)) = self.moved_from(value) {
            let is_uniform = self.is_uniform(value);
            let pack = self.moving(source, |emitter| match is_uniform {
                true => Pack::Uniform(emitter.load(source)),
                false => emitter.vector_load(source),
            });
            return (pack, element);
        }
        let pack = self.unrounded_vector(value);
        let element = self.program.element(value);
        if let Some(narrow) = NarrowFloat::from_element(element) {
            // Encoding rounds.
            let nans = Nans::from_node(self.forms.node(value));
            let encode = |emitter: &mut Self, values: &[Value]| {
                Halves::new(&mut emitter.builder, values[0]).encode(narrow, values[0], nans)
            };
            return (self.each(&[&pack], element, encode), narrow.bits());
        }
        if self.is_unwrapped(value) {
            let bits = if element.size_bytes() == 1 { ElementType::U8 } else { ElementType::U16 };
            return (self.each(&[&pack], element, |emitter, values| emitter.wrapped(values[0], bits)), bits);
        }
        (pack, element)
    }

    fn store_in_steps(&mut self, target: &Target, address: Value, step: LaunchValue, pack: &Pack) {
        match step {
            LaunchValue::Constant(1) => {
                let vectors = self.spread(pack, target.element);
                self.store_run(target, address, 0, vectors);
            }
            LaunchValue::Constant(-1) => {
                let back = -(self.width() as i32 - 1) * target.element.size_bytes() as i32;
                let mut vectors = self.spread(pack, target.element);
                vectors.reverse();
                let vectors = vectors.into_iter().map(|vector| self.reversed(vector)).collect();
                self.store_run(target, address, back, vectors);
            }
            _ => {
                let addresses = self.lane_addresses(target, address, step);
                for (lane, (address, offset)) in addresses.into_iter().enumerate() {
                    let value = self.lane_of(pack, target.element, lane as u32);
                    self.store_to(target, address, offset, value, Nans::Any);
                }
            }
        }
    }

    /// Stores adjacent elements from `address + offset` on, with the offset in bytes.
    fn store_run(&mut self, target: &Target, address: Value, offset: i32, vectors: Vec<Value>) {
        let element = target.element;
        let flags = cranelift_codegen::ir::MemFlagsData::new().with_notrap();
        let per_lane = element.size_bytes() as i32;
        if per_lane >= 4 {
            for (place, vector) in vectors.into_iter().enumerate() {
                self.builder.ins().store(flags, vector, address, offset + 16 * place as i32);
            }
            return;
        }
        let is_bool = element == ElementType::Bool;
        let lanes: Vec<Value> =
            vectors.into_iter().map(|vector| if is_bool { self.one_where(vector) } else { vector }).collect();
        // Two vectors of four 32-bit lanes give eight elements of 16 bits, or of 8 bits in the low half.
        for (place, pair) in lanes.chunks(2).enumerate() {
            let (first, second) = (pair[0], *pair.last().unwrap_or(&pair[0]));
            let narrow = if element.is_signed() {
                self.builder.ins().snarrow(first, second)
            } else {
                self.builder.ins().unarrow(first, second)
            };
            let offset = offset + 8 * per_lane * place as i32;
            let (vector, bytes) = if per_lane == 2 {
                (narrow, 8 * pair.len())
            } else if element.is_signed() {
                (self.builder.ins().snarrow(narrow, narrow), 4 * pair.len())
            } else {
                (self.builder.ins().unarrow(narrow, narrow), 4 * pair.len())
            };
            self.store_bytes(vector, bytes, address, offset);
        }
    }

    /// Stores the first 4, 8 or 16 bytes of a vector.
    fn store_bytes(&mut self, vector: Value, bytes: usize, address: Value, offset: i32) {
        let flags = cranelift_codegen::ir::MemFlagsData::new().with_notrap();
        let part: Option<Type> = match bytes {
            4 => Some(types::I32X4),
            8 => Some(types::I64X2),
            _ => None,
        };
        let stored = match part {
            Some(type_) => {
                let lanes = self.seen_as(type_, vector);
                self.builder.ins().extractlane(lanes, 0)
            }
            None => vector,
        };
        self.builder.ins().store(flags, stored, address, offset);
    }
}
