//! Answers that are asked again and again: neighbouring accesses have the same map, and the same facts hold for them.

use std::hash::Hash;

use dims::Facts;
use rustc_hash::FxHashMap;

/// Answers to questions, for as long as the same facts hold.
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
    /// The answer where these facts hold, which `find` finds where nobody has asked yet.
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
