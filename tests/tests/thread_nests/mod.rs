//! Random kernels with thread collectives, shared arrays and barriers, from source to every executor.
//!
//! What is accepted has no race, by an enumeration of all threads with vector clocks, and gives one result: in every order of
//! the threads, and in machine code. What is refused with two threads and an element has these two threads there.

mod judge;
pub mod orders;
use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::{Kernel, ParamKind};
use kernel::{BoundsChecks, at_launch};
use seeds::Draw;
use testing::compare::{copy, interpreter_and_cpu};
use testing::thread_nests::{self, Nest, shortened, sizes};

use crate::support::enumerate::{Fault, Launch, enumerate};
use crate::support::{Checked, check};
use judge::Judgement;

/// The end of a long loop, and of a short one that touches the same.
const LONG: &str = "..1000000 {";
const SHORT: &str = "..6 {";

/// What became of some nests.
#[derive(Debug, Default)]
struct Tally {
    accepted: u64,
    with_barriers: u64,
    /// Those with a loop of a million iterations.
    long: u64,
    launches: u64,
    enumerated: u64,
    refused: BTreeMap<&'static str, u64>,
    /// Races that were named, and found where they were named.
    confirmed: u64,
    /// Refused although no two threads meet.
    in_doubt: u64,
    /// Refused, and accepted with short loops: what is proven by trying each point takes too long then.
    refused_for_length: u64,
}

impl Tally {
    fn add(&mut self, nest: &Nest, seed: u64) {
        let checked = check(&nest.text);
        let Some(kernel) = checked.kernel() else { return self.refuse(nest, &checked, seed) };
        self.accepted += 1;
        self.with_barriers += u64::from(kernel.has_barriers());
        self.long += u64::from(nest.text.contains(LONG));
        let kernel = shortened(&kernel);
        let trips: &[i64] = if kernel.symbols.is_empty() { &[1] } else { &[1, 2, 3] };
        for trips in trips {
            let sizes = sizes(&kernel, *trips);
            if let Err(problem) = self.launch(&kernel, &sizes, seed) {
                panic!("seed {seed}, K = {trips}: {problem}\n{}\n{}", nest.text, checked.report());
            }
        }
    }

    /// Makes all checks of an accepted kernel for given sizes.
    fn launch(&mut self, kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>, seed: u64) -> Result<(), String> {
        let Ok(bounds) = at_launch(kernel, sizes) else { return Ok(()) };
        let n = [3, 60][seed as usize % 2];
        let scalar = |kind: &ParamKind| if *kind == ParamKind::Scalar { n } else { 0 };
        let scalars: Vec<i64> = kernel.params.iter().map(|param| scalar(&param.kind)).collect();
        let guarded = bounds == BoundsChecks::Guarded;
        match enumerate(&Launch { kernel, sizes, scalars: &scalars, data: seed, guarded }) {
            Ok(_) => self.enumerated += 1,
            Err(Fault::GaveUp(_)) => {}
            Err(fault) => return Err(format!("{fault:?}")),
        }
        let arguments = thread_nests::arguments(kernel, seed).ok_or("no arguments")?;
        let mut expected = copy(&arguments).map_err(|error| error.to_string())?;
        interpreter_and_cpu(kernel, sizes, &mut expected, bounds)?;
        orders::all_give(kernel, sizes, &arguments, &expected, seed)?;
        self.launches += 1;
        Ok(())
    }

    fn refuse(&mut self, nest: &Nest, checked: &Checked, seed: u64) {
        let errors = checked.errors();
        assert!(!errors.is_empty(), "seed {seed}: refused without an error:\n{}\n{}", nest.text, checked.report());
        *self.refused.entry(errors[0]).or_default() += 1;
        if std::env::var_os("SHAPEWRIGHT_SHOW_REFUSED").is_some() {
            println!("seed {seed}\n{}{}\n", nest.text, checked.report());
        }
        self.refused_for_length += u64::from(check(&nest.text.replace(LONG, SHORT)).kernel().is_some());
        match judge::judge(nest, checked) {
            Judgement::Confirmed(races) => self.confirmed += races,
            Judgement::InDoubt => self.in_doubt += 1,
            Judgement::Open => {}
            Judgement::Wrong(what) => {
                panic!("seed {seed}: no such race: {what}\n{}\n{}", nest.text, checked.report())
            }
        }
    }
}

#[test]
fn random_nests_are_safe_and_mean_the_same_everywhere_or_are_refused_for_a_reason() {
    let seeds = seeds::range(80);
    let count = seeds.end - seeds.start;
    let mut tally = Tally::default();
    for seed in seeds {
        tally.add(&thread_nests::nest(seed), seed);
    }
    println!("{count} nests: {tally:?}");
    for code in ["syntax-error", "type-mismatch", "unknown-local", "unknown-name", "unknown-function", "index-count"] {
        assert!(!tally.refused.contains_key(code), "a nest is badly written: {tally:?}");
    }
    assert!(tally.refused_for_length * 20 <= count, "{tally:?} of {count}");
    assert!(tally.long * 80 >= count, "{tally:?} of {count}");
    assert!(tally.accepted * 3 >= count && tally.with_barriers * 5 >= count, "{tally:?} of {count}");
    assert!(tally.confirmed > 0 && tally.refused.contains_key("shared-race"), "{tally:?}");
}

/// Where all threads of a block exchange elements of one array, every barrier is needed.
#[test]
fn no_barrier_of_a_simple_exchange_is_superfluous() {
    let mut removed = 0;
    for seed in seeds::range(12) {
        let nest = thread_nests::exchange(seed);
        let checked = check(&nest.text);
        let kernel = checked.kernel().unwrap_or_else(|| panic!("seed {seed}\n{}\n{}", nest.text, checked.report()));
        let kernel = shortened(&kernel);
        let launches: Vec<_> = [1, 2, 4].map(|trips| sizes(&kernel, trips)).into();
        let arguments = thread_nests::arguments(&kernel, seed).unwrap();
        match orders::needs_every_barrier(&kernel, &launches, &arguments, seed) {
            Ok(barriers) => removed += barriers,
            Err(problem) => panic!("seed {seed}: {problem}\n{}\n{:#?}", nest.text, kernel.body),
        }
    }
    assert!(removed > 0);
}

/// What a loop of a million iterations leaves is the same everywhere.
#[test]
fn a_million_exchanges_mean_the_same_everywhere() {
    for seed in seeds::range(2) {
        let nest = thread_nests::long_exchange(seed);
        let checked = check(&nest.text);
        let kernel = checked.kernel().unwrap_or_else(|| panic!("seed {seed}\n{}\n{}", nest.text, checked.report()));
        assert!(kernel.has_barriers() && nest.text.contains(LONG), "seed {seed}\n{}", nest.text);
        let mut arguments = thread_nests::arguments(&kernel, seed).unwrap();
        if let Err(problem) = interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsChecks::Proven) {
            panic!("seed {seed}: {problem}\n{}", nest.text);
        }
    }
}

/// A kernel whose only work is done by a range of the threads has no other region than theirs.
#[test]
fn a_kernel_for_a_few_threads_runs_only_them() {
    for seed in seeds::range(60) {
        let mut draw = Draw::new(seed);
        let threads = draw.pick(&[1, 2, 7, 32, 33, 64, 256]);
        let mut number = || draw.between(0, threads);
        let (low, high) = (number(), number());
        let least = low.min(high);
        let all = format!("for t in threads({threads}, cuda_thread)");
        let body = match draw.index(7) {
            0 => format!("{all} {{ if t < {high} {{ y[b, t] = x[t]; }} }}"),
            1 => format!("{all} {{ if t >= {low} {{ y[b, t] = x[t]; }} }}"),
            2 => format!("{all} {{ if t == {low} {{ y[b, t] = x[t]; }} }}"),
            3 => format!("{all} {{ if t >= {low} && t < {high} {{ for i in 0..3 {{ y[b, t] += x[t]; }} }} }}"),
            4 => format!("{all} {{ if t / 8 < {} {{ y[b, t] = x[t] + 1; }} }}", high / 8),
            5 => format!("for t in threads({}, cuda_thread) {{ y[b, t] = x[t]; }}", high.max(1)),
            _ => {
                let first = least.min(threads - 1);
                format!("with threads({first}..{}, cuda_thread) {{ y[b, 0] += 1; }}", first + 1)
            }
        };
        let blocks = draw.pick(&[1, 3]);
        let text = format!(
            "kernel k(x: i32[{threads}], y: mut i32[{blocks}, {threads}]) block({threads}) {{
    for b in grid({blocks}) {{ {body} }}\n}}\n"
        );
        let checked = check(&text);
        let kernel = checked.kernel().unwrap_or_else(|| panic!("seed {seed}\n{text}\n{}", checked.report()));
        let mut arguments = thread_nests::arguments(&kernel, seed).unwrap();
        if let Err(problem) = interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsChecks::Proven) {
            panic!("seed {seed}: {problem}\n{text}");
        }
    }
}
