//! Values.

use super::LONGEST_LINE;
use super::{maps, threads};
use crate::document::{Document, inline};
use crate::shorten::shortened;
use ::maps::shapes::Shape;
use ::maps::{IndexMap, extents};
use check::values::Value;
use dims::{Facts, Sym};

/// A value on one line: its notation, of a map its shapes.
pub(crate) fn short(value: &Value) -> String {
    match value {
        Value::Map(map) => maps::shapes(map),
        Value::Tiling(tiling) => threads::summary(tiling),
        value => shortened(value.to_string(), LONGEST_LINE),
    }
}

/// A value with what is known of it.
pub(crate) fn value(value: &Value, facts: &Facts) -> Document {
    match value {
        Value::Map(map) => Document::joined([inline(maps::shapes(map)).into(), maps::formula(map)]),
        Value::Unit(known) => threads::unit(known),
        Value::Tiling(known) => threads::tiling(known),
        Value::Shape(known) => Document::joined([equals(short(value)), shape(known, facts)]),
        Value::Int(known) => Document::joined([equals(known), range(known, facts).into()]),
        value => equals(short(value)),
    }
}

fn equals(value: impl std::fmt::Display) -> Document {
    format!("= {}", inline(value)).into()
}

/// The rank and the size of a shape, and what is known of its dimensions.
pub(crate) fn shape(shape: &Shape, facts: &Facts) -> Document {
    let size = shape.size().map_or_else(|error| error.to_string(), inline);
    let symbolic = shape.dims.iter().enumerate().filter(|(_, dim)| dim.as_constant().is_none());
    let lines: Vec<String> =
        symbolic.map(|(position, dim)| format!("dimension {position}: {}", known(dim, facts))).collect();
    let summary = format!("rank {}, size {size}", shape.rank());
    Document::joined([summary.into(), Document::list("", lines)])
}

fn known(dim: &Sym, facts: &Facts) -> String {
    let range = range(dim, facts);
    if range.is_empty() { inline(dim) } else { format!("{}, {range}", inline(dim)) }
}

/// The range of a symbolic integer, as far as the facts give it.
fn range(value: &Sym, facts: &Facts) -> String {
    if value.as_constant().is_some() {
        return String::new();
    }
    let range = facts.range(value);
    match (range.lo, range.hi) {
        (Some(low), Some(high)) => format!("from {low} to {high}"),
        (Some(low), None) => format!("at least {low}"),
        (None, Some(high)) => format!("at most {high}"),
        (None, None) => String::new(),
    }
}

/// The extents of a map's upper and lower coordinates.
pub(crate) fn map_extents(map: &IndexMap) -> (String, String) {
    let upper = extents(map.upper.iter().map(|axis| axis.extent.as_ref()));
    let lower = extents(map.lower.iter().map(|axis| axis.extent.as_ref()));
    (upper, lower)
}
