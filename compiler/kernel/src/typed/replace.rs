//! Expressions with others in the place of some of their parts, and statements with other accesses.

use rustc_hash::FxHashMap;

use super::{Access, Expr, ExprKind, Local, Rewrite, Statement};

/// Puts an expression in the place of another one; where it gives `None`, the other one stays, with its parts replaced.
struct Replacing<'r>(&'r dyn Fn(&Expr) -> Option<Expr>);

impl Rewrite for Replacing<'_> {
    fn expr(&mut self, expr: Expr) -> Expr {
        (self.0)(&expr).unwrap_or_else(|| expr.rewrite_parts(self))
    }
}

/// What [`Replacing`] takes for variables.
fn values_of(values: &FxHashMap<Local, Expr>) -> impl Fn(&Expr) -> Option<Expr> {
    |expr| match expr.kind {
        ExprKind::Local(local) => values.get(&local).cloned(),
        _ => None,
    }
}

impl Expr {
    /// This expression with other expressions in the place of variables.
    pub fn with_locals(self, values: &FxHashMap<Local, Expr>) -> Expr {
        self.replaced(&values_of(values))
    }

    /// This expression with other expressions in the place of some.
    pub fn replaced(self, replacement: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        Replacing(replacement).expr(self)
    }
}

impl Access {
    /// This access with other expressions in the place of variables.
    pub fn with_locals(self, values: &FxHashMap<Local, Expr>) -> Access {
        self.replaced(&values_of(values))
    }

    /// This access with other expressions in the place of some.
    pub fn replaced(self, replacement: &dyn Fn(&Expr) -> Option<Expr>) -> Access {
        Replacing(replacement).access(self)
    }
}

/// Changes accesses, those in the parts of others first.
struct Changing<'c>(&'c dyn Fn(Access) -> Access);

impl Rewrite for Changing<'_> {
    fn access(&mut self, access: Access) -> Access {
        (self.0)(access.rewrite_parts(self))
    }
}

impl Statement {
    /// Changes every access in statements, those in the parts of others first; of loops over the elements of tiles those of
    /// each thread.
    pub fn change_accesses(statements: &mut Vec<Statement>, change: &dyn Fn(Access) -> Access) {
        *statements = Changing(change).statements(std::mem::take(statements));
    }
}
