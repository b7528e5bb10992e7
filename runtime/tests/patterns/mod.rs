//! Kernels as people write them: machine code gives the bits that the interpreter gives, with and without checks.

mod conditions;
mod layouts;
mod loops;
mod matrices;

use std::collections::BTreeMap;

use dims::{Facts, Sym};
use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, Kernel, MathFunction, ParamId, ParamKind};
use shapewright_runtime::execute::{Argument, BoundsChecks};
use shapewright_runtime::tensors::{Initial, Scalar, Tensor};
use testing::build::*;
use testing::compare::interpreter_and_cpu;
use testing::samples::saxpy_in_layout;

const F32: ElementType = ElementType::F32;

/// Runs the kernel with random tensors of the shapes that its parameters have under `N`.
fn check(kernel: &Kernel, n: i64) {
    let sizes = BTreeMap::from([(symbol("N"), n)]);
    let value = |size: &Sym| size.evaluate(&|name| sizes.get(name).copied()).unwrap();
    for bounds in [BoundsChecks::Proven, BoundsChecks::Guarded] {
        let argument = |(position, param): (usize, &kernel::typed::Param)| {
            let kind = param.element;
            match &param.kind {
                ParamKind::Scalar => Argument::Scalar(Scalar::from_f64(kind, 3.0).unwrap()),
                ParamKind::Tensor { shape, .. } => {
                    let shape: Vec<u64> = shape.iter().map(|size| value(size) as u64).collect();
                    Argument::Tensor(Tensor::initial(kind, &shape, Initial::Random(position as u64)).unwrap())
                }
            }
        };
        let mut arguments: Vec<Argument> = kernel.params.iter().enumerate().map(argument).collect();
        if let Err(problem) = interpreter_and_cpu(kernel, &sizes, &mut arguments, bounds) {
            panic!("{} with N = {n}, {bounds:?}: {problem}", kernel.name);
        }
    }
}

fn n() -> Sym {
    Sym::symbol(symbol("N"))
}

/// A builder with one thread per element of 0..N in blocks of `threads`, and a mask for the tail.
fn one_thread_per_element(name: &str, threads: i64) -> (KernelBuilder, Expr, Expr) {
    let threads = Sym::constant(threads);
    let blocks = n().cdiv(&threads, &Facts::empty()).unwrap();
    let builder = KernelBuilder::new(name, blocks, threads);
    let id = builder.linear_id();
    let inside = compare(BinaryOp::Less, id.clone(), size(&n()));
    (builder, id, inside)
}

fn vector(builder: &mut KernelBuilder, name: &str, element: ElementType, length: &Sym, mutable: bool) -> ParamId {
    builder.tensor(name, element, std::slice::from_ref(length), mutable)
}
