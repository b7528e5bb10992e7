//! Iteration over the points of a compiled map, many at a time.
//!
//! Values are kept in columns, one for each term, so that each step is a plain loop over an array.

use std::ops::ControlFlow;

use super::compiled::{CompiledForm, CompiledMap, CompiledTerm};
use super::{AxisRole, MapError};

/// How many points are evaluated together. The columns of a usual map then fit the first-level cache.
const LANES: usize = 256;

type Column = [i64; LANES];

/// The values of a coordinate or a term in a chunk.
#[derive(Clone)]
struct Values {
    column: Column,
    /// The value, where it is known to be the same throughout the chunk; outer coordinates mostly are.
    uniform: Option<i64>,
}

impl Values {
    fn new() -> Values {
        Values { column: [0; LANES], uniform: None }
    }
}

/// Consecutive points in map order with their values.
pub struct Chunk<'a> {
    /// The number of the first point in map order.
    pub first: u64,
    /// How many points there are.
    pub length: usize,
    coordinates: &'a [Values],
    lower: &'a [Column],
    valid: &'a [bool; LANES],
}

impl Chunk<'_> {
    /// The values of an upper coordinate.
    pub fn coordinate(&self, axis: usize) -> &[i64] {
        let values = self.coordinates.get(axis);
        values.and_then(|values| values.column.get(..self.length)).unwrap_or(&[])
    }

    /// The values of a lower coordinate; meaningful only where the point is valid.
    pub fn lower(&self, axis: usize) -> &[i64] {
        self.lower.get(axis).and_then(|column| column.get(..self.length)).unwrap_or(&[])
    }

    /// Which points are valid.
    pub fn valid(&self) -> &[bool] {
        self.valid.get(..self.length).unwrap_or(&[])
    }
}

impl CompiledMap {
    /// Visits all points in map order. `cancelled` is polled now and then; `visitor` may stop the iteration.
    ///
    /// # Errors
    /// More points than a 64-bit number counts, or the caller cancelled.
    pub fn visit(
        &self,
        cancelled: &dyn Fn() -> bool,
        mut visitor: impl FnMut(&Chunk<'_>) -> ControlFlow<()>,
    ) -> Result<(), MapError> {
        let mut walk = self.walk()?;
        let mut round = 0u32;
        loop {
            if round.is_multiple_of(64) && cancelled() {
                return Err(MapError::Cancelled);
            }
            round = round.wrapping_add(1);
            let Some(chunk) = walk.next_chunk() else {
                return Ok(());
            };
            if visitor(&chunk).is_break() {
                return Ok(());
            }
        }
    }

    /// Iterates over all points in map order.
    ///
    /// # Errors
    /// More points than a 64-bit number counts.
    pub fn walk(&self) -> Result<Walk<'_>, MapError> {
        let total = u64::try_from(self.points()).map_err(|_| MapError::TooLarge { what: "points", limit: u64::MAX })?;
        Ok(Walk::new(self, total))
    }

    /// The roles of the upper coordinates.
    pub fn roles(&self) -> impl Iterator<Item = AxisRole> {
        self.axes.iter().map(|axis| axis.role)
    }
}

/// An iteration over the points of a map; it holds the columns of the current chunk.
pub struct Walk<'m> {
    map: &'m CompiledMap,
    total: u64,
    first: u64,
    /// The first point of the next chunk, counted from zero along each axis.
    position: Vec<i64>,
    coordinates: Vec<Values>,
    terms: Vec<Values>,
    lower: Vec<Column>,
    scratch: Box<[Column; 2]>,
    valid: Box<[bool; LANES]>,
}

impl<'m> Walk<'m> {
    fn new(map: &'m CompiledMap, total: u64) -> Walk<'m> {
        Walk {
            map,
            total,
            first: 0,
            position: vec![0; map.axes.len()],
            coordinates: vec![Values::new(); map.axes.len()],
            terms: vec![Values::new(); map.terms.len()],
            lower: vec![[0; LANES]; map.lower.len()],
            scratch: Box::new([[0; LANES]; 2]),
            valid: Box::new([true; LANES]),
        }
    }

    /// The next chunk of points; `None` after the last one.
    pub fn next_chunk(&mut self) -> Option<Chunk<'_>> {
        let left = self.total.checked_sub(self.first).filter(|left| *left > 0)?;
        let length = usize::try_from(left).unwrap_or(LANES).min(LANES);
        let map = self.map;
        self.fill(map, length);
        self.compute(map, length);
        let first = self.first;
        self.first += length as u64;
        Some(Chunk { first, length, coordinates: &self.coordinates, lower: &self.lower, valid: &self.valid })
    }

    /// Fills the coordinate columns and advances the position.
    fn fill(&mut self, map: &CompiledMap, length: usize) {
        let Some((last, outer)) = map.axes.split_last() else {
            return;
        };
        let innermost = outer.len();
        let mut lane = 0;
        while lane < length {
            let start = self.position.get(innermost).copied().unwrap_or(0);
            let left = usize::try_from(last.count - start).unwrap_or(LANES).min(length - lane).max(1);
            let whole = left == length;
            for ((values, axis), place) in self.coordinates.iter_mut().zip(outer).zip(&self.position) {
                values.uniform = whole.then_some(axis.low + place);
                if let Some(run) = values.column.get_mut(lane..lane + left) {
                    run.fill(axis.low + place);
                }
            }
            let run = self.coordinates.get_mut(innermost).and_then(|values| values.column.get_mut(lane..lane + left));
            for (step, value) in run.into_iter().flatten().enumerate() {
                *value = last.low + start + step as i64;
            }
            lane += left;
            self.advance(map, left as i64);
        }
    }

    /// Advances the position, at most to the end of the innermost axis.
    fn advance(&mut self, map: &CompiledMap, by: i64) {
        let mut carry = by;
        for (place, axis) in self.position.iter_mut().zip(&map.axes).rev() {
            *place += carry;
            if *place < axis.count {
                return;
            }
            *place = 0;
            carry = 1;
        }
    }

    fn compute(&mut self, map: &CompiledMap, length: usize) {
        for (number, term) in map.terms.iter().enumerate() {
            let (before, rest) = self.terms.split_at_mut(number);
            let Some(Values { column, uniform }) = rest.first_mut() else {
                return;
            };
            match term {
                CompiledTerm::Coordinate(axis) => {
                    if let Some(coordinate) = self.coordinates.get(*axis) {
                        *uniform = coordinate.uniform;
                        if uniform.is_none() {
                            column.copy_from_slice(&coordinate.column);
                        }
                    }
                }
                CompiledTerm::Digit { of, divide, modulus } => {
                    evaluate(of, before, column, length);
                    let Some(values) = column.get_mut(..length) else {
                        return;
                    };
                    divide.quotients(values);
                    if let Some(modulus) = modulus {
                        modulus.remainders(values);
                    }
                }
                CompiledTerm::Xor(left, right) => {
                    let [first, second] = &mut *self.scratch;
                    evaluate(left, before, first, length);
                    evaluate(right, before, second, length);
                    for ((left, right), place) in first.iter().zip(second.iter()).zip(column.iter_mut()).take(length) {
                        *place = left ^ right;
                    }
                }
            }
        }
        for (form, column) in map.lower.iter().zip(&mut self.lower) {
            evaluate(form, &self.terms, column, length);
        }
        self.valid.fill(true);
        for condition in &map.conditions {
            let [work, _] = &mut *self.scratch;
            evaluate(&condition.value, &self.terms, work, length);
            for (value, valid) in work.iter().zip(self.valid.iter_mut()).take(length) {
                *valid &= (value.wrapping_sub(condition.low) as u64) < condition.span;
            }
        }
    }
}

/// Writes the values of a form into a column.
fn evaluate(form: &CompiledForm, terms: &[Values], into: &mut Column, length: usize) {
    let Some(into) = into.get_mut(..length) else {
        return;
    };
    // No partial sum overflows, see `CompiledForm`.
    let parts = || form.terms.iter().filter_map(|(term, factor)| Some((terms.get(*term)?, *factor)));
    let uniform = parts().filter_map(|(values, factor)| Some(factor.times(values.uniform?)));
    let constant = uniform.fold(form.constant, i64::wrapping_add);
    let mut varying = parts().filter(|(values, _)| values.uniform.is_none());
    match varying.next() {
        Some((values, factor)) => factor.set(constant, &values.column, into),
        None => into.fill(constant),
    }
    for (values, factor) in varying {
        factor.add(&values.column, into);
    }
}
