//! Several sums of each thread as one product of matrices, where the threads and their sums together go through the rows of one factor
//! and the columns of the other one without gaps: each thread then computes a part of the rows and columns of the whole.

use std::ops::Range;

use kernel::loops::AccessId;

use super::products::{Factor, Initial, TileSum};
use crate::cpu::indices::form::Digits;
use crate::cpu::indices::forms::Forms;
use crate::cpu::launch::launch_table::LaunchValue;
use kernel::typed::Memory;

/// The most elements of the whole: a call keeps them beside each other.
pub const MOST_ELEMENTS: i64 = 128 * 128;

/// The sums of all threads as one product.
pub struct Joint {
    /// The product of the whole, as a sum whose factors differ in all rows and in all columns.
    pub sum: TileSum,
    /// Which rows are those of a thread.
    pub rows: Spread,
    /// Which columns are.
    pub columns: Spread,
    /// The numbers of the sums, by the part of the rows and the part of the columns.
    pub parts: Vec<usize>,
}

/// How threads and their parts go through rows, or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Spread {
    /// The number of threads.
    pub threads: i64,
    /// The distance of what neighbouring threads have.
    pub threads_apart: i64,
    /// The number of parts of each thread.
    pub parts: i64,
    /// The distance of neighbouring parts.
    pub parts_apart: i64,
}

impl Spread {
    /// How threads, and parts of each thread, go through places without gaps, if they do: where the next thread's element of a
    /// factor is so far away, and the next part's so far. The second number is the distance of neighbouring places.
    fn new([threads, across]: [i64; 2], [parts, apart]: [i64; 2]) -> Option<(Spread, i64)> {
        if parts == 1 {
            return Some((Spread { threads, threads_apart: 1, parts, parts_apart: threads }, across));
        }
        if threads == 1 || Some(apart) == across.checked_mul(threads) {
            let distance = if threads == 1 { apart } else { across };
            return Some((Spread { threads, threads_apart: 1, parts, parts_apart: threads }, distance));
        }
        (Some(across) == apart.checked_mul(parts))
            .then_some((Spread { threads, threads_apart: parts, parts, parts_apart: 1 }, apart))
    }

    /// The number of places.
    pub fn count(self) -> i64 {
        self.threads.saturating_mul(self.parts)
    }
}

/// The sums of a tile of threads as one product, with the arrays from which they are and in which they end.
pub fn joint(
    forms: &mut Forms<'_>,
    (digits, ranges): (Digits, &[Range<i64>; 2]),
    sums: &[TileSum],
    arrays: &[(Initial, Memory)],
) -> Option<Joint> {
    let (first, others) = sums.split_first()?;
    let first_left = first.left?;
    // The arrays of threads are taken from their first elements on.
    let are_alike = arrays.iter().all(|(initial, _)| matches!(initial, Initial::Array(_)));
    if others.is_empty() || !are_alike || ranges.iter().any(|range| range.start != 0) {
        return None;
    }
    forms.split(digits);
    let shifts: Option<Vec<[i64; 2]>> = sums
        .iter()
        .map(|sum| {
            let is_alike = sum.fused == first.fused
                && forms.program.element(sum.head) == forms.program.element(first.head)
                && arrays.len() == sums.len();
            let left = shift(forms, &first_left, &sum.left?)?;
            is_alike.then_some([left, shift(forms, &first.right, &sum.right)?])
        })
        .collect();
    forms.unsplit();
    let shifts = shifts?;
    let [lefts, rights] = [0, 1].map(|side: usize| progression(shifts.iter().map(|shift| shift[side]).collect()));
    let ([lefts, left_apart], [rights, right_apart]) = (lefts?, rights?);
    let counts = [0, 1].map(|side: usize| ranges[side].end);
    let (rows, row) = Spread::new([counts[0], first_left.across.as_constant()?], [lefts, left_apart])?;
    let (columns, column) = Spread::new([counts[1], first.right.across.as_constant()?], [rights, right_apart])?;
    let mut parts = Vec::new();
    for left in 0..lefts {
        for right in 0..rights {
            let own = [left * left_apart, right * right_apart];
            let mut found = (0..shifts.len()).filter(|place| shifts[*place] == own);
            let (Some(place), None) = (found.next(), found.next()) else { return None };
            parts.push(place);
        }
    }
    let is_small = rows.count().saturating_mul(columns.count()) <= MOST_ELEMENTS;
    if parts.len() != sums.len() || !is_small {
        return None;
    }
    // The sum of the first parts has the first elements of both factors.
    let base = &sums[*parts.first()?];
    let left = Factor { across: LaunchValue::Constant(row), ..base.left? };
    let right = Factor { across: LaunchValue::Constant(column), ..base.right };
    Some(Joint { sum: TileSum { left: Some(left), right, ..*base }, rows, columns, parts })
}

/// How far a factor is from another one, if they are in the same memory and go through it alike.
fn shift(forms: &mut Forms<'_>, from: &Factor, to: &Factor) -> Option<i64> {
    let [before, after] = [from, to].map(|factor| forms.program.access(factor.access));
    if before.memory != after.memory || from.across != to.across || from.along != to.along {
        return None;
    }
    let mut offset = |access: AccessId| {
        let offset = forms.program.access(access).offset;
        forms.form(offset)
    };
    let [before, after] = [from, to].map(|factor| offset(factor.access));
    let negated = forms.scale(&before, LaunchValue::Constant(-1));
    forms.add(&after, &negated).as_launch_value()?.as_constant()
}

/// How many different numbers these are, and their distance, if they are 0 and what follows it at one distance.
fn progression(mut numbers: Vec<i64>) -> Option<[i64; 2]> {
    numbers.sort_unstable();
    numbers.dedup();
    let apart = numbers.get(1).copied().unwrap_or(1);
    let is_one = numbers.iter().zip(0..).all(|(number, place): (&i64, i64)| Some(*number) == place.checked_mul(apart));
    is_one.then_some([numbers.len() as i64, apart])
}
