//! From an index map to its form over atoms.

use std::collections::HashMap;

use super::chain::Chain;
use super::{Atom, AtomKind, Base, Condition, NormalMap};
use crate::dims::{Facts, Sym};
use crate::maps::arithmetic::{self, Sign, divide_exactly};
use crate::maps::range::Range;
use crate::maps::{Affine, IndexMap, LowerAxis, MapError, Term, TermId};

impl<'f> NormalMap<'f> {
    /// The normal form of a map.
    pub(crate) fn new(map: &IndexMap, facts: &'f Facts) -> Result<NormalMap<'f>, MapError> {
        Ok(NormalMap::of_several(&[map], facts)?.0)
    }

    /// The normal form of maps over the same upper coordinates, over common atoms. The lower coordinates and the
    /// conditions of all are in one list each; the counts say how many of both each map has.
    pub(crate) fn of_several(
        maps: &[&IndexMap],
        facts: &'f Facts,
    ) -> Result<(NormalMap<'f>, Vec<(usize, usize)>), MapError> {
        let first = maps.first().ok_or(MapError::Malformed)?;
        let normal = NormalMap {
            facts,
            atoms: Vec::new(),
            bases: Vec::new(),
            coordinates: Vec::new(),
            lower: Vec::new(),
            conditions: Vec::new(),
        };
        let mut build = Build { normal, ids: HashMap::new(), bases: HashMap::new() };
        build.coordinates(first, maps)?;
        let mut counts = Vec::with_capacity(maps.len());
        for map in maps {
            let before = (build.normal.lower.len(), build.normal.conditions.len());
            build.map(map)?;
            let after = (build.normal.lower.len(), build.normal.conditions.len());
            counts.push((after.0 - before.0, after.1 - before.1));
        }
        // A mask of one map says nothing about the points of another.
        if maps.len() == 1 {
            build.normal.tighten();
        }
        Ok((build.normal, counts))
    }

    /// The normal form of a map, and another form over the terms of the map in it.
    pub(crate) fn with_form(
        map: &IndexMap,
        form: &Affine,
        facts: &'f Facts,
    ) -> Result<(NormalMap<'f>, Affine), MapError> {
        let mut map = map.clone();
        map.lower.push(LowerAxis { value: form.clone(), extent: None });
        let mut normal = NormalMap::new(&map, facts)?;
        let form = normal.lower.pop().ok_or(MapError::Malformed)?;
        Ok((normal, form))
    }
}

struct Build<'f> {
    normal: NormalMap<'f>,
    ids: HashMap<AtomKind, TermId>,
    /// The base of each form that digits are cut from, with its chain.
    bases: HashMap<Affine, (usize, Chain)>,
}

impl Build<'_> {
    /// Cuts every upper coordinate at all places where a digit of it is cut.
    fn coordinates(&mut self, first: &IndexMap, maps: &[&IndexMap]) -> Result<(), MapError> {
        for (number, axis) in first.upper.iter().enumerate() {
            if axis.extent.as_ref().and_then(Sym::as_constant) == Some(1) {
                self.normal.coordinates.push(Affine::constant(Sym::zero()));
                continue;
            }
            let mut cuts: Vec<Sym> = Vec::new();
            for map in maps {
                cuts.extend(cuts_of(map, |of| is_coordinate(map, of, number))?);
            }
            let range = Range::below(axis.extent.as_ref())?;
            if cuts.is_empty() {
                let form = self.atom(AtomKind::Coordinate(number), range)?;
                self.normal.coordinates.push(form);
                continue;
            }
            let chain = Chain::of(&cuts, self.normal.facts);
            let (whole, last) = self.base(None, &chain, &range)?;
            // The digits are independent where the last cut divides the extent; elsewhere the extent is a condition.
            let exact =
                axis.extent.as_ref().is_none_or(|extent| divide_exactly(extent, &last, self.normal.facts).is_some());
            if !exact {
                let condition = Condition { value: whole.clone(), low: None, high: axis.extent.clone() };
                self.normal.conditions.push(condition);
            }
            // Found again by the form that the coordinate has over atoms.
            self.bases.insert(whole.clone(), (self.normal.bases.len() - 1, chain));
            self.normal.coordinates.push(whole);
        }
        Ok(())
    }

    fn map(&mut self, map: &IndexMap) -> Result<(), MapError> {
        let mut forms: Vec<Affine> = Vec::with_capacity(map.terms.len());
        for term in &map.terms {
            let form = match term {
                Term::Coordinate(axis) => {
                    self.normal.coordinates.get(*axis as usize).cloned().ok_or(MapError::Malformed)?
                }
                Term::Digit { of, divisor, modulus } => {
                    let inner = replace(of, &forms)?;
                    self.digit(map, of, inner, divisor, modulus.as_ref())?
                }
                Term::Xor(left, right) => {
                    let (left, right) = (replace(left, &forms)?, replace(right, &forms)?);
                    let range = Range::xor(&self.range(&left), &self.range(&right), self.normal.facts);
                    self.atom(AtomKind::Xor(left, right), range)?
                }
            };
            forms.push(form);
        }
        for mask in &map.masks {
            let value = self.join_bases(replace(&mask.value, &forms)?)?;
            self.normal.conditions.push(Condition { value, low: mask.low.clone(), high: mask.high.clone() });
        }
        for axis in &map.lower {
            let value = self.join_bases(replace(&axis.value, &forms)?)?;
            if let Some(extent) = &axis.extent {
                let condition = Condition { value: value.clone(), low: Some(Sym::zero()), high: Some(extent.clone()) };
                self.normal.conditions.push(condition);
            }
            self.normal.lower.push(value);
        }
        Ok(())
    }

    /// A digit as a sum of the pieces of its base; an atom of its own where the cuts do not fit.
    fn digit(
        &mut self,
        map: &IndexMap,
        of: &Affine,
        inner: Affine,
        divisor: &Sym,
        modulus: Option<&Sym>,
    ) -> Result<Affine, MapError> {
        if !self.bases.contains_key(&inner) {
            let chain = Chain::of(&cuts_of(map, |other| other == of)?, self.normal.facts);
            let range = self.range(&inner);
            let number = self.normal.bases.len();
            self.base(Some(inner.clone()), &chain, &range)?;
            self.bases.insert(inner.clone(), (number, chain));
        }
        let Some((number, chain)) = self.bases.get(&inner) else {
            return Err(MapError::Malformed);
        };
        let from = chain.position(divisor);
        let to = match modulus {
            None => Some(chain.cuts().len()),
            Some(modulus) => chain.position(&divisor.checked_mul(modulus)?),
        };
        let (Some(from), Some(to)) = (from, to) else {
            let quotient = self.range(&inner).floor_div(divisor, self.normal.facts);
            let range = match modulus {
                None => quotient,
                Some(_) => Range::below(modulus)?,
            };
            let kind = AtomKind::Opaque { of: inner, divisor: divisor.clone(), modulus: modulus.cloned() };
            return self.atom(kind, range);
        };
        let mut sum = Affine::constant(Sym::zero());
        let base = self.normal.bases.get(*number).ok_or(MapError::Malformed)?;
        for (cut, digit) in base.cuts.iter().zip(&base.digits).take(to).skip(from) {
            let weight = divide_exactly(cut, divisor, self.normal.facts).ok_or(MapError::Malformed)?;
            sum = sum.checked_add(&Affine::term(*digit).checked_scale(&weight)?)?;
        }
        Ok(sum)
    }

    /// Makes the digits of a base; returns what they add up to and the last cut.
    fn base(&mut self, of: Option<Affine>, chain: &Chain, range: &Range) -> Result<(Affine, Sym), MapError> {
        let number = self.normal.bases.len();
        let mut whole = Affine::constant(Sym::zero());
        let mut digits = Vec::with_capacity(chain.cuts().len());
        for (position, cut) in chain.cuts().iter().enumerate() {
            let digit_range = match chain.cuts().get(position + 1) {
                Some(next) => {
                    let radix = divide_exactly(next, cut, self.normal.facts).ok_or(MapError::Malformed)?;
                    Range::below(Some(&radix))?
                }
                None => range.floor_div(cut, self.normal.facts),
            };
            let digit = self.atom(AtomKind::Digit { base: number, position }, digit_range)?;
            digits.extend(digit.as_term());
            whole = whole.checked_add(&digit.checked_scale(cut)?)?;
        }
        let last = chain.cuts().last().cloned().unwrap_or_else(Sym::one);
        self.normal.bases.push(Base { of, cuts: chain.cuts().to_vec(), digits });
        Ok((whole, last))
    }

    /// Where a form contains the whole of a base as often as some factor says, the digits of the base replace it:
    /// a form must not mix a number with its own digits.
    fn join_bases(&self, mut form: Affine) -> Result<Affine, MapError> {
        for base in &self.normal.bases {
            let Some(of) = base.of.as_ref().filter(|of| of.terms.len() > 1) else {
                continue;
            };
            if !base.digits.iter().any(|digit| form.coefficient(*digit).is_some()) {
                continue;
            }
            let Some(factor) = self.normal.contains(&form, of) else {
                continue;
            };
            let mut whole = Affine::constant(Sym::zero());
            for (cut, digit) in base.cuts.iter().zip(&base.digits) {
                whole = whole.checked_add(&Affine::term(*digit).checked_scale(cut)?)?;
            }
            form = form.checked_add(&whole.checked_sub(of)?.checked_scale(&factor)?)?;
        }
        Ok(form)
    }

    /// The range of a form over the box. Conditions are left out: they may be those of another map.
    fn range(&self, form: &Affine) -> Range {
        self.normal.range_in_box(form)
    }

    fn atom(&mut self, kind: AtomKind, range: Range) -> Result<Affine, MapError> {
        if let Some(id) = self.ids.get(&kind) {
            return Ok(Affine::term(*id));
        }
        let id = TermId(u32::try_from(self.normal.atoms.len()).map_err(|_| MapError::Malformed)?);
        let (lows, highs) = (range.low.into_iter().collect(), range.high.into_iter().collect());
        self.normal.atoms.push(Atom { kind: kind.clone(), lows, highs });
        self.ids.insert(kind, id);
        Ok(Affine::term(id))
    }
}

impl NormalMap<'_> {
    /// Moves conditions on single atoms into the ranges of those atoms, and lets conditions on a whole number
    /// bound its leading digit.
    ///
    /// Afterwards the valid points are exactly those of the box of independent atoms at which all conditions hold.
    /// That is why a condition goes only where it holds in the box, or where an independent atom now keeps it.
    fn tighten(&mut self) {
        self.drop_conditions_of_the_box();
        let mut kept = Vec::with_capacity(self.conditions.len());
        for condition in std::mem::take(&mut self.conditions) {
            if !self.bound_single_atom(&condition, true) {
                kept.push(condition);
            }
        }
        self.conditions = kept;
        self.drop_conditions_of_the_box();
        for condition in self.conditions.clone() {
            self.bound_single_atom(&condition, false);
        }
        for base in 0..self.bases.len() {
            self.tighten_leading_digit(base);
        }
    }

    fn drop_conditions_of_the_box(&mut self) {
        let holds: Vec<bool> = self.conditions.iter().map(|condition| self.holds_in_box(condition)).collect();
        let mut holds = holds.into_iter();
        self.conditions.retain(|_| holds.next() != Some(true));
    }

    /// Whether the atom takes its values whatever the others do.
    pub(crate) fn is_independent(&self, atom: TermId) -> bool {
        match self.atom(atom).map(|atom| &atom.kind) {
            Some(AtomKind::Coordinate(_)) => true,
            Some(AtomKind::Digit { base, .. }) => self.bases.get(*base).is_some_and(|base| base.of.is_none()),
            _ => false,
        }
    }

    /// Adds a condition on a single atom, independent or not, to the range of the atom. Whether all of it was added.
    fn bound_single_atom(&mut self, condition: &Condition, independent: bool) -> bool {
        let [(term, factor)] = condition.value.terms.as_slice() else { return false };
        let mirrored = match factor.as_constant() {
            Some(1) => false,
            Some(-1) => true,
            _ => return false,
        };
        if self.is_independent(*term) != independent {
            return false;
        }
        let shift = |bound: &Sym| bound.checked_sub(&condition.value.constant).ok();
        let low = condition.low.as_ref().and_then(shift);
        let last = condition.high.as_ref().and_then(shift).and_then(|high| high.checked_sub(&Sym::one()).ok());
        if low.is_none() != condition.low.is_none() || last.is_none() != condition.high.is_none() {
            return false;
        }
        let negated = |bound: &Option<Sym>| bound.as_ref().map(|bound| bound.checked_neg()).transpose();
        let (low, high) = if mirrored {
            let (Ok(low), Ok(high)) = (negated(&last), negated(&low)) else { return false };
            (low, high)
        } else {
            (low, last)
        };
        let facts = self.facts;
        let Some(atom) = self.atoms.get_mut(term.0 as usize) else { return false };
        add_bound(&mut atom.lows, low, |new, old| arithmetic::at_most(new, old, facts));
        add_bound(&mut atom.highs, high, |new, old| arithmetic::at_most(old, new, facts));
        true
    }

    /// From `Σ cutⱼ · digitⱼ < high` follows `digit < ⌈high / cut⌉` for the last cut.
    fn tighten_leading_digit(&mut self, base: usize) {
        let Some(base) = self.bases.get(base) else {
            return;
        };
        let (Some(cut), Some(digit)) = (base.cuts.last(), base.digits.last()) else {
            return;
        };
        let mut found = Vec::new();
        for condition in &self.conditions {
            let Some(high) = &condition.high else {
                continue;
            };
            let digits = base.cuts.iter().zip(&base.digits);
            let by_digits =
                condition.value.constant.is_zero() && condition.value.terms.len() == base.digits.len() && { digits }
                    .all(|(cut, digit)| condition.value.coefficient(*digit) == Some(cut));
            let same = by_digits || base.of.as_ref() == Some(&condition.value);
            if same && let Ok(end) = high.cdiv(cut, self.facts) {
                found.extend(end.checked_sub(&Sym::one()));
            }
        }
        let facts = self.facts;
        if let Some(atom) = self.atoms.get_mut(digit.0 as usize) {
            for high in found {
                add_bound(&mut atom.highs, Some(high), |new, old| arithmetic::at_most(old, new, facts));
            }
        }
    }

    /// The factor with which a form contains another, up to constants: `form = factor · part + rest`, where the
    /// rest has none of the atoms of the part.
    pub(crate) fn contains(&self, form: &Affine, part: &Affine) -> Option<Sym> {
        let (first, unit) = part.terms.first()?;
        let factor = divide_exactly(form.coefficient(*first)?, unit, self.facts)?;
        let mut rest = part.terms.iter().skip(1);
        let fits = rest.all(|(term, unit)| {
            let product = unit.checked_mul(&factor).ok();
            product.is_some() && form.coefficient(*term) == product.as_ref()
        });
        (fits && arithmetic::sign(&factor, self.facts).is_some()).then_some(factor)
    }

    pub(super) fn sign(&self, value: &Sym) -> Option<Sign> {
        arithmetic::sign(value, self.facts)
    }
}

/// Adds a bound unless an old one is known to be as tight, and drops those that the new one is tighter than.
fn add_bound(bounds: &mut Vec<Sym>, new: Option<Sym>, weaker: impl Fn(&Sym, &Sym) -> bool) {
    let Some(new) = new else { return };
    if bounds.iter().any(|old| weaker(&new, old)) {
        return;
    }
    bounds.retain(|old| !weaker(old, &new));
    bounds.insert(0, new);
}

/// Where the digits of some form are cut in a map, in the map's order.
fn cuts_of(map: &IndexMap, wanted: impl Fn(&Affine) -> bool) -> Result<Vec<Sym>, MapError> {
    let mut cuts: Vec<Sym> = Vec::new();
    for term in &map.terms {
        let Term::Digit { of, divisor, modulus } = term else {
            continue;
        };
        if !wanted(of) {
            continue;
        }
        let end = modulus.as_ref().map(|modulus| divisor.checked_mul(modulus)).transpose()?;
        cuts.extend([Some(divisor.clone()), end].into_iter().flatten().filter(|cut| cut.as_constant() != Some(1)));
    }
    Ok(cuts)
}

fn is_coordinate(map: &IndexMap, of: &Affine, axis: usize) -> bool {
    let term = of.as_term().and_then(|term| map.term(term));
    matches!(term, Some(Term::Coordinate(number)) if *number as usize == axis)
}

fn replace(form: &Affine, forms: &[Affine]) -> Result<Affine, MapError> {
    let mut sum = Affine::constant(form.constant.clone());
    for (term, coefficient) in &form.terms {
        let form = forms.get(term.0 as usize).ok_or(MapError::Malformed)?;
        sum = sum.checked_add(&form.checked_scale(coefficient)?)?;
    }
    Ok(sum)
}
