//! Which variables statements read and assign.

use std::collections::BTreeSet;

use kernel::typed::{Expr, Local, Statement, StatementKind};

/// The use that statements, or one after the other of them, make of variables.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Those whose value from before may be read.
    pub exposed: BTreeSet<Local>,
    /// Those that may be assigned.
    pub assigned: BTreeSet<Local>,
    /// Those that are certainly assigned.
    pub surely: BTreeSet<Local>,
}

impl Uses {
    /// The use that a list of statements makes.
    pub fn of(statements: &[Statement]) -> Uses {
        let mut uses = Uses::default();
        uses.list(statements);
        uses
    }

    /// Takes note that an expression is evaluated next.
    pub fn read(&mut self, expr: &Expr) {
        expr.locals(&mut |local| {
            if !self.surely.contains(&local) {
                self.exposed.insert(local);
            }
        });
    }

    /// Takes note that something else comes next.
    pub fn then(&mut self, next: &Uses) {
        self.exposed.extend(next.exposed.difference(&self.surely).copied());
        self.assigned.extend(&next.assigned);
        self.surely.extend(&next.surely);
    }

    /// The same where it may not happen at all.
    pub fn perhaps(&mut self, next: &Uses) {
        self.exposed.extend(next.exposed.difference(&self.surely).copied());
        self.assigned.extend(&next.assigned);
    }

    /// The same where one of two things happens.
    pub fn either(&mut self, left: &Uses, right: &Uses) {
        self.perhaps(left);
        self.perhaps(right);
        self.surely.extend(left.surely.intersection(&right.surely));
    }

    fn list(&mut self, statements: &[Statement]) {
        for statement in statements {
            statement.own_expressions(&mut |expr| self.read(expr));
            match &statement.kind {
                StatementKind::Assign { local, .. } => {
                    self.assigned.insert(*local);
                    self.surely.insert(*local);
                }
                StatementKind::For { local, body, .. } => {
                    let mut inside = Uses::of(body);
                    inside.exposed.remove(local);
                    self.perhaps(&inside);
                }
                StatementKind::If { then, otherwise, .. } => self.either(&Uses::of(then), &Uses::of(otherwise)),
                StatementKind::Store { .. } | StatementKind::Barrier(_) => {}
            }
        }
    }
}
