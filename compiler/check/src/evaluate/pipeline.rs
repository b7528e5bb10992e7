//! Pipelines of maps and transforms: `row_major([8, 64]) |> { 0: _, 1: unmerge(8, 8) } |> …`.

use std::sync::Arc;

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, Quantity, StageRank, Wanted};
use crate::transforms::{self, Amount, Built, Definition, Fit, Given, Length, Misfit, Notice, Operator, Part, Reading};
use crate::values::Value;
use dims::CompareOp;
use maps::{AxisRole, IndexMap, arithmetic};
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind, GroupEntry, Link, Suffix, SuffixKind};

/// The map below a stage, and the stage's number in the pipeline, from 1.
#[derive(Clone, Copy)]
struct Below<'m> {
    map: &'m IndexMap,
    stage: usize,
}

/// An operator of a stage, with its name for messages.
struct Named {
    operator: Operator,
    word: String,
}

/// The dimensions that a part takes, for messages.
struct Taken<'s> {
    dimensions: &'s [usize],
    /// Whether the part is the whole stage rather than an entry of a group.
    whole: bool,
    span: Span,
}

impl Evaluator<'_> {
    /// Evaluates a base layout, or a transform that is used as a map.
    pub(super) fn layout_or_transform(
        &mut self,
        definition: &'static Definition,
        arguments: &[Argument],
        span: Span,
    ) -> Outcome {
        let transform = match self.built(definition, arguments, span)? {
            Built::Map(map) => return Some(Value::Map(Arc::new(map))),
            Built::Transform(transform) => transform,
        };
        match transforms::alone(&transform, &self.facts) {
            Ok(map) => Some(Value::Map(Arc::new(map))),
            Err(Misfit::Map(error)) => self.map(span, Err(error)),
            Err(_) => {
                let documentation = definition.documentation;
                self.report(diagnostics::transform_alone(span, documentation.word, documentation.parameters))
            }
        }
    }

    /// Evaluates `first |> stage |> …`, from the bottom up.
    pub(super) fn pipeline(&mut self, first: &Expr, rest: &[Link]) -> Outcome {
        let map = match self.expr(first)? {
            Value::Map(map) => map,
            Value::Tiling(tiling) => return self.tiling_pipeline(tiling, first, rest),
            other => return self.report(diagnostics::pipe_start(first.span, &other)),
        };
        self.stages(map, first.span, rest.iter().map(|link| &link.operand)).map(Value::Map)
    }

    /// Applies stages to a map whose expression is at `start`.
    pub(super) fn stages<'e>(
        &mut self,
        mut map: Arc<IndexMap>,
        start: Span,
        stages: impl Iterator<Item = &'e Expr>,
    ) -> Option<Arc<IndexMap>> {
        for (position, operand) in stages.enumerate() {
            self.db.unwind_if_revision_cancelled();
            let below = Below { map: &map, stage: position + 1 };
            let parts = match &operand.kind {
                ExprKind::Group(entries) => self.group(entries, operand.span, below)?,
                _ => vec![self.whole_stage(operand, below)?],
            };
            let is_map = matches!(parts.as_slice(), [Part { operator: Operator::Map(_), .. }]);
            let span = start.to(operand.span);
            let facts = self.facts.clone();
            let stage = transforms::stage(&parts, &map.upper, &facts);
            let composed = stage.and_then(|stage| maps::compose(&map, &stage, &facts));
            let Value::Map(composed) = self.map(span, composed)? else { return None };
            map = composed;
            if !is_map {
                // The value of a transform in a pipeline is the map up to there.
                self.note_watched(operand, Some(&Value::Map(map.clone())));
            }
        }
        Some(map)
    }

    /// A transform or a map that takes all dimensions.
    fn whole_stage(&mut self, operand: &Expr, below: Below<'_>) -> Option<Part> {
        let named = self.operator(operand)?;
        let lower: Vec<usize> = (0..below.map.upper.len()).collect();
        let taken = Taken { dimensions: &lower, whole: true, span: operand.span };
        let fit = self.fit(&named, &taken, below)?;
        let upper = (0..fit.upper.len()).collect();
        Some(Part { operator: named.operator, fit, lower, upper })
    }

    /// Evaluates `{ 0: _, (1, 2): merge => 1 }`.
    fn group(&mut self, entries: &[GroupEntry], span: Span, below: Below<'_>) -> Option<Vec<Part>> {
        let lower = self.lower_dimensions(entries, span, below);
        let operators: Vec<Option<Named>> = entries.iter().map(|entry| self.operator(&entry.transform)).collect();
        let operators: Vec<Named> = operators.into_iter().collect::<Option<_>>()?;
        let lower = lower?;
        let mut fits = Vec::with_capacity(entries.len());
        for ((entry, named), dimensions) in entries.iter().zip(&operators).zip(&lower) {
            let taken = Taken { dimensions, whole: false, span: entry.transform.span };
            fits.push(self.fit(named, &taken, below));
        }
        let fits: Vec<Fit> = fits.into_iter().collect::<Option<_>>()?;
        let words: Vec<&str> = operators.iter().map(|named| named.word.as_str()).collect();
        let upper = self.upper_dimensions(entries, &words, &fits)?;
        let parts = operators.into_iter().zip(fits).zip(lower.into_iter().zip(upper));
        Some(parts.map(|((named, fit), (lower, upper))| Part { operator: named.operator, fit, lower, upper }).collect())
    }

    /// The dimensions below that each entry takes. Checks that each is taken exactly once.
    fn lower_dimensions(&mut self, entries: &[GroupEntry], span: Span, below: Below<'_>) -> Option<Vec<Vec<usize>>> {
        let rank = below.map.upper.len();
        let mut seen: Vec<Option<Span>> = vec![None; rank];
        let mut all = Some(Vec::with_capacity(entries.len()));
        for entry in entries {
            let mut own = Some(Vec::with_capacity(entry.lower.len()));
            for id in &entry.lower {
                match self.lower_dimension(id, &mut seen, below) {
                    Some(dimension) => own.iter_mut().for_each(|own| own.push(dimension)),
                    None => own = None,
                }
            }
            all = all.zip(own).map(|(mut all, own)| {
                all.push(own);
                all
            });
        }
        let missing: Vec<usize> = (0..rank).filter(|dimension| seen.get(*dimension) == Some(&None)).collect();
        if !missing.is_empty() && all.is_some() {
            let taken = all.iter().flatten().map(|own| own.iter().min().copied());
            let entries: Vec<_> = entries.iter().map(|entry| entry.span).zip(taken).collect();
            return self.report(diagnostics::dimensions_missing(span, &missing, below.map, &entries));
        }
        all
    }

    fn lower_dimension(&mut self, id: &Expr, seen: &mut [Option<Span>], below: Below<'_>) -> Option<usize> {
        let dimension = self.constant(id, Quantity::DimensionNumber)?;
        let rank = seen.len();
        let place = usize::try_from(dimension).ok().and_then(|dimension| Some((dimension, seen.get_mut(dimension)?)));
        match place {
            None => self.report(diagnostics::dimension_not_there(id.span, dimension, rank, below.map)),
            Some((dimension, Some(first))) => self.report(diagnostics::dimension_twice(id.span, *first, dimension)),
            Some((dimension, place)) => {
                *place = Some(id.span);
                Some(dimension)
            }
        }
    }

    /// The upper dimensions that each entry makes: the given numbers, or else the remaining ones in order.
    fn upper_dimensions(&mut self, entries: &[GroupEntry], words: &[&str], fits: &[Fit]) -> Option<Vec<Vec<usize>>> {
        let rank: usize = fits.iter().map(|fit| fit.upper.len()).sum();
        let mut used: Vec<Option<Span>> = vec![None; rank];
        let mut numbered: Vec<Option<Vec<usize>>> = Vec::with_capacity(entries.len());
        for ((entry, word), fit) in entries.iter().zip(words).zip(fits) {
            let Some(ids) = &entry.upper else {
                numbered.push(None);
                continue;
            };
            if ids.len() != fit.upper.len() {
                let count = diagnostics::upper_count(entry.span, word, fit.upper.len(), ids.len());
                return self.report(count);
            }
            let own = ids.iter().map(|id| self.upper_dimension(id, &mut used)).collect::<Option<Vec<usize>>>()?;
            numbered.push(Some(own));
        }
        let mut left = (0..rank).filter(|number| used.get(*number) == Some(&None));
        let fill = |(own, fit): (Option<Vec<usize>>, &Fit)| {
            own.unwrap_or_else(|| left.by_ref().take(fit.upper.len()).collect())
        };
        Some(numbered.into_iter().zip(fits).map(fill).collect())
    }

    fn upper_dimension(&mut self, id: &Expr, used: &mut [Option<Span>]) -> Option<usize> {
        let number = self.constant(id, Quantity::DimensionNumber)?;
        let rank = used.len();
        let place = usize::try_from(number).ok().and_then(|position| Some((position, used.get_mut(position)?)));
        match place {
            None => self.report(diagnostics::upper_out_of_range(id.span, number, rank)),
            Some((position, Some(first))) => self.report(diagnostics::upper_twice(id.span, *first, position)),
            Some((position, place)) => {
                *place = Some(id.span);
                Some(position)
            }
        }
    }

    /// Evaluates a transform or map. Lengths that a transform omits are found later.
    fn operator(&mut self, expr: &Expr) -> Option<Named> {
        let (definition, arguments, span) = match &expr.kind {
            ExprKind::Underscore => (transforms::definition("pass_through"), [].as_slice(), expr.span),
            ExprKind::Name(name) if !self.is_declared(name) => (transforms::definition(name), [].as_slice(), expr.span),
            ExprKind::Postfix { base, suffixes } => match (&base.kind, suffixes.as_slice()) {
                (ExprKind::Name(name), [suffix]) if !self.is_declared(name) => match &suffix.kind {
                    SuffixKind::Call(arguments) => {
                        (transforms::definition(name), arguments.as_slice(), base.span.to(suffix.span))
                    }
                    _ => (None, [].as_slice(), expr.span),
                },
                _ => (None, [].as_slice(), expr.span),
            },
            _ => (None, [].as_slice(), expr.span),
        };
        if let Some(definition) = definition {
            let word = definition.documentation.word.to_owned();
            return Some(match self.built(definition, arguments, span)? {
                Built::Transform(transform) => Named { operator: Operator::Transform(transform), word },
                Built::Map(map) => Named { operator: Operator::Map(Arc::new(map)), word },
            });
        }
        match self.expr(expr)? {
            Value::Map(map) => Some(Named { operator: Operator::Map(map), word: called(expr) }),
            other => self.report(diagnostics::pipe_stage(expr.span, &other)),
        }
    }

    /// Applies the word of a transform or layout to its arguments.
    fn built(&mut self, definition: &'static Definition, arguments: &[Argument], span: Span) -> Option<Built> {
        let given: Vec<Option<Given>> = arguments.iter().map(|argument| self.given(argument)).collect();
        let given: Vec<Given> = given.into_iter().collect::<Option<_>>()?;
        let facts = self.facts.clone();
        let reading = Reading { word: definition.documentation.word, span, given, facts: &facts };
        match (definition.read)(&reading) {
            Ok(built) => Some(built),
            Err(refusal) => self.report(*refusal),
        }
    }

    fn given(&mut self, argument: &Argument) -> Option<Given> {
        let span = argument.value.span;
        let amount = match self.expr(&argument.value)? {
            Value::Int(size) => Amount::One(size),
            Value::Nothing => Amount::Left,
            Value::Shape(shape) => Amount::Many(shape.dims.into_iter().map(Some).collect()),
            Value::Tuple(values) | Value::List(values) => {
                let mut sizes = Vec::with_capacity(values.len());
                for value in values {
                    sizes.push(match value {
                        Value::Int(size) => Some(size),
                        Value::Nothing => None,
                        other => return self.report(diagnostics::wrong_type(span, Wanted::Size, &other)),
                    });
                }
                Amount::Many(sizes)
            }
            other => return self.report(diagnostics::wrong_type(span, Wanted::Sizes, &other)),
        };
        let parts = match &argument.value.kind {
            ExprKind::List(parts) | ExprKind::Tuple(parts) => parts.iter().map(|part| part.span).collect(),
            _ => Vec::new(),
        };
        Some(Given { name: argument.name.clone(), span, parts, amount })
    }

    /// Fits a part to the dimensions that it takes, and reports errors.
    fn fit(&mut self, named: &Named, taken: &Taken<'_>, below: Below<'_>) -> Option<Fit> {
        let lengths: Vec<Length> = taken
            .dimensions
            .iter()
            .map(|dimension| below.map.upper.get(*dimension).and_then(|axis| axis.extent.clone()))
            .collect();
        let fitted = match &named.operator {
            Operator::Transform(transform) => transforms::fit(transform, &lengths, &self.facts),
            Operator::Map(map) => self.fit_map(map, &lengths),
        };
        let dimension = |position: usize| taken.dimensions.get(position).copied().unwrap_or(position);
        match fitted {
            Ok(fit) => {
                for notice in &fit.notices {
                    self.notice(&named.word, notice, taken, below);
                }
                Some(fit)
            }
            Err(Misfit::Rank { expected, found }) => {
                let what = named.word.as_str();
                let deals = match &named.operator {
                    Operator::Map(map) => map.upper.last().is_some_and(|axis| axis.role == AxisRole::Thread),
                    Operator::Transform(_) => false,
                };
                let rank = StageRank { what, expected, found, deals, map: below.map, stage: below.stage };
                let at = if taken.whole { diagnostics::stage_rank } else { diagnostics::entry_rank };
                self.report(at(taken.span, &rank))
            }
            Err(Misfit::Length { position, written, found }) => {
                let (span, stage) = (taken.span, below.stage);
                let dimension = dimension(position);
                let whole = matches!(named.operator, Operator::Map(_));
                let at = if whole { diagnostics::stage_map_length } else { diagnostics::stage_length };
                self.report(at(span, &named.word, stage, dimension, &written, &found))
            }
            Err(Misfit::Needed { position }) => {
                self.report(diagnostics::dimension_without_end(taken.span, dimension(position)))
            }
            Err(Misfit::Map(error)) => {
                self.map(taken.span, Err(error));
                None
            }
        }
    }

    /// Fits a map to dimensions: its lower extents must not exceed their lengths, but may be smaller.
    fn fit_map(&self, map: &IndexMap, lengths: &[Length]) -> Result<Fit, Misfit> {
        if map.lower.len() != lengths.len() {
            return Err(Misfit::Rank { expected: map.lower.len(), found: lengths.len() });
        }
        for (position, (axis, length)) in map.lower.iter().zip(lengths).enumerate() {
            if let (Some(own), Some(length)) = (&axis.extent, length)
                && arithmetic::less(length, own, &self.facts)
            {
                return Err(Misfit::Length { position, written: own.clone(), found: length.clone() });
            }
        }
        let upper = map.upper.iter().map(|axis| axis.extent.clone()).collect();
        Ok(Fit { lower: lengths.to_vec(), upper, notices: Vec::new() })
    }

    fn notice(&mut self, word: &str, notice: &Notice, taken: &Taken<'_>, below: Below<'_>) {
        let diagnostic = match notice {
            Notice::LengthNotKnown { position, written, found } => {
                let dimension = taken.dimensions.get(*position).copied().unwrap_or(*position);
                let fact = self.facts.settling_comparison(written, CompareOp::Eq, found);
                let remedy = fact.map(|fact| self.remedy(vec![fact]));
                diagnostics::stage_length_open(taken.span, word, below.stage, dimension, written, found, remedy)
            }
            Notice::Outside { first, end, length } => diagnostics::stage_outside(taken.span, word, first, end, length),
        };
        self.diagnostics.push(diagnostic);
    }
}

/// The name of a map in messages: its declared name, or the function that makes it.
fn called(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => name.to_string(),
        ExprKind::ReshapeMap(_) => "reshape_map".to_owned(),
        ExprKind::Paren(inner) => called(inner),
        ExprKind::Postfix { base, suffixes } => match (&base.kind, suffixes.as_slice()) {
            (ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(_), .. }]) => name.to_string(),
            _ => "map".to_owned(),
        },
        _ => "map".to_owned(),
    }
}
