//! Random kernels: machine code gives the bits that the interpreter gives.

use shapewright_runtime::execute::BoundsChecks;
use testing::compare::interpreter_and_cpu;
use testing::random::case;

#[test]
fn machine_code_agrees_with_the_interpreter() {
    let mut ran = 0;
    for seed in seeds::range(300) {
        for bounds in [BoundsChecks::Proven, BoundsChecks::Guarded] {
            let Some(mut case) = case(seed) else { continue };
            ran += 1;
            if let Err(problem) = interpreter_and_cpu(&case.kernel, &case.sizes, &mut case.arguments, bounds) {
                panic!("seed {seed}, {bounds:?}, sizes {:?}: {problem}\n{:#?}", case.sizes, case.kernel.body);
            }
        }
    }
    assert!(ran > 0);
}
