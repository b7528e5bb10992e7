//! Members of maps and shapes: `m(u…)`, `m.owners`, `m.injective`, `s.rank`, …

use std::ops::Range;
use std::sync::Arc;

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, NoAnswer, Quantity};
use crate::values::{Claim, Kind, Truth, Value};
use dims::Sym;
use maps::IndexMap;
use maps::shapes::Shape;
use proofs::Verdict;
use syntax::span::Span;
use syntax::tree::{Argument, Name};

/// The members of maps.
pub const MAP_MEMBERS: &[&str] = &[
    "lower",
    "upper",
    "valid",
    "upper_shape",
    "lower_shape",
    "owners",
    "in_bounds",
    "injective",
    "race_free",
    "covers",
    "permute",
    "inverse",
    "fits",
    "vector_width",
    "bank_conflicts",
    "sectors",
];

/// The members of shapes.
pub const SHAPE_MEMBERS: &[&str] = &["rank", "size"];

/// The members without arguments.
const WITHOUT_ARGUMENTS: &[&str] = &["injective", "race_free"];

impl Evaluator<'_> {
    /// Evaluates `value.member` or `value.member(arguments)`.
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
            Value::Unit(unit) => self.unit_member(&unit, member),
            Value::Tiling(tiling) => self.tiling_member(&tiling, member, arguments, span),
            other => self.report(diagnostics::unknown_member(member.span, &member.text, other.kind(), &[])),
        }
    }

    fn shape_member(&mut self, shape: &Shape, member: &Name) -> Outcome {
        match member.text.as_str() {
            "rank" => Some(Value::int(i64::try_from(shape.rank()).unwrap_or(i64::MAX))),
            "size" => {
                let size = shape.size();
                self.settle(member.span, size).map(Value::Int)
            }
            _ => self.report(diagnostics::unknown_member(member.span, &member.text, Kind::Shape, SHAPE_MEMBERS)),
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
            return self.report(diagnostics::argument_count(span, member.text.as_str(), &[], given.len()));
        }
        match member.text.as_str() {
            "lower" => {
                let coordinates = self.coordinates(map, given, span)?;
                self.lower(map, &coordinates, span)
            }
            "valid" => {
                let coordinates = self.coordinates(map, given, span)?;
                self.valid(map, &coordinates, span)
            }
            "upper" => self.upper(map, given, span),
            // The arguments of `m.upper_shape(0)` apply to the shape.
            "upper_shape" => self.applied(extents(map.upper.iter().map(|axis| axis.extent.as_ref())), given, span),
            "lower_shape" => self.applied(extents(map.lower.iter().map(|axis| axis.extent.as_ref())), given, span),
            "owners" => self.owners(map, given, span),
            "in_bounds" => self.in_bounds(map, given, span),
            "injective" => {
                let verdict = proofs::injective(map, &self.premises(), &self.budget());
                Some(truth(verdict, Claim::Injective))
            }
            "race_free" => {
                let verdict = proofs::race_free(map, &self.premises(), &self.budget());
                Some(truth(verdict, Claim::RaceFree))
            }
            "covers" => self.covers(map, given, span),
            "fits" => self.fits(map, given, span),
            "permute" => self.permute(map, given, span),
            "inverse" => {
                let inverse = self.inverse(map, span)?;
                // The arguments of `m.inverse(slot)` apply to the inverse.
                match arguments {
                    Some(arguments) => self.call_value(inverse, arguments, span),
                    None => Some(inverse),
                }
            }
            "vector_width" => self.vector_width(map, given, span),
            "bank_conflicts" => self.bank_conflicts(map, given, span),
            "sectors" => self.sectors(map, given, span),
            name => self.report(diagnostics::unknown_map_member(member.span, name, MAP_MEMBERS)),
        }
    }

    /// A value, called with the arguments if there are any.
    fn applied(&mut self, value: Value, given: &[Argument], span: Span) -> Outcome {
        if given.is_empty() { Some(value) } else { self.call_value(value, given, span) }
    }

    fn in_bounds(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Outcome {
        let bounds = self.bounds("in_bounds", map, given, span)?;
        let verdict = proofs::in_bounds(map, &bounds, &self.premises(), &self.budget());
        Some(truth(verdict, Claim::InBounds))
    }

    fn covers(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Outcome {
        let bounds = self.bounds("covers", map, given, span)?;
        let slots: Vec<Range<Sym>> = bounds.into_iter().map(|end| Sym::zero()..end).collect();
        let verdict = proofs::covers(map, &slots, &self.premises(), &self.budget());
        Some(truth(verdict, Claim::Covers))
    }

    fn fits(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Outcome {
        let [bits] = self.arguments("fits", &["bits"], 1, given, span)?;
        let bits = self.constant(bits?, Quantity::IndexBits)?;
        let bits = u32::try_from(bits).unwrap_or(0);
        let verdict = proofs::fits_bits(map, bits, &self.premises(), &self.budget());
        Some(truth(verdict, Claim::Fits))
    }

    /// Evaluates `m.permute(1, 0)`: coordinate k of the result is coordinate `order[k]` of the map.
    fn permute(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Outcome {
        let rank = map.upper.len();
        let mut order: Vec<usize> = Vec::with_capacity(given.len());
        for argument in given {
            let place = argument.value.span;
            let entry = self.constant(&argument.value, Quantity::PermutationEntry)?;
            match usize::try_from(entry).ok().filter(|entry| *entry < rank) {
                None => return self.report(diagnostics::permutation_range(place, entry, rank)),
                Some(entry) if order.contains(&entry) => {
                    return self.report(diagnostics::permutation_twice(place, entry));
                }
                Some(entry) => order.push(entry),
            }
        }
        if order.len() != rank {
            return self.report(diagnostics::permutation_length(span, rank, order.len()));
        }
        let permuted = maps::permute(map, &order, &self.facts);
        self.map(span, permuted)
    }

    fn inverse(&mut self, map: &IndexMap, span: Span) -> Outcome {
        let inverse = match maps::inverse(map, &self.facts) {
            Ok(Some(inverse)) => proofs::without_implied_masks(&inverse, &self.facts),
            Ok(None) => {
                let injective = proofs::injective(map, &self.facts, &self.budget());
                return self.report(diagnostics::no_inverse(span, &injective));
            }
            Err(error) => Err(error),
        };
        self.map(span, inverse)
    }

    /// The given bounds; by default the map's own lower shape.
    fn bounds(&mut self, question: &str, map: &IndexMap, given: &[Argument], span: Span) -> Option<Vec<Sym>> {
        if !given.is_empty() {
            let values = given.iter().map(|argument| self.int(&argument.value)).collect::<Vec<_>>();
            return values.into_iter().collect();
        }
        match map.lower.iter().map(|axis| axis.extent.clone()).collect::<Option<Vec<_>>>() {
            Some(bounds) => Some(bounds),
            None => self.report(diagnostics::unbounded_map(span, question)),
        }
    }

    fn owners(&mut self, map: &IndexMap, given: &[Argument], span: Span) -> Outcome {
        let slots = match given {
            [] => None,
            _ => {
                let [slots] = self.arguments("owners", &["slots"], 1, given, span)?;
                let slots = slots?;
                let count = self.constant(slots, Quantity::Slots)?;
                match u64::try_from(count) {
                    Ok(count) => Some(count),
                    Err(_) => return self.report(diagnostics::zero_size(slots.span, count)),
                }
            }
        };
        let budget = self.budget();
        match maps::owners(map, slots, budget.points, budget.cancelled) {
            Ok(owners) => Some(Value::List(
                owners
                    .into_iter()
                    .map(|owner| match owner.and_then(|owner| i64::try_from(owner).ok()) {
                        Some(owner) => Value::int(owner),
                        None => Value::Nothing,
                    })
                    .collect(),
            )),
            Err(error) => {
                let why = NoAnswer::Owners { error, symbols: !map.is_constant() };
                self.report(diagnostics::map_question(span, &why))
            }
        }
    }
}

/// Extents as a shape; if some are unbounded, as a list with `_` for these.
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

fn truth(verdict: Verdict, claim: Claim) -> Value {
    Value::Truth(Arc::new(Truth::new(verdict, claim)))
}
