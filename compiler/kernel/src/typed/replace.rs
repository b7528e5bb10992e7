//! Expressions at other values of variables.

use rustc_hash::FxHashMap;

use super::{Access, Expr, ExprKind, Local};
use crate::stack::with_enough;

impl Expr {
    /// This expression with other expressions in the place of variables.
    pub fn with_locals(self, values: &FxHashMap<Local, Expr>) -> Expr {
        with_enough(|| self.replaced(values))
    }

    fn replaced(self, values: &FxHashMap<Local, Expr>) -> Expr {
        let Expr { kind, element } = self;
        let boxed = |expr: Box<Expr>| Box::new(expr.with_locals(values));
        let kind = match kind {
            ExprKind::Local(local) => match values.get(&local) {
                Some(value) => return value.clone(),
                None => ExprKind::Local(local),
            },
            ExprKind::Load(access) => ExprKind::Load(Box::new(access.with_locals(values))),
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, boxed(operand)),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(op, boxed(left), boxed(right)),
            ExprKind::Select(condition, then, otherwise) => {
                ExprKind::Select(boxed(condition), boxed(then), boxed(otherwise))
            }
            ExprKind::Cast(operand) => ExprKind::Cast(boxed(operand)),
            ExprKind::Math(function, arguments) => {
                let arguments = arguments.into_iter().map(|argument| argument.with_locals(values)).collect();
                ExprKind::Math(function, arguments)
            }
            leaf @ (ExprKind::Constant(_)
            | ExprKind::Size(_)
            | ExprKind::Scalar(_)
            | ExprKind::BlockId
            | ExprKind::ThreadId) => leaf,
        };
        Expr { kind, element }
    }
}

impl Access {
    /// This access with other expressions in the place of variables.
    pub fn with_locals(self, values: &FxHashMap<Local, Expr>) -> Access {
        let coordinates = self.coordinates.into_iter().map(|expr| expr.with_locals(values)).collect();
        let (offset, mask) = (self.offset.with_locals(values), self.mask.map(|mask| mask.with_locals(values)));
        Access { coordinates, offset, mask, ..self }
    }
}
