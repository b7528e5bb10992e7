//! Finds barrier regions whose threads form a tile and only copy it: each row of elements is adjacent in both memories.
//! A load of a tile from a tensor is such a region, and so is its store. All of it is one call.
//!
//! A mask that leaves out the rows and the columns beyond an edge, as those of partitions do, becomes the number of rows
//! and of columns inside.

use std::collections::HashSet;
use std::mem::offset_of;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use elements::ElementType;
use kernel::loops::{AccessId, Node, StepKind, ValueId};
use kernel::typed::BinaryOp;

use super::digits::Digits;
use super::emitter::Emitter;
use super::forms::{Atom, Digit, Form, Forms};
use super::launch_table::LaunchValue;
use super::options::LaneChoice;
use super::phases::Region;
use super::products::is_uniform;
use super::shape::{Comparison, Condition, LaneFacts, Step, condition};
use super::split_threads::rectangle;

/// The fewest elements for which a call pays off.
const FEWEST_ELEMENTS: i64 = 64;

/// The fewest bytes of a row for which a call pays off.
const FEWEST_BYTES_OF_ROW: i64 = 64;

/// A barrier region that copies a tile.
pub struct TileCopy {
    /// The split of the threads' ids: high digits are rows, low digits are columns.
    pub digits: Digits,
    /// The ranges of the rows and of the columns.
    pub ranges: [Range<i64>; 2],
    pub from: AccessId,
    pub to: AccessId,
    /// The distances of neighbouring rows in both.
    pub rows_apart: [LaunchValue; 2],
    /// What a thread must fulfil to copy its element.
    limits: Vec<Limit>,
    /// Whether the other threads store zero: their loads are masked, and not their stores.
    clears: bool,
}

impl TileCopy {
    /// Whether every element is given a value, and none is left as it was.
    pub fn gives_all(&self) -> bool {
        self.clears || self.limits.is_empty()
    }
}

/// A part of a mask.
enum Limit {
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
pub fn tile_copy(forms: &mut Forms<'_>, region: &Region, threads: i64) -> Option<TileCopy> {
    let (last, before) = region.body.steps.split_last()?;
    let StepKind::Store { access: to, value } = last.kind else { return None };
    // What is computed before it is there when it is needed.
    if !before.iter().all(|step| matches!(step.kind, StepKind::Assign { .. })) {
        return None;
    }
    let Node::Load(from) = *forms.node(value) else { return None };
    let [element, other] = [from, to].map(|access| forms.program.element_of(forms.program.access(access).memory));
    let are_apart = forms.program.access(from).memory != forms.program.access(to).memory;
    // A `bool` may be any byte where it is loaded, and is 0 or 1 where it is stored.
    let keeps_bits = element == other && element != ElementType::Bool;
    if !are_apart || !keeps_bits {
        return None;
    }
    let members = region.threads.clone().unwrap_or(0..threads);
    for low in forms.divisors(&region.body, threads).into_iter().chain([threads]) {
        let Some(ranges) = rectangle(&members, low) else { continue };
        if !pays_off(forms, &ranges, element) {
            continue;
        }
        let digits = Digits { low, high: threads / low };
        forms.split(digits);
        let copy = copy_of_digits(forms, [from, to], digits, ranges);
        forms.unsplit();
        if copy.is_some() {
            return copy;
        }
    }
    None
}

fn pays_off(forms: &Forms<'_>, [rows, columns]: &[Range<i64>; 2], element: ElementType) -> bool {
    let [rows, columns] = [rows, columns].map(|range| range.end - range.start);
    let is_large = rows.saturating_mul(columns) >= FEWEST_ELEMENTS;
    let is_wide = columns.saturating_mul(element.size_bytes() as i64) >= FEWEST_BYTES_OF_ROW;
    forms.options.lanes == LaneChoice::WherePossible || (is_large && is_wide)
}

/// The copy, if rows and columns of the split are those of both memories.
fn copy_of_digits(
    forms: &mut Forms<'_>,
    [from, to]: [AccessId; 2],
    digits: Digits,
    ranges: [Range<i64>; 2],
) -> Option<TileCopy> {
    let rows_apart = [row_distance(forms, from)?, row_distance(forms, to)?];
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
    Some(TileCopy { digits, ranges, from, to, rows_apart, limits, clears: load.is_some() })
}

/// The distance between neighbouring rows of an access, if the columns of a row are adjacent.
fn row_distance(forms: &mut Forms<'_>, access: AccessId) -> Option<LaunchValue> {
    let offset = forms.program.access(access).offset;
    // A lasting position is the same wherever it is computed.
    if !forms.program.is_lasting(offset) {
        return None;
    }
    let form = forms.form(offset);
    let [row, column] = steps(forms, &form)?;
    column.is(1).then_some(row)
}

/// The change of a form from row to row, and from column to column.
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
                BinaryOp::Less | BinaryOp::LessEqual => (left, right),
                BinaryOp::Greater | BinaryOp::GreaterEqual => (right, left),
                _ => return None,
            };
            let may_be_equal = matches!(operator, BinaryOp::LessEqual | BinaryOp::GreaterEqual);
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

/// The operands of a copy. Distances are in bytes.
#[repr(C)]
struct Rows {
    from: *const u8,
    from_row: isize,
    to: *mut u8,
    to_row: isize,
    rows: usize,
    bytes: usize,
    /// The rows that are copied, and the bytes of each of them.
    inside_rows: usize,
    inside_bytes: usize,
    /// Whether the other bytes become 0.
    clears: usize,
}

/// Called by compiled code to copy a tile.
///
/// # Safety
/// The argument points to rows. The bytes inside can be read. They can be written, and if the other bytes become 0, so
/// can these; none of the bytes that are read is written.
unsafe extern "C" fn copy_rows(rows: *const Rows) {
    // SAFETY: the caller guarantees it, also for the parts of the tile below.
    unsafe {
        let Rows { from, from_row, to, to_row, rows, bytes, inside_rows, inside_bytes, clears } = *rows;
        for row in 0..inside_rows as isize {
            let to = to.offset(row * to_row);
            to.copy_from_nonoverlapping(from.offset(row * from_row), inside_bytes);
            if clears != 0 {
                to.add(inside_bytes).write_bytes(0, bytes - inside_bytes);
            }
        }
        if clears != 0 {
            (inside_rows..rows).for_each(|row| to.offset(row as isize * to_row).write_bytes(0, bytes));
        }
    }
}

impl<'l> Emitter<'l, '_> {
    /// Lowers the copy of a tile. Where a sum of its mask wraps, which it hardly ever does, threads copy it one by one.
    pub fn tile_copy(&mut self, copy: &TileCopy, otherwise: impl FnOnce(&mut Self)) {
        self.enter_digits(copy.digits, &copy.ranges);
        let (inside, fits) = self.scope(|emitter| emitter.inside(copy));
        let is_tested = copy.limits.iter().any(|limit| matches!(limit, Limit::Below { .. }));
        let call = |emitter: &mut Self| {
            emitter.scope(|emitter| emitter.copied_or_in_place(copy, inside));
            emitter.forms.unsplit();
            None
        };
        if !is_tested {
            call(self);
            return;
        }
        let array = self.program.access(copy.to).array();
        let one_by_one = |emitter: &mut Self| {
            let around = std::mem::replace(&mut emitter.plain, true);
            otherwise(emitter);
            emitter.plain = around;
            array.into_iter().for_each(|array| emitter.read_array(array));
            None
        };
        self.branch(fits, call, one_by_one, None);
    }

    /// Copies a tile, unless all of it is inside and can be read where it is.
    fn copied_or_in_place(&mut self, copy: &TileCopy, inside: [Value; 2]) {
        let rows_apart = self.launch_value(copy.rows_apart[0]);
        let bytes = self.target(copy.from).element.size_bytes() as i64;
        let array = self.program.access(copy.to).array();
        let read = array.and_then(|array| Some((array, self.can_be_read(array, rows_apart, bytes)?)));
        let Some((array, mut can_be_read)) = read else { return self.copy_tile(copy, inside) };
        for (inside, range) in inside.into_iter().zip(&copy.ranges) {
            let are_all = self.builder.ins().icmp_imm_s(IntCC::Equal, inside, range.end - range.start);
            can_be_read = self.builder.ins().band(can_be_read, are_all);
        }
        self.branch(
            can_be_read,
            |emitter| {
                let first = emitter.address_of(copy.from);
                emitter.read_in_place(array, first, rows_apart);
                None
            },
            |emitter| {
                emitter.copy_tile(copy, inside);
                emitter.read_array(array);
                None
            },
            None,
        );
    }

    /// The number of rows and of columns inside, and whether no sum wraps.
    fn inside(&mut self, copy: &TileCopy) -> ([Value; 2], Value) {
        let mut inside = [0, 1].map(|digit: usize| self.int(copy.ranges[digit].end - copy.ranges[digit].start));
        let mut fits = self.builder.ins().iconst(types::I8, 1);
        for limit in &copy.limits {
            let (digit, count) = match limit {
                Limit::Known(value) => (Digit::High, self.int(if *value { i64::MAX } else { 0 })),
                Limit::Uniform(value, wanted) => {
                    let value = self.value(*value);
                    let (all, none) = (self.int(i64::MAX), self.int(0));
                    let [then, otherwise] = if *wanted { [all, none] } else { [none, all] };
                    (Digit::High, self.builder.ins().select(value, then, otherwise))
                }
                Limit::Below { digit, sum, end, may_be_equal } => {
                    let [sum, end] = [sum, end].map(|form| self.form(form));
                    let Range { start, end: after } = copy.ranges[*digit as usize];
                    let last = self.builder.ins().iadd_imm_s(sum, after - start - 1);
                    let fits_here = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, sum, last);
                    fits = self.builder.ins().band(fits, fits_here);
                    (*digit, self.count_below([sum, end], *may_be_equal, after - start))
                }
            };
            let least = &mut inside[digit as usize];
            *least = self.builder.ins().umin(*least, count);
        }
        (inside, fits)
    }

    /// How many of this many consecutive integers are less than a number, or perhaps equal to it.
    fn count_below(&mut self, [first, end]: [Value; 2], may_be_equal: bool, count: i64) -> Value {
        let order = if may_be_equal { IntCC::SignedLessThanOrEqual } else { IntCC::SignedLessThan };
        let is_any = self.builder.ins().icmp(order, first, end);
        // Where there are any, the distance is no negative number; it may need all 64 bits.
        let distance = self.builder.ins().isub(end, first);
        let equal = i64::from(may_be_equal);
        let most = self.int(count - equal);
        let less = self.builder.ins().umin(distance, most);
        let all = self.builder.ins().iadd_imm_s(less, equal);
        let none = self.int(0);
        self.builder.ins().select(is_any, all, none)
    }

    fn copy_tile(&mut self, copy: &TileCopy, [inside_rows, inside_columns]: [Value; 2]) {
        let size = self.target(copy.to).element.size_bytes() as i64;
        let [rows, columns] = [0, 1].map(|digit: usize| copy.ranges[digit].end - copy.ranges[digit].start);
        let [from, to] = [copy.from, copy.to].map(|access| self.address_of(access));
        let [from_row, to_row] = copy.rows_apart.map(|distance| {
            let distance = self.launch_value(distance);
            self.builder.ins().imul_imm_s(distance, size)
        });
        let inside_bytes = self.builder.ins().imul_imm_s(inside_columns, size);
        let [rows, bytes, clears] = [rows, columns * size, i64::from(copy.clears)].map(|number| self.int(number));
        let words = [
            (offset_of!(Rows, from), from),
            (offset_of!(Rows, from_row), from_row),
            (offset_of!(Rows, to), to),
            (offset_of!(Rows, to_row), to_row),
            (offset_of!(Rows, rows), rows),
            (offset_of!(Rows, bytes), bytes),
            (offset_of!(Rows, inside_rows), inside_rows),
            (offset_of!(Rows, inside_bytes), inside_bytes),
            (offset_of!(Rows, clears), clears),
        ];
        let description = self.room(size_of::<Rows>() as u32);
        for (place, word) in words {
            self.builder.ins().store(MemFlagsData::trusted(), word, description, place as i32);
        }
        self.call(copy_rows as *const u8, &[types::I64], &[description]);
    }

    /// The address of an access of the first thread.
    fn address_of(&mut self, access: AccessId) -> Value {
        let (target, offset) = (self.target(access), self.offset(access));
        self.address(&target, &offset)
    }
}
