//! Analyses the variables of a kernel: how often each is assigned, and where each has to be declared.

use std::collections::{BTreeMap, BTreeSet};

use kernel::typed::{Expr, ExprKind, Kernel, Local, Statement, StatementKind};

/// The variables of a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    /// The number of assignments of each variable. Iterators have none.
    assignments: BTreeMap<Local, usize>,
}

impl Variables {
    pub fn new(kernel: &Kernel) -> Variables {
        let mut variables = Variables::default();
        Statement::walk(&kernel.body, &mut |statement| {
            if let StatementKind::Assign { local, .. } = &statement.kind {
                *variables.assignments.entry(*local).or_default() += 1;
            }
        });
        variables
    }

    /// Whether the variable is only assigned by its declaration.
    pub fn is_constant(&self, local: Local) -> bool {
        self.assignments.get(&local).is_none_or(|count| *count == 1)
    }
}

/// The uses of variables in a list of statements, and in its nested lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    first: BTreeMap<Local, FirstUse>,
    /// By statement index: the uses in its two nested lists.
    within: Vec<[Uses; 2]>,
}

/// The first use of a variable in a list of statements.
#[derive(Clone, Copy, Debug)]
enum FirstUse {
    /// The statement at this index assigns it.
    Assignment(usize),
    /// Only the statement at this index uses it, in one of its nested lists.
    Inside(usize, usize),
    /// Any other use, at this index.
    Other(usize),
}

impl Uses {
    /// The uses in a list of statements.
    pub fn new(statements: &[Statement]) -> Uses {
        let mut uses = Uses::default();
        for (position, statement) in statements.iter().enumerate() {
            uses.add(position, statement);
        }
        uses
    }

    fn add(&mut self, position: usize, statement: &Statement) {
        let within = statement.blocks().map(Uses::new);
        let assigned = match &statement.kind {
            StatementKind::Assign { local, value } if !reads(value, *local) => Some(*local),
            _ => None,
        };
        let mut own: BTreeMap<Local, FirstUse> = BTreeMap::new();
        for (block, uses) in within.iter().enumerate() {
            for variable in uses.variables() {
                let is_again = own.contains_key(&variable);
                let first = if is_again { FirstUse::Other(position) } else { FirstUse::Inside(position, block) };
                own.insert(variable, first);
            }
        }
        for variable in used_by(statement) {
            let is_assigned = assigned == Some(variable);
            let first = if is_assigned { FirstUse::Assignment(position) } else { FirstUse::Other(position) };
            own.insert(variable, first);
        }
        for (variable, found) in own {
            let first = self.first.entry(variable).or_insert(found);
            if let FirstUse::Inside(earlier, _) = *first
                && earlier < position
            {
                *first = FirstUse::Other(earlier);
            }
        }
        self.within.push(within);
    }

    /// All variables in use.
    pub fn variables(&self) -> impl Iterator<Item = Local> {
        self.first.keys().copied()
    }

    /// The uses in one of the two lists of a statement.
    pub fn inside(&self, position: usize, block: usize) -> &Uses {
        &self.within[position][block]
    }

    /// Whether an assignment precedes every other use of a variable, so that it can be declared there. Otherwise it may carry
    /// a value from one iteration of a loop to the next, and has to be declared outside all loops.
    fn settles(&self, variable: Local) -> bool {
        let mut uses = self;
        loop {
            match uses.first.get(&variable) {
                None | Some(FirstUse::Assignment(_)) => return true,
                Some(FirstUse::Inside(position, block)) => uses = uses.inside(*position, *block),
                Some(FirstUse::Other(_)) => return false,
            }
        }
    }
}

/// The places of declarations in a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations {
    /// By statement index: variables declared by this assignment.
    pub at: BTreeSet<usize>,
    /// By statement index: variables declared before this statement.
    pub before: BTreeMap<usize, Vec<Local>>,
    /// By statement index and nested block: variables declared inside it.
    pub inside: BTreeMap<(usize, usize), BTreeSet<Local>>,
}

impl Declarations {
    /// Places the declarations of variables that are used only in this block.
    pub fn place(uses: &Uses, variables: &BTreeSet<Local>) -> Declarations {
        let mut declarations = Declarations::default();
        for variable in variables {
            match uses.first.get(variable) {
                None => {}
                Some(FirstUse::Assignment(position)) => {
                    declarations.at.insert(*position);
                }
                Some(FirstUse::Inside(position, block)) if uses.inside(*position, *block).settles(*variable) => {
                    let inside = declarations.inside.entry((*position, *block)).or_default();
                    inside.insert(*variable);
                }
                Some(FirstUse::Inside(position, _) | FirstUse::Other(position)) => {
                    let before = declarations.before.entry(*position).or_default();
                    before.push(*variable);
                }
            }
        }
        declarations
    }
}

/// The variables that occur in a statement itself, without nested statements.
fn used_by(statement: &Statement) -> BTreeSet<Local> {
    let mut used = BTreeSet::new();
    if let StatementKind::Assign { local, .. } = &statement.kind {
        used.insert(*local);
    }
    statement.walk_own_expressions(&mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            used.insert(local);
        }
    });
    used
}

fn reads(expr: &Expr, variable: Local) -> bool {
    let mut is_read = false;
    expr.locals(&mut |local| is_read |= local == variable);
    is_read
}
