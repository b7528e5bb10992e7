//! Units, tilings and sets of threads as JSON.

use maps::threads::{Mismatch, Size, ThreadSet, Tiling, Unit};
use serde_json::{Value as Json, json};

/// A unit: its sizes are numbers, or texts where they are relative to the launch; `null` for any.
pub(super) fn unit(unit: &Unit) -> Json {
    let size = |size: Size| size.as_integer().map_or_else(|| json!(size.to_string()), |size| json!(size));
    let domain: Vec<Json> = unit.dimensions().iter().map(|dimension| size(dimension.extent)).collect();
    let taken: Vec<Json> = unit.dimensions().iter().map(|dimension| dimension.taken.map_or(Json::Null, size)).collect();
    json!({ "domain": domain, "box": taken })
}

/// A tiling with its dimensions and iterators.
pub(super) fn tiling(tiling: &Tiling) -> Json {
    let digits = tiling.digits();
    let iterators = tiling.iterators().iter().zip(&digits.iterators).map(|(iterator, digit)| {
        json!({
            "name": iterator.name.as_str(),
            "count": iterator.count,
            "unit": iterator.unit.as_str(),
            "pitch": iterator.pitch,
            "digit": digit.to_string(),
        })
    });
    let iterators: Vec<Json> = iterators.collect();
    json!({
        "cluster": tiling.launch().cluster(),
        "block": tiling.launch().block(),
        "steps": tiling.steps().iter().map(|step| step.as_str()).collect::<Vec<&str>>(),
        "domain": tiling.domain(),
        "box": tiling.taken(),
        "offset": tiling.offset(),
        "threads": tiling.leaf_threads(),
        "iterators": iterators,
        "predicate": digits.condition(),
        "guard": digits.predicate.to_string(),
        "lane": digits.lane.to_string(),
    })
}

/// The runs of a set of threads, each as its first thread and one past its last.
pub(super) fn threads(threads: &ThreadSet) -> Json {
    Json::Array(threads.runs().iter().map(|run| json!([run.start, run.end])).collect())
}

/// Why the threads of an iteration are not a unit of a kind.
pub(super) fn mismatch(mismatch: &Mismatch) -> Json {
    match mismatch {
        Mismatch::NoSuchUnit(error) => json!({ "kind": "no_such_unit", "reason": error.to_string() }),
        Mismatch::Threads { unit, needed, iteration, threads } => json!({
            "kind": "threads",
            "unit": unit.to_string(),
            "needed": needed,
            "iteration": iteration.to_string(),
            "threads": self::threads(threads),
        }),
    }
}
