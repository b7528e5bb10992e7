//! Every operator, cast and math function of every element type at its edge values: machine code gives the bits that
//! the interpreter gives.

use std::collections::BTreeMap;

use elements::ElementType;
use shapewright_runtime::execute::{Argument, LaunchBounds};
use testing::build::cast;
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
        if let Err(problem) = interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut result, LaunchBounds::Proven) {
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
