//! The beginning of a loop: where its iterator lies.

use super::raiser::{LoopRange, Raiser};
use super::value::ValueId;
use crate::typed::Local;
use dims::{CompareOp, Sym};
use elements::ElementType;

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
