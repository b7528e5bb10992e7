//! Cuts the statements of a kernel at its barriers.

use elements::ElementType;
use kernel::typed::{
    BinaryOp, Constant, Expr, ExprKind, Kernel, Local, LocalVariable, Scope, Statement, StatementKind, UnaryOp,
};
use syntax::span::Span;

use super::members::Members;
use super::stable::{Stable, has_barrier};
use super::{Ends, Phase, Stretch, Uniform};
use crate::cpu::usage::Usage;

/// The kernel without its body but with more variables, and the phases. What a stretch reads of others is still missing.
pub fn split(kernel: &Kernel, stable: &Stable) -> (Kernel, Vec<Phase>) {
    let mut bare = kernel.clone();
    bare.body.clear();
    let mut splitter = Splitter { kernel: bare, stable, guards: Vec::new() };
    let phases = splitter.list(&kernel.body);
    (splitter.kernel, phases)
}

struct Splitter<'k> {
    kernel: Kernel,
    stable: &'k Stable,
    /// The conditions under which a thread takes part in what stands here.
    guards: Vec<Expr>,
}

impl Splitter<'_> {
    fn list(&mut self, statements: &[Statement]) -> Vec<Phase> {
        let mut phases = Vec::new();
        let mut stretch = Vec::new();
        for statement in statements {
            if !has_barrier(statement) {
                stretch.push(statement.clone());
                continue;
            }
            match &statement.kind {
                StatementKind::For { local, low, high, body } => {
                    self.close(&mut stretch, &mut phases);
                    phases.push(self.block_loop(*local, low, high, body));
                }
                StatementKind::If { condition, then, otherwise } if self.stable.is_uniform(condition) => {
                    self.close(&mut stretch, &mut phases);
                    let condition = self.uniform(condition);
                    let (then, otherwise) = (self.list(then), self.list(otherwise));
                    phases.push(Phase::If { condition, then, otherwise });
                }
                StatementKind::If { condition, then, otherwise } => {
                    let guard = self.kept("takes part", condition, &mut stretch);
                    self.close(&mut stretch, &mut phases);
                    phases.extend(self.guarded(guard.clone(), then));
                    phases.extend(self.guarded(not(guard), otherwise));
                }
                // The barrier itself.
                _ => self.close(&mut stretch, &mut phases),
            }
        }
        self.close(&mut stretch, &mut phases);
        phases
    }

    /// Ends a stretch.
    fn close(&self, statements: &mut Vec<Statement>, phases: &mut Vec<Phase>) {
        if !statements.is_empty() {
            phases.push(Phase::Threads(self.stretch(std::mem::take(statements))));
        }
    }

    /// The stretch of statements that only some threads run.
    fn stretch(&self, statements: Vec<Statement>) -> Stretch {
        let condition = self.guards.iter().cloned().reduce(|left, right| compare(BinaryOp::And, left, right));
        let body = match condition {
            Some(condition) => {
                vec![statement(StatementKind::If { condition, then: statements, otherwise: Vec::new() })]
            }
            None => statements,
        };
        Stretch { threads: None, body, usage: Usage::default() }
    }

    /// The phases of statements that only threads with a condition run.
    fn guarded(&mut self, guard: Expr, statements: &[Statement]) -> Vec<Phase> {
        self.guards.push(guard);
        let phases = self.list(statements);
        self.guards.pop();
        phases
    }

    /// An expression that has the value of another one also in later stretches: the same where it is index arithmetic,
    /// else a variable that is assigned here.
    fn kept(&mut self, name: &str, expr: &Expr, here: &mut Vec<Statement>) -> Expr {
        if self.stable.is_plain(expr) {
            return expr.clone();
        }
        let local = self.variable(name, expr.element);
        here.push(assign(local, expr.clone()));
        read(local, expr.element)
    }

    fn block_loop(&mut self, counter: Local, low: &Expr, high: &Expr, body: &[Statement]) -> Phase {
        let uniform = self.stable.is_uniform(low) && self.stable.is_uniform(high);
        // A loop that nobody reaches may have ends far apart.
        let known = |end: &Expr| matches!(end.kind, ExprKind::Constant(_));
        if uniform && (self.is_reached() || (known(low) && known(high))) {
            let ends = Ends::Uniform(self.uniform(low), self.uniform(high));
            return Phase::Loop { counter, ends, body: self.list(body) };
        }
        let mut inside = Vec::new();
        let (low, high) = (self.kept("low", low, &mut inside), self.kept("high", high, &mut inside));
        let ends = self.widest(&low, &high, inside);
        let value = read(counter, ElementType::I64);
        let body = if uniform {
            self.list(body)
        } else {
            let from = compare(BinaryOp::LessEqual, low, value.clone());
            let to = compare(BinaryOp::Less, value, high);
            self.guarded(compare(BinaryOp::And, from, to), body)
        };
        Phase::Loop { counter, ends, body }
    }

    /// Whether some thread is known to take part in what stands here.
    fn is_reached(&self) -> bool {
        let threads = self.kernel.launch.threads.as_constant();
        let all = self.guards.iter().cloned().reduce(|left, right| compare(BinaryOp::And, left, right));
        all.is_none_or(|all| {
            let members = Members::of(&all, self.stable, threads);
            members.is_some_and(|members| !members.range.is_empty() && members.rest.is_none())
        })
    }

    /// The ends of a loop that threads run differently often.
    fn widest(&mut self, low: &Expr, high: &Expr, mut inside: Vec<Statement>) -> Ends {
        let (first, last) = (self.variable("first", ElementType::I64), self.variable("last", ElementType::I64));
        let runs = compare(BinaryOp::Less, low.clone(), high.clone());
        let ends = vec![assign(first, low.clone()), assign(last, high.clone())];
        inside.push(statement(StatementKind::If { condition: runs, then: ends, otherwise: Vec::new() }));
        let mut stretch = self.stretch(inside);
        // A thread that never runs the loop widens it by nothing.
        stretch.body.splice(0..0, [assign(first, int(i64::MAX)), assign(last, int(i64::MIN))]);
        Ends::Widest { stretch, first, last }
    }

    fn uniform(&self, value: &Expr) -> Uniform {
        let mut reads = Vec::new();
        value.locals(&mut |local| reads.push(local));
        let before = self.stable.assignments(reads);
        Uniform { before, value: value.clone(), usage: Usage::default() }
    }

    /// A variable of our own.
    fn variable(&mut self, name: &str, element: ElementType) -> Local {
        self.kernel.locals.push(LocalVariable { name: name.into(), element, mutable: true, range: None });
        Local(self.kernel.locals.len() as u32 - 1)
    }
}

/// A statement that no text stands for.
pub fn statement(kind: StatementKind) -> Statement {
    Statement { kind, scope: Scope::Block, span: Span::default() }
}

/// An assignment.
pub fn assign(local: Local, value: Expr) -> Statement {
    statement(StatementKind::Assign { local, value })
}

/// The value of a variable.
pub fn read(local: Local, element: ElementType) -> Expr {
    Expr { kind: ExprKind::Local(local), element }
}

fn int(value: i64) -> Expr {
    Expr { kind: ExprKind::Constant(Constant::Int(value)), element: ElementType::I64 }
}

fn not(operand: Expr) -> Expr {
    Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(operand)), element: ElementType::Bool }
}

fn compare(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), element: ElementType::Bool }
}
