//! What is known of variables that are declared without a type.

use rustc_hash::FxHashMap;

use elements::ElementType;
use kernel::typed::{Expr, ExprKind, Local, UnaryOp};
use syntax::span::Span;

/// The most parts of an expression that are looked at to find what its type follows from.
const MOST_PARTS: usize = 64;

/// A type that a use decided, and the use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decided {
    pub(super) element: ElementType,
    pub(super) at: Span,
}

/// What is known of variables that are declared without a type.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeTypes {
    /// Those whose type nothing has decided so far, each with the span of its name.
    pub(super) open: FxHashMap<Local, Span>,
    /// The types that earlier readings of the kernel found, by the spans of the names.
    pub(super) decided: FxHashMap<Span, Decided>,
    /// Those that this reading found.
    pub(super) found: Vec<(Span, Decided)>,
    /// The variables whose type an earlier reading found.
    pub(super) settled: FxHashMap<Local, (Span, Decided)>,
}

impl FreeTypes {
    /// The type of the variable with this name that an earlier reading found.
    pub(super) fn decided(&self, name: Span) -> Option<Decided> {
        self.decided.get(&name).copied()
    }

    /// Notes what the declaration of a variable is: without a type, or with one that an earlier reading found.
    pub(super) fn declare(&mut self, local: Local, name: Span) {
        match self.decided(name) {
            Some(decided) => {
                self.settled.insert(local, (name, decided));
            }
            None => {
                self.open.insert(local, name);
            }
        }
    }

    /// The variables from whose types alone that of an expression follows, if nothing has decided these. None where the
    /// expression has a type of its own.
    pub(super) fn of(&self, expr: &Expr) -> Vec<Local> {
        let mut found = Vec::new();
        let mut parts = MOST_PARTS;
        if self.open.is_empty() || !self.collect(expr, &mut parts, &mut found) {
            return Vec::new();
        }
        found
    }

    fn collect(&self, expr: &Expr, parts: &mut usize, found: &mut Vec<Local>) -> bool {
        let Some(left) = parts.checked_sub(1) else { return false };
        *parts = left;
        match &expr.kind {
            ExprKind::Local(local) if self.open.contains_key(local) => {
                found.push(*local);
                true
            }
            ExprKind::Constant(_) | ExprKind::Size(_) => true,
            ExprKind::Unary(UnaryOp::Negate, operand) => self.collect(operand, parts, found),
            ExprKind::Binary(op, left, right) if !op.gives_bool() => {
                self.collect(right, parts, found) && self.collect(left, parts, found)
            }
            ExprKind::Select(_, then, otherwise) => {
                self.collect(otherwise, parts, found) && self.collect(then, parts, found)
            }
            ExprKind::Math(_, arguments) => arguments.iter().all(|argument| self.collect(argument, parts, found)),
            _ => false,
        }
    }
}
