//! Reference vectors for `reshape_map` that were computed outside the project.

use dims::Sym;
use maps::{LayoutEntry, ReshapeMapSpec};

/// A map with all known answers.
pub struct Vector {
    /// Its text in the language.
    pub text: String,
    /// Its specification.
    pub spec: ReshapeMapSpec,
    /// The dimensions: in the map and in the tensor.
    pub sizes: Vec<(i64, i64)>,
    /// The position of the first element.
    pub offset: i64,
    /// For each element the thread that owns it.
    pub owners: Vec<i64>,
    /// For each dimension the distance between neighbours.
    pub weights: Vec<i64>,
    /// The number of masked points.
    pub masked: i64,
    /// Whether no two points reach the same element.
    pub injective: bool,
    /// Whether no two threads reach the same element.
    pub race_free: bool,
    /// Whether every element is reached.
    pub covers: bool,
    /// Whether every point is inside the tensor.
    pub in_bounds: bool,
}

/// All vectors.
pub fn reshape_maps() -> Vec<Vector> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/vectors/reshape_maps.json");
    let text = std::fs::read_to_string(path).unwrap();
    let rows: serde_json::Value = serde_json::from_str(&text).unwrap();
    rows.as_array().unwrap().iter().map(vector).collect()
}

fn vector(row: &serde_json::Value) -> Vector {
    let text = row["map"].as_str().unwrap().to_owned();
    let (local, thread, layout, offset) = parse(&text);
    let numbers = |key: &str| row[key].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect::<Vec<i64>>();
    let flag = |key: &str| row[key].as_bool().unwrap();
    let sizes = |list: &[(i64, i64)]| list.iter().map(|(d, t)| (Sym::constant(*d), Sym::constant(*t))).collect();
    Vector {
        spec: ReshapeMapSpec { local: sizes(&local), thread: sizes(&thread), layout, offset: Sym::constant(offset) },
        sizes: local.into_iter().chain(thread).collect(),
        offset,
        owners: numbers("owners"),
        weights: numbers("weights"),
        masked: row["masked"].as_i64().unwrap(),
        injective: flag("injective"),
        race_free: flag("race_free"),
        covers: flag("covers"),
        in_bounds: flag("in_bounds"),
        text,
    }
}

type Parsed = (Vec<(i64, i64)>, Vec<(i64, i64)>, Vec<LayoutEntry>, i64);

/// Parses `reshape_map([D, (D, TD), …] | […] => layout: [i0, -t0, …], offset: N)`.
fn parse(text: &str) -> Parsed {
    let inner = text.strip_prefix("reshape_map(").unwrap().strip_suffix(')').unwrap();
    let (local, rest) = inner.split_once(" | ").unwrap();
    let (thread, rest) = rest.split_once(" => layout: [").unwrap();
    let (layout, rest) = rest.split_once(']').unwrap();
    let offset = rest.strip_prefix(", offset: ").map_or(0, |offset| offset.parse().unwrap());
    let (local, thread) = (sizes(local), sizes(thread));
    let entry = |word: &str| {
        let (reversed, name) = match word.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, word),
        };
        let number: usize = name[1..].parse().unwrap();
        let dimension = if name.starts_with('i') { number } else { local.len() + number };
        LayoutEntry { dimension, reversed }
    };
    let layout = layout.split(", ").map(entry).collect();
    (local, thread, layout, offset)
}

/// Parses `[2, (3, 4)]`.
fn sizes(list: &str) -> Vec<(i64, i64)> {
    let mut found = Vec::new();
    let mut rest = list.strip_prefix('[').unwrap().strip_suffix(']').unwrap();
    while !rest.is_empty() {
        let (item, after) = match rest.strip_prefix('(') {
            Some(pair) => pair.split_once(')').unwrap(),
            None => rest.split_once(',').map_or((rest, ""), |(item, _)| (item, &rest[item.len()..])),
        };
        let mut numbers = item.split(", ").map(|number| number.parse::<i64>().unwrap());
        let size = numbers.next().unwrap();
        found.push((size, numbers.next().unwrap_or(size)));
        rest = after.strip_prefix(", ").unwrap_or(after);
    }
    found
}
