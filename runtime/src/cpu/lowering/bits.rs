//! Lowers the functions of the bits of integers, and of the sign of floats.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use elements::ElementType;
use kernel::typed::MathFunction;

use super::emitter::Emitter;

impl Emitter<'_, '_> {
    /// A float with the sign of another one; which sign a NaN has is not defined, so it counts as none.
    pub fn with_sign_of(&mut self, size: Value, sign: Value) -> Value {
        let is_nan = self.builder.ins().fcmp(FloatCC::Unordered, sign, sign);
        let signed = self.builder.ins().fcopysign(size, sign);
        let unsigned = self.builder.ins().fabs(size);
        self.builder.ins().select(is_nan, unsigned, signed)
    }

    /// A function of the bits of integers. Narrow ones are extended, since processors have instructions for 32 and 64 bits.
    pub fn function_of_bits(&mut self, function: MathFunction, element: ElementType, values: &[Value]) -> Value {
        let of = self.builder.func.dfg.value_type(values[0]);
        if function == MathFunction::Mulhi {
            return self.multiply_high(element, of, values);
        }
        let wide = if of.bits() < 32 { types::I32 } else { of };
        let value = if wide == of { values[0] } else { self.extended(wide, false, values[0]) };
        let more = i64::from(wide.bits() - of.bits());
        let result = match function {
            MathFunction::Popcount => self.builder.ins().popcnt(value),
            MathFunction::Clz => {
                let zeros = self.builder.ins().clz(value);
                self.builder.ins().iadd_imm_s(zeros, -more)
            }
            MathFunction::Ctz => {
                // A bit above those of the type ends the zeros.
                let value = if more > 0 { self.builder.ins().bor_imm_s(value, 1 << of.bits()) } else { value };
                self.builder.ins().ctz(value)
            }
            MathFunction::Ffs => {
                let zeros = self.builder.ins().ctz(value);
                let place = self.builder.ins().iadd_imm_s(zeros, 1);
                let nothing = self.builder.ins().iconst(wide, 0);
                let is_zero = self.builder.ins().icmp(IntCC::Equal, value, nothing);
                self.builder.ins().select(is_zero, nothing, place)
            }
            _ => {
                let reversed = self.builder.ins().bitrev(value);
                self.builder.ins().ushr_imm_s(reversed, more)
            }
        };
        if wide == of { result } else { self.builder.ins().ireduce(of, result) }
    }

    /// The upper half of a product.
    fn multiply_high(&mut self, element: ElementType, of: Type, values: &[Value]) -> Value {
        let is_signed = element.is_signed();
        if of == types::I64 {
            let ins = self.builder.ins();
            return if is_signed { ins.smulhi(values[0], values[1]) } else { ins.umulhi(values[0], values[1]) };
        }
        let wide = if of.bits() < 32 { types::I32 } else { types::I64 };
        let [left, right] = [values[0], values[1]].map(|value| self.extended(wide, is_signed, value));
        let product = self.builder.ins().imul(left, right);
        let upper = self.builder.ins().ushr_imm_s(product, i64::from(of.bits()));
        self.builder.ins().ireduce(of, upper)
    }
}
