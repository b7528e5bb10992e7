//! Races of tensors to whose elements tiles are scattered.
//!
//! Which thread of a block scatters an element is not known, and no barrier keeps the accesses of a tensor apart. So no two
//! points of a tile may reach one element, and no other access any of them, unless both are atomic.

use super::claims::{AccessRecord, Scattered};
use super::pairs::MOST_PAIRS;
use super::prover::Prover;
use super::raised::Composed;
use crate::diagnostics;
use kernel::typed::{AccessKind, Memory};
use proofs::Verdict;

impl<'db> Prover<'db> {
    /// Checks a tensor of whose accesses some are scattered.
    pub(super) fn check_scattered(&mut self, memory: Memory, records: &[&AccessRecord]) {
        let mut pairs = 0;
        for (place, record) in records.iter().enumerate() {
            self.evaluator.db.unwind_if_revision_cancelled();
            let Some(scattered) = &record.scattered else { continue };
            if record.kind == AccessKind::Store && !self.goes_to_different_elements(memory, record, scattered) {
                return;
            }
            for (position, other) in records.iter().enumerate() {
                // A tensor that is accessed through a partition, too, is reported where it is typed.
                let is_compared = position == place || position < place && other.scattered.is_some() || other.of_tile;
                if is_compared || !record.kind.conflicts_with(other.kind) {
                    continue;
                }
                pairs += 1;
                if pairs > MOST_PAIRS || !self.never_meet([record, other]) {
                    let name = self.typed.memories.name(memory);
                    let found = diagnostics::scatter_and_access(record.span, &name, other.span);
                    self.proven.diagnostics.push(found);
                    return;
                }
            }
        }
        let others: Vec<&AccessRecord> = records.iter().filter(|record| record.scattered.is_none()).copied().collect();
        if others.iter().any(|record| record.kind.writes()) {
            self.check_tensor(memory, &others);
        }
    }

    /// Checks the accesses of a shared array. Barriers keep those of different statements apart.
    pub(super) fn check_scattered_in_block(&mut self, memory: Memory, records: &[&AccessRecord]) {
        if !matches!(memory, Memory::Shared(_)) {
            return;
        }
        for record in records {
            if let (AccessKind::Store, Some(scattered)) = (record.kind, &record.scattered) {
                self.goes_to_different_elements(memory, record, scattered);
            }
        }
    }

    /// Whether the points of a tile go to different elements, which is reported otherwise.
    fn goes_to_different_elements(&mut self, memory: Memory, record: &AccessRecord, to: &Scattered) -> bool {
        let unproven = |prover: &mut Self| {
            let name = prover.typed.memories.name(memory);
            prover.proven.diagnostics.push(diagnostics::scatter_unproven(record.span, &name, to.last));
            false
        };
        // Points that differ in an index differ in the element, if the view reaches each element at one index only.
        if to.is_injective && to.determined {
            return true;
        }
        if let Some(indices) = to.indices.as_deref().filter(|_| to.is_injective)
            && self.is_race_free(&indices.map, &indices.uniform)
        {
            return true;
        }
        let Some(points) = &to.points else { return unproven(self) };
        let Composed { map, exact, uniform, .. } = &**points;
        if !uniform.is_empty() && self.is_race_free(map, uniform) {
            return true;
        }
        let verdict = proofs::race_free(map, &self.evaluator.facts, &self.evaluator.budget());
        match verdict {
            Verdict::Proven { .. } => true,
            _ if !*exact => unproven(self),
            // The two points of a counterexample may be those of two blocks.
            Verdict::Refuted { .. } if memory.param().is_none() && self.has_blocks() => unproven(self),
            // Nothing is asked about shared arrays at launch.
            Verdict::Open { .. } if memory.param().is_none() => unproven(self),
            Verdict::Refuted { ref counterexample, .. } => {
                let remedy = verdict.obligation().map(|fact| self.evaluator.remedy(vec![fact.clone()]));
                self.report_race(memory, record, points, counterexample, remedy);
                false
            }
            open @ Verdict::Open { .. } => {
                self.race_open(memory, map, record.span, open);
                true
            }
        }
    }

    /// Whether there may be several blocks.
    fn has_blocks(&self) -> bool {
        self.typed.launched.blocks.as_constant() != Some(1)
    }

    /// Whether two accesses reach no element in common, whichever threads execute them.
    fn never_meet(&mut self, pair: [&AccessRecord; 2]) -> bool {
        let [one, other] = pair.map(AccessRecord::reached);
        one.zip(other).is_some_and(|(one, other)| self.have_no_element_in_common([one, other]))
    }
}
