//! That all threads of a block agree on an operation on tiles: whether it is done, at which index, and with which numbers.
//! They share the elements out among them, so what differs between them would show in the result.

use std::collections::BTreeSet;

use kernel::typed::{Access, Each, Expr, ExprKind, Local, Statement, StatementKind};
use syntax::span::Span;

/// The most passes over a kernel. Each finds at least one more variable that differs between threads.
const MOST_PASSES: usize = 16;

/// What the threads of a block do not agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Differs {
    /// Whether the operation is done.
    Control,
    /// This variable.
    Variable(Local),
    /// A number without a name.
    Number,
}

/// The operations on tiles on which the threads of a block do not agree, in the order of the text. `poll` is called between
/// statements, and may unwind to cancel the work.
pub(super) fn disagreements(body: &[Statement], poll: &dyn Fn()) -> Vec<(Span, Differs)> {
    let mut walk = Walk { varying: BTreeSet::new(), found: Vec::new(), poll };
    for pass in 0.. {
        let known = walk.varying.len();
        walk.found.clear();
        walk.statements(body, false);
        if walk.varying.len() == known {
            break;
        }
        if pass == MOST_PASSES {
            walk.all_assigned(body);
            walk.found.clear();
            walk.statements(body, false);
            break;
        }
    }
    walk.found
}

/// A walk over a kernel of blocks of more than one thread.
struct Walk<'p> {
    /// The variables whose values may differ between the threads of a block.
    varying: BTreeSet<Local>,
    found: Vec<(Span, Differs)>,
    poll: &'p dyn Fn(),
}

impl Walk<'_> {
    /// `apart` says that only some threads of a block may execute the statements.
    fn statements(&mut self, statements: &[Statement], apart: bool) {
        for statement in statements {
            (self.poll)();
            self.statement(statement, apart);
        }
    }

    fn statement(&mut self, statement: &Statement, apart: bool) {
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                if apart || self.differs(value).is_some() {
                    self.varying.insert(*local);
                }
            }
            StatementKind::For { local, low, high, body } => {
                let apart = apart || self.differs(low).or_else(|| self.differs(high)).is_some();
                if apart {
                    self.varying.insert(*local);
                }
                self.statements(body, apart);
            }
            StatementKind::If { condition, then, otherwise } => {
                let apart = apart || self.differs(condition).is_some();
                self.statements(then, apart);
                self.statements(otherwise, apart);
            }
            StatementKind::Collective { body, .. } => self.statements(body, true),
            StatementKind::Each(each) => {
                let differs = if apart { Some(Differs::Control) } else { self.in_each(each) };
                self.found.extend(differs.map(|differs| (statement.span, differs)));
            }
            // Each thread gets another element from before.
            StatementKind::Atomic(atomic) => self.varying.extend(atomic.result),
            StatementKind::Shuffle(shuffle) => {
                self.varying.insert(shuffle.local);
            }
            StatementKind::Store { .. } | StatementKind::Barrier(_) | StatementKind::Copies(_) => {}
        }
    }

    /// What differs in a loop over the elements of a tile, besides the elements.
    fn in_each(&self, each: &Each) -> Option<Differs> {
        let mut found = None;
        Statement::walk(&each.body, &mut |statement| {
            statement.walk_own_expressions(&mut |expr| {
                found = found.or_else(|| self.differs_here(expr));
            });
        });
        found
    }

    /// What makes an expression differ between the threads of a block.
    fn differs(&self, expr: &Expr) -> Option<Differs> {
        let mut found = None;
        expr.walk(&mut |part| found = found.or_else(|| self.differs_here(part)));
        found
    }

    fn differs_here(&self, expr: &Expr) -> Option<Differs> {
        match &expr.kind {
            ExprKind::ThreadId => Some(Differs::Number),
            ExprKind::Local(local) => self.varying.contains(local).then_some(Differs::Variable(*local)),
            // The view of a thread is bound to its number.
            ExprKind::Load(access) => self.coordinates_differ(access),
            _ => None,
        }
    }

    fn coordinates_differ(&self, access: &Access) -> Option<Differs> {
        access.coordinates.iter().find_map(|coordinate| self.differs(coordinate))
    }

    /// Takes all assigned variables for such that differ.
    fn all_assigned(&mut self, body: &[Statement]) {
        Statement::walk(body, &mut |statement| {
            if let StatementKind::Assign { local, .. } = &statement.kind {
                self.varying.insert(*local);
            }
        });
    }
}
