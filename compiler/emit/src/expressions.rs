//! Expressions in C++.

use super::emitter::Emitter;
use super::integers::{Meaning, Operation, whole};
use super::sizes::IndexArithmetic;
use super::text::{Level, Text};
use super::types;
use super::value::Value;
use elements::ElementType;
use kernel::typed::{Access, BinaryOp, Constant, Expr, ExprKind, MathFunction, Memory, ParamId, SharedId, UnaryOp};

impl Emitter<'_> {
    /// An expression that computes a value: integers wrap.
    pub fn value(&mut self, expr: &Expr) -> Value {
        self.expression(expr, false)
    }

    /// An expression that says where something is; the compiler has proven that its integers fit 64 bits.
    pub fn index(&mut self, expr: &Expr) -> Value {
        self.expression(expr, true)
    }

    fn expression(&mut self, expr: &Expr, is_index: bool) -> Value {
        let element = expr.element;
        match &expr.kind {
            ExprKind::Constant(constant) => self.constant(element, *constant),
            ExprKind::Size(size) => self.size(size),
            ExprKind::Scalar(param) => known_type(element, Text::primary(self.param(*param))),
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(state) => {
                    Value { text: Text::primary(state.name.clone()), range: state.range.clone(), wide: state.wide }
                }
                // Every variable is declared before it is used; one that is not would have no value.
                None => self.zero(element),
            },
            ExprKind::BlockId => self.block(),
            ExprKind::ThreadId => self.thread(),
            ExprKind::Load(access) => self.load(element, access),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let operand = self.expression(operand, is_index);
                Value::opaque(Text::prefix("!", &operand.text))
            }
            ExprKind::Unary(UnaryOp::Negate, operand) if element.is_float() => self.float_negate(element, operand),
            ExprKind::Unary(UnaryOp::Negate, operand) => {
                let operand = self.expression(operand, is_index);
                self.negate(element, operand, is_index)
            }
            ExprKind::Binary(operator, left, right) => self.operator(*operator, left, right, is_index),
            ExprKind::Select(condition, first, second) => {
                let condition = self.expression(condition, is_index);
                let (first, second) = (self.expression(first, is_index), self.expression(second, is_index));
                Value {
                    text: Text::choice(&condition.text, &first.text, &second.text),
                    range: first.range.union(&second.range, &self.kernel.facts),
                    wide: first.wide || second.wide,
                }
            }
            ExprKind::Cast(operand) => {
                let from = operand.element;
                let operand = self.expression(operand, is_index);
                self.cast(from, element, operand)
            }
            ExprKind::Math(function, arguments) if element.is_float() => self.float_math(*function, element, arguments),
            ExprKind::Math(function, arguments) => self.integer_math(*function, element, arguments, is_index),
        }
    }

    fn constant(&mut self, element: ElementType, constant: Constant) -> Value {
        match constant {
            Constant::Bool(value) if element == ElementType::Bool => Value::opaque(Text::primary(value.to_string())),
            _ if element.is_float() => self.float_constant(element, constant),
            Constant::Int(value) => Value::integer(element, value),
            Constant::Unsigned(value) => Value::integer(element, value),
            Constant::Bool(value) => Value::integer(element, i64::from(value)),
            // A float constant of an integer type cannot pass the compiler's checks.
            Constant::Float(value) => Value::integer(element, value as i64),
        }
    }

    /// 0 or `false`.
    pub fn zero(&mut self, element: ElementType) -> Value {
        if element.is_narrow_float() {
            // All bits zero, with nothing to convert.
            self.use_type(element);
            return Value::opaque(Text::primary(format!("{}()", types::name(element))));
        }
        match element {
            ElementType::Bool => self.constant(element, Constant::Bool(false)),
            ElementType::F32 | ElementType::F64 => self.constant(element, Constant::Float(0.0)),
            _ => self.constant(element, Constant::Int(0)),
        }
    }

    /// The name of a parameter.
    pub fn param(&self, param: ParamId) -> String {
        let name = usize::try_from(param.0).ok().and_then(|index| self.params.get(index));
        name.cloned().unwrap_or_default()
    }

    /// The name of a tensor or of a shared array.
    pub fn memory(&self, memory: Memory) -> String {
        match memory {
            Memory::Param(param) => self.param(param),
            Memory::Shared(SharedId(index)) => {
                let name = usize::try_from(index).ok().and_then(|index| self.shared.get(index));
                name.cloned().unwrap_or_default()
            }
        }
    }

    fn operator(&mut self, operator: BinaryOp, left: &Expr, right: &Expr, is_index: bool) -> Value {
        let operands = left.element;
        if let Some((symbol, level)) = comparison(operator) {
            let (left, right) = if operands.is_float() {
                (self.computed(left), self.computed(right))
            } else {
                (self.expression(left, is_index).text, self.expression(right, is_index).text)
            };
            return Value::opaque(Text::infix(symbol, level, &left, &right));
        }
        match integer_operation(operator) {
            Some(_) if operands.is_float() => self.float_binary(operator, operands, left, right),
            Some(operation) => {
                let (left, right) = (self.expression(left, is_index), self.expression(right, is_index));
                self.binary(Meaning { operation, element: operands, is_index }, left, right)
            }
            None => {
                let (left, right) = (self.expression(left, is_index), self.expression(right, is_index));
                let (symbol, level) = match operator {
                    BinaryOp::And => ("&&", Level::And),
                    _ => ("||", Level::Or),
                };
                Value::opaque(Text::infix(symbol, level, &left.text, &right.text))
            }
        }
    }

    fn integer_math(
        &mut self,
        function: MathFunction,
        element: ElementType,
        arguments: &[Expr],
        is_index: bool,
    ) -> Value {
        let mut values =
            arguments.iter().map(|argument| self.expression(argument, is_index)).collect::<Vec<_>>().into_iter();
        match (function, values.next(), values.next()) {
            (MathFunction::Abs, Some(operand), _) => self.absolute(element, operand),
            (MathFunction::Min, Some(left), Some(right)) => self.extreme(element, true, left, right),
            (MathFunction::Max, Some(left), Some(right)) => self.extreme(element, false, left, right),
            // No other function of integers passes the compiler's checks.
            _ => self.zero(element),
        }
    }

    fn load(&mut self, element: ElementType, access: &Access) -> Value {
        if let Some(place) = self.vectors.element(access) {
            return known_type(element, place);
        }
        let mask = self.mask(access);
        let (place, guard) = self.place(access);
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

    /// The element that is accessed, `x[i]`, and the test that it exists where there must be one.
    pub fn place(&mut self, access: &Access) -> (Text, Option<Text>) {
        let offset = self.index(&access.offset).text;
        let guard = self.guard(access.memory, &offset);
        (Text::element(&self.memory(access.memory), &offset), guard)
    }

    /// Where the access happens; `None`: everywhere that the text can be reached.
    pub fn mask(&mut self, access: &Access) -> Option<Text> {
        let mut conditions = Vec::new();
        if let Some(mask) = &access.mask {
            conjuncts(mask, &mut conditions);
        }
        let mut mask: Option<Text> = None;
        for condition in conditions {
            let is_true = condition.kind == ExprKind::Constant(Constant::Bool(true));
            if is_true || self.guards.contains(condition) {
                continue;
            }
            let condition = self.index(condition).text;
            mask = Some(match mask {
                None => condition,
                Some(mask) => Text::infix("&&", Level::And, &mask, &condition),
            });
        }
        mask
    }
}

/// What `&&` joins, from left to right.
pub(super) fn conjuncts<'e>(condition: &'e Expr, all: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            conjuncts(left, all);
            conjuncts(right, all);
        }
        _ => all.push(condition),
    }
}

/// A value that is known to be of its type and no more.
fn known_type(element: ElementType, text: Text) -> Value {
    if element.is_float() || element == ElementType::Bool {
        return Value::opaque(text);
    }
    Value { text, range: whole(element), wide: element == ElementType::I64 }
}

fn comparison(operator: BinaryOp) -> Option<(&'static str, Level)> {
    match operator {
        BinaryOp::Equal => Some(("==", Level::Equality)),
        BinaryOp::NotEqual => Some(("!=", Level::Equality)),
        BinaryOp::Less => Some(("<", Level::Relation)),
        BinaryOp::LessEqual => Some(("<=", Level::Relation)),
        BinaryOp::Greater => Some((">", Level::Relation)),
        BinaryOp::GreaterEqual => Some((">=", Level::Relation)),
        _ => None,
    }
}

fn integer_operation(operator: BinaryOp) -> Option<Operation> {
    match operator {
        BinaryOp::Add => Some(Operation::Add),
        BinaryOp::Subtract => Some(Operation::Subtract),
        BinaryOp::Multiply => Some(Operation::Multiply),
        BinaryOp::Divide => Some(Operation::Divide),
        BinaryOp::Remainder => Some(Operation::Remainder),
        BinaryOp::FloorDivide => Some(Operation::FloorDivide),
        BinaryOp::FloorRemainder => Some(Operation::FloorRemainder),
        BinaryOp::BitXor => Some(Operation::Xor),
        BinaryOp::BitAnd => Some(Operation::And),
        BinaryOp::BitOr => Some(Operation::Or),
        BinaryOp::ShiftLeft => Some(Operation::ShiftLeft),
        BinaryOp::ShiftRight => Some(Operation::ShiftRight),
        _ => None,
    }
}
