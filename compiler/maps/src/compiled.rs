//! A map with known sizes, compiled for evaluation at many points.
//!
//! Compiling proves by intervals that nothing overflows at any point of the domain, so that the work per point is
//! plain arithmetic.

use super::lanes::{Divider, Factor};
use super::range::greatest_xor;
use super::{Affine, AxisRole, IndexMap, MapError, Term};
use crate::row_major;
use dims::Sym;

/// Which points a compiled map covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Every point inside the extents, valid or not. A coordinate without an extent is bounded by the masks on it.
    Extents,
    /// The smallest box around the valid points that follows from masks on single coordinates.
    Tight,
}

/// A map with known sizes, ready to be evaluated at every point of a box.
#[derive(Clone, Debug)]
pub struct CompiledMap {
    pub(super) axes: Vec<CompiledAxis>,
    pub(super) terms: Vec<CompiledTerm>,
    pub(super) lower: Vec<CompiledForm>,
    pub(super) conditions: Vec<Condition>,
    points: u128,
}

/// The range of an upper coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompiledAxis {
    pub low: i64,
    pub count: i64,
    pub role: AxisRole,
}

/// A term and the smallest and largest value it takes.
#[derive(Clone, Debug)]
pub(super) enum CompiledTerm {
    Coordinate(usize),
    Digit { of: CompiledForm, divide: Divider, modulus: Option<Divider> },
    Xor(CompiledForm, CompiledForm),
}

/// `constant + Σ coefficient · value`, which stays within 64 bits on the domain.
#[derive(Clone, Debug)]
pub(super) struct CompiledForm {
    pub constant: i64,
    pub terms: Vec<(usize, Factor)>,
    /// The smallest and largest value on the domain, by interval arithmetic.
    pub low: i64,
    pub high: i64,
}

/// `low ≤ value < low + span`.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub value: CompiledForm,
    pub low: i64,
    pub span: u64,
}

impl CompiledMap {
    /// Compiles a map without symbols.
    ///
    /// # Errors
    /// A symbol, a coordinate without an upper end, a divisor below one, or a value that may overflow 64 bits.
    pub fn new(map: &IndexMap, domain: Domain) -> Result<CompiledMap, MapError> {
        let axes = axes(map, domain)?;
        let mut points: u128 = 1;
        for axis in &axes {
            points = points.saturating_mul(axis.count as u128);
        }
        if points == 0 {
            // The forms of a map without points are never evaluated, so they need not make sense.
            return Ok(CompiledMap { axes, terms: Vec::new(), lower: Vec::new(), conditions: Vec::new(), points });
        }
        let mut ranges: Vec<(i64, i64)> = Vec::with_capacity(map.terms.len());
        let mut terms = Vec::with_capacity(map.terms.len());
        for term in &map.terms {
            let (term, range) = compile_term(term, &axes, &ranges)?;
            terms.push(term);
            ranges.push(range);
        }
        let mut conditions = Vec::new();
        for mask in &map.masks {
            let bound = |size: &Option<Sym>| size.as_ref().map(constant).transpose();
            let value = compile_form(&mask.value, &ranges)?;
            conditions.extend(condition(value, bound(&mask.low)?, bound(&mask.high)?));
        }
        let mut lower = Vec::with_capacity(map.lower.len());
        for axis in &map.lower {
            let value = compile_form(&axis.value, &ranges)?;
            if let Some(extent) = &axis.extent {
                conditions.extend(condition(value.clone(), Some(0), Some(constant(extent)?)));
            }
            lower.push(value);
        }
        Ok(CompiledMap { axes, terms, lower, conditions, points })
    }

    /// How many points there are, valid or not; at most `u128::MAX`.
    pub fn points(&self) -> u128 {
        self.points
    }

    /// The number of lower coordinates; zero if there are no points.
    pub fn lower_rank(&self) -> usize {
        self.lower.len()
    }

    /// One past the largest value of each upper coordinate.
    pub fn ends(&self) -> impl Iterator<Item = i64> {
        self.axes.iter().map(|axis| axis.low + axis.count)
    }

    /// Inclusive bounds of each lower coordinate over all points; `None` if there are no points.
    pub fn lower_ranges(&self) -> Option<Vec<(i64, i64)>> {
        (self.points > 0).then(|| self.lower.iter().map(|form| (form.low, form.high)).collect())
    }

    /// Whether interval arithmetic shows every point of the domain to be valid.
    pub fn always_valid(&self) -> bool {
        self.conditions.is_empty()
    }

    /// The upper coordinates of a point by its number in map order, where the last coordinate runs fastest.
    pub fn coordinates(&self, number: u128) -> Vec<i64> {
        let counts: Vec<u128> = self.axes.iter().map(|axis| axis.count as u128).collect();
        let digits = row_major::coordinates(number, &counts);
        self.axes.iter().zip(digits).map(|(axis, digit)| axis.low + digit as i64).collect()
    }
}

fn constant(size: &Sym) -> Result<i64, MapError> {
    size.as_constant().ok_or(MapError::Symbolic)
}

/// The box of upper coordinates.
fn axes(map: &IndexMap, domain: Domain) -> Result<Vec<CompiledAxis>, MapError> {
    let mut axes = Vec::with_capacity(map.upper.len());
    for (number, axis) in map.upper.iter().enumerate() {
        let extent = axis.extent.as_ref().map(constant).transpose()?;
        let (mut low, mut end) = (0i128, extent.map(i128::from));
        if domain == Domain::Tight || extent.is_none() {
            for (mask_low, mask_end) in single_coordinate_bounds(map, number)? {
                if domain == Domain::Tight {
                    low = mask_low.map_or(low, |bound| low.max(bound));
                }
                end = match (end, mask_end) {
                    (Some(end), Some(bound)) => Some(end.min(bound)),
                    (end, bound) => end.or(bound),
                };
            }
        }
        let end = end.ok_or(MapError::Unbounded { axis: number })?;
        let count = i64::try_from((end - low).max(0)).map_err(|_| MapError::Overflow)?;
        let low = if count == 0 { 0 } else { i64::try_from(low).map_err(|_| MapError::Overflow)? };
        low.checked_add(count).ok_or(MapError::Overflow)?;
        axes.push(CompiledAxis { low, count, role: axis.role });
    }
    Ok(axes)
}

/// The half-open interval `[low, high)`; `None` is no bound.
type HalfOpen = (Option<i128>, Option<i128>);

/// The bounds of a coordinate by the masks on a multiple of that coordinate alone.
fn single_coordinate_bounds(map: &IndexMap, axis: usize) -> Result<Vec<HalfOpen>, MapError> {
    let mut bounds = Vec::new();
    for mask in &map.masks {
        let [(term, factor)] = mask.value.terms.as_slice() else {
            continue;
        };
        if !matches!(map.term(*term), Some(Term::Coordinate(number)) if *number as usize == axis) {
            continue;
        }
        let (offset, factor) = (i128::from(constant(&mask.value.constant)?), i128::from(constant(factor)?));
        let low = mask.low.as_ref().map(constant).transpose()?.map(|low| i128::from(low) - offset);
        let last = mask.high.as_ref().map(constant).transpose()?.map(|high| i128::from(high) - 1 - offset);
        let up = |bound: i128| -num_integer::div_floor(-bound, factor);
        let down = |bound: i128| num_integer::div_floor(bound, factor);
        // low ≤ factor · c ≤ last; a negative factor swaps the bounds.
        bounds.push(match factor {
            0 => continue,
            1.. => (low.map(up), last.map(|last| down(last) + 1)),
            _ => (last.map(up), low.map(|low| down(low) + 1)),
        });
    }
    Ok(bounds)
}

fn compile_term(
    term: &Term,
    axes: &[CompiledAxis],
    ranges: &[(i64, i64)],
) -> Result<(CompiledTerm, (i64, i64)), MapError> {
    match term {
        Term::Coordinate(number) => {
            let axis = axes.get(*number as usize).ok_or(MapError::Malformed)?;
            Ok((CompiledTerm::Coordinate(*number as usize), (axis.low, axis.low + (axis.count - 1))))
        }
        Term::Digit { of, divisor, modulus } => {
            let of = compile_form(of, ranges)?;
            let divide = Divider::new(radix(divisor)?, of.low, of.high);
            let (low, high) = (divide.quotient(of.low), divide.quotient(of.high));
            let Some(modulus) = modulus else {
                return Ok((CompiledTerm::Digit { of, divide, modulus: None }, (low, high)));
            };
            let modulus = radix(modulus)?;
            let take = Divider::new(modulus, low, high);
            // A range that stays between two multiples of the modulus keeps its length.
            let range = if low.div_euclid(modulus) == high.div_euclid(modulus) {
                (low.rem_euclid(modulus), high.rem_euclid(modulus))
            } else {
                (0, modulus - 1)
            };
            Ok((CompiledTerm::Digit { of, divide, modulus: Some(take) }, range))
        }
        Term::Xor(left, right) => {
            let (left, right) = (compile_form(left, ranges)?, compile_form(right, ranges)?);
            let smallest = left.low.min(right.low);
            let range = if smallest < 0 {
                // Bits above the longest operand are copies of the sign.
                let widest =
                    [left.low, left.high, right.low, right.high].map(|bound| if bound < 0 { !bound } else { bound });
                let bits = 64 - widest.into_iter().fold(0, i64::max).leading_zeros();
                let ones = if bits >= 63 { i64::MAX } else { (1i64 << bits) - 1 };
                (!ones, ones)
            } else {
                (0, greatest_xor(left.high, right.high))
            };
            Ok((CompiledTerm::Xor(left, right), range))
        }
    }
}

fn radix(size: &Sym) -> Result<i64, MapError> {
    match constant(size)? {
        value if value <= 0 => Err(MapError::NotPositive { what: "a divisor", value }),
        value => Ok(value),
    }
}

fn compile_form(form: &Affine, ranges: &[(i64, i64)]) -> Result<CompiledForm, MapError> {
    let start = constant(&form.constant)?;
    let (mut low, mut high) = (i128::from(start), i128::from(start));
    // The sum of absolute values bounds every partial sum, in whatever order it is taken.
    let mut widest = i128::from(start).abs();
    let mut terms = Vec::with_capacity(form.terms.len());
    for (term, coefficient) in &form.terms {
        let (least, most) = *ranges.get(term.0 as usize).ok_or(MapError::Malformed)?;
        let coefficient = constant(coefficient)?;
        let products = [least, most].map(|value| i128::from(value) * i128::from(coefficient));
        low += products[0].min(products[1]);
        high += products[0].max(products[1]);
        widest += products[0].abs().max(products[1].abs());
        // Half of the positive range leaves room for adding one to a bound.
        if widest > i128::from(i64::MAX / 2) {
            return Err(MapError::Overflow);
        }
        terms.push((term.0 as usize, Factor::new(coefficient, least, most)));
    }
    if widest > i128::from(i64::MAX / 2) {
        return Err(MapError::Overflow);
    }
    Ok(CompiledForm { constant: start, terms, low: low as i64, high: high as i64 })
}

/// The condition `low ≤ value < high`; none where it always holds.
fn condition(value: CompiledForm, low: Option<i64>, high: Option<i64>) -> Option<Condition> {
    let holds_low = low.is_none_or(|low| low <= value.low);
    let holds_high = high.is_none_or(|high| value.high < high);
    if holds_low && holds_high {
        return None;
    }
    let low = low.unwrap_or(value.low).max(value.low);
    let last = high.map_or(value.high, |high| high.saturating_sub(1)).min(value.high);
    let span = if last < low { 0 } else { (last.wrapping_sub(low) as u64).saturating_add(1) };
    Some(Condition { value, low, span })
}
