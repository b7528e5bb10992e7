//! Variables that can be computed again wherever they are read.

use std::collections::{BTreeMap, BTreeSet};

use kernel::typed::{Expr, ExprKind, Kernel, Local, Statement, StatementKind};

/// The variables of a kernel that are assigned once, with arithmetic on ids, sizes, scalars and other such variables,
/// and are read only further down the list of statements that assigns them. There they have the same value whenever
/// the assignment is repeated.
#[derive(Debug, Default)]
pub struct Stable {
    definitions: BTreeMap<Local, Definition>,
    /// The iterators of loops that contain a barrier.
    counters: BTreeSet<Local>,
}

#[derive(Debug)]
struct Definition {
    statement: Statement,
    /// The place in the text: what a definition reads stands further up.
    position: usize,
    /// Whether the value is the same for all threads of a block.
    uniform: bool,
}

/// Where a variable stands in the text. Statements are counted, outer before inner.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    /// How often it is assigned.
    assignments: u32,
    /// The last assignment.
    assigned: usize,
    /// Where the list of statements with that assignment ends.
    list_ends: usize,
    /// The first and the last statement that reads it.
    read: Option<(usize, usize)>,
}

impl Places {
    /// Whether it is assigned once, and read only further down the same list.
    fn are_below_the_assignment(self) -> bool {
        let below = |(first, last)| self.assigned < first && last < self.list_ends;
        self.assignments == 1 && self.read.is_none_or(below)
    }
}

impl Stable {
    /// The stable variables of a kernel.
    pub fn new(kernel: &Kernel) -> Stable {
        let mut places = vec![Places::default(); kernel.locals.len()];
        find_places(&kernel.body, 0, &mut places);
        let mut stable = Stable::default();
        let mut position = 0;
        Statement::walk(&kernel.body, &mut |statement| {
            match &statement.kind {
                StatementKind::For { local, .. } if has_barrier(statement) => {
                    stable.counters.insert(*local);
                }
                StatementKind::Assign { local, value } => {
                    let found = places.get(local.0 as usize).copied().unwrap_or_default();
                    if found.are_below_the_assignment() && stable.is_plain(value) {
                        let uniform = stable.is_uniform(value);
                        stable
                            .definitions
                            .insert(*local, Definition { statement: statement.clone(), position, uniform });
                    }
                }
                _ => {}
            }
            position += 1;
        });
        stable
    }

    /// Whether an expression gives the same value when it is evaluated again, and costs little.
    pub fn is_plain(&self, expr: &Expr) -> bool {
        let mut plain = true;
        expr.walk(&mut |inner| {
            plain &= match &inner.kind {
                ExprKind::Load(_) | ExprKind::Math(..) => false,
                ExprKind::Local(local) => self.definitions.contains_key(local) || self.counters.contains(local),
                _ => true,
            };
        });
        plain
    }

    /// Whether all threads of a block agree on the value of an expression, and the block can evaluate it for them.
    pub fn is_uniform(&self, expr: &Expr) -> bool {
        let mut uniform = true;
        expr.walk(&mut |inner| {
            uniform &= match &inner.kind {
                ExprKind::Load(_) | ExprKind::ThreadId => false,
                ExprKind::Local(local) => {
                    self.counters.contains(local) || self.definitions.get(local).is_some_and(|found| found.uniform)
                }
                _ => true,
            };
        });
        uniform
    }

    /// Whether a variable is stable.
    pub fn contains(&self, local: Local) -> bool {
        self.definitions.contains_key(&local)
    }

    /// The assignment of a stable variable.
    pub fn definition(&self, local: Local) -> Option<&Statement> {
        self.definitions.get(&local).map(|definition| &definition.statement)
    }

    /// Whether a variable is the iterator of a loop that contains a barrier.
    pub fn is_counter(&self, local: Local) -> bool {
        self.counters.contains(&local)
    }

    /// The assignments that give the stable ones among some variables their values again, in order.
    pub fn assignments(&self, wanted: impl IntoIterator<Item = Local>) -> Vec<Statement> {
        let mut needed: BTreeMap<usize, &Statement> = BTreeMap::new();
        let mut open: Vec<Local> = wanted.into_iter().collect();
        while let Some(local) = open.pop() {
            let Some(definition) = self.definitions.get(&local) else { continue };
            if needed.insert(definition.position, &definition.statement).is_none() {
                definition.statement.walk_own_expressions(&mut |expr| expr.locals(&mut |read| open.push(read)));
            }
        }
        needed.into_values().cloned().collect()
    }
}

/// Fills in the places of the variables in a list whose first statement has this position; gives the position after it.
fn find_places(statements: &[Statement], start: usize, places: &mut [Places]) -> usize {
    let mut position = start;
    let mut assigned = Vec::new();
    for statement in statements {
        statement.own_expressions(&mut |expr| {
            expr.locals(&mut |local| {
                if let Some(places) = places.get_mut(local.0 as usize) {
                    let (first, last) = places.read.unwrap_or((position, position));
                    places.read = Some((first.min(position), last.max(position)));
                }
            });
        });
        if let StatementKind::Assign { local, .. } = &statement.kind
            && let Some(places) = places.get_mut(local.0 as usize)
        {
            places.assignments += 1;
            places.assigned = position;
            assigned.push(*local);
        }
        position += 1;
        for block in statement.blocks() {
            position = find_places(block, position, places);
        }
    }
    for local in assigned {
        if let Some(places) = places.get_mut(local.0 as usize) {
            places.list_ends = position;
        }
    }
    position
}

/// Whether threads wait for each other in a statement.
pub fn has_barrier(statement: &Statement) -> bool {
    let mut found = false;
    Statement::walk(std::slice::from_ref(statement), &mut |inner| {
        found |= matches!(inner.kind, StatementKind::Barrier(_));
    });
    found
}
