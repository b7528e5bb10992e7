//! The tilings that were computed outside the project.

use serde_json::Value;

use maps::threads::{Scale, Size, ThreadsError, Tiling, Unit, standard_unit};

/// `cuda_warp`, `8*cuda_thread`, `cuda_threads_strided(4,32)`.
pub(super) fn unit(text: &str) -> Unit {
    if let Some((factor, of)) = text.split_once('*') {
        return unit(of).scaled(Scale::integer(factor.parse().unwrap()).unwrap()).unwrap();
    }
    let (name, values) = text.strip_suffix(')').and_then(|text| text.split_once('(')).unwrap_or((text, ""));
    let values: Vec<Size> = values
        .split(',')
        .filter(|value| !value.is_empty())
        .map(|value| Size::integer(value.parse().unwrap()).unwrap())
        .collect();
    standard_unit(name).unwrap().build(&values).unwrap()
}

fn run(program: &Value) -> Result<Tiling, ThreadsError> {
    let mut tiling = Tiling::new(program["clusterDim"].as_i64().unwrap(), program["blockDim"].as_i64().unwrap())?;
    for op in program["ops"].as_array().unwrap() {
        let (unit, number) = (unit(op["unit"].as_str().unwrap()), |key: &str| op[key].as_i64().unwrap());
        tiling = match op["do"].as_str().unwrap() {
            "tile" => tiling.tile(op["iter"].as_str().unwrap(), number("n"), &unit)?,
            _ => tiling.specialize(number("lo"), number("hi"), &unit)?,
        };
    }
    Ok(tiling)
}

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/vectors/tilings.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn tilings_have_the_known_threads() {
    let vectors = vectors();
    for row in vectors["ok"].as_array().unwrap() {
        let tiling = run(&row["program"]).unwrap_or_else(|error| panic!("{error}: {row}"));
        let domain: Vec<i64> = row["domain"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
        assert_eq!(tiling.domain(), domain, "{row}");
        let iterations = row["threads"].as_object().unwrap();
        assert_eq!(tiling.iterations(), iterations.len() as i64, "{row}");
        for (values, runs) in iterations {
            let values: Vec<i64> =
                values.split(',').filter(|value| !value.is_empty()).map(|value| value.parse().unwrap()).collect();
            let bound = |run: &Value, at: usize| run[at].as_i64().unwrap();
            let runs: Vec<_> = runs.as_array().unwrap().iter().map(|run| bound(run, 0)..bound(run, 1)).collect();
            let threads = tiling.threads(&values).unwrap();
            assert_eq!(threads.runs(), runs, "{row}");
            assert_eq!(threads.len(), tiling.leaf_threads());
        }
    }
}

#[test]
fn tilings_match_the_known_units() {
    let vectors = vectors();
    for row in vectors["ok"].as_array().unwrap() {
        let program = &row["program"];
        let unit = unit(program["match_unit"].as_str().unwrap());
        let found = run(program).unwrap().matches(&unit);
        assert_eq!(found.is_proven(), row["match"].as_bool().unwrap(), "{row}: {found:?}");
    }
}

#[test]
fn bad_tilings_are_refused() {
    let vectors = vectors();
    for row in vectors["bad"].as_array().unwrap() {
        let found = run(&row["program"]);
        assert!(found.is_err(), "{row}: {found:?}");
    }
}

#[test]
fn the_largest_launch_with_ten_steps() {
    let mut tiling = Tiling::new(16, 1024).unwrap();
    for (number, name) in
        ["8*cuda_cta_in_cluster", "4*cuda_cta_in_cluster", "2*cuda_cta_in_cluster", "cuda_cta_in_cluster"]
            .into_iter()
            .chain(["16*cuda_warp", "8*cuda_warp", "4*cuda_warp", "2*cuda_warp", "cuda_warp", "16*cuda_thread"])
            .enumerate()
    {
        tiling = tiling.tile(&format!("i{number}"), 2, &unit(name)).unwrap();
    }
    assert_eq!((tiling.iterations(), tiling.leaf_threads()), (1024, 16));
    assert_eq!(tiling.threads(&[1; 10]).unwrap().to_string(), "16368..16384");
    assert!(!tiling.matches(&unit("cuda_warp")).is_proven());
    assert_eq!(tiling.digits().predicate.to_string(), "true");
    assert_eq!(tiling.digits().lane.to_string(), "tid % 16");
}
