//! Splits the loop over the threads of a block into two loops, over the digits of their ids.

use dims::CompareOp;
use std::collections::BTreeSet;
use std::ops::Range;

use kernel::loops::{List, Node, Step, StepKind};
use kernel::typed::BinaryOp;
use rustc_hash::FxHashSet;

use super::counted::Loop;
use super::emitter::Emitter;
use crate::cpu::indices::form::{Atom, Digit, Digits};
use crate::cpu::indices::forms::Forms;
use crate::cpu::indices::shape::{Comparison, Condition, condition};
use crate::cpu::plan::{Counted, LoopKind, Plan, cheapest_plan, scalar_cost};
use crate::cpu::program::walk;

/// The most splits that are tried.
const MOST_SPLITS: usize = 4;

/// Two loops over the digits of the threads' ids.
pub struct Split {
    digits: Digits,
    /// The ranges of both digits, the high one first.
    ranges: [Range<i64>; 2],
    /// The digit of the inner loop.
    inner: Digit,
    /// The plan of that loop, if it is vectorised.
    plan: Option<Plan>,
    /// The estimated cost of one thread.
    pub cost: f64,
}

/// Threads whose ids have one remainder, and what they do.
pub struct EveryNth<'l> {
    digits: Digits,
    rows: Range<i64>,
    remainder: i64,
    body: &'l List,
}

impl<'l> Emitter<'l, '_> {
    /// The cheapest split of the ids for these statements, unless a single loop is cheaper.
    pub fn split_of(&mut self, body: &'l List) -> Option<Split> {
        let threads = self.kernel.launch.threads.as_constant().filter(|_| self.splits && !self.plain)?;
        let members = self.members.clone().unwrap_or(0..threads);
        let divisors = self.forms.divisors(body, threads);
        if divisors.is_empty() {
            return None;
        }
        let whole = self.threads_plan(body);
        let one_by_one = scalar_cost(&mut self.forms, body);
        let mut least = whole.as_ref().map_or(0.8 * one_by_one, |plan| plan.cost);
        // A single vectorised loop tests its guards for each group, so a split may cost slightly more.
        let mut share = 1.01;
        let mut best = None;
        for low in divisors {
            let Some(ranges) = rectangle(&members, low) else { continue };
            let digits = Digits { low, high: threads / low };
            if best.is_none() && whole.is_none() {
                // Even without vectors, digits as counters save their computation.
                best = Some(Split { digits, ranges: ranges.clone(), inner: Digit::Low, plan: None, cost: one_by_one });
            }
            self.forms.split(digits);
            for inner in [Digit::Low, Digit::High] {
                let counter = self.forms.id(Atom::Digit(inner));
                let Range { start, end } = ranges[inner as usize];
                let (start, count) = (Some(start), Some(end - start));
                let counted = Counted { counter, start, count, kind: LoopKind::Threads };
                let plan = cheapest_plan(&mut self.forms, counted, body);
                if let Some(plan) = plan.filter(|plan| self.forms.options.prefers(plan.cost, least, share)) {
                    let cost = plan.cost;
                    (least, share) = (cost, 0.99);
                    best = Some(Split { digits, ranges: ranges.clone(), inner, plan: Some(plan), cost });
                }
            }
            self.forms.unsplit();
        }
        best
    }

    /// The threads that alone do something, if their ids have one remainder.
    pub fn every_nth(&mut self, body: &'l List) -> Option<EveryNth<'l>> {
        let threads = self.kernel.launch.threads.as_constant()?;
        let [Step { kind: StepKind::Branch { condition: asked, then, otherwise }, after, .. }] = body.steps.as_slice()
        else {
            return None;
        };
        let is_seen_later = after.iter().any(|(_, merge)| self.program.is_needed(*merge));
        let Condition::Compare(Comparison { left, operator: CompareOp::Eq, right }) =
            condition(&mut self.forms, *asked, true)
        else {
            return None;
        };
        let thread = self.thread_atom();
        let [(atom, step)] = left.terms.as_slice() else { return None };
        let Atom::Remainder(of, low) = self.forms.atom(*atom) else { return None };
        let is_thread = matches!(of.terms.as_slice(), [(atom, step)] if *atom == thread && step.is(1));
        let low = low.as_constant().filter(|low| *low > 1 && threads % low == 0)?;
        let remainder = right.constant.as_constant().filter(|own| right.terms.is_empty() && (0..low).contains(own))?;
        let is_plain = is_thread && step.is(1) && of.constant.is(0) && left.constant.is(0);
        let members = self.members.clone().unwrap_or(0..threads);
        let row_from = |id: i64| (id - remainder + low - 1).div_euclid(low);
        let rows = row_from(members.start)..row_from(members.end);
        let digits = Digits { low, high: threads / low };
        (is_plain && otherwise.steps.is_empty() && !is_seen_later && !self.plain).then_some(EveryNth {
            digits,
            rows,
            remainder,
            body: then,
        })
    }

    /// Runs what such threads do.
    pub fn threads_of_every_nth(&mut self, EveryNth { digits, rows, remainder, body }: EveryNth<'l>) {
        self.enter_digits(digits, &[rows.clone(), remainder..remainder + 1]);
        let atom = self.forms.id(Atom::Digit(Digit::High));
        let trips = (rows.end - rows.start).max(0);
        let counted = Counted { counter: atom, start: Some(rows.start), count: Some(trips), kind: LoopKind::Threads };
        let one_by_one = scalar_cost(&mut self.forms, body);
        let plan = cheapest_plan(&mut self.forms, counted, body);
        let plan = plan.filter(|plan| self.forms.options.prefers(plan.cost, one_by_one, 0.8));
        let (low, high) = (self.int(rows.start), self.int(rows.end));
        self.counted_loop(&Loop { atom, low, high, trips: Some(trips), body }, plan);
        self.forms.unsplit();
    }

    /// Runs the statements for every thread, digit by digit.
    pub fn threads_by_digits(&mut self, split: Split, body: &'l List) {
        let Split { digits, ranges, inner, plan, .. } = split;
        let outer = inner.other();
        self.forms.split(digits);
        let [outer_atom, atom] = [outer, inner].map(|digit| self.forms.id(Atom::Digit(digit)));
        let outer_counter = self.counter(outer_atom);
        let [outer, inner] = [outer, inner].map(|digit| ranges[digit as usize].clone());
        let (low, high) = (self.int(outer.start), self.int(outer.end));
        self.nest.push(outer_atom);
        self.count(outer_counter, low, high, |emitter| {
            let (low, high) = (emitter.int(inner.start), emitter.int(inner.end));
            let trips = Some(inner.end - inner.start);
            emitter.counted_loop(&Loop { atom, low, high, trips, body }, plan);
        });
        self.nest.pop();
        self.forms.unsplit();
    }
}

impl Forms<'_> {
    /// The divisors of ids in a body that divide the number of threads, ascending.
    pub fn divisors(&self, body: &List, threads: i64) -> Vec<i64> {
        let (mut open, mut seen, mut found) = (Vec::new(), FxHashSet::default(), BTreeSet::new());
        walk(body, &mut |step| {
            open.extend(step.kind.values());
            if let Some(access) = step.kind.written() {
                open.extend(self.program.place(access));
            }
        });
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.node(id) {
                Node::Load(access) => open.extend(self.program.place(*access)),
                node => {
                    if let Node::Binary(BinaryOp::FloorDivide | BinaryOp::FloorRemainder, _, right) = node {
                        let divisor = self.program.constant(*right);
                        found.extend(divisor.filter(|by| (2..threads).contains(by) && threads % by == 0));
                    }
                    open.extend(node.operands());
                }
            }
        }
        found.into_iter().take(MOST_SPLITS).collect()
    }
}

/// The ranges of the digits for a range of ids, if it contains every pair of digits.
pub fn rectangle(ids: &Range<i64>, low: i64) -> Option<[Range<i64>; 2]> {
    if ids.start % low == 0 && ids.end % low == 0 {
        return Some([ids.start / low..ids.end / low, 0..low]);
    }
    let row = ids.start / low;
    let first = row * low;
    (ids.end <= first + low).then(|| [row..row + 1, ids.start - first..ids.end - first])
}
