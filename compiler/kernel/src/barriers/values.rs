//! What an integer expression comes to in one thread, as far as it is known while checking.

use num_integer::Integer;

use crate::typed::{Access, BinaryOp, Constant, Expr, ExprKind, Statement, UnaryOp};
use dims::Sym;
use elements::ElementType;
use maps::{Affine, Term, TermId};

/// What is known of an integer, or of a truth as 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The value.
    Known(i64),
    /// What it leaves when divided by a positive number; by 1, nothing is known.
    Residue { value: i64, modulus: i64 },
}

impl Value {
    /// A value that only a run could tell.
    pub const UNKNOWN: Value = Value::Residue { value: 0, modulus: 1 };

    /// The value, where it is known.
    pub fn known(self) -> Option<i64> {
        match self {
            Self::Known(value) => Some(value),
            Self::Residue { .. } => None,
        }
    }

    /// What leaves this remainder.
    pub fn residue(value: i64, modulus: i64) -> Value {
        match modulus {
            ..1 => Self::UNKNOWN,
            _ => Self::Residue { value: value.rem_euclid(modulus), modulus },
        }
    }

    fn of(value: Option<i64>) -> Value {
        value.map_or(Self::UNKNOWN, Self::Known)
    }
}

/// A thread of the one block that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Thread<'a> {
    /// Its id within the block.
    pub id: i64,
    /// The id of the block.
    pub block: Value,
    /// The values of its variables.
    pub locals: &'a [Value],
}

impl Thread<'_> {
    /// The value of an integer or of a truth; nothing is known of others.
    pub fn value(&self, expr: &Expr) -> Value {
        if expr.element.is_float() {
            return Value::UNKNOWN;
        }
        let found = match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Value::Known(*value),
            ExprKind::Constant(Constant::Bool(value)) => Value::Known(i64::from(*value)),
            ExprKind::Size(size) => Value::of(size.as_constant()),
            ExprKind::Local(local) => self.locals.get(local.0 as usize).copied().unwrap_or(Value::UNKNOWN),
            ExprKind::ThreadId => Value::Known(self.id),
            ExprKind::BlockId => self.block,
            ExprKind::Unary(UnaryOp::Negate, inner) => Value::of(self.value(inner).known().and_then(i64::checked_neg)),
            ExprKind::Unary(UnaryOp::Not, inner) => Value::of(self.value(inner).known().map(|value| 1 - value)),
            ExprKind::Binary(op @ (BinaryOp::ShiftLeft | BinaryOp::ShiftRight), left, right) => {
                let (left, right) = (self.value(left).known(), self.value(right).known());
                Value::of(left.zip(right).and_then(|(value, by)| shift(*op, value, by, expr.element)))
            }
            ExprKind::Binary(op, left, right) => binary(*op, self.value(left), self.value(right)),
            ExprKind::Select(condition, then, otherwise) => match self.value(condition).known() {
                None => Value::UNKNOWN,
                Some(0) => self.value(otherwise),
                Some(_) => self.value(then),
            },
            ExprKind::Cast(inner) if expr.element == ElementType::Bool => {
                Value::of(self.value(inner).known().map(|value| i64::from(value != 0)))
            }
            ExprKind::Cast(inner) if inner.element.is_integer() => self.value(inner),
            _ => Value::UNKNOWN,
        };
        match found {
            Value::Known(value) if expr.element == ElementType::Bool || expr.element.holds(value) => found,
            // Only indices do not wrap around.
            Value::Residue { .. } if expr.element == ElementType::I64 => found,
            _ => Value::UNKNOWN,
        }
    }

    /// The position in its array that an access leads to, where it happens. That lies in the array, so the map's own
    /// arithmetic does not wrap, whatever the coordinates are: of `[k, t]` the column is known where only `k` is not.
    pub fn position(&self, access: &Access) -> Value {
        let computed = self.value(&access.offset);
        if computed.known().is_some() {
            return computed;
        }
        let mut terms: Vec<Value> = Vec::with_capacity(access.map.terms.len());
        for term in &access.map.terms {
            let value = match term {
                Term::Coordinate(axis) => access.coordinates.get(*axis as usize).map(|expr| self.value(expr)),
                Term::Digit { of, divisor, modulus } => {
                    let cut = |value: Value, op: BinaryOp, by: &Sym| {
                        by.as_constant().map_or(Value::UNKNOWN, |by| binary(op, value, Value::Known(by)))
                    };
                    let digit = cut(sum(of, &terms), BinaryOp::FloorDivide, divisor);
                    Some(modulus.as_ref().map_or(digit, |modulus| cut(digit, BinaryOp::FloorRemainder, modulus)))
                }
                Term::Xor(left, right) => Some(binary(BinaryOp::BitXor, sum(left, &terms), sum(right, &terms))),
            };
            terms.push(value.unwrap_or(Value::UNKNOWN));
        }
        match access.map.lower.as_slice() {
            [position] => sum(&position.value, &terms),
            _ => Value::UNKNOWN,
        }
    }
}

/// What a form over terms comes to, in exact arithmetic.
fn sum(form: &Affine, terms: &[Value]) -> Value {
    let known = |size: &Sym| Value::of(size.as_constant());
    let scaled = |(TermId(number), factor): &(TermId, Sym)| {
        let term = terms.get(*number as usize).copied().unwrap_or(Value::UNKNOWN);
        match (term, factor.as_constant()) {
            (Value::Residue { value, modulus }, Some(factor)) if factor != 0 => value
                .checked_mul(factor)
                .zip(factor.checked_abs().and_then(|step| modulus.checked_mul(step)))
                .map_or(Value::UNKNOWN, |(value, modulus)| Value::residue(value, modulus)),
            (term, _) => binary(BinaryOp::Multiply, term, known(factor)),
        }
    };
    form.terms.iter().map(scaled).fold(known(&form.constant), |sum, term| binary(BinaryOp::Add, sum, term))
}

fn binary(op: BinaryOp, left: Value, right: Value) -> Value {
    match (op, left, right) {
        // One side may decide although the other is not known.
        (BinaryOp::And, Value::Known(0), _) | (BinaryOp::And, _, Value::Known(0)) => Value::Known(0),
        (BinaryOp::Or, Value::Known(1), _) | (BinaryOp::Or, _, Value::Known(1)) => Value::Known(1),
        (_, Value::Known(left), Value::Known(right)) => Value::of(arithmetic(op, left, right)),
        _ => residue(op, left, right).unwrap_or(Value::UNKNOWN),
    }
}

/// What is left of the knowledge where one side is known by its remainder only.
fn residue(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    let parts = |value: Value| match value {
        Value::Known(value) => (value, 0),
        Value::Residue { value, modulus } => (value, modulus),
    };
    let ((left, modulus), (right, other)) = (parts(left), parts(right));
    Some(match (op, right) {
        (BinaryOp::Add, _) => Value::residue(left.checked_add(right)?, modulus.gcd(&other)),
        (BinaryOp::Subtract, _) => Value::residue(left.checked_sub(right)?, modulus.gcd(&other)),
        // What is not known at all may come from data, and a product of that may wrap around.
        (BinaryOp::Multiply, _) if other == 0 && modulus > 1 && right != 0 => {
            Value::residue(left.checked_mul(right)?, modulus.checked_mul(right.checked_abs()?)?)
        }
        (BinaryOp::FloorRemainder, 1..) if other == 0 && modulus % right == 0 => Value::Known(left.rem_euclid(right)),
        (BinaryOp::FloorDivide, 1..) if other == 0 && modulus % right == 0 => {
            Value::residue(left.div_euclid(right), modulus / right)
        }
        _ => return None,
    })
}

/// A shift by a distance that is taken modulo the type's width; of negative numbers nothing is said.
fn shift(op: BinaryOp, value: i64, by: i64, element: ElementType) -> Option<i64> {
    let width = i64::try_from(element.size_bytes()).ok()?.checked_mul(8)?;
    let by = u32::try_from(by.rem_euclid(width)).ok()?;
    match op {
        _ if value < 0 => None,
        BinaryOp::ShiftLeft => i64::try_from(i128::from(value).checked_shl(by)?).ok(),
        BinaryOp::ShiftRight => value.checked_shr(by),
        _ => None,
    }
}

fn arithmetic(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide if right == 0 => Some(0),
        BinaryOp::Divide => left.checked_div(right),
        BinaryOp::Remainder if right == 0 => Some(0),
        BinaryOp::Remainder => left.checked_rem(right),
        BinaryOp::FloorDivide => (right > 0).then(|| left.div_euclid(right)),
        BinaryOp::FloorRemainder => (right > 0).then(|| left.rem_euclid(right)),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::BitAnd | BinaryOp::And => Some(left & right),
        BinaryOp::BitOr | BinaryOp::Or => Some(left | right),
        // How far a shift goes depends on the type.
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => None,
        BinaryOp::Equal => Some(i64::from(left == right)),
        BinaryOp::NotEqual => Some(i64::from(left != right)),
        BinaryOp::Less => Some(i64::from(left < right)),
        BinaryOp::LessEqual => Some(i64::from(left <= right)),
        BinaryOp::Greater => Some(i64::from(left > right)),
        BinaryOp::GreaterEqual => Some(i64::from(left >= right)),
    }
}

/// The most remainders of an iterator that are told apart.
const MOST_RESIDUES: i64 = 16;

/// A number such that the remainder of an iterator by it decides every remainder that the statements take; 1 where there
/// is no small one.
pub(super) fn period(body: &[Statement]) -> i64 {
    let mut period = 1i64;
    Statement::walk_expressions(body, &mut |expr| {
        let ExprKind::Binary(BinaryOp::FloorRemainder, of, by) = &expr.kind else { return };
        let constant = |expr: &Expr| match expr.kind {
            ExprKind::Constant(Constant::Int(value)) if value > 0 => Some(value),
            _ => None,
        };
        let has_local = |expr: &Expr| {
            let mut found = false;
            expr.locals(&mut |_| found = true);
            found
        };
        let divisor = match &of.kind {
            ExprKind::Binary(BinaryOp::FloorDivide, _, by) => constant(by),
            _ => Some(1),
        };
        if let (true, Some(modulus), Some(divisor)) = (has_local(of), constant(by), divisor)
            && let Some(next) = modulus.checked_mul(divisor).filter(|next| *next <= MOST_RESIDUES)
        {
            let common = period.lcm(&next);
            period = if common <= MOST_RESIDUES { common } else { period };
        }
    });
    period
}
