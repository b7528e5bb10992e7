//! f16 and bf16 in integer and f32 arithmetic, one value at a time or four.
//!
//! The processor's own conversions are out of the code generator's reach, so these are written out. The functions take
//! the bits in 32-bit lanes and work on scalars and vectors alike.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;
use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, ExprKind};

/// What is known of the NaNs among f32 values that are to become bf16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nans {
    /// Nothing.
    Any,
    /// They have the digits of a bf16, as the results of arithmetic on bf16 values have: a processor gives a NaN
    /// operand back, or a NaN of its own with one digit. So rounding them as if they were numbers changes nothing.
    Short,
}

impl Nans {
    /// What is known of the unrounded values of an expression.
    pub fn of(expr: &Expr) -> Nans {
        let arithmetic =
            matches!(expr.kind, ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..));
        if arithmetic { Nans::Short } else { Nans::Any }
    }
}

/// Converts between the bits of a half float and the f32 of equal value.
pub struct Halves<'b, 'f> {
    builder: &'b mut FunctionBuilder<'f>,
    /// I32 or I32X4.
    int: Type,
    /// F32 or F32X4.
    float: Type,
}

impl<'b, 'f> Halves<'b, 'f> {
    /// For the type of the given value: I32 or F32, or a vector of four of them.
    pub fn new(builder: &'b mut FunctionBuilder<'f>, value: Value) -> Halves<'b, 'f> {
        let vector = builder.func.dfg.value_type(value).is_vector();
        let (int, float) = if vector { (types::I32X4, types::F32X4) } else { (types::I32, types::F32) };
        Halves { builder, int, float }
    }

    fn constant(&mut self, bits: u32) -> Value {
        let scalar = self.builder.ins().iconst(types::I32, i64::from(bits));
        if self.int.is_vector() { self.builder.ins().splat(self.int, scalar) } else { scalar }
    }

    fn float_constant(&mut self, bits: u32) -> Value {
        let bits = self.constant(bits);
        self.as_float(bits)
    }

    fn as_float(&mut self, bits: Value) -> Value {
        let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
        self.builder.ins().bitcast(self.float, flags, bits)
    }

    fn as_bits(&mut self, float: Value) -> Value {
        let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
        self.builder.ins().bitcast(self.int, flags, float)
    }

    fn and(&mut self, value: Value, mask: u32) -> Value {
        let mask = self.constant(mask);
        self.builder.ins().band(value, mask)
    }

    fn add(&mut self, value: Value, summand: u32) -> Value {
        let summand = self.constant(summand);
        self.builder.ins().iadd(value, summand)
    }

    fn shift_left(&mut self, value: Value, amount: i64) -> Value {
        let amount = self.builder.ins().iconst(types::I32, amount);
        self.builder.ins().ishl(value, amount)
    }

    fn shift_right(&mut self, value: Value, amount: i64) -> Value {
        let amount = self.builder.ins().iconst(types::I32, amount);
        self.builder.ins().ushr(value, amount)
    }

    /// `condition ? first : second`, the condition from a comparison of this width.
    fn choose(&mut self, condition: Value, first: Value, second: Value) -> Value {
        if self.int.is_vector() {
            self.builder.ins().bitselect(condition, first, second)
        } else {
            self.builder.ins().select(condition, first, second)
        }
    }

    fn is_nan(&mut self, float: Value) -> Value {
        self.builder.ins().fcmp(FloatCC::Unordered, float, float)
    }

    /// The f32 of equal value; the bits stand in the low half of each lane, the high half is 0.
    pub fn decode(&mut self, element: ElementType, bits: Value) -> Value {
        if element == ElementType::Bf16 {
            let bits = self.shift_left(bits, 16);
            return self.as_float(bits);
        }
        // Exponent and fraction at their new place are 2^112 too small, subnormals included: multiplying is exact.
        let magnitude = self.and(bits, 0x7fff);
        let placed = self.shift_left(magnitude, 13);
        let scale = self.float_constant(0x7780_0000);
        let small = self.as_float(placed);
        let finite = self.builder.ins().fmul(small, scale);
        let finite = self.as_bits(finite);
        // Infinity and NaN keep their fraction under the largest exponent.
        let exponent = self.constant(0x7f80_0000);
        let special = self.builder.ins().bor(placed, exponent);
        let limit = self.constant(0x7bff);
        let is_special = self.builder.ins().icmp(IntCC::SignedGreaterThan, magnitude, limit);
        let value = self.choose(is_special, special, finite);
        let sign = self.and(bits, 0x8000);
        let sign = self.shift_left(sign, 16);
        let value = self.builder.ins().bor(value, sign);
        self.as_float(value)
    }

    /// The bits of the nearest value, ties to even, in the low half of each lane.
    pub fn encode(&mut self, element: ElementType, value: Value, nans: Nans) -> Value {
        if element == ElementType::Bf16 { self.encode_bf16(value, nans) } else { self.encode_f16(value) }
    }

    /// The bits of an f32 with half of the last place of a bf16 added, less one where the kept part is even: that
    /// carries into the kept part exactly when rounding up. The low half is what is cut off.
    fn raised(&mut self, bits: Value) -> Value {
        let shifted = self.shift_right(bits, 16);
        let odd = self.and(shifted, 1);
        let half = self.add(odd, 0x7fff);
        self.builder.ins().iadd(bits, half)
    }

    fn encode_bf16(&mut self, value: Value, nans: Nans) -> Value {
        let bits = self.as_bits(value);
        let rounded = self.raised(bits);
        let rounded = self.shift_right(rounded, 16);
        if nans == Nans::Short {
            return rounded;
        }
        // Cutting a NaN could leave an infinity; the quiet bit keeps it a NaN.
        let shifted = self.shift_right(bits, 16);
        let quiet = self.constant(0x40);
        let nan = self.builder.ins().bor(shifted, quiet);
        let is_nan = self.is_nan(value);
        self.choose(is_nan, nan, rounded)
    }

    fn encode_f16(&mut self, value: Value) -> Value {
        let bits = self.as_bits(value);
        let magnitude_bits = self.and(bits, 0x7fff_ffff);
        let magnitude = self.as_float(magnitude_bits);
        // Normal results: rebias the exponent by -112 and add half of the last place, less one where the kept part is
        // even; a carry moves into the exponent, as it should. Beyond the range this gives more than 0x7c00.
        let shifted = self.shift_right(magnitude_bits, 13);
        let odd = self.and(shifted, 1);
        let rebiased = self.add(magnitude_bits, 0xc800_0fff);
        let rounded = self.builder.ins().iadd(rebiased, odd);
        let normal = self.shift_right(rounded, 13);
        let infinity = self.constant(0x7c00);
        let overflow = self.constant(0x4780_0000 - 0x1000 - 1);
        let is_large = self.builder.ins().icmp(IntCC::SignedGreaterThan, magnitude_bits, overflow);
        let normal = self.choose(is_large, infinity, normal);
        // Subnormal results: the last place of 0.5 is 2^-24, that of the subnormals; the addition rounds there.
        let half = self.float_constant(0x3f00_0000);
        let sum = self.builder.ins().fadd(magnitude, half);
        let sum = self.as_bits(sum);
        let subnormal = self.add(sum, 0xc100_0000);
        let smallest_normal = self.constant(0x3880_0000);
        let is_small = self.builder.ins().icmp(IntCC::SignedLessThan, magnitude_bits, smallest_normal);
        let finite = self.choose(is_small, subnormal, normal);
        let nan = self.constant(0x7e00);
        let is_nan = self.is_nan(value);
        let unsigned = self.choose(is_nan, nan, finite);
        let sign = self.shift_right(bits, 16);
        let sign = self.and(sign, 0x8000);
        self.builder.ins().bor(unsigned, sign)
    }

    /// The value rounded to the half type, as f32.
    pub fn round(&mut self, element: ElementType, value: Value, nans: Nans) -> Value {
        if element == ElementType::Bf16 && nans == Nans::Short {
            let bits = self.as_bits(value);
            let rounded = self.raised(bits);
            let rounded = self.and(rounded, 0xffff_0000);
            return self.as_float(rounded);
        }
        if element == ElementType::Bf16 {
            let bits = self.encode_bf16(value, nans);
            return self.decode(element, bits);
        }
        let bits = self.as_bits(value);
        let sign = self.and(bits, 0x8000_0000);
        // Adding 2^13 times the power of two below the value leaves 10 digits of its fraction, rounded as every
        // addition is; taking it away again is exact. Below the normal range the last place stays at 2^-24.
        let exponent = self.and(bits, 0x7f80_0000);
        let smallest_normal = self.constant(0x3880_0000);
        let exponent = self.builder.ins().smax(exponent, smallest_normal);
        let exponent = self.add(exponent, 13 << 23);
        let large = self.builder.ins().bor(exponent, sign);
        let large = self.as_float(large);
        let sum = self.builder.ins().fadd(value, large);
        let rounded = self.builder.ins().fsub(sum, large);
        // A value that rounds to zero keeps its sign.
        let rounded = self.as_bits(rounded);
        let rounded = self.builder.ins().bor(rounded, sign);
        let infinity = self.constant(0x7f80_0000);
        let infinity = self.builder.ins().bor(infinity, sign);
        // 65520 is where values begin to round to infinity; NaN is not above it.
        let magnitude = self.builder.ins().fabs(value);
        let limit = self.float_constant(0x477f_f000);
        let overflows = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, magnitude, limit);
        let result = self.choose(overflows, infinity, rounded);
        self.as_float(result)
    }
}
