//! What the iterations of a loop keep of the variables that its body assigns.
//!
//! A range is guessed for each variable: first that of its value before the loop, then wider ones, whose ends stand in the
//! text. It is kept if every variable lies in its range at the end of the body, where all of them lie in theirs at its
//! beginning. A loop of a few iterations is followed one by one, too, and a variable that the body moves on by a constant
//! distance is known at every iteration.

mod guesses;
mod halving;
mod links;
mod progress;
mod since_first;
mod walk;

use super::values::is_index_like;
use super::{LoopRange, Raiser, ValueId};
use crate::intervals::{self, of_type};
use crate::typed::{Expr, Local, Locals, Statement};
use dims::{CompareOp, Sym};
use elements::ElementType;
use maps::Range;

use super::strides::Stride;
use guesses::Guesses;
pub use halving::MOST_HALVINGS;
use links::Link;
pub use progress::Progress;
use progress::{Moves, in_program};

/// The most statements that are followed for one loop.
const MOST_FOLLOWED: u32 = 4096;
/// After so many conditional statements, of a variable its range is kept alone: a value that is a choice among the values of
/// many of them takes long to look at, again and again.
const MOST_JOINS: usize = 16;
/// After so many rounds, an end of a range that is not kept is given up.
const MOST_ROUNDS: u32 = 12;
/// The most statements in iterations that are followed one by one.
const MOST_ONE_BY_ONE: i64 = 1024;
/// The most iterations that are followed one by one.
const MOST_ITERATIONS: i64 = 64;

/// A loop with a body that has been typed.
pub struct Iterated<'a> {
    /// Its iterator.
    pub iterator: Local,
    /// The ends of the iterator's range, as sizes and as values.
    pub ends: [(Option<Sym>, ValueId); 2],
    /// Its body.
    pub body: &'a [Statement],
    /// All variables, also those of the body.
    pub locals: &'a Locals,
    /// The variables before the loop that the body assigns.
    pub carried: &'a [Local],
    /// The variable that says whether the loop goes on, if it may end early: its whole body stands under it.
    pub goes_on: Option<Local>,
}

/// What is known of a variable that a loop assigns.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The variable.
    pub local: Local,
    /// Its type.
    pub element: ElementType,
    /// Its value before the loop.
    first: ValueId,
    /// Where it lies at the beginning of every iteration.
    pub at_start: Range,
    /// Where it lies behind the loop.
    pub behind: Range,
    /// How it is related to its value before the loop, at the beginning of every iteration.
    since_first: Vec<CompareOp>,
    /// The variables that it is never above, at the beginning of every iteration.
    never_above: Vec<Local>,
    /// Whether that holds behind the loop, too.
    holds_behind: bool,
    /// How far it lies from its value before the loop, at the beginning of every iteration and behind the loop.
    stride: Option<Stride>,
    /// How it follows from others, at the beginning of every iteration and behind the loop.
    link: Option<Link>,
    /// How every iteration changes it, if all of them do that alike.
    progress: Option<Progress>,
    /// How many iterations there are.
    iterations: Iterations,
    /// Whether the loop ends after [`MOST_HALVINGS`] iterations at the latest.
    pub ends_by_halving: bool,
}

/// How many iterations a loop has.
#[derive(Clone, Debug)]
enum Iterations {
    /// As many as this size says.
    Exactly(Sym),
    /// A number that is not known.
    Unknown,
    /// The loop may end early. What is said of an iteration holds where the loop still goes on.
    UntilLeft,
}

impl Raiser {
    /// What the iterations of a loop keep, where the raiser stands before the loop. Afterwards it is good for nothing else.
    pub fn kept(&mut self, looped: &Iterated<'_>, poll: &dyn Fn()) -> Vec<Kept> {
        let (ranges, steps) = (Vec::new(), MOST_FOLLOWED);
        let mut search = Search { raiser: self, looped, poll, steps, joins: 0, ranges, goes_on: None, ordered: None };
        search.kept().unwrap_or_default()
    }

    /// Gives a variable a value for the beginning of an iteration. Where that is computed from the iterator and from sizes
    /// alone, it is returned, too: what is computed so is known to whoever reads the program.
    pub fn hold_at_start(&mut self, kept: &Kept, iterator: Local, low: ValueId) -> Option<Expr> {
        let closed = kept.progress.as_ref().and_then(|progress| {
            let number = self.number_of(iterator, low)?;
            self.closed(kept.first, progress, number)
        });
        let closed = self.linked_to(kept, closed, &kept.at_start);
        let value = closed.unwrap_or_else(|| self.unknown_within(kept.element, kept.at_start.clone()));
        self.hold_in(kept.local, value);
        if closed.is_none() {
            kept.since_first.iter().for_each(|op| self.assume_comparison(value, *op, kept.first));
            self.hold_on_stride(kept, value);
        }
        closed.and(kept.progress.as_ref()).and_then(|progress| {
            let (first, low) = (self.as_size(kept.first)?, self.as_size(low)?);
            Some(in_program(&first, progress, iterator, &low))
        })
    }

    /// Gives a variable a value for what is behind a loop.
    pub fn hold_behind(&mut self, kept: &Kept) {
        let closed = match (&kept.progress, &kept.iterations) {
            (Some(progress), Iterations::Exactly(count)) => {
                let count = self.size(count);
                self.closed(kept.first, progress, count).map(|value| self.number(value).unwrap_or(value))
            }
            _ => None,
        };
        let closed = self.linked_to(kept, closed, &kept.behind);
        let value = closed.unwrap_or_else(|| self.unknown_within(kept.element, kept.behind.clone()));
        self.hold_in(kept.local, value);
        if closed.is_none() {
            self.hold_on_stride(kept, value);
            let since_first = kept.since_first.iter().filter(|_| kept.holds_behind);
            since_first.for_each(|op| self.assume_comparison(value, *op, kept.first));
        }
    }

    /// The value that follows from other variables, where that says more than the number of the iteration.
    fn linked_to(&mut self, kept: &Kept, closed: Option<ValueId>, range: &Range) -> Option<ValueId> {
        match closed {
            Some(closed) if !self.form(closed).is_of_unnamed() => Some(closed),
            _ => kept.link.as_ref().and_then(|link| self.linked(kept.first, link, range)).or(closed),
        }
    }

    fn hold_on_stride(&mut self, kept: &Kept, value: ValueId) {
        if let Some(stride) = kept.stride {
            self.know_stride(value, kept.first, stride);
        }
    }
}

/// The distances by which an iteration moves a variable, and how all of them change it.
type Changed = (Option<Moves>, Option<Progress>);

/// What one iteration from any values of the variables shows.
struct Followed {
    changed: Vec<Changed>,
    links: Vec<Option<Link>>,
    /// The number of iterations.
    extent: Option<Sym>,
}

/// The search for what is kept.
struct Search<'r, 'a> {
    raiser: &'r mut Raiser,
    looped: &'r Iterated<'a>,
    poll: &'r dyn Fn(),
    steps: u32,
    /// The conditional statements so far.
    joins: usize,
    /// The range that is assumed of each carried variable, and whether it is kept on both sides in loops within the body.
    ranges: Vec<Assumed>,
    /// Where only iterations are followed after which the loop goes on, the variable that says so.
    goes_on: Option<Local>,
    /// Two variables of which the first one is at most the second one at the beginning of the iteration that is followed.
    ordered: Option<[usize; 2]>,
}

/// A carried variable before the loop.
struct First {
    local: Local,
    value: ValueId,
    element: ElementType,
    range: Range,
}

/// What is assumed of a variable.
#[derive(Clone, Debug)]
struct Assumed {
    local: Local,
    element: ElementType,
    range: Range,
    kept: [bool; 2],
    /// Where the variable lies at the end of the body, or at a place within it where the range is not kept.
    reached: Range,
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

    /// The distances by which an iteration moves each variable, how all of them change it, and how they follow from each other.
    fn moves(&mut self, first: &[First]) -> Option<Followed> {
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
    fn stride(&mut self, first: &First, moves: &Moves, extent: &Sym) -> Option<Stride> {
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
    fn moved(&self, first: &First, moves: &Moves, extent: &Sym) -> Option<[Range; 2]> {
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

impl Raiser {
    /// Enters a loop, whose iterator becomes an axis over a range that contains all its values. If the range may contain
    /// more, the bounds are assumed as conditions. Returns the range, if there is one.
    pub fn begin_iterations(
        &mut self,
        local: Local,
        [(first, from), (last, to)]: [(Option<Sym>, ValueId); 2],
    ) -> Option<LoopRange> {
        let facts = self.facts.clone();
        if let (Some(first), Some(last)) = (&first, &last)
            && let Ok(extent) = last.checked_sub(first)
            && facts.proves(&extent, CompareOp::Ge, &Sym::zero())
        {
            // The body runs only where there is an iteration, which says something of sizes even if nothing in it depends
            // on the iterator. One that never runs is assumed to run under a condition that never holds.
            if !facts.proves(&extent, CompareOp::Ge, &Sym::one()) {
                self.assume_comparison(from, CompareOp::Lt, to);
            }
            let range = LoopRange { low: first.clone(), starts_at_low: true, extent: Some(extent) };
            self.enter_loop(local, range.clone());
            return Some(range);
        }
        let starts_at_low = first.is_some();
        let start = match first {
            Some(first) => Some(first),
            None => self.is_never_negative(from).then(Sym::zero),
        };
        let range = start.map(|start| {
            let most = last.or_else(|| self.range(to).high);
            let extent = most.and_then(|most| most.checked_sub(&start).ok());
            // An extent that may be negative is useless.
            let extent = extent.filter(|extent| facts.proves(extent, CompareOp::Ge, &Sym::zero()));
            LoopRange { low: start, starts_at_low, extent }
        });
        if let Some(range) = &range {
            self.enter_loop(local, range.clone());
        }
        let iterator = self.variable(local, ElementType::I64);
        for (op, side) in [(CompareOp::Ge, from), (CompareOp::Lt, to)] {
            self.assume_comparison(iterator, op, side);
        }
        range
    }
}
