//! Places in memories whose elements are all different, such as the places that sorting gives.

use super::super::contents::Distinct;
use super::super::raiser::MOST_BOUNDED;
use super::super::value::{Kind, ValueId};
use super::Search;
use super::sums::{Sum, Term};
use crate::typed::Expr;
use dims::{CompareOp, Sym};

impl Search<'_> {
    /// Learns at which place of its run an element lies, if the run is known and its elements are all different. Keeps the load for
    /// later where nothing shows that yet.
    pub(super) fn look_for_place(&mut self, value: ValueId) {
        let Kind::Load { offset, mask: None, contents: Some(contents), .. } = *self.raiser.kind(value) else { return };
        self.pending.push(value);
        if self.is_known(offset) {
            return;
        }
        let contents = self.raiser.contents(contents);
        let (runs, around) = (contents.distinct.clone(), contents.around.clone());
        // Both executions read what was stored at once: in one block and one iteration.
        let block = self.raiser.value(&Expr::block_id());
        if runs.is_empty() || ![block].iter().chain(&around).all(|value| self.is_known(*value)) {
            return;
        }
        let is_natural = self.naturals.contains(&value);
        for run in runs.into_iter().filter(|run| is_natural || !run.of_naturals) {
            if let Some(place) = self.place_in(offset, run) {
                self.take_apart(place);
            }
        }
    }

    /// The place in a run, if the rest of an offset is known and says which run it is.
    fn place_in(&mut self, offset: ValueId, Distinct { stride, extent, .. }: Distinct) -> Option<Sum> {
        let sum = self.sum(offset);
        let (run, stride_size) = (Sym::constant(stride.checked_mul(extent)?), Sym::constant(stride));
        let (mut beside, mut place) = (Vec::new(), Vec::new());
        for term in sum.exact_terms()? {
            let is_known = self.is_known(term.value);
            let facts = &self.raiser.facts;
            if is_known && facts.divides(&term.factor, &run) {
                continue;
            }
            match is_known {
                true => beside.push(term),
                false if facts.divides(&term.factor, &stride_size) => {
                    place.push(Term { factor: term.factor.checked_floor_div(&stride_size, facts).ok()?, ..term });
                }
                false => return None,
            }
        }
        let is_inside = self.lies_below(&beside, &stride_size) && self.lies_below(&place, &Sym::constant(extent));
        is_inside.then(|| Sum::exactly(place))
    }

    /// Whether a sum is never negative, and below a size.
    fn lies_below(&mut self, terms: &[Term], end: &Sym) -> bool {
        let (mut low, mut high) = (Sym::zero(), Sym::zero());
        for Term { factor, value } in terms {
            let range = self.raiser.bounds_of_operand(*value, &mut MOST_BOUNDED.clone());
            // A product with a negative factor would turn the bounds round.
            if !self.raiser.facts.proves(factor, CompareOp::Ge, &Sym::zero()) {
                return false;
            }
            let scaled = |end: Option<Sym>, sum: &Sym| sum.checked_add(&end?.checked_mul(factor).ok()?).ok();
            let Some((least, most)) = scaled(range.low, &low).zip(scaled(range.high, &high)) else { return false };
            (low, high) = (least, most);
        }
        let facts = &self.raiser.facts;
        facts.proves(&low, CompareOp::Ge, &Sym::zero()) && facts.proves(&high, CompareOp::Lt, end)
    }
}
