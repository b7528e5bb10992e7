//! Random kernels: what is accepted is safe, and means the same to every executor.

use std::collections::BTreeMap;

use kernel::at_launch;
use kernel::typed::Kernel;
use syntax::tree::ItemKind;
use testing::compare::interpreter_and_cpu;
use testing::source::{self, Source};

use super::maker::Maker;
use super::safe::{safe, safe_for};
use crate::support::{Checked, check};

/// What became of some kernels.
#[derive(Debug, Default)]
struct Tally {
    accepted: u64,
    launches: usize,
    ran: u64,
    /// How often each code was the reason for a refusal.
    refused: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Checks a kernel; what is accepted is enumerated and run.
    fn add(&mut self, source: &Source, seed: u64) {
        let checked = check(&source.text);
        let Some(kernel) = checked.kernel() else {
            let errors = checked.errors();
            assert!(!errors.is_empty(), "refused without an error:\n{}\n{}", source.text, checked.report());
            *self.refused.entry(errors[0]).or_default() += 1;
            if std::env::var_os("SHAPEWRIGHT_SHOW_REFUSED").is_some() {
                println!("seed {seed}\n{}{}\n", source.text, checked.report());
            }
            return;
        };
        self.accepted += 1;
        self.launches += safe(&checked, &source.text);
        self.run(&checked, &kernel, source, seed);
    }

    /// Runs a kernel on the sizes that it was made with.
    fn run(&mut self, checked: &Checked, kernel: &Kernel, source: &Source, seed: u64) {
        let Some(sizes) = source::sizes(kernel, &source.sizes) else { return };
        let Ok(bounds) = at_launch(kernel, &sizes) else { return };
        self.launches += safe_for(checked, kernel, &sizes, &source.text);
        let Some(mut arguments) = source::arguments(kernel, &sizes, seed) else { return };
        if let Err(problem) = interpreter_and_cpu(kernel, &sizes, &mut arguments, bounds) {
            panic!("seed {seed}, {bounds:?}, sizes {sizes:?}: {problem}\n{}", source.text);
        }
        self.ran += 1;
    }
}

#[test]
fn most_random_kernels_are_accepted_and_run_the_same_everywhere() {
    let seeds = seeds::range(150);
    let count = seeds.end - seeds.start;
    let mut tally = Tally::default();
    for seed in seeds {
        tally.add(&source::right(seed), seed);
    }
    println!("{count} kernels: {tally:?}");
    assert!(tally.ran * 10 >= count * 6, "only {tally:?} of {count}");
    for code in ["syntax-error", "type-mismatch", "unknown-local", "unknown-name", "unknown-function"] {
        assert!(!tally.refused.contains_key(code), "a kernel is badly written: {tally:?}");
    }
}

#[test]
fn random_kernels_with_slips_are_refused_or_safe() {
    // One in thirty has a race, so hardly any seed has none among these.
    let seeds = seeds::range(300);
    let count = seeds.end - seeds.start;
    let mut tally = Tally::default();
    for seed in seeds {
        tally.add(&source::with_slips(seed), seed);
    }
    println!("{count} kernels with slips: {tally:?}");
    assert!(tally.refused.contains_key("out-of-bounds") && tally.refused.contains_key("race"), "{tally:?}");
}

#[test]
fn wild_kernels_that_are_accepted_are_safe() {
    let (mut accepted, mut launches, mut malformed) = (0, 0, 0);
    let seeds = seeds::range(150);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let text = Maker::kernel(seed);
        let checked = check(&text);
        malformed += usize::from(checked.errors().contains(&"syntax-error"));
        accepted += usize::from(checked.kernel().is_some());
        launches += safe(&checked, &text);
    }
    println!("{accepted} accepted, {launches} launches, {malformed} malformed");
    assert_eq!(malformed, 0);
    assert!(accepted as u64 >= count / 20, "only {accepted} of {count} kernels were accepted");
    assert!(launches >= accepted);
}

/// The kernels of the examples are safe too.
#[test]
fn the_kernels_of_the_examples_are_safe() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let mut kernels = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "shape") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let checked = check(&text);
        assert!(checked.errors().is_empty(), "{}\n{}", path.display(), checked.report());
        let db = &checked.db;
        for item in checked.file.items(db) {
            let parsed = &item.tree(db).item;
            kernels += usize::from(parsed.as_ref().is_some_and(|item| matches!(item.kind, ItemKind::Kernel(_))));
        }
        safe(&checked, &text);
    }
    assert!(kernels >= 8);
}
