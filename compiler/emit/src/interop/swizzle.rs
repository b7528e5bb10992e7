//! Maps with an exclusive or that are a CuTe swizzle of a strided map.
//!
//! `Swizzle<B,M,S>` maps an offset `o` to `o ^ ((o >> S) & mask)`, where the mask has B bits from bit M on. For a
//! negative S it is `o ^ ((o & mask) << -S)`: M is the lower of the first changed bit and the first source bit. The
//! search guesses the strided map and the bits, and then proves that the swizzle equals the map.

use super::emitted::NoForm;
use super::strided::{Strided, formula, strided};
use dims::{Facts, Sym};
use maps::row_major::coordinates;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, Term, UpperAxis};
use proofs::Budget;

/// A swizzle of a strided map.
pub(super) struct Swizzled {
    pub bits: Bits,
    /// The strided map.
    pub strided: Strided,
}

/// The bits of an offset that a swizzle changes, and the source bits that it combines them with.
#[derive(Clone, Copy)]
pub(super) struct Bits {
    /// The number of changed bits: B.
    pub count: u32,
    /// The lowest changed bit.
    changed: u32,
    /// The lowest source bit. The two groups of bits are disjoint.
    mixed_in: u32,
}

impl Bits {
    /// M: the lowest bit of both groups.
    pub fn base(self) -> u32 {
        self.changed.min(self.mixed_in)
    }

    /// S: the distance from the changed bits up to the source bits; negative if these are lower.
    pub fn shift(self) -> i64 {
        i64::from(self.mixed_in) - i64::from(self.changed)
    }

    fn apply(self, offset: u64) -> Option<u64> {
        let ones = 1u64.checked_shl(self.count)?.checked_sub(1)?;
        let mixed = offset.checked_shr(self.mixed_in).unwrap_or(0) & ones;
        Some(offset ^ (mixed << self.changed))
    }
}

/// The highest bit of an offset in the search.
const MOST_BITS: u32 = 40;
/// The most exclusive ors in a map for which a swizzle is searched.
const MOST_XORS: u32 = 6;
/// The number of points for which a guess is tested before it is proven.
const SAMPLES: usize = 4096;

/// Finds a swizzle that equals the map.
///
/// # Errors
/// If none is found, with the reason as a clause.
pub(super) fn swizzled(map: &IndexMap, facts: &Facts, budget: &Budget<'_>) -> Result<Swizzled, NoForm> {
    let none = |reason: &str| NoForm(format!("`{}` {reason}", formula(map)));
    if !map.is_constant() {
        return Err(none("has an exclusive or and symbols; a swizzle is looked for only where all sizes are known"));
    }
    let xors = map.terms.iter().filter(|term| matches!(term, Term::Xor(..))).count();
    let choices = u32::try_from(xors).ok().filter(|xors| *xors <= MOST_XORS).map_or(0, |xors| 1u32 << xors);
    let points = samples(map);
    let mut obstacle = None;
    let mut was_open = false;
    for choice in 0..choices {
        let plain = without_xor(map, choice, facts)?;
        let strided = match strided(&plain, facts) {
            Ok(strided) => strided,
            Err(reason) => {
                obstacle.get_or_insert(reason);
                continue;
            }
        };
        for bits in candidates(map, &plain, &points) {
            let guess = swizzle(&plain, bits, facts)?;
            let verdict = proofs::equal(map, &guess, facts, budget);
            if verdict.is_proven() {
                return Ok(Swizzled { bits, strided });
            }
            was_open |= !verdict.is_refuted();
        }
    }
    match obstacle {
        _ if was_open => Err(none("looks like a swizzle of a layout, but the map has too many points to prove it")),
        Some(NoForm(reason)) => Err(none(&format!("is no swizzle of a layout: {reason}"))),
        None => Err(none("has an exclusive or that is no swizzle of a layout")),
    }
}

/// The map with each exclusive or replaced by one of its operands; bit k of `choice` selects the operand of the k-th
/// one.
fn without_xor(map: &IndexMap, choice: u32, facts: &Facts) -> Result<IndexMap, MapError> {
    let mut plain = map.clone();
    let mut forms: Vec<Affine> = Vec::with_capacity(map.terms.len());
    let mut builder = MapBuilder::new(map.upper.clone(), facts);
    let mut number = 0;
    for term in &map.terms {
        forms.push(match term {
            Term::Coordinate(axis) => builder.coordinate(*axis as usize)?,
            Term::Digit { of, divisor, modulus } => {
                let of = replaced(of, &forms)?;
                builder.digit(&of, divisor, modulus.as_ref())?
            }
            Term::Xor(left, right) => {
                let kept = if choice >> number & 1 == 0 { left } else { right };
                number += 1;
                replaced(kept, &forms)?
            }
        });
    }
    for mask in &map.masks {
        let value = replaced(&mask.value, &forms)?;
        builder.mask(&value, mask.low.as_ref(), mask.high.as_ref(), mask.reason)?;
    }
    for axis in &mut plain.lower {
        axis.value = replaced(&axis.value, &forms)?;
    }
    builder.finish(plain.lower)
}

fn replaced(form: &Affine, forms: &[Affine]) -> Result<Affine, MapError> {
    let mut sum = Affine::constant(form.constant.clone());
    for (term, coefficient) in &form.terms {
        let form = forms.get(term.0 as usize).ok_or(MapError::Malformed)?;
        sum = sum.checked_add(&form.checked_scale(coefficient)?)?;
    }
    Ok(sum)
}

/// The swizzles that match every sample. The changed bits follow from the samples, and all source bits are tried.
fn candidates(map: &IndexMap, plain: &IndexMap, points: &[Vec<i64>]) -> Vec<Bits> {
    let offset = |map: &IndexMap, point: &[i64]| {
        let found = maps::evaluate(map, point, &|_| None).ok()?;
        u64::try_from(*found.lower.first()?).ok()
    };
    let pairs: Option<Vec<(u64, u64)>> =
        points.iter().map(|point| Some((offset(plain, point)?, offset(map, point)?))).collect();
    let Some(pairs) = pairs else {
        return Vec::new();
    };
    let changed = pairs.iter().fold(0, |bits, (before, after)| bits | (before ^ after));
    if changed == 0 {
        return Vec::new();
    }
    let lowest = changed.trailing_zeros();
    let count = u64::BITS - changed.leading_zeros() - lowest;
    let sources = (count..=MOST_BITS).flat_map(|apart| [lowest.checked_add(apart), lowest.checked_sub(apart)]);
    let guesses = sources.flatten().map(|mixed_in| Bits { count, changed: lowest, mixed_in });
    guesses.filter(|bits| pairs.iter().all(|(before, after)| bits.apply(*before) == Some(*after))).collect()
}

/// The swizzle of a map, as a map.
fn swizzle(plain: &IndexMap, bits: Bits, facts: &Facts) -> Result<IndexMap, MapError> {
    let power = |exponent: u32| {
        let power = 1i64.checked_shl(exponent).filter(|power| *power > 0).ok_or(MapError::Overflow)?;
        Ok::<Sym, MapError>(Sym::constant(power))
    };
    let end = power(61)?;
    let upper = vec![UpperAxis { extent: Some(end), role: AxisRole::Local }];
    let mut builder = MapBuilder::new(upper, facts);
    let offset = builder.coordinate(0)?;
    let mixed = builder.digit(&offset, &power(bits.mixed_in)?, Some(&power(bits.count)?))?;
    let mixed = mixed.checked_scale(&power(bits.changed)?)?;
    let value = builder.xor(&offset, &mixed)?;
    let swizzle = builder.finish(vec![LowerAxis { value, extent: None }])?;
    maps::compose(&swizzle, plain, facts)
}

/// Points at which guesses are tested: all of a small map, otherwise points that set every bit of every coordinate.
fn samples(map: &IndexMap) -> Vec<Vec<i64>> {
    let extents: Option<Vec<i64>> =
        map.upper.iter().map(|axis| axis.extent.as_ref().and_then(Sym::as_constant)).collect();
    let Some(extents) = extents.filter(|extents| extents.iter().all(|extent| *extent > 0)) else {
        return Vec::new();
    };
    let wide: Vec<u128> = extents.iter().map(|extent| extent.unsigned_abs().into()).collect();
    let points = wide.iter().fold(1u128, |points, extent| points.saturating_mul(*extent));
    let step = usize::try_from(points / SAMPLES as u128).unwrap_or(usize::MAX).max(1) | 1;
    let mut samples: Vec<Vec<i64>> = Vec::new();
    let mut number = 0u128;
    while number < points && samples.len() < SAMPLES {
        samples.push(coordinates(number, &wide).into_iter().map(|digit| i64::try_from(digit).unwrap_or(0)).collect());
        number = number.saturating_add(step as u128);
    }
    for (axis, extent) in extents.iter().enumerate() {
        let corners = (0..62).map(|bit| 1i64 << bit).take_while(|value| value < extent).chain([extent - 1]);
        for value in corners {
            let mut point = vec![0i64; extents.len()];
            if let Some(coordinate) = point.get_mut(axis) {
                *coordinate = value;
            }
            samples.push(point);
        }
    }
    samples
}
