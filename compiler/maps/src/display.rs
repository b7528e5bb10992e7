//! A map in one line: its shapes, its formula, where it is valid.

use std::fmt;

use super::{Affine, AxisRole, IndexMap, Term};
use dims::Sym;

/// The longest text of a term, in bytes; a longer one is shown as `…`. A term that is used twice is written twice, so
/// the text of a map could double in length with each transform.
const MOST_OF_TERM: usize = 1024;
/// The length, in bytes, beyond which a sum is cut.
const MOST_OF_SUM: usize = 4 * MOST_OF_TERM;

/// The text of a term, or `…` if it is too long.
pub(super) fn shortened(text: String) -> String {
    if text.len() > MOST_OF_TERM { "…".to_owned() } else { text }
}

/// Whether so much of a sum is written that the rest is cut.
pub(super) fn is_full(sum: &str) -> bool {
    sum.len() > MOST_OF_SUM
}

impl IndexMap {
    /// The names of the upper coordinates: `i0`, `i1` for local ones (`i` for a single one), `t` for the thread.
    pub fn axis_names(&self) -> Vec<String> {
        let count = |role| self.upper.iter().filter(|axis| axis.role == role).count();
        let (locals, threads) = (count(AxisRole::Local), count(AxisRole::Thread));
        let (mut local, mut thread) = (0, 0);
        self.upper
            .iter()
            .map(|axis| {
                let (letter, number, of) = match axis.role {
                    AxisRole::Local => ('i', &mut local, locals),
                    AxisRole::Thread => ('t', &mut thread, threads),
                };
                *number += 1;
                if of == 1 { letter.to_string() } else { format!("{letter}{}", *number - 1) }
            })
            .collect()
    }

    /// Every lower coordinate as a formula over the upper ones: `i + 3 * (t % 2)`.
    pub fn formulas(&self) -> Vec<String> {
        let terms = self.term_texts();
        self.lower.iter().map(|axis| affine(&axis.value, &terms)).collect()
    }

    /// The conditions of validity beyond the extents: `t < 6`.
    pub fn conditions(&self) -> Vec<String> {
        let terms = self.term_texts();
        self.masks
            .iter()
            .map(|mask| {
                let value = affine(&mask.value, &terms);
                match (&mask.low, &mask.high) {
                    (Some(low), Some(high)) => format!("{low} <= {value} < {high}"),
                    (Some(low), None) => format!("{value} >= {low}"),
                    (None, Some(high)) => format!("{value} < {high}"),
                    (None, None) => value,
                }
            })
            .collect()
    }

    fn term_texts(&self) -> Vec<String> {
        let names = self.axis_names();
        let mut texts: Vec<String> = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let text = match term {
                Term::Coordinate(axis) => names.get(*axis as usize).cloned().unwrap_or_default(),
                Term::Digit { of, divisor, modulus } => {
                    let mut text = affine(of, &texts);
                    if !is_operand(&text) {
                        text = format!("({text})");
                    }
                    if divisor.as_constant() != Some(1) {
                        text = format!("{text} / {}", factor(divisor));
                    }
                    match modulus {
                        Some(modulus) => format!("({text} % {})", factor(modulus)),
                        None => format!("({text})"),
                    }
                }
                Term::Xor(left, right) => format!("({} ^ {})", affine(left, &texts), affine(right, &texts)),
            };
            texts.push(shortened(text));
        }
        texts
    }
}

/// A size as an operand.
fn factor(size: &Sym) -> String {
    let text = size.to_string();
    if is_operand(&text) { text } else { format!("({text})") }
}

/// Whether a text needs no parentheses as an operand: it has no space outside of parentheses.
fn is_operand(text: &str) -> bool {
    let mut depth = 0_u32;
    text.chars().all(|character| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character != ' ' || depth > 0
    })
}

fn affine(form: &Affine, terms: &[String]) -> String {
    let mut text = String::new();
    for (term, coefficient) in &form.terms {
        if is_full(&text) {
            return format!("{text} + …");
        }
        let value = terms.get(term.0 as usize).map_or("", String::as_str);
        let negative = coefficient.as_constant().is_some_and(|coefficient| coefficient < 0);
        let magnitude = if negative {
            coefficient.checked_neg().unwrap_or_else(|_| coefficient.clone())
        } else {
            coefficient.clone()
        };
        let product = match magnitude.as_constant() {
            Some(1) => value.to_owned(),
            _ => format!("{} * {value}", factor(&magnitude)),
        };
        match (text.is_empty(), negative) {
            (true, false) => text = product,
            (true, true) => text = format!("-{product}"),
            (false, false) => text = format!("{text} + {product}"),
            (false, true) => text = format!("{text} - {product}"),
        }
    }
    match (text.is_empty(), form.constant.as_constant()) {
        (true, _) => form.constant.to_string(),
        (false, Some(0)) => text,
        (false, Some(constant)) if constant < 0 => format!("{text} - {}", constant.unsigned_abs()),
        (false, _) => format!("{text} + {}", form.constant),
    }
}

/// Extents as a shape; `_` is unbounded.
pub fn extents<'a>(extents: impl Iterator<Item = Option<&'a Sym>>) -> String {
    let parts: Vec<String> = extents.map(|extent| extent.map_or("_".to_owned(), Sym::to_string)).collect();
    format!("[{}]", parts.join(", "))
}

impl fmt::Display for IndexMap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let upper = extents(self.upper.iter().map(|axis| axis.extent.as_ref()));
        let lower = extents(self.lower.iter().map(|axis| axis.extent.as_ref()));
        let names = self.axis_names().join(", ");
        let formulas = if self.lower.is_empty() { "()".to_owned() } else { self.formulas().join(", ") };
        write!(formatter, "{upper} -> {lower}: ({names}) -> {formulas}")?;
        let conditions = self.conditions();
        if !conditions.is_empty() {
            write!(formatter, " where {}", conditions.join(" && "))?;
        }
        Ok(())
    }
}
