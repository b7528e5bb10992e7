//! Expressions with others in the place of some of their parts, and statements with other accesses.

use rustc_hash::FxHashMap;

use super::{Access, Expr, ExprKind, Local, Statement, StatementKind};
use crate::stack::with_enough;

/// What stands in the place of an expression; `None` if the expression itself does, with its parts replaced.
type Replacement<'r> = &'r dyn Fn(&Expr) -> Option<Expr>;

impl Expr {
    /// This expression with other expressions in the place of variables.
    pub fn with_locals(self, values: &FxHashMap<Local, Expr>) -> Expr {
        self.replaced(&|expr| match expr.kind {
            ExprKind::Local(local) => values.get(&local).cloned(),
            _ => None,
        })
    }

    /// This expression with other expressions in the place of some.
    pub fn replaced(self, replacement: Replacement<'_>) -> Expr {
        match replacement(&self) {
            Some(expr) => expr,
            None => with_enough(|| self.with_parts(replacement)),
        }
    }

    fn with_parts(self, replacement: Replacement<'_>) -> Expr {
        let Expr { kind, element } = self;
        let boxed = |expr: Box<Expr>| Box::new(expr.replaced(replacement));
        let kind = match kind {
            ExprKind::Load(access) => ExprKind::Load(Box::new(access.replaced(replacement))),
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, boxed(operand)),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(op, boxed(left), boxed(right)),
            ExprKind::Select(condition, then, otherwise) => {
                ExprKind::Select(boxed(condition), boxed(then), boxed(otherwise))
            }
            ExprKind::Cast(operand) => ExprKind::Cast(boxed(operand)),
            ExprKind::Bits(operand) => ExprKind::Bits(boxed(operand)),
            ExprKind::Math(function, arguments) => {
                let arguments = arguments.into_iter().map(|argument| argument.replaced(replacement)).collect();
                ExprKind::Math(function, arguments)
            }
            leaf @ (ExprKind::Constant(_)
            | ExprKind::Size(_)
            | ExprKind::Scalar(_)
            | ExprKind::Local(_)
            | ExprKind::BlockId
            | ExprKind::ThreadId) => leaf,
        };
        Expr { kind, element }
    }
}

impl Access {
    /// This access with other expressions in the place of variables.
    pub fn with_locals(self, values: &FxHashMap<Local, Expr>) -> Access {
        self.replaced(&|expr| match expr.kind {
            ExprKind::Local(local) => values.get(&local).cloned(),
            _ => None,
        })
    }

    /// This access with other expressions in the place of some.
    pub fn replaced(self, replacement: Replacement<'_>) -> Access {
        let coordinates = self.coordinates.into_iter().map(|expr| expr.replaced(replacement)).collect();
        let (offset, mask) = (self.offset.replaced(replacement), self.mask.map(|mask| mask.replaced(replacement)));
        Access { coordinates, offset, mask, ..self }
    }
}

impl Statement {
    /// Changes every access in statements, those in the parts of others first; of loops over the elements of tiles those of
    /// each thread.
    pub fn change_accesses(statements: &mut [Statement], change: &dyn Fn(Access) -> Access) {
        let expr = |expr: &mut Expr| *expr = expr.clone().with_accesses(change);
        for statement in statements {
            match &mut statement.kind {
                StatementKind::Assign { value, .. } => expr(value),
                StatementKind::For { low, high, .. } => [low, high].into_iter().for_each(expr),
                StatementKind::If { condition, .. } | StatementKind::Collective { condition, .. } => expr(condition),
                StatementKind::Store { access, value, .. } => {
                    expr(value);
                    *access = access.clone().changed(change);
                }
                StatementKind::Atomic(atomic) => {
                    atomic.operands.iter_mut().for_each(expr);
                    atomic.access = atomic.access.clone().changed(change);
                }
                StatementKind::Shuffle(shuffle) => shuffle.expressions_mut(&mut |own| expr(own)),
                StatementKind::Each(_) | StatementKind::Barrier(_) | StatementKind::Copies(_) => {}
            }
            statement.blocks_mut().for_each(|block| Statement::change_accesses(block, change));
        }
    }
}

impl Expr {
    fn with_accesses(self, change: &dyn Fn(Access) -> Access) -> Expr {
        self.replaced(&|part| {
            let ExprKind::Load(access) = &part.kind else { return None };
            Some(Expr { kind: ExprKind::Load(Box::new((**access).clone().changed(change))), element: part.element })
        })
    }
}

impl Access {
    fn changed(self, change: &dyn Fn(Access) -> Access) -> Access {
        let inner = |part: &Expr| match &part.kind {
            ExprKind::Load(_) => Some(part.clone().with_accesses(change)),
            _ => None,
        };
        change(self.replaced(&inner))
    }
}
