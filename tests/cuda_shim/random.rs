//! Random kernels of the runtime's two generators.

use std::collections::BTreeMap;

use check::kernels::checked_kernel;
use dims::Symbol;
use ide::CompilerDatabase;
use kernel::{LaunchBounds, at_launch};
use testing::{nests, random, source, thread_nests};

use crate::check::Case;

/// The cases of the first seeds, half of them typed and half from source: about `count`, or as many as the environment
/// asks for.
pub fn cases(count: u64) -> Vec<Case> {
    let wanted = std::env::var("SHAPEWRIGHT_RANDOM_KERNELS").ok().and_then(|text| text.parse().ok());
    let first = std::env::var("SHAPEWRIGHT_RANDOM_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let seeds = first..first + wanted.unwrap_or(count) / 2;
    let mut cases: Vec<Case> = seeds.clone().filter_map(typed).collect();
    let typed = cases.len();
    cases.extend(seeds.filter_map(from_source));
    assert!(cases.len() > typed, "no random kernel from source was accepted");
    cases
}

/// Nests of loops and conditions whose threads wait for each other.
pub fn nests(count: u64) -> Vec<Case> {
    let wanted = std::env::var("SHAPEWRIGHT_RANDOM_KERNELS").ok().and_then(|text| text.parse().ok());
    let nest = |seed| {
        let random::Case { kernel, sizes, arguments } = nests::case(seed);
        Case { what: format!("nest {seed}"), kernel, sizes, arguments }
    };
    (0..wanted.unwrap_or(count)).map(nest).collect()
}

/// Nests of thread collectives from source, with the barriers that the compiler placed.
pub fn thread_nests(count: u64) -> Vec<Case> {
    let wanted = std::env::var("SHAPEWRIGHT_RANDOM_KERNELS").ok().and_then(|text| text.parse().ok());
    let nest = |seed| {
        let made = thread_nests::nest(seed);
        let mut db = CompilerDatabase::default();
        let file = db.set_text("nest.shape", &made.text);
        let kernel = file.items(&db).iter().find_map(|item| checked_kernel(&db, *item).kernel.clone())?;
        let sizes = thread_nests::sizes(&kernel, 3);
        let arguments = thread_nests::arguments(&kernel, seed)?;
        let what = format!("thread nest {seed}:\n{}", made.text);
        (at_launch(&kernel, &sizes) == Ok(LaunchBounds::Proven)).then(|| Case {
            what,
            kernel: (*kernel).clone(),
            sizes,
            arguments,
        })
    };
    let cases: Vec<Case> = (0..wanted.unwrap_or(count)).filter_map(nest).collect();
    assert!(cases.iter().any(|case| case.kernel.has_barriers()), "no nest has barriers");
    cases
}

fn typed(seed: u64) -> Option<Case> {
    let random::Case { kernel, sizes, arguments } = random::case(seed)?;
    Some(Case { what: format!("seed {seed}"), kernel, sizes, arguments })
}

/// A kernel that the compiler accepts for its sizes. A GPU launches nothing else.
fn from_source(seed: u64) -> Option<Case> {
    let made = source::right(seed);
    let mut db = CompilerDatabase::default();
    let file = db.set_text("random.shape", &made.text);
    let kernel = file.items(&db).iter().find_map(|item| checked_kernel(&db, *item).kernel.clone())?;
    let value = |symbol: &Symbol| Some((symbol.clone(), *made.sizes.get(symbol.name())?));
    let sizes = kernel.symbols.iter().map(value).collect::<Option<BTreeMap<_, _>>>()?;
    if at_launch(&kernel, &sizes) != Ok(LaunchBounds::Proven) {
        return None;
    }
    let arguments = source::arguments(&kernel, &sizes, seed)?;
    Some(Case { what: format!("source seed {seed}:\n{}", made.text), kernel: (*kernel).clone(), sizes, arguments })
}
