//! How a pending access is ordered before another one: where a barrier can stand, and what is reported where none can.

use super::super::conflicts::{Conflict, Evidence, Pairs};
use super::super::pending::Pass;
use super::super::uniform::BLOCK;
use super::{Accessed, Needed, Placement, Unordered};
use crate::loops::AccessId;
use proofs::Relation;
use syntax::span::Span;

impl Placement<'_, '_> {
    /// Orders a pending access before another one. Where that is impossible, it reports why, unless both do no harm to
    /// each other.
    pub(super) fn separate(&mut self, place: usize, access: AccessId, is_needed: bool, pass: &mut Pass) {
        let Some(pending) = pass.pending.get(place) else { return };
        let (first, is_across) = (pending.access, pending.is_across);
        let mut pairs = Pairs { apart: pending.ordered.clone(), together: None };
        let mut conflict = self.conflicts.ask(first, access, pass.carried, &pairs);
        if conflict == Conflict::Never {
            return;
        }
        let mut divergence = None;
        for (class, level) in self.candidates(place, is_across, pass) {
            let inner = Pairs { together: Some(class), ..pairs.clone() };
            if class != BLOCK && self.conflicts.ask(first, access, pass.carried, &inner) == Conflict::Never {
                continue;
            }
            if let Some(condition) = self.divergence_at(level, class) {
                divergence = divergence.or(Some(condition));
                continue;
            }
            self.is_missing = true;
            if !self.places {
                return;
            }
            self.place(level, first, access, pass);
            if class == BLOCK {
                return;
            }
            if !pairs.apart.contains(&class) {
                pairs.apart.push(class);
            }
            conflict = self.conflicts.ask(first, access, pass.carried, &pairs);
            if conflict == Conflict::Never {
                return;
            }
        }
        if is_needed {
            self.is_missing = true;
            self.report(first, access, conflict, divergence);
        }
    }

    /// Lets threads wait for their copies before another access of the same thread reaches an element of them.
    pub(super) fn land(&mut self, place: usize, access: AccessId, pass: &mut Pass) {
        let Some(pending) = pass.pending.get(place).filter(|pending| !pending.is_landed) else { return };
        let first = pending.access;
        if first == access && pass.carried.is_none()
            || !self.conflicts.may_meet(first, access, pass.carried, Relation::EQUAL)
        {
            return;
        }
        // The outermost one, so that no loop around the access waits again in each iteration.
        let begun = self.levels.iter().skip(pass.outermost).find(|level| place < level.start);
        let Some((statement, start)) = begun.map(|level| (level.statement, level.start)) else {
            self.is_missing = true;
            self.report(first, access, Conflict::Open, None);
            return;
        };
        self.is_missing = true;
        if self.places {
            self.waits.insert(statement);
            pass.land(start);
        }
    }

    /// Orders a pending access of an array for exchange before another one, among threads of one instance: they run the
    /// statements around it together, wherever these stand. Those of different instances do not meet, nor do those on the two sides of a branch,
    /// whose condition is the same for all of an instance.
    pub(super) fn separate_exchange(&mut self, place: usize, access: AccessId, class: usize, pass: &mut Pass) {
        let Some(pending) = pass.pending.get(place) else { return };
        if pending.ordered.contains(&class) {
            pass.pending.close(place);
            return;
        }
        if pending.is_across {
            return;
        }
        let first = pending.access;
        let begun = || self.levels.iter().skip(pass.outermost).rev().filter(|level| place < level.start);
        let of_all = begun().find(|level| level.together & (1 << class) != 0);
        // No statement has both a store and a load of such an array.
        let Some(level) = of_all.or_else(|| begun().next()) else { return };
        self.is_missing = true;
        if !self.places {
            return;
        }
        let (statement, start) = (level.statement, level.start);
        let loops = &self.conflicts.regions.loops;
        let (Some(before), Some(after)) = (loops.access(first), loops.access(access)) else { return };
        let array = after.array().and_then(|array| loops.values.kernel.shared.get(array));
        let Some(scope) = array.and_then(|array| array.exchanged_by) else { return };
        let needed = Needed { scope, class, before: before.span, after: after.span };
        self.barriers.entry(statement).or_insert(needed);
        pass.order(start, class);
    }

    /// The lists where a barrier would order a pending access before the current one: of each class the outermost
    /// list that has begun a new statement since, the innermost class first.
    fn candidates(&self, place: usize, is_across: bool, pass: &Pass) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        if is_across {
            return found;
        }
        let levels = self.levels.iter().enumerate().skip(pass.outermost).rev();
        for (number, level) in levels.filter(|(_, level)| place < level.start) {
            match found.iter_mut().find(|(class, _)| *class == level.class) {
                Some(known) => known.1 = number,
                None => found.push((level.class, number)),
            }
        }
        found.retain(|(class, _)| self.conflicts.regions.classes.get(*class).is_some_and(|class| !class.is_thread));
        found
    }

    /// The condition that is divergent for the threads of a class on the way to a list.
    fn divergence_at(&self, level: usize, class: usize) -> Option<Span> {
        let here = self.levels.get(level)?;
        if here.together & (1 << class) != 0 {
            return None;
        }
        let conditions = self.levels.iter().take(level + 1).filter_map(|level| level.condition);
        conditions.filter(|(divided, _)| divided & (1 << class) != 0).map(|(_, span)| span).next()
    }

    fn place(&mut self, level: usize, first: AccessId, second: AccessId, pass: &mut Pass) {
        let loops = &self.conflicts.regions.loops;
        let (Some(level), Some(first), Some(second)) =
            (self.levels.get(level), loops.access(first), loops.access(second))
        else {
            return;
        };
        let needed = Needed { scope: level.scope, class: level.class, before: first.span, after: second.span };
        self.barriers.entry(level.statement).or_insert(needed);
        pass.order(level.start, level.class);
    }

    fn report(&mut self, first: AccessId, second: AccessId, conflict: Conflict, divergence: Option<Span>) {
        let loops = &self.conflicts.regions.loops;
        let (Some(one), Some(other)) = (loops.access(first), loops.access(second)) else { return };
        let accessed = |number: AccessId| {
            loops.access(number).map(|access| Accessed { span: access.span, store: access.kind.writes() })
        };
        let (Some(first), Some(second)) = (accessed(first), accessed(second)) else { return };
        let evidence = match conflict {
            Conflict::Certain(witness) => Evidence::Witness(witness),
            // Whether the condition is the same for all threads is not known then.
            _ if divergence.is_some() && self.conflicts.uniform.is_cut_short => Evidence::OutOfSteps,
            // A possible pair is named for a divergent barrier, but not for a race.
            Conflict::Possible(witness) if divergence.is_some() => Evidence::Witness(witness),
            Conflict::Never | Conflict::Open | Conflict::Possible(_) => Evidence::Open,
            Conflict::OutOfSteps => Evidence::OutOfSteps,
        };
        let is_known = |known: &Unordered| {
            let spans = [known.first.span, known.second.span];
            // That the steps ran out is said once.
            spans == [one.span, other.span]
                || spans == [other.span, one.span]
                || [known.evidence, evidence] == [Evidence::OutOfSteps; 2]
        };
        if !self.unordered.iter().any(is_known) {
            let memory = one.memory;
            self.unordered.push(Unordered { memory, first, second, evidence, divergence });
        }
    }
}
