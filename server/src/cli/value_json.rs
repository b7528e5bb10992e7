//! Values of the language as JSON.

use super::threads_json;
use check::values::{Truth, Value};
use dims::{Fact, Sym};
use ide::MapFacts;
use maps::{AxisRole, IndexMap};
use proofs::{Counterexample, CounterexampleKind, Verdict};
use serde_json::{Map, Value as Json, json};

/// A value; coordinates and shapes are arrays, `_` is `null`.
pub(super) fn value(value: &Value) -> Json {
    match value {
        Value::Int(int) => size(int),
        Value::Unsigned(int) => json!(int),
        Value::Float(float) => number(*float),
        Value::Bool(truth) => json!(truth),
        Value::Text(text) => json!(text.as_str()),
        Value::Shape(shape) => sizes(&shape.dims),
        Value::Tuple(values) | Value::List(values) => Json::Array(values.iter().map(self::value).collect()),
        Value::Range(low, high) => json!([size(low), size(high)]),
        Value::Nothing => Json::Null,
        Value::Map(map) => map_shapes(map).into(),
        Value::Unit(unit) => threads_json::unit(unit),
        Value::Tiling(tiling) => threads_json::tiling(tiling),
        Value::Function(function) => {
            json!({ "name": function.function.name.text.as_str(), "parameters": function.parameters() })
        }
        Value::Threads(threads) => threads_json::threads(threads),
        Value::Truth(truth) => claim(truth),
    }
}

/// A known size is a number, a symbolic one its text.
pub(super) fn size(size: &Sym) -> Json {
    size.as_constant().map_or_else(|| json!(size.to_string()), |constant| json!(constant))
}

/// Several sizes.
pub(super) fn sizes(dims: &[Sym]) -> Json {
    Json::Array(dims.iter().map(size).collect())
}

/// JSON cannot represent NaN and infinities; they become the language's text.
pub(super) fn number(value: f64) -> Json {
    serde_json::Number::from_f64(value).map_or_else(|| json!(value.to_string()), Json::Number)
}

fn extents<'a>(extents: impl Iterator<Item = Option<&'a Sym>>) -> Json {
    Json::Array(extents.map(|extent| extent.map_or(Json::Null, size)).collect())
}

fn map_shapes(map: &IndexMap) -> Map<String, Json> {
    let mut fields = Map::new();
    fields.insert("upper_shape".to_owned(), extents(map.upper.iter().map(|axis| axis.extent.as_ref())));
    fields.insert("lower_shape".to_owned(), extents(map.lower.iter().map(|axis| axis.extent.as_ref())));
    let roles = map.upper.iter().map(|axis| match axis.role {
        AxisRole::Local => json!("local"),
        AxisRole::Thread => json!("thread"),
    });
    fields.insert("upper_roles".to_owned(), Json::Array(roles.collect()));
    fields
}

/// A map with its shapes and verdicts.
pub(super) fn map_facts(facts: &MapFacts) -> Map<String, Json> {
    let mut fields = map_shapes(&facts.map);
    let verdicts = facts.verdicts.iter().map(|question| (question.name.to_owned(), verdict(&question.verdict)));
    fields.insert("verdicts".to_owned(), Json::Object(verdicts.collect()));
    fields
}

fn claim(truth: &Truth) -> Json {
    let mut value = verdict(&truth.verdict);
    value["claim"] = json!(truth.claim.to_string());
    value["negated"] = json!(truth.negated);
    value["holds"] = json!(truth.decided());
    value
}

/// A verdict with its evidence.
pub(super) fn verdict(verdict: &Verdict) -> Json {
    match verdict {
        Verdict::Proven { rule } => json!({ "verdict": "proven", "rule": rule.to_string() }),
        Verdict::Refuted { counterexample, obligation } => {
            let counterexample = self::counterexample(counterexample);
            json!({ "verdict": "refuted", "counterexample": counterexample, "obligation": fact(obligation.as_ref()) })
        }
        Verdict::Open { obligation, reason, .. } => {
            json!({ "verdict": "open", "obligation": fact(obligation.as_ref()), "reason": reason.to_string() })
        }
    }
}

/// A fact as source text.
fn fact(fact: Option<&Fact>) -> Json {
    fact.map_or(Json::Null, |fact| json!(fact.to_string()))
}

fn counterexample(example: &Counterexample) -> Json {
    let sizes: Map<String, Json> =
        example.sizes.iter().map(|(symbol, value)| (symbol.name().to_owned(), json!(value))).collect();
    let mut value = match &example.kind {
        CounterexampleKind::Collision { first, second, lower } => {
            json!({ "kind": "collision", "first": first, "second": second, "lower": lower })
        }
        CounterexampleKind::OutOfBounds { upper, lower, bounds } => {
            json!({ "kind": "out_of_bounds", "upper": upper, "lower": lower, "bounds": bounds })
        }
        CounterexampleKind::Unwritten { lower } => json!({ "kind": "unwritten", "lower": lower }),
        CounterexampleKind::Difference { upper, left, right } => {
            json!({ "kind": "difference", "upper": upper, "left": left, "right": right })
        }
        // Not every reader parses a number beyond 64 bits exactly, so it is a text.
        CounterexampleKind::IndexWidth { index, bits } => {
            json!({ "kind": "index_width", "index": index.to_string(), "bits": bits })
        }
        CounterexampleKind::Threads(mismatch) => threads_json::mismatch(mismatch),
        CounterexampleKind::Sizes => json!({ "kind": "sizes" }),
    };
    value["sizes"] = Json::Object(sizes);
    value["display"] = json!(example.to_string());
    value
}
