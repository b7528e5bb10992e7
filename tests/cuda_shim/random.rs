//! Random kernels of the runtime's generator.

use shapewright_runtime::testing::random;

use crate::check::Case;

/// The cases of the first seeds: `count` of them, or as many as the environment asks for.
pub fn cases(count: u64) -> Vec<Case> {
    let wanted = std::env::var("SHAPEWRIGHT_RANDOM_KERNELS").ok().and_then(|text| text.parse().ok());
    (0..wanted.unwrap_or(count)).filter_map(case).collect()
}

fn case(seed: u64) -> Option<Case> {
    let random::Case { kernel, sizes, arguments } = random::case(seed)?;
    Some(Case { what: format!("seed {seed}"), kernel, sizes, arguments })
}
