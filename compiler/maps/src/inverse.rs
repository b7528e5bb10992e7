//! From a lower coordinate back to the upper one.

use std::fmt;

use super::normal::determine::{Conclusion, Deduction, Determined, Step};
use super::normal::{AtomKind, NormalMap};
use super::{Affine, CompiledMap, Domain, IndexMap, MapError, TermId, evaluate};
use dims::Facts;

/// The most points that are searched for one coordinate where no rule inverts the map.
const MOST_POINTS: u128 = 1 << 22;

/// Why a lower coordinate has no unique upper coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoInverse {
    /// The map cannot be evaluated or enumerated.
    Map(MapError),
    /// Two upper coordinates map to it.
    Twice {
        /// The one that comes first in map order.
        first: Vec<i64>,
        /// Another one.
        second: Vec<i64>,
    },
}

impl fmt::Display for NoInverse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tuple = |coordinates: &[i64]| {
            let numbers: Vec<String> = coordinates.iter().map(i64::to_string).collect();
            format!("({})", numbers.join(", "))
        };
        match self {
            NoInverse::Map(error) => write!(formatter, "{error}"),
            NoInverse::Twice { first, second } => {
                write!(formatter, "both {} and {} lead there", tuple(first), tuple(second))
            }
        }
    }
}

impl std::error::Error for NoInverse {}

impl From<MapError> for NoInverse {
    fn from(error: MapError) -> NoInverse {
        NoInverse::Map(error)
    }
}

/// The valid upper coordinate that maps to a lower coordinate; `None` if there is none. The map's sizes must be known
/// ([`super::specialize`]).
///
/// Peels nested strides and undoes xor; a map that cannot be inverted that way is searched exhaustively.
///
/// # Errors
/// Symbols in the map, a wrong number of coordinates, two upper coordinates with the same image, too many points.
pub fn upper(map: &IndexMap, lower: &[i64], cancelled: &dyn Fn() -> bool) -> Result<Option<Vec<i64>>, NoInverse> {
    if lower.len() != map.lower.len() {
        let rank = MapError::Rank { what: "lower coordinates", expected: map.lower.len(), found: lower.len() };
        return Err(rank.into());
    }
    if !map.is_constant() {
        return Err(MapError::Symbolic.into());
    }
    let facts = Facts::empty();
    match Peeling::new(map, &facts) {
        Some(peeling) => Ok(peeling.upper(lower)),
        None => search(map, lower, cancelled),
    }
}

/// The inverse of a map whose lower coordinates determine the upper ones: exact, and fast for every point.
pub struct Peeling<'a> {
    map: &'a IndexMap,
    normal: NormalMap<'a>,
    determined: Determined,
}

impl<'a> Peeling<'a> {
    /// The inverse of a map without symbols, if peeling finds it.
    pub fn new(map: &'a IndexMap, facts: &'a Facts) -> Option<Peeling<'a>> {
        let normal = NormalMap::new(map, facts).ok()?;
        let determined = normal.determine();
        let complete = normal.coordinates.iter().all(|coordinate| determined.knows(coordinate));
        complete.then_some(Peeling { map, normal, determined })
    }

    /// The valid upper coordinate that maps to a lower coordinate.
    pub fn upper(&self, lower: &[i64]) -> Option<Vec<i64>> {
        // If a valid point maps to `lower` the deductions find it; otherwise they find a point that does not, or
        // none.
        let found = replay(&self.normal, &self.determined, lower);
        found.filter(|upper| maps_to(self.map, upper, lower))
    }
}

fn maps_to(map: &IndexMap, upper: &[i64], lower: &[i64]) -> bool {
    evaluate(map, upper, &|_| None).is_ok_and(|point| point.valid && point.lower == lower)
}

fn search(map: &IndexMap, lower: &[i64], cancelled: &dyn Fn() -> bool) -> Result<Option<Vec<i64>>, NoInverse> {
    let compiled = CompiledMap::new(map, Domain::Tight)?;
    if compiled.points() > MOST_POINTS {
        return Err(MapError::TooLarge { what: "points", limit: MOST_POINTS as u64 }.into());
    }
    let mut found: Vec<Vec<i64>> = Vec::new();
    compiled.visit(cancelled, |chunk| {
        for (lane, valid) in chunk.valid().iter().enumerate() {
            let here = |(axis, value): (usize, &i64)| chunk.lower(axis).get(lane) == Some(value);
            if *valid && lower.iter().enumerate().all(here) {
                found.push(compiled.coordinates(u128::from(chunk.first) + lane as u128));
            }
        }
        if found.len() > 1 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    })?;
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => Err(NoInverse::Twice { first, second }),
        (first, _) => Ok(first),
    }
}

/// Replays the deductions with numbers. `None` where they contradict each other: no valid point maps to `lower`.
fn replay(normal: &NormalMap<'_>, determined: &Determined, lower: &[i64]) -> Option<Vec<i64>> {
    let mut values: Vec<i128> = Vec::new();
    let mut atoms: Vec<Option<i128>> = vec![None; normal.atoms.len()];
    for deduction in &determined.deductions {
        match deduction {
            Deduction::Step(step) => {
                let value = follow(step, &values, &atoms, lower)?;
                values.push(value);
            }
            Deduction::Conclusion(conclusion) => {
                let (atom, value) = match conclusion {
                    Conclusion::Value(atom, known) => (*atom, *values.get(*known)?),
                    Conclusion::Constant(atom, value) => (*atom, i128::from(value.as_constant()?)),
                    Conclusion::Computed(atom) => (*atom, computed(normal, *atom, &atoms)?),
                };
                *atoms.get_mut(atom.0 as usize)? = Some(value);
            }
        }
    }
    normal.coordinates.iter().map(|form| i64::try_from(form_value(form, &atoms)?).ok()).collect()
}

fn follow(step: &Step, values: &[i128], atoms: &[Option<i128>], lower: &[i64]) -> Option<i128> {
    match step {
        Step::Lower { axis } => lower.get(*axis).copied().map(i128::from),
        Step::Subtract { from, known } => values.get(*from)?.checked_sub(form_value(known, atoms)?),
        Step::Whole { from, unit, low } => {
            let above = values.get(*from)?.checked_sub(i128::from(low.as_constant()?))?;
            above.checked_div_euclid(i128::from(unit.as_constant()?))
        }
        Step::Rest { from, unit, whole } => {
            let part = values.get(*whole)?.checked_mul(i128::from(unit.as_constant()?))?;
            values.get(*from)?.checked_sub(part)
        }
        Step::Divide { from, by } => {
            let (value, by) = (values.get(*from)?, i128::from(by.as_constant()?));
            (value.checked_rem(by)? == 0).then(|| value.checked_div(by)).flatten()
        }
        Step::XorWith { atom, operand } => Some((*atoms.get(atom.0 as usize)?)? ^ form_value(operand, atoms)?),
        Step::Form(form) => form_value(form, atoms),
        Step::Residue { from, modulus, low } => {
            let low = i128::from(low.as_constant()?);
            let above = values.get(*from)?.checked_sub(low)?.checked_rem_euclid(i128::from(modulus.as_constant()?))?;
            low.checked_add(above)
        }
    }
}

/// The value of an atom from the atoms that it is made of.
fn computed(normal: &NormalMap<'_>, atom: TermId, atoms: &[Option<i128>]) -> Option<i128> {
    let digit = |of: &Affine, divisor: i128, modulus: Option<i128>| {
        let quotient = form_value(of, atoms)?.checked_div_euclid(divisor)?;
        modulus.map_or(Some(quotient), |modulus| quotient.checked_rem_euclid(modulus))
    };
    match &normal.atom(atom)?.kind {
        AtomKind::Coordinate(_) => None,
        AtomKind::Xor(left, right) => Some(form_value(left, atoms)? ^ form_value(right, atoms)?),
        AtomKind::Opaque { of, divisor, modulus } => {
            let modulus = match modulus {
                Some(modulus) => Some(i128::from(modulus.as_constant()?)),
                None => None,
            };
            digit(of, i128::from(divisor.as_constant()?), modulus)
        }
        AtomKind::Digit { base, position } => {
            let base = normal.bases.get(*base)?;
            let cut = i128::from(base.cuts.get(*position)?.as_constant()?);
            let radix = match base.cuts.get(position + 1) {
                Some(next) => Some(i128::from(next.as_constant()?).checked_div(cut)?),
                None => None,
            };
            digit(base.of.as_ref()?, cut, radix)
        }
    }
}

fn form_value(form: &Affine, atoms: &[Option<i128>]) -> Option<i128> {
    let mut sum = i128::from(form.constant.as_constant()?);
    for (term, coefficient) in &form.terms {
        let value = (*atoms.get(term.0 as usize)?)?;
        sum = sum.checked_add(value.checked_mul(i128::from(coefficient.as_constant()?))?)?;
    }
    Some(sum)
}
