//! A map with one of its symbols replaced by a size.

use std::collections::BTreeMap;

use super::compose::{coordinates, with_coordinates};
use super::{Affine, IndexMap, LowerAxis, MapError, Mask, Term, UpperAxis};
use dims::{Facts, Sym, Symbol};

/// The map with `symbol` replaced by `size` everywhere. What the size now allows is simplified.
///
/// # Errors
/// A size that overflows 64 bits.
pub fn replace_symbol(map: &IndexMap, symbol: &Symbol, size: &Sym, facts: &Facts) -> Result<IndexMap, MapError> {
    if !map.symbols().contains(symbol) {
        return Ok(map.clone());
    }
    let replacements = BTreeMap::from([(symbol.clone(), size.clone())]);
    let known = |value: &Sym| value.substitute(&replacements, facts);
    let optional = |value: &Option<Sym>| value.as_ref().map(known).transpose();
    let affine = |form: &Affine| -> Result<Affine, MapError> {
        let terms = form.terms.iter().map(|(term, factor)| Ok((*term, known(factor)?)));
        Ok(Affine { constant: known(&form.constant)?, terms: terms.collect::<Result<_, MapError>>()? })
    };
    let mut replaced = IndexMap { upper: Vec::new(), terms: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    for axis in &map.upper {
        replaced.upper.push(UpperAxis { extent: optional(&axis.extent)?, role: axis.role });
    }
    for term in &map.terms {
        replaced.terms.push(match term {
            Term::Coordinate(axis) => Term::Coordinate(*axis),
            Term::Digit { of, divisor, modulus } => {
                Term::Digit { of: affine(of)?, divisor: known(divisor)?, modulus: optional(modulus)? }
            }
            Term::Xor(left, right) => Term::Xor(affine(left)?, affine(right)?),
        });
    }
    for axis in &map.lower {
        replaced.lower.push(LowerAxis { value: affine(&axis.value)?, extent: optional(&axis.extent)? });
    }
    for mask in &map.masks {
        let (low, high) = (optional(&mask.low)?, optional(&mask.high)?);
        replaced.masks.push(Mask { value: affine(&mask.value)?, low, high, reason: mask.reason });
    }
    let upper = replaced.upper.clone();
    with_coordinates(&replaced, upper, facts, |builder| coordinates(builder, replaced.upper.len()))
}
