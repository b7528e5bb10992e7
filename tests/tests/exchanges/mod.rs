//! Threads that exchange values: random kernels against a model, sums of floats against their written order, what is refused.

mod floats;
mod refused;

use std::collections::BTreeMap;

use kernel::BoundsChecks;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Initial, Tensor};
use testing::compare::{copy, first_difference, interpreter_and_cpu};
use testing::exchanges::Exchanges;

use crate::support::check;
use crate::thread_nests::orders::{all_give, needs_every_barrier};

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
        let same = interpreter_and_cpu(&kernel, &program.sizes(), &mut found, BoundsChecks::Proven);
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

/// A row of exchanges has a barrier each, and one in a loop two; without any of them, some order of the threads gives something else.
#[test]
fn exchanges_have_the_barriers_that_they_need() {
    let text = |statements: &str| {
        format!(
            "kernel k(x: i32[2, 64], y: mut i32[2, 64]) grid(1) block(128) {{
    for g in threads(2, 64 * cuda_thread) {{
        for t in threads(64, cuda_thread) {{
            let mut a = x[g, t];
            {statements}
            y[g, t] = a;
        }}
    }}
}}
"
        )
    };
    for (statements, barriers) in [
        ("a = a + sum(a, over: warp);", 0),
        ("a = a + sum(a, over: g);", 1),
        ("a = a + sum(a, over: g); a = a - max(a, over: g); a = a + cumsum(a, over: g);", 3),
        ("for k in 0..3 { a = a + sum(a, over: block); }", 2),
        ("for k in 0..3 { a = a + sum(a, over: block); a = a - cumsum(a, over: block); }", 2),
        ("if g == 1 { a = a + sum(a, over: g); } else { a = a - cumsum(a, over: g); }", 2),
    ] {
        let checked = check(&text(statements));
        let kernel = checked.kernel().unwrap_or_else(|| panic!("{statements}\n{}", checked.report()));
        let element = elements::ElementType::I32;
        let mut x = Tensor::zeros(element, &[2, 64]).unwrap();
        x.fill(Initial::Random(seeds::seed())).unwrap();
        let arguments = [Argument::Tensor(x), Argument::Tensor(Tensor::zeros(element, &[2, 64]).unwrap())];
        let found = needs_every_barrier(&kernel, &[BTreeMap::new()], &arguments, seeds::seed());
        assert_eq!(found, Ok(barriers), "{statements}");
    }
}

/// A kernel may also work on tiles: threads then exchange values within its loops over threads.
#[test]
fn a_kernel_of_tiles_has_exchanges_in_its_loops_over_threads() {
    const EXCHANGE: &str =
        "for t in threads(128, cuda_thread) { y[t] = cumsum(x[t], over: block) / sum(x[t], over: warp); }";
    let inside = format!(
        "kernel k(x: f32[128], y: mut f32[128], z: mut f32[128]) grid(1) block(128) {{
    view px = partition(x, [128]);
    view pz = partition(z, [128]);
    for b in grid(1) {{
        let tile = px.load(b);
        {EXCHANGE}
        pz.store(tile * 2.0 + tile.sum(), b);
    }}
}}
"
    );
    let checked = check(&inside);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()));
    let element = elements::ElementType::F32;
    let mut x = Tensor::zeros(element, &[128]).unwrap();
    x.fill(Initial::Random(7)).unwrap();
    let zeros = || Argument::Tensor(Tensor::zeros(element, &[128]).unwrap());
    let arguments = vec![Argument::Tensor(x), zeros(), zeros()];
    let mut expected = copy(&arguments).unwrap();
    interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut expected, BoundsChecks::Proven).unwrap();
    let form = kernel::distributed(&kernel, &|| {}).into_owned();
    all_give(&form, &BTreeMap::new(), &arguments, &expected, 3).unwrap();
    // Outside of such loops a block works on tiles.
    let outside = inside.replace(EXCHANGE, "let s = sum(1.0, over: block);");
    assert_eq!(check(&outside).errors(), ["wrong-exchange"], "{outside}");
    let of_tile = outside.replace("sum(1.0, over: block)", "sum(tile, over: block)");
    assert_eq!(check(&of_tile).errors(), ["wrong-exchange"], "{of_tile}");
}
