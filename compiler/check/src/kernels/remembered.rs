//! Interned values and cached answers, since neighbouring accesses often have equal maps and facts.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use dims::Facts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Interns values: equal values are stored once.
#[derive(Clone)]
pub(super) struct Interned<T>(FxHashSet<Arc<T>>);

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self(FxHashSet::default())
    }
}

/// An interned value, which is compared and hashed by its address.
pub(super) struct Same<T>(Arc<T>);

impl<T> Same<T> {
    pub(super) fn new(value: &Arc<T>) -> Self {
        Self(Arc::clone(value))
    }
}

impl<T> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self::new(&self.0)
    }
}

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Eq for Same<T> {}

impl<T> Hash for Same<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
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
#[derive(Clone)]
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
        if let Some(known) = self.known(question, facts) {
            return known;
        }
        let found = find();
        self.keep(question.clone(), found.clone());
        found
    }

    /// The answer under these facts, if it is cached.
    pub(super) fn known(&mut self, question: &Question, facts: &Facts) -> Option<Answer> {
        if self.facts != *facts {
            *self = Self { facts: facts.clone(), ..Self::default() };
        }
        self.answers.get(question).cloned()
    }

    /// Caches an answer under the facts of the last question.
    pub(super) fn keep(&mut self, question: Question, answer: Answer) {
        self.answers.insert(question, answer);
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
