//! A cache of questions to a set of facts, with their answers.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::{Sym, effort};

/// Whether integers were proven to be never negative, and what each answer cost.
///
/// The kernels of a file ask the same facts the same questions again and again, so copies of one set of facts share
/// their answers, also between threads. Answers follow from the facts alone, so they do not count in comparisons of
/// sets.
#[derive(Clone, Default)]
pub(super) struct Answers(Arc<RwLock<FxHashMap<Sym, (bool, u64)>>>);

impl Answers {
    /// Whether the integer is proven to be never negative: the cached answer, or else that of `find`. A cached one costs as
    /// much effort as it did when it was found, and an answer that was cut short is not kept.
    pub fn get_or(&self, value: &Sym, find: impl FnOnce() -> bool) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(value).copied();
        match known {
            Some((answer, cost)) => effort::spend(cost) && answer,
            None => {
                let Some((answer, cost)) = effort::measured(find) else { return false };
                self.0.write().unwrap_or_else(PoisonError::into_inner).insert(value.clone(), (answer, cost));
                answer
            }
        }
    }
}

impl PartialEq for Answers {
    fn eq(&self, _: &Answers) -> bool {
        true
    }
}

impl Eq for Answers {}

impl Hash for Answers {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Answers")
    }
}
