//! Finds barrier regions whose threads form a tile and only copy it: the elements of each row are adjacent where they are
//! stored. Where they are loaded, the elements of a row are adjacent too, or those of a column are, and the copy exchanges rows
//! and columns. A load of a tile from a tensor is such a region, and so is its store. All of it is one call, or one in each
//! iteration of the loops that all threads run around it ([`copy_calls`](super::copy_calls)).
//!
//! A mask that leaves out the rows and the columns beyond an edge, as those of partitions do, becomes the number of rows
//! and of columns inside.

use dims::CompareOp;
use std::collections::HashSet;
use std::ops::Range;

use elements::ElementType;
use kernel::loops::{AccessId, For, List, Node, StepKind, ValueId};

use super::products::is_uniform;
use super::row_copies::{Change, Narrow};
use crate::cpu::indices::form::{Atom, Digit, Digits, Form};
use crate::cpu::indices::forms::Forms;
use crate::cpu::indices::shape::{Comparison, Condition, LaneFacts, Step, condition};
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::lowering::helpers::half_runs;
use crate::cpu::lowering::split_threads::rectangle;
use crate::cpu::options::LaneChoice;
use crate::cpu::phases::phase::Region;

/// The fewest elements for which a call pays off.
const FEWEST_ELEMENTS: i64 = 64;

/// The fewest bytes of a row for which a call pays off.
const FEWEST_BYTES_OF_ROW: i64 = 64;

/// The fewest rows and the fewest columns for which a call that exchanges them pays off.
const FEWEST_EXCHANGED: i64 = 4;

/// A barrier region that copies a tile.
pub struct TileCopy<'l> {
    /// The loops around it, outer before inner.
    pub loops: Vec<&'l For>,
    /// The split of the threads' ids.
    pub digits: Digits,
    /// The ranges of both digits, the high one first.
    pub ranges: [Range<i64>; 2],
    /// The digit that counts the rows; the other one counts the columns.
    pub rows: Digit,
    pub from: AccessId,
    pub to: AccessId,
    /// What becomes of the elements.
    pub change: Change,
    /// The distances of neighbouring rows in both. If rows and columns are exchanged, the first one is 1.
    pub rows_apart: [LaunchValue; 2],
    /// The distance of neighbouring columns where they are loaded: 1, unless rows and columns are exchanged. Where they are
    /// stored, it is always 1.
    pub columns_apart: LaunchValue,
    /// What a thread must fulfil to copy its element.
    pub limits: Vec<Limit>,
    /// Whether the other threads store zero: their loads are masked, and not their stores.
    pub clears: bool,
}

impl TileCopy<'_> {
    /// Whether every element is given a value, and none is left as it was.
    pub fn gives_all(&self) -> bool {
        self.clears || self.limits.is_empty()
    }

    /// Whether rows and columns are exchanged.
    pub fn exchanges(&self) -> bool {
        !self.columns_apart.is(1)
    }

    /// Whether it is a single copy of elements as they are, of which rows have high digits.
    pub fn is_plain(&self) -> bool {
        self.loops.is_empty() && self.change == Change::Nothing && !self.exchanges() && self.rows == Digit::High
    }
}

/// A part of a mask.
pub enum Limit {
    Known(bool),
    /// A value that is the same in all threads is this.
    Uniform(ValueId, bool),
    /// A sum, which rises by one with the digit and does not depend on the other one, is less than one that depends on
    /// neither, or perhaps equal.
    Below {
        digit: Digit,
        sum: Form,
        end: Form,
        may_be_equal: bool,
    },
}

/// A region as the copy of a tile, in blocks of this many threads, if it is one and a call pays off.
pub fn tile_copy<'l>(forms: &mut Forms<'l>, region: &'l Region, threads: i64) -> Option<TileCopy<'l>> {
    let mut loops = Vec::new();
    let copied = copied(forms, &region.body, &mut loops)?;
    let members = region.threads.clone().unwrap_or(0..threads);
    for low in forms.divisors(&region.body, threads).into_iter().chain([threads]) {
        let Some(ranges) = rectangle(&members, low) else { continue };
        let digits = Digits { low, high: threads / low };
        forms.split(digits);
        let copy = copy_of_digits(forms, copied, digits, ranges);
        forms.unsplit();
        // Where a mask is tested, it is for all iterations of the loops.
        let copy = copy.filter(|copy| pays_off(forms, copy) && (loops.is_empty() || copy.limits.is_empty()));
        if let Some(copy) = copy {
            return Some(TileCopy { loops, ..copy });
        }
    }
    None
}

/// A load and a store of its element.
#[derive(Clone, Copy)]
struct Copied {
    from: AccessId,
    to: AccessId,
    change: Change,
}

/// What steps copy that do nothing else, in loops that all threads run.
fn copied<'l>(forms: &Forms<'_>, list: &'l List, loops: &mut Vec<&'l For>) -> Option<Copied> {
    let (last, before) = list.steps.split_last()?;
    // What is computed before it is there when it is needed.
    if !before.iter().all(|step| matches!(step.kind, StepKind::Assign { .. })) {
        return None;
    }
    match &last.kind {
        StepKind::For(own) => {
            let gives_nothing = !last.after.iter().any(|(_, merge)| forms.program.is_needed(*merge));
            let is_uniform = own.ending.is_none() && own.ends.into_iter().all(|end| is_uniform(forms, end));
            loops.push(own);
            (gives_nothing && is_uniform).then(|| copied(forms, &own.body, loops))?
        }
        StepKind::Store { access: to, value } => {
            let loaded = match *forms.node(*value) {
                Node::Cast(inner) => inner,
                _ => *value,
            };
            let Node::Load(from) = *forms.node(loaded) else { return None };
            let are_apart = forms.program.access(from).memory != forms.program.access(*to).memory;
            let change = change(forms, from, *to)?;
            are_apart.then_some(Copied { from, to: *to, change })
        }
        _ => None,
    }
}

/// What becomes of the elements, if a call does that.
fn change(forms: &Forms<'_>, from: AccessId, to: AccessId) -> Option<Change> {
    match [from, to].map(|access| forms.program.element_of(forms.program.access(access).memory)) {
        // A `bool` may be any byte where it is loaded, and is 0 or 1 where it is stored.
        [ElementType::Bool, _] => None,
        [from, to] if from == to => Some(Change::Nothing),
        [ElementType::Bf16, ElementType::F32] => Some(Change::Widening(Narrow::Bf16)),
        [ElementType::F16, ElementType::F32] if half_runs().is_some() && !forms.program.looks_at_bits => {
            Some(Change::Widening(Narrow::F16))
        }
        _ => None,
    }
}

fn pays_off(forms: &Forms<'_>, copy: &TileCopy<'_>) -> bool {
    let element = forms.program.element_of(forms.program.access(copy.to).memory);
    let [rows, columns] = [copy.rows, copy.rows.other()].map(|digit| {
        let Range { start, end } = copy.ranges[digit as usize];
        end - start
    });
    let is_large = rows.saturating_mul(columns) >= FEWEST_ELEMENTS;
    let is_wide = if copy.exchanges() {
        rows.min(columns) >= FEWEST_EXCHANGED
    } else {
        columns.saturating_mul(element.size_bytes() as i64) >= FEWEST_BYTES_OF_ROW
    };
    forms.options.lanes == LaneChoice::WherePossible || (is_large && is_wide)
}

/// The copy, if rows and columns of the split are those of both memories.
fn copy_of_digits<'l>(
    forms: &mut Forms<'l>,
    Copied { from, to, change }: Copied,
    digits: Digits,
    ranges: [Range<i64>; 2],
) -> Option<TileCopy<'l>> {
    let [loaded, stored] = [distances(forms, from)?, distances(forms, to)?];
    let rows = [Digit::High, Digit::Low].into_iter().find(|rows| {
        let columns = rows.other() as usize;
        let is_exchanged = loaded[*rows as usize].is(1) && change == Change::Nothing;
        let is_adjacent = loaded[columns].is(1) || is_exchanged;
        stored[columns].is(1) && is_adjacent
    })?;
    let rows_apart = [loaded, stored].map(|distances| distances[rows as usize]);
    let columns_apart = loaded[rows.other() as usize];
    let [load, store] = [from, to].map(|access| forms.program.access(access).tested);
    let mut limits = Vec::new();
    match (load, store) {
        (None, None) => {}
        (Some(mask), None) | (None, Some(mask)) => {
            // It is computed outside the loops over threads, whatever is tested around it.
            if !forms.program.is_lasting(mask) {
                return None;
            }
            let condition = condition(forms, mask, true);
            add_limits(forms, &condition, &mut limits)?;
        }
        (Some(_), Some(_)) => return None,
    }
    let (loops, clears) = (Vec::new(), load.is_some());
    Some(TileCopy { loops, digits, ranges, rows, from, to, change, rows_apart, columns_apart, limits, clears })
}

/// The changes of an access's position with the high digit, and with the low one.
fn distances(forms: &mut Forms<'_>, access: AccessId) -> Option<[LaunchValue; 2]> {
    let offset = forms.program.access(access).offset;
    // A lasting position is the same wherever it is computed.
    if !forms.program.is_lasting(offset) {
        return None;
    }
    let form = forms.form(offset);
    steps(forms, &form)
}

/// The changes of a form with the high digit, and with the low one.
fn steps(forms: &mut Forms<'_>, form: &Form) -> Option<[LaunchValue; 2]> {
    let mut step = |digit| {
        let counter = forms.id(Atom::Digit(digit));
        match LaneFacts::new(counter, 1, HashSet::new()).step(forms, form) {
            Step::By(distance) => Some(distance),
            Step::Swizzled(_) | Step::Varying => None,
        }
    };
    Some([step(Digit::High)?, step(Digit::Low)?])
}

/// Adds the limits that a condition consists of; `None` if it is of another kind.
fn add_limits(forms: &mut Forms<'_>, condition: &Condition, limits: &mut Vec<Limit>) -> Option<()> {
    match condition {
        Condition::Known(value) => limits.push(Limit::Known(*value)),
        Condition::Other(value, wanted) => {
            is_uniform(forms, *value).then_some(())?;
            limits.push(Limit::Uniform(*value, *wanted));
        }
        Condition::All(parts) => parts.iter().try_for_each(|part| add_limits(forms, part, limits))?,
        Condition::Any(_) => return None,
        Condition::Compare(Comparison { left, operator, right }) => {
            let (sum, end) = match operator {
                CompareOp::Lt | CompareOp::Le => (left, right),
                CompareOp::Gt | CompareOp::Ge => (right, left),
                _ => return None,
            };
            let may_be_equal = matches!(operator, CompareOp::Le | CompareOp::Ge);
            let [row, column] = steps(forms, sum)?;
            let digit = match (row.as_constant()?, column.as_constant()?) {
                (1, 0) | (0, 0) => Digit::High,
                (0, 1) => Digit::Low,
                _ => return None,
            };
            steps(forms, end)?.iter().all(|step| step.is(0)).then_some(())?;
            limits.push(Limit::Below { digit, sum: sum.clone(), end: end.clone(), may_be_equal });
        }
    }
    Some(())
}
