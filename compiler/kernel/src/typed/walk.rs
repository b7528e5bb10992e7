//! Visitors of statements and expressions, and changed copies of them ([`Rewrite`]).
//!
//! Of an access visitors see the offset and the mask, which generated code evaluates, but not the coordinates, which only
//! the reference interpreter evaluates; a copy changes all three. Of a loop over the elements of a tile both know the
//! statements of each thread.

use crate::stack::with_enough;

use super::{Access, Barrier, Expr, ExprKind, Local, Statement, StatementKind, Waiting};

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

    /// Puts other statements in the place of those of each nested list.
    pub fn change_blocks(&mut self, change: &mut dyn FnMut(Vec<Statement>) -> Vec<Statement>) {
        self.blocks_mut().for_each(|block| *block = change(std::mem::take(block)));
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

    /// The variables that statements give a value, nested ones included, ascending. The iterators of loops are not among them.
    pub fn assigned(statements: &[Statement]) -> Vec<Local> {
        let mut found = Vec::new();
        Statement::walk(statements, &mut |statement| match &statement.kind {
            StatementKind::Assign { local, .. } => found.push(*local),
            StatementKind::Atomic(atomic) => found.extend(atomic.result),
            StatementKind::Shuffle(shuffle) => found.push(shuffle.local),
            StatementKind::For { .. }
            | StatementKind::If { .. }
            | StatementKind::Each(_)
            | StatementKind::Collective { .. }
            | StatementKind::Store { .. }
            | StatementKind::Barrier(_)
            | StatementKind::Copies(_) => {}
        });
        found.sort_unstable();
        found.dedup();
        found
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

/// A changed copy of a program. Each method says what stands in the place of a part; by default it is the same part with
/// its own parts replaced.
pub trait Rewrite {
    /// What stands in the place of a list of statements.
    fn statements(&mut self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut rewritten = Vec::with_capacity(statements.len());
        for statement in statements {
            self.statement(statement, &mut rewritten);
        }
        rewritten
    }

    /// Adds what stands in the place of a statement to what stands in the place of those before it.
    fn statement(&mut self, statement: Statement, rewritten: &mut Vec<Statement>) {
        rewritten.push(statement.rewrite_parts(self));
    }

    /// What stands in the place of an access.
    fn access(&mut self, access: Access) -> Access {
        access.rewrite_parts(self)
    }

    /// What stands in the place of an expression.
    fn expr(&mut self, expr: Expr) -> Expr {
        expr.rewrite_parts(self)
    }
}

impl Statement {
    /// The statement with its parts replaced.
    pub fn rewrite_parts(self, rewrite: &mut (impl Rewrite + ?Sized)) -> Statement {
        let Statement { kind, scope, span } = self;
        let kind = match kind {
            StatementKind::Assign { local, value } => StatementKind::Assign { local, value: rewrite.expr(value) },
            StatementKind::For { local, low, high, body } => {
                let [low, high] = [low, high].map(|end| rewrite.expr(end));
                StatementKind::For { local, low, high, body: rewrite.statements(body) }
            }
            StatementKind::If { condition, then, otherwise } => {
                let (condition, then) = (rewrite.expr(condition), rewrite.statements(then));
                StatementKind::If { condition, then, otherwise: rewrite.statements(otherwise) }
            }
            StatementKind::Collective { collective, condition, body } => {
                let condition = rewrite.expr(condition);
                StatementKind::Collective { collective, condition, body: rewrite.statements(body) }
            }
            StatementKind::Each(mut each) => {
                each.per_thread = rewrite.statements(each.per_thread);
                StatementKind::Each(each)
            }
            StatementKind::Store { access, value, is_async } => {
                let value = rewrite.expr(value);
                StatementKind::Store { access: rewrite.access(access), value, is_async }
            }
            StatementKind::Atomic(mut atomic) => {
                atomic.operands = atomic.operands.into_iter().map(|operand| rewrite.expr(operand)).collect();
                atomic.access = rewrite.access(atomic.access);
                StatementKind::Atomic(atomic)
            }
            StatementKind::Shuffle(mut shuffle) => {
                shuffle.expressions_mut(&mut |expr| *expr = rewrite.expr(expr.clone()));
                StatementKind::Shuffle(shuffle)
            }
            StatementKind::Barrier(Barrier { waiting, before, after }) => {
                let waiting = match waiting {
                    Waiting::Block => Waiting::Block,
                    Waiting::Warp { lanes, first } => Waiting::Warp { lanes, first: rewrite.expr(first) },
                    Waiting::Warps { id, threads } => Waiting::Warps { id: rewrite.expr(id), threads },
                };
                StatementKind::Barrier(Barrier { waiting, before, after })
            }
            StatementKind::Copies(order) => StatementKind::Copies(order),
        };
        Statement { kind, scope, span }
    }
}

impl Access {
    /// The access with its parts replaced.
    pub fn rewrite_parts(self, rewrite: &mut (impl Rewrite + ?Sized)) -> Access {
        let coordinates = self.coordinates.into_iter().map(|coordinate| rewrite.expr(coordinate)).collect();
        let (offset, mask) = (rewrite.expr(self.offset), self.mask.map(|mask| rewrite.expr(mask)));
        Access { coordinates, offset, mask, ..self }
    }
}

impl Expr {
    /// The expression with its parts replaced.
    pub fn rewrite_parts(self, rewrite: &mut (impl Rewrite + ?Sized)) -> Expr {
        with_enough(|| self.rewrite_operands(rewrite))
    }

    fn rewrite_operands(self, rewrite: &mut (impl Rewrite + ?Sized)) -> Expr {
        let Expr { kind, element } = self;
        let mut boxed = |expr: Box<Expr>| Box::new(rewrite.expr(*expr));
        let kind = match kind {
            ExprKind::Load(access) => ExprKind::Load(Box::new(rewrite.access(*access))),
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, boxed(operand)),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(op, boxed(left), boxed(right)),
            ExprKind::Select(condition, then, otherwise) => {
                ExprKind::Select(boxed(condition), boxed(then), boxed(otherwise))
            }
            ExprKind::Cast(operand) => ExprKind::Cast(boxed(operand)),
            ExprKind::Bits(operand) => ExprKind::Bits(boxed(operand)),
            ExprKind::Math(function, arguments) => {
                ExprKind::Math(function, arguments.into_iter().map(|argument| rewrite.expr(argument)).collect())
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
