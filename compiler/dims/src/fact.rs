//! A single fact: a comparison of two symbolic integers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Arithmetic, Sym, Symbol};

/// A comparison of integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl CompareOp {
    /// The integers `n` for which `n op bound` holds, as `low <= n < end`; `None` where there is no such end. `!=` has
    /// neither: it leaves a gap.
    ///
    /// # Errors
    /// Where an end overflows 64 bits.
    pub fn half_open(self, bound: &Sym) -> Result<[Option<Sym>; 2], Arithmetic> {
        let after = || bound.checked_add(&Sym::one()).map(Some);
        let at = || Some(bound.clone());
        Ok(match self {
            CompareOp::Eq => [at(), after()?],
            CompareOp::Lt => [None, at()],
            CompareOp::Le => [None, after()?],
            CompareOp::Gt => [after()?, None],
            CompareOp::Ge => [at(), None],
            CompareOp::Ne => [None, None],
        })
    }

    /// Whether the comparison holds for two integers.
    pub fn holds(self, left: i128, right: i128) -> bool {
        match self {
            CompareOp::Eq => left == right,
            CompareOp::Ne => left != right,
            CompareOp::Lt => left < right,
            CompareOp::Le => left <= right,
            CompareOp::Gt => left > right,
            CompareOp::Ge => left >= right,
        }
    }

    /// The comparison with its sides exchanged: `<` is `>`.
    pub fn turned(self) -> CompareOp {
        match self {
            CompareOp::Eq | CompareOp::Ne => self,
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
        }
    }

    /// The comparison that holds exactly where this one does not.
    pub fn negated(self) -> CompareOp {
        match self {
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne => CompareOp::Eq,
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Le => CompareOp::Gt,
            CompareOp::Gt => CompareOp::Le,
            CompareOp::Ge => CompareOp::Lt,
        }
    }
}

impl fmt::Display for CompareOp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        })
    }
}

/// A comparison that holds under every considered assignment, such as `M % 64 == 0`. A conjunction is several facts.
///
/// It prints as source text for a `where` clause.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// The left side.
    pub left: Sym,
    /// The comparison.
    pub op: CompareOp,
    /// The right side.
    pub right: Sym,
}

impl Fact {
    /// The fact that a comparison holds.
    pub fn compare(left: Sym, op: CompareOp, right: Sym) -> Fact {
        Fact { left, op, right }
    }

    /// The symbols on either side.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let mut symbols = self.left.symbols();
        symbols.extend(self.right.symbols());
        symbols
    }

    /// Whether one of the symbols occurs in the fact.
    pub(super) fn mentions(&self, symbols: &BTreeSet<Symbol>) -> bool {
        self.left.mentions(symbols) || self.right.mentions(symbols)
    }

    /// Whether the fact holds under an assignment; `None` if it cannot be evaluated there.
    pub fn holds(&self, assignment: &BTreeMap<Symbol, i64>) -> Option<bool> {
        self.holds_with(&|symbol| assignment.get(symbol).copied())
    }

    /// Whether the fact holds with these values of its symbols; `None` if it cannot be evaluated with them.
    pub(super) fn holds_with(&self, value_of: &dyn Fn(&Symbol) -> Option<i64>) -> Option<bool> {
        let value = |side: &Sym| side.evaluate_wide(value_of).ok();
        Some(self.op.holds(value(&self.left)?, value(&self.right)?))
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#} {} {:#}", self.left, self.op, self.right)
    }
}

/// A fact that contradicts known facts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Contradiction {
    /// The refused fact.
    pub fact: Fact,
    /// The earlier facts it contradicts; empty where it can never hold.
    pub against: Vec<Fact>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.fact.symbols().is_empty() {
            return write!(formatter, "`{}` does not hold", self.fact);
        }
        if self.against.is_empty() {
            write!(formatter, "`{}` can never hold, as ", self.fact)?;
            let symbols = self.fact.symbols();
            return match symbols.iter().find(|symbol| symbol.least() == 0) {
                Some(coordinate) => write!(formatter, "`{coordinate}` is a coordinate, an integer of at least 0"),
                None => formatter.write_str("every symbolic dimension is an integer of at least 1"),
            };
        }
        write!(formatter, "`{}` cannot hold together with ", self.fact)?;
        for (index, fact) in self.against.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(formatter, "{separator}`{fact}`")?;
        }
        Ok(())
    }
}

impl std::error::Error for Contradiction {}

/// A fact that actual sizes do not satisfy, or are not known to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ViolatedFact {
    /// The fact.
    pub fact: Fact,
    /// The values of the symbols that occur in it.
    pub values: BTreeMap<Symbol, i64>,
    /// What is known of the symbols without a value.
    pub others: Others,
}

/// What is known of the symbols that have no value, where the others violate a fact.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Others {
    /// Whatever their values are, the facts do not hold.
    Any,
    /// No values were found for these with which all facts hold, but there may be some.
    NotFound(BTreeSet<Symbol>),
}

impl ViolatedFact {
    /// Whether no values of the other symbols can satisfy the facts.
    pub fn is_certain(&self) -> bool {
        self.others == Others::Any
    }

    /// The symbols of the fact without a value.
    pub fn free(&self) -> BTreeSet<Symbol> {
        self.fact.symbols().into_iter().filter(|symbol| !self.values.contains_key(symbol)).collect()
    }
}

/// Elements in a row after a word: `for A = 1, B = 2`. Nothing where there are none.
fn row(formatter: &mut fmt::Formatter<'_>, word: &str, elements: impl Iterator<Item = String>) -> fmt::Result {
    let row = elements.collect::<Vec<_>>().join(", ");
    if row.is_empty() { Ok(()) } else { write!(formatter, " {word} {row}") }
}

impl fmt::Display for ViolatedFact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.iter().map(|(symbol, value)| format!("{symbol} = {value}"));
        match &self.others {
            Others::Any => {
                write!(formatter, "`{}` does not hold", self.fact)?;
                row(formatter, "for", values)?;
                row(formatter, "and any", self.free().iter().map(Symbol::to_string))
            }
            Others::NotFound(symbols) => {
                write!(formatter, "`{}` holds", self.fact)?;
                row(formatter, "for", values)?;
                row(formatter, "with none of the values tried for", symbols.iter().map(Symbol::to_string))?;
                formatter.write_str("; give values with which it does")
            }
        }
    }
}

impl std::error::Error for ViolatedFact {}
