//! What is known of the variables that a loop assigns, at the beginning of each iteration and behind the loop.
//!
//! The body is typed twice: first on the side, with variables of which nothing is known, for the statements from which
//! [`Raiser::kept`] finds what the iterations keep; then with what was found. Loops within a body that is typed on the side
//! are typed once, so a statement is typed at most once more for each loop around it.

use smol_str::SmolStr;

use super::bindings::Binding;
use super::checker::Checker;
use super::context::Ways;
use dims::Sym;
use elements::ElementType;
use kernel::raise::{Iterated, Kept, Raiser, ValueId};
use kernel::typed::{Local, LocalVariable, Statement, StatementKind};
use syntax::span::Span;
use syntax::tree;

/// The ends of a loop's range, as sizes and as values.
pub(super) type Ends = [(Option<Sym>, ValueId); 2];

/// What is known at the beginning of each iteration of a loop.
#[derive(Clone, Copy)]
pub(super) struct AtStart<'k> {
    /// What the iterations keep.
    pub kept: &'k [Kept],
    /// The iterator, and the value from which on it counts.
    pub iterator: Local,
    pub low: ValueId,
}

impl<'db> Checker<'db> {
    /// What the iterations of a loop keep of the variables that its body assigns. `type_body` types the body on the side, as
    /// the loop will, and gives the iterator, the ends of its range and the statements.
    pub(super) fn kept_by(
        &mut self,
        body: &tree::Block,
        ways: Ways,
        type_body: impl FnOnce(&mut Checker<'db>) -> Option<(Local, Ends, Vec<Statement>)>,
    ) -> Vec<Kept> {
        let carried = self.carried(body);
        // The budget pays for the copies of what is known so far.
        let cost = self.raiser.cost_of_copy().saturating_add(self.locals.len());
        let Some(left) = self.context.copies.checked_sub(cost) else {
            return Vec::new();
        };
        if carried.is_empty() {
            return Vec::new();
        }
        self.context.copies = left;
        let mut aside = self.aside();
        let Some((iterator, ends, body)) = type_body(&mut aside) else { return Vec::new() };
        // What the loop keeps is judged by the facts about all sizes in its body, also of those that occur late in it.
        self.evaluator.learn_from(&aside.evaluator);
        self.raiser.learn(&self.evaluator.facts);
        let db = self.evaluator.db;
        let looped =
            Iterated { iterator, ends, body: &body, locals: &aside.locals, carried: &carried, goes_on: ways.goes_on };
        let mut raiser: Raiser = self.raiser.clone();
        let kept = raiser.kept(&looped, &|| db.unwind_if_revision_cancelled());
        self.raiser.rely_on_fitting(raiser.must_fit());
        kept
    }

    /// The variables of integers before a loop that its body assigns.
    fn carried(&self, body: &tree::Block) -> Vec<Local> {
        let is_number = |element: ElementType| element.is_integer() && element != ElementType::U64;
        let found = assigned(body).into_iter().filter_map(|name| match self.binding(name)? {
            Binding::Local(local) => match self.locals.get(*local)? {
                LocalVariable { element, mutable: true, .. } if is_number(*element) => Some(*local),
                _ => None,
            },
            _ => None,
        });
        found.collect()
    }

    /// Makes the variables that a body assigns what is known of them at the beginning of an iteration.
    /// Where that is known from the iterator, statements say it: `s /= 2` is no more than `s = 64 >> i` then, which barriers
    /// and vectors are judged by.
    pub(super) fn hold_at_start(&mut self, AtStart { kept, iterator, low }: AtStart<'_>, span: Span) -> Vec<Statement> {
        let mut known = Vec::new();
        for kept in kept {
            if let Some(value) = self.raiser.hold_at_start(kept, iterator, low) {
                known.extend(self.made(StatementKind::Assign { local: kept.local, value }, span));
            }
        }
        self.raiser.order_at_start(kept);
        known
    }

    /// Makes the variables that a body assigns what is known of them behind the loop.
    pub(super) fn hold_behind(&mut self, kept: &[Kept]) {
        kept.iter().for_each(|kept| self.raiser.hold_behind(kept));
        self.raiser.order_behind(kept);
    }
}

/// The names that a block assigns, including nested statements.
pub(super) fn assigned<'b>(block: &'b tree::Block) -> Vec<&'b SmolStr> {
    let target = |statement: &'b tree::Statement| match &statement.kind {
        tree::StatementKind::Assign { target: tree::Expr { kind: tree::ExprKind::Name(name), .. }, .. } => Some(name),
        _ => None,
    };
    let mut found: Vec<&SmolStr> = block.all_statements().into_iter().filter_map(target).collect();
    found.sort_unstable();
    found.dedup();
    found
}
