//! Lowers casts of one value.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, InstructionData, MemFlagsData, Opcode, Type, Value, types};
use elements::ElementType;

use super::emitter::{Emitter, zero};
use super::half_floats::{Halves, Nans, NarrowFloat};
use crate::cpu::vectors::packs::register_type;
use crate::interpreter::operation;

impl Emitter<'_, '_> {
    /// A cast of one value. A result of type f16 or bf16 is an f32 that is not rounded yet, unless a helper computes
    /// it.
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
            (true, true) => match (register_type(from), register_type(to)) {
                // A cast through f32 would round twice.
                (types::F64, types::F32) if to.is_narrow_float() => self.cast_by_helper(from, to, value),
                (types::F64, types::F32) => self.builder.ins().fdemote(types::F32, value),
                (types::F32, types::F64) => self.builder.ins().fpromote(types::F64, value),
                _ => value,
            },
        }
    }

    fn int_to_int(&mut self, from: ElementType, to: ElementType, value: Value) -> Value {
        let (have, want) = (register_type(from), register_type(to));
        match have.bits().cmp(&want.bits()) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.builder.ins().ireduce(want, value),
            std::cmp::Ordering::Less => self.extended(want, from.is_signed(), value),
        }
    }

    /// An integer in a wider register. What [`Emitter::load_from`] gave was extended by the load.
    pub fn extended(&mut self, want: Type, is_signed: bool, value: Value) -> Value {
        if let Some(loaded) = self.loaded(is_signed, value) {
            return if want == types::I64 { loaded } else { self.builder.ins().ireduce(want, loaded) };
        }
        let ins = self.builder.ins();
        if is_signed { ins.sextend(want, value) } else { ins.uextend(want, value) }
    }

    /// The register into which a narrow integer was loaded, if the load extended it so.
    fn loaded(&self, is_signed: bool, value: Value) -> Option<Value> {
        let dfg = &self.builder.func.dfg;
        let made = |value: Value| dfg.value_def(value).inst().map(|inst| &dfg.insts[inst]);
        let InstructionData::Unary { opcode: Opcode::Ireduce, arg } = made(value)? else { return None };
        let extending = match (dfg.value_type(value), is_signed) {
            (types::I8, false) => Opcode::Uload8,
            (types::I8, true) => Opcode::Sload8,
            (types::I16, false) => Opcode::Uload16,
            (types::I16, true) => Opcode::Sload16,
            _ => return None,
        };
        (made(*arg)?.opcode() == extending).then_some(*arg)
    }

    fn int_to_float(&mut self, from: ElementType, to: ElementType, value: Value) -> Value {
        // An f32 does not represent all integers of 32 bits and more, and a narrow float must be rounded only once.
        if to.is_narrow_float() && from.size_bytes() >= 4 {
            return self.cast_by_helper(from, to, value);
        }
        let float = register_type(to);
        let signed = match (from.is_signed(), from.size_bytes()) {
            (false, 8) => return self.builder.ins().fcvt_from_uint(float, value),
            (false, 4) => self.builder.ins().uextend(types::I64, value),
            (true, 4 | 8) => value,
            (is_signed, _) => self.extended(types::I32, is_signed, value),
        };
        self.builder.ins().fcvt_from_sint(float, signed)
    }

    fn float_to_int(&mut self, to: ElementType, value: Value) -> Value {
        let integer = register_type(to);
        let Some((low, high)) = narrow_range(to) else {
            return if to.is_signed() {
                self.builder.ins().fcvt_to_sint_sat(integer, value)
            } else {
                self.builder.ins().fcvt_to_uint_sat(integer, value)
            };
        };
        let wide = self.builder.ins().fcvt_to_sint_sat(types::I32, value);
        let [low, high] =
            [low, high].map(|bound| self.builder.ins().iconst(types::I32, i64::from(bound.cast_unsigned())));
        let clamped = self.builder.ins().smax(wide, low);
        let clamped = self.builder.ins().smin(clamped, high);
        self.builder.ins().ireduce(integer, clamped)
    }

    /// The bits of the narrow float nearest to an f32.
    pub fn encode(&mut self, narrow: NarrowFloat, value: Value, nans: Nans) -> Value {
        // In compact code, long instruction sequences are calls.
        if self.plain && !narrow.is_upper_part() && nans != Nans::Own {
            let bits = self.bits_of(value, ElementType::F32);
            let function = operation::cast(ElementType::F32, narrow.element) as *const u8;
            let bits = self.call_for_value(function, &[types::I64], types::I64, &[bits]);
            return self.builder.ins().ireduce(types::I32, bits);
        }
        Halves::new(&mut self.builder, value).encode(narrow, value, nans)
    }

    /// The bits of one value as one of another type of its size, of which one is a float. A narrow float is rounded.
    pub fn bits(&mut self, from: ElementType, to: ElementType, value: Value) -> Value {
        let flags = MemFlagsData::new();
        match (NarrowFloat::from_element(from), NarrowFloat::from_element(to)) {
            (Some(narrow), _) => {
                let bits = self.encode(narrow, value, Nans::Own);
                self.builder.ins().ireduce(register_type(to), bits)
            }
            (_, Some(narrow)) => {
                let bits = self.builder.ins().uextend(types::I32, value);
                Halves::new(&mut self.builder, bits).decode(narrow, bits)
            }
            _ => self.builder.ins().bitcast(register_type(to), flags, value),
        }
    }

    /// A cast that the interpreter's function computes.
    fn cast_by_helper(&mut self, from: ElementType, to: ElementType, value: Value) -> Value {
        let bits = self.bits_of(value, from);
        let function = operation::cast(from, to) as *const u8;
        let bits = self.call_for_value(function, &[types::I64], types::I64, &[bits]);
        self.of_bits(bits, to)
    }

    /// The register value for the zero-extended bits of an element.
    pub fn of_bits(&mut self, bits: Value, element: ElementType) -> Value {
        let flags = MemFlagsData::new();
        if let Some(narrow) = NarrowFloat::from_element(element) {
            let bits = self.builder.ins().ireduce(types::I32, bits);
            return Halves::new(&mut self.builder, bits).decode(narrow, bits);
        }
        match register_type(element) {
            types::I64 => bits,
            types::F64 => self.builder.ins().bitcast(types::F64, flags, bits),
            types::F32 => {
                let bits = self.builder.ins().ireduce(types::I32, bits);
                self.builder.ins().bitcast(types::F32, flags, bits)
            }
            integer => self.builder.ins().ireduce(integer, bits),
        }
    }

    /// The zero-extended bits of a register value.
    fn bits_of(&mut self, value: Value, element: ElementType) -> Value {
        let flags = MemFlagsData::new();
        if let Some(narrow) = NarrowFloat::from_element(element) {
            let bits = self.encode(narrow, value, Nans::Any);
            return self.builder.ins().uextend(types::I64, bits);
        }
        match register_type(element) {
            types::I64 => value,
            types::F64 => self.builder.ins().bitcast(types::I64, flags, value),
            types::F32 => {
                let bits = self.builder.ins().bitcast(types::I32, flags, value);
                self.builder.ins().uextend(types::I64, bits)
            }
            _ => self.builder.ins().uextend(types::I64, value),
        }
    }
}

/// The values of an integer type narrower than 32 bits.
pub fn narrow_range(element: ElementType) -> Option<(i32, i32)> {
    let (low, high) = element.integer_range().filter(|_| element.bits() < 32)?;
    Some((i32::try_from(low).ok()?, i32::try_from(high).ok()?))
}
