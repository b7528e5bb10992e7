//! Members of tilings: `t(w: 1)`, `t.domain`, `t.pitch(w)`, `t.matches(cuda_warp)`.

use std::sync::Arc;

use smol_str::SmolStr;

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, NoIteration, Quantity};
use crate::values::{Claim, Kind, Truth, Value};
use dims::Sym;
use maps::shapes::Shape;
use maps::threads::{Dimension, Match, Operation, Tiling};
use proofs::{Counterexample, CounterexampleKind, Rule, Verdict};
use syntax::span::Span;
use syntax::tree::{Argument, ExprKind, Name};

/// The members of tilings.
pub const TILING_MEMBERS: &[&str] = &[
    "domain",
    "box",
    "offset",
    "threads",
    "iterators",
    "count",
    "pitch",
    "digit",
    "lane",
    "predicate",
    "guard",
    "matches",
    "operations",
    "assignment",
];

impl Evaluator<'_> {
    /// Evaluates `tiling.member` or `tiling.member(arguments)`.
    pub(super) fn tiling_member(
        &mut self,
        tiling: &Tiling,
        member: &Name,
        arguments: Option<&[Argument]>,
        span: Span,
    ) -> Outcome {
        let given = arguments.unwrap_or_default();
        let name = member.text.as_str();
        if !TILING_MEMBERS.contains(&name) {
            return self.report(diagnostics::unknown_member(member.span, name, Kind::Tiling, TILING_MEMBERS));
        }
        match name {
            "count" | "pitch" | "digit" => return self.iterator_member(tiling, name, given, span),
            "matches" => return self.matches(tiling, given, span),
            _ if !given.is_empty() && name != "assignment" => {
                return self.report(diagnostics::argument_count(span, name, &[], given.len()));
            }
            _ => {}
        }
        match name {
            "domain" => Some(shape(&tiling.domain())),
            "box" => Some(shape(&tiling.taken())),
            "offset" => Some(Value::List(tiling.offset().into_iter().map(Value::int).collect())),
            "threads" => Some(Value::int(tiling.leaf_threads())),
            "iterators" => {
                let names = tiling.iterators().iter().map(|iterator| Value::Text(iterator.name.clone()));
                Some(Value::List(names.collect()))
            }
            "lane" => Some(Value::Text(tiling.digits().lane.to_string().into())),
            "predicate" => Some(Value::Text(tiling.digits().condition().into())),
            "guard" => Some(Value::Text(tiling.digits().predicate.to_string().into())),
            "operations" => {
                let dimension = |dimension: &Dimension| operations(tiling, dimension);
                Some(Value::List(tiling.dimensions().iter().map(dimension).collect()))
            }
            _ => {
                let map = self.map(span, tiling.assignment())?;
                match arguments {
                    Some(arguments) => self.call_value(map, arguments, span),
                    None => Some(map),
                }
            }
        }
    }

    /// Evaluates `t.pitch(w)`, whose argument names an iterator.
    fn iterator_member(&mut self, tiling: &Tiling, member: &str, given: &[Argument], span: Span) -> Outcome {
        let [argument] = self.arguments(member, &["iterator"], 1, given, span)?;
        let argument = argument?;
        let known = iterators(tiling);
        let ExprKind::Name(name) = &argument.kind else {
            let why = NoIteration::NotAName(member);
            return self.report(diagnostics::no_such_iteration(argument.span, &why, &known));
        };
        let value = match member {
            "count" => tiling.count(name).map(Value::int),
            "pitch" => tiling.pitch(name).map(Value::int),
            _ => {
                let digits = tiling.digits();
                let digit = tiling.iterator(name).and_then(|number| digits.iterators.get(number));
                digit.map(|digit| Value::Text(digit.to_string().into()))
            }
        };
        match value {
            Some(value) => Some(value),
            None => {
                let why = NoIteration::NoIterator(name);
                self.report(diagnostics::no_such_iteration(argument.span, &why, &known))
            }
        }
    }

    fn matches(&mut self, tiling: &Tiling, given: &[Argument], span: Span) -> Outcome {
        let [unit] = self.arguments("matches", &["unit"], 1, given, span)?;
        let unit = self.unit_value(unit?)?;
        let verdict = match tiling.matches(&unit) {
            Match::Proven(matched) => Verdict::Proven { rule: Rule::Threads(matched) },
            Match::Refuted(mismatch) => Verdict::Refuted {
                counterexample: Counterexample {
                    sizes: std::collections::BTreeMap::new(),
                    kind: CounterexampleKind::Threads(mismatch),
                },
                obligation: None,
            },
        };
        let iterators = !tiling.iterators().is_empty();
        let claim = Claim::Matches { unit: (*unit).clone(), iterators };
        Some(Value::Truth(Arc::new(Truth::new(verdict, claim))))
    }

    /// Evaluates `t(w: 1, t: 3)`: the threads of an iteration.
    pub(super) fn iteration(&mut self, tiling: &Tiling, given: &[Argument], span: Span) -> Outcome {
        let known = iterators(tiling);
        let mut values: Vec<Option<(i64, Span)>> = vec![None; known.len()];
        for (position, argument) in given.iter().enumerate() {
            let place = match &argument.name {
                None => Some(position),
                Some(name) => tiling.iterator(&name.text),
            };
            let Some(slot) = place.and_then(|place| values.get_mut(place)) else {
                let at = argument.name.as_ref().map_or(argument.value.span, |name| name.span);
                let why = match &argument.name {
                    Some(name) => NoIteration::NoIterator(&name.text),
                    None => NoIteration::TooMany { found: given.len() },
                };
                return self.report(diagnostics::no_such_iteration(at, &why, &known));
            };
            let value = self.constant(&argument.value, Quantity::IteratorValue)?;
            if slot.replace((value, argument.value.span)).is_some() {
                let at = argument.value.span;
                return self.report(diagnostics::no_such_iteration(at, &NoIteration::TwoValues, &known));
            }
        }
        for ((name, count), value) in known.iter().zip(&values) {
            match value {
                None => {
                    return self.report(diagnostics::no_such_iteration(span, &NoIteration::NoValue(name), &known));
                }
                Some((value, at)) if !(0..*count).contains(value) => {
                    let why = NoIteration::Beyond { iterator: name, count: *count, value: *value };
                    return self.report(diagnostics::no_such_iteration(*at, &why, &known));
                }
                Some(_) => {}
            }
        }
        let values: Vec<i64> = values.into_iter().flatten().map(|(value, _)| value).collect();
        match tiling.threads(&values) {
            Ok(threads) => Some(Value::Threads(Arc::new(threads))),
            Err(error) => self.report(diagnostics::no_such_iteration(span, &NoIteration::Refused(&error), &known)),
        }
    }
}

fn iterators(tiling: &Tiling) -> Vec<(&str, i64)> {
    tiling.iterators().iter().map(|iterator| (iterator.name.as_str(), iterator.count)).collect()
}

fn shape(extents: &[i64]) -> Value {
    Value::Shape(Shape { dims: extents.iter().map(|extent| Sym::constant(*extent)).collect() })
}

fn operations(tiling: &Tiling, dimension: &Dimension) -> Value {
    let operation = |operation: &Operation| {
        let name = operation.iterator.and_then(|number| tiling.iterators().get(number));
        let name = name.map_or(Value::Nothing, |iterator| Value::Text(SmolStr::clone(&iterator.name)));
        let depth = i64::try_from(operation.depth + 1).unwrap_or(i64::MAX);
        let numbers =
            [operation.linear_box, operation.linear_offset, operation.pitch, operation.count, depth].map(Value::int);
        Value::Tuple(std::iter::once(name).chain(numbers).collect())
    };
    Value::List(dimension.operations.iter().map(operation).collect())
}
