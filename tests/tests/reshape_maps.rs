//! The `reshape_map` vectors that were computed outside the project, asked in the language itself.

use crate::support::check;
use check::values::Value;

/// The vectors.
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/vectors/reshape_maps.json");

/// `[0, _, 1]` for the thread of each slot, -1 being none.
fn list(owners: &[i64]) -> String {
    let words: Vec<String> =
        owners.iter().map(|owner| if *owner < 0 { "_".to_owned() } else { owner.to_string() }).collect();
    format!("[{}]", words.join(", "))
}

#[test]
fn every_answer_of_the_vectors() {
    let text = std::fs::read_to_string(PATH).unwrap();
    let rows: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 120);
    for row in rows {
        let map = row["map"].as_str().unwrap();
        let owners: Vec<i64> = row["owners"].as_array().unwrap().iter().map(|owner| owner.as_i64().unwrap()).collect();
        let flag = |name: &str| row[name].as_bool().unwrap();
        let truth = |holds: bool| if holds { "" } else { "!" };
        // The vectors ask whether the map covers what lies behind its offset; `m.covers` counts from 0.
        let offset =
            map.split_once("offset: ").map_or(0, |(_, rest)| rest.trim_end_matches(')').parse::<i64>().unwrap());
        let covers = flag("covers") && offset == 0;
        assert_eq!(covers, owners.iter().all(|owner| *owner >= 0), "the vector of {map} contradicts itself");
        let source = format!(
            "map m = {map};
             assert m.owners == {};
             assert m.owners({}) == {};
             assert {}m.injective;
             assert {}m.race_free;
             assert {}m.covers;
             assert {}m.in_bounds;
             assert m.in_bounds({});
             assert m.lower_shape == [{}];\n",
            list(&owners),
            owners.len() + 2,
            list(&[owners.as_slice(), &[-1, -1]].concat()),
            truth(flag("injective")),
            truth(flag("race_free")),
            truth(covers),
            truth(flag("in_bounds")),
            owners.len(),
            owners.len(),
        );
        let checked = check(&source);
        let bad: Vec<_> =
            checked.errors().into_iter().chain(checked.with_severity(check::diagnostics::Severity::Warning)).collect();
        assert!(bad.is_empty(), "{source}\n{}", checked.report());
    }
}

/// Each slot's owner reaches it: `m.upper` and `m` are inverse to each other, and `m` is invalid where it is masked.
#[test]
fn both_directions_of_the_vectors() {
    let text = std::fs::read_to_string(PATH).unwrap();
    let rows: serde_json::Value = serde_json::from_str(&text).unwrap();
    for row in rows.as_array().unwrap() {
        let map = row["map"].as_str().unwrap();
        let owners: Vec<i64> = row["owners"].as_array().unwrap().iter().map(|owner| owner.as_i64().unwrap()).collect();
        let picked: Vec<usize> = (0..owners.len()).step_by(owners.len() / 6 + 1).collect();
        let mut source = format!("map m = {map};\n");
        for slot in &picked {
            source += &format!("const u{slot} = m.upper({slot});\n");
        }
        let checked = check(&source);
        for slot in picked {
            // `_` is no constant; a slot without an owner has another message.
            let value = checked.value(&format!("u{slot}"));
            match (owners[slot], value) {
                (-1, None | Some(Value::Nothing)) => {}
                (owner, Some(Value::Tuple(coordinates))) => {
                    assert_eq!(coordinates.last(), Some(&Value::int(owner)), "slot {slot} of {map}");
                    let words: Vec<String> = coordinates.iter().map(ToString::to_string).collect();
                    let back = format!("map m = {map};\nassert m({}) == {slot};\n", words.join(", "));
                    let back = check(&back);
                    assert!(back.errors().is_empty(), "slot {slot} of {map}\n{}", back.report());
                }
                (owner, value) => panic!("slot {slot} of {map} belongs to {owner}, but `upper` says {value:?}"),
            }
        }
    }
}
