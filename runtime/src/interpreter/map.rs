//! An index map with its sizes filled in, evaluated in plain integers.

use std::collections::BTreeMap;

use dims::{EvaluateError, Sym, Symbol};
use maps::{Affine, IndexMap, Mask, Term};

/// The result of evaluating a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lower {
    /// Valid, at this lower coordinate.
    At(i64),
    /// Not valid.
    Invalid,
    /// The arithmetic overflows 64 bits.
    Overflow,
}

/// A map to one lower coordinate with its sizes filled in.
#[derive(Clone, Debug)]
pub struct BoundMap {
    upper: Vec<Option<i64>>,
    terms: Vec<BoundTerm>,
    lower: BoundAffine,
    extent: Option<i64>,
    masks: Vec<BoundMask>,
}

#[derive(Clone, Debug)]
enum BoundTerm {
    Coordinate(usize),
    Digit { of: BoundAffine, divisor: i64, modulus: Option<i64> },
    Xor(BoundAffine, BoundAffine),
}

#[derive(Clone, Debug)]
struct BoundAffine {
    constant: i64,
    terms: Vec<(usize, i64)>,
}

#[derive(Clone, Debug)]
struct BoundMask {
    value: BoundAffine,
    low: Option<i64>,
    high: Option<i64>,
}

impl BoundMap {
    /// The map for the given sizes. The kernel's check has ensured that the map has one lower axis and that all
    /// references in its terms exist.
    pub fn new(map: &IndexMap, sizes: &BTreeMap<Symbol, i64>) -> Result<BoundMap, EvaluateError> {
        let filler = Filler { sizes };
        let mut upper = Vec::with_capacity(map.upper.len());
        for axis in &map.upper {
            upper.push(filler.optional(axis.extent.as_ref())?);
        }
        let mut terms = Vec::with_capacity(map.terms.len());
        for term in &map.terms {
            terms.push(match term {
                Term::Coordinate(axis) => BoundTerm::Coordinate(*axis as usize),
                Term::Digit { of, divisor, modulus } => BoundTerm::Digit {
                    of: filler.affine(of)?,
                    divisor: filler.size(divisor)?,
                    modulus: filler.optional(modulus.as_ref())?,
                },
                Term::Xor(left, right) => BoundTerm::Xor(filler.affine(left)?, filler.affine(right)?),
            });
        }
        let (lower, extent) = match map.lower.first() {
            Some(axis) => (filler.affine(&axis.value)?, filler.optional(axis.extent.as_ref())?),
            None => (BoundAffine { constant: 0, terms: Vec::new() }, None),
        };
        let masks = map.masks.iter().map(|mask| filler.mask(mask)).collect::<Result<_, _>>()?;
        Ok(BoundMap { upper, terms, lower, extent, masks })
    }

    /// The lower coordinate of an upper one. `values` is a buffer for the terms, which the caller reuses.
    pub fn lower(&self, coordinate: &[i64], values: &mut Vec<i64>) -> Lower {
        let outside =
            |(&extent, &value): (&Option<i64>, &i64)| value < 0 || extent.is_some_and(|extent| value >= extent);
        // Outside its extents a map has no meaning, and its arithmetic may overflow 64 bits.
        if self.upper.iter().zip(coordinate).any(outside) {
            return Lower::Invalid;
        }
        self.inside(coordinate, values).unwrap_or(Lower::Overflow)
    }

    /// The same for a coordinate inside the extents; `None` if the arithmetic overflows 64 bits.
    fn inside(&self, coordinate: &[i64], values: &mut Vec<i64>) -> Option<Lower> {
        values.clear();
        for term in &self.terms {
            let value = match term {
                BoundTerm::Coordinate(axis) => coordinate.get(*axis).copied()?,
                BoundTerm::Digit { of, divisor, modulus } => {
                    let quotient = of.value(values)?.checked_div_euclid(*divisor)?;
                    match modulus {
                        Some(modulus) => quotient.checked_rem_euclid(*modulus)?,
                        None => quotient,
                    }
                }
                BoundTerm::Xor(left, right) => left.value(values)? ^ right.value(values)?,
            };
            values.push(value);
        }
        for mask in &self.masks {
            let value = mask.value.value(values)?;
            if mask.low.is_some_and(|low| value < low) || mask.high.is_some_and(|high| value >= high) {
                return Some(Lower::Invalid);
            }
        }
        let value = self.lower.value(values)?;
        let outside = self.extent.is_some_and(|extent| value < 0 || value >= extent);
        Some(if outside { Lower::Invalid } else { Lower::At(value) })
    }
}

impl BoundAffine {
    fn value(&self, terms: &[i64]) -> Option<i64> {
        self.terms.iter().try_fold(self.constant, |sum, &(term, coefficient)| {
            sum.checked_add(terms.get(term)?.checked_mul(coefficient)?)
        })
    }
}

struct Filler<'a> {
    sizes: &'a BTreeMap<Symbol, i64>,
}

impl Filler<'_> {
    fn size(&self, size: &Sym) -> Result<i64, EvaluateError> {
        size.evaluate(&|symbol| self.sizes.get(symbol).copied())
    }

    fn optional(&self, size: Option<&Sym>) -> Result<Option<i64>, EvaluateError> {
        size.map(|size| self.size(size)).transpose()
    }

    fn affine(&self, affine: &Affine) -> Result<BoundAffine, EvaluateError> {
        let term = |(id, coefficient): &(_, Sym)| -> Result<_, EvaluateError> {
            let maps::TermId(id) = id;
            Ok((*id as usize, self.size(coefficient)?))
        };
        let terms = affine.terms.iter().map(term).collect::<Result<_, _>>()?;
        Ok(BoundAffine { constant: self.size(&affine.constant)?, terms })
    }

    fn mask(&self, mask: &Mask) -> Result<BoundMask, EvaluateError> {
        Ok(BoundMask {
            value: self.affine(&mask.value)?,
            low: self.optional(mask.low.as_ref())?,
            high: self.optional(mask.high.as_ref())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use dims::Facts;
    use maps::evaluate;

    use super::*;
    use testing::build::{reshape, symbol};

    /// The compiler's evaluator defines a map; this one only substitutes the sizes first.
    #[test]
    fn agrees_with_the_definition() {
        let sizes = BTreeMap::from([(symbol("N"), 6)]);
        let n = Sym::symbol(symbol("N"));
        let facts = Facts::empty();
        let size = |value: i64| Sym::constant(value);
        let dimensions = [(size(3), size(4)), (n.clone(), n), (size(2), size(1))];
        let layouts = [
            [(0, false), (1, false), (2, false)],
            [(2, true), (0, true), (1, false)],
            [(1, true), (2, false), (0, false)],
        ];
        let mut terms = Vec::new();
        for layout in layouts {
            let map = reshape(&dimensions[..1], &dimensions[1..], &layout, &facts).unwrap();
            let bound = BoundMap::new(&map, &sizes).unwrap();
            for local in -1..5 {
                for thread in -1..15 {
                    let point = evaluate(&map, &[local, thread], &|name| sizes.get(name).copied()).unwrap();
                    let expected = if point.valid { Lower::At(point.lower[0]) } else { Lower::Invalid };
                    assert_eq!(
                        bound.lower(&[local, thread], &mut terms),
                        expected,
                        "({local}, {thread}) of {layout:?}"
                    );
                }
            }
        }
    }
}
