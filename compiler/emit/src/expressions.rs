//! Expressions in C++.

use super::emitter::Emitter;
use super::integers::{Meaning, whole};
use super::range::Range;
use super::sizes::IndexArithmetic;
use super::text::{Level, Text};
use super::types;
use super::value::Value;
use super::visible::Declared;
use elements::ElementType;
use kernel::intervals::Arithmetic;
use kernel::loops::{Access, AccessId, Node, ValueId};
use kernel::typed::Constant;
use kernel::typed::{BinaryOp, MathFunction, Memory, ParamId, UnaryOp};

impl Emitter<'_> {
    /// Emits a value of the program, whose integers wrap.
    pub fn value(&mut self, id: ValueId) -> Value {
        self.expression(id, false)
    }

    /// Emits an index, whose integers are proven to fit 64 bits.
    pub fn index(&mut self, id: ValueId) -> Value {
        self.expression(id, true)
    }

    pub fn expression(&mut self, id: ValueId, is_index: bool) -> Value {
        kernel::with_enough_stack(|| self.named(id).unwrap_or_else(|| self.computation(id, is_index)))
    }

    /// The name of a value, unless the value is as short as a name.
    fn named(&mut self, id: ValueId) -> Option<Value> {
        if matches!(self.loops.values.node(id), Some(Node::Constant(_) | Node::Scalar(_))) {
            return None;
        }
        let declared = self.visible.get(id)?.clone();
        Some(self.read(declared))
    }

    /// Reads a name.
    fn read(&mut self, Declared { name, range, wide, of }: Declared) -> Value {
        of.into_iter().for_each(|of| self.reads.read(of));
        Value { text: Text::primary(name), range, wide }
    }

    fn computation(&mut self, id: ValueId, is_index: bool) -> Value {
        let element = self.loops.values.element(id);
        let Some(node) = self.loops.values.node(id).cloned() else { return self.meaningless(element) };
        match node {
            Node::Constant(constant) => self.constant(element, constant),
            Node::Size(size) => self.size(&size),
            Node::Scalar(param) => known_type(element, Text::primary(self.param(param))),
            Node::Block => self.block(),
            Node::Thread => self.thread(),
            Node::Load(access) => self.load(element, access),
            // An iterator, and what another lane gives, have a name wherever they are in scope.
            Node::Iterator(_) => self.number_of_iteration(id).unwrap_or_else(|| self.meaningless(element)),
            Node::Shuffled(_) => self.meaningless(element),
            Node::Merge(number) => {
                let local = self.loops.merges.get(number as usize).map(|merge| merge.local);
                let holder = local.filter(|local| self.visible.held(*local) == Some(id));
                match holder.and_then(|local| self.visible.variable(local)).cloned() {
                    Some(declared) => self.read(declared),
                    // What a variable has where paths join is read only while it has it.
                    None => self.meaningless(element),
                }
            }
            Node::Unary(UnaryOp::Not, operand) => Value::opaque(self.negation(operand, is_index)),
            Node::Unary(UnaryOp::Negate, operand) if element.is_float() => self.float_negate(element, operand),
            Node::Unary(UnaryOp::Negate, operand) => {
                let operand = self.expression(operand, is_index);
                self.negate(element, operand, is_index)
            }
            Node::Binary(operator, left, right) => self.operator(operator, left, right, is_index),
            Node::Select(condition, first, second) => {
                let condition = self.expression(condition, is_index);
                let (first, second) = (self.expression(first, is_index), self.expression(second, is_index));
                Value {
                    text: Text::choice(&condition.text, &first.text, &second.text),
                    range: Range::of_arithmetic(
                        &Arithmetic::Choice(&first.range, &second.range),
                        element,
                        &self.kernel.facts,
                    ),
                    wide: first.wide || second.wide,
                }
            }
            Node::Cast(operand) => {
                let from = self.loops.values.element(operand);
                let operand = self.expression(operand, is_index);
                self.cast(from, element, operand)
            }
            Node::Bits(operand) => {
                let from = self.loops.values.element(operand);
                let operand = self.expression(operand, is_index);
                self.bit_cast(from, element, operand)
            }
            Node::Math(function, arguments) if element.is_float() => self.float_math(function, element, &arguments),
            Node::Math(function, arguments) => self.integer_math(function, element, &arguments, is_index),
        }
    }

    fn constant(&mut self, element: ElementType, constant: Constant) -> Value {
        match constant {
            Constant::Bool(value) => Value::opaque(Text::primary(value.to_string())),
            Constant::Int(value) => Value::integer(element, value),
            Constant::Unsigned(value) => Value::integer(element, value),
            Constant::Float(value) => self.float_constant(element, value),
        }
    }

    /// 0 or `false`.
    pub fn zero(&mut self, element: ElementType) -> Value {
        if element.is_narrow_float() {
            // All bits are zero, so nothing has to be converted.
            self.use_type(element);
            return Value::opaque(Text::call(types::name(element), &[]));
        }
        self.constant(element, Constant::zero(element))
    }

    /// What stands for an expression that has no meaning, which no kernel has that was checked. No compiler accepts the text.
    pub fn meaningless(&mut self, element: ElementType) -> Value {
        self.is_meaningless = true;
        self.zero(element)
    }

    /// The name of a parameter.
    pub fn param(&self, param: ParamId) -> String {
        self.params.get(param).cloned().unwrap_or_default()
    }

    /// The name of a tensor or of a shared array.
    pub fn memory(&self, memory: Memory) -> String {
        match memory {
            Memory::Param(param) => self.param(param),
            Memory::Shared(array) => self.shared.get(array).cloned().unwrap_or_default(),
        }
    }

    pub fn operator(&mut self, operator: BinaryOp, left: ValueId, right: ValueId, is_index: bool) -> Value {
        let operands = self.loops.values.element(left);
        if operands.is_float() {
            return self.float_binary(operator, operands, left, right);
        }
        let (left, right) = (self.expression(left, is_index), self.expression(right, is_index));
        self.binary(Meaning { operation: operator, element: operands, is_index }, left, right)
    }

    fn integer_math(
        &mut self,
        function: MathFunction,
        element: ElementType,
        arguments: &[ValueId],
        is_index: bool,
    ) -> Value {
        let values: Vec<Value> = arguments.iter().map(|argument| self.expression(*argument, is_index)).collect();
        if function.is_of_bits() {
            return self.function_of_bits(function, element, &values);
        }
        let mut values = values.into_iter();
        match (function, values.next(), values.next()) {
            (MathFunction::Abs, Some(operand), _) => self.absolute(element, operand),
            (MathFunction::Min, Some(left), Some(right)) => self.extreme(element, true, left, right),
            (MathFunction::Max, Some(left), Some(right)) => self.extreme(element, false, left, right),
            // The checks accept no other functions of integers.
            _ => self.meaningless(element),
        }
    }

    fn load(&mut self, element: ElementType, id: AccessId) -> Value {
        if let Some(place) = self.arrays.element(id) {
            return known_type(element, place);
        }
        let Some(access) = self.loops.access(id).cloned() else { return self.meaningless(element) };
        let mask = access.tested.map(|tested| self.index(tested).text);
        let (place, guard) = self.place(&access);
        let loaded = known_type(element, place);
        let condition = match (mask, guard) {
            (Some(mask), Some(guard)) => Some(Text::infix("&&", Level::And, &mask, &guard)),
            (mask, guard) => mask.or(guard),
        };
        match condition {
            None => loaded,
            Some(condition) => {
                let zero = self.zero(element);
                Value { text: Text::choice(&condition, &loaded.text, &zero.text), ..loaded }
            }
        }
    }

    /// The accessed element, `x[i]`, and in guarded code the condition that it exists.
    pub fn place(&mut self, access: &Access) -> (Text, Option<Text>) {
        let offset = self.index(access.offset).text;
        let guard = self.guard(access.memory, &offset);
        (Text::element(&self.memory(access.memory), &offset), guard)
    }
}

/// A value of which only the type is known.
fn known_type(element: ElementType, text: Text) -> Value {
    if element.is_float() || element == ElementType::Bool {
        return Value::opaque(text);
    }
    Value { text, range: whole(element), wide: element == ElementType::I64 }
}
