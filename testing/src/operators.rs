//! Every operator, cast and math function of every element type, with its edge values, for comparisons of executors
//! with the interpreter.

use dims::Sym;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, Kernel, MathFunction, UnaryOp};

use super::build::{
    KernelBuilder, Masking, binary, bits, boolean, cast, compare, constant, identity, math, select, store, unary,
};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Scalar, Tensor, TensorError};

/// Makes an expression of its operands.
type Make = Box<dyn Fn(&[Expr]) -> Expr>;

/// An operation on elements.
pub struct Operation {
    /// Its description, for messages.
    pub what: String,
    /// The types of its operands.
    pub inputs: Vec<ElementType>,
    /// The type of its result.
    pub output: ElementType,
    make: Make,
}

/// The operators of two operands of a type.
pub fn binary_operators(element: ElementType) -> Vec<Operation> {
    each_binary(element, |operator, output| {
        vec![Operation::new(format!("{operator:?}"), &[element; 2], output, move |operands| {
            join(operator, output, operands[0].clone(), operands[1].clone())
        })]
    })
}

/// The operators with a constant on either side, which code generators treat specially.
pub fn operators_with_constants(element: ElementType) -> Vec<Operation> {
    each_binary(element, |operator, output| {
        let with = |value: Constant| {
            let what = format!("{operator:?} {value:?}");
            [true, false].map(|on_the_left| {
                Operation::new(what.clone(), &[element], output, move |operands| {
                    let (operand, constant) = (operands[0].clone(), constant(value, element));
                    let (left, right) = if on_the_left { (constant, operand) } else { (operand, constant) };
                    join(operator, output, left, right)
                })
            })
        };
        constants(element).into_iter().flat_map(with).collect()
    })
}

fn each_binary(element: ElementType, make: impl Fn(BinaryOp, ElementType) -> Vec<Operation>) -> Vec<Operation> {
    let defined = BinaryOp::ALL.into_iter().filter(|operator| operator.is_defined_on(element));
    defined
        .flat_map(|operator| make(operator, if operator.gives_bool() { ElementType::Bool } else { element }))
        .collect()
}

fn join(operator: BinaryOp, output: ElementType, left: Expr, right: Expr) -> Expr {
    if output == ElementType::Bool { compare(operator, left, right) } else { binary(operator, left, right) }
}

fn constants(element: ElementType) -> Vec<Constant> {
    match element {
        ElementType::Bool => vec![Constant::Bool(true)],
        _ if element.is_float() => [0.1, -0.0, f64::INFINITY, f64::NAN].map(Constant::Float).to_vec(),
        _ if element.is_signed() => {
            let least = i64::MIN >> (64 - 8 * element.size_bytes());
            [0, 3, -1, least, !least].map(Constant::Int).to_vec()
        }
        ElementType::U64 => vec![Constant::Int(0), Constant::Int(3), Constant::Unsigned(u64::MAX)],
        _ => [0, 3, (1i64 << (8 * element.size_bytes())) - 1].map(Constant::Int).to_vec(),
    }
}

/// The operators of one operand, and choices.
pub fn unary_operators(element: ElementType) -> Vec<Operation> {
    let defined = UnaryOp::ALL.into_iter().filter(|operator| operator.is_defined_on(element));
    let mut operations: Vec<Operation> = defined
        .map(|operator| {
            let what = format!("{operator:?}");
            Operation::new(what, &[element], element, move |operands| unary(operator, operands[0].clone()))
        })
        .collect();
    operations.push(Operation::new("select".to_owned(), &[ElementType::Bool, element, element], element, |operands| {
        select(operands[0].clone(), operands[1].clone(), operands[2].clone())
    }));
    operations.push(Operation::new(
        "select of a constant".to_owned(),
        &[ElementType::Bool, element],
        element,
        move |operands| {
            let other = match element {
                ElementType::Bool => boolean(false),
                _ if element.is_float() => constant(Constant::Float(1.5), element),
                _ => constant(Constant::Int(5), element),
            };
            select(operands[0].clone(), operands[1].clone(), other)
        },
    ));
    operations
}

/// The casts from a type to every type.
pub fn casts(from: ElementType) -> Vec<Operation> {
    let to = |to| Operation::new("cast".to_owned(), &[from], to, move |operands| cast(to, operands[0].clone()));
    ElementType::ALL.into_iter().map(to).chain(bit_casts(from)).collect()
}

/// The bit casts of a type: between a float and the unsigned integer of its size.
fn bit_casts(from: ElementType) -> impl Iterator<Item = Operation> {
    let is_pair = move |to: ElementType| {
        let (float, integer) = if from.is_float() { (from, to) } else { (to, from) };
        float.is_float() && ElementType::unsigned(float.bits()) == Some(integer)
    };
    let to = move |to| Operation::new("bits".to_owned(), &[from], to, move |operands| bits(to, operands[0].clone()));
    ElementType::ALL.into_iter().filter(move |to| is_pair(*to)).map(to)
}

/// The math functions of a type.
pub fn math_functions(element: ElementType) -> Vec<Operation> {
    let make = |function: MathFunction| {
        let inputs = vec![element; function.operation().operands];
        Operation::new(format!("{function:?}"), &inputs, element, move |operands| {
            math(function, element, operands.to_vec())
        })
    };
    let defined = MathFunction::ALL.iter().copied().filter(|function| function.is_defined_on(element));
    defined.map(make).collect()
}

impl Operation {
    /// An operation of the given types.
    pub fn new(
        what: String,
        inputs: &[ElementType],
        output: ElementType,
        make: impl Fn(&[Expr]) -> Expr + 'static,
    ) -> Operation {
        let what = format!("{what} of {inputs:?} to {output}");
        Operation { what, inputs: inputs.to_vec(), output, make: Box::new(make) }
    }

    /// All combinations of the operands' edge values: a column for each operand.
    pub fn combinations(&self) -> Vec<Vec<u64>> {
        let values: Vec<Vec<u64>> = self.inputs.iter().map(|&element| edges(element)).collect();
        let count: usize = values.iter().map(Vec::len).product();
        let mut repeat = 1;
        let mut columns = Vec::new();
        for values in &values {
            columns.push((0..count).map(|row| values[row / repeat % values.len()]).collect());
            repeat *= values.len();
        }
        columns
    }

    /// The kernel `y[k] = operation(x0[k], …)` for this number of elements, in blocks of `threads` threads.
    pub fn kernel(&self, elements: usize, threads: usize) -> Kernel {
        let length = Sym::constant(elements as i64);
        let blocks = elements.div_ceil(threads);
        let mut builder = KernelBuilder::new("operator", Sym::constant(blocks as i64), Sym::constant(threads as i64));
        let masking = if blocks * threads == elements { Masking::None } else { Masking::Full };
        let map = identity(&length);
        let at = vec![builder.linear_id()];
        let mut operands = Vec::new();
        for (position, &element) in self.inputs.iter().enumerate() {
            let x = builder.tensor(&format!("x{position}"), element, std::slice::from_ref(&length), false);
            let access = builder.access(x, &map, at.clone(), masking);
            operands.push(builder.load(access));
        }
        let y = builder.tensor("y", self.output, std::slice::from_ref(&length), true);
        let access = builder.access(y, &map, at, masking);
        builder.finish(vec![store(access, (self.make)(&operands))])
    }

    /// The arguments of [`Operation::kernel`]: the operands, and zeros for the result.
    pub fn arguments(&self, columns: &[Vec<u64>]) -> Result<Vec<Argument>, TensorError> {
        let mut arguments = Vec::new();
        for (&element, column) in self.inputs.iter().zip(columns) {
            arguments.push(tensor(element, column)?);
        }
        arguments.push(tensor(self.output, &vec![0; columns.first().map_or(0, Vec::len)])?);
        Ok(arguments)
    }
}

/// A one-dimensional tensor with these elements.
pub fn tensor(element: ElementType, values: &[u64]) -> Result<Argument, TensorError> {
    let mut tensor = Tensor::zeros(element, &[values.len() as u64])?;
    for (position, &bits) in values.iter().enumerate() {
        tensor.set_at(position, Scalar::from_bits(element, bits))?;
    }
    Ok(Argument::Tensor(tensor))
}

/// The zero-extended bits of a type's edge values and their neighbours.
pub fn edges(element: ElementType) -> Vec<u64> {
    match element {
        ElementType::Bool => vec![0, 1],
        ElementType::E4m3 => floats(3, 4, &[0x7e, 0xfe, 0x7f, 0xff, 0x39, 0x6b]),
        ElementType::E5m2 => floats(2, 5, &[0x7d, 0xff, 0x3d, 0x66]),
        // With what is just rounded to the largest numbers of 8 bits, and beyond.
        ElementType::F16 => floats(10, 5, &[0x3c00, 0x4248, 0xd640, 0x7bff, 0x3555, 0x5f40, 0x5f41, 0x7b80, 0x7b81]),
        ElementType::Bf16 => floats(7, 8, &[0x3f80, 0x4049, 0xc2c8, 0x3eab]),
        ElementType::F32 => floats(
            23,
            8,
            &[
                1.0f32,
                -2.5,
                0.5,
                1.5,
                2.5,
                255.5,
                -128.7,
                65504.0,
                65519.9,
                65520.0,
                3e9,
                -3e9,
                1e19,
                1e-5,
                0.3,
                464.0,
                -464.1,
                61440.0,
                -61441.0,
                0.000_976_562_5,
                0.000_976_563,
                7.629_394_5e-6,
                7.63e-6,
            ]
            .map(|value| u64::from(value.to_bits())),
        ),
        ElementType::F64 => floats(
            52,
            11,
            &[
                1.0f64,
                -2.5,
                0.5,
                1.5,
                2.5,
                255.5,
                -128.7,
                65520.0,
                3e9,
                1e19,
                -1e19,
                1e300,
                1e-30,
                0.3,
                464.0,
                -464.1,
                61440.0,
                1.0625 + f64::EPSILON,
                1.125 - f64::EPSILON,
            ]
            .map(f64::to_bits),
        ),
        _ => {
            let all = u64::MAX >> (64 - 8 * element.size_bytes());
            let high = all / 2 + 1;
            [0, 1, 2, 3, 7, 31, 33, 100, high - 1, high, high + 1, all - 1, all, all / 3].map(|v| v & all).to_vec()
        }
    }
}

/// Zeros, subnormal numbers, the largest numbers, infinities and NaN with both signs, and `more`.
fn floats(fraction: u32, exponent: u32, more: &[u64]) -> Vec<u64> {
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
    let both = magnitudes.into_iter().flat_map(|magnitude| [magnitude, magnitude | sign]);
    both.chain(more.iter().copied()).collect()
}
