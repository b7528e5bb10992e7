//! The set of facts that hold for the symbols of a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::answers::Answers;
use super::known::Known;
use super::{Contradiction, Fact, Sym, Symbol};

/// What is known of the symbols: the facts as stated, and what was deduced from them.
///
/// Every symbol is at least [`Symbol::least`], also without facts.
///
/// Copies share memory until one of them is changed: the items of a file mostly have the same facts.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Facts(Arc<FactSet>);

/// The shared content of [`Facts`].
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct FactSet {
    pub(super) stated: Vec<Fact>,
    /// What is known of single symbols; of one that is not here, only its least value is.
    pub(super) symbols: BTreeMap<Symbol, Known>,
    /// Symbols that always equal an integer over other symbols. No definition, relation or division contains a
    /// defined symbol.
    pub(super) definitions: BTreeMap<Symbol, Sym>,
    pub(super) relations: Vec<Relation>,
    pub(super) divisions: Vec<Division>,
    /// The connected components of symbols, where facts connect symbols.
    ties: Vec<BTreeSet<Symbol>>,
    /// The number of relations that were compared with others while they were learned.
    pub(super) comparisons: u32,
    /// The answers cached for exactly these facts.
    pub(super) answers: Answers,
}

impl Deref for Facts {
    type Target = FactSet;

    fn deref(&self) -> &FactSet {
        &self.0
    }
}

impl DerefMut for Facts {
    fn deref_mut(&mut self) -> &mut FactSet {
        Arc::make_mut(&mut self.0)
    }
}

/// How an integer compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sign {
    NonNegative,
    Zero,
    NonZero,
}

/// A comparison of an integer over several symbols with zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Relation {
    pub value: Sym,
    pub sign: Sign,
}

/// The dividend is a multiple of the divisor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Division {
    pub dividend: Sym,
    pub divisor: Sym,
}

impl Facts {
    /// No facts beyond the least value of every symbol.
    pub fn empty() -> Facts {
        Facts::default()
    }

    /// Whether nothing has been stated.
    pub fn is_empty(&self) -> bool {
        self.stated.is_empty()
    }

    /// The facts in the order in which they were stated; each prints as source text.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.stated.iter()
    }

    /// All the facts of both. Fails if they contradict each other.
    pub fn union(&self, other: &Facts) -> Result<Facts, Contradiction> {
        if self.is_empty() {
            return Ok(other.clone());
        }
        let mut all = self.clone();
        for fact in &other.stated {
            all.assume(fact.clone())?;
        }
        Ok(all)
    }

    pub(super) fn known(&self, symbol: &Symbol) -> Known {
        self.symbols.get(symbol).copied().unwrap_or(Known::at_least(symbol.least()))
    }

    pub(super) fn definition(&self, symbol: &Symbol) -> Option<&Sym> {
        self.definitions.get(symbol)
    }

    /// Records that a fact connects its symbols.
    pub(super) fn tie(&mut self, fact: &Fact) {
        let symbols = fact.symbols();
        let is_touched = |others: &BTreeSet<Symbol>| symbols.iter().any(|symbol| others.contains(symbol));
        let (mut touched, separate): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.ties).into_iter().partition(is_touched);
        self.ties = separate;
        // The small sets are added to the largest, so that a chain of facts costs as much as its length.
        touched.sort_by_key(BTreeSet::len);
        let mut tied = touched.pop().unwrap_or_default();
        tied.extend(touched.into_iter().flatten().chain(symbols));
        if !tied.is_empty() {
            self.ties.push(tied);
        }
    }

    /// The symbols, and all others that facts connect to them.
    pub fn related(&self, symbols: &BTreeSet<Symbol>) -> BTreeSet<Symbol> {
        let mut related = symbols.clone();
        for tied in self.ties.iter().filter(|tied| !tied.is_disjoint(symbols)) {
            related.extend(tied.iter().cloned());
        }
        related
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.stated.iter().map(|fact| format_args!("{fact}").to_string())).finish()
    }
}
