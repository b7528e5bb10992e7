//! Building the normal form of an index map.

use rustc_hash::FxHashMap;

use super::chain::Chain;
use super::{Atom, AtomKind, Base, Condition, NormalMap};
use crate::arithmetic::divide_exactly;
use crate::range::Range;
use crate::{Affine, IndexMap, LowerAxis, MapError, Term, TermId};
use dims::{Facts, Sym};

impl<'f> NormalMap<'f> {
    /// The normal form of a map.
    pub fn new(map: &IndexMap, facts: &'f Facts) -> Result<NormalMap<'f>, MapError> {
        Ok(NormalMap::of_several(&[map], facts)?.0)
    }

    /// The normal form of maps over the same upper coordinates, over common atoms. The lower coordinates of all maps
    /// are in one list, and so are the conditions; the counts give the number of both for each map.
    pub fn of_several(maps: &[&IndexMap], facts: &'f Facts) -> Result<(NormalMap<'f>, Vec<(usize, usize)>), MapError> {
        let (mut normal, counts) = NormalMap::untightened(maps, facts)?;
        // A mask of one map says nothing about the points of another.
        if maps.len() == 1 {
            normal.tighten();
        }
        Ok((normal, counts))
    }

    /// The normal form of a map without tightening: every condition is kept, and the ranges of the atoms follow from
    /// the extents of the upper coordinates alone.
    pub fn with_every_condition(map: &IndexMap, facts: &'f Facts) -> Result<NormalMap<'f>, MapError> {
        Ok(NormalMap::untightened(&[map], facts)?.0)
    }

    fn untightened(maps: &[&IndexMap], facts: &'f Facts) -> Result<(NormalMap<'f>, Vec<(usize, usize)>), MapError> {
        let first = maps.first().ok_or(MapError::Malformed)?;
        let normal = NormalMap {
            facts,
            atoms: Vec::new(),
            bases: Vec::new(),
            coordinates: Vec::new(),
            lower: Vec::new(),
            conditions: Vec::new(),
        };
        let mut build = Build { normal, ids: FxHashMap::default(), bases: FxHashMap::default() };
        build.coordinates(first, maps)?;
        let mut counts = Vec::with_capacity(maps.len());
        for map in maps {
            let before = (build.normal.lower.len(), build.normal.conditions.len());
            build.map(map)?;
            let after = (build.normal.lower.len(), build.normal.conditions.len());
            counts.push((after.0 - before.0, after.1 - before.1));
        }
        Ok((build.normal, counts))
    }

    /// The normal form of a map, and that of another form over the map's terms.
    pub fn with_form(map: &IndexMap, form: &Affine, facts: &'f Facts) -> Result<(NormalMap<'f>, Affine), MapError> {
        let mut map = map.clone();
        map.lower.push(LowerAxis { value: form.clone(), extent: None });
        let mut normal = NormalMap::new(&map, facts)?;
        let form = normal.lower.pop().ok_or(MapError::Malformed)?;
        Ok((normal, form))
    }
}

struct Build<'f> {
    normal: NormalMap<'f>,
    ids: FxHashMap<AtomKind, TermId>,
    /// The base of each form that digits are cut from, with its chain.
    bases: FxHashMap<Affine, (usize, Chain)>,
}

impl Build<'_> {
    /// Splits every upper coordinate at all cuts of its digits.
    fn coordinates(&mut self, first: &IndexMap, maps: &[&IndexMap]) -> Result<(), MapError> {
        for (number, axis) in first.upper.iter().enumerate() {
            if axis.extent.as_ref().and_then(Sym::as_constant) == Some(1) {
                self.normal.coordinates.push(Affine::constant(Sym::zero()));
                continue;
            }
            let mut cuts: Vec<Sym> = Vec::new();
            for map in maps {
                cuts.extend(cuts_of(map, |of| is_coordinate(map, of, number)));
            }
            let range = Range::below(axis.extent.as_ref())?;
            if cuts.is_empty() {
                let form = self.atom(AtomKind::Coordinate(number), range)?;
                self.normal.coordinates.push(form);
                continue;
            }
            let chain = Chain::from_cuts(&cuts, self.normal.facts);
            let (whole, last) = self.base(None, &chain, &range)?;
            // The digits are independent if the last cut divides the extent; otherwise the extent becomes a
            // condition.
            let exact =
                axis.extent.as_ref().is_none_or(|extent| divide_exactly(extent, &last, self.normal.facts).is_some());
            if !exact {
                let condition = Condition { value: whole.clone(), low: None, high: axis.extent.clone() };
                self.normal.conditions.push(condition);
            }
            // The base is looked up by the coordinate's form over atoms.
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
                    let turned = AtomKind::Xor(right.clone(), left.clone());
                    match self.ids.get(&turned) {
                        Some(id) => Affine::term(*id),
                        None => {
                            let range = Range::xor(&self.range(&left), &self.range(&right), self.normal.facts);
                            self.atom(AtomKind::Xor(left, right), range)?
                        }
                    }
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

    /// A digit as a sum of the digits of its base, or an atom of its own where the cuts do not fit.
    fn digit(
        &mut self,
        map: &IndexMap,
        of: &Affine,
        inner: Affine,
        divisor: &Sym,
        modulus: Option<&Sym>,
    ) -> Result<Affine, MapError> {
        if !self.bases.contains_key(&inner) {
            let chain = Chain::from_cuts(&cuts_of(map, |other| other == of), self.normal.facts);
            let range = self.range(&inner);
            let number = self.normal.bases.len();
            self.base(Some(inner.clone()), &chain, &range)?;
            self.bases.insert(inner.clone(), (number, chain));
        }
        let Some((number, chain)) = self.bases.get(&inner) else {
            return Err(MapError::Malformed);
        };
        if let Some(sum) = self.of_base(*number, chain, divisor, modulus)? {
            return Ok(sum);
        }
        let quotient = self.range(&inner).floor_div(divisor, self.normal.facts);
        let range = match modulus {
            None => quotient,
            Some(_) => Range::below(modulus)?,
        };
        let kind = AtomKind::Opaque { of: inner, divisor: divisor.clone(), modulus: modulus.cloned() };
        self.atom(kind, range)
    }

    /// A digit as a sum of the digits of its base; `None` where the cuts do not fit.
    fn of_base(
        &self,
        number: usize,
        chain: &Chain,
        divisor: &Sym,
        modulus: Option<&Sym>,
    ) -> Result<Option<Affine>, MapError> {
        let from = chain.position(divisor);
        let to = match modulus {
            None => Some(chain.cuts().len()),
            Some(modulus) => divisor.checked_mul(modulus).ok().and_then(|end| chain.position(&end)),
        };
        let (Some(from), Some(to)) = (from, to) else { return Ok(None) };
        let base = self.normal.bases.get(number).ok_or(MapError::Malformed)?;
        let mut sum = Affine::constant(Sym::zero());
        for (cut, digit) in base.cuts.iter().zip(&base.digits).take(to).skip(from) {
            // A divisor that may be 0 does not even divide itself.
            let Some(weight) = divide_exactly(cut, divisor, self.normal.facts) else { return Ok(None) };
            sum = sum.checked_add(&Affine::term(*digit).checked_scale(&weight)?)?;
        }
        Ok(Some(sum))
    }

    /// Makes the digits of a base; returns their weighted sum and the last cut.
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

    /// Replaces a multiple of a base in a form by the digits of the base: a form must not mix a number with its own
    /// digits.
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

    /// The range of a form over the box, without conditions: those may belong to another map.
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

/// The cuts of the digits of some form, in the map's order.
fn cuts_of(map: &IndexMap, wanted: impl Fn(&Affine) -> bool) -> Vec<Sym> {
    let mut cuts: Vec<Sym> = Vec::new();
    for term in &map.terms {
        let Term::Digit { of, divisor, modulus } = term else {
            continue;
        };
        if !wanted(of) {
            continue;
        }
        // A product beyond 64 bits is no cut.
        let end = modulus.as_ref().and_then(|modulus| divisor.checked_mul(modulus).ok());
        cuts.extend([Some(divisor.clone()), end].into_iter().flatten().filter(|cut| cut.as_constant() != Some(1)));
    }
    cuts
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
