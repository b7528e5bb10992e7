//! Lowers values, one at a time.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use dims::CompareOp;
use elements::ElementType;
use kernel::loops::{Node, ValueId};
use kernel::typed::{BinaryOp, MathFunction, ParamId, UnaryOp};
use kernel::with_enough_stack;

use super::emitter::Emitter;
use super::half_floats::{Halves, Nans, NarrowFloat};
use super::helpers;
use crate::cpu::indices::form::Atom;
use crate::cpu::vectors::packs::Pack;
use crate::cpu::vectors::packs::register_type;
use crate::interpreter::program::constant_bits;
use crate::tensors::Scalar;

impl Emitter<'_, '_> {
    /// A value in the current lane.
    pub fn value(&mut self, id: ValueId) -> Value {
        if let Some(known) = self.known_in_lane(id) {
            return known;
        }
        let value = with_enough_stack(|| self.unrounded(id));
        let node = self.forms.node(id);
        let value = match NarrowFloat::from_element(self.program.element(id)) {
            Some(narrow) if self.needs_rounding(id) => self.round(narrow, value, Nans::from_node(node)),
            _ => value,
        };
        // The value of a counter differs between lanes.
        if !matches!(node, Node::Block | Node::Thread | Node::Iterator(_)) {
            self.forms.known.add(id, Pack::Uniform(value));
        }
        value
    }

    /// The value computed before in the current lane.
    fn known_in_lane(&mut self, id: ValueId) -> Option<Value> {
        let known = self.forms.known.get(id)?.clone();
        let lane = self.lanes.as_ref().and_then(|lanes| lanes.lane).unwrap_or(0);
        Some(self.lane_of(&known, self.program.element(id), lane))
    }

    /// Whether [`Emitter::unrounded`] may give an f16 or bf16 value that the type does not represent.
    pub fn needs_rounding(&self, id: ValueId) -> bool {
        match self.forms.node(id) {
            Node::Binary(..) => true,
            Node::Math(function, _) => !matches!(function, MathFunction::Abs | MathFunction::Min | MathFunction::Max),
            // Casts by a helper are rounded already; see `cast`.
            Node::Cast(operand) => self.program.element(*operand) != self.program.element(id),
            _ => false,
        }
    }

    /// Rounds an f32 to the narrow float.
    pub fn round(&mut self, narrow: NarrowFloat, value: Value, nans: Nans) -> Value {
        if self.plain && !narrow.is_upper_part() && !self.builder.func.dfg.value_type(value).is_vector() {
            let bits = self.encode(narrow, value, nans);
            return Halves::new(&mut self.builder, bits).decode(narrow, bits);
        }
        Halves::new(&mut self.builder, value).round(narrow, value, nans)
    }

    /// A value; f16 and bf16 are f32, which may not be rounded yet.
    pub fn unrounded(&mut self, id: ValueId) -> Value {
        if let Some(known) = self.known_in_lane(id) {
            return known;
        }
        let element = self.program.element(id);
        if element == ElementType::I64 {
            let form = self.forms.form(id);
            if !self.forms.is_own(&form, id) {
                return self.form(&form);
            }
        }
        match self.forms.node(id) {
            Node::Constant(constant) => self.constant_of_bits(constant_bits(*constant, element), element),
            Node::Scalar(param) => self.scalar(*param, element),
            Node::Load(access) => self.load(*access),
            Node::Size(_) | Node::Block | Node::Thread | Node::Iterator(_) => {
                let counter = self.forms.id(Atom::Value(id));
                self.count_of(counter)
            }
            Node::Shuffled(_) => unreachable!("a kernel with shuffles is not compiled: {id:?}"),
            Node::Merge(_) => unreachable!("what paths bring is known where they meet: {id:?}"),
            Node::Unary(UnaryOp::Not, operand) => {
                let operand = self.value(*operand);
                self.builder.ins().bxor_imm_u(operand, 1)
            }
            Node::Unary(UnaryOp::Negate, operand) => {
                let operand = self.value(*operand);
                if element.is_float() { self.builder.ins().fneg(operand) } else { self.builder.ins().ineg(operand) }
            }
            Node::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) if self.is_costly(*right) => {
                let left = self.value(*left);
                let known = i64::from(*operator == BinaryOp::Or);
                let evaluate = |emitter: &mut Self| Some(emitter.value(*right));
                let keep = |emitter: &mut Self| Some(emitter.builder.ins().iconst(types::I8, known));
                let result = if *operator == BinaryOp::And {
                    self.branch(left, evaluate, keep, Some(types::I8))
                } else {
                    self.branch(left, keep, evaluate, Some(types::I8))
                };
                result.unwrap_or(left)
            }
            Node::Binary(operator, left, right) => {
                let of = self.program.element(*left);
                let (left, right) = (self.value(*left), self.value(*right));
                self.binary(*operator, of, left, right)
            }
            Node::Select(condition, first, second) => self.select(element, *condition, *first, *second),
            Node::Cast(operand) => {
                let from = self.program.element(*operand);
                let operand = self.value(*operand);
                self.cast(from, element, operand)
            }
            Node::Bits(operand) => {
                let from = self.program.element(*operand);
                let operand = self.value(*operand);
                self.bits(from, element, operand)
            }
            Node::Math(function, arguments) => {
                let values: Vec<Value> = arguments.iter().map(|argument| self.value(*argument)).collect();
                self.math(*function, element, &values)
            }
        }
    }

    fn select(&mut self, element: ElementType, condition: ValueId, first: ValueId, second: ValueId) -> Value {
        if !self.is_costly(first) && !self.is_costly(second) {
            let [first, second] = self.higher_first([first, second], Self::value);
            let condition = self.value(condition);
            return self.builder.ins().select(condition, first, second);
        }
        let condition = self.value(condition);
        let result = self.branch(
            condition,
            |emitter| Some(emitter.value(first)),
            |emitter| Some(emitter.value(second)),
            Some(register_type(element)),
        );
        result.unwrap_or(condition)
    }

    /// Computes both sides of a choice, first the one that takes more operations in a row. So a chain of thousands of choices
    /// needs registers for one of them at a time; in the other order all of their conditions would wait for the last one.
    pub fn higher_first<T>(&mut self, [one, other]: [ValueId; 2], compute: impl Fn(&mut Self, ValueId) -> T) -> [T; 2] {
        if self.program.is_higher(other, one) {
            let other = compute(self, other);
            [compute(self, one), other]
        } else {
            let one = compute(self, one);
            [one, compute(self, other)]
        }
    }

    /// Whether computing a value still takes loads or function calls, so that it is computed only if it is needed.
    fn is_costly(&self, id: ValueId) -> bool {
        self.forms.known.get(id).is_none() && self.program.is_costly(id)
    }

    /// A value from the bits of a constant.
    pub fn constant_of_bits(&mut self, bits: u64, element: ElementType) -> Value {
        let ins = self.builder.ins();
        match register_type(element) {
            types::F64 => ins.f64const(f64::from_bits(bits)),
            types::F32 if element.is_narrow_float() => ins.f32const(Scalar::from_bits(element, bits).to_f64() as f32),
            types::F32 => ins.f32const(f32::from_bits(bits as u32)),
            integer => ins.iconst(integer, bits as i64),
        }
    }

    /// The value of a scalar parameter. Every entry of the table is a whole word, whatever the type.
    pub fn scalar(&mut self, id: ParamId, element: ElementType) -> Value {
        let word = self.layout.param(id.0 as usize);
        let bits = self.table_word(types::I64, word);
        self.of_bits(bits, element)
    }

    /// An operator of two operands of one type; f16 and bf16 results are not rounded yet.
    pub fn binary(&mut self, operator: BinaryOp, element: ElementType, left: Value, right: Value) -> Value {
        let is_float = element.is_float();
        let is_signed = element.is_signed();
        let ins = self.builder.ins();
        match operator {
            BinaryOp::Add if is_float => ins.fadd(left, right),
            BinaryOp::Subtract if is_float => ins.fsub(left, right),
            BinaryOp::Multiply if is_float => ins.fmul(left, right),
            BinaryOp::Divide if is_float => ins.fdiv(left, right),
            BinaryOp::Remainder if is_float => self.call_real(helpers::remainder(), element, &[left, right]),
            BinaryOp::Add => ins.iadd(left, right),
            BinaryOp::Subtract => ins.isub(left, right),
            BinaryOp::Multiply => ins.imul(left, right),
            BinaryOp::Divide | BinaryOp::Remainder => self.divide(operator, element, left, right),
            BinaryOp::FloorDivide | BinaryOp::FloorRemainder => self.floor_by_value(operator, left, right),
            BinaryOp::BitXor => ins.bxor(left, right),
            BinaryOp::BitAnd | BinaryOp::And => ins.band(left, right),
            BinaryOp::BitOr | BinaryOp::Or => ins.bor(left, right),
            BinaryOp::ShiftLeft => ins.ishl(left, right),
            BinaryOp::ShiftRight if is_signed => ins.sshr(left, right),
            BinaryOp::ShiftRight => ins.ushr(left, right),
            BinaryOp::Equal => self.compare(CompareOp::Eq, element, left, right),
            BinaryOp::NotEqual => self.compare(CompareOp::Ne, element, left, right),
            BinaryOp::Less => self.compare(CompareOp::Lt, element, left, right),
            BinaryOp::LessEqual => self.compare(CompareOp::Le, element, left, right),
            BinaryOp::Greater => self.compare(CompareOp::Gt, element, left, right),
            BinaryOp::GreaterEqual => self.compare(CompareOp::Ge, element, left, right),
        }
    }

    fn compare(&mut self, comparison: CompareOp, element: ElementType, left: Value, right: Value) -> Value {
        match element.is_float() {
            true => self.builder.ins().fcmp(float_condition(comparison), left, right),
            false => self.builder.ins().icmp(int_condition(comparison, element), left, right),
        }
    }

    /// Truncating division, whose instruction faults for a zero divisor and for the smallest integer divided by −1.
    fn divide(&mut self, operator: BinaryOp, element: ElementType, left: Value, right: Value) -> Value {
        let type_ = register_type(element);
        let one = self.builder.ins().iconst(type_, 1);
        let nothing = self.builder.ins().iconst(type_, 0);
        let by_zero = self.builder.ins().icmp(IntCC::Equal, right, nothing);
        let safe = self.builder.ins().select(by_zero, one, right);
        let quotient_wanted = operator == BinaryOp::Divide;
        let result = if !element.is_signed() {
            if quotient_wanted { self.builder.ins().udiv(left, safe) } else { self.builder.ins().urem(left, safe) }
        } else {
            let all_ones = (1u64 << (type_.bits() - 1) << 1).wrapping_sub(1) as i64;
            let minus_one = self.builder.ins().iconst(type_, all_ones);
            let by_minus_one = self.builder.ins().icmp(IntCC::Equal, right, minus_one);
            let safe = self.builder.ins().select(by_minus_one, one, safe);
            if quotient_wanted {
                let quotient = self.builder.ins().sdiv(left, safe);
                let negated = self.builder.ins().ineg(left);
                self.builder.ins().select(by_minus_one, negated, quotient)
            } else {
                let remainder = self.builder.ins().srem(left, safe);
                self.builder.ins().select(by_minus_one, nothing, remainder)
            }
        };
        self.builder.ins().select(by_zero, nothing, result)
    }

    /// Floor division by a value that differs between threads.
    fn floor_by_value(&mut self, operator: BinaryOp, left: Value, right: Value) -> Value {
        let one = self.int(1);
        let divisor = self.builder.ins().smax(right, one);
        let remainder = self.builder.ins().srem(left, divisor);
        let is_negative = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, remainder, 0);
        if operator == BinaryOp::FloorRemainder {
            let raised = self.builder.ins().iadd(remainder, divisor);
            return self.builder.ins().select(is_negative, raised, remainder);
        }
        let quotient = self.builder.ins().sdiv(left, divisor);
        let lowered = self.builder.ins().iadd_imm_s(quotient, -1);
        self.builder.ins().select(is_negative, lowered, quotient)
    }

    /// A math function; f16 and bf16 results are not rounded yet.
    pub fn math(&mut self, function: MathFunction, element: ElementType, values: &[Value]) -> Value {
        let is_float = element.is_float();
        match (function, values) {
            (MathFunction::Abs, &[value]) if is_float => self.builder.ins().fabs(value),
            (MathFunction::Abs, &[value]) if element.is_signed() => self.builder.ins().iabs(value),
            // The absolute value of an unsigned integer.
            (MathFunction::Abs, &[value]) => value,
            (MathFunction::Min | MathFunction::Max, &[left, right]) => {
                self.extreme(function == MathFunction::Min, element, left, right)
            }
            (MathFunction::Sqrt, &[value]) => self.builder.ins().sqrt(value),
            (MathFunction::Copysign, &[size, sign]) => self.with_sign_of(size, sign),
            _ if function.is_of_bits() => self.function_of_bits(function, element, values),
            (MathFunction::Floor, &[value]) if helpers::has_instruction(function) => self.builder.ins().floor(value),
            (MathFunction::Ceil, &[value]) if helpers::has_instruction(function) => self.builder.ins().ceil(value),
            (MathFunction::Round, &[value]) if helpers::has_instruction(function) => self.builder.ins().nearest(value),
            (MathFunction::Fma, &[left, right, summand]) if helpers::has_instruction(function) => {
                self.builder.ins().fma(left, right, summand)
            }
            _ => match (helpers::strip(function), helpers::without_instruction(function)) {
                (Some(strip), _) => self.math_of_one(strip, element, values),
                (None, Some(helper)) => self.call_real(helper, element, values),
                (None, None) => unreachable!("a function is an instruction, a strip or a helper: {function:?}"),
            },
        }
    }

    fn extreme(&mut self, smaller: bool, element: ElementType, left: Value, right: Value) -> Value {
        let ins = self.builder.ins();
        if !element.is_float() {
            return match (smaller, element.is_signed()) {
                (true, true) => ins.smin(left, right),
                (true, false) => ins.umin(left, right),
                (false, true) => ins.smax(left, right),
                (false, false) => ins.umax(left, right),
            };
        }
        // The instruction gives NaN if either operand is NaN; the language gives the other operand.
        let result = if smaller { ins.fmin(left, right) } else { ins.fmax(left, right) };
        let right_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, right, right);
        let result = self.builder.ins().select(right_is_nan, left, result);
        let left_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, left, left);
        self.builder.ins().select(left_is_nan, right, result)
    }

    fn call_real(&mut self, helper: helpers::RealHelper, element: ElementType, values: &[Value]) -> Value {
        let type_ = register_type(element);
        let function = if type_ == types::F64 { helper.double } else { helper.single };
        let parameters = vec![type_; helper.arguments];
        self.call_for_value(function, &parameters, type_, values)
    }
}

/// The condition of a comparison of integers or `bool`.
pub fn int_condition(comparison: CompareOp, element: ElementType) -> IntCC {
    let is_signed = element.is_signed();
    match comparison {
        CompareOp::Eq => IntCC::Equal,
        CompareOp::Ne => IntCC::NotEqual,
        CompareOp::Lt if is_signed => IntCC::SignedLessThan,
        CompareOp::Le if is_signed => IntCC::SignedLessThanOrEqual,
        CompareOp::Gt if is_signed => IntCC::SignedGreaterThan,
        CompareOp::Ge if is_signed => IntCC::SignedGreaterThanOrEqual,
        CompareOp::Lt => IntCC::UnsignedLessThan,
        CompareOp::Le => IntCC::UnsignedLessThanOrEqual,
        CompareOp::Gt => IntCC::UnsignedGreaterThan,
        CompareOp::Ge => IntCC::UnsignedGreaterThanOrEqual,
    }
}

/// The condition of a comparison of floats.
pub fn float_condition(comparison: CompareOp) -> FloatCC {
    match comparison {
        CompareOp::Eq => FloatCC::Equal,
        CompareOp::Ne => FloatCC::NotEqual,
        CompareOp::Lt => FloatCC::LessThan,
        CompareOp::Le => FloatCC::LessThanOrEqual,
        CompareOp::Gt => FloatCC::GreaterThan,
        CompareOp::Ge => FloatCC::GreaterThanOrEqual,
    }
}
