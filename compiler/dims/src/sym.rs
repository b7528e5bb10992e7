//! The canonical form of symbolic integers, and the arithmetic that needs no facts.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::polynomial::{Monomial, Polynomial};
use super::{Arithmetic, EvaluateError, Symbol};

/// The most nodes of a symbolic integer: more would be unreadable and too slow.
const LARGEST_WEIGHT: u32 = 4096;
/// The deepest nesting of divisions, minima and maxima, so that recursion over them is safe.
const GREATEST_DEPTH: u32 = 48;

/// A symbolic integer in canonical form: a sum of integer coefficients times products of powers of atoms.
///
/// Cloning is cheap, and a constant does not allocate. Values that compare equal are the same integer; the converse
/// is what [`Facts::prove`] decides.
///
/// The form is valid wherever the facts hold under which it was built; to compare forms for equality, build them
/// under the same facts.
///
/// Every coefficient fits in 64 bits, as every literal of the language does. The canonical form has the value of the
/// written expression wherever that has one; where that divides by zero, the canonical form may still have a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(Form);

/// A constant is never stored as a polynomial, so that the derived comparisons are structural. The polynomial variant
/// comes first so that constants sort last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Form {
    Polynomial(Arc<Node>),
    Constant(i64),
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Node {
    polynomial: Polynomial<Atom>,
    weight: u32,
    depth: u32,
}

/// A variable of the polynomial of a symbolic integer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A symbol.
    Symbol(Symbol),
    /// The quotient, rounded down.
    FloorDiv {
        /// The dividend.
        dividend: Sym,
        /// The divisor; never a constant below 2.
        divisor: Sym,
        /// Whether the facts under which the quotient was built prove the division exact, so that multiplying by the
        /// divisor gives the dividend.
        exact: bool,
    },
    /// The remainder of division rounded down: it has the sign of the divisor.
    Remainder {
        /// The dividend.
        dividend: Sym,
        /// The divisor; never a constant below 2.
        divisor: Sym,
    },
    /// The least of two or more operands, sorted, without duplicates, at most one of them constant.
    Min(Arc<[Sym]>),
    /// The greatest of two or more operands, sorted, without duplicates, at most one of them constant.
    Max(Arc<[Sym]>),
}

/// Why a canonical form could not be built; the failed operation adds its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    Overflow,
    TooComplex,
}

impl Limit {
    /// The error of an operation on these operands.
    pub fn between(self, left: &Sym, op: &'static str, right: &Sym) -> Arithmetic {
        match self {
            Limit::Overflow => Arithmetic::Overflow { left: left.clone(), op, right: right.clone() },
            Limit::TooComplex => Arithmetic::TooComplex { op },
        }
    }
}

impl Sym {
    /// The integer 0.
    pub fn zero() -> Sym {
        Sym::constant(0)
    }

    /// The integer 1.
    pub fn one() -> Sym {
        Sym::constant(1)
    }

    /// An integer that is known now.
    pub fn constant(value: i64) -> Sym {
        Sym(Form::Constant(value))
    }

    /// An integer that is known at launch.
    pub fn symbol(symbol: Symbol) -> Sym {
        let polynomial = Polynomial::variable(Atom::Symbol(symbol));
        Sym(Form::Polynomial(Arc::new(Node { polynomial, weight: 2, depth: 0 })))
    }

    /// The value, if the canonical form is a constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.0 {
            Form::Constant(value) => Some(value),
            Form::Polynomial(_) => None,
        }
    }

    /// The symbol, if this is a single symbol.
    pub fn as_symbol(&self) -> Option<&Symbol> {
        match self.as_atom() {
            Some(Atom::Symbol(symbol)) => Some(symbol),
            _ => None,
        }
    }

    /// The atom, if this is a single atom.
    pub fn as_atom(&self) -> Option<&Atom> {
        match self.terms_of_polynomial() {
            [(monomial, 1)] => monomial.as_variable(),
            _ => None,
        }
    }

    /// Whether this is the constant 0.
    pub fn is_zero(&self) -> bool {
        self.as_constant() == Some(0)
    }

    /// The terms, each a coefficient and the powers of atoms it is multiplied by, in canonical order with the constant
    /// last. A constant has one term without atoms, zero has none.
    pub fn terms(&self) -> impl Iterator<Item = (i64, &[(Atom, u32)])> {
        let constant = self.as_constant().filter(|value| *value != 0).map(|value| (value, [].as_slice()));
        let polynomial = self.terms_of_polynomial().iter();
        // Coefficients are kept within 64 bits by construction, so saturation never happens.
        let terms = polynomial.map(|(monomial, coefficient)| (saturate(*coefficient), monomial.factors()));
        constant.into_iter().chain(terms)
    }

    /// The terms, each a coefficient and the product of atoms that it multiplies; the constant multiplies 1. `None`
    /// if a product is too large to represent.
    pub fn products(&self) -> Option<Vec<(i64, Sym)>> {
        let polynomial = self.polynomial();
        let products = polynomial.terms().iter().map(|(monomial, coefficient)| {
            let product = Sym::from_polynomial(Polynomial::term(monomial.clone(), 1)).ok()?;
            Some((i64::try_from(*coefficient).ok()?, product))
        });
        products.collect()
    }

    fn terms_of_polynomial(&self) -> &[(Monomial<Atom>, i128)] {
        match &self.0 {
            Form::Polynomial(node) => node.polynomial.terms(),
            Form::Constant(_) => &[],
        }
    }

    /// All symbols that occur in the integer.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let mut symbols = BTreeSet::new();
        self.collect_symbols(&mut symbols);
        symbols
    }

    fn collect_symbols(&self, symbols: &mut BTreeSet<Symbol>) {
        for (atom, _) in self.terms_of_polynomial().iter().flat_map(|(monomial, _)| monomial.factors()) {
            if let Atom::Symbol(symbol) = atom {
                symbols.insert(symbol.clone());
            }
            atom.operands().for_each(|operand| operand.collect_symbols(symbols));
        }
    }

    /// Whether one of the symbols occurs in the integer.
    pub(super) fn mentions(&self, symbols: &BTreeSet<Symbol>) -> bool {
        let mut atoms = self.terms_of_polynomial().iter().flat_map(|(monomial, _)| monomial.factors());
        atoms.any(|(atom, _)| match atom {
            Atom::Symbol(symbol) => symbols.contains(symbol),
            _ => atom.operands().any(|operand| operand.mentions(symbols)),
        })
    }

    /// How long it is written out: its terms and factors, and those within its divisions, minima and maxima.
    pub fn weight(&self) -> u32 {
        match &self.0 {
            Form::Polynomial(node) => node.weight,
            Form::Constant(_) => 1,
        }
    }

    fn depth(&self) -> u32 {
        match &self.0 {
            Form::Polynomial(node) => node.depth,
            Form::Constant(_) => 0,
        }
    }

    /// The polynomial of the canonical form.
    pub(super) fn polynomial(&self) -> Cow<'_, Polynomial<Atom>> {
        match &self.0 {
            Form::Polynomial(node) => Cow::Borrowed(&node.polynomial),
            Form::Constant(value) => Cow::Owned(Polynomial::constant(i128::from(*value))),
        }
    }

    /// The canonical form of a polynomial.
    pub(super) fn from_polynomial(polynomial: Polynomial<Atom>) -> Result<Sym, Limit> {
        let polynomial = super::settle::settle(polynomial)?;
        if let Some(value) = polynomial.as_constant() {
            return i64::try_from(value).map(Sym::constant).map_err(|_| Limit::Overflow);
        }
        let (mut weight, mut depth) = (0u32, 0);
        for (monomial, coefficient) in polynomial.terms() {
            i64::try_from(*coefficient).map_err(|_| Limit::Overflow)?;
            weight = weight.saturating_add(1);
            for (atom, power) in monomial.factors() {
                let inner: u32 = atom.operands().fold(1, |sum, operand| sum.saturating_add(operand.weight()));
                weight = weight.saturating_add(inner).saturating_add(power - 1);
                depth = atom.operands().map(|operand| operand.depth() + 1).fold(depth, u32::max);
            }
        }
        if weight > LARGEST_WEIGHT || depth > GREATEST_DEPTH {
            return Err(Limit::TooComplex);
        }
        Ok(Sym(Form::Polynomial(Arc::new(Node { polynomial, weight, depth }))))
    }

    pub(super) fn from_atom(atom: Atom) -> Result<Sym, Limit> {
        Sym::from_polynomial(Polynomial::variable(atom))
    }

    /// The sum.
    pub fn checked_add(&self, other: &Sym) -> Result<Sym, Arithmetic> {
        if let (Form::Constant(left), Form::Constant(right)) = (&self.0, &other.0) {
            let sum = left.checked_add(*right).map(Sym::constant);
            return sum.ok_or_else(|| Limit::Overflow.between(self, "+", other));
        }
        let sum = match (&self.0, &other.0) {
            (Form::Constant(constant), Form::Polynomial(node)) => other.plus_constant(node, i128::from(*constant)),
            (Form::Polynomial(node), Form::Constant(constant)) => self.plus_constant(node, i128::from(*constant)),
            _ => self.polynomial().add(&other.polynomial()).ok_or(Limit::Overflow).and_then(Sym::from_polynomial),
        };
        sum.map_err(|limit| limit.between(self, "+", other))
    }

    /// The sum with a number. No rewriting applies that did not apply before, as none is about constants.
    fn plus_constant(&self, node: &Node, constant: i128) -> Result<Sym, Limit> {
        if constant == 0 {
            return Ok(self.clone());
        }
        let polynomial = node.polynomial.add_constant(constant).ok_or(Limit::Overflow)?;
        i64::try_from(polynomial.constant_term()).map_err(|_| Limit::Overflow)?;
        // Weights are far below 32 bits, and a term is added or removed at most.
        let weight = node.weight + polynomial.terms().len() as u32 - node.polynomial.terms().len() as u32;
        if weight > LARGEST_WEIGHT {
            return Err(Limit::TooComplex);
        }
        Ok(Sym(Form::Polynomial(Arc::new(Node { polynomial, weight, depth: node.depth }))))
    }

    /// The difference.
    pub fn checked_sub(&self, other: &Sym) -> Result<Sym, Arithmetic> {
        if let (Form::Constant(left), Form::Constant(right)) = (&self.0, &other.0) {
            let difference = left.checked_sub(*right).map(Sym::constant);
            return difference.ok_or_else(|| Limit::Overflow.between(self, "-", other));
        }
        if let (Form::Polynomial(node), Form::Constant(constant)) = (&self.0, &other.0) {
            return self.plus_constant(node, -i128::from(*constant)).map_err(|limit| limit.between(self, "-", other));
        }
        if self == other {
            return Ok(Sym::zero());
        }
        let difference = self.polynomial().subtract(&other.polynomial());
        difference
            .ok_or(Limit::Overflow)
            .and_then(Sym::from_polynomial)
            .map_err(|limit| limit.between(self, "-", other))
    }

    /// The product.
    pub fn checked_mul(&self, other: &Sym) -> Result<Sym, Arithmetic> {
        if let (Form::Constant(left), Form::Constant(right)) = (&self.0, &other.0) {
            let product = left.checked_mul(*right).map(Sym::constant);
            return product.ok_or_else(|| Limit::Overflow.between(self, "*", other));
        }
        match (self.as_constant(), other.as_constant()) {
            (Some(0), _) | (_, Some(0)) => return Ok(Sym::zero()),
            (Some(1), _) => return Ok(other.clone()),
            (_, Some(1)) => return Ok(self.clone()),
            _ => {}
        }
        self.product(other).and_then(Sym::from_polynomial).map_err(|limit| limit.between(self, "*", other))
    }

    fn product(&self, other: &Sym) -> Result<Polynomial<Atom>, Limit> {
        let terms = self.terms_of_polynomial().len().max(1) * other.terms_of_polynomial().len().max(1);
        if terms > LARGEST_WEIGHT as usize {
            return Err(Limit::TooComplex);
        }
        self.polynomial().multiply(&other.polynomial()).ok_or(Limit::Overflow)
    }

    /// The negation.
    pub fn checked_neg(&self) -> Result<Sym, Arithmetic> {
        Sym::zero().checked_sub(self)
    }

    /// The value under an assignment of integers to symbols.
    pub fn evaluate(&self, assignment: &dyn Fn(&Symbol) -> Option<i64>) -> Result<i64, EvaluateError> {
        if let Some(value) = self.as_constant() {
            return Ok(value);
        }
        let value = self.evaluate_wide(assignment)?;
        i64::try_from(value).map_err(|_| EvaluateError::Overflow)
    }

    /// The same in 128 bits.
    pub fn evaluate_wide(&self, assignment: &dyn Fn(&Symbol) -> Option<i64>) -> Result<i128, EvaluateError> {
        if let Some(value) = self.as_constant() {
            return Ok(i128::from(value));
        }
        let mut sum = 0i128;
        for (coefficient, factors) in self.terms() {
            let mut product = i128::from(coefficient);
            for (atom, power) in factors {
                let value = atom.evaluate(assignment)?.checked_pow(*power).ok_or(EvaluateError::Overflow)?;
                product = product.checked_mul(value).ok_or(EvaluateError::Overflow)?;
            }
            sum = sum.checked_add(product).ok_or(EvaluateError::Overflow)?;
        }
        Ok(sum)
    }
}

impl From<i64> for Sym {
    fn from(value: i64) -> Sym {
        Sym::constant(value)
    }
}

impl From<Symbol> for Sym {
    fn from(symbol: Symbol) -> Sym {
        Sym::symbol(symbol)
    }
}

fn saturate(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}
