//! Lowers casts of one value.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use elements::ElementType;

use super::emitter::{Emitter, register_type, zero};
use super::expression::is_half;
use super::half_floats::{Halves, Nans};
use crate::interpreter::operation;

impl Emitter<'_, '_> {
    /// A cast; to f16 and bf16 in f32, not rounded yet unless the way there has a helper.
    pub fn cast(&mut self, from: ElementType, to: ElementType, value: Value) -> Value {
        if from == to {
            return value;
        }
        if to == ElementType::Bool {
            return if from.is_float() {
                let nothing = zero(&mut self.builder, register_type(from));
                self.builder.ins().fcmp(FloatCC::NotEqual, value, nothing)
            } else {
                self.builder.ins().icmp_imm_u(IntCC::NotEqual, value, 0)
            };
        }
        match (from.is_float(), to.is_float()) {
            (false, false) => self.int_to_int(from, to, value),
            (false, true) => self.int_to_float(from, to, value),
            (true, false) => self.float_to_int(to, value),
            (true, true) => match (from, to) {
                (ElementType::F64, ElementType::F32) => self.builder.ins().fdemote(types::F32, value),
                (ElementType::F64, _) => self.cast_by_helper(from, to, value),
                (_, ElementType::F64) => self.builder.ins().fpromote(types::F64, value),
                _ => value,
            },
        }
    }

    fn int_to_int(&mut self, from: ElementType, to: ElementType, value: Value) -> Value {
        let (have, want) = (register_type(from), register_type(to));
        match have.bits().cmp(&want.bits()) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.builder.ins().ireduce(want, value),
            std::cmp::Ordering::Less if from.is_signed() => self.builder.ins().sextend(want, value),
            std::cmp::Ordering::Less => self.builder.ins().uextend(want, value),
        }
    }

    fn int_to_float(&mut self, from: ElementType, to: ElementType, value: Value) -> Value {
        // Integers of 32 bits and more do not fit an f32 exactly, and a half type must be rounded to only once.
        if is_half(to) && from.size_bytes() >= 4 {
            return self.cast_by_helper(from, to, value);
        }
        let float = register_type(to);
        match from {
            ElementType::I8 | ElementType::I16 => {
                let wide = self.builder.ins().sextend(types::I32, value);
                self.builder.ins().fcvt_from_sint(float, wide)
            }
            ElementType::I32 | ElementType::I64 => self.builder.ins().fcvt_from_sint(float, value),
            ElementType::U64 => self.builder.ins().fcvt_from_uint(float, value),
            ElementType::U32 => {
                let wide = self.builder.ins().uextend(types::I64, value);
                self.builder.ins().fcvt_from_sint(float, wide)
            }
            _ => {
                let wide = self.builder.ins().uextend(types::I32, value);
                self.builder.ins().fcvt_from_sint(float, wide)
            }
        }
    }

    fn float_to_int(&mut self, to: ElementType, value: Value) -> Value {
        match to {
            ElementType::I32 | ElementType::I64 => self.builder.ins().fcvt_to_sint_sat(register_type(to), value),
            ElementType::U32 | ElementType::U64 => self.builder.ins().fcvt_to_uint_sat(register_type(to), value),
            _ => {
                let (low, high): (i64, i64) = match to {
                    ElementType::I8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
                    ElementType::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
                    ElementType::U8 => (0, i64::from(u8::MAX)),
                    _ => (0, i64::from(u16::MAX)),
                };
                let wide = self.builder.ins().fcvt_to_sint_sat(types::I32, value);
                let low = self.builder.ins().iconst(types::I32, i64::from(low as u32));
                let high = self.builder.ins().iconst(types::I32, high);
                let clamped = self.builder.ins().smax(wide, low);
                let clamped = self.builder.ins().smin(clamped, high);
                self.builder.ins().ireduce(register_type(to), clamped)
            }
        }
    }

    /// The bits of the f16 or bf16 nearest to an f32.
    pub fn encode(&mut self, element: ElementType, value: Value, nans: Nans) -> Value {
        // Where code is wanted small, what takes many instructions is a call.
        if self.plain && element == ElementType::F16 {
            let bits = self.bits_of(value, ElementType::F32);
            let function = operation::cast(ElementType::F32, element) as *const u8;
            if let Some(bits) = self.call(function, &[types::I64], Some(types::I64), &[bits]) {
                return self.builder.ins().ireduce(types::I32, bits);
            }
        }
        Halves::new(&mut self.builder, value).encode(element, value, nans)
    }

    /// A cast that the interpreter's function computes.
    fn cast_by_helper(&mut self, from: ElementType, to: ElementType, value: Value) -> Value {
        let bits = self.bits_of(value, from);
        let function = operation::cast(from, to) as *const u8;
        match self.call(function, &[types::I64], Some(types::I64), &[bits]) {
            Some(bits) => self.of_bits(bits, to),
            None => value,
        }
    }

    /// The register value of the zero-extended bits of an element.
    pub fn of_bits(&mut self, bits: Value, element: ElementType) -> Value {
        let flags = MemFlagsData::new();
        match element {
            ElementType::I64 | ElementType::U64 => bits,
            ElementType::F64 => self.builder.ins().bitcast(types::F64, flags, bits),
            ElementType::F32 => {
                let bits = self.builder.ins().ireduce(types::I32, bits);
                self.builder.ins().bitcast(types::F32, flags, bits)
            }
            ElementType::F16 | ElementType::Bf16 => {
                let bits = self.builder.ins().ireduce(types::I32, bits);
                Halves::new(&mut self.builder, bits).decode(element, bits)
            }
            _ => self.builder.ins().ireduce(register_type(element), bits),
        }
    }

    /// The zero-extended bits of a register value.
    fn bits_of(&mut self, value: Value, element: ElementType) -> Value {
        let flags = MemFlagsData::new();
        match element {
            ElementType::I64 | ElementType::U64 => value,
            ElementType::F64 => self.builder.ins().bitcast(types::I64, flags, value),
            ElementType::F32 => {
                let bits = self.builder.ins().bitcast(types::I32, flags, value);
                self.builder.ins().uextend(types::I64, bits)
            }
            ElementType::F16 | ElementType::Bf16 => {
                let bits = self.encode(element, value, Nans::Any);
                self.builder.ins().uextend(types::I64, bits)
            }
            _ => self.builder.ins().uextend(types::I64, value),
        }
    }
}
