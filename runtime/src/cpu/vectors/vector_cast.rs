//! Lowers vectorised casts.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use elements::ElementType;

use super::packs::{Pack, vector_type};
use crate::cpu::lowering::cast::narrow_range;
use crate::cpu::lowering::emitter::{Emitter, zero};
use crate::cpu::lowering::half_floats::{Halves, Nans, NarrowFloat};
use crate::cpu::plan::vector_forms::cast_has_vector_form;

impl Emitter<'_, '_> {
    /// A cast of each lane.
    pub fn vector_cast(&mut self, from: ElementType, to: ElementType, operand: &Pack) -> Pack {
        if from == to {
            return operand.clone();
        }
        if !cast_has_vector_form(from, to) {
            return self.each_lane(&[(operand, from)], to, |emitter, values| emitter.cast(from, to, values[0]));
        }
        let vectors = self.spread(operand, from);
        let (have, want) = (vector_type(from), vector_type(to));
        if to == ElementType::Bool {
            let nothing = zero(&mut self.builder, have);
            let mut masks = Vec::new();
            for vector in vectors {
                let mask = if from.is_float() {
                    self.builder.ins().fcmp(FloatCC::NotEqual, vector, nothing)
                } else {
                    self.builder.ins().icmp(IntCC::NotEqual, vector, nothing)
                };
                masks.push(if have == types::F64X2 { self.seen_as(types::I64X2, mask) } else { mask });
            }
            return self.masks_from(masks, from);
        }
        if from == ElementType::Bool {
            let ones = vectors.into_iter().map(|mask| self.one_where(mask)).collect();
            return self.vector_cast(
                ElementType::I32,
                if to.is_narrow_float() { ElementType::F32 } else { to },
                &Pack::Vectors(ones),
            );
        }
        let vectors = match (have, want) {
            (types::F64X2, types::F32X4) => vectors.chunks(2).map(|pair| self.demoted(pair[0], pair[1])).collect(),
            (types::F32X4, types::F64X2) => vectors.into_iter().flat_map(|vector| self.promoted(vector)).collect(),
            (types::I32X4, types::F64X2) => {
                vectors.into_iter().flat_map(|vector| self.converted_to_doubles(vector)).collect()
            }
            (types::I32X4, types::I64X2) => {
                vectors.into_iter().flat_map(|vector| self.widened_lanes(vector, from)).collect()
            }
            (types::I64X2, types::I32X4) => {
                let narrow: Vec<Value> = vectors.chunks(2).map(|pair| self.low_halves(pair[0], pair[1])).collect();
                narrow.into_iter().map(|vector| self.wrapped(vector, to)).collect()
            }
            (types::I32X4, types::F32X4) if from == ElementType::U32 => {
                vectors.into_iter().map(|vector| self.builder.ins().fcvt_from_uint(types::F32X4, vector)).collect()
            }
            (types::I32X4, types::F32X4) => {
                vectors.into_iter().map(|vector| self.builder.ins().fcvt_from_sint(types::F32X4, vector)).collect()
            }
            (types::F32X4, types::I32X4) => vectors.into_iter().map(|vector| self.truncated(vector, to)).collect(),
            (types::I32X4, types::I32X4) => vectors.into_iter().map(|vector| self.wrapped(vector, to)).collect(),
            // The lanes stay as they are: 64-bit integers of either sign, and the types that are held as f32.
            _ => vectors,
        };
        Pack::Vectors(vectors)
    }

    /// The bits of each lane as those of another type of its size, of which one is a float. A narrow float is rounded.
    pub fn vector_bits(&mut self, from: ElementType, to: ElementType, operand: &Pack) -> Pack {
        self.each(&[operand], from, |emitter, values| {
            let value = values[0];
            match (NarrowFloat::from_element(from), NarrowFloat::from_element(to)) {
                (Some(narrow), _) => Halves::new(&mut emitter.builder, value).encode(narrow, value, Nans::Own),
                (_, Some(narrow)) => Halves::new(&mut emitter.builder, value).decode(narrow, value),
                _ => emitter.seen_as(vector_type(to), value),
            }
        })
    }

    /// 1 in the lanes of a mask.
    pub fn one_where(&mut self, mask: Value) -> Value {
        let one = self.builder.ins().iconst(types::I32, 1);
        let one = self.builder.ins().splat(types::I32X4, one);
        self.builder.ins().band(mask, one)
    }

    fn demoted(&mut self, first: Value, second: Value) -> Value {
        let first = self.builder.ins().fvdemote(first);
        let second = self.builder.ins().fvdemote(second);
        self.shuffle(first, second, [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23])
    }

    fn promoted(&mut self, vector: Value) -> [Value; 2] {
        let high = self.shuffle(vector, vector, [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);
        [vector, high].map(|half| self.builder.ins().fvpromote_low(half))
    }

    fn converted_to_doubles(&mut self, vector: Value) -> [Value; 2] {
        let high = self.shuffle(vector, vector, [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);
        [vector, high].map(|half| {
            let wide = self.builder.ins().swiden_low(half);
            self.builder.ins().fcvt_from_sint(types::F64X2, wide)
        })
    }

    fn widened_lanes(&mut self, vector: Value, from: ElementType) -> [Value; 2] {
        if from == ElementType::U32 {
            [self.builder.ins().uwiden_low(vector), self.builder.ins().uwiden_high(vector)]
        } else {
            [self.builder.ins().swiden_low(vector), self.builder.ins().swiden_high(vector)]
        }
    }

    /// Casts floats to integers of at most 32 bits, saturating.
    fn truncated(&mut self, vector: Value, to: ElementType) -> Value {
        if to == ElementType::U32 {
            return self.builder.ins().fcvt_to_uint_sat(types::I32X4, vector);
        }
        let whole = self.builder.ins().fcvt_to_sint_sat(types::I32X4, vector);
        let Some((low, high)) = narrow_range(to) else { return whole };
        let mut bound = |value: i32| {
            let value = self.builder.ins().iconst(types::I32, i64::from(value as u32));
            self.builder.ins().splat(types::I32X4, value)
        };
        let (low, high) = (bound(low), bound(high));
        let clamped = self.builder.ins().smax(whole, low);
        self.builder.ins().smin(clamped, high)
    }
}
