//! The vectors that the seed's own headers computed.

use serde_json::Value as Json;

use super::oracle::{Call, Chain, row_major};
use super::{at, map_of};

fn rows(file: &str) -> Vec<Json> {
    let path = format!("{}/../../../shared/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let rows: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    rows.as_array().unwrap().clone()
}

fn numbers(value: &Json) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

fn ids(value: &Json) -> Vec<usize> {
    numbers(value).into_iter().map(|id| id as usize).collect()
}

/// A transform with its arguments as the headers have them, the lower lengths among them.
fn text(word: &str, arguments: &Json) -> String {
    let argument = |value: &Json| match value.as_array() {
        Some(list) => format!("[{}]", list.iter().map(Json::to_string).collect::<Vec<_>>().join(", ")),
        None => value.to_string(),
    };
    let arguments: Vec<String> = arguments.as_array().unwrap().iter().map(argument).collect();
    format!("{word}({})", arguments.join(", "))
}

fn call(word: &str, arguments: &Json) -> Call {
    let number = |position: usize| arguments[position].as_i64().unwrap();
    let list = |position: usize| numbers(&arguments[position]);
    match word {
        "pass_through" => Call::PassThrough,
        "pad" => Call::Pad(number(1), number(2)),
        "left_pad" => Call::LeftPad(number(1)),
        "right_pad" => Call::RightPad(number(1)),
        "embed" => Call::Embed(list(0), list(1)),
        "merge" => Call::Merge,
        "unmerge" => Call::Unmerge(list(0)),
        "replicate" => Call::Replicate(list(0)),
        "freeze" => Call::Freeze(number(0)),
        "offset" => Call::Offset(number(0), number(1)),
        "slice" => Call::Slice(number(1), number(2)),
        "xor" => Call::Xor,
        "modulo" => Call::Modulo(number(0), number(1)),
        other => panic!("the vectors have a transform that the tests do not know: {other}"),
    }
}

#[test]
fn every_single_transform() {
    let all = rows("ck_single.json");
    assert!(all.len() >= 32);
    for row in all {
        let text = text(row["t"].as_str().unwrap(), &row["p"]);
        let map = map_of(&text);
        let lengths: Vec<i64> =
            map.upper.iter().map(|axis| axis.extent.as_ref().unwrap().as_constant().unwrap()).collect();
        assert_eq!(lengths, numbers(&row["up_lengths"]), "{text}");
        for point in row["table"].as_array().unwrap() {
            let (upper, lower) = (numbers(&point[0]), numbers(&point[1]));
            let found = maps::evaluate(&map, &upper, &|_| None).unwrap();
            assert_eq!(found.lower, lower, "{text} at {upper:?}");
            // What the headers call valid lies inside the lower lengths in all of these.
            assert_eq!(found.valid, point[2].as_bool().unwrap(), "{text} at {upper:?}");
        }
    }
}

#[test]
fn every_chain() {
    let all = rows("ck_chain.json");
    assert!(all.len() >= 12);
    for row in all {
        let (spec, base) = (&row["spec"], &row["spec"]["base"]);
        let lengths = numbers(&base["lengths"]);
        let strides = base.get("strides").map_or_else(|| row_major(&lengths), numbers);
        let entry =
            |entry: &Json| (call(entry["t"].as_str().unwrap(), &entry["p"]), ids(&entry["low"]), ids(&entry["up"]));
        let stage = |stage: &Json| stage.as_array().unwrap().iter().map(entry).collect();
        let stages = spec["stages"].as_array().unwrap().iter().map(stage).collect();
        let chain = Chain { lengths, strides, stages };
        assert_eq!(chain.lengths_above(chain.stages.len()), numbers(&row["lengths"]));

        let map = map_of(&chain.text());
        let space = map.lower[0].extent.as_ref().unwrap().as_constant();
        assert_eq!(space, row["element_space"].as_i64(), "{}", chain.text());
        for point in row["table"].as_array().unwrap() {
            let (upper, offset) = (numbers(&point[0]), point[1].as_i64().unwrap());
            let (own_offset, honest) = chain.at(&upper);
            assert_eq!(own_offset, offset, "the oracle at {upper:?} of {}", chain.text());
            let found = maps::evaluate(&map, &upper, &|_| None).unwrap();
            assert_eq!((found.lower[0], found.valid), (offset, honest), "{} at {upper:?}", chain.text());
            assert!(!honest || point[2].as_bool().unwrap(), "{} at {upper:?}", chain.text());
            assert_eq!(at(&map, &upper).is_some(), honest);
        }
    }
}
