//! Whether actual sizes satisfy facts.

use std::collections::{BTreeMap, BTreeSet};

use super::{CompareOp, Fact, Facts, Sym, Symbol, ViolatedFact};

impl Facts {
    /// Checks actual sizes against the facts, in the order of statement. A fact that cannot be evaluated, such as one
    /// about a symbol without a value, is skipped.
    pub fn check(&self, assignment: &BTreeMap<Symbol, i64>) -> Result<(), ViolatedFact> {
        let mut values = assignment.iter();
        if let Some((symbol, value)) = values.find(|(symbol, value)| **value < symbol.least()) {
            let values = BTreeMap::from([(symbol.clone(), *value)]);
            let least = Sym::constant(symbol.least());
            let fact = Fact::compare(Sym::symbol(symbol.clone()), CompareOp::Ge, least);
            return Err(ViolatedFact { fact, values });
        }
        match self.stated.iter().find(|fact| fact.holds(assignment) == Some(false)) {
            None => Ok(()),
            Some(fact) => Err(violated(fact, assignment)),
        }
    }

    /// The same for sizes that may leave out symbols which the facts connect to them: there must be values for those
    /// too with which every fact holds. So `M == 4 * N` admits 8 for `M`, but not 9.
    ///
    /// What is proven under the facts holds only for such sizes. Values for the symbols left out are looked for among
    /// a limited number of small ones and of those that the facts imply; where none are found, the sizes are refused.
    pub fn admit(&self, assignment: &BTreeMap<Symbol, i64>) -> Result<(), ViolatedFact> {
        self.check(assignment)?;
        let related = self.related(&assignment.keys().cloned().collect());
        let is_open = |fact: &&Fact| fact.mentions(&related) && fact.holds(assignment).is_none();
        let open: Vec<&Fact> = self.stated.iter().filter(is_open).collect();
        let Some(first) = open.first() else { return Ok(()) };
        let known = assignment.iter().map(|(symbol, value)| (symbol.clone(), Sym::constant(*value))).collect();
        let mut rest = Facts::empty();
        for fact in &open {
            let side = |side: &Sym| side.substitute(&known, &Facts::empty()).ok();
            let with_known = side(&fact.left).zip(side(&fact.right));
            let assumed = with_known.map(|(left, right)| rest.assume(Fact::compare(left, fact.op, right)).is_ok());
            if assumed != Some(true) {
                return Err(violated(fact, assignment));
            }
        }
        let left_out: BTreeSet<Symbol> = open.iter().flat_map(|fact| fact.symbols()).collect();
        let left_out = left_out.into_iter().filter(|symbol| !assignment.contains_key(symbol)).collect();
        let hints: Vec<i64> = assignment.values().copied().collect();
        let found = rest.sample_near(&left_out, &hints).next();
        found.map(|_| ()).ok_or_else(|| violated(first, assignment))
    }
}

fn violated(fact: &Fact, assignment: &BTreeMap<Symbol, i64>) -> ViolatedFact {
    let value = |symbol: Symbol| assignment.get(&symbol).map(|value| (symbol, *value));
    ViolatedFact { fact: fact.clone(), values: fact.symbols().into_iter().filter_map(value).collect() }
}
