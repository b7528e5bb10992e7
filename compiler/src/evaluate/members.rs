//! Questions: `m(u…)`, `m.owners`, `m.injective`, `s.rank`, …

use std::ops::Range;
use std::sync::Arc;

use super::{Evaluator, Outcome};
use crate::diagnostics;
use crate::dims::Sym;
use crate::maps::{self, Affine, IndexMap, Point, Term};
use crate::proofs::{self, Verdict};
use crate::shapes::Shape;
use crate::syntax::span::Span;
use crate::syntax::tree::{Argument, Name};
use crate::values::{Truth, Value};

/// What can be asked of a map, with one line each: shown by completion and in messages.
pub const MAP_MEMBERS: &[(&str, &str)] = &[
    ("lower", "the lower coordinate of an upper one: `m.lower(i, t)`"),
    ("upper", "the upper coordinate that leads to a lower one: `m.upper(slot)`"),
    ("valid", "whether an upper coordinate is valid: `m.valid(i, t)`"),
    ("upper_shape", "the extents of the upper coordinates"),
    ("lower_shape", "the extents of the lower coordinates"),
    ("owners", "the thread that reaches each slot: `m.owners`, `m.owners(12)`"),
    ("in_bounds", "whether every valid coordinate stays inside the lower shape: `m.in_bounds`, `m.in_bounds(n)`"),
    ("injective", "whether no two valid coordinates reach one slot"),
    ("race_free", "whether no two threads reach one slot"),
    ("covers", "whether every slot is reached: `m.covers`, `m.covers(n)`"),
    ("fits", "whether every index fits in so many bits: `m.fits(32)`"),
    ("vector_width", "how many elements one access of a thread may take at once: `m.vector_width(f32)`"),
    ("bank_conflicts", "how many words of one bank of shared memory a warp wants at once: `m.bank_conflicts(f32)`"),
    ("sectors", "how many sectors of global memory a warp touches at once: `m.sectors(f32)`"),
];

/// What can be asked of a shape.
pub const SHAPE_MEMBERS: &[(&str, &str)] =
    &[("rank", "the number of dimensions"), ("size", "the product of the dimensions")];

/// The questions that take no arguments.
const WITHOUT_ARGUMENTS: &[&str] = &["upper_shape", "lower_shape", "injective", "race_free"];

/// Questions of the language whose answers are not implemented yet.
pub const LATER: &[&str] = &["permute", "inverse"];

impl Evaluator<'_> {
    /// `value.member` or `value.member(arguments)`.
    pub(crate) fn member(
        &mut self,
        value: Value,
        member: &Name,
        arguments: Option<&[Argument]>,
        span: Span,
    ) -> Outcome {
        match value {
            Value::Map(map) => self.map_member(&map, member, arguments, span),
            Value::Shape(shape) => self.shape_member(&shape, member),
            other => self.report(diagnostics::unknown_member(member.span, &member.text, other.kind_name(), &[])),
        }
    }

    fn shape_member(&mut self, shape: &Shape, member: &Name) -> Outcome {
        match member.text.as_str() {
            "rank" => Some(Value::int(i64::try_from(shape.rank()).unwrap_or(i64::MAX))),
            "size" => {
                let size = shape.size();
                self.settle(member.span, size).map(Value::Int)
            }
            _ => self.report(diagnostics::unknown_member(member.span, &member.text, "a shape", SHAPE_MEMBERS)),
        }
    }

    fn map_member(
        &mut self,
        map: &Arc<IndexMap>,
        member: &Name,
        arguments: Option<&[Argument]>,
        span: Span,
    ) -> Outcome {
        let given = arguments.unwrap_or_default();
        if !given.is_empty() && WITHOUT_ARGUMENTS.contains(&member.text.as_str()) {
            return self.report(diagnostics::argument_count(span, &member.text, &[], given.len()));
        }
        match member.text.as_str() {
            "lower" => {
                let coordinates = self.coordinates(map, given, span)?;
                let point = self.point(map, &coordinates, span)?;
                Some(tuple(point.lower.into_iter().map(Value::int).collect()))
            }
            "valid" => {
                let coordinates = self.coordinates(map, given, span)?;
                Some(Value::Bool(self.point(map, &coordinates, span)?.valid))
            }
            "upper" => self.upper(map, given, span),
            "upper_shape" => Some(extents(map.upper.iter().map(|axis| axis.extent.as_ref()))),
            "lower_shape" => Some(extents(map.lower.iter().map(|axis| axis.extent.as_ref()))),
            "owners" => self.owners(map, given, span),
            "in_bounds" => {
                let bounds = self.bounds(map, given, span)?;
                let verdict = proofs::in_bounds(map, &bounds, &self.facts, &self.budget());
                Some(truth(verdict, "every valid coordinate stays in bounds"))
            }
            "injective" => {
                let verdict = proofs::injective(map, &self.facts, &self.budget());
                Some(truth(verdict, "the map is injective"))
            }
            "race_free" => {
                let verdict = proofs::race_free(map, &self.facts, &self.budget());
                Some(truth(verdict, "the map is free of races"))
            }
            "covers" => {
                let slots: Vec<Range<Sym>> =
                    self.bounds(map, given, span)?.into_iter().map(|end| Sym::zero()..end).collect();
                let verdict = proofs::covers(map, &slots, &self.facts, &self.budget());
                Some(truth(verdict, "every slot is reached"))
            }
            "fits" => {
                let [bits] = self.arguments("fits", &["bits"], 1, given, span)?;
                let bits = self.constant(bits?, "the number of bits")?;
                let bits = u32::try_from(bits).unwrap_or(0);
                let verdict = proofs::fits_bits(map, bits, &self.facts, &self.budget());
                Some(truth(verdict, "every index fits"))
            }
            "vector_width" => self.vector_width(map, given, span),
            "bank_conflicts" => self.bank_conflicts(map, given, span),
            "sectors" => self.sectors(map, given, span),
            name if LATER.contains(&name) => {
                self.report(diagnostics::not_available_yet(member.span, &format!("`.{name}`")))
            }
            name => self.report(diagnostics::unknown_member(member.span, name, "an index map", MAP_MEMBERS)),
        }
    }

    /// The bounds that were given, or else the map's own lower shape.
    fn bounds(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Option<Vec<Sym>> {
        if !given.is_empty() {
            let values = given.iter().map(|argument| self.int(&argument.value)).collect::<Vec<_>>();
            return values.into_iter().collect();
        }
        match map.lower.iter().map(|axis| axis.extent.clone()).collect::<Option<Vec<_>>>() {
            Some(bounds) => Some(bounds),
            None => self.report(diagnostics::unbounded_map(span)),
        }
    }

    fn owners(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Outcome {
        let slots = match given {
            [] => None,
            _ => {
                let [slots] = self.arguments("owners", &["slots"], 1, given, span)?;
                let slots = slots?;
                match u64::try_from(self.constant(slots, "the number of slots")?) {
                    Ok(slots) => Some(slots),
                    Err(_) => return self.report(diagnostics::zero_size(slots.span, -1)),
                }
            }
        };
        match maps::owners(map, slots, &|| false) {
            Ok(owners) => Some(Value::List(
                owners
                    .into_iter()
                    .map(|owner| match owner.and_then(|owner| i64::try_from(owner).ok()) {
                        Some(owner) => Value::int(owner),
                        None => Value::Nothing,
                    })
                    .collect(),
            )),
            Err(error) => self.report(diagnostics::map_question(span, &error.to_string())),
        }
    }

    fn upper(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Outcome {
        let mut lower = Vec::with_capacity(given.len());
        for argument in given {
            lower.push(self.constant(&argument.value, "a lower coordinate")?);
        }
        if lower.len() != map.lower.len() {
            return self.report(diagnostics::coordinate_count(span, map.lower.len(), lower.len(), "lower"));
        }
        match maps::upper(map, &lower, &|| false) {
            Ok(Some(upper)) => Some(tuple(upper.into_iter().map(Value::int).collect())),
            Ok(None) => Some(Value::Nothing),
            Err(error) => self.report(diagnostics::map_question(span, &error.to_string())),
        }
    }

    /// The coordinates that arguments mean: one each, or tuples of them. The thread may be given by its digits.
    pub(crate) fn coordinates(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Option<Vec<i64>> {
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
            return self.report(diagnostics::coordinate_count(span, map.upper.len(), coordinates.len(), "upper"));
        }
        Some(coordinates)
    }

    fn coordinate(&mut self, value: &Value, span: Span) -> Option<i64> {
        match value {
            Value::Int(value) => match value.as_constant() {
                Some(value) => Some(value),
                None => self.report(diagnostics::not_constant(span, "a coordinate", value)),
            },
            other => self.report(diagnostics::wrong_type(span, "a coordinate", other)),
        }
    }

    /// `(t0, t1)` for a linear thread id, by the radices of the map's thread digits.
    fn thread_from_digits(&mut self, map: &IndexMap, parts: &[Value], span: Span) -> Option<i64> {
        let weights = digit_weights(map);
        if weights.len() != parts.len() {
            return self.report(diagnostics::coordinate_count(span, weights.len(), parts.len(), "thread"));
        }
        let mut thread: i64 = 0;
        for (part, weight) in parts.iter().zip(weights) {
            let digit = self.coordinate(part, span)?;
            thread = match digit.checked_mul(weight).and_then(|term| thread.checked_add(term)) {
                Some(thread) => thread,
                None => return self.report(diagnostics::overflow(span, "the thread id does not fit in 64 bits")),
            };
        }
        Some(thread)
    }

    fn point(&mut self, map: &IndexMap, coordinates: &[i64], span: Span) -> Option<Point> {
        match maps::evaluate(map, coordinates, &|_| None) {
            Ok(point) => Some(point),
            Err(error) => self.report(diagnostics::map_question(span, &error.to_string())),
        }
    }

    /// `m(u…)`: the lower coordinate, or `_` where the upper one is not valid.
    pub(crate) fn ask_map(&mut self, map: &IndexMap, coordinates: &[i64], span: Span) -> Outcome {
        let point = self.point(map, coordinates, span)?;
        Some(if point.valid { tuple(point.lower.into_iter().map(Value::int).collect()) } else { Value::Nothing })
    }
}

/// The weights of the thread's digits in the linear thread id, where sizes are known.
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

/// One value stands for itself, several make a tuple.
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

/// Extents as a shape; as a list with `_` where there is no end.
fn extents<'a>(extents: impl Iterator<Item = Option<&'a Sym>>) -> Value {
    let values: Vec<Value> =
        extents.map(|extent| extent.map_or(Value::Nothing, |extent| Value::Int(extent.clone()))).collect();
    let dims = values.iter().map(|value| match value {
        Value::Int(dim) => Some(dim.clone()),
        _ => None,
    });
    match dims.collect::<Option<Vec<_>>>() {
        Some(dims) => Value::Shape(Shape { dims }),
        None => Value::List(values),
    }
}

fn truth(verdict: Verdict, claim: &str) -> Value {
    Value::Truth(Arc::new(Truth { verdict, negated: false, claim: claim.into() }))
}
