//! Visitors of statements and expressions.
//!
//! Of an access they visit the offset and the mask, which generated code evaluates, but not the coordinates, which only
//! the reference interpreter evaluates; of a loop over the elements of a tile the statements of each thread.

use crate::stack::with_enough;

use super::{Access, Expr, ExprKind, Local, Statement, StatementKind, Waiting};

impl Statement {
    /// The nested lists of statements.
    pub fn blocks(&self) -> [&[Statement]; 2] {
        match &self.kind {
            StatementKind::For { body, .. } | StatementKind::Collective { body, .. } => [body, &[]],
            StatementKind::Each(each) => [&each.per_thread, &[]],
            StatementKind::If { then, otherwise, .. } => [then, otherwise],
            StatementKind::Assign { .. }
            | StatementKind::Store { .. }
            | StatementKind::Atomic(_)
            | StatementKind::Shuffle(_)
            | StatementKind::Barrier(_)
            | StatementKind::Copies(_) => [&[], &[]],
        }
    }

    /// The nested lists of statements, to be changed.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Vec<Statement>> {
        let (first, second) = match &mut self.kind {
            StatementKind::For { body, .. } | StatementKind::Collective { body, .. } => (Some(body), None),
            StatementKind::Each(each) => (Some(&mut each.per_thread), None),
            StatementKind::If { then, otherwise, .. } => (Some(then), Some(otherwise)),
            StatementKind::Assign { .. }
            | StatementKind::Store { .. }
            | StatementKind::Atomic(_)
            | StatementKind::Shuffle(_)
            | StatementKind::Barrier(_)
            | StatementKind::Copies(_) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Visits every statement of a list, including nested ones, outer before inner.
    pub fn walk<'k>(statements: &'k [Statement], visit: &mut dyn FnMut(&'k Statement)) {
        for statement in statements {
            visit(statement);
            statement.blocks().into_iter().for_each(|block| Statement::walk(block, visit));
        }
    }

    /// Visits the expressions that this statement evaluates itself, without their subexpressions and without nested
    /// statements.
    fn own_expressions<'k>(&'k self, visit: &mut dyn FnMut(&'k Expr)) {
        match &self.kind {
            StatementKind::Assign { value, .. } => visit(value),
            StatementKind::For { low, high, .. } => {
                visit(low);
                visit(high);
            }
            StatementKind::If { condition, .. } | StatementKind::Collective { condition, .. } => visit(condition),
            StatementKind::Store { access, value, .. } => {
                access.expressions(visit);
                visit(value);
            }
            StatementKind::Atomic(atomic) => atomic.expressions(visit),
            StatementKind::Shuffle(shuffle) => shuffle.expressions(visit),
            StatementKind::Each(_) | StatementKind::Copies(_) => {}
            StatementKind::Barrier(barrier) => match &barrier.waiting {
                Waiting::Block => {}
                Waiting::Warp { first, .. } => visit(first),
                Waiting::Warps { id, .. } => visit(id),
            },
        }
    }

    /// Visits the expressions that this statement evaluates itself, and their subexpressions.
    pub fn walk_own_expressions<'k>(&'k self, visit: &mut dyn FnMut(&'k Expr)) {
        self.own_expressions(&mut |expr| expr.walk(visit));
    }

    /// Visits every expression in a list of statements, including nested statements and subexpressions.
    pub fn walk_expressions<'k>(statements: &'k [Statement], visit: &mut dyn FnMut(&'k Expr)) {
        Statement::walk(statements, &mut |statement| statement.walk_own_expressions(visit));
    }
}

impl Access {
    /// Visits the offset and the mask.
    pub fn expressions<'k>(&'k self, visit: &mut dyn FnMut(&'k Expr)) {
        visit(&self.offset);
        if let Some(mask) = &self.mask {
            visit(mask);
        }
    }
}

impl Expr {
    /// Visits this expression and all subexpressions.
    pub fn walk<'k>(&'k self, visit: &mut dyn FnMut(&'k Expr)) {
        visit(self);
        with_enough(|| self.walk_operands(visit));
    }

    fn walk_operands<'k>(&'k self, visit: &mut dyn FnMut(&'k Expr)) {
        match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::Size(_)
            | ExprKind::Scalar(_)
            | ExprKind::Local(_)
            | ExprKind::BlockId
            | ExprKind::ThreadId => {}
            ExprKind::Load(access) => access.expressions(&mut |inner| inner.walk(visit)),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) | ExprKind::Bits(operand) => {
                operand.walk(visit);
            }
            ExprKind::Binary(_, left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            ExprKind::Select(condition, first, second) => {
                condition.walk(visit);
                first.walk(visit);
                second.walk(visit);
            }
            ExprKind::Math(_, arguments) => arguments.iter().for_each(|argument| argument.walk(visit)),
        }
    }

    /// Visits every variable that this expression reads, once for each occurrence.
    pub fn locals(&self, visit: &mut dyn FnMut(Local)) {
        self.walk(&mut |inner| {
            if let ExprKind::Local(local) = inner.kind {
                visit(local);
            }
        });
    }
}
