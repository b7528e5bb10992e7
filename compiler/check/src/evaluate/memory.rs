//! The cost of accesses: `m.vector_width(f32)`, `m.bank_conflicts(f32)`, `m.sectors(f32)`.

use std::sync::Arc;

use super::asked::{Asked, Cost};
use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, Diagnostic, NoAnswer, Quantity};
use crate::spelling;
use crate::values::Value;
use dims::Fact;
use elements::ElementType;
use maps::{IndexMap, MapError};
use proofs::memory::{self, Answer, ElementSize, Lanes};
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind};

impl Evaluator<'_> {
    /// Evaluates `m.vector_width(f32)`: the most elements that a single access of a thread may move.
    pub(super) fn vector_width(&mut self, map: &Arc<IndexMap>, given: &[Argument], span: Span) -> Outcome {
        let [element] = self.arguments("vector_width", &["element"], 1, given, span)?;
        let element = self.element_size(element?)?;
        match memory::vector_width(map, element, &self.facts, &self.budget()) {
            Ok(found) => {
                let width = found.width;
                self.note(span, map, element, Cost::Vector(found));
                Some(Value::int(width))
            }
            Err(error) => self.no_answer(span, error),
        }
    }

    /// Evaluates `m.bank_conflicts(f32)`: the most words of one bank that an access of a warp needs.
    pub(super) fn bank_conflicts(&mut self, map: &Arc<IndexMap>, given: &[Argument], span: Span) -> Outcome {
        let (element, lanes) = self.access("bank_conflicts", map, given, span)?;
        match memory::bank_conflicts(map, &lanes, element, &self.facts, &self.budget()) {
            Ok(answer) => {
                let found = self.decided(answer, span)?;
                let degree = found.degree;
                self.note(span, map, element, Cost::Banks(lanes, found));
                Some(Value::int(degree))
            }
            Err(error) => self.no_answer(span, error),
        }
    }

    /// Evaluates `m.sectors(f32)`: the number of sectors of global memory that an access of a warp touches.
    pub(super) fn sectors(&mut self, map: &Arc<IndexMap>, given: &[Argument], span: Span) -> Outcome {
        let (element, lanes) = self.access("sectors", map, given, span)?;
        match memory::sectors(map, &lanes, element, 1, &self.facts, &self.budget()) {
            Ok(answer) => {
                let found = self.decided(answer, span)?;
                let sectors = found.sectors;
                self.note(span, map, element, Cost::Sectors(found));
                Some(Value::int(sectors))
            }
            Err(error) => self.no_answer(span, error),
        }
    }

    fn note(&mut self, span: Span, map: &Arc<IndexMap>, element: ElementSize, found: Cost) {
        self.asked.push(Asked { span, map: map.clone(), element, found });
    }

    fn decided<T>(&mut self, answer: Answer<T>, span: Span) -> Option<T> {
        match answer {
            Answer::Known(found) => Some(found),
            Answer::Open { reason, deeper, .. } => {
                self.report(diagnostics::map_question(span, &NoAnswer::Undecided { reason, deeper }))
            }
        }
    }

    fn no_answer(&mut self, span: Span, error: MapError) -> Outcome {
        self.report(diagnostics::map_question(span, &NoAnswer::Map(error)))
    }

    /// The element size and the lanes in a question about warps.
    fn access(
        &mut self,
        question: &str,
        map: &IndexMap,
        given: &[Argument],
        span: Span,
    ) -> Option<(ElementSize, Lanes)> {
        let [element, lanes] = self.arguments(question, &["element", "lanes"], 1, given, span)?;
        let (element, lanes) = (self.element_size(element?), self.lanes(map, lanes, span));
        Some((element?, lanes?))
    }

    /// An element type, or a number of bytes per element. Declared names shadow element types.
    fn element_size(&mut self, expr: &Expr) -> Option<ElementSize> {
        if let ExprKind::Name(name) = &expr.kind
            && !self.is_declared(name)
        {
            if let Some(element) = self.generics.element(name) {
                return Some(element.into());
            }
            let nearest = spelling::nearest(name, ElementType::ALL.map(ElementType::name));
            return self.report(diagnostics::unknown_element_type(expr.span, name, nearest));
        }
        let bytes = self.constant(expr, Quantity::ElementBytes)?;
        match ElementSize::of_bytes(bytes) {
            Some(size) => Some(size),
            None => self.report(diagnostics::map_question(expr.span, &NoAnswer::ElementBytes(bytes))),
        }
    }

    /// The coordinates along which the lanes of a warp run: the one at the given position, or the thread coordinates.
    fn lanes(&mut self, map: &IndexMap, given: Option<&Expr>, span: Span) -> Option<Lanes> {
        let Some(expr) = given else {
            return match Lanes::of_map(map) {
                Some(lanes) => Some(lanes),
                None => self.report(diagnostics::map_question(span, &NoAnswer::NoLanes)),
            };
        };
        let position = self.constant(expr, Quantity::CoordinatePosition)?;
        match usize::try_from(position).ok().filter(|axis| *axis < map.upper.len()) {
            Some(axis) => Some(Lanes::along(axis)),
            None => {
                let why = NoAnswer::NoCoordinate { rank: map.upper.len(), number: position };
                self.report(diagnostics::map_question(expr.span, &why))
            }
        }
    }

    /// The fact under which the vector width in a question would be larger.
    pub(super) fn wider_if(&self) -> Option<Fact> {
        self.asked.iter().find_map(|asked| match &asked.found {
            Cost::Vector(found) => found.limit.as_ref()?.fact.clone(),
            _ => None,
        })
    }

    /// Adds the answers of the questions in a failed assertion to its diagnostic.
    pub(super) fn with_costs(&mut self, failed: Diagnostic) -> Diagnostic {
        let mut failed = failed;
        for asked in self.take_asked() {
            failed = match &asked.found {
                Cost::Vector(found) => diagnostics::with_width(failed, found),
                Cost::Sectors(found) => diagnostics::with_sectors(failed, found),
                Cost::Banks(lanes, found) => diagnostics::with_conflict(failed, found, self.bank_fixes(&asked, lanes)),
            };
        }
        failed
    }

    /// Adds hints about the bank conflicts in questions.
    pub(super) fn hint_conflicts(&mut self) {
        for asked in self.take_asked() {
            if let Cost::Banks(lanes, found) = &asked.found
                && found.conflict.is_some()
            {
                let fixes = self.bank_fixes(&asked, lanes);
                self.diagnostics.extend(diagnostics::bank_conflict(asked.span, found, fixes));
            }
        }
    }

    /// Removes and returns the questions so far, without duplicates from repeated evaluation.
    fn take_asked(&mut self) -> Vec<Asked> {
        let mut spans: Vec<Span> = Vec::new();
        let mut asked = std::mem::take(&mut self.asked);
        asked.retain(|asked| {
            let new = !spans.contains(&asked.span);
            spans.push(asked.span);
            new
        });
        asked
    }
}
