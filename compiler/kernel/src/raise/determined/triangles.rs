//! Rows and columns from the place in a packed triangle: `i * (i + 1) / 2 + j`, where `j` lies between 0 and `i`.
//!
//! The rows before row `i` have `i * (i + 1) / 2` elements together, and row `i` has `i + 1`. So the place decides the row, as it
//! lies beyond the rows before and before the next one, and then the column.

use super::super::values::Kind;
use super::super::{Raiser, ValueId};
use super::Search;
use super::sums::{Sum, Term};
use crate::typed::BinaryOp;
use dims::{CompareOp, Sym};

/// The most triangles of one question.
const MOST_TRIANGLES: usize = 4;
/// The most values of an index that are looked at.
const MOST_LOOKED_AT: usize = 32;

/// A place in a packed triangle.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// The elements of the rows before.
    before: ValueId,
    /// The row, which is not negative.
    row: ValueId,
    /// The column, which is not negative and at most the row.
    column: Vec<Term>,
}

impl Search<'_> {
    /// Notes the places in packed triangles that values are made of, by what holds here.
    pub(super) fn note_triangles(&mut self, given: &[ValueId]) {
        let mut open: Vec<ValueId> = given.to_vec();
        let mut looked_at = 0;
        while let Some(value) = open.pop() {
            let value = self.raiser.plainly(value);
            looked_at += 1;
            if looked_at > MOST_LOOKED_AT || self.triangles.len() == MOST_TRIANGLES {
                return;
            }
            match *self.raiser.kind(value) {
                Kind::Binary(BinaryOp::Add, left, right) => {
                    for (before, column) in [(left, right), (right, left)] {
                        if let Some(row) = self.raiser.row_of(before, column) {
                            let before = self.raiser.plainly(before);
                            if let Some(column) = self.sum(column).exact_terms() {
                                self.triangles.push(Triangle { before, row, column });
                            }
                        }
                    }
                    open.extend([left, right]);
                }
                Kind::Binary(BinaryOp::Subtract | BinaryOp::Multiply, left, right) => open.extend([left, right]),
                Kind::Cast(inner) => open.push(inner),
                _ => {}
            }
        }
    }

    /// The parts of a sum that is the place in a triangle: row and column.
    pub(super) fn row_and_column(&mut self, sum: &Sum) -> Option<(Vec<ValueId>, Sum)> {
        let terms = sum.clone().exact_terms()?;
        for Triangle { before, row, mut column } in self.triangles.clone() {
            column.retain(|term| !self.is_known(term.value));
            let is_before = |term: &Term| term.value == before && term.factor == Sym::one();
            let is_rest = terms.len() == column.len() + 1 && column.iter().all(|term| terms.contains(term));
            if is_rest && terms.iter().any(is_before) {
                return Some((vec![before, row], Sum::exactly(column)));
            }
        }
        None
    }
}

impl Raiser {
    /// The row of which a value says how many elements the rows before it have together, if the column is one of that row.
    fn row_of(&mut self, before: ValueId, column: ValueId) -> Option<ValueId> {
        let product = self.half(before)?;
        let [row, next] = self.neighbours(product)?;
        let is_in_row = self.is_never_above(column, row) || {
            let next = self.bare(next);
            self.comparisons_of(column).any(|(op, other)| op == CompareOp::Lt && self.bare(other) == next)
        };
        // The row is not negative either then.
        let is_place = is_in_row && self.is_sum(product) && self.is_natural_here(column);
        is_place.then(|| self.plainly(row))
    }

    /// The factors of a product of which one is greater than the other by 1, the smaller one first.
    fn neighbours(&mut self, product: ValueId) -> Option<[ValueId; 2]> {
        let Kind::Binary(BinaryOp::Multiply, left, right) = *self.kind(self.bare(product)) else { return None };
        self.in_order(left, right)
    }

    /// Two values of which one is greater than the other by 1, the smaller one first.
    pub(in super::super) fn in_order(&mut self, left: ValueId, right: ValueId) -> Option<[ValueId; 2]> {
        match self.distance(left, right)?.as_constant()? {
            1 => Some([left, right]),
            -1 => Some([right, left]),
            _ => None,
        }
    }

    fn is_natural_here(&mut self, value: ValueId) -> bool {
        let steps = &mut super::super::bounds::MOST_BOUNDED.clone();
        self.is_never_negative(value) || self.is_natural_by_sizes(value, steps)
    }
}
