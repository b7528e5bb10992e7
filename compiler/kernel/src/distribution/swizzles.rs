//! Shared arrays of tiles whose elements are moved so that the lanes of a warp find theirs in different banks.
//!
//! A tile that is read along its columns, or in the rows of several threads, has elements in one bank that a warp needs at the same
//! time. Exclusive or with the number of the row moves the units of each row in another way: the elements stay in their row, and
//! each place has one element. Which unit, and which rows, is tried; a swizzle is taken if it is proven to cost less than the
//! plain order.

use std::sync::Arc;

use super::requests::{Request, Requests};
use crate::table::Table;
use crate::typed::{Access, BinaryOp, Expr, Kernel, Memory, SharedArray, SharedId, Statement};
use dims::{Facts, Sym};
use maps::hardware::{VECTOR_BYTES, WARP_LANES};
use maps::{Affine, IndexMap, LowerAxis, MapBuilder, MapError};
use proofs::Budget;

/// In row `r`, the element in column `c` moves to column `(c / unit ^ r / rows % units) * unit + c % unit`. All are powers of two,
/// and a row has at least `units` units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Swizzle {
    columns: i64,
    unit: i64,
    rows: i64,
    units: i64,
}

/// By how much the accesses of an array have to get cheaper, in percent of their cost: the exclusive or costs instructions.
const LEAST_GAIN: i64 = 25;

/// The kernel, which is a program of each of so many threads, with swizzled arrays; `of_tiles` tells which arrays only tiles use.
pub(super) fn with_swizzles(mut kernel: Kernel, threads: i64, of_tiles: &[SharedId], poll: &dyn Fn()) -> Kernel {
    let requests = Requests::new(&kernel, threads, poll);
    let choices: Vec<(SharedId, Swizzle)> = of_tiles
        .iter()
        .filter_map(|array| {
            poll();
            Some((*array, choice(&kernel, *array, &requests, poll)?))
        })
        .collect();
    if choices.is_empty() {
        return kernel;
    }
    let moving = Moving { choices: &choices, arrays: &kernel.shared, facts: &kernel.facts };
    Statement::change_accesses(&mut kernel.body, &|access| moving.access(access));
    kernel
}

/// The swizzle of an array that costs least; `None` where the plain order is good enough.
fn choice(kernel: &Kernel, array: SharedId, requests: &Requests<'_>, poll: &dyn Fn()) -> Option<Swizzle> {
    let own: Vec<&Request<'_>> = requests.of_array(array).collect();
    if !own.iter().all(|request| request.is_of_plain_array(kernel)) {
        return None;
    }
    let array = kernel.shared.get(array)?;
    let bytes = i64::try_from(array.element.size_bytes()).ok()?;
    let cancelled = || {
        poll();
        false
    };
    let cost = |swizzle: Option<Swizzle>| {
        let budget = Budget::editing(&cancelled);
        let costs = own.iter().map(|request| request.cost(swizzle, bytes, &budget));
        costs.sum::<Option<i64>>()
    };
    let plain = cost(None)?;
    let costs = candidates(&array.known_shape()?, bytes)
        .into_iter()
        .filter_map(|swizzle| Some((cost(Some(swizzle))?, swizzle)));
    // Of equal ones the first.
    let (best, swizzle) = costs.min_by_key(|(cost, _)| *cost)?;
    (best.checked_mul(100)? <= plain.checked_mul(100 - LEAST_GAIN)?).then_some(swizzle)
}

/// The swizzles of an array with such extents that may help: of units of 16 bytes and of one element, by the numbers of one, two,
/// four or eight rows.
fn candidates(shape: &[i64], bytes: i64) -> Vec<Swizzle> {
    let (length, columns) = (shape.iter().product::<i64>(), shape.last().copied().unwrap_or(1));
    let is_power = |number: i64| number > 0 && number & (number - 1) == 0;
    let mut found = Vec::new();
    if !is_power(columns) || !is_power(length) {
        return found;
    }
    for unit in [VECTOR_BYTES / bytes, 1] {
        for rows in [1, 2, 4, 8] {
            let units = (columns / unit).min(length / (columns * rows)).min(WARP_LANES);
            let swizzle = Swizzle { columns, unit, rows, units };
            if units > 1 && !found.contains(&swizzle) {
                found.push(swizzle);
            }
        }
    }
    found
}

impl Swizzle {
    /// The elements that stay together.
    pub fn unit(self) -> i64 {
        self.unit
    }

    /// Where an element moves.
    pub fn of_form(self, place: &Affine, builder: &mut MapBuilder<'_>) -> Result<Affine, MapError> {
        let [unit, row, units] = [self.unit, self.columns * self.rows, self.units].map(Sym::constant);
        let moved = builder.digit(place, &unit, None)?;
        let by = builder.digit(place, &row, Some(&units))?;
        let within = if self.unit == 1 {
            Affine::constant(Sym::zero())
        } else {
            builder.digit(place, &Sym::one(), Some(&unit))?
        };
        builder.xor(&moved, &by)?.checked_scale(&unit)?.checked_add(&within)
    }

    /// The position of the element at some coordinates of an array with such extents; `None` of a single row.
    fn of_coordinates(self, coordinates: &[Expr], shape: &[i64]) -> Option<Expr> {
        let ((column, others), (_, extents)) = (coordinates.split_last()?, shape.split_last()?);
        let by_extent = |before: Expr, (coordinate, extent): (&Expr, &i64)| {
            Expr::binary(BinaryOp::Add, times(before, *extent), coordinate.clone())
        };
        let mut axes = others.iter().zip(extents).filter(|(_, extent)| **extent != 1);
        let first = axes.next()?.0.clone();
        let row = axes.fold(first, by_extent);
        let by = Expr::binary(BinaryOp::FloorRemainder, divided(row.clone(), self.rows), Expr::int(self.units));
        let moved = Expr::binary(BinaryOp::BitXor, divided(column.clone(), self.unit), by);
        let mut place = Expr::binary(BinaryOp::Add, times(row, self.columns), times(moved, self.unit));
        if self.unit > 1 {
            let within = Expr::binary(BinaryOp::FloorRemainder, column.clone(), Expr::int(self.unit));
            place = Expr::binary(BinaryOp::Add, place, within);
        }
        Some(place)
    }

    /// The map of an access with the elements moved.
    fn of_map(self, map: &IndexMap, facts: &Facts) -> Result<IndexMap, MapError> {
        let mut builder = MapBuilder::new(map.upper.clone(), facts);
        let ids = builder.coordinates()?;
        let [place] = builder.apply(map, &ids)?.try_into().map_err(|_| MapError::Malformed)?;
        let value = self.of_form(&place.value, &mut builder)?;
        builder.finish(vec![LowerAxis { value, extent: place.extent }])
    }
}

fn times(expr: Expr, factor: i64) -> Expr {
    if factor == 1 { expr } else { Expr::binary(BinaryOp::Multiply, expr, Expr::int(factor)) }
}

fn divided(expr: Expr, divisor: i64) -> Expr {
    if divisor == 1 { expr } else { Expr::binary(BinaryOp::FloorDivide, expr, Expr::int(divisor)) }
}

/// Moves the elements of arrays in every access.
struct Moving<'k> {
    choices: &'k [(SharedId, Swizzle)],
    arrays: &'k Table<SharedId, SharedArray>,
    facts: &'k Facts,
}

impl Moving<'_> {
    fn access(&self, access: Access) -> Access {
        let choice = self.choices.iter().find(|(array, _)| access.memory == Memory::Shared(*array));
        match choice.and_then(|(array, swizzle)| self.moved(&access, *array, *swizzle)) {
            Some((map, offset)) => Access { map: Arc::new(map), offset, ..access },
            None => access,
        }
    }

    fn moved(&self, access: &Access, array: SharedId, swizzle: Swizzle) -> Option<(IndexMap, Expr)> {
        let map = swizzle.of_map(&access.map, self.facts).ok()?;
        let shape = self.arrays.get(array)?.known_shape()?;
        Some((map, swizzle.of_coordinates(&access.coordinates, &shape)?))
    }
}
