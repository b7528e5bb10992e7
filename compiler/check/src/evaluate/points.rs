//! Single points of maps: `m(u…)`, `m.lower(u…)`, `m.valid(u…)`, `m.upper(l…)`.
//!
//! Sizes and coordinates may be symbols; the answer holds for every size.

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, Coordinates, NoAnswer, Wanted};
use crate::values::Value;
use dims::{Sym, Symbol};
use maps::{Affine, AxisRole, IndexMap, MapError, SymbolicPoint, Term, Validity};
use syntax::span::Span;
use syntax::tree::{Argument, BinaryOp};

impl Evaluator<'_> {
    /// Evaluates `m(u…)`: the lower coordinate, or `_` if the upper one is not valid.
    pub(super) fn ask_map(&mut self, map: &IndexMap, coordinates: &[Sym], span: Span) -> Outcome {
        let point = self.point(map, coordinates, span)?;
        match &point.validity {
            Validity::Invalid => Some(Value::Nothing),
            Validity::Valid => self.lower_of(point, span),
            Validity::Unknown => self.no_closed_form(span),
            Validity::Depends(conditions) => {
                let why = NoAnswer::ValidityDepends(conditions.clone());
                self.report(diagnostics::map_question(span, &why))
            }
        }
    }

    /// Evaluates `m.lower(u…)`: the lower coordinate, even if the upper one is not valid.
    pub(super) fn lower(&mut self, map: &IndexMap, coordinates: &[Sym], span: Span) -> Outcome {
        let point = self.point(map, coordinates, span)?;
        self.lower_of(point, span)
    }

    /// Evaluates `m.valid(u…)`.
    pub(super) fn valid(&mut self, map: &IndexMap, coordinates: &[Sym], span: Span) -> Outcome {
        match self.point(map, coordinates, span)?.validity {
            Validity::Valid => Some(Value::Bool(true)),
            Validity::Invalid => Some(Value::Bool(false)),
            Validity::Unknown => self.no_closed_form(span),
            Validity::Depends(conditions) => {
                let mut all = Value::Bool(true);
                for (left, op, right) in conditions {
                    let one = self.compare_ints(op, &left, &right);
                    all = self.connective(BinaryOp::And, all, one, span)?;
                }
                Some(all)
            }
        }
    }

    /// Evaluates `m.upper(l…)`: the upper coordinate that is mapped to a lower one, or `_`.
    pub(super) fn upper(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Outcome {
        let mut lower = Vec::with_capacity(given.len());
        for argument in given {
            lower.push(self.int(&argument.value)?);
        }
        if lower.len() != map.lower.len() {
            return self.report(diagnostics::coordinate_count(span, map.lower.len(), lower.len(), Coordinates::Lower));
        }
        let constants = constants(&lower).filter(|_| map.is_constant());
        let Some(lower) = constants else {
            let inverse = match maps::inverse(map, &self.facts) {
                Ok(Some(inverse)) => inverse,
                Ok(None) => return self.no_closed_form(span),
                Err(error) => return self.report(diagnostics::map_question(span, &NoAnswer::Map(error))),
            };
            return self.ask_map(&inverse, &lower, span);
        };
        match maps::upper(map, &lower, self.budget().cancelled) {
            Ok(Some(upper)) => Some(tuple(upper.into_iter().map(Value::int).collect())),
            Ok(None) => Some(Value::Nothing),
            Err(error) => self.report(diagnostics::map_question(span, &NoAnswer::NoInverse(error))),
        }
    }

    /// The coordinates in arguments: one for each, or tuples of them. The thread may be given as a tuple of digits.
    pub(super) fn coordinates(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Option<Vec<Sym>> {
        let mut coordinates = Vec::with_capacity(map.upper.len());
        for argument in given {
            match self.expr(&argument.value)? {
                Value::Tuple(parts) if given.len() > 1 && coordinates.len() + 1 == map.upper.len() => {
                    coordinates.push(self.thread_from_digits(map, &parts, argument.value.span)?);
                }
                Value::Tuple(parts) => {
                    for part in &parts {
                        coordinates.push(self.coordinate(part, argument.value.span)?);
                    }
                }
                value => coordinates.push(self.coordinate(&value, argument.value.span)?),
            }
        }
        if coordinates.len() != map.upper.len() {
            let threads = map.upper.iter().any(|axis| axis.role == AxisRole::Thread);
            let which = if threads { Coordinates::Upper } else { Coordinates::Layout };
            return self.report(diagnostics::coordinate_count(span, map.upper.len(), coordinates.len(), which));
        }
        Some(coordinates)
    }

    fn coordinate(&mut self, value: &Value, span: Span) -> Option<Sym> {
        match value {
            Value::Int(value) => Some(value.clone()),
            other => self.report(diagnostics::wrong_type(span, Wanted::Coordinate, other)),
        }
    }

    /// The linear thread id of `(t0, t1)`, by the radices of the map's thread digits.
    fn thread_from_digits(&mut self, map: &IndexMap, parts: &[Value], span: Span) -> Option<Sym> {
        let weights = digit_weights(map);
        if weights.len() != parts.len() {
            return self.report(diagnostics::coordinate_count(span, weights.len(), parts.len(), Coordinates::Thread));
        }
        let mut thread = Sym::zero();
        for (part, weight) in parts.iter().zip(weights) {
            let digit = self.coordinate(part, span)?;
            let sum = digit.checked_mul(&Sym::constant(weight)).and_then(|term| thread.checked_add(&term));
            thread = self.settle(span, sum)?;
        }
        Some(thread)
    }

    fn point(&mut self, map: &IndexMap, coordinates: &[Sym], span: Span) -> Option<SymbolicPoint> {
        match point(map, coordinates, self) {
            Ok(point) => Some(point),
            Err(error) => self.report(diagnostics::map_question(span, &NoAnswer::Map(error))),
        }
    }

    fn lower_of(&mut self, point: SymbolicPoint, span: Span) -> Outcome {
        match point.lower {
            Some(lower) => Some(tuple(lower.into_iter().map(Value::Int).collect())),
            None => self.no_closed_form(span),
        }
    }

    fn no_closed_form(&mut self, span: Span) -> Outcome {
        self.report(diagnostics::map_question(span, &NoAnswer::NoFormula))
    }
}

/// Evaluates a map at a point. Constants are substituted into the original terms, which also gives the right result
/// outside the extents, where simplified formulas may not.
fn point(map: &IndexMap, coordinates: &[Sym], evaluator: &Evaluator<'_>) -> Result<SymbolicPoint, MapError> {
    let nothing = |_: &Symbol| None;
    match constants(coordinates).filter(|_| map.is_constant()) {
        None => maps::at(map, coordinates, &evaluator.facts),
        Some(coordinates) => {
            let point = maps::evaluate(map, &coordinates, &nothing)?;
            let validity = if point.valid { Validity::Valid } else { Validity::Invalid };
            Ok(SymbolicPoint { lower: Some(point.lower.into_iter().map(Sym::constant).collect()), validity })
        }
    }
}

fn constants(values: &[Sym]) -> Option<Vec<i64>> {
    values.iter().map(Sym::as_constant).collect()
}

/// The weights of the thread's digits in the linear thread id, if sizes are constants.
fn digit_weights(map: &IndexMap) -> Vec<i64> {
    let thread = map.upper.len().wrapping_sub(1);
    let is_thread = |of: &Affine| {
        of.as_term().and_then(|id| map.term(id)) == u32::try_from(thread).ok().map(Term::Coordinate).as_ref()
    };
    let mut weights: Vec<i64> = map
        .terms
        .iter()
        .filter_map(|term| match term {
            Term::Digit { of, divisor, .. } if is_thread(of) => divisor.as_constant(),
            _ => None,
        })
        .collect();
    weights.sort_unstable();
    weights
}

/// A single value, or a tuple of several.
fn tuple(mut values: Vec<Value>) -> Value {
    match (values.len(), values.pop()) {
        (1, Some(value)) => value,
        (_, Some(last)) => {
            values.push(last);
            Value::Tuple(values)
        }
        (_, None) => Value::Tuple(values),
    }
}
