//! Which variables of a kernel are iterators, and how often the others are assigned.

use shapewright_compiler::kernels::typed::{Access, Expr, ExprKind, Kernel, Local, Statement, StatementKind};

/// How a kernel uses its variables.
#[derive(Clone, Debug)]
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
        let count = kernel.locals.len();
        let mut usage = Usage {
            assignments: vec![0; count],
            order: vec![0; count],
            iterators: vec![false; count],
            reads: count_reads(&kernel.body, count),
        };
        let mut position = 0;
        walk(&kernel.body, &mut |statement| match &statement.kind {
            StatementKind::Assign { local, .. } => {
                position += 1;
                usage.assignments[local.0 as usize] += 1;
                usage.order[local.0 as usize] = position;
            }
            StatementKind::For { local, .. } => usage.iterators[local.0 as usize] = true,
            StatementKind::If { .. } | StatementKind::Store { .. } => {}
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
        walk(statements, &mut |statement| {
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
    walk(statements, &mut |statement| {
        own_expressions(statement, &mut |expr| {
            walk_expression(expr, &mut |inner| {
                if let ExprKind::Local(local) = &inner.kind {
                    reads[local.0 as usize] += 1;
                }
            });
        });
    });
    reads
}

/// Visits every statement, outer before inner.
pub fn walk<'k>(statements: &'k [Statement], visit: &mut dyn FnMut(&'k Statement)) {
    for statement in statements {
        visit(statement);
        match &statement.kind {
            StatementKind::For { body, .. } => walk(body, visit),
            StatementKind::If { then, otherwise, .. } => {
                walk(then, visit);
                walk(otherwise, visit);
            }
            StatementKind::Assign { .. } | StatementKind::Store { .. } => {}
        }
    }
}

/// Visits the expressions that a statement itself evaluates, not those of the statements inside it. An access counts
/// with what compiled code evaluates: its offset and mask.
pub fn own_expressions<'k>(statement: &'k Statement, visit: &mut dyn FnMut(&'k Expr)) {
    match &statement.kind {
        StatementKind::Assign { value, .. } => visit(value),
        StatementKind::For { low, high, .. } => {
            visit(low);
            visit(high);
        }
        StatementKind::If { condition, .. } => visit(condition),
        StatementKind::Store { access, value } => {
            access_expressions(access, visit);
            visit(value);
        }
    }
}

/// Visits the offset and the mask of an access.
pub fn access_expressions<'k>(access: &'k Access, visit: &mut dyn FnMut(&'k Expr)) {
    visit(&access.offset);
    if let Some(mask) = &access.mask {
        visit(mask);
    }
}

/// Visits an expression and everything in it.
pub fn walk_expression<'k>(expr: &'k Expr, visit: &mut dyn FnMut(&'k Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Constant(_)
        | ExprKind::Size(_)
        | ExprKind::Scalar(_)
        | ExprKind::Local(_)
        | ExprKind::BlockId
        | ExprKind::ThreadId => {}
        ExprKind::Load(access) => access_expressions(access, &mut |inner| walk_expression(inner, visit)),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => walk_expression(operand, visit),
        ExprKind::Binary(_, left, right) => {
            walk_expression(left, visit);
            walk_expression(right, visit);
        }
        ExprKind::Select(condition, first, second) => {
            walk_expression(condition, visit);
            walk_expression(first, visit);
            walk_expression(second, visit);
        }
        ExprKind::Math(_, arguments) => arguments.iter().for_each(|argument| walk_expression(argument, visit)),
    }
}

/// Whether evaluating the expression reads a tensor.
pub fn has_load(expr: &Expr) -> bool {
    let mut found = false;
    walk_expression(expr, &mut |inner| found |= matches!(inner.kind, ExprKind::Load(_)));
    found
}
