//! Every access of a loop's body, and whether it happens in every iteration.

use kernel::typed::{Access, BinaryOp, Expr, ExprKind, Statement, StatementKind};

/// One access where it stands.
#[derive(Clone, Copy)]
pub(super) struct Occurrence<'k> {
    pub access: &'k Access,
    pub is_store: bool,
    /// Whether it happens in every iteration in which its own mask holds.
    pub is_certain: bool,
    /// The number of the statement that it belongs to.
    pub statement: usize,
}

/// The accesses of a body, in no particular order; `None` where it has other statements than assignments and stores.
pub(super) fn occurrences(body: &[Statement]) -> Option<Vec<Occurrence<'_>>> {
    let mut found = Vec::new();
    for (statement, inner) in body.iter().enumerate() {
        let mut collect = Collector { found: &mut found, statement };
        match &inner.kind {
            StatementKind::Assign { value, .. } => collect.expression(value, When::Always),
            StatementKind::Store { access, value } => {
                let when = access.mask.as_ref().map_or(When::Always, When::Under);
                collect.expression(value, when);
                collect.access(access, true, When::Always);
            }
            StatementKind::For { .. } | StatementKind::If { .. } | StatementKind::Barrier(_) => return None,
        }
    }
    Some(found)
}

/// When an expression is evaluated.
#[derive(Clone, Copy)]
enum When<'k> {
    Always,
    /// Where this holds.
    Under(&'k Expr),
    Sometimes,
}

struct Collector<'c, 'k> {
    found: &'c mut Vec<Occurrence<'k>>,
    statement: usize,
}

impl<'k> Collector<'_, 'k> {
    fn access(&mut self, access: &'k Access, is_store: bool, when: When<'k>) {
        let is_certain = match when {
            When::Always => true,
            When::Under(condition) => access.mask.as_ref() == Some(condition),
            When::Sometimes => false,
        };
        self.found.push(Occurrence { access, is_store, is_certain, statement: self.statement });
        if let Some(mask) = &access.mask {
            self.expression(mask, when);
        }
        self.expression(&access.offset, if access.mask.is_some() { When::Sometimes } else { when });
    }

    fn expression(&mut self, expr: &'k Expr, when: When<'k>) {
        match &expr.kind {
            ExprKind::Constant(_)
            | ExprKind::Size(_)
            | ExprKind::Scalar(_)
            | ExprKind::Local(_)
            | ExprKind::BlockId
            | ExprKind::ThreadId => {}
            ExprKind::Load(access) => self.access(access, false, when),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.expression(operand, when),
            ExprKind::Binary(operator, left, right) => {
                let may_end = matches!(operator, BinaryOp::And | BinaryOp::Or);
                self.expression(left, when);
                self.expression(right, if may_end { When::Sometimes } else { when });
            }
            ExprKind::Select(condition, first, second) => {
                self.expression(condition, when);
                self.expression(first, When::Sometimes);
                self.expression(second, When::Sometimes);
            }
            ExprKind::Math(_, arguments) => arguments.iter().for_each(|argument| self.expression(argument, when)),
        }
    }
}
