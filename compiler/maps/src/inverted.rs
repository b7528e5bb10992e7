//! The inverse of a map as a map: the deductions of the peeling, written as formulas.

use super::normal::determine::{Conclusion, Deduction, Determined, Step};
use super::normal::{AtomKind, NormalMap};
use super::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, TermId, UpperAxis};
use crate::arithmetic::{self, Sign};
use dims::{Facts, Sym};

/// The map from lower coordinates to the upper coordinate that maps to them; `None` where no formula is found. It is
/// valid on the image of the valid upper coordinates.
///
/// # Errors
/// A size that overflows 64 bits.
pub fn inverse(map: &IndexMap, facts: &Facts) -> Result<Option<IndexMap>, MapError> {
    let normal = NormalMap::new(map, facts)?;
    let determined = normal.determine();
    if !normal.coordinates.iter().all(|coordinate| determined.knows(coordinate)) {
        return Ok(None);
    }
    let upper = map.lower.iter().map(|axis| UpperAxis { extent: axis.extent.clone(), role: AxisRole::Local });
    let mut builder = MapBuilder::new(upper.collect(), facts);
    let given = builder.coordinates()?;
    let mut replay = Replay { normal: &normal, builder: &mut builder, values: Vec::new(), atoms: Vec::new() };
    let Some(found) = replay.run(&determined, &given)? else { return Ok(None) };

    // Outside the image the deductions give some upper coordinate that does not map back; the masks exclude those.
    let back = builder.apply(map, &found)?;
    for (axis, given) in back.iter().zip(&given) {
        let difference = axis.value.checked_sub(given)?;
        builder.mask(&difference, Some(&Sym::zero()), Some(&Sym::one()), MaskReason::Clipped)?;
    }
    let lower = found.into_iter().zip(&map.upper);
    let lower = lower.map(|(value, axis)| LowerAxis { value, extent: axis.extent.clone() });
    Ok(Some(builder.finish(lower.collect())?))
}

struct Replay<'a, 'b, 'f> {
    normal: &'a NormalMap<'f>,
    builder: &'a mut MapBuilder<'b>,
    /// The known values. A quotient comes with the smallest value of the remainder that was split off.
    values: Vec<(Affine, Option<Sym>)>,
    atoms: Vec<Option<Affine>>,
}

impl Replay<'_, '_, '_> {
    /// The upper coordinates as forms over the given lower ones.
    fn run(&mut self, determined: &Determined, given: &[Affine]) -> Result<Option<Vec<Affine>>, MapError> {
        self.atoms = vec![None; self.normal.atoms.len()];
        for deduction in &determined.deductions {
            match deduction {
                Deduction::Step(step) => {
                    let Some(value) = self.follow(step, given)? else { return Ok(None) };
                    self.values.push(value);
                }
                Deduction::Conclusion(conclusion) => {
                    let (atom, value) = match conclusion {
                        Conclusion::Value(atom, known) => (*atom, self.value(*known)?.0),
                        Conclusion::Constant(atom, value) => (*atom, Affine::constant(value.clone())),
                        Conclusion::Computed(atom) => (*atom, self.computed(*atom)?),
                    };
                    *self.atoms.get_mut(atom.0 as usize).ok_or(MapError::Malformed)? = Some(value);
                }
            }
        }
        self.normal.coordinates.iter().map(|form| self.form(form)).collect::<Result<_, _>>().map(Some)
    }

    fn value(&self, known: usize) -> Result<(Affine, Option<Sym>), MapError> {
        self.values.get(known).cloned().ok_or(MapError::Malformed)
    }

    /// The next value; `None` where a sign is not known.
    fn follow(&mut self, step: &Step, given: &[Affine]) -> Result<Option<(Affine, Option<Sym>)>, MapError> {
        let value = match step {
            Step::Lower { axis } => given.get(*axis).cloned().ok_or(MapError::Malformed)?,
            Step::Subtract { from, known } => self.value(*from)?.0.checked_sub(&self.form(known)?)?,
            Step::Whole { from, unit, low } => {
                let above = self.value(*from)?.0.checked_offset(&low.checked_neg()?)?;
                return Ok(Some((self.builder.floor_div(&above, unit)?, Some(low.clone()))));
            }
            Step::Rest { from, unit, whole } => {
                let low = self.value(*whole)?.1.ok_or(MapError::Malformed)?;
                let above = self.value(*from)?.0.checked_offset(&low.checked_neg()?)?;
                self.builder.remainder(&above, unit)?.checked_offset(&low)?
            }
            Step::Divide { from, by } => {
                let from = self.value(*from)?.0;
                match arithmetic::sign(by, self.normal.facts) {
                    Some(Sign::Positive) => self.builder.floor_div(&from, by)?,
                    Some(Sign::Negative) => {
                        let negated = from.checked_scale(&Sym::constant(-1))?;
                        self.builder.floor_div(&negated, &by.checked_neg()?)?
                    }
                    None => return Ok(None),
                }
            }
            Step::XorWith { atom, operand } => {
                let (left, right) = (self.atom(*atom)?, self.form(operand)?);
                self.builder.xor(&left, &right)?
            }
            Step::Form(form) => self.form(form)?,
            Step::Residue { from, modulus, low } => {
                let above = self.value(*from)?.0.checked_offset(&low.checked_neg()?)?;
                self.builder.remainder(&above, modulus)?.checked_offset(low)?
            }
        };
        Ok(Some((value, None)))
    }

    /// An atom from the atoms that it is made of.
    fn computed(&mut self, atom: TermId) -> Result<Affine, MapError> {
        let normal = self.normal;
        match &normal.atom(atom).ok_or(MapError::Malformed)?.kind {
            AtomKind::Coordinate(_) => Err(MapError::Malformed),
            AtomKind::Xor(left, right) => {
                let (left, right) = (self.form(left)?, self.form(right)?);
                self.builder.xor(&left, &right)
            }
            AtomKind::Opaque { of, divisor, modulus } => {
                let of = self.form(of)?;
                self.builder.digit(&of, divisor, modulus.as_ref())
            }
            AtomKind::Digit { base, position } => {
                let base = normal.bases.get(*base).ok_or(MapError::Malformed)?;
                let cut = base.cuts.get(*position).ok_or(MapError::Malformed)?;
                let next = base.cuts.get(position + 1);
                let radix =
                    next.map(|next| arithmetic::divide_exactly(next, cut, normal.facts).ok_or(MapError::Malformed));
                let of = self.form(base.of.as_ref().ok_or(MapError::Malformed)?)?;
                self.builder.digit(&of, cut, radix.transpose()?.as_ref())
            }
        }
    }

    fn atom(&self, atom: TermId) -> Result<Affine, MapError> {
        self.atoms.get(atom.0 as usize).cloned().flatten().ok_or(MapError::Malformed)
    }

    /// A form over atoms as a form over the lower coordinates.
    fn form(&self, form: &Affine) -> Result<Affine, MapError> {
        let mut sum = Affine::constant(form.constant.clone());
        for (atom, coefficient) in &form.terms {
            sum = sum.checked_add(&self.atom(*atom)?.checked_scale(coefficient)?)?;
        }
        Ok(sum)
    }
}
