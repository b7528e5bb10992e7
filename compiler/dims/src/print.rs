//! Symbolic integers as source text.

use std::fmt::{self, Write};

use super::polynomial::{Monomial, Polynomial};
use super::{Atom, Facts, Sym};

/// The precedence of a text's outermost operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// A sum, or anything that starts with a minus sign.
    Sum,
    /// A product, quotient or remainder.
    Product,
    /// A name, a number or a call.
    Unit,
}

/// One factor of a term of the text.
enum Factor<'s> {
    Atom(&'s Atom),
    /// A quotient rounded up; the dividend is computed, as the canonical form only rounds down.
    RoundedUp(Sym, &'s Sym),
}

/// One term of the text: the sign and the magnitude of the coefficient, and the factors.
struct Term<'s> {
    coefficient: i128,
    factors: Vec<Factor<'s>>,
}

/// Prints source text of the language.
///
/// Positive terms come before negative ones, and the constant comes last, unless it alone is positive: `a - b + 1`,
/// `64 - N`. A coefficient is written directly before a symbol whose name is a single lower-case letter, as in `4a`,
/// and otherwise with `*`, as in `900 * N` and `4 * a * b`. A quotient that rounds up is written `cdiv(M, 64)` if the
/// divisor is known to be positive. A power is a repeated product.
///
/// Only the `4a` form does not parse back; the alternate form (`{:#}`) writes `4 * a` there too.
impl fmt::Display for Sym {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let notation = if formatter.alternate() { Notation::Source } else { Notation::Mathematical };
        formatter.write_str(&text(self, notation).0)
    }
}

/// How a coefficient is written before a symbol of one letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    /// `4a`
    Mathematical,
    /// `4 * a`
    Source,
}

/// The same as the display form.
impl fmt::Debug for Sym {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

impl Sym {
    /// The text, in parentheses unless it is a single word, number or call.
    pub fn as_operand(&self) -> String {
        at_least(self, Level::Unit, Notation::Mathematical)
    }
}

fn at_least(value: &Sym, level: Level, notation: Notation) -> String {
    let (text, own) = text(value, notation);
    if own < level { format!("({text})") } else { text }
}

fn text(value: &Sym, notation: Notation) -> (String, Level) {
    if let Some(constant) = value.as_constant() {
        return (constant.to_string(), if constant < 0 { Level::Sum } else { Level::Unit });
    }
    let terms = in_order(terms(value));
    let mut text = String::new();
    let mut level = Level::Sum;
    for (index, term) in terms.iter().enumerate() {
        let negative = term.coefficient < 0;
        text.push_str(match (index, negative) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        });
        let (written, own) = term_text(term, notation);
        // `-M / 64` would be read as the quotient of -M.
        let in_parentheses = index == 0 && negative && own == Level::Product && term.coefficient == -1;
        if in_parentheses && term.factors.len() == 1 {
            // Writing to a string cannot fail.
            let _ = write!(text, "({written})");
        } else {
            text.push_str(&written);
        }
        if terms.len() == 1 && !negative {
            level = own;
        }
    }
    (text, level)
}

/// The terms, with quotients that round up recognised.
fn terms(value: &Sym) -> Vec<Term<'_>> {
    let mut left = value.polynomial().into_owned();
    let mut terms = Vec::new();
    for (coefficient, factors) in value.terms() {
        let coefficient = i128::from(coefficient);
        if let Some((rest, rounded_up)) =
            factors.iter().find_map(|(atom, _)| rounded_up(&left, coefficient, factors, atom))
        {
            left = rest;
            terms.push(Term { coefficient, factors: rounded_up });
        }
    }
    let mut plain: Vec<Term<'_>> = Vec::new();
    for (coefficient, factors) in value.terms() {
        // The rest of this term: recognised terms are gone, and have reduced the constants.
        let monomial = monomial_of(factors);
        let remaining = monomial.map_or(i128::from(coefficient), |monomial| left.coefficient(&monomial));
        if remaining != 0 {
            plain.push(Term { coefficient: remaining, factors: repeated(factors, None) });
        }
    }
    // Plain terms keep the canonical order; recognised ones take the place of their quotients, before lower terms.
    terms.append(&mut plain);
    terms
}

fn monomial_of(factors: &[(Atom, u32)]) -> Option<Monomial<Atom>> {
    let mut monomial = Monomial::one();
    for (atom, power) in factors {
        for _ in 0..*power {
            monomial = monomial.multiply(&Monomial::variable(atom.clone()))?;
        }
    }
    Some(monomial)
}

/// The factors, repeated according to their powers, without one occurrence of `except`.
fn repeated<'s>(factors: &'s [(Atom, u32)], except: Option<&Atom>) -> Vec<Factor<'s>> {
    let mut written = Vec::new();
    for (atom, power) in factors {
        let times = if except == Some(atom) { power - 1 } else { *power };
        written.extend((0..times).map(|_| plainly_rounded_up(atom).unwrap_or(Factor::Atom(atom))));
    }
    written
}

/// The dividend and the divisor of a quotient that may be a rounded-up one.
fn rounded_quotient(atom: &Atom) -> Option<(&Sym, &Sym)> {
    let Atom::FloorDiv { dividend, divisor, exact: false } = atom else { return None };
    // The two forms are equal only for a positive divisor, and no facts are available here.
    let is_positive = Facts::empty().range(divisor).lo.is_some_and(|lo| lo >= 1);
    is_positive.then_some((dividend, divisor))
}

/// `(x + d - 1) / d` as a rounded-up quotient, in any context.
fn plainly_rounded_up(atom: &Atom) -> Option<Factor<'_>> {
    let (dividend, divisor) = rounded_quotient(atom)?;
    let (upper, lower) = (dividend.polynomial(), divisor.polynomial());
    let whole = upper.subtract(&lower)?.add_constant(1)?;
    let simpler = whole.variable_terms().len() + lower.variable_terms().len() == upper.variable_terms().len();
    if whole.constant_term() != 0 || !simpler || whole.as_constant().is_some() {
        return None;
    }
    Some(Factor::RoundedUp(Sym::from_polynomial(whole).ok()?, divisor))
}

/// The term `coefficient * factors` with a rounded-up quotient in place of `atom`, and the rest of the sum.
fn rounded_up<'s>(
    sum: &Polynomial<Atom>,
    coefficient: i128,
    factors: &'s [(Atom, u32)],
    atom: &'s Atom,
) -> Option<(Polynomial<Atom>, Vec<Factor<'s>>)> {
    let (dividend, divisor) = rounded_quotient(atom)?;
    let monomial = monomial_of(factors)?;
    let mut rest = sum.subtract(&Polynomial::term(monomial.clone(), coefficient))?;
    let first = match plainly_rounded_up(atom) {
        Some(plainly) => plainly,
        None => {
            // For a symbol d, cdiv(x, d) has the form (x - 1) / d + 1.
            let cofactor = monomial.divide(&Monomial::variable(atom.clone()))?;
            let spare = rest.coefficient(&cofactor);
            let enough = spare.signum() == coefficient.signum() && spare.checked_abs()? >= coefficient.checked_abs()?;
            let upper = dividend.polynomial();
            if divisor.as_constant().is_some() || upper.constant_term() != -1 || !enough {
                return None;
            }
            rest = rest.subtract(&Polynomial::term(cofactor, coefficient))?;
            Factor::RoundedUp(Sym::from_polynomial(upper.add_constant(1)?).ok()?, divisor)
        }
    };
    let mut written = vec![first];
    written.extend(repeated(factors, Some(atom)));
    Some((rest, written))
}

/// Positive terms, then negative ones, then the constant; the constant first if everything else is negative.
fn in_order(terms: Vec<Term<'_>>) -> Vec<Term<'_>> {
    let (constants, variables): (Vec<_>, Vec<_>) = terms.into_iter().partition(|term| term.factors.is_empty());
    let (positive, negative): (Vec<_>, Vec<_>) = variables.into_iter().partition(|term| term.coefficient > 0);
    let constant_leads = positive.is_empty() && constants.iter().all(|term| term.coefficient > 0);
    let parts = if constant_leads { [constants, positive, negative] } else { [positive, negative, constants] };
    parts.into_iter().flatten().collect()
}

/// The text of a term without its sign.
fn term_text(term: &Term<'_>, notation: Notation) -> (String, Level) {
    let magnitude = term.coefficient.unsigned_abs();
    match term.factors.as_slice() {
        [] => (magnitude.to_string(), Level::Unit),
        [only] if magnitude == 1 => factor_text(only, notation),
        [Factor::Atom(Atom::Symbol(symbol))] if notation == Notation::Mathematical && is_letter(symbol.name()) => {
            (format!("{magnitude}{symbol}"), Level::Product)
        }
        factors => {
            let mut parts = if magnitude == 1 { Vec::new() } else { vec![magnitude.to_string()] };
            parts.extend(factors.iter().map(|factor| {
                let (text, level) = factor_text(factor, notation);
                if level < Level::Unit { format!("({text})") } else { text }
            }));
            (parts.join(" * "), Level::Product)
        }
    }
}

fn is_letter(name: &str) -> bool {
    matches!(name.as_bytes(), [letter] if letter.is_ascii_lowercase())
}

fn factor_text(factor: &Factor<'_>, notation: Notation) -> (String, Level) {
    let call = |name: &str, operands: &[&Sym]| {
        let operands: Vec<String> = operands.iter().map(|operand| text(operand, notation).0).collect();
        (format!("{name}({})", operands.join(", ")), Level::Unit)
    };
    let binary = |left: &Sym, op: &str, right: &Sym| {
        (
            format!("{} {op} {}", at_least(left, Level::Product, notation), at_least(right, Level::Unit, notation)),
            Level::Product,
        )
    };
    match factor {
        Factor::RoundedUp(dividend, divisor) => call("cdiv", &[dividend, divisor]),
        Factor::Atom(Atom::Symbol(symbol)) => (symbol.name().to_owned(), Level::Unit),
        Factor::Atom(Atom::FloorDiv { dividend, divisor, .. }) => binary(dividend, "/", divisor),
        Factor::Atom(Atom::Remainder { dividend, divisor }) => binary(dividend, "%", divisor),
        Factor::Atom(Atom::Min(operands)) => call("min", &operands.iter().collect::<Vec<_>>()),
        Factor::Atom(Atom::Max(operands)) => call("max", &operands.iter().collect::<Vec<_>>()),
    }
}
