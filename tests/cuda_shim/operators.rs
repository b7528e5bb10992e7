//! Every operator, cast and math function of every element type, on every pair of edge values.

use std::collections::BTreeMap;

use shapewright_compiler::dims::Sym;
use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::typed::{BinaryOp, Constant, Expr, MathFunction, UnaryOp};
use shapewright_runtime::interpreter::operation::{self, Function};
use shapewright_runtime::testing::build::*;

use crate::check::Case;
use crate::edges::{edges, tensor};

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

const MATH: [MathFunction; 17] = [
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

/// All cases.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for element in ElementType::ALL {
        binary_operators(element, &mut cases);
        unary_operators(element, &mut cases);
        math_functions(element, &mut cases);
        for to in ElementType::ALL {
            cases.push(elementwise("cast", &[element], to, |operands| cast(to, operands[0].clone())));
        }
    }
    cases
}

fn binary_operators(element: ElementType, cases: &mut Vec<Case>) {
    for operator in BINARY.into_iter().filter(|&operator| operation::binary(operator, element).is_some()) {
        let is_bool = operation::is_comparison(operator) || element == ElementType::Bool;
        let output = if is_bool { ElementType::Bool } else { element };
        let join = |left, right| {
            if is_bool { compare(operator, left, right) } else { binary(operator, left, right) }
        };
        let what = format!("{operator:?}");
        cases.push(elementwise(&what, &[element, element], output, |operands| {
            join(operands[0].clone(), operands[1].clone())
        }));
        // A constant operand takes other ways through the emitter.
        for value in constants(element) {
            let what = format!("{operator:?} {value:?}");
            let right = constant(value, element);
            cases.push(elementwise(&what, &[element], output, |operands| join(operands[0].clone(), right.clone())));
            let left = constant(value, element);
            cases.push(elementwise(&what, &[element], output, |operands| join(left.clone(), operands[0].clone())));
        }
    }
}

fn constants(element: ElementType) -> Vec<Constant> {
    match element {
        ElementType::Bool => vec![Constant::Bool(true)],
        _ if element.is_float() => [0.1, -0.0, f64::INFINITY, f64::NAN].map(Constant::Float).to_vec(),
        _ if element.is_signed() => {
            let least = i64::MIN >> (64 - 8 * element.size_bytes());
            [0, 3, -1, least, !least].map(Constant::Int).to_vec()
        }
        ElementType::U64 => [0, 3, -1].map(Constant::Int).to_vec(),
        _ => [0, 3, (1i64 << (8 * element.size_bytes())) - 1].map(Constant::Int).to_vec(),
    }
}

fn unary_operators(element: ElementType, cases: &mut Vec<Case>) {
    for operator in [UnaryOp::Negate, UnaryOp::Not] {
        if operation::unary(operator, element).is_some() {
            let what = format!("{operator:?}");
            cases.push(elementwise(&what, &[element], element, |operands| unary(operator, operands[0].clone())));
        }
    }
    cases.push(elementwise("select", &[ElementType::Bool, element], element, |operands| {
        let zero = match element {
            ElementType::Bool => boolean(false),
            _ if element.is_float() => constant(Constant::Float(1.5), element),
            _ => constant(Constant::Int(5), element),
        };
        select(operands[0].clone(), operands[1].clone(), zero)
    }));
}

fn math_functions(element: ElementType, cases: &mut Vec<Case>) {
    for function in MATH {
        let operands = match operation::math(function, element) {
            None => continue,
            Some(Function::One(_)) => 1,
            Some(Function::Two(_)) => 2,
            Some(Function::Three(_)) => 3,
        };
        let what = format!("{function:?}");
        cases.push(elementwise(&what, &vec![element; operands], element, |operands| {
            math(function, element, operands.to_vec())
        }));
    }
}

/// `y[k] = make(x0[k], …)` for every combination of edge values, 256 threads in a block.
fn elementwise(what: &str, inputs: &[ElementType], output: ElementType, make: impl Fn(&[Expr]) -> Expr) -> Case {
    let values: Vec<Vec<u64>> = inputs.iter().map(|&element| edges(element)).collect();
    let count: usize = values.iter().map(Vec::len).product();
    let mut columns: Vec<Vec<u64>> = vec![Vec::new(); inputs.len()];
    for combination in 0..count {
        let mut rest = combination;
        for (column, values) in columns.iter_mut().zip(&values) {
            column.push(values[rest % values.len()]);
            rest /= values.len();
        }
    }
    let (kernel, sizes) = {
        let length = Sym::constant(count as i64);
        let mut builder = KernelBuilder::new("operator", Sym::constant(count.div_ceil(256) as i64), Sym::constant(256));
        let map = identity(&length);
        let mut operands = Vec::new();
        for (position, &element) in inputs.iter().enumerate() {
            let x = builder.tensor(&format!("x{position}"), element, std::slice::from_ref(&length), false);
            let access = builder.access(x, &map, vec![builder.linear_id()], Masking::Full);
            operands.push(builder.load(access));
        }
        let y = builder.tensor("y", output, std::slice::from_ref(&length), true);
        let access = builder.access(y, &map, vec![builder.linear_id()], Masking::Full);
        (builder.finish(vec![store(access, make(&operands))]), BTreeMap::new())
    };
    let mut arguments: Vec<_> = inputs.iter().zip(&columns).map(|(&element, column)| tensor(element, column)).collect();
    arguments.push(tensor(output, &vec![0; count]));
    let what = format!("{what} of {inputs:?} to {output}");
    Case { what, kernel, sizes, arguments }
}
