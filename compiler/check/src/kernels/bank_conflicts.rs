//! Hints at bank conflicts: accesses of shared arrays in which lanes of a warp need different words of the same bank.

use std::sync::Arc;

use super::hints::Hints;
use super::shared_array::{SharedAccess, SharedSource};
use crate::diagnostics::{self, Diagnostic, Fix, Place, SharedConflict};
use crate::evaluate::Evaluator;
use crate::settings;
use dims::Sym;
use kernel::LaunchLimits;
use kernel::typed::{Memory, SharedId, SharedLayout};
use maps::IndexMap;
use maps::hardware::BANK_WORD_BYTES;
use proofs::memory::{self, Answer, ElementSize, LaneAccess, Lanes};
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree;

impl Hints<'_> {
    /// Hints at every access of a shared array with a bank conflict.
    pub(super) fn hint_bank_conflicts(&mut self) {
        let mut known: Vec<(SharedId, &IndexMap)> = Vec::new();
        let mut hints = Vec::new();
        for access in self.typed.record.shared_accesses.iter().filter(|access| access.composed.exact) {
            self.evaluator.db.unwind_if_revision_cancelled();
            let map = &access.composed.map;
            if known.contains(&(access.array, map)) {
                continue;
            }
            known.push((access.array, map));
            hints.extend(self.conflict_of(access));
        }
        self.found.extend(hints);
    }

    fn conflict_of(&self, access: &SharedAccess) -> Option<Diagnostic> {
        let element = self.typed.memories.element_of(Memory::Shared(access.array)).map(ElementSize::from)?;
        let (map, facts, budget) = (&access.composed.map, &self.evaluator.facts, self.evaluator.budget());
        let answer = memory::bank_conflicts(map, &lanes(), element, facts, &budget).ok()?;
        let found = answer.seen().filter(|found| found.degree > 1)?;
        // Neighbouring elements of one thread may be moved as one vector, which uses other banks.
        if memory::vector_width(map, element, facts, &budget).ok()?.width > 1 {
            return None;
        }
        let conflict = found.conflict.as_ref()?;
        let threads = [&conflict.first, &conflict.second].map(|lane| lane.upper.get(1).copied().unwrap_or(0));
        let name = self.typed.memories.name(Memory::Shared(access.array));
        let element_of = |lane: &LaneAccess| self.typed.shared_element(self.evaluator.db, access.array, lane.address);
        let elements = [&conflict.first, &conflict.second].map(element_of);
        let fixes = self.bank_fixes(access.array, element);
        Some(diagnostics::bank_conflict_of_access(&SharedConflict {
            span: access.span,
            array: &name,
            store: access.store,
            degree: found.degree,
            conflict,
            threads,
            elements,
            fixes,
        }))
    }

    /// Edits of the declaration that remove all conflicts of the array.
    fn bank_fixes(&self, array: SharedId, element: ElementSize) -> Vec<Fix> {
        let Some(source) = self.typed.shared_sources.get(array) else { return Vec::new() };
        [self.swizzled(array, element, source), self.padded(array, element, source)].into_iter().flatten().collect()
    }

    /// The edit to `shared tile : f32[32, 32] |> xor;`.
    fn swizzled(&self, array: SharedId, element: ElementSize, source: &SharedSource) -> Option<Fix> {
        if !source.layout.is_empty() {
            return None;
        }
        let end = self.end_of_shape(source)?;
        let xor = tree::Expr { kind: tree::ExprKind::Name("xor".into()), span: source.span };
        self.mends(array, element, &source.shape, &[xor])?;
        let title = "swizzle its columns by its rows with `xor`".to_owned();
        Some(Fix { title, edits: vec![(Place { item: None, span: Span::new(end, end) }, " |> xor".into())] })
    }

    /// The edit to `shared tile : f32[32, 33];`.
    fn padded(&self, array: SharedId, element: ElementSize, source: &SharedSource) -> Option<Fix> {
        let (last, before) = source.shape.split_last().filter(|(_, before)| !before.is_empty())?;
        let tree::ExprKind::Int(Some(size)) = last.kind else { return None };
        // The padding is one word of 4 bytes, or one element if that is longer.
        let wide = size.checked_add((BANK_WORD_BYTES / element.bytes()).max(1))?;
        let mut shape = before.to_vec();
        shape.push(tree::Expr { kind: tree::ExprKind::Int(Some(wide)), ..last.clone() });
        let stored = self.mends(array, element, &shape, &source.layout)?;
        let mut arrays = self.typed.memories.shared.clone();
        arrays.get_mut(array)?.length = stored;
        let bytes = SharedLayout::new(&arrays, &self.evaluator.facts).ok()?.bytes;
        let limit = LaunchLimits::for_target(settings::target(self.evaluator.db)).shared;
        if bytes.as_constant().is_some_and(|bytes| bytes > limit) {
            return None;
        }
        let title = format!("pad its rows: `{wide}` instead of `{size}`");
        let place = Place { item: None, span: last.span };
        Some(Fix { title, edits: vec![(place, wide.to_string().into())] })
    }

    /// The number of stored elements under another declaration if no access of the array has a conflict with it; `None`
    /// if one has, or if that is unknown.
    fn mends(&self, array: SharedId, element: ElementSize, shape: &[tree::Expr], layout: &[tree::Expr]) -> Option<Sym> {
        let span = self.typed.shared_sources.get(array)?.span;
        let mut trial = Evaluator::new(self.evaluator.db, self.evaluator.item);
        trial.generics = self.typed.generics.clone();
        let (stored, layout): (Sym, Arc<IndexMap>) = trial.shared_layout(shape, layout, span)?;
        let facts = &self.evaluator.facts;
        for access in self.typed.record.shared_accesses.iter().filter(|access| access.array == array) {
            let indices = access.indices.as_ref().filter(|_| access.composed.exact)?;
            let map = maps::compose(&layout, &indices.map, facts).ok()?;
            let answer = memory::bank_conflicts(&map, &lanes(), element, facts, &self.evaluator.budget()).ok()?;
            if !matches!(answer, Answer::Known(found) if found.degree <= 1) {
                return None;
            }
        }
        Some(stored)
    }

    /// The position after the bracket that closes the extents.
    fn end_of_shape(&self, source: &SharedSource) -> Option<u32> {
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        let from = source.shape.last()?.span.end;
        let close = (from..source.span.end).find(|at| tokens.kind(*at as usize) == Some(TokenKind::CloseBracket))?;
        Some(close + 1)
    }
}

/// The lanes of a map over block id, thread id and local coordinates. A warp is 32 threads of one block.
fn lanes() -> Lanes {
    Lanes::along(1)
}
