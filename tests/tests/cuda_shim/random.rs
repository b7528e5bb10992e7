//! Random kernels of the runtime's two generators.

use std::sync::Arc;

use check::kernels::checked_kernel;
use ide::CompilerDatabase;
use kernel::typed::Kernel;
use kernel::{BoundsChecks, at_launch};
use testing::exchanges::Exchanges;
use testing::tile_programs::TileProgram;
use testing::{nests, random, source, thread_nests};

use super::check::Case;

/// About `count` cases, half of them typed and half from source.
pub fn cases(count: u64) -> Vec<Case> {
    let seeds = seeds::range(count / 2);
    let mut cases: Vec<Case> = seeds.clone().filter_map(typed).collect();
    let typed = cases.len();
    cases.extend(seeds.filter_map(from_source));
    assert!(cases.len() > typed, "no random kernel from source was accepted");
    cases
}

/// Nests of loops and conditions whose threads wait for each other.
pub fn nests(count: u64) -> Vec<Case> {
    let nest = |seed| {
        let random::Case { kernel, sizes, arguments } = nests::case(seed);
        Case { what: format!("nest {seed}"), kernel, sizes, arguments }
    };
    seeds::range(count).map(nest).collect()
}

/// Nests of thread collectives from source, with the barriers that the compiler placed.
pub fn thread_nests(count: u64) -> Vec<Case> {
    let nest = |seed| {
        let made = thread_nests::nest(seed);
        let mut db = CompilerDatabase::default();
        let file = db.set_text("nest.shape", &made.text);
        let kernel = file.items(&db).iter().find_map(|item| checked_kernel(&db, *item).kernel.clone())?;
        // The barriers are those of the long loops.
        let kernel = thread_nests::shortened(&kernel);
        let sizes = thread_nests::sizes(&kernel, 3);
        let arguments = thread_nests::arguments(&kernel, seed)?;
        let what = format!("thread nest {seed}:\n{}", made.text);
        (at_launch(&kernel, &sizes) == Ok(BoundsChecks::Proven)).then(|| Case { what, kernel, sizes, arguments })
    };
    let cases: Vec<Case> = seeds::range(count).filter_map(nest).collect();
    assert!(cases.iter().any(|case| case.kernel.has_barriers()), "no nest has barriers");
    cases
}

/// Kernels whose threads exchange values.
pub fn exchanges(count: u64) -> Vec<Case> {
    let case = |seed| {
        let program = Exchanges::new(seed);
        let what = format!("exchanges of seed {seed}:\n{}", program.text);
        let kernel = checked(&program.text).unwrap_or_else(|| panic!("refused: {what}"));
        Case { what, kernel: (*kernel).clone(), sizes: program.sizes(), arguments: program.arguments() }
    };
    seeds::range(count).map(case).collect()
}

/// Kernels of tiles, which are what an oracle computes elsewhere.
pub fn tiles(count: u64) -> Vec<Case> {
    let case = |seed| {
        let program = TileProgram::new(seed);
        let what = format!("tiles of seed {seed}:\n{}", program.text);
        let kernel = checked(&program.text).unwrap_or_else(|| panic!("refused: {what}"));
        let sizes = source::sizes(&kernel, &program.sizes).expect("each symbol has a size");
        Case { what, kernel: (*kernel).clone(), sizes, arguments: program.arguments() }
    };
    seeds::range(count).map(case).collect()
}

fn typed(seed: u64) -> Option<Case> {
    let random::Case { kernel, sizes, arguments } = random::case(seed)?;
    Some(Case { what: format!("seed {seed}"), kernel, sizes, arguments })
}

/// A kernel that the compiler accepts for its sizes. A GPU launches nothing else.
fn from_source(seed: u64) -> Option<Case> {
    let made = source::right(seed);
    let kernel = checked(&made.text)?;
    let sizes = source::sizes(&kernel, &made.sizes)?;
    if at_launch(&kernel, &sizes) != Ok(BoundsChecks::Proven) {
        return None;
    }
    let arguments = source::arguments(&kernel, &sizes, seed)?;
    Some(Case { what: format!("source seed {seed}:\n{}", made.text), kernel: (*kernel).clone(), sizes, arguments })
}

/// The kernel of a text that the compiler accepts.
fn checked(text: &str) -> Option<Arc<Kernel>> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("random.shape", text);
    file.items(&db).iter().find_map(|item| checked_kernel(&db, *item).kernel.clone())
}
