//! Has the processor fetch what the next iterations of a loop around the threads read.
//!
//! A processor foresees reads that go on where the ones before ended. Where all threads of a block read a part of a tensor, and a
//! part far away in the next iteration, it does not. Nor does it go on far enough while a block computes, where each block begins
//! with a copy of a part.

use std::collections::HashSet;

use cranelift_codegen::ir::types;
use kernel::loops::{AccessId, For};
use kernel::typed::{AccessKind, Memory};

use super::emitter::Emitter;
use crate::cpu::calls::tile_copies::TileCopy;
use crate::cpu::indices::form::{Atom, Form};
use crate::cpu::indices::shape::{LaneFacts, Step};
use crate::cpu::program::walk;

/// How many iterations ahead something is fetched.
const AHEAD: i64 = 4;

/// The least bytes that threads read in an iteration: a call fetches several lines of the cache.
const LEAST_BYTES: i64 = 256;

/// The most bytes: of more, the processor foresees the reads itself.
const MOST_BYTES: i64 = 4096;

/// The most accesses for which something is fetched.
const MOST_ACCESSES: usize = 4;

impl Emitter<'_, '_> {
    /// Fetches what the threads read a few iterations later, at the start of an iteration.
    pub fn prefetch(&mut self, own: &For) {
        if !cfg!(target_arch = "x86_64") {
            return;
        }
        let mut accesses: Vec<AccessId> = Vec::new();
        walk(&own.body, &mut |step| accesses.extend(&step.accesses));
        let mut found: Vec<Form> = Vec::new();
        for access in accesses {
            let Some((next, bytes)) = self.next_part(own, access) else { continue };
            if found.contains(&next) || found.len() == MOST_ACCESSES {
                continue;
            }
            found.push(next.clone());
            self.scope(|emitter| {
                let thread = emitter.thread_atom();
                let (counter, first) = (emitter.counter(thread), emitter.int(0));
                emitter.builder.def_var(counter, first);
                emitter.fetch(access, &next, bytes);
            });
        }
    }

    /// Fetches what the copy of a row reads a few iterations of the innermost loop later.
    pub fn prefetch_copy(&mut self, copy: &TileCopy<'_>) {
        let [rows, columns] = [copy.rows, copy.rows.other()].map(|digit| {
            let range = &copy.ranges[digit as usize];
            range.end - range.start
        });
        let bytes = columns.saturating_mul(self.target(copy.from).element.size_bytes() as i64);
        let is_tensor = matches!(self.program.access(copy.from).memory, Memory::Param(_));
        let is_part = rows == 1 && !copy.exchanges() && (LEAST_BYTES..=MOST_BYTES).contains(&bytes);
        let Some(around) = self.nest.last().copied().filter(|_| is_tensor && is_part && cfg!(target_arch = "x86_64"))
        else {
            return;
        };
        let form = self.offset(copy.from);
        let apart = LaneFacts::new(around, 1, HashSet::new()).step(&mut self.forms, &form);
        if apart != Step::Varying && !apart.is_none() {
            let next = self.forms.moved(&form, around, AHEAD);
            self.fetch(copy.from, &next, bytes);
        }
    }

    /// Fetches so many bytes from a position on.
    fn fetch(&mut self, access: AccessId, from: &Form, bytes: i64) {
        let target = self.target(access);
        let (address, bytes) = (self.address(&target, from), self.int(bytes));
        self.call(fetch as *const u8, &[types::I64, types::I64], &[address, bytes]);
    }

    /// The position of what the first thread reads a few iterations later, and the bytes that all read, if these are a part of a
    /// tensor, and those of the next iteration are far away.
    fn next_part(&mut self, own: &For, access: AccessId) -> Option<(Form, i64)> {
        let accessed = self.program.access(access);
        let is_read = accessed.kind == AccessKind::Load && matches!(accessed.memory, Memory::Param(_));
        if !is_read || !self.program.is_lasting(accessed.offset) || self.members.is_some() {
            return None;
        }
        let form = self.offset(access);
        let iterator = self.forms.id(Atom::Value(own.iterator));
        let [step, apart] = [self.thread_atom(), iterator]
            .map(|counter| LaneFacts::new(counter, 1, HashSet::new()).step(&mut self.forms, &form));
        let threads = self.thread_count()?;
        let bytes = threads.checked_mul(self.target(access).element.size_bytes() as i64)?;
        let is_near = apart.as_constant().is_some_and(|apart| apart.abs() <= threads);
        let is_part = step.as_constant() == Some(1) && (LEAST_BYTES..=MOST_BYTES).contains(&bytes);
        (is_part && !is_near && apart != Step::Varying).then(|| (self.forms.moved(&form, iterator, AHEAD), bytes))
    }
}

/// Called by compiled code. The bytes may be those of no memory: then nothing happens.
extern "C" fn fetch(address: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..bytes).step_by(crate::cpu::launch::scratch::LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: fetching ahead reads nothing that the program sees, and fails nowhere.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.wrapping_add(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (address, bytes);
}
