//! Whether actual sizes satisfy facts.

use std::collections::{BTreeMap, BTreeSet};

use super::{CompareOp, Fact, Facts, Others, Sym, Symbol, ViolatedFact};

/// The most numbers at which facts begin or cease to hold that are tried for the symbols left out.
const MOST_HINTS: usize = 256;

impl Facts {
    /// Checks actual sizes against the facts, in the order of statement. A fact that cannot be evaluated, such as one
    /// about a symbol without a value, is skipped.
    pub fn check(&self, assignment: &BTreeMap<Symbol, i64>) -> Result<(), ViolatedFact> {
        let mut values = assignment.iter();
        if let Some((symbol, value)) = values.find(|(symbol, value)| **value < symbol.least()) {
            let values = BTreeMap::from([(symbol.clone(), *value)]);
            let least = Sym::constant(symbol.least());
            let fact = Fact::compare(Sym::symbol(symbol.clone()), CompareOp::Ge, least);
            return Err(ViolatedFact { fact, values, others: Others::Any });
        }
        match self.stated.iter().find(|fact| fact.holds(assignment) == Some(false)) {
            None => Ok(()),
            Some(fact) => Err(violated(fact, assignment, Others::Any)),
        }
    }

    /// The same for sizes that may leave out symbols which the facts connect to them: there must be values for those
    /// too with which every fact holds. So `M == 4 * N` admits 8 for `M`, but not 9.
    ///
    /// What is proven under the facts holds only for such sizes. Values for the symbols left out are looked for among
    /// a limited number of small ones and of those that the facts imply; where none are found, the error says so.
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
            // A side that cannot be computed is tried with each of the values.
            let Some((left, right)) = with_known else { continue };
            if rest.assume(Fact::compare(left, fact.op, right)).is_err() {
                return Err(violated(fact, assignment, Others::Any));
            }
        }
        let left_out: BTreeSet<Symbol> = open.iter().flat_map(|fact| fact.symbols()).collect();
        let left_out = left_out.into_iter().filter(|symbol| !assignment.contains_key(symbol)).collect();
        let mut hints: Vec<i64> = assignment.values().copied().collect();
        hints.extend(rest.stated.iter().flat_map(|fact| rest.ends(fact)).take(MOST_HINTS));
        let all_hold = |found: &BTreeMap<Symbol, i64>| {
            let all = assignment.iter().chain(found).map(|(symbol, value)| (symbol.clone(), *value)).collect();
            open.iter().all(|fact| fact.holds(&all) == Some(true))
        };
        match rest.sample_near(&left_out, &hints).find(all_hold) {
            Some(_) => Ok(()),
            None => Err(violated(first, assignment, Others::NotFound(left_out))),
        }
    }

    /// Where a fact about a single unknown symbol begins or ceases to hold, as far as its sides grow with the symbol:
    /// by bisection between powers of two.
    fn ends(&self, fact: &Fact) -> Vec<i64> {
        let (mut assignment, mut unknown) = (BTreeMap::new(), Vec::new());
        for symbol in fact.symbols() {
            let known = self.known(&symbol);
            match i64::try_from(known.lo) {
                Ok(only) if known.hi == Some(known.lo) => drop(assignment.insert(symbol, only)),
                _ => unknown.push(symbol),
            }
        }
        let [symbol] = unknown.as_slice() else { return Vec::new() };
        let mut ends = Vec::new();
        for op in [CompareOp::Lt, CompareOp::Le] {
            let compared = Fact::compare(fact.left.clone(), op, fact.right.clone());
            let mut holds = |value: i64| {
                assignment.insert(symbol.clone(), value);
                compared.holds(&assignment)
            };
            for power in 0..62 {
                let (mut low, mut high) = (1i64 << power, 1i64 << (power + 1));
                let before = holds(low);
                if before.is_none() || holds(high).is_none_or(|after| Some(after) == before) {
                    continue;
                }
                while high - low > 1 {
                    let middle = low + (high - low) / 2;
                    *(if holds(middle) == before { &mut low } else { &mut high }) = middle;
                }
                ends.extend([low, high]);
            }
        }
        ends
    }
}

fn violated(fact: &Fact, assignment: &BTreeMap<Symbol, i64>, others: Others) -> ViolatedFact {
    let value = |symbol: Symbol| assignment.get(&symbol).map(|value| (symbol, *value));
    ViolatedFact { fact: fact.clone(), values: fact.symbols().into_iter().filter_map(value).collect(), others }
}
