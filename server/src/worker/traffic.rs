//! The least memory traffic of a kernel: every tensor that it reads once, every tensor that it writes once.

use std::collections::BTreeSet;

use kernel::typed::{ExprKind, Kernel, ParamId, Statement, StatementKind};
use shapewright_runtime::execute::Argument;

/// The tensors that a kernel accesses.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Those that it loads from.
    pub(super) loads: BTreeSet<ParamId>,
    /// Those that it stores to.
    pub(super) stores: BTreeSet<ParamId>,
}

/// Finds the tensors that a kernel accesses.
pub(super) fn touched(kernel: &Kernel) -> Touched {
    let mut touched = Touched::default();
    Statement::walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Store { access, .. } => touched.stores.extend(access.memory.param()),
        StatementKind::Atomic(atomic) => {
            let param = atomic.access.memory.param();
            touched.loads.extend(param);
            touched.stores.extend(param.filter(|_| atomic.operation.writes()));
        }
        _ => {}
    });
    Statement::walk_expressions(&kernel.body, &mut |expr| {
        if let ExprKind::Load(access) = &expr.kind {
            touched.loads.extend(access.memory.param());
        }
    });
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
}
