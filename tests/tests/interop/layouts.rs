//! The forms that Python executes: numpy and CuTe.

use emit::interop::{self, Parameter, Target};
use maps::LowerAxis;
use proofs::Budget;
use serde_json::{Map, Value, json};

use super::cases::{self, Case, UNBOUNDED};
use super::python;

/// Arrays of more elements than this are not made.
const MOST_ELEMENTS: i64 = 1 << 22;

#[test]
fn the_numpy_form_is_the_map() {
    let cases: Vec<Value> = cases::all().iter().map(numpy).collect();
    let views = cases.iter().filter(|case| !case["source"].as_str().unwrap().contains("np.arange")).count();
    let strided = cases.iter().filter(|case| case["source"].as_str().unwrap().contains("as_strided")).count();
    assert!(views - strided > 30 && strided > 30, "{views} views, {strided} with strides");
    if let Some(count) = python::run("check_numpy.py", &Value::from(cases.clone())) {
        assert_eq!(count.trim(), cases.len().to_string());
    }
}

/// A case for the script: the function, an array for it, and which element each coordinate must have.
fn numpy(case: &Case) -> Value {
    let (name, what) = (&case.name, case.map.to_string());
    let emitted = interop::emit(name, &case.map, &case.facts, Target::Numpy, &Budget::default())
        .unwrap_or_else(|reason| panic!("{name}: {reason}: {what}"));
    let function = &emitted.functions[0];
    let arguments: Vec<i64> = function.parameters[1..]
        .iter()
        .map(|parameter| match parameter {
            Parameter::Extent(_) => UNBOUNDED,
            Parameter::Size { symbol, .. } => case.sizes[symbol],
            other => panic!("{name}: {other:?}"),
        })
        .collect();
    let points: Vec<_> = case.points().iter().map(|point| case.at(point).unwrap()).collect();
    let valid = || points.iter().filter(|point| point.valid);
    let mut storage: Vec<i64> = (0..case.map.lower.len())
        .map(|axis| valid().map(|point| point.lower[axis]).max().unwrap_or(0).max(0) + 1)
        .collect();
    let reached = if storage.len() == 1 && valid().count() > 0 { storage[0] } else { 0 };
    // Whatever lies beyond what the map reaches must not matter.
    storage.iter_mut().for_each(|extent| *extent += 2);
    let large = !case.is_small() || storage.iter().product::<i64>() > MOST_ELEMENTS;
    if !case.is_small() {
        let unknown = if storage.len() == 1 { 1 << 41 } else { 1 << 20 };
        let extent = |axis: &LowerAxis| axis.extent.as_ref().map_or(unknown, |extent| 2 * case.value(extent));
        storage = case.map.lower.iter().map(extent).collect();
    }
    let negative = valid().any(|point| point.lower.iter().any(|value| *value < 0));
    let element =
        |lower: &[i64]| lower.iter().zip(&storage).fold(0, |number, (coordinate, extent)| number * extent + coordinate);
    let expected: Vec<Option<i64>> = points.iter().map(|point| point.valid.then(|| element(&point.lower))).collect();
    json!({
        "name": name, "what": what, "source": emitted.source, "function": function.name, "arguments": arguments,
        "shape": case.extents(), "storage": storage, "reached": reached, "large": large, "negative": negative,
        "expected": if large { Vec::new() } else { expected },
    })
}

#[test]
fn the_cute_form_is_the_map() {
    let mut layouts = Vec::new();
    for case in cases::all() {
        let (name, map) = (&case.name, &case.map);
        match interop::emit(name, map, &case.facts, Target::Cute, &Budget::default()) {
            Ok(emitted) => layouts.push(layout(&case, &emitted)),
            Err(reason) => assert!(!reason.to_string().is_empty()),
        }
    }
    let count = |fits: fn(&str) -> bool| layouts.iter().filter(|case| fits(case["layout"].as_str().unwrap())).count();
    let (all, swizzled) = (layouts.len(), count(|layout| layout.starts_with("Swizzle")));
    let nested = count(|layout| layout.contains("((") || layout.contains(",("));
    let symbolic = count(|layout| layout.contains(char::is_lowercase) && !layout.starts_with("Swizzle"));
    assert!(all > 100 && swizzled >= 4 && nested > 10 && symbolic > 20, "{all} {swizzled} {nested} {symbolic}");
    if let Some(count) = python::run("check_layouts.py", &Value::from(layouts)) {
        assert_eq!(count.trim(), all.to_string());
    }
}

/// A case for the script: the layout and the offset of every coordinate, all of which must be valid.
fn layout(case: &Case, emitted: &interop::Emitted) -> Value {
    let sizes: Map<String, Value> =
        case.sizes.iter().map(|(symbol, value)| (symbol.name().to_owned(), json!(value))).collect();
    let points: Vec<Value> = case
        .points()
        .into_iter()
        .map(|point| {
            let found = case.at(&point).unwrap();
            assert!(found.valid, "{} is not valid at {point:?}, but a layout: {:?}", case.name, emitted.layout);
            json!([point, found.lower[0]])
        })
        .collect();
    json!({
        "name": case.name, "what": case.map.to_string(), "layout": emitted.layout, "offset": emitted.offset,
        "sizes": sizes, "points": points,
    })
}
