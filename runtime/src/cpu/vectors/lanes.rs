//! Lanes of vectorised code: one of them, all of them, and packs made of them.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use elements::ElementType;
use kernel::loops::ValueId;

use super::packs::{Pack, register_type, vector_type};
use crate::cpu::indices::form::AtomId;
use crate::cpu::lowering::emitter::{Emitter, Lanes};

impl Emitter<'_, '_> {
    /// The number of lanes.
    pub fn width(&self) -> u32 {
        self.lanes.as_ref().map_or(1, |lanes| lanes.plan.facts.width)
    }

    /// The number of vectors in a pack of this element type.
    pub fn vectors(&self, element: ElementType) -> usize {
        (self.width() / vector_type(element).lane_count()) as usize
    }

    /// The value of a counter in the current lane, given its value in the first lane.
    pub fn in_lane(&mut self, id: AtomId, value: Value) -> Value {
        match &self.lanes {
            Some(Lanes { plan, lane: Some(lane), .. }) if plan.facts.counter == id && *lane > 0 => {
                let lane = i64::from(*lane);
                self.builder.ins().iadd_imm_s(value, lane)
            }
            _ => value,
        }
    }

    /// The value of a condition that the guards imply.
    pub fn settled(&self, condition: ValueId) -> Option<bool> {
        self.lanes.as_ref()?.plan.settled.get(&condition).copied()
    }

    /// Whether the guards imply that a condition holds.
    pub fn is_assumed(&self, condition: ValueId) -> bool {
        self.settled(condition) == Some(true)
    }

    /// Whether a value is uniform across the lanes.
    pub fn is_uniform(&mut self, id: ValueId) -> bool {
        match &mut self.lanes {
            Some(lanes) => lanes.plan.facts.is_uniform(&mut self.forms, id),
            None => true,
        }
    }

    /// Computes something for a single lane.
    pub fn for_lane<T>(&mut self, lane: u32, compute: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(lanes) = &mut self.lanes {
            lanes.lane = Some(lane);
        }
        let result = self.scope(compute);
        if let Some(lanes) = &mut self.lanes {
            lanes.lane = None;
        }
        result
    }

    /// The register value of one lane.
    pub fn lane_of(&mut self, pack: &Pack, element: ElementType, lane: u32) -> Value {
        let vectors = match pack {
            Pack::Uniform(value) => return *value,
            Pack::Vectors(vectors) => vectors,
        };
        let per_vector = vector_type(element).lane_count();
        let vector = vectors[(lane / per_vector) as usize];
        let value = self.builder.ins().extractlane(vector, (lane % per_vector) as u8);
        match element {
            ElementType::Bool => {
                let byte = self.builder.ins().ireduce(types::I8, value);
                self.builder.ins().band_imm_u(byte, 1)
            }
            _ if register_type(element).bits() < 32 => self.builder.ins().ireduce(register_type(element), value),
            _ => value,
        }
    }

    /// The register value as a vector element.
    fn widened(&mut self, value: Value, element: ElementType) -> Value {
        match element {
            ElementType::Bool => {
                let wide = self.builder.ins().uextend(types::I32, value);
                self.builder.ins().ineg(wide)
            }
            _ if register_type(element).bits() >= 32 => value,
            _ if element.is_signed() => self.builder.ins().sextend(types::I32, value),
            _ => self.builder.ins().uextend(types::I32, value),
        }
    }

    /// A pack of one register value per lane.
    pub fn pack(&mut self, values: &[Value], element: ElementType) -> Pack {
        let type_ = vector_type(element);
        let mut vectors = Vec::new();
        for lanes in values.chunks(type_.lane_count() as usize) {
            let mut vector = None;
            for (lane, &value) in lanes.iter().enumerate() {
                let value = self.widened(value, element);
                vector = Some(match vector {
                    None => self.builder.ins().splat(type_, value),
                    Some(vector) => self.builder.ins().insertlane(vector, value, lane as u8),
                });
            }
            vectors.extend(vector);
        }
        Pack::Vectors(vectors)
    }

    /// The vectors of a pack; a uniform value is copied to all lanes.
    pub fn spread(&mut self, pack: &Pack, element: ElementType) -> Vec<Value> {
        match pack {
            Pack::Vectors(vectors) => vectors.clone(),
            Pack::Uniform(value) => {
                let value = self.widened(*value, element);
                let vector = self.builder.ins().splat(vector_type(element), value);
                vec![vector; self.vectors(element)]
            }
        }
    }

    /// Applies an operation to each vector of packs of one element type.
    pub fn each(
        &mut self,
        packs: &[&Pack],
        element: ElementType,
        mut operation: impl FnMut(&mut Self, &[Value]) -> Value,
    ) -> Pack {
        let spread: Vec<Vec<Value>> = packs.iter().map(|pack| self.spread(pack, element)).collect();
        let vectors = (0..self.vectors(element)).map(|place| {
            let operands: Vec<Value> = spread.iter().map(|vectors| vectors[place]).collect();
            operation(self, &operands)
        });
        Pack::Vectors(vectors.collect())
    }

    /// Applies an operation on register values to each lane.
    pub fn each_lane(
        &mut self,
        packs: &[(&Pack, ElementType)],
        result: ElementType,
        mut operation: impl FnMut(&mut Self, &[Value]) -> Value,
    ) -> Pack {
        let mut values = Vec::new();
        for lane in 0..self.width() {
            let operands: Vec<Value> = packs.iter().map(|(pack, element)| self.lane_of(pack, *element, lane)).collect();
            values.push(operation(self, &operands));
        }
        self.pack(&values, result)
    }

    /// Computes a value lane by lane.
    pub fn lane_by_lane(&mut self, id: ValueId) -> Pack {
        let values: Vec<Value> =
            (0..self.width()).map(|lane| self.for_lane(lane, |emitter| emitter.value(id))).collect();
        self.pack(&values, self.program.element(id))
    }

    /// The pack of an index that starts at `first` and changes by a constant step.
    pub fn progression(&mut self, first: Value, step: i64) -> Pack {
        let first = self.builder.ins().splat(types::I64X2, first);
        let mut vectors = Vec::new();
        for place in 0..i64::from(self.width() / 2) {
            let steps = [2 * place, 2 * place + 1].map(|lane| step.wrapping_mul(lane));
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&steps[0].to_le_bytes());
            bytes[8..].copy_from_slice(&steps[1].to_le_bytes());
            let constant = self.builder.func.dfg.constants.insert(bytes.to_vec().into());
            let steps = self.builder.ins().vconst(types::I64X2, constant);
            vectors.push(self.builder.ins().iadd(first, steps));
        }
        Pack::Vectors(vectors)
    }

    /// Vectors of 32-bit lanes from byte positions in two others: 0 to 15 in the first, 16 to 31 in the second.
    pub fn shuffle(&mut self, left: Value, right: Value, bytes: [u8; 16]) -> Value {
        let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
        let type_ = self.builder.func.dfg.value_type(left);
        let left = self.builder.ins().bitcast(types::I8X16, flags, left);
        let right = self.builder.ins().bitcast(types::I8X16, flags, right);
        let mask = self.builder.func.dfg.immediates.push(bytes.to_vec().into());
        let shuffled = self.builder.ins().shuffle(left, right, mask);
        self.builder.ins().bitcast(type_, flags, shuffled)
    }

    /// The lanes of a vector in the opposite order.
    pub fn reversed(&mut self, vector: Value) -> Value {
        let type_ = self.builder.func.dfg.value_type(vector);
        let bytes = if type_.lane_count() == 4 {
            [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3]
        } else {
            [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]
        };
        self.shuffle(vector, vector, bytes)
    }

    /// The same bits as another vector type.
    pub fn seen_as(&mut self, type_: Type, vector: Value) -> Value {
        let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
        self.builder.ins().bitcast(type_, flags, vector)
    }

    /// One vector of 32-bit lanes from the low halves of the 64-bit lanes of two.
    pub fn low_halves(&mut self, first: Value, second: Value) -> Value {
        let joined = self.shuffle(first, second, [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]);
        self.seen_as(types::I32X4, joined)
    }

    /// Two vectors of 64-bit lanes from one of 32-bit lanes, each repeated: the mask for wider elements.
    pub fn doubled(&mut self, vector: Value) -> [Value; 2] {
        let low = self.shuffle(vector, vector, [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7]);
        let high = self.shuffle(vector, vector, [8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15, 12, 13, 14, 15]);
        [low, high].map(|half| self.seen_as(types::I64X2, half))
    }

    /// The masks for elements of a type, from the vectors of a `bool` pack.
    pub fn masks_for(&mut self, masks: &[Value], element: ElementType) -> Vec<Value> {
        if vector_type(element).lane_count() == 4 {
            return masks.to_vec();
        }
        masks.iter().flat_map(|&mask| self.doubled(mask)).collect()
    }

    /// The `bool` pack from the masks of comparisons of elements of a type.
    pub fn masks_from(&mut self, masks: Vec<Value>, element: ElementType) -> Pack {
        if vector_type(element).lane_count() == 4 {
            return Pack::Vectors(masks);
        }
        Pack::Vectors(masks.chunks(2).map(|pair| self.low_halves(pair[0], pair[1])).collect())
    }
}
