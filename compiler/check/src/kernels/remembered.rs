//! Interned values and cached answers, since neighbouring accesses often have equal maps and facts.

use std::hash::Hash;
use std::sync::Arc;

use dims::Facts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Interns values: equal values are stored once.
pub(super) struct Interned<T>(FxHashSet<Arc<T>>);

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self(FxHashSet::default())
    }
}

impl<T: Eq + Hash> Interned<T> {
    /// The stored value that equals this one.
    pub(super) fn one(&mut self, value: T) -> Arc<T> {
        match self.0.get(&value) {
            Some(known) => Arc::clone(known),
            None => {
                let kept = Arc::new(value);
                self.0.insert(Arc::clone(&kept));
                kept
            }
        }
    }
}

/// A cache of answers, which is cleared when the facts change.
pub(super) struct Remembered<Question, Answer> {
    facts: Facts,
    answers: FxHashMap<Question, Answer>,
}

impl<Question, Answer> Default for Remembered<Question, Answer> {
    fn default() -> Self {
        Self { facts: Facts::default(), answers: FxHashMap::default() }
    }
}

impl<Question: Clone + Eq + Hash, Answer: Clone> Remembered<Question, Answer> {
    /// The answer under these facts, computed by `find` if it is not cached.
    pub(super) fn answer(&mut self, question: &Question, facts: &Facts, find: impl FnOnce() -> Answer) -> Answer {
        if self.facts != *facts {
            *self = Self { facts: facts.clone(), ..Self::default() };
        }
        if let Some(known) = self.answers.get(question) {
            return known.clone();
        }
        let found = find();
        self.answers.insert(question.clone(), found.clone());
        found
    }
}

#[cfg(test)]
mod tests {
    use dims::{CompareOp, Fact, Sym, Symbol};

    use super::*;

    #[test]
    fn of_equal_values_one_is_kept() {
        let mut interned = Interned::default();
        let [first, second, other] = [vec![1, 2], vec![1, 2], vec![3]].map(|value| interned.one(value));
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!((*first).clone(), [1, 2]);
        assert_eq!(*other, [3]);
    }

    #[test]
    fn a_question_is_decided_once_for_the_same_facts() {
        let mut more = Facts::empty();
        let n = Sym::symbol(Symbol::new("N", 0));
        more.assume(Fact::compare(n, CompareOp::Ge, Sym::constant(8))).unwrap();
        let (mut decided, mut remembered) = (0, Remembered::default());
        for (question, facts, expected) in
            [(1, &Facts::empty(), 1), (1, &Facts::empty(), 1), (2, &Facts::empty(), 2), (1, &more, 3), (1, &more, 3)]
        {
            remembered.answer(&question, facts, || decided += 1);
            assert_eq!(decided, expected);
        }
    }
}
