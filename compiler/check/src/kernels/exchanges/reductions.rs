//! Values of the threads of a collective that become one, or one for each thread and those before it.
//!
//! Within a warp neighbours come first: each lane joins what it has with what the lane has whose number differs in the lowest
//! bit, then in the next one. So all lanes have the same, and a lane whose bit is set knows what stands before it. The warps
//! of a collective pass their results through a shared array, and each thread joins them in ascending order.

use smol_str::SmolStr;

use super::super::checker::Checker;
use super::super::free_type::Origin;
use super::collectives::Over;
use super::words::{OVER, Reduction};
use crate::diagnostics::{self, Actual, Expected};
use elements::ElementType;
use kernel::collectives::Members;
use kernel::typed::{
    BinaryOp, Combination, Constant, Expr, ExprKind, Lane, Lanes, Local, SharedId, Shuffle, StatementKind, Taken,
    Together, UnaryOp,
};
use maps::hardware::WARP_LANES;
use syntax::span::Span;
use syntax::tree::Argument;

/// What a lane has once its warp is done: what all of its lanes have together, and its own with those before it.
struct InWarp {
    total: Expr,
    before: Option<Expr>,
}

impl Checker<'_> {
    /// `sum(v, over: w)`, `cumsum(v, over: w)`
    pub(super) fn reduction_of_threads(
        &mut self,
        reduction: Reduction,
        function: &str,
        args: &[Argument],
        span: Span,
    ) -> Option<Expr> {
        let (positional, named) = self.split_named(function, args, &[OVER])?;
        if let ([_, threads], true) = (positional, positional.len() == args.len()) {
            return self.report(diagnostics::threads_without_name(threads.value.span));
        }
        let [argument] = positional else {
            let parameters = ["value", "over: threads"];
            return self.report(diagnostics::fixed_argument_count(span, function, &parameters, args.len()));
        };
        let value = match reduction.of_truths() {
            true => self.vote_of(argument).map(|vote| (vote, Origin::Own)),
            false => self.number(argument),
        };
        let over = self.over(function, &named, span);
        let ((value, origin), over) = (value?, over?);
        let received = self.received_of(reduction, value, &over, span)?;
        if let ExprKind::Local(local) = received.kind {
            self.free_types.receive(local, origin);
        }
        Some(received)
    }

    /// What each of some threads gets of the values of all.
    fn received_of(&mut self, reduction: Reduction, value: Expr, over: &Over, span: Span) -> Option<Expr> {
        let value = self.computed_in("value", value, span);
        let (lanes, bits) = match &over.members {
            Members::Lanes { lanes, bits } => (lanes.clone(), bits.clone()),
            Members::Warps { .. } => {
                let Members::Lanes { lanes, bits } = Members::of_warp() else { return None };
                (lanes, bits)
            }
            Members::Other(_) => return None,
        };
        let in_warp = match reduction.of_truths() {
            true => InWarp { total: self.of_votes(reduction, value, over.together, lanes, span), before: None },
            false => self.in_warp(reduction, value, over.together, &lanes, &bits, span),
        };
        match &over.members {
            Members::Warps { .. } => self.of_warps(reduction, in_warp, over, span),
            _ => Some(in_warp.before.unwrap_or(in_warp.total)),
        }
    }

    fn number(&mut self, argument: &Argument) -> Option<(Expr, Origin)> {
        let at = argument.value.span;
        let value = self.operand(&argument.value)?;
        let (value, origin) = self.value_for_others(value, at)?;
        match value.element {
            element if !element.computes() => self.report(diagnostics::stored_only(at, element, &[])),
            ElementType::Bool => {
                self.report(diagnostics::type_mismatch(at, &Expected::Number, &Actual::Type(ElementType::Bool)))
            }
            _ => Some((value, origin)),
        }
    }

    /// Whether any of some lanes, or all, have a true value.
    fn of_votes(&mut self, reduction: Reduction, value: Expr, together: Together, lanes: Lanes, span: Span) -> Expr {
        let none = Expr::constant(Constant::Int(0), ElementType::U32);
        let is_all = matches!(reduction.join, Combination::Operator(BinaryOp::And));
        let (voted, op) = match is_all {
            // All have one where nobody has none.
            true => (Expr::unary(UnaryOp::Not, value), BinaryOp::Equal),
            false => (value, BinaryOp::NotEqual),
        };
        let votes = self.votes(voted, together, lanes, span);
        self.computed_in(if is_all { "all" } else { "any" }, Expr::binary(op, votes, none), span)
    }

    /// Joins the values of the lanes of a warp that differ in some bits of their numbers.
    fn in_warp(
        &mut self,
        reduction: Reduction,
        value: Expr,
        together: Together,
        lanes: &Lanes,
        bits: &[u32],
        span: Span,
    ) -> InWarp {
        let element = value.element;
        let (mut total, mut before) = (value.clone(), reduction.is_scan.then_some(value));
        for bit in bits {
            let number = Expr::int(i64::from(*bit));
            let local = self.taken_in("other", element);
            let taken = Taken::Lane { lane: Lane::Xor, number: number.clone() };
            let shuffle = Shuffle { local, value: total.clone(), taken, together, lanes: lanes.clone() };
            self.pass(shuffle, span);
            let other = Expr { kind: ExprKind::Local(local), element };
            if let Some(own) = before.take() {
                let bit = Expr::binary(BinaryOp::BitAnd, Expr::thread_id(), number);
                let is_behind = Expr::binary(BinaryOp::NotEqual, bit, Expr::int(0));
                let joined = reduction.join.apply(other.clone(), own.clone());
                before = Some(self.computed_in("up_to", choice(is_behind, joined, own), span));
            }
            total = self.computed_in("joined", reduction.join.apply(total, other), span);
        }
        InWarp { total, before }
    }

    /// Joins the results of the warps of a collective.
    fn of_warps(&mut self, reduction: Reduction, in_warp: InWarp, over: &Over, span: Span) -> Option<Expr> {
        let Members::Warps { count, instance, instances, rank } = &over.members else { return None };
        let InWarp { total, before } = in_warp;
        let element = total.element;
        let array = self.exchange_array(element, over.scope(), instances * count, span)?;
        let base = match instance.kind {
            ExprKind::Constant(Constant::Int(0)) => None,
            _ => Some(Expr::binary(BinaryOp::Multiply, instance.clone(), Expr::int(*count))),
        };
        let at = |place: Expr| match &base {
            Some(base) => Expr::binary(BinaryOp::Add, base.clone(), place),
            None => place,
        };
        self.give_of_warp(total, array, at(rank.clone()), span)?;
        let Some(own) = before else { return self.of_all_warps(reduction.join, array, *count, &at, span) };
        let first = self.given(array, at(Expr::int(0)), span)?;
        let counter = self.new_local(&SmolStr::new_static("warp"), ElementType::I64, false);
        let next = self.given(array, at(Expr { kind: ExprKind::Local(counter), element: ElementType::I64 }), span)?;
        let joined = self.joined_up_to(reduction.join, (first, next), (counter, rank.clone()), span);
        let is_behind = Expr::binary(BinaryOp::Greater, rank.clone(), Expr::int(0));
        let with_others = reduction.join.apply(joined, own.clone());
        Some(self.computed_in("up_to", choice(is_behind, with_others, own), span))
    }

    /// What all warps of a collective wrote, joined in turn.
    fn of_all_warps(
        &mut self,
        join: Combination,
        array: SharedId,
        count: i64,
        at: &dyn Fn(Expr) -> Expr,
        span: Span,
    ) -> Option<Expr> {
        let mut all = self.given(array, at(Expr::int(0)), span)?;
        for warp in 1..count {
            let next = self.given(array, at(Expr::int(warp)), span)?;
            all = join.apply(all, next);
        }
        Some(self.computed_in("of_warps", all, span))
    }

    /// Has the first lane of each warp write what its warp has.
    fn give_of_warp(&mut self, total: Expr, array: SharedId, place: Expr, span: Span) -> Option<()> {
        let access = self.element_access(array, vec![place], span)?;
        let then = self.made(StatementKind::Store { access, value: total, is_async: false }, span);
        let lane = Expr::binary(BinaryOp::FloorRemainder, Expr::thread_id(), Expr::int(WARP_LANES));
        let condition = Expr::binary(BinaryOp::Equal, lane, Expr::int(0));
        let made = self.made(StatementKind::If { condition, then, otherwise: Vec::new() }, span);
        self.tiles.add_before(made);
        Some(())
    }

    /// What a warp wrote.
    fn given(&mut self, array: SharedId, place: Expr, span: Span) -> Option<Expr> {
        let access = self.element_access(array, vec![place], span)?;
        let element = self.memories.element_of(access.memory)?;
        Some(Expr { kind: ExprKind::Load(Box::new(access)), element })
    }

    /// The first value, joined in turn with those of the counter from 1 up to before `end`.
    fn joined_up_to(
        &mut self,
        join: Combination,
        (first, next): (Expr, Expr),
        (counter, end): (Local, Expr),
        span: Span,
    ) -> Expr {
        let element = first.element;
        let local = self.new_local(&SmolStr::new_static("of_warps"), element, true);
        let current = Expr { kind: ExprKind::Local(local), element };
        let begin = self.made(StatementKind::Assign { local, value: first }, span);
        let body = self.made(StatementKind::Assign { local, value: join.apply(current.clone(), next) }, span);
        let repeat = self.made(StatementKind::For { local: counter, low: Expr::int(1), high: end, body }, span);
        self.tiles.add_before(begin.into_iter().chain(repeat));
        self.raiser.forget(local, element);
        current
    }
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let element = then.element;
    Expr { kind: ExprKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise)), element }
}
