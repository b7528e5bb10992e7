//! What the iterations of a loop keep of the variables that its body assigns.
//!
//! A range is guessed for each variable: first that of its value before the loop, then wider ones, whose ends stand in the
//! text. It is kept if every variable lies in its range at the end of the body, where all of them lie in theirs at its
//! beginning. A loop of a few iterations is followed one by one, too, and a variable that the body moves on by a constant
//! distance is known at every iteration.

mod guesses;
mod halving;
mod held;
mod kept;
mod links;
mod moving;
mod progress;
mod search;
mod since_first;
mod walk;

use super::raiser::Raiser;
use super::value::is_index_like;
use crate::typed::Statement;
use dims::Sym;
use elements::ElementType;
use maps::Range;

use guesses::Guesses;
pub use halving::MOST_HALVINGS;
use kept::Iterations;
pub use kept::Kept;
use moving::Followed;
pub use progress::Progress;
pub use search::Iterated;
use search::{Assumed, First, Search};

/// The most statements that are followed for one loop.
const MOST_FOLLOWED: u32 = 4096;
/// After so many rounds, an end of a range that is not kept is given up.
const MOST_ROUNDS: u32 = 12;
/// The most statements in iterations that are followed one by one.
const MOST_ONE_BY_ONE: i64 = 1024;
/// The most iterations that are followed one by one.
const MOST_ITERATIONS: i64 = 64;

impl Raiser {
    /// What the iterations of a loop keep, where the raiser stands before the loop. Afterwards it is good for nothing else.
    pub fn kept(&mut self, looped: &Iterated<'_>, poll: &dyn Fn()) -> Vec<Kept> {
        let (ranges, steps) = (Vec::new(), MOST_FOLLOWED);
        let mut search = Search { raiser: self, looped, poll, steps, joins: 0, ranges, goes_on: None, ordered: None };
        search.kept().unwrap_or_default()
    }
}

impl Search<'_, '_> {
    fn kept(&mut self) -> Option<Vec<Kept>> {
        let mut first = Vec::new();
        for local in self.looped.carried {
            let value = self.raiser.current(*local)?;
            let element = self.raiser.element(value);
            if is_index_like(element) && element != ElementType::Bool {
                first.push(First {
                    local: *local,
                    value: self.raiser.plainly(value),
                    element,
                    range: self.raiser.range_here(value),
                });
            }
        }
        if first.is_empty() {
            return None;
        }
        let assumed = |range: &dyn Fn(&Range) -> Range| {
            let assume = |first: &First| Assumed {
                local: first.local,
                element: first.element,
                range: range(&first.range),
                kept: [true; 2],
                reached: Range::default(),
            };
            first.iter().map(assume).collect::<Vec<Assumed>>()
        };
        self.ranges = assumed(&|_| Range::default());
        let Followed { changed: mut moves, mut links, extent } = self.moves(&first)?;
        let mut iterations = match &extent {
            Some(extent) if self.looped.ends.iter().all(|(end, _)| end.is_some()) => {
                Iterations::Exactly(extent.clone())
            }
            _ => Iterations::Unknown,
        };
        if let Some(goes_on) = self.looped.goes_on {
            iterations = Iterations::UntilLeft;
            self.ranges = assumed(&|_| Range::default());
            self.goes_on = Some(goes_on);
            let where_it_goes_on = self.moves(&first);
            self.goes_on = None;
            for (known, (_, progress)) in moves.iter_mut().zip(where_it_goes_on?.changed) {
                known.1 = progress;
            }
        }
        let ends_by_halving = self.ends_by_halving(&first, &moves);
        self.ranges = assumed(&Range::clone);
        self.settle()?;
        let since_first = self.since_first(&first);
        let mut never_above = self.never_above(&first).into_iter();
        let holds_behind = self.is_left_at_start();
        let settled = std::mem::replace(&mut self.ranges, assumed(&Range::clone));
        let settled: Vec<Range> = settled.into_iter().map(|assumed| assumed.range).collect();
        let followed = extent.as_ref().and_then(Sym::as_constant).and_then(|count| self.follow(count, &settled));
        let mut kept = Vec::new();
        for (number, ((first, settled), since_first)) in first.into_iter().zip(settled).zip(since_first).enumerate() {
            let (mut at_start, mut behind) = (settled.clone(), settled);
            let (moved, progress) = &moves[number];
            let moved = moved.as_ref().zip(extent.as_ref());
            let stride = moved.and_then(|(moves, extent)| self.stride(&first, moves, extent));
            if let Some([start, end]) = moved.and_then(|(moves, extent)| self.moved(&first, moves, extent)) {
                // Of a loop that may end early, the text says more than the most iterations: `i < N` than `max N + M`.
                let nearest = |moved: Range, settled: &Range| match self.looped.goes_on {
                    Some(_) => self.raiser.nearest(settled, &moved),
                    None => self.raiser.nearest(&moved, settled),
                };
                (at_start, behind) = (nearest(start, &at_start), nearest(end, &behind));
            }
            if let Some([start, end]) = followed.as_ref().and_then(|followed| followed.get(number)) {
                at_start = self.raiser.nearest(start, &at_start);
                behind = self.raiser.nearest(end, &behind);
            }
            let First { local, value, element, .. } = first;
            let (progress, iterations) = (progress.clone(), iterations.clone());
            let link = links[number].take();
            kept.push(Kept {
                local,
                element,
                first: value,
                at_start,
                behind,
                since_first,
                never_above: never_above.next().unwrap_or_default(),
                holds_behind,
                stride,
                link,
                progress,
                iterations,
                ends_by_halving,
            });
        }
        // What follows from others is held after them.
        kept.sort_by_key(|kept| kept.link.is_some());
        Some(kept)
    }

    /// Widens the ranges until all of them are kept.
    fn settle(&mut self) -> Option<()> {
        let ends: Vec<Sym> = self.looped.ends.iter().filter_map(|(end, _)| end.clone()).collect();
        let mut guesses = Guesses::new(self.looped.body, &ends, &self.ranges);
        for round in 0.. {
            self.round(None)?;
            let mut is_kept = true;
            for number in 0..self.ranges.len() {
                let assumed = self.ranges[number].clone();
                let held = self.raiser.is_within(&assumed.reached, &assumed.range);
                let [low, high] = [0, 1].map(|side| held[side] && assumed.kept[side]);
                let give_up = round >= MOST_ROUNDS;
                let mut wider = assumed.range.clone();
                if !low {
                    wider.low = guesses.low(&self.raiser.facts, number, &assumed).filter(|_| !give_up);
                }
                if !high {
                    wider.high = guesses.high(&self.raiser.facts, number, &assumed).filter(|_| !give_up);
                }
                is_kept &= low && high;
                self.ranges[number].range = wider;
            }
            if is_kept {
                return Some(());
            }
        }
        None
    }

    /// The ranges at the beginning of all of a few iterations, and behind them.
    fn follow(&mut self, count: i64, settled: &[Range]) -> Option<Vec<[Range; 2]>> {
        if !(1..=MOST_ITERATIONS).contains(&count) {
            return None;
        }
        // What takes long is not begun: mostly a range that all iterations keep says enough.
        let mut statements: i64 = 0;
        Statement::walk(self.looped.body, &mut |_| statements += 1);
        if statements.saturating_mul(count) > MOST_ONE_BY_ONE {
            return None;
        }
        let constants = |range: &Range| {
            let constant = |end: &Option<Sym>| end.clone().filter(|end| end.as_constant().is_some());
            Range { low: constant(&range.low), high: constant(&range.high) }
        };
        let mut found: Vec<Range> = self.ranges.iter().map(|assumed| assumed.range.clone()).collect();
        for number in 0..count {
            self.round(Some(number))?;
            // What a loop within the body does not keep, nothing behind it may rely on.
            if self.ranges.iter().any(|assumed| assumed.kept != [true; 2]) {
                return None;
            }
            for (place, settled) in settled.iter().enumerate() {
                let reached = constants(&self.ranges[place].reached);
                self.ranges[place].range = self.raiser.nearest(&reached, settled);
                if number + 1 < count {
                    found[place] = found[place].union(&self.ranges[place].range, &self.raiser.facts);
                }
            }
        }
        let facts = self.raiser.facts.clone();
        // Of a loop that may end earlier, only the most iterations are known.
        let is_exact = self.looped.ends.iter().all(|(end, _)| end.is_some());
        let behind = |found: &Range, last: &Range| if is_exact { last.clone() } else { found.union(last, &facts) };
        let last = self.ranges.iter().map(|assumed| &assumed.range);
        Some(found.into_iter().zip(last).map(|(found, last)| [found.clone(), behind(&found, last)]).collect())
    }
}
