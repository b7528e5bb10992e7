//! The entrance to the executors: what is refused and with which words, faults, cancellation, empty launches.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use dims::{CompareOp, Fact, Facts, Sym, Symbol};
use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, Kernel};
use shapewright_runtime::cpu::Cpu;
use shapewright_runtime::execute::{Argument, BoundsChecks, Control, Device, ExecuteError, SizedKernel, Timing};
use shapewright_runtime::interpreter::Interpreter;
use shapewright_runtime::tensors::{Initial, Scalar, Tensor};
use testing::build::*;
use testing::compare::interpreter_and_cpu;
use testing::samples::saxpy_in_layout;

const DEVICES: [&dyn Device; 2] = [&Interpreter, &Cpu::DEFAULT];

fn run(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    device: &dyn Device,
    control: &Control<'_>,
) -> Result<Timing, ExecuteError> {
    SizedKernel::new(kernel, sizes, BoundsChecks::Proven)?.run(device, arguments, control)
}

fn saxpy() -> Kernel {
    saxpy_in_layout(ElementType::F32, 4, &[(0, false), (1, false)]).unwrap()
}

fn sizes(n: i64) -> BTreeMap<Symbol, i64> {
    BTreeMap::from([(symbol("N"), n)])
}

fn floats(count: u64) -> Argument {
    let kind = ElementType::F32;
    Argument::Tensor(Tensor::initial(kind, &[count], Initial::Arange).unwrap())
}

fn saxpy_arguments(count: u64) -> Vec<Argument> {
    vec![Argument::Scalar(Scalar::F32(2.0)), floats(count), floats(count)]
}

fn refusal(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>, mut arguments: Vec<Argument>) -> String {
    let errors =
        DEVICES.map(|device| run(kernel, sizes, &mut arguments, device, &Control::default()).unwrap_err().to_string());
    assert_eq!(errors[0], errors[1]);
    errors[0].clone()
}

#[test]
fn a_kernel_computes_what_it_says() {
    for device in DEVICES {
        let mut arguments = saxpy_arguments(1000);
        run(&saxpy(), &sizes(1000), &mut arguments, device, &Control::default()).unwrap();
        let Argument::Tensor(y) = &arguments[2] else { panic!("a tensor") };
        assert!(y.as_slice::<f32>().unwrap().iter().enumerate().all(|(k, &value)| value == 3.0 * k as f32));
    }
}

#[test]
fn what_does_not_fit_is_refused_in_full_sentences() {
    let kernel = saxpy();
    assert_eq!(
        refusal(&kernel, &BTreeMap::new(), saxpy_arguments(8)),
        "kernel saxpy needs a value for N: give one with `with N = …`"
    );
    assert_eq!(
        refusal(&kernel, &sizes(0), saxpy_arguments(8)),
        "kernel saxpy cannot run with these sizes: `N >= 1` does not hold for N = 0"
    );
    assert_eq!(
        refusal(&kernel, &sizes(8), saxpy_arguments(12)),
        "parameter x of kernel saxpy has the shape [8], but its argument has [12]"
    );
    assert_eq!(
        refusal(&kernel, &sizes(8), vec![floats(8), floats(8)]),
        "kernel saxpy has 3 parameters but was given 2 arguments"
    );
    assert_eq!(
        refusal(&kernel, &sizes(8), vec![floats(8), floats(8), floats(8)]),
        "parameter a of kernel saxpy is a value of f32, but its argument is a tensor of f32"
    );
    assert_eq!(
        refusal(&kernel, &sizes(8), vec![Argument::Scalar(Scalar::F64(1.0)), floats(8), floats(8)]),
        "parameter a of kernel saxpy is a value of f32, but its argument is a value of f64"
    );
    let strided = Tensor::strided(ElementType::F32, &[8], &[2]).unwrap();
    assert_eq!(
        refusal(&kernel, &sizes(8), vec![Argument::Scalar(Scalar::F32(1.0)), floats(8), Argument::Tensor(strided)]),
        "parameter y of kernel saxpy has the strides [1], but its argument has [2]"
    );
}

#[test]
fn the_facts_of_a_kernel_are_checked() {
    let mut kernel = saxpy();
    let n = Sym::symbol(symbol("N"));
    let mut facts = Facts::empty();
    facts.assume(Fact::compare(n, CompareOp::Ge, Sym::constant(16))).unwrap();
    kernel.facts = facts;
    let text = refusal(&kernel, &sizes(8), saxpy_arguments(8));
    assert!(text.starts_with("kernel saxpy cannot run with these sizes: `"), "{text}");
    assert!(text.ends_with("does not hold for N = 8"), "{text}");
}

#[test]
fn a_launch_beyond_64_bits_is_refused() {
    let n = Sym::symbol(symbol("N"));
    let kernel = KernelBuilder::new("wide", n.clone(), n).finish(Vec::new());
    assert_eq!(
        refusal(&kernel, &sizes(1 << 40), Vec::new()),
        "kernel wide would run 1099511627776 blocks of 1099511627776 threads, which is more than 64 bits can count: \
         launch fewer"
    );
}

#[test]
fn nothing_runs_where_there_is_nothing() {
    // N / 4 is 0: no threads, and none of the three elements is touched.
    for device in DEVICES {
        let mut arguments = saxpy_arguments(3);
        run(&saxpy(), &sizes(3), &mut arguments, device, &Control::default()).unwrap();
        let Argument::Tensor(y) = &arguments[2] else { panic!("a tensor") };
        assert_eq!(y.as_slice::<f32>().unwrap(), [0.0, 1.0, 2.0]);
    }
}

/// Each of 64 threads writes element `t * factor + shift` of a tensor of 64, unmasked.
fn scattered(factor: i64, shift: i64) -> Kernel {
    let mut builder = KernelBuilder::new("scattered", Sym::constant(2), Sym::constant(32));
    let length = Sym::constant(64);
    let y = builder.tensor("y", ElementType::F32, std::slice::from_ref(&length), true);
    let index = add(multiply(builder.linear_id(), int(factor)), int(shift));
    let mut map = (*identity(&length)).clone();
    // Without an extent the map calls every index valid, so that it is the tensor that ends.
    map.lower[0].extent = None;
    let access = builder.access(y, &map.into(), vec![index], Masking::None);
    builder.finish(vec![store(access, float(1.0))])
}

#[test]
fn an_access_outside_is_an_error_that_names_it() {
    let kernel = scattered(1, 7);
    let mut arguments = vec![floats(64)];
    let error = run(&kernel, &BTreeMap::new(), &mut arguments, &Interpreter, &Control::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "kernel scattered: thread 25 of block 1 writes element 64 of y, which has 64 elements"
    );
    for (factor, shift, faults) in [(1, 7, 7), (-1, 60, 3), (2, 0, 32), (3, -10, 43)] {
        let kernel = scattered(factor, shift);
        let mut arguments = vec![floats(64)];
        let sizes = BTreeMap::new();
        let sized = SizedKernel::new(&kernel, &sizes, BoundsChecks::Guarded).unwrap();
        let error = sized.run(&Cpu::DEFAULT, &mut arguments, &Control::default()).unwrap_err();
        let ExecuteError::Faults { count, tensor, offset, length, .. } = error else { panic!("{error}") };
        assert_eq!((count, tensor.as_str(), length), (faults, "y", 64));
        assert!(!(0..64).contains(&offset));
        let Argument::Tensor(y) = &arguments[0] else { panic!("a tensor") };
        let written: Vec<i64> = (0..64).map(|id| id * factor + shift).filter(|index| (0..64).contains(index)).collect();
        for (index, value) in y.as_slice::<f32>().unwrap().iter().enumerate() {
            let expected = if written.contains(&(index as i64)) { 1.0 } else { index as f32 };
            assert_eq!(*value, expected, "element {index} for {factor} and {shift}");
        }
    }
}

#[test]
fn an_unmasked_access_of_an_invalid_coordinate_is_an_error() {
    let mut builder = KernelBuilder::new("unmasked", Sym::one(), Sym::constant(8));
    let length = Sym::constant(4);
    let y = builder.tensor("y", ElementType::F32, std::slice::from_ref(&length), true);
    let access = builder.access(y, &identity(&length), vec![thread_id()], Masking::None);
    let kernel = builder.finish(vec![store(access, float(1.0))]);
    let mut arguments = vec![floats(4)];
    let error = run(&kernel, &BTreeMap::new(), &mut arguments, &Interpreter, &Control::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "kernel unmasked: thread 4 of block 0 writes y at the coordinate [4], which its map says is not valid, and \
         nothing masks the access"
    );
}

#[test]
fn a_malformed_kernel_is_refused() {
    let mut builder = KernelBuilder::new("odd", Sym::one(), Sym::one());
    let v = builder.local("v", ElementType::F32);
    let kernel = builder.finish(vec![assign(v, int(1))]);
    assert_eq!(
        refusal(&kernel, &BTreeMap::new(), Vec::new()),
        "kernel odd is malformed: an assigned value is of type i64, expected f32"
    );
    let index = Expr { element: ElementType::I64, ..binary(BinaryOp::Less, int(1), int(2)) };
    let body = vec![if_else(index, Vec::new(), Vec::new())];
    let kernel = KernelBuilder::new("odd", Sym::one(), Sym::one()).finish(body);
    assert_eq!(
        refusal(&kernel, &BTreeMap::new(), Vec::new()),
        "kernel odd is malformed: the result of an operator of type bool is used as i64"
    );
    // Also where nothing accesses the tensor.
    let mut builder = KernelBuilder::new("odd", Sym::one(), Sym::one());
    builder.strided("x", ElementType::F32, &[Sym::constant(2)], &[], false);
    assert_eq!(
        refusal(&builder.finish(Vec::new()), &BTreeMap::new(), vec![floats(2)]),
        "kernel odd is malformed: x has 1 dimensions but 0 strides"
    );
}

#[test]
fn a_run_is_cancelled_and_tells_how_far_it_is() {
    let kernel = saxpy();
    for device in DEVICES {
        let cancel = AtomicBool::new(false);
        let seen = Mutex::new(Vec::new());
        let progress = |fraction: f64| {
            seen.lock().unwrap().push(fraction);
            if fraction > 0.2 {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let control = Control { cancel: Some(&cancel), progress: Some(&progress) };
        let count = 4 << 20;
        let error = run(&kernel, &sizes(count), &mut saxpy_arguments(count as u64), device, &control);
        assert_eq!(error.unwrap_err().to_string(), "the run of kernel saxpy was cancelled");
        let seen = seen.into_inner().unwrap();
        assert!(seen.iter().all(|fraction| (0.0..=1.0).contains(fraction)));
    }
}

#[test]
fn a_launch_of_blocks_without_threads_ends_at_once() {
    let kernel = KernelBuilder::new("nothing", Sym::constant(i64::MAX), Sym::zero()).finish(Vec::new());
    for device in DEVICES {
        run(&kernel, &BTreeMap::new(), &mut [], device, &Control::default()).unwrap();
    }
}

#[test]
fn strides_are_followed() {
    let mut builder = KernelBuilder::new("columns", Sym::constant(2), Sym::constant(16));
    let shape = [Sym::constant(8), Sym::constant(4)];
    let length = Sym::constant(32);
    let x = builder.strided("x", ElementType::F32, &shape, &[Sym::constant(1), Sym::constant(8)], false);
    let y = builder.tensor("y", ElementType::F32, &shape, true);
    let map = identity(&length);
    let id = builder.linear_id();
    let (read, write) =
        (builder.access(x, &map, vec![id.clone()], Masking::None), builder.access(y, &map, vec![id], Masking::None));
    let value = builder.load(read);
    let kernel = builder.finish(vec![store(write, value)]);
    let kind = ElementType::F32;
    let mut x = Tensor::strided(kind, &[8, 4], &[1, 8]).unwrap();
    x.fill(Initial::Arange).unwrap();
    let mut arguments = vec![Argument::Tensor(x), Argument::Tensor(Tensor::zeros(kind, &[8, 4]).unwrap())];
    interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsChecks::Proven).unwrap();
    let Argument::Tensor(y) = &arguments[1] else { panic!("a tensor") };
    assert!(y.as_slice::<f32>().unwrap().iter().enumerate().all(|(k, &value)| value == k as f32));
}
