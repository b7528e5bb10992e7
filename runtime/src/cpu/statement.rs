//! Lowers statements for one iteration at a time.

use kernel::typed::{Statement, StatementKind};

use super::emitter::Emitter;

impl<'k> Emitter<'k, '_> {
    /// Lowers a list of statements.
    pub fn statements(&mut self, statements: &'k [Statement]) {
        let mark = self.forms.enter();
        for statement in statements {
            self.statement(statement);
        }
        self.forms.leave(mark);
    }

    /// Lowers a statement; a definition holds until the caller leaves the list.
    pub fn statement(&mut self, statement: &'k Statement) {
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                let computed = self.expression(value);
                self.builder.def_var(self.locals[local.0 as usize], computed);
                self.forms.define(*local, value);
            }
            StatementKind::For { local, low, high, body } => {
                self.thread_loop(*local, low, high, body);
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.expression(condition);
                self.branch(
                    condition,
                    |emitter| {
                        emitter.statements(then);
                        None
                    },
                    |emitter| {
                        emitter.statements(otherwise);
                        None
                    },
                    None,
                );
            }
            StatementKind::Store { access, value } => self.store(access, value),
            StatementKind::Barrier(_) => {}
        }
    }
}
