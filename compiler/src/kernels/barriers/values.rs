//! What an integer expression comes to in one thread, as far as it is known while checking.

use crate::kernels::element::ElementType;
use crate::kernels::typed::{BinaryOp, Constant, Expr, ExprKind, Local, UnaryOp};

/// A thread of the one block that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Thread<'a> {
    /// Its id within the block.
    pub id: i64,
    /// The rank of the block within its cluster.
    pub rank: i64,
    /// The blocks of a cluster.
    pub cluster: i64,
    /// The block's id, where there is only one block.
    pub block: Option<i64>,
    /// The values of its variables; `None` where only a run could tell.
    pub locals: &'a [Option<i64>],
}

impl Thread<'_> {
    /// The value of a variable.
    fn local(&self, local: Local) -> Option<i64> {
        self.locals.get(local.0 as usize).copied().flatten()
    }

    /// The value of a truth, 0 or 1, or of an integer; `None` where it is not known, or no integer.
    pub fn value(&self, expr: &Expr) -> Option<i64> {
        if expr.element.is_float() {
            return None;
        }
        let found = match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Some(*value),
            ExprKind::Constant(Constant::Bool(value)) => Some(i64::from(*value)),
            ExprKind::Size(size) => size.as_constant(),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::ThreadId => Some(self.id),
            ExprKind::BlockId => self.block,
            ExprKind::Unary(UnaryOp::Negate, inner) => self.value(inner)?.checked_neg(),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(1 - self.value(inner)?),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Select(condition, then, otherwise) => match self.value(condition)? {
                0 => self.value(otherwise),
                _ => self.value(then),
            },
            ExprKind::Cast(inner) if inner.element.is_integer() => self.value(inner),
            _ => None,
        };
        found.filter(|&value| expr.element == ElementType::Bool || expr.element.holds(value))
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<i64> {
        if op == BinaryOp::FloorRemainder
            && let (ExprKind::BlockId, Some(divisor)) = (&left.kind, self.value(right))
            && divisor > 0
            && self.cluster % divisor == 0
        {
            return Some(self.rank % divisor);
        }
        // One side may decide although the other is not known.
        match (op, self.value(left), self.value(right)) {
            (BinaryOp::And, Some(0), _) | (BinaryOp::And, _, Some(0)) => Some(0),
            (BinaryOp::Or, Some(1), _) | (BinaryOp::Or, _, Some(1)) => Some(1),
            (_, Some(left), Some(right)) => arithmetic(op, left, right),
            _ => None,
        }
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
        // How far a shift goes depends on the type, and no index needs to know.
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => None,
        BinaryOp::Equal => Some(i64::from(left == right)),
        BinaryOp::NotEqual => Some(i64::from(left != right)),
        BinaryOp::Less => Some(i64::from(left < right)),
        BinaryOp::LessEqual => Some(i64::from(left <= right)),
        BinaryOp::Greater => Some(i64::from(left > right)),
        BinaryOp::GreaterEqual => Some(i64::from(left >= right)),
    }
}

/// Whether all threads of a block see one value, whatever it is; `is_uniform` says it of variables.
pub(super) fn is_uniform(expr: &Expr, is_uniform: &dyn Fn(Local) -> bool) -> bool {
    let mut uniform = true;
    expr.walk(&mut |inner| {
        uniform &= match &inner.kind {
            ExprKind::ThreadId | ExprKind::Load(_) => false,
            ExprKind::Local(local) => is_uniform(*local),
            _ => true,
        };
    });
    uniform
}
