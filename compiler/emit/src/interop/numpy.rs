//! Maps as Python functions with numpy.
//!
//! The function takes an array and returns its elements in the order of the map: `result[u]` is `x[map(u)]`. For a map
//! with one lower coordinate the array is flattened in row-major order. If the map is strided, the result is made by
//! `reshape` and `transpose`, or by `as_strided`, and is a view if numpy can make one. Any other map becomes index
//! arrays, built by broadcasting. Elements at invalid coordinates are masked: the result is a `numpy.ma.MaskedArray`,
//! and `.filled(0)` gives the values that a masked view of a kernel reads.

use super::dialect::Dialect;
use super::emitted::{Emitted, Function, Gives, NoForm, Parameter};
use super::header;
use super::masks::is_masked;
use super::numpy_views;
use super::writer::Writer;
use crate::names::identifier;
use crate::sizes::IndexArithmetic;
use crate::text::{Level, Text};
use dims::{Facts, Sym};
use maps::IndexMap;

/// The names that the text uses besides those of the map.
const OWN_NAMES: [&str; 5] = ["x", "step", "shape", "valid", "index"];

/// The map as a Python function.
pub(super) fn emit(name: &str, map: &IndexMap, facts: &Facts) -> Result<Emitted, NoForm> {
    let mut names = Dialect::Python.names();
    OWN_NAMES.iter().for_each(|own| {
        names.take(own);
    });
    let mut writer = Writer::new(Dialect::Python, map, facts, names);
    let extents: Vec<(usize, String)> = unbounded(map)
        .map(|axis| {
            let coordinate = writer.coordinates.get(axis).map_or_else(String::new, |value| value.text.code.clone());
            (axis, writer.names.take(&format!("{coordinate}_extent")))
        })
        .collect();
    let shape = shape(&mut writer, map, &extents);
    let (what, body) = match numpy_views::body(&mut writer, map, facts, &shape) {
        Some(body) => ("a view where numpy can make one", body),
        None => gathered(&mut writer, map, &shape),
    };
    writer.problem()?;
    let function = Dialect::Python.names().take(&identifier(name));
    let sizes = writer.symbols().map(|(_, name)| name.clone());
    let parameters: Vec<String> =
        std::iter::once("x".to_owned()).chain(extents.iter().map(|(_, name)| name.clone())).chain(sizes).collect();
    let mut lines = header::lines(name, map, facts);
    lines.extend(header::limits(&writer.limits, false));
    let comment = header::commented("#", &lines);
    let documentation = format!("\"\"\"The elements of x in the order of the map, {what}.\"\"\"");
    let statements: String = std::iter::once(&documentation)
        .chain(&body)
        .flat_map(|line| line.lines())
        .map(|line| format!("    {line}\n"))
        .collect();
    let source = format!("import numpy as np\n\n\n{comment}def {function}({}):\n{statements}", parameters.join(", "));
    let extents = extents.iter().map(|(axis, _)| Parameter::Extent(*axis));
    let sizes = writer.symbols().map(|(symbol, _)| Parameter::Size { symbol: symbol.clone(), wide: true });
    let parameters = std::iter::once(Parameter::Array).chain(extents).chain(sizes).collect();
    let function = Function { name: function, gives: Gives::Elements, parameters, wide: false };
    Ok(Emitted { source, functions: vec![function], layout: None, offset: String::new() })
}

/// The unbounded upper coordinates.
fn unbounded(map: &IndexMap) -> impl Iterator<Item = usize> {
    map.upper.iter().enumerate().filter(|(_, axis)| axis.extent.is_none()).map(|(number, _)| number)
}

/// The extent of every upper coordinate, in Python.
fn shape(writer: &mut Writer<'_>, map: &IndexMap, extents: &[(usize, String)]) -> Vec<String> {
    let mut shape = Vec::with_capacity(map.upper.len());
    for (number, axis) in map.upper.iter().enumerate() {
        let given = extents.iter().find(|(axis, _)| *axis == number);
        shape.push(match (&axis.extent, given) {
            (Some(extent), _) => writer.size(extent).text.code,
            (None, Some((_, name))) => name.clone(),
            (None, None) => "0".to_owned(),
        });
    }
    shape
}

/// `(3, 4)`, `(3,)`, `()`
pub(super) fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => format!("({one},)"),
        parts => format!("({})", parts.join(", ")),
    }
}

/// The body that takes elements by index arrays.
fn gathered(writer: &mut Writer<'_>, map: &IndexMap, shape: &[String]) -> (&'static str, Vec<String>) {
    let flat = if map.lower.len() == 1 { ".reshape(-1)" } else { "" };
    let mut body = vec![format!("x = np.asarray(x){flat}"), format!("shape = {}", tuple(shape))];
    let mut extents = map.upper.iter().filter_map(|axis| axis.extent.as_ref()?.as_constant());
    if extents.any(|extent| extent <= 0) {
        // There are no elements, so the formulas need not be evaluated.
        body.push("return np.empty(shape, x.dtype)".to_owned());
        return ("of which there are none", body);
    }
    body.extend(coordinates(writer, map));
    let conditions = conditions(writer, map);
    writer.announce(map.lower.iter().map(|axis| &axis.value).chain(map.masks.iter().map(|mask| &mask.value)));
    let mut tests: Vec<Text> = Vec::new();
    for (value, low, high) in conditions {
        tests.extend(writer.tests(&value, low.as_ref(), high.as_ref()));
    }
    let mut valid: Option<Text> = None;
    for test in tests {
        valid = Some(match valid {
            None => test,
            Some(valid) => Text::infix("&", Level::BitAnd, &valid, &test),
        });
    }
    let values: Vec<_> = map.lower.iter().map(|axis| writer.form(&axis.value)).collect();
    body.append(&mut writer.lines);
    if let Some(valid) = &valid {
        body.push(format!("valid = np.broadcast_to({}, shape)", valid.code));
    }
    let mut indices = Vec::with_capacity(values.len());
    for (number, value) in values.iter().enumerate() {
        let name = if values.len() == 1 { "index".to_owned() } else { writer.names.take(&format!("index{number}")) };
        // The index of an invalid element may be out of bounds; it is replaced by another index, and masked.
        body.push(match valid {
            None => format!("{name} = np.broadcast_to({}, shape)", value.text.code),
            Some(_) => format!("{name} = np.where(valid, {}, 0)", value.text.code),
        });
        if !value.range.at_least(0) {
            // numpy counts negative indices from the end.
            body.push(format!("if ({name} < 0).any():"));
            body.push("    raise IndexError(\"the map leads to a negative index\")".to_owned());
        }
        indices.push(name);
    }
    let elements = match indices.as_slice() {
        [] => "np.broadcast_to(x, shape)".to_owned(),
        indices => format!("x[{}]", indices.join(", ")),
    };
    match valid {
        None => {
            body.push(format!("return {elements}"));
            ("as a copy", body)
        }
        Some(_) => {
            body.push(format!("return np.ma.masked_array({elements}, mask=~valid)"));
            ("as a copy; those at coordinates that are not valid are masked", body)
        }
    }
}

/// Every upper coordinate as an array along its own axis.
fn coordinates(writer: &mut Writer<'_>, map: &IndexMap) -> Vec<String> {
    let rank = map.upper.len();
    let names = writer.coordinates.iter().map(|value| value.text.code.clone());
    names
        .enumerate()
        .map(|(axis, name)| {
            let along = format!("np.arange(shape[{axis}])");
            match rank {
                1 => format!("{name} = {along}"),
                _ => {
                    let sides: Vec<String> =
                        (0..rank).map(|other| if other == axis { "-1" } else { "1" }.to_owned()).collect();
                    format!("{name} = {along}.reshape({})", sides.join(", "))
                }
            }
        })
        .collect()
}

/// The conditions of validity beyond the extents.
fn conditions(writer: &Writer<'_>, map: &IndexMap) -> Vec<(maps::Affine, Option<Sym>, Option<Sym>)> {
    let masks = map.masks.iter().map(|mask| (mask.value.clone(), mask.low.clone(), mask.high.clone()));
    let bounded = map.lower.iter().filter(|axis| axis.extent.is_some() && !is_masked(map, axis));
    let bounds = bounded.map(|axis| (axis.value.clone(), Some(Sym::zero()), axis.extent.clone()));
    let mut trial = writer.clone();
    masks
        .chain(bounds)
        .filter(|(value, low, high)| !trial.tests(value, low.as_ref(), high.as_ref()).is_empty())
        .collect()
}
