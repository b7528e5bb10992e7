//! Branches: who goes which way, and who may.

use std::rc::Rc;

use super::super::steps::Step;
use super::Simulation;
use super::together::both_alike;
use crate::collectives;
use crate::typed::{CollectiveId, Expr, Scope};
use syntax::span::Span;

impl<'k> Simulation<'k> {
    /// An `if`, or what lets a collective in.
    pub(super) fn branches(&mut self, step: &Step<'k>, condition: &Expr, threads: &[u32]) {
        let [then, otherwise] = &step.lists;
        let Some(level) = self.levels.last() else { return };
        let (scope, instances, divided_by) = (level.scope, level.instances.clone(), level.divided_by);
        if let Some(collective) = narrowed(then, scope) {
            // Which threads go in is known of every collective, whatever `if`s are around it.
            let inside: Vec<u32> =
                threads.iter().copied().filter(|&thread| self.value(condition, thread) != Some(0)).collect();
            let instances = self.instances(collective, &inside);
            return self.list(then, &inside, instances, Scope::Threads(collective), divided_by);
        }
        let values: Vec<Option<i64>> = threads.iter().map(|&thread| self.value(condition, thread)).collect();
        if values.iter().all(Option::is_some) {
            let side = |wanted: bool| {
                let chosen = threads.iter().zip(&values).filter(|(_, value)| (**value != Some(0)) == wanted);
                chosen.map(|(thread, _)| *thread).collect::<Vec<u32>>()
            };
            let agree = self.agree(threads, &values, &instances);
            let divided_by = divided_by.or((!agree).then_some(step.statement.span));
            let (holds, fails) = (side(true), side(false));
            self.list(then, &holds, instances.clone(), scope, divided_by);
            return self.list(otherwise, &fails, instances, scope, divided_by);
        }
        let alike = self.is_alike(condition, threads, &instances);
        let divided_by = divided_by.or((!alike).then_some(step.statement.span));
        // Of some threads it may be known which way they do not go, whatever the rest of the condition comes to.
        let may = |excluded: fn(i64) -> bool| {
            let going = threads.iter().zip(&values).filter(|(_, value)| !value.is_some_and(excluded));
            going.map(|(thread, _)| *thread).collect::<Vec<u32>>()
        };
        let sides = [may(|value| value == 0), may(|value| value != 0)];
        self.both(step, threads, &sides, (instances, scope, divided_by));
    }

    /// Takes both sides of a branch from the same place, each in the threads that may go there.
    fn both(
        &mut self,
        step: &Step<'k>,
        threads: &[u32],
        [going_in, passing_by]: &[Vec<u32>; 2],
        (instances, scope, divided_by): (Rc<[Option<u32>]>, Scope, Option<Span>),
    ) {
        let (before, time, common) = (self.arrays.clone(), self.time, self.arrays.waits());
        let (locals, alike) = (self.locals.clone(), self.alike.clone());
        let [then, otherwise] = &step.lists;
        self.unsure += u32::from(divided_by.is_some());
        self.list(then, going_in, instances.clone(), scope, divided_by);
        let (middle, other_alike) = (self.time, std::mem::replace(&mut self.alike, alike));
        if divided_by.is_some() {
            // Some threads go one way and some the other at the same time, so what one side did meets the other side.
            self.locals.clone_from(&locals);
            self.list(otherwise, passing_by, instances, scope, divided_by);
            self.unsure -= 1;
            self.arrays.or_before(&before, time);
        } else {
            let after = std::mem::replace(&mut self.arrays, before);
            if !is_one_collective(&instances) {
                // Other collectives may have gone the other way at the same time. They wait for nobody here.
                self.time += 1;
                self.arrays.also_touched(&after, [time, self.time], instances.clone());
            }
            self.locals.clone_from(&locals);
            self.list(otherwise, passing_by, instances, scope, divided_by);
            self.arrays.or_other(&after, common, [time, middle]);
        }
        both_alike(&mut self.alike, &other_alike);
        self.forget_assigned(step, threads);
    }

    /// The number of the iteration that each of the threads executes.
    fn instances(&self, collective: CollectiveId, threads: &[u32]) -> Rc<[Option<u32>]> {
        let mut instances = vec![None; self.block.threads as usize];
        let number = self.block.collectives.get(collective.0 as usize).map(collectives::instance);
        for &thread in threads {
            let value = number.as_ref().and_then(|number| self.value(number, thread));
            if let Some(slot) = instances.get_mut(thread as usize) {
                *slot = value.and_then(|value| u32::try_from(value).ok());
            }
        }
        instances.into()
    }
}

/// Whether all threads that are in a collective are in the same one.
fn is_one_collective(instances: &Rc<[Option<u32>]>) -> bool {
    let mut found = instances.iter().flatten();
    let first = found.next();
    found.all(|instance| Some(instance) == first)
}

/// The collective that a branch lets in, where it is one that narrows and not an `if` of the program.
fn narrowed(then: &[Step<'_>], scope: Scope) -> Option<CollectiveId> {
    match then.first()?.statement.scope {
        Scope::Threads(collective) if Scope::Threads(collective) != scope => Some(collective),
        _ => None,
    }
}
