//! Loops: iteration by iteration where their ends are known, by remainders of the iterator where not.

use std::rc::Rc;

use super::super::steps::Step;
use super::super::values::{Value, period};
use super::together::both_alike;
use super::{MOST_IN_ALL, MOST_STATEMENTS, Simulation};
use crate::typed::{Expr, Local, Scope, Statement, StatementKind};
use syntax::span::Span;

impl<'k> Simulation<'k> {
    /// A loop.
    pub(super) fn count(&mut self, step: &Step<'k>, local: Local, (low, high): (&Expr, &Expr), threads: &[u32]) {
        let Some(level) = self.levels.last() else { return };
        let (scope, instances, divided_by) = (level.scope, level.instances.clone(), level.divided_by);
        let ends = |expr: &Expr| threads.iter().map(|&thread| self.value(expr, thread)).collect::<Vec<_>>();
        let (lows, highs) = (ends(low), ends(high));
        let known: Option<Vec<(i64, i64)>> =
            lows.iter().zip(&highs).map(|(low, high)| Some(((*low)?, (*high)?))).collect();
        let first = known.as_ref().and_then(|known| known.iter().map(|(low, _)| *low).min());
        let last = known.as_ref().and_then(|known| known.iter().map(|(_, high)| *high).max());
        let agree = self.agree(threads, &lows, &instances) && self.agree(threads, &highs, &instances);
        let alike = self.is_alike(low, threads, &instances) && self.is_alike(high, threads, &instances);
        let divided_by = divided_by.or((!(alike || known.is_some() && agree)).then_some(step.statement.span));
        let found = self.found_alike(&[low, high], threads);
        if let Some(alike) = self.alike.get_mut(local.0 as usize) {
            *alike = found;
        }
        let body = &step.lists[0];
        let cost =
            |trips: i64| trips.max(0).checked_mul(i64::try_from(step.size).ok()?)?.checked_mul(threads.len() as i64);
        if let (Some(known), Some(first), Some(last)) = (known, first, last)
            && last.checked_sub(first).and_then(cost).is_some_and(|cost| cost <= self.left)
        {
            for iteration in first..last {
                let inside = known.iter().zip(threads).filter(|((low, high), _)| (*low..*high).contains(&iteration));
                let inside: Vec<u32> = inside.map(|(_, thread)| *thread).collect();
                inside.iter().for_each(|&thread| self.set(local, thread, Value::Known(iteration)));
                self.list(body, &inside, instances.clone(), scope, divided_by);
            }
            return;
        }
        let start = lows.first().copied().flatten().filter(|_| lows.iter().all(|low| *low == lows[0]));
        self.unknown_count(step, local, start, threads, (instances, scope, divided_by));
    }

    /// A loop whose number of iterations is not known. Of the iterator only remainders are, so after twice as many
    /// iterations as there are remainders every pair of them has met, at every distance that matters: what is farther
    /// apart has all barriers of a round in between. They are counted from the first iteration before which no variable
    /// is found to differ among threads that did not differ before.
    fn unknown_count(
        &mut self,
        step: &Step<'k>,
        local: Local,
        start: Option<i64>,
        threads: &[u32],
        (instances, scope, divided_by): (Rc<[Option<u32>]>, Scope, Option<Span>),
    ) {
        let body = &step.lists[0];
        let modulus = match &step.statement.kind {
            StatementKind::For { body, .. } if start.is_some() => period(body),
            _ => 1,
        };
        // Without barriers in it, one round shows what meets: accesses do so in whatever order they come.
        let too_long = self.left < MOST_STATEMENTS - MOST_IN_ALL;
        let (modulus, rounds) = if too_long { (1, 1) } else { (modulus, 2 * modulus) };
        let divided_by = divided_by.or(too_long.then_some(step.statement.span));
        let mut left = self.arrays.clone();
        let (mut round, mut alike) = (0i64, 0);
        while alike < rounds && !self.has_seen_enough() {
            let (time, before) = (self.time, self.alike.clone());
            self.forget_assigned(step, threads);
            let value = Value::residue(start.unwrap_or(0).rem_euclid(modulus) + round % modulus, modulus);
            threads.iter().for_each(|&thread| self.set(local, thread, value));
            self.list(body, threads, instances.clone(), scope, divided_by);
            left.or_after(&self.arrays, time);
            both_alike(&mut self.alike, &before);
            alike = if self.alike == before { alike + 1 } else { 0 };
            round += 1;
        }
        self.forget_assigned(step, threads);
        self.arrays = left;
    }

    /// Forgets the values of the variables that a statement may assign.
    pub(super) fn forget_assigned(&mut self, step: &Step<'k>, threads: &[u32]) {
        let mut assigned = Vec::new();
        Statement::walk(std::slice::from_ref(step.statement), &mut |statement| {
            if let StatementKind::Assign { local, .. } | StatementKind::For { local, .. } = &statement.kind {
                assigned.push(*local);
            }
        });
        for local in assigned {
            threads.iter().for_each(|&thread| self.set(local, thread, Value::UNKNOWN));
        }
    }
}
