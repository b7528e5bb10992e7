//! Conversions of floats narrower than f32 (f16, bf16, those of 8 bits) by integer and f32 arithmetic, for one value or four.
//!
//! The code generator cannot emit the processor's own conversions, so these are written out, for the format of any
//! element type. The functions take the bits in 32-bit lanes and work on scalars and on vectors.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;
use elements::{Conversion, ElementType, FloatFormat};
use kernel::loops::Node;
use kernel::typed::BinaryOp;

/// The possible NaNs among f32 values that are to be converted to bf16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nans {
    /// Any NaN.
    Any,
    /// NaNs whose bits fit a bf16, as in results of arithmetic on bf16 values: a processor returns a NaN operand, or a
    /// NaN of its own with one fraction bit. Rounding them like numbers changes nothing.
    Short,
    /// None but those of the narrow float itself, as in what was loaded, or made of bits. Nothing has to be rounded, every bit
    /// stays, and an infinity is one.
    Own,
}

impl Nans {
    /// The possible NaNs among the unrounded results of an operation.
    pub fn from_node(node: &Node) -> Nans {
        match node {
            Node::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..) => Nans::Short,
            Node::Load(_) | Node::Bits(_) | Node::Constant(_) | Node::Scalar(_) | Node::Select(..) | Node::Merge(_) => {
                Nans::Own
            }
            _ => Nans::Any,
        }
    }
}

/// A float format narrower than f32, in relation to that of f32. Both consist of sign, exponent and fraction, in this
/// order.
#[derive(Clone, Copy, Debug)]
pub struct NarrowFloat {
    /// The element type.
    pub element: ElementType,
    format: FloatFormat,
}

/// The bits of infinity as an f32: all exponent bits are set.
const INFINITY: u32 = 0x7f80_0000;

/// The bits of this power of two as an f32.
fn power_of_two(exponent: i32) -> u32 {
    (127 + exponent).cast_unsigned() << 23
}

impl NarrowFloat {
    /// The format of an element type that is computed in f32 and rounded; `None` for other types.
    pub fn from_element(element: ElementType) -> Option<NarrowFloat> {
        let format = element.float_format().filter(|_| element.is_narrow_float())?;
        Some(NarrowFloat { element, format })
    }

    /// Whether it is the upper half of an f32, with the same exponents.
    pub fn is_upper_part(self) -> bool {
        self.format.least_exponent == -126
    }

    /// The difference in fraction bits.
    fn lost(self) -> u32 {
        24 - self.format.significant_bits
    }

    /// The distance from its sign bit to that of an f32.
    fn sign_shift(self) -> u32 {
        32 - self.element.bits()
    }

    /// The integer type of its bits.
    pub fn bits(self) -> ElementType {
        if self.element.size_bytes() == 1 { ElementType::U8 } else { ElementType::U16 }
    }

    /// Its sign bit.
    fn sign(self) -> u32 {
        1 << (self.element.bits() - 1)
    }

    /// The bits behind its largest number: infinity, or NaN where there is none.
    fn beyond(self) -> u32 {
        self.format.code_of_largest() + 1
    }

    /// The bits of the result beyond its largest number.
    fn overflowed(self) -> u32 {
        match self.format.conversion {
            Conversion::Ieee => self.beyond(),
            Conversion::Saturating => self.format.code_of_largest(),
        }
    }

    /// The bits of the only NaN that a conversion gives, if it keeps none of those that there are.
    fn only_nan(self) -> Option<u32> {
        (self.format.conversion == Conversion::Saturating).then(|| self.sign() - 1)
    }

    /// The f32 of equal value of a number's or NaN's bits.
    fn single(self, bits: u32) -> u32 {
        (self.format.value_of_code(bits, self.sign()) as f32).to_bits()
    }

    /// Its highest fraction bit, which marks a quiet NaN.
    fn quiet(self) -> u32 {
        1 << (self.format.significant_bits - 2)
    }

    /// Half a unit in its last place, in the fraction of an f32.
    fn half_of_last(self) -> u32 {
        1 << (self.lost() - 1)
    }

    /// The bits of the least f32 that is rounded to what comes beyond the largest number, or of an f32 above the largest number that is
    /// rounded to it.
    fn overflow(self) -> u32 {
        match self.format.conversion {
            Conversion::Ieee => power_of_two(self.format.greatest_exponent + 1) - self.half_of_last(),
            Conversion::Saturating => self.single(self.format.code_of_largest()) + 1,
        }
    }

    /// The f32 whose last place is that of the subnormal numbers.
    fn subnormal_grid(self) -> u32 {
        let last_place = self.format.least_exponent - (self.format.significant_bits.cast_signed() - 1);
        power_of_two(last_place + 23)
    }
}

/// Converts between the bits of a narrow float and the f32 of equal value.
pub struct Halves<'b, 'f> {
    builder: &'b mut FunctionBuilder<'f>,
    /// I32 or I32X4.
    int: Type,
    /// F32 or F32X4.
    float: Type,
}

impl<'b, 'f> Halves<'b, 'f> {
    /// A converter for the type of the given value: I32 or F32, or a vector of four of them.
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

    fn shift_left(&mut self, value: Value, amount: u32) -> Value {
        let amount = self.builder.ins().iconst(types::I32, i64::from(amount));
        self.builder.ins().ishl(value, amount)
    }

    fn shift_right(&mut self, value: Value, amount: u32) -> Value {
        let amount = self.builder.ins().iconst(types::I32, i64::from(amount));
        self.builder.ins().ushr(value, amount)
    }

    /// `condition ? first : second`, with the condition from a comparison of this width.
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

    /// The f32 of equal value; the bits are the low ones of each lane, with zeros above.
    pub fn decode(&mut self, narrow: NarrowFloat, bits: Value) -> Value {
        if narrow.is_upper_part() {
            let bits = self.shift_left(bits, narrow.sign_shift());
            return self.as_float(bits);
        }
        // With the bits moved to their new place, the value is too small by a power of two, even for subnormal numbers;
        // multiplying by it is exact.
        let magnitude = self.and(bits, narrow.sign() - 1);
        let placed = self.shift_left(magnitude, narrow.lost());
        let scale = self.float_constant(power_of_two(narrow.format.least_exponent + 126));
        let small = self.as_float(placed);
        let finite = self.builder.ins().fmul(small, scale);
        let finite = self.as_bits(finite);
        // Infinity and NaN keep their fraction with the largest exponent.
        let exponent = self.constant(INFINITY);
        let special = self.builder.ins().bor(placed, exponent);
        let limit = self.constant(narrow.beyond() - 1);
        let is_special = self.builder.ins().icmp(IntCC::SignedGreaterThan, magnitude, limit);
        let value = self.choose(is_special, special, finite);
        let sign = self.and(bits, narrow.sign());
        let sign = self.shift_left(sign, narrow.sign_shift());
        let value = self.builder.ins().bor(value, sign);
        self.as_float(value)
    }

    /// The bits of the nearest value, ties to even, in the low bits of each lane.
    pub fn encode(&mut self, narrow: NarrowFloat, value: Value, nans: Nans) -> Value {
        if narrow.is_upper_part() {
            self.encode_upper_part(narrow, value, nans)
        } else {
            self.encode_other(narrow, value, nans)
        }
    }

    /// The bits of an f32 plus half a unit of the narrow float's last place, minus one if the kept part is even: this
    /// carries into the kept part exactly if the value is rounded up. The low bits are to be truncated.
    fn raised(&mut self, narrow: NarrowFloat, bits: Value) -> Value {
        let shifted = self.shift_right(bits, narrow.lost());
        let odd = self.and(shifted, 1);
        let half = self.add(odd, narrow.half_of_last() - 1);
        self.builder.ins().iadd(bits, half)
    }

    fn encode_upper_part(&mut self, narrow: NarrowFloat, value: Value, nans: Nans) -> Value {
        let bits = self.as_bits(value);
        let rounded = self.raised(narrow, bits);
        let rounded = self.shift_right(rounded, narrow.lost());
        if nans != Nans::Any {
            return rounded;
        }
        // Truncating a NaN could give an infinity; the quiet bit keeps it a NaN.
        let shifted = self.shift_right(bits, narrow.lost());
        let quiet = self.constant(narrow.quiet());
        let nan = self.builder.ins().bor(shifted, quiet);
        let is_nan = self.is_nan(value);
        self.choose(is_nan, nan, rounded)
    }

    fn encode_other(&mut self, narrow: NarrowFloat, value: Value, nans: Nans) -> Value {
        let bits = self.as_bits(value);
        let magnitude_bits = self.and(bits, 0x7fff_ffff);
        let magnitude = self.as_float(magnitude_bits);
        // Normal results: the exponent is rebased, and half a unit in the last place is added, minus one if the kept
        // part is even; a carry correctly moves into the exponent. Beyond the range this exceeds the largest number.
        let shifted = self.shift_right(magnitude_bits, narrow.lost());
        let odd = self.and(shifted, 1);
        let start = (narrow.format.least_exponent + 126).cast_unsigned() << 23;
        let rebiased = self.add(magnitude_bits, (narrow.half_of_last() - 1).wrapping_sub(start));
        let rounded = self.builder.ins().iadd(rebiased, odd);
        let normal = self.shift_right(rounded, narrow.lost());
        let overflowed = self.constant(if nans == Nans::Own { narrow.beyond() } else { narrow.overflowed() });
        let overflow = self.constant(narrow.overflow() - 1);
        let is_large = self.builder.ins().icmp(IntCC::SignedGreaterThan, magnitude_bits, overflow);
        let normal = self.choose(is_large, overflowed, normal);
        // Subnormal results: adding the number with their last place rounds to it.
        let grid = self.float_constant(narrow.subnormal_grid());
        let sum = self.builder.ins().fadd(magnitude, grid);
        let sum = self.as_bits(sum);
        let subnormal = self.add(sum, narrow.subnormal_grid().wrapping_neg());
        let smallest_normal = self.constant(power_of_two(narrow.format.least_exponent));
        let is_small = self.builder.ins().icmp(IntCC::SignedLessThan, magnitude_bits, smallest_normal);
        let finite = self.choose(is_small, subnormal, normal);
        let sign = self.shift_right(bits, narrow.sign_shift());
        let sign = self.and(sign, narrow.sign());
        let is_nan = self.is_nan(value);
        let (nan, sign_of_nan) = match (nans, narrow.only_nan()) {
            (Nans::Own, _) => (self.and(shifted, narrow.sign() - 1), true),
            (Nans::Any | Nans::Short, None) => (self.constant(narrow.beyond() | narrow.quiet()), true),
            (Nans::Any | Nans::Short, Some(nan)) => (self.constant(nan), false),
        };
        if !sign_of_nan {
            let number = self.builder.ins().bor(finite, sign);
            return self.choose(is_nan, nan, number);
        }
        let unsigned = self.choose(is_nan, nan, finite);
        self.builder.ins().bor(unsigned, sign)
    }

    /// The value rounded to the narrow float, as f32.
    pub fn round(&mut self, narrow: NarrowFloat, value: Value, nans: Nans) -> Value {
        if narrow.is_upper_part() && nans != Nans::Any {
            let bits = self.as_bits(value);
            let rounded = self.raised(narrow, bits);
            let rounded = self.and(rounded, u32::MAX << narrow.lost());
            return self.as_float(rounded);
        }
        if narrow.is_upper_part() {
            let bits = self.encode_upper_part(narrow, value, nans);
            return self.decode(narrow, bits);
        }
        let bits = self.as_bits(value);
        let sign = self.and(bits, 0x8000_0000);
        // Adding the power of two below the value, scaled by the number of surplus fraction bits, rounds the value to
        // the kept digits; subtracting it again is exact. Below the normal range, the last place stays that of the
        // subnormal numbers.
        let exponent = self.and(bits, INFINITY);
        let smallest_normal = self.constant(power_of_two(narrow.format.least_exponent));
        let exponent = self.builder.ins().smax(exponent, smallest_normal);
        let exponent = self.add(exponent, narrow.lost() << 23);
        let large = self.builder.ins().bor(exponent, sign);
        let large = self.as_float(large);
        let sum = self.builder.ins().fadd(value, large);
        let rounded = self.builder.ins().fsub(sum, large);
        // A value that rounds to zero keeps its sign.
        let rounded = self.as_bits(rounded);
        let rounded = self.builder.ins().bor(rounded, sign);
        let overflowed = self.constant(narrow.single(narrow.overflowed()));
        let overflowed = self.builder.ins().bor(overflowed, sign);
        // The comparison is false for NaN.
        let magnitude = self.builder.ins().fabs(value);
        let limit = self.float_constant(narrow.overflow());
        let overflows = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, magnitude, limit);
        let result = self.choose(overflows, overflowed, rounded);
        let result = match narrow.only_nan() {
            Some(nan) => {
                let is_nan = self.is_nan(value);
                let nan = self.constant(narrow.single(nan));
                self.choose(is_nan, nan, result)
            }
            None => result,
        };
        self.as_float(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The constants that follow from the definitions of the formats.
    #[test]
    fn the_numbers_of_a_format_follow_from_its_definition() {
        let f16 = NarrowFloat::from_element(ElementType::F16).unwrap();
        let numbers = [f16.sign(), f16.beyond(), f16.beyond() | f16.quiet(), f16.overflow(), f16.subnormal_grid()];
        assert_eq!(numbers, [0x8000, 0x7c00, 0x7e00, 65520f32.to_bits(), 0.5f32.to_bits()]);
        let bf16 = NarrowFloat::from_element(ElementType::Bf16).unwrap();
        assert_eq!([bf16.sign(), bf16.beyond(), bf16.quiet(), bf16.lost()], [0x8000, 0x7f80, 0x40, 16]);
        assert!(bf16.is_upper_part() && !f16.is_upper_part());
        let e4m3 = NarrowFloat::from_element(ElementType::E4m3).unwrap();
        let e5m2 = NarrowFloat::from_element(ElementType::E5m2).unwrap();
        let numbers = |float: NarrowFloat| [float.sign(), float.beyond(), float.overflowed(), float.subnormal_grid()];
        assert_eq!(numbers(e4m3), [0x80, 0x7f, 0x7e, 16384f32.to_bits()]);
        assert_eq!(numbers(e5m2), [0x80, 0x7c, 0x7b, 128f32.to_bits()]);
        assert_eq!([e4m3.overflow() - 1, e5m2.overflow() - 1], [448f32.to_bits(), 57344f32.to_bits()]);
        assert_eq!([e4m3.only_nan(), e5m2.only_nan(), f16.only_nan()], [Some(0x7f), Some(0x7f), None]);
        assert!(
            NarrowFloat::from_element(ElementType::F32).is_none()
                && NarrowFloat::from_element(ElementType::I16).is_none()
        );
    }
}
