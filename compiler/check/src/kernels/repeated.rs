//! What all sequential loops have in common: `for`, `for … step` and `while`.
//!
//! A loop is typed in one order. What its iterations keep is found on the side ([`induction`](super::induction)); then all that its body
//! assigns is unknown, its range is entered, its names are bound, what the iterations keep is stated, and the body is typed. The
//! same order is taken on the side, so that both find the same.

use super::bindings::Binding;
use super::checker::Checker;
use super::context::Ways;
use super::induction::{AtStart, Ends, assigned};
use super::leaving::{Words, words_in};
use super::looped::{BeforeLoop, Counter, Repeated};
use super::operand::as_size;
use dims::Sym;
use elements::ElementType;
use kernel::raise::{Kept, LoopRange, MOST_HALVINGS};
use kernel::typed::{Expr, IteratorRange, Local, LocalVariable, Memory, Statement, StatementKind};
use syntax::tree::{self, LeaveWord};

/// A loop that is entered: what counts its iterations, from where to where if that is known, and what leaves it.
struct Entered {
    counter: Local,
    ends: Option<Ends>,
    ways: Ways,
}

impl<'db> Checker<'db> {
    /// What holds before a loop, and before what is declared for it alone.
    pub(super) fn before_loop(&mut self) -> BeforeLoop {
        BeforeLoop { bound: self.bindings.len(), scope: self.raiser.begin_scope(), held: self.raiser.held() }
    }

    /// Checks a loop over a range, or with an invalid one; `statements` are those before it.
    pub(super) fn repeated(
        &mut self,
        looped: &Repeated<'_>,
        mut range: Option<[Expr; 2]>,
        BeforeLoop { bound, scope, held }: BeforeLoop,
        mut statements: Vec<Statement>,
    ) -> Option<Vec<Statement>> {
        let Repeated { counter, body, span } = looped;
        let words = words_in(&body.statements);
        // An iteration of `while` whose condition does not hold leaves the loop.
        let words = Words { breaks: words.breaks || matches!(counter, Counter::While(_)), ..words };
        let ends = self.ends_of(range.as_ref());
        let ways = self.ways(words, *span, &mut statements);
        let local = self.new_local(&counter.name(), ElementType::I64, false);
        let mut entered = Entered { counter: local, ends, ways };
        let mut kept = self.kept_in(looped, &entered);
        // What is halved or doubled in each iteration is known at all of them, if there are no more than it has bits.
        if matches!(counter, Counter::While(_))
            && kept.iter().any(|kept| kept.ends_by_halving)
            && let Some(fewer) = range.as_ref().and_then(|[_, high]| self.within_halvings(high))
        {
            range = range.map(|[low, _]| [low, fewer]);
            entered.ends = self.ends_of(range.as_ref());
            kept = self.kept_in(looped, &entered);
        }
        let iteration = self.iteration(looped, &entered, &kept);
        self.raiser.leave(held);
        self.raiser.end_scope(scope);
        self.unbind(bound);
        self.forget_assigned(body);
        self.forget_ways(ways);
        self.hold_behind(&kept);
        let ([low, high], body) = (range?, iteration?);
        statements.extend(self.made(StatementKind::For { local, low, high, body }, *span));
        Some(statements)
    }

    fn ends_of(&mut self, range: Option<&[Expr; 2]>) -> Option<Ends> {
        range.map(|range| range.each_ref().map(|end| (as_size(end), self.raiser.value(end))))
    }

    /// What the iterations of a loop keep.
    fn kept_in(&mut self, looped: &Repeated<'_>, entered: &Entered) -> Vec<Kept> {
        let Some(ends) = entered.ends.clone() else { return Vec::new() };
        self.kept_by(looped.body, entered.ways, |aside| {
            Some((entered.counter, ends, aside.iteration(looped, entered, &[])?))
        })
    }

    /// The bound of a `while` loop that ends after [`MOST_HALVINGS`] iterations in any case, if it is another one.
    fn within_halvings(&self, bound: &Expr) -> Option<Expr> {
        let (bound, most) = (as_size(bound)?, Sym::constant(MOST_HALVINGS));
        let fewer = bound.checked_min(&most, &self.evaluator.facts).ok()?;
        (fewer != bound).then(|| Expr::size(&fewer))
    }

    /// The statements of each iteration.
    fn iteration(&mut self, looped: &Repeated<'_>, entered: &Entered, kept: &[Kept]) -> Option<Vec<Statement>> {
        let Repeated { counter, body, span } = looped;
        self.forget_assigned(body);
        self.forget_ways(entered.ways);
        if let Some(ends) = entered.ends.clone() {
            self.enter_loop(entered.counter, ends);
        }
        let (iterator, mut statements) = self.bind_counter(counter, entered);
        let is_progression = matches!(counter, Counter::Progression { .. });
        self.context.iterators.push(iterator);
        self.context.numbers.extend(is_progression.then_some(entered.counter));
        // What is known at the beginning stands where the loop goes on, so that a variable of a loop that was left keeps its value.
        let known = entered.ends.as_ref().map(|ends| AtStart { kept, iterator: entered.counter, low: ends[0].1 });
        let inner = self.in_loop(entered.ways, *span, |checker| {
            let mut statements = known.map_or_else(Vec::new, |known| checker.hold_at_start(known, *span));
            statements.extend(checker.body_of_loop(looped)?);
            Some(statements)
        });
        if is_progression {
            self.context.numbers.pop();
        }
        self.context.iterators.pop();
        statements.extend(inner?);
        Some(statements)
    }

    fn body_of_loop(&mut self, Repeated { counter, body, span }: &Repeated<'_>) -> Option<Vec<Statement>> {
        let Counter::While(condition) = counter else { return self.block(body) };
        let ending = [tree::Statement { kind: tree::StatementKind::Leave(LeaveWord::Break), span: condition.span }];
        self.conditional_of(&[(*condition, *body)], Some(ending.as_slice()), *span)
    }

    /// Binds the name of an iterator. Gives the iterator, and the statements that give it its value.
    fn bind_counter(&mut self, counter: &Counter<'_>, entered: &Entered) -> (Local, Vec<Statement>) {
        match counter {
            Counter::Named(name) => {
                // With an invalid range, uses of the iterator would only repeat the error.
                let is_known = entered.ends.is_some();
                let binding = if is_known { Binding::Local(entered.counter) } else { Binding::Broken };
                self.note_meaning(name, &binding);
                self.bind(name, binding);
                (entered.counter, Vec::new())
            }
            Counter::Progression { name, steps, ends } => self.in_progression(entered.counter, name, steps, *ends),
            Counter::While(_) => (entered.counter, Vec::new()),
        }
    }

    /// Makes the variables unknown that a body assigns, since an earlier iteration may have assigned them.
    fn forget_assigned(&mut self, body: &tree::Block) {
        for name in assigned(body) {
            if let Some(&Binding::Local(local)) = self.binding(name)
                && let Some(LocalVariable { element, mutable: true, .. }) = self.locals.get(local)
            {
                self.raiser.forget(local, *element);
            }
            if let Some(Binding::Tile(tile)) = self.binding(name)
                && let Some(array) = tile.array()
            {
                self.raiser.know_contents(Memory::Shared(array), None);
            }
        }
    }

    /// Enters a loop, and notes the range of its iterator.
    fn enter_loop(&mut self, local: Local, ends: Ends) {
        self.raiser.learn(&self.evaluator.facts);
        let range = self.raiser.begin_iterations(local, ends);
        if let Some(LoopRange { low, extent: Some(extent), .. }) = range
            && let Some(variable) = self.locals.get_mut(local)
        {
            variable.range = Some(IteratorRange { low, extent });
        }
    }
}
