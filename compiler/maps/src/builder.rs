//! Building a map term by term, in its simplest form from the start.

use rustc_hash::FxHashMap;

use super::arithmetic;
use super::masks::Masks;
use super::range::{self, Range};
use super::{Affine, AxisRole, IndexMap, LowerAxis, MapError, Mask, MaskReason, Term, TermId, UpperAxis};
use dims::{Facts, Sym};

/// Real maps stay far below this many terms; the limit keeps every pass over them short.
const MOST_TERMS: usize = 4096;
/// The most summands in all terms together. A map that is composed many times with maps that divide has as many terms
/// as stages, each of which is a sum of all earlier ones.
const MOST_SUMMANDS: usize = 256;

/// Builds an [`IndexMap`] over given upper coordinates.
///
/// Forms are made from [`MapBuilder::coordinate`] and constants by the arithmetic of [`Affine`] and by
/// [`MapBuilder::digit`] and [`MapBuilder::xor`], which simplify as far as the extents and the facts allow.
/// Simplification preserves the value of a form at every point inside the extents, but not elsewhere.
pub struct MapBuilder<'a> {
    pub(super) facts: &'a Facts,
    upper: Vec<UpperAxis>,
    pub(super) terms: Vec<Term>,
    ids: FxHashMap<Term, TermId>,
    ranges: Vec<Range>,
    /// The number of summands in `terms`.
    summands: usize,
    masks: Masks,
}

impl<'a> MapBuilder<'a> {
    /// Starts a map with the given upper coordinates.
    pub fn new(upper: Vec<UpperAxis>, facts: &'a Facts) -> MapBuilder<'a> {
        MapBuilder {
            facts,
            upper,
            terms: Vec::new(),
            ids: FxHashMap::default(),
            ranges: Vec::new(),
            summands: 0,
            masks: Masks::default(),
        }
    }

    /// The upper coordinate of an axis. For an axis of extent 1 this is the constant 0.
    pub fn coordinate(&mut self, axis: usize) -> Result<Affine, MapError> {
        let extent = self.upper.get(axis).ok_or(MapError::Malformed)?.extent.clone();
        if extent.as_ref().and_then(Sym::as_constant) == Some(1) {
            return Ok(Affine::constant(Sym::zero()));
        }
        let number = u32::try_from(axis).map_err(|_| MapError::Malformed)?;
        let range = Range::below(extent.as_ref())?;
        self.intern(Term::Coordinate(number), range)
    }

    /// The upper coordinates of all axes.
    pub fn coordinates(&mut self) -> Result<Vec<Affine>, MapError> {
        (0..self.upper.len()).map(|axis| self.coordinate(axis)).collect()
    }

    /// What is known of the symbols.
    pub fn facts(&self) -> &'a Facts {
        self.facts
    }

    /// `left ^ right`. Neither may be negative at a valid point.
    pub fn xor(&mut self, left: &Affine, right: &Affine) -> Result<Affine, MapError> {
        let constant = |form: &Affine| form.as_constant().and_then(Sym::as_constant);
        match (constant(left), constant(right)) {
            (Some(left), Some(right)) => return Ok(Affine::constant(Sym::constant(left ^ right))),
            (Some(0), None) => return Ok(right.clone()),
            (None, Some(0)) => return Ok(left.clone()),
            _ => {}
        }
        if left == right {
            return Ok(Affine::constant(Sym::zero()));
        }
        // `(a ^ b) ^ b` is `a`: an inverse undoes what the map did.
        for (both, one) in [(left, right), (right, left)] {
            if let Some(Term::Xor(first, second)) = both.as_term().and_then(|id| self.terms.get(id.0 as usize)) {
                if first == one {
                    return Ok(second.clone());
                }
                if second == one {
                    return Ok(first.clone());
                }
            }
        }
        let range = Range::xor(&self.range(left), &self.range(right), self.facts);
        self.intern(Term::Xor(left.clone(), right.clone()), range)
    }

    /// Bounds of a form over all points inside the extents.
    pub fn range(&self, form: &Affine) -> Range {
        range::of_affine(form, |term| self.ranges.get(term.0 as usize), self.facts)
    }

    /// Makes points invalid where `low ≤ value < high` does not hold. A bound that always holds is omitted.
    pub fn mask(
        &mut self,
        value: &Affine,
        low: Option<&Sym>,
        high: Option<&Sym>,
        reason: MaskReason,
    ) -> Result<(), MapError> {
        let range = self.range(value);
        let holds_low =
            |low: &&Sym| range.low.as_ref().is_some_and(|least| arithmetic::at_most(low, least, self.facts));
        let holds_high = |high: &&Sym| range.high.as_ref().is_some_and(|most| arithmetic::less(most, high, self.facts));
        let low = low.filter(|low| !holds_low(low)).cloned();
        let high = high.filter(|high| !holds_high(high)).cloned();
        if low.is_some() || high.is_some() {
            self.masks.add(Mask { value: value.clone(), low, high, reason });
        }
        Ok(())
    }

    /// A mask without a quotient in its value: for integers, `e / d < h` is `e < d · h`, and `e / d` stands beside others here. `None` if
    /// it has no quotient that can be multiplied out.
    ///
    /// # Errors
    /// If a number exceeds 64 bits.
    pub fn multiplied_out(&self, Mask { value, low, high, reason }: &Mask) -> Result<Option<Mask>, MapError> {
        let quotient = value.terms.iter().find_map(|(id, coefficient)| {
            let is_added = match coefficient.as_constant()? {
                1 => true,
                -1 => false,
                _ => return None,
            };
            match self.terms.get(id.0 as usize)? {
                Term::Digit { of, divisor, modulus: None } if divisor.as_constant()? > 0 => {
                    Some((*id, is_added, of, divisor))
                }
                _ => None,
            }
        });
        let Some((id, is_added, of, divisor)) = quotient else { return Ok(None) };
        let others = Affine {
            constant: value.constant.clone(),
            terms: value.terms.iter().filter(|(other, _)| *other != id).cloned().collect(),
        };
        let others = others.checked_scale(divisor)?;
        // With a quotient that is taken away, `o - e / d < h` is `o - h + 1 <= e / d`, which is `d · (o - h + 1) <= e`.
        let bound = |bound: &Option<Sym>| {
            let multiplied = |bound: &Sym| match is_added {
                true => bound.checked_mul(divisor),
                false => bound.checked_sub(&Sym::one())?.checked_mul(divisor)?.checked_add(&Sym::one()),
            };
            bound.as_ref().map(multiplied).transpose()
        };
        let value = if is_added { others.checked_add(of)? } else { others.checked_sub(of)? };
        Ok(Some(Mask { value, low: bound(low)?, high: bound(high)?, reason: *reason }))
    }

    /// Applies a map: `map(coordinates)`. Its masks and upper extents become masks here; its lower coordinates are
    /// returned.
    pub fn apply(&mut self, map: &IndexMap, coordinates: &[Affine]) -> Result<Vec<LowerAxis>, MapError> {
        if map.upper.len() != coordinates.len() {
            return Err(MapError::Rank { what: "coordinates", expected: map.upper.len(), found: coordinates.len() });
        }
        for (axis, coordinate) in map.upper.iter().zip(coordinates) {
            let reason = match axis.role {
                AxisRole::Thread => MaskReason::SurplusThread,
                AxisRole::Local => MaskReason::LocalExtent,
            };
            self.mask(coordinate, Some(&Sym::zero()), axis.extent.as_ref(), reason)?;
        }
        let mut forms: Vec<Affine> = Vec::with_capacity(map.terms.len());
        for term in &map.terms {
            let form = match term {
                Term::Coordinate(axis) => coordinates.get(*axis as usize).cloned().ok_or(MapError::Malformed)?,
                Term::Digit { of, divisor, modulus } => {
                    let of = replace_terms(of, &forms)?;
                    self.digit(&of, divisor, modulus.as_ref())?
                }
                Term::Xor(left, right) => {
                    let (left, right) = (replace_terms(left, &forms)?, replace_terms(right, &forms)?);
                    self.xor(&left, &right)?
                }
            };
            forms.push(form);
        }
        for mask in &map.masks {
            let value = replace_terms(&mask.value, &forms)?;
            self.mask(&value, mask.low.as_ref(), mask.high.as_ref(), mask.reason)?;
        }
        let mut lower = Vec::with_capacity(map.lower.len());
        for axis in &map.lower {
            lower.push(LowerAxis { value: replace_terms(&axis.value, &forms)?, extent: axis.extent.clone() });
        }
        Ok(lower)
    }

    /// The map with the given lower coordinates and every mask added so far. Adjacent digits are joined and unused
    /// terms are dropped.
    pub fn finish(mut self, lower: Vec<LowerAxis>) -> Result<IndexMap, MapError> {
        let mut joined = Vec::with_capacity(lower.len());
        for axis in lower {
            joined.push(LowerAxis { value: self.join_digits(&axis.value)?, extent: axis.extent });
        }
        let added = std::mem::take(&mut self.masks).into_all();
        let mut masks = Vec::with_capacity(added.len());
        for mask in added {
            masks.push(Mask { value: self.join_digits(&mask.value)?, ..mask });
        }
        let mut map = IndexMap { upper: self.upper, terms: self.terms, lower: joined, masks };
        drop_unused_terms(&mut map)?;
        Ok(map)
    }

    /// The term, added if it is new.
    pub(super) fn intern(&mut self, term: Term, range: Range) -> Result<Affine, MapError> {
        if let Some(id) = self.ids.get(&term) {
            return Ok(Affine::term(*id));
        }
        if self.terms.len() >= MOST_TERMS {
            return Err(MapError::TooLarge { what: "terms in the map", limit: MOST_TERMS as u64 });
        }
        self.summands += term.operands().map(|operand| operand.terms.len()).sum::<usize>();
        if self.summands > MOST_SUMMANDS {
            return Err(MapError::TooLarge { what: "summands in the terms of the map", limit: MOST_SUMMANDS as u64 });
        }
        let id = TermId(u32::try_from(self.terms.len()).map_err(|_| MapError::Malformed)?);
        self.terms.push(term.clone());
        self.ranges.push(range);
        self.ids.insert(term, id);
        Ok(Affine::term(id))
    }
}

/// The form with each term replaced by its form in `forms`.
fn replace_terms(form: &Affine, forms: &[Affine]) -> Result<Affine, MapError> {
    let mut parts = Vec::with_capacity(form.terms.len());
    for (term, coefficient) in &form.terms {
        parts.push((forms.get(term.0 as usize).ok_or(MapError::Malformed)?, coefficient));
    }
    Affine::combination(form.constant.clone(), &parts)
}

/// Drops the terms that no lower coordinate and no mask uses, and renumbers the others.
fn drop_unused_terms(map: &mut IndexMap) -> Result<(), MapError> {
    let mut used = vec![false; map.terms.len()];
    let mark = |form: &Affine, used: &mut Vec<bool>| {
        for (term, _) in &form.terms {
            if let Some(flag) = used.get_mut(term.0 as usize) {
                *flag = true;
            }
        }
    };
    map.lower.iter().for_each(|axis| mark(&axis.value, &mut used));
    map.masks.iter().for_each(|mask| mark(&mask.value, &mut used));
    // A term refers to earlier terms only, so one backward pass finds everything.
    for (number, term) in map.terms.iter().enumerate().rev() {
        if used.get(number) == Some(&true) {
            term.operands().for_each(|operand| mark(operand, &mut used));
        }
    }
    let mut forms: Vec<Affine> = Vec::with_capacity(map.terms.len());
    let mut kept: Vec<Term> = Vec::new();
    for (number, term) in std::mem::take(&mut map.terms).into_iter().enumerate() {
        if used.get(number) != Some(&true) {
            forms.push(Affine::constant(Sym::zero()));
            continue;
        }
        let term = match term {
            Term::Coordinate(axis) => Term::Coordinate(axis),
            Term::Digit { of, divisor, modulus } => Term::Digit { of: replace_terms(&of, &forms)?, divisor, modulus },
            Term::Xor(left, right) => Term::Xor(replace_terms(&left, &forms)?, replace_terms(&right, &forms)?),
        };
        let id = TermId(u32::try_from(kept.len()).map_err(|_| MapError::Malformed)?);
        kept.push(term);
        forms.push(Affine::term(id));
    }
    map.terms = kept;
    for axis in &mut map.lower {
        axis.value = replace_terms(&axis.value, &forms)?;
    }
    for mask in &mut map.masks {
        mask.value = replace_terms(&mask.value, &forms)?;
    }
    Ok(())
}
