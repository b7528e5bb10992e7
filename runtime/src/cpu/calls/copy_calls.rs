//! Lowers copies of tiles: one call for each.

use std::mem::offset_of;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use kernel::loops::{AccessId, For};

use super::fills::Fill;
use super::row_copies::Rows;
use super::tile_copies::{Limit, TileCopy};
use crate::cpu::indices::form::{Atom, Digit};
use crate::cpu::lowering::emitter::Emitter;

impl<'l> Emitter<'l, '_> {
    /// Lowers the copy of a tile. Where a sum of its mask wraps, which it hardly ever does, threads copy it one by one.
    pub fn tile_copy(&mut self, copy: &TileCopy<'_>, otherwise: impl FnOnce(&mut Self)) {
        self.enter_digits(copy.digits, &copy.ranges);
        let (inside, fits) = self.scope(|emitter| emitter.inside(copy));
        let is_tested = copy.limits.iter().any(|limit| matches!(limit, Limit::Below { .. }));
        let call = |emitter: &mut Self| {
            emitter.in_loops(&copy.loops, &mut |emitter| {
                emitter.scope(|emitter| emitter.copied_or_in_place(copy, inside));
            });
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

    /// Runs loops whose bounds are the same for all threads.
    fn in_loops(&mut self, loops: &[&For], body: &mut dyn FnMut(&mut Self)) {
        let Some((own, inner)) = loops.split_first() else { return body(self) };
        let [low, high] = own.ends.map(|end| self.value(end));
        let atom = self.forms.id(Atom::Value(own.iterator));
        let counter = self.counter(atom);
        self.nest.push(atom);
        self.count(counter, low, high, |emitter| emitter.in_loops(inner, body));
        self.nest.pop();
    }

    /// Copies a tile, unless all of it is inside and can be read where it is.
    fn copied_or_in_place(&mut self, copy: &TileCopy<'_>, inside: [Value; 2]) {
        self.prefetch_copy(copy);
        let bytes = self.target(copy.from).element.size_bytes() as i64;
        let array = self.program.access(copy.to).array();
        let read = array.and_then(|array| Some((array, self.can_be_read(array, bytes)?)));
        let Some((array, mut can_be_read)) = read else { return self.copy_tile(copy, inside) };
        for (inside, range) in inside.into_iter().zip(&copy.ranges) {
            let are_all = self.builder.ins().icmp_imm_s(IntCC::Equal, inside, range.end - range.start);
            can_be_read = self.builder.ins().band(can_be_read, are_all);
        }
        self.branch(
            can_be_read,
            |emitter| {
                let first = emitter.address_of(copy.from);
                emitter.read_in_place(array, first);
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

    /// Lowers a region that fills arrays, which is also another work: nothing is copied where all tiles can be read where they
    /// are.
    pub fn fill(&mut self, fills: &[Fill<'_>], otherwise: impl FnOnce(&mut Self)) {
        let mut can_be_read = None;
        for fill in fills {
            let bytes = self.target(fill.from).element.size_bytes() as i64;
            let Some(own) = self.can_be_read(fill.in_place.array, bytes) else { return otherwise(self) };
            can_be_read = Some(can_be_read.map_or(own, |before| self.builder.ins().band(before, own)));
        }
        let Some(can_be_read) = can_be_read else { return otherwise(self) };
        self.branch(
            can_be_read,
            |emitter| {
                emitter.read_fills(fills);
                None
            },
            |emitter| {
                otherwise(emitter);
                fills.iter().for_each(|fill| emitter.read_array(fill.in_place.array));
                None
            },
            None,
        );
    }

    /// From now on, the tiles of a region that fills arrays are read where they are.
    pub fn read_fills(&mut self, fills: &[Fill<'_>]) {
        for fill in fills {
            self.enter_digits(fill.digits, &fill.ranges);
            for own in &fill.loops {
                let atom = self.forms.id(Atom::Value(own.iterator));
                let (counter, first) = (self.counter(atom), self.int(0));
                self.builder.def_var(counter, first);
            }
            self.scope(|emitter| {
                let first = emitter.address_of(fill.from);
                emitter.read_in_place(fill.in_place.array, first);
            });
            self.forms.unsplit();
        }
    }

    /// The number of rows and of columns inside, and whether no sum wraps.
    fn inside(&mut self, copy: &TileCopy<'_>) -> ([Value; 2], Value) {
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

    fn copy_tile(&mut self, copy: &TileCopy<'_>, inside: [Value; 2]) {
        let [from_size, to_size] = [copy.from, copy.to].map(|access| self.target(access).element.size_bytes() as i64);
        let digits = [copy.rows, copy.rows.other()];
        let [rows, columns] = digits.map(|digit| {
            let Range { start, end } = copy.ranges[digit as usize];
            self.int(end - start)
        });
        let [inside_rows, inside_columns] = digits.map(|digit| inside[digit as usize]);
        let [from, to] = [copy.from, copy.to].map(|access| self.address_of(access));
        let distances =
            [(copy.rows_apart[0], from_size), (copy.columns_apart, from_size), (copy.rows_apart[1], to_size)];
        let [from_row, from_column, to_row] = distances.map(|(distance, size)| {
            let distance = self.launch_value(distance);
            self.builder.ins().imul_imm_s(distance, size)
        });
        let [size, clears] = [to_size, i64::from(copy.clears)].map(|number| self.int(number));
        let words = [
            (offset_of!(Rows, from), from),
            (offset_of!(Rows, from_row), from_row),
            (offset_of!(Rows, from_column), from_column),
            (offset_of!(Rows, to), to),
            (offset_of!(Rows, to_row), to_row),
            (offset_of!(Rows, rows), rows),
            (offset_of!(Rows, columns), columns),
            (offset_of!(Rows, size), size),
            (offset_of!(Rows, inside_rows), inside_rows),
            (offset_of!(Rows, inside_columns), inside_columns),
            (offset_of!(Rows, clears), clears),
        ];
        let description = self.room(size_of::<Rows>() as u32);
        for (place, word) in words {
            self.builder.ins().store(MemFlagsData::trusted(), word, description, place as i32);
        }
        self.call(copy.change.copy_rows(), &[types::I64], &[description]);
    }

    /// The address of an access of the first thread.
    fn address_of(&mut self, access: AccessId) -> Value {
        let (target, offset) = (self.target(access), self.offset(access));
        self.address(&target, &offset)
    }
}
