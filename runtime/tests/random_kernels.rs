//! Random kernels: machine code gives the bits that the interpreter gives.

use shapewright_runtime::execute::BoundsMode;
use testing::compare::interpreter_and_cpu;
use testing::random::case;

/// How many seeds to try: `SHAPEWRIGHT_RANDOM_KERNELS`, or enough to meet every construct.
fn seeds() -> std::ops::Range<u64> {
    let wanted = std::env::var("SHAPEWRIGHT_RANDOM_KERNELS").ok().and_then(|text| text.parse().ok());
    0..wanted.unwrap_or(300)
}

#[test]
fn machine_code_agrees_with_the_interpreter() {
    let mut ran = 0;
    for seed in seeds() {
        for bounds in [BoundsMode::Proven, BoundsMode::Guarded] {
            let Some(mut case) = case(seed) else { continue };
            ran += 1;
            if let Err(problem) = interpreter_and_cpu(&case.kernel, &case.sizes, &mut case.arguments, bounds) {
                panic!("seed {seed}, {bounds:?}, sizes {:?}: {problem}\n{:#?}", case.sizes, case.kernel.body);
            }
        }
    }
    assert!(ran > 0);
}
