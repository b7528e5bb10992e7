//! Tensors through which the threads of a block pass elements to each other, as in a sort in place.
//!
//! No barrier orders threads of different blocks, but within a block one orders accesses of tensors as it orders those of shared
//! arrays. So a tensor of which different blocks reach different elements may be accessed like a shared array.

use super::at_points::with_alternatives;
use super::claims::AccessRecord;
use super::pairs::{Among, Conflict};
use super::prover::Prover;
use super::results::Races;
use crate::diagnostics::Severity;
use kernel::typed::{ExprKind, Kernel, Memory, Statement, StatementKind};
use maps::hardware::MOST_BLOCK_THREADS;

impl Prover<'_> {
    /// Looks for races of a tensor. What is found is put aside where barriers may order the accesses.
    pub(super) fn unless_exchanged(&mut self, memory: Memory, records: &[&AccessRecord], look: impl FnOnce(&mut Self)) {
        let (diagnostics, refuted) = (self.proven.diagnostics.len(), self.proven.refuted.len());
        look(self);
        let is_wrong =
            self.proven.diagnostics.iter().skip(diagnostics).any(|found| found.severity() == Severity::Error);
        if let (true, Some(param)) = (is_wrong && self.may_be_exchanged(memory, records), memory.param()) {
            let diagnostics = self.proven.diagnostics.split_off(diagnostics);
            let refuted = self.proven.refuted.split_off(refuted);
            self.proven.exchanged.insert(param, Races { diagnostics, refuted });
        }
    }

    /// Whether barriers may order the accesses of a tensor: those of its threads in which two of them may meet are of one block.
    fn may_be_exchanged(&mut self, memory: Memory, records: &[&AccessRecord]) -> bool {
        let threads = self.typed.launched.threads.as_constant();
        // A kernel with another error has no draft. What is put aside then is judged once that is mended.
        let is_copied = self.typed.draft.as_ref().is_some_and(|draft| is_copied_asynchronously(draft, memory));
        threads.is_some_and(|threads| (2..=MOST_BLOCK_THREADS).contains(&threads))
            && records.iter().all(|record| record.is_of_thread())
            && !is_copied
            && self.are_blocks_apart(records)
    }

    fn are_blocks_apart(&mut self, records: &[&AccessRecord]) -> bool {
        // However many accesses there are, a single block meets no other one.
        if self.typed.launched.blocks.as_constant() == Some(1) {
            return true;
        }
        let mut never = |records: &[&AccessRecord]| matches!(self.conflict(records, Among::Blocks), Conflict::Never);
        never(records) || with_alternatives(records).is_some_and(|all| never(&all))
    }
}

/// Whether asynchronous copies read a tensor: they may do so after a barrier that only orders what threads do themselves.
fn is_copied_asynchronously(kernel: &Kernel, memory: Memory) -> bool {
    let mut found = false;
    Statement::walk(&kernel.body, &mut |statement| {
        if let StatementKind::Store { value, is_async: true, .. } = &statement.kind {
            value.walk(&mut |expr| {
                found |= matches!(&expr.kind, ExprKind::Load(access) if access.memory == memory);
            });
        }
    });
    found
}
