//! Threads that exchange values: random kernels against a model, sums of floats against their written order, what is refused.

mod floats;
mod refused;

use kernel::LaunchBounds;
use shapewright_runtime::execute::Argument;
use testing::compare::{copy, first_difference, interpreter_and_cpu};
use testing::exchanges::Exchanges;

use crate::support::check;
use crate::thread_nests::orders::all_give;

/// Random kernels on the interpreter, in adverse orders of their threads and in machine code give what the model says.
#[test]
fn random_kernels_whose_threads_exchange_values() {
    let (mut with_barriers, mut with_shuffles) = (0, 0);
    let count = 60;
    for seed in seeds::range(count) {
        let program = Exchanges::new(seed);
        let checked = check(&program.text);
        let Some(kernel) = checked.kernel() else {
            panic!("seed {seed}: refused\n{}\n{}", program.text, checked.report())
        };
        with_barriers += u64::from(kernel.has_barriers());
        with_shuffles += u64::from(kernel.has_shuffles());
        let arguments = program.arguments();
        let mut found = copy(&arguments).unwrap();
        let same = interpreter_and_cpu(&kernel, &program.sizes(), &mut found, LaunchBounds::Proven);
        same.unwrap_or_else(|problem| panic!("seed {seed}: {problem}\n{}", program.text));
        let Argument::Tensor(stored) = &found[2] else { panic!("the last argument is a tensor") };
        if let Some(difference) = first_difference(&program.expected, stored) {
            panic!("seed {seed}: {difference}\n{}", program.text);
        }
        let others = all_give(&kernel, &program.sizes(), &arguments, &found, seed);
        others.unwrap_or_else(|problem| panic!("seed {seed}: {problem}\n{}", program.text));
    }
    assert!(
        with_barriers > 0 && with_shuffles > count / 2,
        "{with_barriers} with barriers, {with_shuffles} with shuffles"
    );
}
