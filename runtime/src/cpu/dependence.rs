//! May the iterations of a loop run in another order?

use std::collections::{BTreeSet, HashMap, HashSet};

use kernel::typed::{Access, ExprKind, Local, Memory, Statement, StatementKind};

use super::forms::{AtomId, Form, Forms};
use super::phases::Uses;
use super::shape::LaneFacts;

/// Whether the iterations of a loop may run in any order, statement by statement: what one of them writes, no other
/// one reads or writes.
pub fn iterations_are_independent<'k>(
    forms: &mut Forms<'k>,
    counter: AtomId,
    width: u32,
    body: &'k [Statement],
) -> bool {
    let mut has_inner_loop = false;
    Statement::walk(body, &mut |statement| has_inner_loop |= matches!(statement.kind, StatementKind::For { .. }));
    if has_inner_loop || !reads_before_assignment(body).is_empty() || forms.usage().escapes(body) {
        return false;
    }
    let mut varying = HashSet::new();
    Statement::walk(body, &mut |statement| {
        if let StatementKind::Assign { local, .. } = &statement.kind {
            varying.insert(*local);
        }
    });
    let facts = LaneFacts { counter, width, varying, whole: HashSet::new() };
    let mut written: HashMap<Memory, Form> = HashMap::new();
    let mut conflict = false;
    let mark = forms.enter();
    let mut accesses: Vec<(Memory, Form)> = Vec::new();
    Statement::walk(body, &mut |statement| {
        own_accesses(statement, &mut |access| accesses.push((access.memory, forms.form(&access.offset))));
        match &statement.kind {
            StatementKind::Store { access, .. } => {
                let form = forms.form(&access.offset);
                // Every iteration must write elsewhere.
                let moves = facts.step(forms, &form).as_constant().is_some_and(|step| step != 0);
                let same = written.entry(access.memory).or_insert_with(|| form.clone()) == &form;
                conflict |= !moves || !same;
            }
            StatementKind::Assign { local, value } => forms.define(*local, value),
            StatementKind::For { .. } | StatementKind::If { .. } | StatementKind::Barrier(_) => {}
        }
    });
    forms.leave(mark);
    !conflict && accesses.iter().all(|(memory, form)| written.get(memory).is_none_or(|other| other == form))
}

/// Visits every access that a statement itself makes.
pub fn own_accesses<'k>(statement: &'k Statement, visit: &mut dyn FnMut(&'k Access)) {
    statement.walk_own_expressions(&mut |expr| {
        if let ExprKind::Load(access) = &expr.kind {
            visit(access);
        }
    });
    if let StatementKind::Store { access, .. } = &statement.kind {
        visit(access);
    }
}

/// The variables that the statements may read before they assign them, among those that they assign.
pub fn reads_before_assignment(statements: &[Statement]) -> BTreeSet<Local> {
    let uses = Uses::of(statements);
    uses.exposed.intersection(&uses.assigned).copied().collect()
}
