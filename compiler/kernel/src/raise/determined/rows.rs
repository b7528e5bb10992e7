//! Rows and columns from known places in rows of different lengths, as in packed triangles: the place decides both.

use super::super::rows::Rows;
use super::super::value::ValueId;
use super::Search;
use super::sums::{Sum, Term};

/// The most places of one question.
const MOST_PLACES: usize = 4;

/// A place in rows, as a sum.
#[derive(Clone, Debug)]
pub(super) struct PlaceInRows {
    sum: Vec<Term>,
    /// The rows.
    pub(super) rows: Rows,
    row_and_column: [ValueId; 2],
}

impl Search<'_> {
    /// Notes the places in rows that values are made of, by what holds here.
    pub(super) fn note_places_in_rows(&mut self, given: &[ValueId]) {
        for value in given {
            for (value, place) in self.raiser.places_in_rows(*value) {
                if self.in_rows.len() < MOST_PLACES
                    && let Some(sum) = self.sum(value).exact_terms()
                {
                    self.in_rows.push(PlaceInRows {
                        sum,
                        row_and_column: [place.rows.row, place.rows.column],
                        rows: place.rows,
                    });
                }
            }
        }
    }

    /// The row and the column of a known sum, if it is a place in rows.
    pub(super) fn row_and_column(&mut self, sum: &Sum) -> Option<[ValueId; 2]> {
        let terms = sum.clone().exact_terms()?;
        self.in_rows.clone().into_iter().find_map(|PlaceInRows { mut sum, row_and_column, .. }| {
            sum.retain(|term| !self.is_known(term.value));
            let is_place = sum.len() == terms.len() && sum.iter().all(|term| terms.contains(term));
            let says_more = row_and_column.into_iter().any(|value| !self.is_known(value));
            (is_place && says_more).then_some(row_and_column)
        })
    }
}
