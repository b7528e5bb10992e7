//! A readable description of a map: its formula, and its pieces from the fastest to the slowest.

use std::fmt;

use super::arithmetic::{self, Sign};
use super::display::{is_full, shortened};
use super::normal::{Atom, AtomKind, NormalMap};
use super::{Affine, AxisRole, IndexMap, MapError, Term};
use dims::{Facts, Sym};

/// What hover shows of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// For each upper coordinate the name that the formulas use: `i` or `i0`, `i1` … for local coordinates, `tid` or
    /// `tid0`, `tid1` … for those of threads.
    pub names: Vec<String>,
    /// For each lower coordinate its formula over those names, such as `i0 + 3 * (tid % 2) + 6 * (tid / 2)`.
    pub formulas: Vec<String>,
    /// For each lower coordinate the pieces that it is made of, from the fastest to the slowest as far as their
    /// strides can be compared.
    pub pieces: Vec<Vec<Piece>>,
    /// For each lower coordinate the two parts of its formula: the thread part with the constant, and the local part.
    /// `None` where a term mixes both.
    pub split: Vec<Option<(String, String)>>,
}

/// A coordinate, or a digit of one, as a part of a lower coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// `i0`, `t0` … as in layouts: digits of local and of thread coordinates are numbered consecutively, the fastest
    /// digit of each coordinate first. Where several coordinates have digits, each is a formula such as `i1 % 4`.
    pub name: String,
    /// Whether it counts downwards, as the entry `-t0` of a layout does.
    pub is_reversed: bool,
    /// The stride between neighbouring values; negative where it is reversed.
    pub stride: Sym,
    /// The number of values, where it is known.
    pub extent: Option<Sym>,
}

/// The name as the entry of a layout: `-t0` where the piece counts downwards.
impl fmt::Display for Piece {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", if self.is_reversed { "-" } else { "" }, self.name)
    }
}

/// Describes a map.
///
/// # Errors
/// A map that has no normal form.
pub fn describe(map: &IndexMap, facts: &Facts) -> Result<Description, MapError> {
    let names = names(map);
    let terms = term_texts(map, &names);
    let normal = NormalMap::new(map, facts)?;
    let labels = labels(map, &normal);
    let mut described = Description { names, formulas: Vec::new(), pieces: Vec::new(), split: Vec::new() };
    for (axis, form) in map.lower.iter().zip(&normal.lower) {
        described.formulas.push(text(&axis.value, &terms));
        described.pieces.push(pieces(form, &normal, &labels));
        described.split.push(split(map, &axis.value, &terms));
    }
    Ok(described)
}

fn names(map: &IndexMap) -> Vec<String> {
    let count = |role| map.upper.iter().filter(|axis| axis.role == role).count();
    let (locals, threads) = (count(AxisRole::Local), count(AxisRole::Thread));
    let (mut local, mut thread) = (0, 0);
    let mut names = Vec::with_capacity(map.upper.len());
    for axis in &map.upper {
        let (word, number, count) = match axis.role {
            AxisRole::Local => ("i", &mut local, locals),
            AxisRole::Thread => ("tid", &mut thread, threads),
        };
        // A single local index is `i0`, as layouts call it; a single thread id needs no number.
        let numbered = axis.role == AxisRole::Local || count > 1;
        names.push(if numbered { format!("{word}{number}") } else { word.to_owned() });
        *number += 1;
    }
    names
}

/// The text of every term, in brackets where it is not a single word.
fn term_texts(map: &IndexMap, names: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::with_capacity(map.terms.len());
    for term in &map.terms {
        let text = match term {
            Term::Coordinate(axis) => names.get(*axis as usize).cloned().unwrap_or_default(),
            Term::Digit { of, divisor, modulus } => {
                let mut text = operand(of, &texts);
                if divisor.as_constant() != Some(1) {
                    text = format!("{text} / {}", factor(divisor));
                }
                if let Some(modulus) = modulus {
                    text = format!("{text} % {}", factor(modulus));
                }
                format!("({text})")
            }
            Term::Xor(left, right) => {
                format!("({} ^ {})", operand(left, &texts), operand(right, &texts))
            }
        };
        texts.push(shortened(text));
    }
    texts
}

/// A form as part of a product or a quotient.
fn operand(form: &Affine, terms: &[String]) -> String {
    match (form.as_term(), form.as_constant()) {
        (Some(_), _) | (_, Some(_)) => text(form, terms),
        _ => format!("({})", text(form, terms)),
    }
}

/// A size as part of a product or a quotient.
fn factor(size: &Sym) -> String {
    let text = size.to_string();
    if text.chars().all(|letter| letter.is_alphanumeric() || letter == '_') { text } else { format!("({text})") }
}

fn text(form: &Affine, terms: &[String]) -> String {
    let mut text = String::new();
    let add = |text: &mut String, negative: bool, part: String| {
        let sign = match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text.push_str(sign);
        text.push_str(&part);
    };
    if !form.constant.is_zero() {
        let value = form.constant.as_constant();
        let negative = value.is_some_and(|value| value < 0);
        let part = value.map_or_else(|| form.constant.to_string(), |value| value.unsigned_abs().to_string());
        add(&mut text, negative, part);
    }
    for (term, coefficient) in &form.terms {
        if is_full(&text) {
            add(&mut text, false, "…".to_owned());
            break;
        }
        let name = terms.get(term.0 as usize).cloned().unwrap_or_default();
        match coefficient.as_constant() {
            Some(1) => add(&mut text, false, name),
            Some(-1) => add(&mut text, true, name),
            Some(value) => add(&mut text, value < 0, format!("{} * {name}", value.unsigned_abs())),
            None => add(&mut text, false, format!("{} * {name}", factor(coefficient))),
        }
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// The thread part with the constant, and the local part.
fn split(map: &IndexMap, form: &Affine, texts: &[String]) -> Option<(String, String)> {
    let roles = term_roles(map);
    let mut thread = Affine::constant(form.constant.clone());
    let mut local = Affine::constant(Sym::zero());
    for (term, coefficient) in &form.terms {
        match roles.get(term.0 as usize)? {
            (true, true) => return None,
            (true, false) => thread.terms.push((*term, coefficient.clone())),
            (false, _) => local.terms.push((*term, coefficient.clone())),
        }
    }
    Some((text(&thread, texts), text(&local, texts)))
}

/// For each term whether it depends on a thread coordinate and whether on a local one.
fn term_roles(map: &IndexMap) -> Vec<(bool, bool)> {
    let mut roles: Vec<(bool, bool)> = Vec::with_capacity(map.terms.len());
    for term in &map.terms {
        let mut role = match term {
            Term::Coordinate(axis) => match map.upper.get(*axis as usize).map(|axis| axis.role) {
                Some(AxisRole::Thread) => (true, false),
                _ => (false, true),
            },
            _ => (false, false),
        };
        for (inner, _) in term.operands().flat_map(|operand| &operand.terms) {
            let (thread, local) = roles.get(inner.0 as usize).copied().unwrap_or((true, true));
            role = (role.0 || thread, role.1 || local);
        }
        roles.push(role);
    }
    roles
}

/// For each atom its name in layouts; an atom that is not a digit of a coordinate has none.
pub fn labels(map: &IndexMap, normal: &NormalMap<'_>) -> Vec<Option<String>> {
    let mut labels: Vec<Option<String>> = vec![None; normal.atoms.len()];
    for (role, word) in [(AxisRole::Local, "i"), (AxisRole::Thread, "t")] {
        let axes = map.upper.iter().zip(&normal.coordinates).filter(|(axis, _)| axis.role == role);
        let forms: Vec<&Affine> = axes.map(|(_, form)| form).collect();
        // If the digits of several coordinates were numbered consecutively, they would take the names of other
        // coordinates.
        let by_formula = forms.len() > 1 && forms.iter().any(|form| form.terms.len() > 1);
        let mut number = 0;
        for (position, form) in forms.iter().enumerate() {
            for (digit, (atom, weight)) in form.terms.iter().enumerate() {
                let label = if by_formula {
                    let above = form.terms.get(digit + 1).map(|_| normal.atom(*atom));
                    digit_text(&format!("{word}{position}"), weight, above.flatten())
                } else {
                    format!("{word}{number}")
                };
                if let Some(place) = labels.get_mut(atom.0 as usize) {
                    *place = Some(label);
                }
                number += 1;
            }
            // A coordinate with a single value is a dimension all the same.
            number += usize::from(form.terms.is_empty());
        }
    }
    labels
}

/// `i1`, `i1 % 4`, `i1 / 4 % 8` or, for the digit that has none above it, `i1 / 4`.
fn digit_text(coordinate: &str, weight: &Sym, below_others: Option<&Atom>) -> String {
    let size = below_others.and_then(|atom| atom.highs.first()?.checked_add(&Sym::one()).ok());
    let quotient = match weight.as_constant() {
        Some(1) => coordinate.to_owned(),
        _ => format!("{coordinate} / {}", factor(weight)),
    };
    match size {
        Some(size) => format!("{quotient} % {}", factor(&size)),
        None => quotient,
    }
}

fn pieces(form: &Affine, normal: &NormalMap<'_>, labels: &[Option<String>]) -> Vec<Piece> {
    let facts = normal.facts;
    let mut pieces: Vec<(Sym, Piece)> = Vec::with_capacity(form.terms.len());
    for (atom, stride) in &form.terms {
        let is_reversed = arithmetic::sign(stride, facts) == Some(Sign::Negative);
        let size = if is_reversed { stride.checked_neg().unwrap_or_else(|_| stride.clone()) } else { stride.clone() };
        let label = labels.get(atom.0 as usize).cloned().flatten();
        let known = normal.atom(*atom);
        let name = label.unwrap_or_else(|| match known.map(|atom| &atom.kind) {
            Some(AtomKind::Xor(..)) => "xor".to_owned(),
            _ => "digit".to_owned(),
        });
        let extent = known.and_then(|atom| atom.highs.first()?.checked_add(&Sym::one()).ok());
        let piece = Piece { name, is_reversed, stride: stride.clone(), extent };
        // Sorted by stride; strides that cannot be compared keep their order.
        let place = pieces.iter().position(|(other, _)| arithmetic::less(&size, other, facts)).unwrap_or(pieces.len());
        pieces.insert(place, (size, piece));
    }
    pieces.into_iter().map(|(_, piece)| piece).collect()
}
