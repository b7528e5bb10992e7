//! Which crate may use which. `docs/architecture.md` has the picture; an arrow that is not here is a decision, so it is
//! written down here when it is made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The crates of the workspace, each with those that it uses in a release, lowest first. A crate uses only crates that
/// stand before it.
const ARROWS: &[(&str, &str)] = &[
    ("math", ""),
    ("elements", ""),
    ("syntax", "elements"),
    ("dims", ""),
    ("maps", "dims"),
    ("proofs", "dims elements maps"),
    ("kernel", "dims elements maps math proofs syntax"),
    ("check", "dims elements kernel maps proofs syntax"),
    ("emit", "dims elements kernel maps proofs"),
    ("pictures", "dims maps proofs"),
    ("ide", "check dims elements kernel maps pictures proofs syntax"),
    ("runtime", "dims elements emit kernel maps math proofs syntax"),
    ("seeds", ""),
    ("random-maps", "dims maps seeds"),
    ("testing", "dims elements kernel maps runtime seeds syntax"),
    ("shapewright", "check dims elements emit ide kernel maps pictures proofs runtime syntax"),
    ("benchmarks", "check dims ide kernel maps pictures proofs runtime syntax testing"),
    ("tests", ""),
    ("xtask", ""),
];

/// What only tests may use: in no release.
const TESTS_ONLY: [&str; 3] = ["random-maps", "seeds", "testing"];

/// The crates of the workspace, each with those that it uses outside its own tests.
fn crates() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version=1", "--no-deps", "--offline"]).current_dir(root);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let short = |name: &str| name.strip_prefix("shapewright-").unwrap_or(name).to_owned();
    let name = |of: &Value| short(of["name"].as_str().unwrap());
    let uses = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        all.filter(|used| used["path"].is_string() && used["kind"] != "dev").map(name).collect()
    };
    metadata["packages"].as_array().unwrap().iter().map(|package| (name(package), uses(package))).collect()
}

#[test]
fn a_crate_uses_only_what_it_may_use() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ARROWS.iter().map(|(name, used)| (*name, used.split_whitespace().collect())).collect();
    let found = crates();
    for (name, used) in &found {
        let Some(allowed) = allowed.get(name.as_str()) else { panic!("`{name}` stands in no list of arrows") };
        let surplus: Vec<_> = used.iter().filter(|used| !allowed.contains(used.as_str())).collect();
        assert!(surplus.is_empty(), "`{name}` may not use {surplus:?}");
        let unused: Vec<_> = allowed.iter().filter(|allowed| !used.contains(**allowed)).collect();
        assert!(unused.is_empty(), "`{name}` does not use {unused:?} any more: take the arrow out of the list");
    }
    let gone: Vec<_> = allowed.keys().filter(|name| !found.contains_key(**name)).collect();
    assert!(gone.is_empty(), "{gone:?} are no crates");
}

#[test]
fn arrows_only_point_downwards() {
    for (place, (name, used)) in ARROWS.iter().enumerate() {
        for used in used.split_whitespace() {
            assert!(ARROWS[..place].iter().any(|(below, _)| *below == used), "`{used}` does not stand below `{name}`");
        }
    }
}

#[test]
fn no_release_has_what_tests_need() {
    let all = crates();
    let mut reached = BTreeSet::from(["shapewright"]);
    let mut waiting = vec!["shapewright"];
    while let Some(name) = waiting.pop() {
        waiting.extend(all[name].iter().map(String::as_str).filter(|used| reached.insert(used)));
    }
    assert!(reached.contains("dims"), "the command reaches only {reached:?}");
    for name in TESTS_ONLY {
        assert!(all.contains_key(name) && !reached.contains(name), "`{name}` would be in a release");
    }
}
