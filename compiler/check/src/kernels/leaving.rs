//! What ends an iteration or a loop early: `break`, `continue` and `while`.
//!
//! In a typed kernel nothing jumps. A loop that a `break` leaves has a variable that says whether it goes on, under which the
//! whole body stands; what follows a statement that may have left stands under a condition too:
//!
//! ```text
//! for i in 0..n { if a { break; } b; }
//!
//! let mut goes_on = true;
//! for i in 0..n { if goes_on { if a { goes_on = false; } else { b; } } }
//! ```
//!
//! An iteration of a loop over threads or the grid is left by `continue` in the same way; none keeps others from being executed.
//!
//! So what is proven of conditions holds here too: that an access happens only where the loop goes on, that stores of later
//! iterations may be missing, and that a barrier stands only where all threads leave together. A loop whose body is one such `if`
//! ends where its variable is false (`typed::Kernel::ending`), since nothing would happen any more.

use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, ExprKind, Local, Statement, StatementKind};
use smol_str::SmolStr;
use syntax::span::Span;
use syntax::tree::{self, LeaveWord};

use super::checker::Checker;
use super::context::{Leaving, Ways};
use super::looped::{Counter, Repeated};
use crate::diagnostics::{self, Expected, WrongLeave};

/// The most statements after each of which the rest stands under a condition, within each other.
const MOST_RESTS: usize = 64;

impl Checker<'_> {
    /// Prepares a loop to be left by these words: adds the statements before the loop.
    pub(super) fn ways(&mut self, Words { breaks, continues }: Words, span: Span, before: &mut Vec<Statement>) -> Ways {
        let mut variable = |name| self.new_local(&SmolStr::new_static(name), ElementType::Bool, true);
        let ways =
            Ways { goes_on: breaks.then(|| variable("goes_on")), is_open: continues.then(|| variable("is_open")) };
        before.extend(ways.goes_on.into_iter().flat_map(|local| self.set(local, true, span)));
        ways
    }

    /// Makes unknown whether a loop goes on, where it begins anew and behind it.
    pub(super) fn forget_ways(&mut self, ways: Ways) {
        for local in [ways.goes_on, ways.is_open].into_iter().flatten() {
            self.raiser.forget(local, ElementType::Bool);
        }
    }

    /// The body of a loop, which stands under the condition that it goes on.
    pub(super) fn in_loop(
        &mut self,
        ways: Ways,
        span: Span,
        body: impl FnOnce(&mut Self) -> Option<Vec<Statement>>,
    ) -> Option<Vec<Statement>> {
        let whole = |checker: &mut Self| {
            let mut statements = ways.is_open.map_or(Vec::new(), |local| checker.set(local, true, span));
            statements.extend(body(checker)?);
            Some(statements)
        };
        self.in_context(Leaving::Loop(ways), |checker| match ways.goes_on {
            Some(goes_on) => checker.where_holds(truth_of(goes_on), span, whole),
            None => whole(checker),
        })
    }

    /// Checks the body of a loop whose iterations are executed at the same time: each may skip the rest of its own.
    pub(super) fn at_once(&mut self, word: &'static str, body: &tree::Block, span: Span) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        let continues = words_in(&body.statements).continues;
        let ways = self.ways(Words { breaks: false, continues }, span, &mut statements);
        statements.extend(ways.is_open.into_iter().flat_map(|local| self.set(local, true, span)));
        statements.extend(self.in_context(Leaving::AtOnce(word, ways.is_open), |checker| checker.block(body))?);
        Some(statements)
    }

    /// Checks what only some of the threads execute, which cannot leave a loop around it.
    pub(super) fn of_some_threads(&mut self, body: &tree::Block) -> Option<Vec<Statement>> {
        self.in_context(Leaving::AtOnce("with", None), |checker| checker.block(body))
    }

    fn in_context<T>(&mut self, leaving: Leaving, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.context.leaving, leaving);
        let found = body(self);
        self.context.leaving = outer;
        found
    }

    /// Checks `break;` or `continue;`.
    pub(super) fn leave(&mut self, word: LeaveWord, span: Span) -> Option<Vec<Statement>> {
        let ways = self.context.leaving.ways().unwrap_or_default();
        let local = match word {
            LeaveWord::Break => ways.goes_on,
            LeaveWord::Continue => ways.is_open,
        };
        if let Some(local) = local {
            return Some(self.set(local, false, span));
        }
        let why = match self.context.leaving {
            Leaving::AtOnce(around, _) => WrongLeave::AtOnce(word, around),
            Leaving::Nothing | Leaving::Loop(_) => WrongLeave::NoLoop(word),
        };
        self.report(diagnostics::wrong_leave(span, &why))
    }

    /// Statements after the first of which the rest may be left out.
    pub(super) fn with_rest(&mut self, first: &tree::Statement, rest: &[tree::Statement]) -> Option<Vec<Statement>> {
        let Some(ways) = self.context.leaving.ways() else {
            // What is wrong is reported at the word.
            let (first, rest) = (self.statement(first), self.list(rest));
            return first.and(rest);
        };
        if self.context.rests == MOST_RESTS {
            return self.report(diagnostics::wrong_leave(first.span, &WrongLeave::TooMany(MOST_RESTS)));
        }
        self.context.rests += 1;
        let found = match &first.kind {
            tree::StatementKind::If { arms, otherwise: None }
                if arms.len() <= super::branches::MOST_NESTED && arms.iter().all(|(_, then)| always_leaves(then)) =>
            {
                self.begin_statement(first.span);
                let found = self.conditional(arms, Some(rest), first.span);
                self.tiles.end_statement();
                found
            }
            _ => {
                let Words { breaks, continues } = words_in(std::slice::from_ref(first));
                let left = [ways.goes_on.filter(|_| breaks), ways.is_open.filter(|_| continues)];
                let stays = left.into_iter().flatten().map(truth_of);
                let stays = stays.reduce(|left, right| Expr::binary(BinaryOp::And, left, right));
                let checked = self.statement(first);
                let rest = match stays {
                    Some(stays) => {
                        self.found.record.condition_places.push((first.span, first.span));
                        self.where_holds(stays, first.span, |checker| checker.list(rest))
                    }
                    None => self.list(rest),
                };
                let (mut checked, rest) = (checked?, rest?);
                checked.extend(rest);
                Some(checked)
            }
        };
        self.context.rests -= 1;
        found
    }

    /// Statements under a condition.
    pub(super) fn where_holds(
        &mut self,
        condition: Expr,
        span: Span,
        then: impl FnOnce(&mut Self) -> Option<Vec<Statement>>,
    ) -> Option<Vec<Statement>> {
        let mut branch = self.raiser.begin_branch();
        self.raiser.assume(&condition, false);
        self.context.conditions += 1;
        let then = then(self);
        self.context.conditions -= 1;
        self.raiser.other_branch(&mut branch);
        self.raiser.end_branch(Some(&condition), branch);
        Some(self.made(StatementKind::If { condition, then: then?, otherwise: Vec::new() }, span))
    }

    /// The size or the number that a condition compares something with.
    fn compared_with(&self, condition: &tree::Expr) -> Option<SmolStr> {
        let bound = |expr: &tree::Expr| match &expr.kind {
            tree::ExprKind::Name(name) if self.is_size(name) => Some(name.clone()),
            tree::ExprKind::Int(Some(number)) if *number > 1 => Some(number.to_string().into()),
            _ => None,
        };
        use tree::BinaryOp::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
        match &condition.kind {
            tree::ExprKind::Paren(inner) => self.compared_with(inner),
            tree::ExprKind::Chain { first, rest } => match rest.as_slice() {
                [only] if matches!(only.op, Less | LessEqual | Greater | GreaterEqual | NotEqual) => {
                    bound(&only.operand).or_else(|| bound(first))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Checks `while c max n { }`: a loop of at most `n` iterations, each of which begins with `if c { … } else { break; }`.
    pub(super) fn while_loop(
        &mut self,
        condition: &tree::Expr,
        most: Option<&tree::Expr>,
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        self.found.record.condition_places.push((span, condition.span));
        let bound = match most {
            Some(most) => self.integer(most, &Expected::Integer),
            None => {
                let bound = self.compared_with(condition);
                self.report(diagnostics::unbounded_while(condition.span, bound.as_deref()))
            }
        };
        let around = self.before_loop();
        let looped = Repeated { counter: Counter::While(condition), body, span };
        self.repeated(&looped, bound.map(|bound| [Expr::int(0), bound]), around, Vec::new())
    }
}

fn truth_of(local: Local) -> Expr {
    Expr { kind: ExprKind::Local(local), element: ElementType::Bool }
}

/// Which words leave the loop whose body statements belong to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    pub(super) breaks: bool,
    pub(super) continues: bool,
}

/// The words that leave the loop around statements: not those of loops within.
pub(super) fn words_in(statements: &[tree::Statement]) -> Words {
    let mut words = Words::default();
    let mut open: Vec<&tree::Statement> = statements.iter().collect();
    while let Some(statement) = open.pop() {
        match &statement.kind {
            tree::StatementKind::Leave(LeaveWord::Break) => words.breaks = true,
            tree::StatementKind::Leave(LeaveWord::Continue) => words.continues = true,
            tree::StatementKind::If { .. } => open.extend(statement.bodies().flat_map(|body| &body.statements)),
            _ => {}
        }
    }
    words
}

/// The first statement that may leave the loop around it before others.
pub(super) fn first_to_leave(statements: &[tree::Statement]) -> Option<usize> {
    let before_others = statements.split_last().map_or(&[][..], |(_, others)| others);
    before_others.iter().position(|statement| {
        let Words { breaks, continues } = words_in(std::slice::from_ref(statement));
        breaks || continues
    })
}

/// Whether a block ends with leaving the loop around it, whichever way it takes.
fn always_leaves(block: &tree::Block) -> bool {
    match block.statements.last().map(|last| &last.kind) {
        Some(tree::StatementKind::Leave(_)) => true,
        Some(tree::StatementKind::If { arms, otherwise: Some(otherwise) }) => {
            arms.iter().all(|(_, then)| always_leaves(then)) && always_leaves(otherwise)
        }
        _ => false,
    }
}
