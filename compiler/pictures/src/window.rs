//! A box of coordinates laid out in rows, and the part of it that is drawn.

use super::Limits;
use maps::row_major::digits;

/// A box of coordinates, numbered so that the last axis of `order` runs along a row.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The axes from the slowest to the fastest.
    order: Vec<usize>,
    /// The least coordinate of each axis.
    first: Vec<i64>,
    /// The number of coordinates of each axis.
    extents: Vec<u64>,
    /// Coordinates in a whole row.
    width: u64,
    /// The number of coordinates, saturated at 64 bits.
    total: u64,
    /// The drawn part.
    first_row: u64,
    first_column: u64,
    rows: usize,
    columns: usize,
}

impl Window {
    /// A box with `first` and `extents` for each axis, whose axes run from the slowest to the fastest as `order` says.
    /// A box with one axis is cut into rows of `width`; any other has the fastest axis as its row.
    pub(super) fn new(order: Vec<usize>, first: Vec<i64>, extents: Vec<u64>, width: u64, limits: Limits) -> Window {
        let total = extents.iter().fold(1u64, |total, extent| total.saturating_mul(*extent));
        let along = order.last().and_then(|axis| extents.get(*axis)).copied().unwrap_or(1);
        let width = if order.len() > 1 { along } else { width }.clamp(1, total.max(1));
        let rows = usize::try_from(total.div_ceil(width)).unwrap_or(usize::MAX).min(limits.rows.max(1));
        let columns = usize::try_from(width).unwrap_or(usize::MAX).min(limits.columns.max(1));
        Window { order, first, extents, width, total, first_row: 0, first_column: 0, rows, columns }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// The number of cells; the last ones may be missing.
    pub(super) fn cells(&self) -> usize {
        self.rows.saturating_mul(self.columns)
    }

    /// Moves the drawn part so that it contains a coordinate.
    pub(super) fn show(&mut self, coordinate: &[i64]) {
        let Some(number) = self.number(coordinate) else { return };
        let (row, column) = (number / self.width, number % self.width);
        let moved = |first: u64, shown: usize, wanted: u64, all: u64| {
            let shown = shown as u64;
            if (first..first.saturating_add(shown)).contains(&wanted) {
                return first;
            }
            wanted.saturating_sub(shown / 2).min(all.saturating_sub(shown))
        };
        self.first_row = moved(self.first_row, self.rows, row, self.total.div_ceil(self.width));
        self.first_column = moved(self.first_column, self.columns, column, self.width);
    }

    /// The cell of a coordinate, if it is drawn.
    pub(super) fn cell(&self, coordinate: &[i64]) -> Option<usize> {
        let number = self.number(coordinate)?;
        let row = (number / self.width).checked_sub(self.first_row)?;
        let column = (number % self.width).checked_sub(self.first_column)?;
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        (row < self.rows && column < self.columns).then(|| row * self.columns + column)
    }

    /// The coordinate of a cell; `None` beyond the end of the last row.
    pub(super) fn coordinate(&self, cell: usize) -> Option<Vec<i64>> {
        let (row, column) = ((cell / self.columns) as u64, (cell % self.columns) as u64);
        self.at(self.first_row.checked_add(row)?, self.first_column.checked_add(column)?)
    }

    /// The coordinate at the start of a drawn row: its label.
    pub(super) fn row_start(&self, row: usize) -> Option<Vec<i64>> {
        self.at(self.first_row.checked_add(row as u64)?, 0)
    }

    /// The label of a drawn column: a coordinate of the fastest axis, or the position in the row of a split one.
    pub(super) fn column_label(&self, column: usize) -> i64 {
        let place = self.first_column.saturating_add(column as u64);
        let offset = match self.order.as_slice() {
            [_, .., fastest] => self.first.get(*fastest).copied().unwrap_or(0),
            _ => 0,
        };
        offset.saturating_add(i64::try_from(place).unwrap_or(i64::MAX))
    }

    /// A sentence about the parts that are not drawn.
    pub(super) fn left_out(&self, what: &str) -> Option<String> {
        let all_rows = self.total.div_ceil(self.width);
        let mut parts = Vec::new();
        let mut part = |name: &str, first: u64, shown: usize, all: u64| {
            if all > shown as u64 {
                let last = first.saturating_add(shown as u64).saturating_sub(1);
                let all = if all == u64::MAX { "very many".to_owned() } else { all.to_string() };
                parts.push(format!("{name} {first} to {last} of {all}"));
            }
        };
        part("rows", self.first_row, self.rows, all_rows);
        part("columns", self.first_column, self.columns, self.width);
        (!parts.is_empty()).then(|| format!("not all {what} are drawn, only {}", parts.join(" and ")))
    }

    fn at(&self, row: u64, column: u64) -> Option<Vec<i64>> {
        let number = row.checked_mul(self.width)?.checked_add(column)?;
        if number >= self.total || column >= self.width {
            return None;
        }
        let mut coordinate = self.first.clone();
        let extents = self.order.iter().rev().map_while(|axis| self.extents.get(*axis).copied());
        for (axis, digit) in self.order.iter().rev().zip(digits(number, extents)) {
            let place = coordinate.get_mut(*axis)?;
            *place = place.checked_add(i64::try_from(digit).ok()?)?;
        }
        Some(coordinate)
    }

    fn number(&self, coordinate: &[i64]) -> Option<u64> {
        let mut number = 0u64;
        for axis in &self.order {
            let (first, extent) = (*self.first.get(*axis)?, *self.extents.get(*axis)?);
            let place = u64::try_from(coordinate.get(*axis)?.checked_sub(first)?).ok()?;
            if place >= extent {
                return None;
            }
            number = number.checked_mul(extent)?.checked_add(place)?;
        }
        Some(number)
    }
}
