//! Lowers vectorised values.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use dims::CompareOp;
use elements::ElementType;
use kernel::loops::{Node, ValueId};
use kernel::typed::{BinaryOp, MathFunction, UnaryOp};
use kernel::with_enough_stack;

use crate::cpu::lowering::emitter::Emitter;

use super::packs::{Pack, vector_type};
use crate::cpu::indices::shape::Step;
use crate::cpu::lowering::half_floats::{Nans, NarrowFloat};
use crate::cpu::lowering::helpers;
use crate::cpu::lowering::scalar::{float_condition, int_condition};
use crate::cpu::plan::vector_forms::{binary_has_vector_form, math_has_vector_form};

impl Emitter<'_, '_> {
    /// Whether [`Emitter::unrounded_vector`] of an integer may exceed its type: sums and products of narrow integers,
    /// of which only the low bits matter for further sums and products.
    pub fn is_unwrapped(&self, id: ValueId) -> bool {
        let element = self.program.element(id);
        let narrow = element.is_integer() && element.size_bytes() < 4;
        let is_sum =
            matches!(self.forms.node(id), Node::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..));
        narrow && is_sum && self.forms.known.get(id).is_none()
    }

    /// The value in all lanes.
    pub fn vector(&mut self, id: ValueId) -> Pack {
        if let Some(known) = self.forms.known.get(id) {
            return known.clone();
        }
        if self.is_uniform(id) {
            return Pack::Uniform(self.value(id));
        }
        let element = self.program.element(id);
        let pack = with_enough_stack(|| self.unrounded_vector(id));
        let pack = if self.is_unwrapped(id) {
            self.each(&[&pack], element, |emitter, values| emitter.wrapped(values[0], element))
        } else {
            match NarrowFloat::from_element(element).filter(|_| self.needs_rounding(id)) {
                Some(narrow) => self.rounded_vector(narrow, Nans::from_node(self.forms.node(id)), &pack),
                None => pack,
            }
        };
        self.forms.known.add(id, pack.clone());
        pack
    }

    fn rounded_vector(&mut self, narrow: NarrowFloat, nans: Nans, pack: &Pack) -> Pack {
        let element = narrow.element;
        if let Some(runs) = self.half_runs(element) {
            let vectors = self.spread(pack, element);
            return Pack::Vectors(self.round_runs(runs, &vectors));
        }
        self.each(&[pack], element, |emitter, values| emitter.round(narrow, values[0], nans))
    }

    /// The same; f16 and bf16 are f32 that may not be rounded yet, and narrow integers may not be wrapped yet.
    pub fn unrounded_vector(&mut self, id: ValueId) -> Pack {
        if let Some(known) = self.forms.known.get(id) {
            return known.clone();
        }
        if self.is_uniform(id) {
            return Pack::Uniform(self.unrounded(id));
        }
        let element = self.program.element(id);
        if element == ElementType::I64
            && let Some(pack) = self.index_progression(id)
        {
            return pack;
        }
        match self.forms.node(id) {
            Node::Load(access) => self.vector_load(*access),
            Node::Unary(operator, operand) => {
                let operand = self.vector(*operand);
                self.vector_unary(*operator, element, &operand)
            }
            Node::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) if self.forms.reads(*right) => {
                if self.is_uniform(*left) {
                    self.decided_by_left(*operator == BinaryOp::And, *left, *right)
                } else {
                    self.lane_by_lane(id)
                }
            }
            Node::Binary(operator, left, right) => {
                let of = self.program.element(*left);
                let (left, right) = if self.is_unwrapped(id) {
                    (self.unrounded_vector(*left), self.unrounded_vector(*right))
                } else {
                    (self.vector(*left), self.vector(*right))
                };
                self.vector_binary(*operator, of, element, &left, &right)
            }
            Node::Select(condition, first, second) => self.vector_select(id, *condition, *first, *second),
            Node::Cast(operand) => {
                let from = self.program.element(*operand);
                if from == ElementType::I64
                    && element.is_integer()
                    && element.size_bytes() < 8
                    && let Some(pack) = self.narrow_progression(*operand, element)
                {
                    return pack;
                }
                let operand = self.vector(*operand);
                self.vector_cast(from, element, &operand)
            }
            Node::Bits(operand) => {
                let from = self.program.element(*operand);
                let operand = self.vector(*operand);
                self.vector_bits(from, element, &operand)
            }
            Node::Math(function, arguments) => {
                let values: Vec<Pack> = arguments.iter().map(|argument| self.vector(*argument)).collect();
                self.vector_math(*function, element, &values)
            }
            _ => self.lane_by_lane(id),
        }
    }

    /// `left && right` or `left || right`, where the left side is uniform and decides for all lanes.
    fn decided_by_left(&mut self, is_and: bool, left: ValueId, right: ValueId) -> Pack {
        let left = self.value(left);
        let known = i64::from(!is_and);
        self.vector_branch(
            left,
            ElementType::Bool,
            |emitter| if is_and { emitter.vector(right) } else { emitter.uniform_bool(known) },
            |emitter| if is_and { emitter.uniform_bool(known) } else { emitter.vector(right) },
        )
    }

    fn uniform_bool(&mut self, value: i64) -> Pack {
        Pack::Uniform(self.builder.ins().iconst(types::I8, value))
    }

    /// The first value and the step of an index with a constant step; `None` if it is no sum of other values, or has no
    /// constant step.
    fn steps(&mut self, id: ValueId) -> Option<(Value, i64)> {
        let form = self.forms.form(id);
        let is_counter = |atom| Some(atom) == self.lanes.as_ref().map(|lanes| lanes.plan.facts.counter);
        if self.forms.is_own(&form, id) && !form.terms.iter().any(|(atom, _)| is_counter(*atom)) {
            return None;
        }
        let step = self.step_of(&form).as_constant()?;
        Some((self.form(&form), step))
    }

    /// An index with a constant step.
    fn index_progression(&mut self, id: ValueId) -> Option<Pack> {
        let (first, step) = self.steps(id)?;
        Some(self.progression(first, step))
    }

    /// An index with a constant step, wrapped to a narrower integer.
    fn narrow_progression(&mut self, id: ValueId, element: ElementType) -> Option<Pack> {
        let (first, step) = self.steps(id)?;
        let first = self.builder.ins().ireduce(types::I32, first);
        let first = self.builder.ins().splat(types::I32X4, first);
        let mut vectors = Vec::new();
        for place in 0..i64::from(self.width() / 4) {
            let mut bytes = Vec::new();
            for lane in 0..4 {
                bytes.extend((step.wrapping_mul(4 * place + lane) as i32).to_le_bytes());
            }
            let constant = self.builder.func.dfg.constants.insert(bytes.into());
            let steps = self.builder.ins().vconst(types::I32X4, constant);
            let sum = self.builder.ins().iadd(first, steps);
            vectors.push(self.wrapped(sum, element));
        }
        Some(Pack::Vectors(vectors))
    }

    /// The lanes of a vector wrapped to a narrow integer type and extended again.
    pub fn wrapped(&mut self, vector: Value, element: ElementType) -> Value {
        let bits = element.size_bytes() as i64 * 8;
        if bits >= 32 || !element.is_integer() {
            return vector;
        }
        if element.is_signed() {
            let amount = self.builder.ins().iconst(types::I32, 32 - bits);
            let raised = self.builder.ins().ishl(vector, amount);
            return self.builder.ins().sshr(raised, amount);
        }
        let mask = self.builder.ins().iconst(types::I32, (1 << bits) - 1);
        let mask = self.builder.ins().splat(types::I32X4, mask);
        self.builder.ins().band(vector, mask)
    }

    fn vector_unary(&mut self, operator: UnaryOp, element: ElementType, operand: &Pack) -> Pack {
        self.each(&[operand], element, |emitter, values| match operator {
            UnaryOp::Not => emitter.builder.ins().bnot(values[0]),
            UnaryOp::Negate if element.is_float() => emitter.builder.ins().fneg(values[0]),
            UnaryOp::Negate => {
                let negated = emitter.builder.ins().ineg(values[0]);
                emitter.wrapped(negated, element)
            }
        })
    }

    fn vector_binary(
        &mut self,
        operator: BinaryOp,
        of: ElementType,
        result: ElementType,
        left: &Pack,
        right: &Pack,
    ) -> Pack {
        let is_shift = matches!(operator, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        if is_shift && let Pack::Uniform(amount) = right {
            return self.vector_shift(operator, of, left, *amount);
        }
        if is_shift || !binary_has_vector_form(operator, of) {
            return self.each_lane(&[(left, of), (right, of)], result, |emitter, values| {
                emitter.binary(operator, of, values[0], values[1])
            });
        }
        if let Some(comparison) = operator.comparison().filter(|_| !of.is_float()) {
            let condition = lane_condition(comparison, of);
            let (left, right) = (self.spread(left, of), self.spread(right, of));
            let compare = |(&left, right)| self.builder.ins().icmp(condition, left, right);
            let masks = left.iter().zip(right).map(compare).collect();
            return self.masks_from(masks, of);
        }
        if let Some(condition) = operator.comparison().map(float_condition) {
            let (left, right) = (self.spread(left, of), self.spread(right, of));
            let is_double = vector_type(of) == types::F64X2;
            let mut masks = Vec::new();
            for (left, right) in left.into_iter().zip(right) {
                let mask = self.builder.ins().fcmp(condition, left, right);
                masks.push(if is_double { self.seen_as(types::I64X2, mask) } else { mask });
            }
            return self.masks_from(masks, of);
        }
        self.each(&[left, right], of, |emitter, values| {
            let [left, right] = [values[0], values[1]];
            if operator == BinaryOp::Multiply && of.is_integer() && of.size_bytes() < 4 {
                // Only the low 16 bits of each lane matter, and their product is faster.
                let [left, right] = [left, right].map(|lanes| emitter.seen_as(types::I16X8, lanes));
                let product = emitter.builder.ins().imul(left, right);
                return emitter.seen_as(types::I32X4, product);
            }
            emitter.binary(operator, of, left, right)
        })
    }

    fn vector_shift(&mut self, operator: BinaryOp, element: ElementType, left: &Pack, amount: Value) -> Pack {
        // The distance is taken modulo the width of the element, which may be less than that of the lane.
        let bits = element.size_bytes() as i64 * 8;
        let amount = self.builder.ins().band_imm_u(amount, bits - 1);
        let amount = match self.builder.func.dfg.value_type(amount) {
            types::I32 => amount,
            types::I64 => self.builder.ins().ireduce(types::I32, amount),
            _ => self.builder.ins().uextend(types::I32, amount),
        };
        self.each(&[left], element, |emitter, values| match operator {
            BinaryOp::ShiftLeft => {
                let shifted = emitter.builder.ins().ishl(values[0], amount);
                emitter.wrapped(shifted, element)
            }
            _ if element.is_signed() => emitter.builder.ins().sshr(values[0], amount),
            _ => emitter.builder.ins().ushr(values[0], amount),
        })
    }

    fn vector_select(&mut self, id: ValueId, condition: ValueId, first: ValueId, second: ValueId) -> Pack {
        if let Some(truth) = self.settled(condition) {
            return self.vector(if truth { first } else { second });
        }
        let element = self.program.element(id);
        let loads = self.forms.reads(first) || self.forms.reads(second);
        if self.is_uniform(condition) {
            let condition = self.value(condition);
            return self.vector_branch(
                condition,
                element,
                |emitter| emitter.vector(first),
                |emitter| emitter.vector(second),
            );
        }
        if loads {
            return self.lane_by_lane(id);
        }
        let sides = self.higher_first([first, second], Self::vector);
        let [first, second] = sides.map(|side| self.spread(&side, element));
        let condition = self.vector(condition);
        let masks = self.spread(&condition, ElementType::Bool);
        let masks = self.masks_for(&masks, element);
        let type_ = vector_type(element);
        let mut vectors = Vec::new();
        for (mask, (first, second)) in masks.into_iter().zip(first.into_iter().zip(second)) {
            let mask = self.seen_as(type_, mask);
            vectors.push(self.builder.ins().bitselect(mask, first, second));
        }
        Pack::Vectors(vectors)
    }

    /// A branch whose condition is uniform across the lanes.
    pub fn vector_branch(
        &mut self,
        condition: Value,
        element: ElementType,
        first: impl FnOnce(&mut Self) -> Pack,
        second: impl FnOnce(&mut Self) -> Pack,
    ) -> Pack {
        let type_ = vector_type(element);
        let results: Vec<_> = (0..self.vectors(element)).map(|_| self.builder.declare_var(type_)).collect();
        let keep = |emitter: &mut Self, pack: Pack| {
            let vectors = emitter.spread(&pack, element);
            for (&variable, vector) in results.iter().zip(vectors) {
                emitter.builder.def_var(variable, vector);
            }
            None
        };
        self.branch(
            condition,
            |emitter| {
                let pack = first(emitter);
                keep(emitter, pack)
            },
            |emitter| {
                let pack = second(emitter);
                keep(emitter, pack)
            },
            None,
        );
        Pack::Vectors(results.into_iter().map(|variable| self.builder.use_var(variable)).collect())
    }

    fn vector_math(&mut self, function: MathFunction, element: ElementType, values: &[Pack]) -> Pack {
        if let Some(strip) = helpers::strip(function) {
            return self.math_of_lanes(strip, element, values);
        }
        if !math_has_vector_form(function, element) {
            let operands: Vec<(&Pack, ElementType)> = values.iter().map(|pack| (pack, element)).collect();
            return self.each_lane(&operands, element, |emitter, values| emitter.math(function, element, values));
        }
        let operands: Vec<&Pack> = values.iter().collect();
        self.each(&operands, element, |emitter, values| {
            let value = emitter.vector_math_instruction(function, element, values);
            if function == MathFunction::Abs { emitter.wrapped(value, element) } else { value }
        })
    }

    fn vector_math_instruction(&mut self, function: MathFunction, element: ElementType, values: &[Value]) -> Value {
        match (function, values) {
            (MathFunction::Min | MathFunction::Max, &[left, right]) if element.is_float() => {
                let smaller = function == MathFunction::Min;
                let ins = self.builder.ins();
                let result = if smaller { ins.fmin(left, right) } else { ins.fmax(left, right) };
                let result = self.where_nan(right, left, result, element);
                self.where_nan(left, right, result, element)
            }
            // The extended lanes of narrow unsigned types are not negative, so signed comparisons are right.
            _ => self.math(function, element, values),
        }
    }

    /// `chosen` in the lanes where `tested` is NaN, otherwise `otherwise`.
    fn where_nan(&mut self, tested: Value, chosen: Value, otherwise: Value, element: ElementType) -> Value {
        let mask = self.builder.ins().fcmp(FloatCC::Unordered, tested, tested);
        let mask = self.seen_as(vector_type(element), mask);
        self.builder.ins().bitselect(mask, chosen, otherwise)
    }

    /// The change of a form between the lanes.
    pub fn step_of(&mut self, form: &crate::cpu::indices::form::Form) -> Step {
        match &mut self.lanes {
            Some(lanes) => lanes.plan.facts.step(&mut self.forms, form),
            None => Step::NONE,
        }
    }
}

/// The condition of a comparison of integer lanes.
fn lane_condition(comparison: CompareOp, element: ElementType) -> IntCC {
    match element {
        // The lanes are masks: true is −1, so an unsigned comparison gives the order of `false` and `true`.
        ElementType::Bool => int_condition(comparison, ElementType::U32),
        _ => int_condition(comparison, element),
    }
}
