//! Chains of divisors: where a number is cut so that every requested digit is a sum of the pieces.

use crate::arithmetic::divide_exactly;
use dims::{Facts, Sym};

/// Cuts in ascending order, each a divisor of the next; the first is 1.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    cuts: Vec<Sym>,
}

impl Chain {
    /// Builds a chain greedily from the wanted cuts, the smallest constants first; a cut that does not fit is left
    /// out.
    pub(super) fn from_cuts(wanted: &[Sym], facts: &Facts) -> Chain {
        let mut wanted = wanted.to_vec();
        // Constants in ascending order, then symbols in the given order.
        wanted.sort_by_key(|cut| (cut.as_constant().is_none(), cut.as_constant()));
        let mut chain = Chain { cuts: vec![Sym::one()] };
        for cut in wanted {
            chain.insert(cut, facts);
        }
        chain
    }

    fn insert(&mut self, cut: Sym, facts: &Facts) {
        if self.cuts.contains(&cut) {
            return;
        }
        // All cuts before the new one must divide it, and it must divide all cuts after it.
        let place = self.cuts.iter().take_while(|before| divide_exactly(&cut, before, facts).is_some()).count();
        let after = self.cuts.get(place..).unwrap_or(&[]);
        if after.iter().all(|after| divide_exactly(after, &cut, facts).is_some()) {
            self.cuts.insert(place, cut);
        }
    }

    pub(super) fn position(&self, cut: &Sym) -> Option<usize> {
        self.cuts.iter().position(|other| other == cut)
    }

    pub(super) fn cuts(&self) -> &[Sym] {
        &self.cuts
    }
}
