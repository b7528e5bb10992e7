//! Every operator, cast and math function of every element type at its edge values: machine code gives the bits that
//! the interpreter gives.

use std::collections::BTreeMap;
use std::slice;

use elements::ElementType;
use kernel::typed::{BinaryOp, Constant};
use shapewright_runtime::execute::{Argument, BoundsChecks};
use testing::build::{bits, cast, compare, constant, int, select};
use testing::compare::interpreter_and_cpu;
use testing::operators::{
    Operation, binary_operators, casts, math_functions, operators_with_constants, unary_operators,
};

/// Runs the operation where neighbouring elements belong to threads of one block, which run in vectors, and where they
/// belong to blocks of one thread. Gives the arguments afterwards.
fn run(operation: &Operation, columns: &[Vec<u64>]) -> Vec<Argument> {
    let count = columns[0].len();
    let mut result = Vec::new();
    for threads in [count, 1] {
        let kernel = operation.kernel(count, threads);
        result = operation.arguments(columns).unwrap();
        if let Err(problem) = interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut result, BoundsChecks::Proven) {
            let position = problem.split("at ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
            let operands: Vec<String> = position.map_or_else(Vec::new, |position| {
                columns.iter().map(|column| format!("{:#x}", column[position])).collect()
            });
            panic!("{} in blocks of {threads}: {problem}; operands {operands:?}", operation.what);
        }
    }
    result
}

fn check(operations: impl Fn(ElementType) -> Vec<Operation>) {
    for operation in ElementType::ALL.into_iter().flat_map(operations) {
        run(&operation, &operation.combinations());
    }
}

#[test]
fn operators_of_two_operands() {
    check(binary_operators);
}

#[test]
fn operators_of_an_operand_and_a_constant() {
    check(operators_with_constants);
}

#[test]
fn operators_of_one_operand_and_choices() {
    check(unary_operators);
}

#[test]
fn conversions() {
    check(casts);
}

#[test]
fn functions() {
    check(math_functions);
}

/// All f16 and bf16 values, and f32 values around every rounding boundary of theirs.
#[test]
fn half_conversions_are_exact() {
    let convert = |from: ElementType, to: ElementType| {
        Operation::new("cast".to_owned(), &[from], to, move |operands| cast(to, operands[0].clone()))
    };
    for half in [ElementType::F16, ElementType::Bf16] {
        let all: Vec<u64> = (0..=u64::from(u16::MAX)).collect();
        let widened = run(&convert(half, ElementType::F32), &[all]);
        let Some(Argument::Tensor(wide)) = widened.last() else { panic!("a tensor") };
        let mut near = Vec::new();
        for pair in wide.as_slice::<f32>().unwrap().windows(2) {
            let middle = f32::midpoint(pair[0], pair[1]).to_bits();
            near.extend([middle.wrapping_sub(1), middle, middle.wrapping_add(1), pair[0].to_bits()].map(u64::from));
        }
        let near = [near];
        run(&convert(ElementType::F32, half), &near);
        // Rounded on the way, where the result is not stored as it is.
        let there_and_back =
            Operation::new("rounding".to_owned(), &[ElementType::F32], ElementType::F32, move |operands| {
                cast(ElementType::F32, cast(half, operands[0].clone()))
            });
        run(&there_and_back, &near);
    }
}

/// All f16 values, and f32 and f64 values around every rounding boundary of the floats of 8 bits. NaN has the same bits too.
#[test]
fn conversions_to_eight_bits_are_exact() {
    let bits_of = |small: ElementType, from: ElementType| {
        Operation::new("bits of a cast".to_owned(), &[from], ElementType::U8, move |operands| {
            bits(ElementType::U8, cast(small, operands[0].clone()))
        })
    };
    for small in [ElementType::E4m3, ElementType::E5m2] {
        let codes: Vec<u64> = (0..=u64::from(u8::MAX)).collect();
        let back = Operation::new("codes".to_owned(), &[ElementType::U8], ElementType::U8, move |operands| {
            bits(ElementType::U8, bits(small, operands[0].clone()))
        });
        let Some(Argument::Tensor(same)) = run(&back, slice::from_ref(&codes)).pop() else { panic!("a tensor") };
        assert_eq!(same.as_slice::<u8>().unwrap(), (0..=u8::MAX).collect::<Vec<_>>());
        let widened = Operation::new("cast".to_owned(), &[small], ElementType::F32, move |operands| {
            cast(ElementType::F32, operands[0].clone())
        });
        let Some(Argument::Tensor(wide)) = run(&widened, slice::from_ref(&codes)).pop() else { panic!("a tensor") };
        run(&bits_of(small, ElementType::F16), &[(0..=u64::from(u16::MAX)).collect()]);
        run(&bits_of(small, ElementType::Bf16), &[(0..=u64::from(u16::MAX)).collect()]);
        let (mut singles, mut doubles) = (Vec::new(), Vec::new());
        for pair in wide.as_slice::<f32>().unwrap().windows(2) {
            let middle = f32::midpoint(pair[0], pair[1]);
            for value in [pair[0], middle] {
                let (single, double) = (value.to_bits(), f64::from(value).to_bits());
                singles.extend([single.wrapping_sub(1), single, single.wrapping_add(1)].map(u64::from));
                doubles.extend([double.wrapping_sub(1), double, double.wrapping_add(1)]);
            }
        }
        singles.extend([0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0001, 0x7f80_0001, 0x0000_0001, 0x7f7f_ffff]);
        run(&bits_of(small, ElementType::F32), &[singles.clone()]);
        run(&bits_of(small, ElementType::F64), &[doubles.clone()]);
        // Rounded on the way, where the result is chosen before it is stored.
        let chosen = Operation::new("a chosen cast".to_owned(), &[ElementType::F32], small, move |operands| {
            let positive = compare(BinaryOp::Less, cast(ElementType::F32, int(0)), operands[0].clone());
            select(positive, cast(small, operands[0].clone()), constant(Constant::Float(1.5), small))
        });
        run(&chosen, &[singles.clone()]);
        let rounded = Operation::new("rounding".to_owned(), &[ElementType::F32], ElementType::F32, move |operands| {
            cast(ElementType::F32, cast(small, operands[0].clone()))
        });
        run(&rounded, &[singles]);
    }
}
