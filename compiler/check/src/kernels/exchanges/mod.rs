//! Values that threads give to each other: `shuffle(v, lane)`, `ballot(c)`, `sum(v, over: warp)`, `cumsum(v, over: block)`.
//!
//! What threads exchange happens before the statement that says it, so that it does not depend on what the statement
//! evaluates. A function over the threads of a collective is made of shuffles within each warp, and of an array that the warps
//! share; `kernel::effects` sees that all threads come, and puts barriers where the warps wait for each other.

mod array;
mod arrays;
mod collectives;
mod reductions;
mod words;

use smol_str::SmolStr;

use super::checker::Checker;
use super::operand::Operand;
use crate::diagnostics::{self, Actual, Expected, WrongExchange};
use elements::ElementType;
use kernel::typed::{Constant, Expr, ExprKind, Lane, Lanes, Local, Shuffle, StatementKind, Taken, Together, VOTES};
use maps::hardware::WARP_LANES;
use syntax::span::Span;
use syntax::tree::Argument;

pub(super) use array::ExchangeArray;
pub(super) use collectives::threads_in_words;
pub(crate) use collectives::unit_together;
pub use words::{EXCHANGES, OVER};
pub(super) use words::{Exchange, exchange, of_lanes_elsewhere};

impl Checker<'_> {
    /// Checks a call by which threads exchange values.
    pub(super) fn exchanged(
        &mut self,
        exchange: Exchange,
        name: &str,
        args: &[Argument],
        span: Span,
    ) -> Option<Operand> {
        if self.context.of_statement.is_some() {
            return self.report(diagnostics::wrong_exchange(span, &WrongExchange::Conditional { function: name }));
        }
        if self.works_on_tiles() {
            return self.report(diagnostics::wrong_exchange(span, &WrongExchange::OfTiles { function: name }));
        }
        match exchange {
            Exchange::Shuffle(lane) => self.shuffle(lane, args, span),
            Exchange::Ballot => self.ballot(args, span),
            Exchange::Reduction(reduction) => self.reduction_of_threads(reduction, name, args, span),
        }
        .map(Operand::Typed)
    }

    /// `shuffle_up(v, 1)`
    fn shuffle(&mut self, lane: Lane, args: &[Argument], span: Span) -> Option<Expr> {
        let (positional, _) = self.split_named(lane.name(), args, &[])?;
        let [value, number] = positional else {
            let parameters = ["value", number_of(lane)];
            return self.report(diagnostics::fixed_argument_count(span, lane.name(), &parameters, positional.len()));
        };
        let given = self.operand(&value.value).and_then(|given| self.value_for_others(given, value.value.span));
        let at = number.value.span;
        let number = self.integer(&number.value, &Expected::Integer);
        let ((given, origin), number) = (given?, number?);
        if let ExprKind::Constant(Constant::Int(found)) = number.kind
            && !(0..WARP_LANES).contains(&found)
        {
            return self.report(diagnostics::wrong_exchange(at, &WrongExchange::Number { lane, found }));
        }
        self.whole_warps(lane.name(), span)?;
        let element = given.element;
        let local = self.taken_in("taken", element);
        self.free_types.receive(local, origin);
        self.pass(Shuffle::in_warp(local, given, lane, number), span);
        Some(Expr { kind: ExprKind::Local(local), element })
    }

    /// `ballot(c)`
    fn ballot(&mut self, args: &[Argument], span: Span) -> Option<Expr> {
        let (positional, _) = self.split_named(VOTES, args, &[])?;
        let [condition] = positional else {
            return self.report(diagnostics::fixed_argument_count(span, VOTES, &["condition"], positional.len()));
        };
        let value = self.vote_of(condition)?;
        self.whole_warps(VOTES, span)?;
        Some(self.votes(value, Together::Warp, Lanes::all(), span))
    }

    /// A bit for each of some lanes of which the value is true.
    fn votes(&mut self, value: Expr, together: Together, lanes: Lanes, span: Span) -> Expr {
        let local = self.taken_in("votes", ElementType::U32);
        self.pass(Shuffle { local, value, taken: Taken::Votes, together, lanes }, span);
        Expr { kind: ExprKind::Local(local), element: ElementType::U32 }
    }

    /// An argument that is a `bool`.
    fn vote_of(&mut self, argument: &Argument) -> Option<Expr> {
        let at = argument.value.span;
        let value = self.operand(&argument.value)?;
        let value = self.natural(value, at)?;
        match value.element {
            ElementType::Bool => Some(value),
            other => {
                let found = Actual::Type(other);
                self.report(diagnostics::type_mismatch(at, &Expected::Type(ElementType::Bool), &found))
            }
        }
    }

    /// Checks that there are warps, and that each has all of its lanes.
    fn whole_warps(&mut self, function: &str, span: Span) -> Option<()> {
        let threads = &self.launch.threads;
        if threads.as_constant().is_some_and(|threads| threads % WARP_LANES == 0) {
            return Some(());
        }
        if self.context.unknown_threads {
            return None;
        }
        let why = WrongExchange::Block { function, threads: &threads.clone() };
        self.report(diagnostics::wrong_exchange(span, &why))
    }

    /// Has a shuffle executed before the statement that is being read.
    fn pass(&mut self, shuffle: Shuffle, span: Span) {
        let made = self.made(StatementKind::Shuffle(Box::new(shuffle)), span);
        self.tiles.add_before(made);
    }

    /// A variable that takes what nothing is known of.
    fn taken_in(&mut self, name: &'static str, element: ElementType) -> Local {
        let local = self.new_local(&SmolStr::new_static(name), element, false);
        self.raiser.forget(local, element);
        local
    }

    /// Has a value computed before the statement that is being read.
    fn computed_in(&mut self, name: &'static str, value: Expr, span: Span) -> Expr {
        let element = value.element;
        let local = self.new_local(&SmolStr::new_static(name), element, false);
        self.raiser.declare(local, &value);
        let made = self.made(StatementKind::Assign { local, value }, span);
        self.tiles.add_before(made);
        Expr { kind: ExprKind::Local(local), element }
    }
}

/// What the number in a shuffle is called.
const fn number_of(lane: Lane) -> &'static str {
    match lane {
        Lane::At => "lane",
        Lane::Up | Lane::Down => "distance",
        Lane::Xor => "mask",
    }
}
