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
    pub fn place(statements: &[Statement], variables: &BTreeSet<Local>) -> Declarations {
        let mut declarations = Declarations::default();
        for variable in variables {
            match first_use(statements, *variable) {
                FirstUse::Nowhere => {}
                FirstUse::Assignment(position) => {
                    declarations.at.insert(position);
                }
                FirstUse::Inside(position, block) if settles(statements[position].blocks()[block], *variable) => {
                    let inside = declarations.inside.entry((position, block)).or_default();
                    inside.insert(*variable);
                }
                FirstUse::Inside(position, _) | FirstUse::Other(position) => {
                    let before = declarations.before.entry(position).or_default();
                    before.push(*variable);
                }
            }
        }
        declarations
    }
}

/// The first use of a variable in a block.
enum FirstUse {
    /// There is none.
    Nowhere,
    /// The statement at this position assigns it.
    Assignment(usize),
    /// Only one statement uses it, in one of its nested blocks.
    Inside(usize, usize),
    /// Any other use.
    Other(usize),
}

fn first_use(statements: &[Statement], variable: Local) -> FirstUse {
    let in_blocks = |statement: &Statement| statement.blocks().map(|block| used_within(block).contains(&variable));
    let uses = |position: &usize| {
        let statement = &statements[*position];
        used_by(statement).contains(&variable) || in_blocks(statement).contains(&true)
    };
    let mut users = (0..statements.len()).filter(uses);
    let Some(first) = users.next() else {
        return FirstUse::Nowhere;
    };
    let statement = &statements[first];
    if let StatementKind::Assign { local, value } = &statement.kind
        && *local == variable
        && !reads(value, variable)
    {
        return FirstUse::Assignment(first);
    }
    match in_blocks(statement) {
        [within, other] if within != other && users.next().is_none() && !used_by(statement).contains(&variable) => {
            FirstUse::Inside(first, usize::from(other))
        }
        _ => FirstUse::Other(first),
    }
}

/// Whether an assignment precedes every other use, so that the variable can be declared there. Otherwise it may carry a
/// value from one iteration of a loop to the next, and has to be declared outside all loops.
fn settles(statements: &[Statement], variable: Local) -> bool {
    match first_use(statements, variable) {
        FirstUse::Nowhere | FirstUse::Assignment(_) => true,
        FirstUse::Inside(position, block) => settles(statements[position].blocks()[block], variable),
        FirstUse::Other(_) => false,
    }
}

/// Every variable that occurs in some statements.
pub(super) fn used_within(statements: &[Statement]) -> BTreeSet<Local> {
    let mut used = BTreeSet::new();
    Statement::walk(statements, &mut |statement| used.append(&mut used_by(statement)));
    used
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
