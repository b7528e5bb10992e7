//! How much memory a kernel must move: every tensor that it reads once, every tensor that it writes once.

use std::collections::BTreeSet;

use shapewright_compiler::kernels::typed::{Access, Expr, ExprKind, Kernel, ParamId, Statement, StatementKind};
use shapewright_runtime::execute::Argument;

/// The tensors that a kernel touches.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Those that it loads from.
    pub(super) loads: BTreeSet<ParamId>,
    /// Those that it stores to.
    pub(super) stores: BTreeSet<ParamId>,
}

/// Finds the tensors that a kernel touches.
pub(super) fn touched(kernel: &Kernel) -> Touched {
    let mut touched = Touched::default();
    touched.statements(&kernel.body);
    touched
}

impl Touched {
    /// The bytes that must be moved.
    pub(super) fn bytes(&self, arguments: &[Argument]) -> u64 {
        let size = |param: &ParamId| match arguments.get(param.0 as usize) {
            Some(Argument::Tensor(tensor)) => tensor.len() as u64 * tensor.element().size_bytes() as u64,
            _ => 0,
        };
        self.loads.iter().chain(&self.stores).map(size).sum()
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { value, .. } => self.expr(value),
                StatementKind::For { low, high, body, .. } => {
                    self.expr(low);
                    self.expr(high);
                    self.statements(body);
                }
                StatementKind::If { condition, then, otherwise } => {
                    self.expr(condition);
                    self.statements(then);
                    self.statements(otherwise);
                }
                StatementKind::Store { access, value } => {
                    self.stores.insert(access.tensor);
                    self.access(access);
                    self.expr(value);
                }
            }
        }
    }

    fn access(&mut self, access: &Access) {
        access.coordinates.iter().for_each(|coordinate| self.expr(coordinate));
        self.expr(&access.offset);
        if let Some(mask) = &access.mask {
            self.expr(mask);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(access) => {
                self.loads.insert(access.tensor);
                self.access(access);
            }
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Select(condition, then, otherwise) => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Math(_, arguments) => arguments.iter().for_each(|argument| self.expr(argument)),
            ExprKind::Constant(_)
            | ExprKind::Size(_)
            | ExprKind::Scalar(_)
            | ExprKind::Local(_)
            | ExprKind::BlockId
            | ExprKind::ThreadId => {}
        }
    }
}
