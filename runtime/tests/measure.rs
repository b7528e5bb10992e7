//! Measurements, run by hand: `cargo test --release -p shapewright-runtime --test measure -- --ignored --nocapture`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::typed::Kernel;
use shapewright_runtime::cpu::CompiledKernel;
use shapewright_runtime::execute::{Argument, BoundsMode, Control, Executor, bind, run_kernel};
use shapewright_runtime::tensors::{self, Initial, Scalar, Tensor};
use shapewright_runtime::testing::build::symbol;
use shapewright_runtime::testing::samples::{saxpy_in_layout, scale};

const ROUNDS: usize = 7;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn arguments(element: tensors::ElementType, count: u64) -> Vec<Argument> {
    let tensor = |seed| Argument::Tensor(Tensor::initial(element, &[count], Initial::Random(seed)).unwrap());
    vec![Argument::Scalar(Scalar::from_f64(element, 0.5).unwrap()), tensor(1), tensor(2)]
}

/// The median time of a run, after one that warms up.
fn time(kernel: &Kernel, count: u64, arguments: &mut [Argument], bounds: BoundsMode) -> (Duration, Duration) {
    let sizes = BTreeMap::from([(symbol("N"), count as i64)]);
    let compiles = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        drop(CompiledKernel::new(kernel, bounds).unwrap());
        start.elapsed()
    });
    let compile = median(compiles.collect());
    let extent = bind::bind(kernel, &sizes, arguments).unwrap();
    let compiled = CompiledKernel::new(kernel, bounds).unwrap();
    let control = Control::default();
    let runs = (0..=ROUNDS).map(|_| {
        let start = Instant::now();
        compiled.run(kernel, &sizes, extent, arguments, &control).unwrap();
        start.elapsed()
    });
    let runs: Vec<Duration> = runs.collect();
    (compile, median(runs[1..].to_vec()))
}

#[test]
#[ignore = "a measurement"]
fn saxpy_against_a_hand_written_loop() {
    let count = 64u64 << 20;
    type Layout<'a> = (&'a str, i64, &'a [(usize, bool)]);
    let layouts: [Layout<'_>; 4] = [
        ("[4] | [N/4] => [i0, t0]", 4, &[(0, false), (1, false)]),
        ("[4] | [N/4] => [t0, i0]", 4, &[(1, false), (0, false)]),
        ("[1] | [N] => [i0, t0]", 1, &[(0, false), (1, false)]),
        ("[1] | [N] => [i0, -t0]", 1, &[(0, false), (1, true)]),
    ];
    let mut tensors = arguments(tensors::ElementType::F32, count);
    let by_hand = |tensors: &mut [Argument]| {
        let [Argument::Scalar(Scalar::F32(a)), Argument::Tensor(x), Argument::Tensor(y)] = tensors else {
            panic!("a scalar and two tensors")
        };
        let (a, x, y) = (*a, x.as_slice::<f32>().unwrap(), y.as_mut_slice::<f32>().unwrap());
        let start = Instant::now();
        y.par_chunks_mut(1 << 16).zip(x.par_chunks(1 << 16)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        });
        start.elapsed()
    };
    let gigabytes = count as f64 * 12.0 / 1e9;
    for _ in 0..2 {
        let hand = median((0..=ROUNDS).map(|_| by_hand(&mut tensors)).skip(1).collect());
        println!("by hand: {hand:?}, {:.1} GB/s", gigabytes / hand.as_secs_f64());
        for (name, per_thread, layout) in layouts {
            let kernel = saxpy_in_layout(ElementType::F32, per_thread, layout).unwrap();
            for bounds in [BoundsMode::Proven, BoundsMode::Guarded] {
                let (compile, run) = time(&kernel, count, &mut tensors, bounds);
                let rate = gigabytes / run.as_secs_f64();
                let ratio = hand.as_secs_f64() / run.as_secs_f64();
                println!("{name} {bounds:?}: compile {compile:?}, run {run:?}, {rate:.1} GB/s, {ratio:.2} of by hand");
            }
        }
    }
}

#[test]
#[ignore = "a measurement"]
fn saxpy_of_other_element_types() {
    let count = 64u64 << 20;
    for element in [ElementType::F16, ElementType::Bf16, ElementType::F64, ElementType::I32, ElementType::U8] {
        let kind = tensors::ElementType::from_name(element.name()).unwrap();
        let value = if element.is_float() { 0.5 } else { 3.0 };
        let mut tensors = arguments_of(kind, count, value);
        let bytes = count as f64 * 3.0 * element.size_bytes() as f64;
        for (per_thread, layout) in [(4, [(0, false), (1, false)]), (1, [(0, false), (1, false)])] {
            let kernel = saxpy_in_layout(element, per_thread, &layout).unwrap();
            let (compile, run) = time(&kernel, count, &mut tensors, BoundsMode::Proven);
            println!(
                "{element} {per_thread}: compile {compile:?}, run {run:?}, {:.1} GB/s",
                bytes / 1e9 / run.as_secs_f64()
            );
        }
    }
}

fn arguments_of(element: tensors::ElementType, count: u64, value: f64) -> Vec<Argument> {
    let tensor = |seed| Argument::Tensor(Tensor::initial(element, &[count], Initial::Random(seed)).unwrap());
    vec![Argument::Scalar(Scalar::from_f64(element, value).unwrap()), tensor(1), tensor(2)]
}

/// In the cache, where the code and not the memory decides; set `RAYON_NUM_THREADS=1`.
#[test]
#[ignore = "a measurement"]
fn saxpy_in_the_cache() {
    let count = 1u64 << 18;
    for element in ElementType::ALL.into_iter().filter(|&element| element != ElementType::Bool) {
        let kind = tensors::ElementType::from_name(element.name()).unwrap();
        let mut tensors = arguments_of(kind, count, 3.0);
        let (_, run) = time(&scale(element).unwrap(), count, &mut tensors, BoundsMode::Proven);
        println!("{element} scale: {:.3} ns an element", run.as_secs_f64() * 1e9 / count as f64);
        for (per_thread, layout) in
            [(4, [(0, false), (1, false)]), (4, [(1, false), (0, false)]), (1, [(0, false), (1, false)])]
        {
            let kernel = saxpy_in_layout(element, per_thread, &layout).unwrap();
            let (compile, run) = time(&kernel, count, &mut tensors, BoundsMode::Proven);
            let (guarded_compile, guarded) = time(&kernel, count, &mut tensors, BoundsMode::Guarded);
            let each = |time: Duration| time.as_secs_f64() * 1e9 / count as f64;
            println!(
                "{element} {per_thread} {layout:?}: {:.3} ns an element (compile {compile:?}), guarded {:.3} ({guarded_compile:?})",
                each(run),
                each(guarded)
            );
        }
    }
}

#[test]
#[ignore = "a measurement"]
fn interpreter() {
    let count = 1u64 << 20;
    let sizes = BTreeMap::from([(symbol("N"), count as i64)]);
    let mut tensors = arguments(tensors::ElementType::F32, count);
    let kernel = saxpy_in_layout(ElementType::F32, 1, &[(0, false), (1, false)]).unwrap();
    let timing = run_kernel(&kernel, &sizes, &mut tensors, Executor::Interpreter, &Control::default()).unwrap();
    println!("interpreter: {:.2} million threads a second", count as f64 / 1e6 / timing.run.as_secs_f64());
}
