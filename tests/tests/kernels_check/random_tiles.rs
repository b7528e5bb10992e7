//! Random kernels of tiles, against an oracle that knows nothing of the compiler.

use kernel::at_launch;
use shapewright_runtime::execute::Argument;
use testing::compare::interpreter_and_cpu;
use testing::source;
use testing::tile_programs::TileProgram;

use crate::support::check;

/// Checks one random kernel, and compares what it computes with the oracle.
fn try_one(seed: u64) {
    let program = TileProgram::new(seed);
    let about = format!("seed {seed}, sizes {:?}\n{}", program.sizes, program.text);
    let checked = check(&program.text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{about}\n{}", checked.report()));
    let sizes = source::sizes(&kernel, &program.sizes).expect("each symbol has a size");
    let bounds = at_launch(&kernel, &sizes).unwrap_or_else(|problem| panic!("{problem:?}: {about}"));
    let mut arguments = program.arguments();
    if let Err(problem) = interpreter_and_cpu(&kernel, &sizes, &mut arguments, bounds) {
        panic!("{problem}: {about}");
    }
    let Argument::Tensor(found) = &arguments[1] else { panic!("a tensor was given") };
    assert_eq!(found.as_slice::<i32>().unwrap(), program.expected, "{about}");
    // Each block does once what stands beside its tiles, however many threads it has.
    let Argument::Tensor(found) = &arguments[2] else { panic!("a tensor was given") };
    assert_eq!(found.as_slice::<i32>().unwrap(), [program.total], "{about}");
}

#[test]
fn random_tiles_are_accepted_and_are_what_an_oracle_computes() {
    for seed in seeds::range(150) {
        try_one(seed);
    }
}
