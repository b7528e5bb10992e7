//! The masks of a map under construction, without duplicates and without masks that another one implies.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::{Mask, MaskReason};
use dims::Sym;

/// Masks in the order in which they were added. Those over the same terms are found by a hash, since a pipeline of
/// many stages adds the same few again and again.
#[derive(Default)]
pub(super) struct Masks {
    all: Vec<Mask>,
    /// The last mask over each set of terms, by the hash of the terms.
    last: FxHashMap<u64, usize>,
    /// For each mask the previous one whose terms have the same hash.
    before: Vec<Option<usize>>,
}

impl Masks {
    /// Adds a mask unless an existing one implies it; it replaces a mask that it implies.
    pub(super) fn add(&mut self, new: Mask) {
        let terms = hash_of(&new);
        let mut next = self.last.get(&terms).copied();
        while let Some(number) = next {
            let Some(old) = self.all.get_mut(number) else { break };
            if old.value == new.value && old.low == new.low && old.high == new.high {
                // Of two reasons for the same mask, `LocalExtent` gives way to the other.
                if old.reason == MaskReason::LocalExtent {
                    old.reason = new.reason;
                }
                return;
            }
            if old.reason == new.reason && old.value.terms == new.value.terms {
                if implies(old, &new) {
                    return;
                }
                if implies(&new, old) {
                    *old = new;
                    return;
                }
            }
            next = self.before.get(number).copied().flatten();
        }
        self.before.push(self.last.insert(terms, self.all.len()));
        self.all.push(new);
    }

    /// The masks, in the order in which they were added.
    pub(super) fn into_all(self) -> Vec<Mask> {
        self.all
    }
}

fn hash_of(mask: &Mask) -> u64 {
    let mut hasher = FxHasher::default();
    mask.value.terms.iter().for_each(|(term, _)| term.hash(&mut hasher));
    hasher.finish()
}

/// Whether `weaker` holds wherever `stronger` does. Both are over the same terms; `false` where a bound is symbolic.
fn implies(stronger: &Mask, weaker: &Mask) -> bool {
    let (Some(inner), Some(outer)) = (interval(stronger), interval(weaker)) else { return false };
    outer.0.is_none_or(|outer| inner.0.is_some_and(|inner| inner >= outer))
        && outer.1.is_none_or(|outer| inner.1.is_some_and(|inner| inner <= outer))
}

/// The half-open interval of the sum of a mask's terms; `None` where a bound is symbolic.
fn interval(mask: &Mask) -> Option<(Option<i128>, Option<i128>)> {
    let added = i128::from(mask.value.constant.as_constant()?);
    let end = |size: &Option<Sym>| match size {
        None => Some(None),
        Some(size) => Some(Some(i128::from(size.as_constant()?) - added)),
    };
    Some((end(&mask.low)?, end(&mask.high)?))
}
