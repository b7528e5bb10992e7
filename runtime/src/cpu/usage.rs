//! Which variables of a kernel are iterators, and how often the others are assigned.

use kernel::typed::{ExprKind, Kernel, Local, Statement, StatementKind};

/// How a kernel uses its variables.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    assignments: Vec<u32>,
    /// Where in the text the last assignment stands.
    order: Vec<u32>,
    iterators: Vec<bool>,
    /// How many expressions read the variable.
    reads: Vec<u32>,
}

impl Usage {
    /// The use of variables in a kernel.
    pub fn new(kernel: &Kernel) -> Usage {
        Usage::of(&kernel.body, kernel.locals.len(), &[])
    }

    /// The use of so many variables in statements; those in `counters` are iterators of loops around them.
    pub fn of(statements: &[Statement], count: usize, counters: &[Local]) -> Usage {
        let mut usage = Usage {
            assignments: vec![0; count],
            order: vec![0; count],
            iterators: vec![false; count],
            reads: count_reads(statements, count),
        };
        for counter in counters {
            usage.iterators[counter.0 as usize] = true;
        }
        let mut position = 0;
        Statement::walk(statements, &mut |statement| match &statement.kind {
            StatementKind::Assign { local, .. } => {
                position += 1;
                usage.assignments[local.0 as usize] += 1;
                usage.order[local.0 as usize] = position;
            }
            StatementKind::For { local, .. } => usage.iterators[local.0 as usize] = true,
            StatementKind::If { .. } | StatementKind::Store { .. } | StatementKind::Barrier(_) => {}
        });
        usage
    }

    /// Whether one statement assigns the variable, and only one. (It may do so many times, in a loop.)
    pub fn is_assigned_once(&self, local: Local) -> bool {
        self.assignments[local.0 as usize] == 1
    }

    /// Whether `first` and `second` are assigned once, and `first` further up in the text. Then from the assignment of
    /// `second` to the end of its list of statements, `first` keeps its value.
    pub fn is_assigned_before(&self, first: Local, second: Local) -> bool {
        let order = |local: Local| self.order[local.0 as usize];
        self.is_assigned_once(first) && self.is_assigned_once(second) && order(first) < order(second)
    }

    /// Whether something outside the statements, which are part of the kernel, reads a variable that they assign.
    pub fn escapes(&self, statements: &[Statement]) -> bool {
        let inside = count_reads(statements, self.reads.len());
        let mut escapes = false;
        Statement::walk(statements, &mut |statement| {
            if let StatementKind::Assign { local, .. } = &statement.kind {
                let place = local.0 as usize;
                escapes |= self.reads[place] > inside[place];
            }
        });
        escapes
    }

    /// Whether a loop iterates over the variable.
    pub fn is_iterator(&self, local: Local) -> bool {
        self.iterators[local.0 as usize]
    }
}

/// How many expressions of the statements read each variable.
fn count_reads(statements: &[Statement], variables: usize) -> Vec<u32> {
    let mut reads = vec![0; variables];
    Statement::walk_expressions(statements, &mut |expr| {
        if let ExprKind::Local(local) = &expr.kind {
            reads[local.0 as usize] += 1;
        }
    });
    reads
}
