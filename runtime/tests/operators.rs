//! Every operator, cast and math function of every element type at its edge values: machine code gives the bits that
//! the interpreter gives.

use std::collections::BTreeMap;

use shapewright_compiler::dims::Sym;
use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::typed::{BinaryOp, Expr, Kernel, MathFunction, UnaryOp};
use shapewright_runtime::execute::{Argument, BoundsMode};
use shapewright_runtime::interpreter::operation;
use shapewright_runtime::tensors::{self, Scalar, Tensor};
use shapewright_runtime::testing::build::*;
use shapewright_runtime::testing::compare::interpreter_and_cpu;

/// The bits of values at and around the edges of a type.
fn edges(element: ElementType) -> Vec<u64> {
    let bits = element.size_bytes() as u32 * 8;
    match element {
        ElementType::Bool => vec![0, 1],
        ElementType::F16 => float_edges(10, 5).into_iter().chain([0x3c00, 0x4248, 0xd640, 0x7bff, 0x3555]).collect(),
        ElementType::Bf16 => float_edges(7, 8).into_iter().chain([0x3f80, 0x4049, 0xc2c8, 0x3eab]).collect(),
        ElementType::F32 => float_edges(23, 8)
            .into_iter()
            .chain(
                [1.0f32, -2.5, 0.5, 1.5, 2.5, 255.5, -128.7, 65504.0, 65519.9, 65520.0, 3e9, -3e9, 1e19, 1e-5, 0.3]
                    .map(|value| u64::from(value.to_bits())),
            )
            .collect(),
        ElementType::F64 => float_edges(52, 11)
            .into_iter()
            .chain(
                [1.0f64, -2.5, 0.5, 1.5, 2.5, 255.5, -128.7, 65520.0, 3e9, 1e19, -1e19, 1e300, 1e-30, 0.3]
                    .map(f64::to_bits),
            )
            .collect(),
        _ => {
            let all = u64::MAX >> (64 - bits);
            let high = 1u64 << (bits - 1);
            [0, 1, 2, 3, 7, 31, 33, 100, high - 1, high, high + 1, all - 1, all, all / 3].map(|v| v & all).to_vec()
        }
    }
}

/// Zeros, subnormals, the largest, infinities, NaN, of both signs.
fn float_edges(fraction: u32, exponent: u32) -> Vec<u64> {
    let sign = 1u64 << (fraction + exponent);
    let infinity = ((1u64 << exponent) - 1) << fraction;
    let magnitudes = [
        0,
        1,
        (1 << fraction) - 1,
        1 << fraction,
        infinity - 1,
        infinity,
        infinity | (1 << (fraction - 1)),
        infinity / 2,
        infinity / 2 + 3,
    ];
    magnitudes.into_iter().flat_map(|magnitude| [magnitude, magnitude | sign]).collect()
}

fn tensor_of(element: ElementType, values: &[u64]) -> Argument {
    let kind = tensors::ElementType::from_name(element.name()).unwrap();
    let mut tensor = Tensor::zeros(kind, &[values.len() as u64]).unwrap();
    for (position, bits) in values.iter().enumerate() {
        tensor.set_at(position, Scalar::from_bytes(kind, bits.to_le_bytes())).unwrap();
    }
    Argument::Tensor(tensor)
}

/// Whether neighbouring elements belong to threads of one block, which run in vectors, or to blocks of one thread.
#[derive(Clone, Copy, Debug)]
enum Spread {
    Threads,
    Blocks,
}

/// `y[t] = operation(x0[t], …)` for one thread per element.
fn elementwise(
    spread: Spread,
    count: i64,
    inputs: &[ElementType],
    output: ElementType,
    make: impl Fn(Vec<Expr>) -> Expr,
) -> Kernel {
    let length = Sym::constant(count);
    let (blocks, threads, id) = match spread {
        Spread::Threads => (Sym::one(), length.clone(), thread_id()),
        Spread::Blocks => (length.clone(), Sym::one(), block_id()),
    };
    let mut builder = KernelBuilder::new("elementwise", blocks, threads);
    let map = identity(&length);
    let mut operands = Vec::new();
    for (position, &element) in inputs.iter().enumerate() {
        let x = builder.tensor(&format!("x{position}"), element, std::slice::from_ref(&length), false);
        let access = builder.access(x, &map, vec![id.clone()], Masking::None);
        operands.push(builder.load(access));
    }
    let y = builder.tensor("y", output, std::slice::from_ref(&length), true);
    let access = builder.access(y, &map, vec![id.clone()], Masking::None);
    builder.finish(vec![store(access, make(operands))])
}

/// Runs the operation on every combination of edge values.
fn check(what: &str, inputs: &[ElementType], output: ElementType, make: impl Fn(Vec<Expr>) -> Expr) {
    let mut columns: Vec<Vec<u64>> = vec![Vec::new(); inputs.len()];
    let values: Vec<Vec<u64>> = inputs.iter().map(|&element| edges(element)).collect();
    let count: usize = values.iter().map(Vec::len).product();
    for combination in 0..count {
        let mut rest = combination;
        for (column, values) in columns.iter_mut().zip(&values) {
            column.push(values[rest % values.len()]);
            rest /= values.len();
        }
    }
    for spread in [Spread::Threads, Spread::Blocks] {
        let kernel = elementwise(spread, count as i64, inputs, output, &make);
        let mut arguments: Vec<Argument> =
            inputs.iter().zip(&columns).map(|(&element, column)| tensor_of(element, column)).collect();
        arguments.push(tensor_of(output, &vec![0; count]));
        if let Err(problem) = interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsMode::Proven) {
            let position = problem.split("at ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
            let operands: Vec<String> = position.map_or_else(Vec::new, |position| {
                columns.iter().map(|column| format!("{:#x}", column[position])).collect()
            });
            panic!("{what} of {inputs:?} to {output} over {spread:?}: {problem}; operands {operands:?}");
        }
    }
}

const BINARY: [BinaryOp; 20] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::FloorDivide,
    BinaryOp::FloorRemainder,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::And,
    BinaryOp::Or,
];

#[test]
fn binary_operators() {
    for element in ElementType::ALL {
        for operator in BINARY.into_iter().filter(|&operator| operation::binary(operator, element).is_some()) {
            let is_bool = operation::is_comparison(operator) || element == ElementType::Bool;
            let output = if is_bool { ElementType::Bool } else { element };
            check(&format!("{operator:?}"), &[element, element], output, |operands| {
                let [left, right] = <[Expr; 2]>::try_from(operands).unwrap();
                if is_bool { compare(operator, left, right) } else { binary(operator, left, right) }
            });
        }
    }
}

#[test]
fn unary_operators_and_choices() {
    for element in ElementType::ALL {
        for operator in [UnaryOp::Negate, UnaryOp::Not] {
            if operation::unary(operator, element).is_some() {
                check(&format!("{operator:?}"), &[element], element, |mut operands| {
                    unary(operator, operands.remove(0))
                });
            }
        }
        check("select", &[ElementType::Bool, element, element], element, |operands| {
            let [condition, first, second] = <[Expr; 3]>::try_from(operands).unwrap();
            select(condition, first, second)
        });
    }
}

#[test]
fn casts() {
    for from in ElementType::ALL {
        for to in ElementType::ALL {
            check("cast", &[from], to, |mut operands| cast(to, operands.remove(0)));
        }
    }
}

#[test]
fn math_functions() {
    let functions = [
        MathFunction::Abs,
        MathFunction::Min,
        MathFunction::Max,
        MathFunction::Sqrt,
        MathFunction::Rsqrt,
        MathFunction::Exp,
        MathFunction::Exp2,
        MathFunction::Log,
        MathFunction::Log2,
        MathFunction::Sin,
        MathFunction::Cos,
        MathFunction::Tanh,
        MathFunction::Floor,
        MathFunction::Ceil,
        MathFunction::Round,
        MathFunction::Pow,
        MathFunction::Fma,
    ];
    for element in ElementType::ALL {
        for function in functions {
            let operands = match operation::math(function, element) {
                None => continue,
                Some(operation::Function::One(_)) => 1,
                Some(operation::Function::Two(_)) => 2,
                Some(operation::Function::Three(_)) => 3,
            };
            check(&format!("{function:?}"), &vec![element; operands], element, |operands| {
                math(function, element, operands)
            });
        }
    }
}

/// All f16 and bf16 values, and f32 values around every rounding boundary of theirs.
#[test]
fn half_conversions_are_exact() {
    let convert = |from: ElementType, to: ElementType, values: &[u64]| {
        let mut converted = Vec::new();
        for spread in [Spread::Threads, Spread::Blocks] {
            let kernel =
                elementwise(spread, values.len() as i64, &[from], to, |mut operands| cast(to, operands.remove(0)));
            let mut arguments = vec![tensor_of(from, values), tensor_of(to, &vec![0; values.len()])];
            interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsMode::Proven).unwrap();
            converted = arguments;
        }
        converted.remove(1)
    };
    for half in [ElementType::F16, ElementType::Bf16] {
        let all: Vec<u64> = (0..=u64::from(u16::MAX)).collect();
        let Argument::Tensor(wide) = convert(half, ElementType::F32, &all) else { panic!("a tensor") };
        let mut near = Vec::new();
        for pair in wide.as_slice::<f32>().unwrap().windows(2) {
            let middle = f32::midpoint(pair[0], pair[1]).to_bits();
            near.extend([middle.wrapping_sub(1), middle, middle.wrapping_add(1), pair[0].to_bits()].map(u64::from));
        }
        convert(ElementType::F32, half, &near);
        // Rounded on the way, where the result is not stored as it is.
        for spread in [Spread::Threads, Spread::Blocks] {
            let kernel =
                elementwise(spread, near.len() as i64, &[ElementType::F32], ElementType::F32, |mut operands| {
                    cast(ElementType::F32, cast(half, operands.remove(0)))
                });
            let mut arguments =
                vec![tensor_of(ElementType::F32, &near), tensor_of(ElementType::F32, &vec![0; near.len()])];
            interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsMode::Proven).unwrap();
        }
    }
}
