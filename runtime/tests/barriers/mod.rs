//! Kernels whose threads wait for each other: machine code gives what the kernel means.

mod collectives;
mod oracle;
mod products;
mod random;
mod reductions;
mod tiles;
mod variables;

use std::collections::BTreeMap;

use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, Kernel, ParamKind, Statement};
use shapewright_runtime::cpu::{Cpu, LaneChoice};
use shapewright_runtime::execute::{Argument, BoundsChecks, Control, SizedKernel};
use shapewright_runtime::tensors::{Element, Initial, Scalar, Tensor};
use testing::build::*;
use testing::compare::{copy, first_difference};

const F32: ElementType = ElementType::F32;
const I64: ElementType = ElementType::I64;

/// Random tensors of the shapes that the parameters have, and 3 for scalars.
fn arguments(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Vec<Argument> {
    let value = |size: &Sym| size.evaluate(&|name| sizes.get(name).copied()).unwrap() as u64;
    let argument = |(position, param): (usize, &kernel::typed::Param)| match &param.kind {
        ParamKind::Scalar => Argument::Scalar(Scalar::from_f64(param.element, 3.0).unwrap()),
        ParamKind::Tensor { shape, .. } => {
            let shape: Vec<u64> = shape.iter().map(value).collect();
            Argument::Tensor(Tensor::initial(param.element, &shape, Initial::Random(position as u64)).unwrap())
        }
    };
    kernel.params.iter().enumerate().map(argument).collect()
}

/// Runs the kernel in every form that machine code has and compares with what is expected of the parameters.
fn check_against(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>, before: &[Argument], expected: &[Argument]) {
    for bounds in [BoundsChecks::Proven, BoundsChecks::Guarded] {
        for lanes in [LaneChoice::WhereItPays, LaneChoice::WherePossible] {
            let mut actual = copy(before).unwrap();
            let sized = SizedKernel::new(kernel, sizes, bounds).unwrap();
            sized.run(&Cpu { lanes }, &mut actual, &Control::default()).unwrap();
            for (param, (expected, actual)) in kernel.params.iter().zip(expected.iter().zip(&actual)) {
                if let (Argument::Tensor(expected), Argument::Tensor(actual)) = (expected, actual)
                    && let Some(difference) = first_difference(expected, actual)
                {
                    panic!("{}, {bounds:?}, lanes {lanes:?}, {}: {difference}", kernel.name, param.name);
                }
            }
        }
    }
}

/// Runs the kernel with real threads and in machine code, and compares every element.
fn check(kernel: &Kernel) -> Vec<Argument> {
    check_sized(kernel, &BTreeMap::new())
}

fn check_sized(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Vec<Argument> {
    let before = arguments(kernel, sizes);
    let expected = oracle::run(kernel, sizes, copy(&before).unwrap());
    check_against(kernel, sizes, &before, &expected);
    expected
}

fn values<T: Element>(argument: &Argument) -> Vec<T> {
    let Argument::Tensor(tensor) = argument else { panic!("a tensor") };
    tensor.as_slice::<T>().unwrap().to_vec()
}

fn quotient(left: Expr, right: i64) -> Expr {
    binary(BinaryOp::FloorDivide, left, int(right))
}

fn remainder(left: Expr, right: i64) -> Expr {
    binary(BinaryOp::FloorRemainder, left, int(right))
}

fn less(left: Expr, right: Expr) -> Expr {
    compare(BinaryOp::Less, left, right)
}

fn when(condition: Expr, then: Vec<Statement>) -> Statement {
    if_else(condition, then, Vec::new())
}

fn sym(value: i64) -> Sym {
    Sym::constant(value)
}
