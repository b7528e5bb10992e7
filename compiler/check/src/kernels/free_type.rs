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

/// What has a type of which nothing is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Untyped {
    /// A variable, whose name stands here.
    Variable(Span),
    /// A number of the text, which threads give to each other: `sum(1, over: warp)`.
    Number(Span),
}

impl Untyped {
    pub(super) fn span(self) -> Span {
        match self {
            Self::Variable(span) | Self::Number(span) => span,
        }
    }
}

/// What the type of a value follows from that threads give to each other.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// From the value alone.
    Own,
    /// From the use of what is received, as the value is a number of the text, here.
    Number(Span),
    /// From that of these variables, of which nothing has decided the type.
    Variables(Vec<Local>),
}

/// What is known of variables that are declared without a type.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeTypes {
    /// Those whose type nothing has decided so far.
    pub(super) open: FxHashMap<Local, Untyped>,
    /// Variables that no text names, each with those from whose types its own follows.
    pub(super) derived: FxHashMap<Local, Vec<Local>>,
    /// The types that earlier readings of the kernel found, by the spans of the names, and of the numbers.
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
                self.open.insert(local, Untyped::Variable(name));
            }
        }
    }

    /// Notes from what the type of a variable follows that no text names, and which holds what a thread received.
    pub(super) fn receive(&mut self, local: Local, origin: Origin) {
        match origin {
            Origin::Own => {}
            Origin::Number(span) => {
                self.open.insert(local, Untyped::Number(span));
            }
            Origin::Variables(variables) => {
                self.derived.insert(local, variables);
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
            ExprKind::Local(local) if let Some(variables) = self.derived.get(local) => {
                found.extend(variables);
                variables.iter().all(|variable| self.open.contains_key(variable))
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
