//! How far the iterations of a loop move its variables.

use super::super::strides::Stride;
use super::super::value::ValueId;
use super::links::Link;
use super::progress::{Moves, Progress};
use super::search::{First, Search};
use crate::intervals::{self, of_type};
use dims::{CompareOp, Sym};
use maps::Range;

/// The distances by which an iteration moves a variable, and how all of them change it.
pub(super) type Changed = (Option<Moves>, Option<Progress>);

/// What one iteration from any values of the variables shows.
pub(super) struct Followed {
    pub(super) changed: Vec<Changed>,
    pub(super) links: Vec<Option<Link>>,
    /// The number of iterations.
    pub(super) extent: Option<Sym>,
}

impl Search<'_, '_> {
    /// The distances by which an iteration moves each variable, how all of them change it, and how they follow from each other.
    pub(super) fn moves(&mut self, first: &[First]) -> Option<Followed> {
        let mut found = Vec::new();
        let (mut links, mut extent) = (Vec::new(), None);
        self.iteration(None, |search, starts, range| {
            extent = range.and_then(|range| range.extent.clone());
            for ((assumed, first), start) in search.ranges.iter().zip(first).zip(starts) {
                let end = search.raiser.current(assumed.local).map(|end| search.raiser.plainly(end));
                let moves = end.and_then(|end| search.raiser.moves_of(end, *start));
                let progress = match &moves {
                    Some(Moves { least, most, .. }) if least == most => Some(Progress::Adds(least.clone())),
                    _ => end.and_then(|end| search.raiser.shifts_of(end, *start, search.is_natural(first))),
                };
                found.push((moves, progress));
            }
            let ends: Vec<Option<ValueId>> =
                search.ranges.iter().map(|assumed| search.raiser.current(assumed.local)).collect();
            links = search.raiser.links(first, starts, &ends);
        })?;
        Some(Followed { changed: found, links, extent })
    }

    fn is_natural(&self, first: &First) -> bool {
        let facts = &self.raiser.facts;
        first.range.low.as_ref().is_some_and(|low| facts.proves(low, CompareOp::Ge, &Sym::zero()))
    }

    /// How far a variable lies from its first value that every iteration moves by one of some distances.
    pub(super) fn stride(&mut self, first: &First, moves: &Moves, extent: &Sym) -> Option<Stride> {
        let by = moves.divisor.and_then(i64::checked_abs).filter(|by| *by > 1)?;
        let zero = Sym::zero();
        let facts = &self.raiser.facts;
        let never = [facts.proves(&moves.least, CompareOp::Ge, &zero), facts.proves(&moves.most, CompareOp::Le, &zero)];
        if self.moved(first, moves, extent).is_none() {
            self.rely_on_moves(first, moves, extent)?;
        }
        Some(Stride { by, never })
    }

    /// Relies on a variable that never wraps, where only large sizes would make it.
    fn rely_on_moves(&mut self, first: &First, moves: &Moves, extent: &Sym) -> Option<()> {
        let end = |end: &Option<Sym>, by: &Sym| end.as_ref()?.checked_add(&by.checked_mul(extent).ok()?).ok();
        let ends = [end(&first.range.low, &moves.least)?, end(&first.range.high, &moves.most)?];
        if !self.raiser.is_assumed_exact(first.value) {
            return None;
        }
        self.raiser.rely_on_fitting(&ends);
        Some(())
    }

    /// Where a variable lies that every iteration moves by one of some distances: at the beginning of each, and behind all.
    pub(super) fn moved(&self, first: &First, moves: &Moves, extent: &Sym) -> Option<[Range; 2]> {
        let facts = &self.raiser.facts;
        let zero = Sym::zero();
        let after = |times: &Sym| {
            let end = |first: &Option<Sym>, by: &Sym, down: bool| {
                let first = first.as_ref()?;
                let op = if down { CompareOp::Ge } else { CompareOp::Le };
                if facts.proves(by, op, &zero) {
                    return Some(first.clone());
                }
                first.checked_add(&by.checked_mul(times).ok()?).ok()
            };
            let range = &first.range;
            Range { low: end(&range.low, &moves.least, true), high: end(&range.high, &moves.most, false) }
        };
        let behind = after(extent);
        // Nothing wraps if the variable never leaves its type in the directions in which it moves.
        let all = of_type(first.element);
        let stays =
            |end: &Option<Sym>| end.as_ref().is_some_and(|end| intervals::of_exact_size(end, facts).lies_in(all));
        let moves_down = !facts.proves(&moves.least, CompareOp::Ge, &zero);
        let moves_up = !facts.proves(&moves.most, CompareOp::Le, &zero);
        if moves_down && !stays(&behind.low) || moves_up && !stays(&behind.high) {
            return None;
        }
        // Where the body is executed, there is an iteration.
        let before_last = extent.checked_sub(&Sym::one()).ok();
        let at_start = before_last.map_or_else(|| behind.clone(), |last| after(&last));
        Some([at_start, behind])
    }
}
