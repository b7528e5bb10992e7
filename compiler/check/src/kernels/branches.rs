//! `if` statements.
//!
//! In a typed kernel each `else if` is nested in the previous `else`, and each arm assumes that no earlier condition
//! holds. To limit the nesting depth and the number of assumptions, a long chain becomes several statements, each for
//! some of the arms, and a variable that says that no arm has been chosen yet:
//!
//! ```text
//! let mut none_chosen = true;
//! if none_chosen { if a { none_chosen = false; … } else if b { none_chosen = false; … } }
//! if none_chosen { if c { … } else { … } }
//! ```

use elements::ElementType;
use kernel::typed::{Constant, Expr, ExprKind, Local, Statement, StatementKind};
use syntax::span::Span;
use syntax::tree;

use super::checker::Checker;

/// The most nested arms of one `if`.
pub(super) const MOST_NESTED: usize = 64;

/// An arm: its condition and its block.
type Arm<'t> = (&'t tree::Expr, &'t tree::Block);

/// The common parts of a nest of arms.
#[derive(Clone, Copy)]
struct Nest<'t> {
    /// The statements of the final `else`.
    otherwise: Option<&'t [tree::Statement]>,
    /// The variable that is cleared when an arm is chosen.
    none_chosen: Option<Local>,
    /// The span of the whole statement.
    span: Span,
}

impl Checker<'_> {
    /// Checks an `if` with all its arms.
    pub(super) fn conditional(
        &mut self,
        arms: &[(tree::Expr, tree::Block)],
        otherwise: Option<&[tree::Statement]>,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let arms: Vec<Arm<'_>> = arms.iter().map(|(condition, then)| (condition, then)).collect();
        self.conditional_of(&arms, otherwise, span)
    }

    /// Checks an `if` with these arms.
    pub(super) fn conditional_of(
        &mut self,
        arms: &[Arm<'_>],
        otherwise: Option<&[tree::Statement]>,
        span: Span,
    ) -> Option<Vec<Statement>> {
        if arms.len() <= MOST_NESTED {
            return self.nested(arms, Nest { otherwise, none_chosen: None, span });
        }
        let none_chosen = self.new_local(&"none_chosen".into(), ElementType::Bool, true);
        let mut statements = self.set(none_chosen, true, span);
        let mut rest = arms;
        let mut is_sound = true;
        while !rest.is_empty() {
            let (nested, after) = rest.split_at(rest.len().min(MOST_NESTED));
            let is_last = after.is_empty();
            let nest =
                Nest { otherwise: otherwise.filter(|_| is_last), none_chosen: (!is_last).then_some(none_chosen), span };
            match self.where_none_is_chosen(none_chosen, nested, nest) {
                Some(made) => statements.extend(made),
                None => is_sound = false,
            }
            rest = after;
        }
        is_sound.then_some(statements)
    }

    /// Some arms of a chain, executed only if no earlier arm was chosen.
    fn where_none_is_chosen(&mut self, none_chosen: Local, arms: &[Arm<'_>], nest: Nest<'_>) -> Option<Vec<Statement>> {
        let condition = Expr { kind: ExprKind::Local(none_chosen), element: ElementType::Bool };
        self.where_holds(condition, nest.span, |checker| checker.nested(arms, nest))
    }

    /// Nested arms.
    fn nested(&mut self, arms: &[Arm<'_>], nest: Nest<'_>) -> Option<Vec<Statement>> {
        let Some((arm, rest)) = arms.split_first() else {
            return match nest.otherwise {
                Some(statements) => self.list(statements),
                None => Some(Vec::new()),
            };
        };
        self.context.conditions += 1;
        let statements = self.arm(arm, rest, nest);
        self.context.conditions -= 1;
        statements
    }

    fn arm(&mut self, (condition, then): &Arm<'_>, rest: &[Arm<'_>], nest: Nest<'_>) -> Option<Vec<Statement>> {
        let (mut needed, checked) = self.with_tiles(|checker| checker.condition(condition));
        self.found.record.condition_places.push((nest.span, condition.span));
        let mut branch = self.raiser.begin_branch();
        if let Some(checked) = &checked {
            self.raiser.assume(checked, false);
        }
        let mut statements = nest.none_chosen.map_or(Vec::new(), |local| self.set(local, false, nest.span));
        let block = self.block(then);
        self.raiser.other_branch(&mut branch);
        if let Some(checked) = &checked {
            self.raiser.assume(checked, true);
        }
        let otherwise = self.nested(rest, nest);
        self.raiser.end_branch(checked.as_ref(), branch);
        statements.extend(block?);
        let kind = StatementKind::If { condition: checked?, then: statements, otherwise: otherwise? };
        needed.extend(self.made(kind, nest.span));
        Some(needed)
    }

    /// Assigns a Boolean constant to a variable.
    pub(super) fn set(&mut self, local: Local, value: bool, span: Span) -> Vec<Statement> {
        let value = Expr::constant(Constant::Bool(value), ElementType::Bool);
        self.raiser.assign(local, &value);
        self.made(StatementKind::Assign { local, value }, span)
    }
}
