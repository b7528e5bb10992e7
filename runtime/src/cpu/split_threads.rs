//! The loop over the threads of a block as two loops, over the digits of their ids.

use std::collections::BTreeSet;
use std::ops::Range;

use kernel::typed::{BinaryOp, Constant, ExprKind, Statement};

use super::digits::Digits;
use super::emitter::Emitter;
use super::forms::{Atom, Digit};
use super::plan::{LoopKind, Plan, cheapest_plan, scalar_cost};
use super::region::Loop;

/// How many ways to split the ids are tried.
const MOST_SPLITS: usize = 4;

/// Two loops over the digits of the threads' ids.
pub struct Split<'k> {
    digits: Digits,
    /// The values of both digits, the high one first.
    ranges: [Range<i64>; 2],
    /// The digit of the inner loop.
    inner: Digit,
    /// How that loop runs in lanes; `None`: one thread after the other.
    plan: Option<Plan<'k>>,
    /// The estimated cost of one thread.
    pub cost: f64,
}

impl<'k> Emitter<'k, '_> {
    /// The way to split the ids in which the statements cost least, unless that is not to split them.
    pub fn split_of(&mut self, body: &'k [Statement]) -> Option<Split<'k>> {
        let threads = self.kernel.launch.threads.as_constant().filter(|_| self.splits && !self.plain)?;
        let members = self.members.clone().unwrap_or(0..threads);
        let divisors = divisors(body, threads);
        if divisors.is_empty() {
            return None;
        }
        let whole = self.threads_plan(body);
        let one_by_one = scalar_cost(&mut self.forms, body);
        let mut least = whole.as_ref().map_or(0.8 * one_by_one, |plan| plan.cost);
        // The guards of a whole loop are tested again and again, so that a split may cost as much.
        let mut share = 1.01;
        let mut best = None;
        for low in divisors {
            let Some(ranges) = rectangle(&members, low) else { continue };
            let digits = Digits { low, high: threads / low };
            if best.is_none() && whole.is_none() {
                // Even one by one, the digits need not be computed.
                best = Some(Split { digits, ranges: ranges.clone(), inner: Digit::Low, plan: None, cost: one_by_one });
            }
            self.forms.split(digits);
            for inner in [Digit::Low, Digit::High] {
                let atom = self.forms.id(Atom::Digit(inner));
                let Range { start, end } = ranges[inner as usize];
                let plan = cheapest_plan(&mut self.forms, atom, Some(end - start), LoopKind::Threads, body);
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

    /// Runs the statements for every thread, digit by digit.
    pub fn threads_by_digits(&mut self, split: Split<'k>, body: &'k [Statement]) {
        let Split { digits, ranges, inner, plan, .. } = split;
        let outer = if inner == Digit::Low { Digit::High } else { Digit::Low };
        self.forms.split(digits);
        let [outer_atom, atom] = [outer, inner].map(|digit| self.forms.id(Atom::Digit(digit)));
        let [outer_counter, counter] = [outer, inner].map(|digit| self.digits[digit as usize]);
        let [outer, inner] = [outer, inner].map(|digit| ranges[digit as usize].clone());
        let (low, high) = (self.int(outer.start), self.int(outer.end));
        self.nest.push(outer_atom);
        self.count(outer_counter, low, high, |emitter| {
            let (low, high) = (emitter.int(inner.start), emitter.int(inner.end));
            let trips = Some(inner.end - inner.start);
            emitter.region(&Loop { counter, atom, low, high, trips, body, fresh: true }, plan);
        });
        self.nest.pop();
        self.forms.unsplit();
    }
}

/// The ranges of the digits of a range of ids, where every pair of digits is one of them.
fn rectangle(ids: &Range<i64>, low: i64) -> Option<[Range<i64>; 2]> {
    if ids.start % low == 0 && ids.end % low == 0 {
        return Some([ids.start / low..ids.end / low, 0..low]);
    }
    let row = ids.start / low;
    let first = row * low;
    (ids.end <= first + low).then(|| [row..row + 1, ids.start - first..ids.end - first])
}

/// The numbers by which statements divide indices and which divide the number of threads, the smallest ones.
fn divisors(body: &[Statement], threads: i64) -> Vec<i64> {
    let mut found = BTreeSet::new();
    Statement::walk_expressions(body, &mut |expr| {
        if let ExprKind::Binary(BinaryOp::FloorDivide | BinaryOp::FloorRemainder, _, right) = &expr.kind
            && let ExprKind::Constant(Constant::Int(divisor)) = right.kind
            && (2..threads).contains(&divisor)
            && threads % divisor == 0
        {
            found.insert(divisor);
        }
    });
    found.into_iter().take(MOST_SPLITS).collect()
}
