//! Gives variables what is known of them: at the beginning of an iteration, and behind a loop.

use super::super::raiser::Raiser;
use super::super::value::ValueId;
use super::kept::{Iterations, Kept};
use super::progress::in_program;
use crate::typed::{Expr, Local};
use maps::Range;

impl Raiser {
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
