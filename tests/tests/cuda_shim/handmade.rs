//! Kernels with the structures that operators alone do not have: sizes, loops, variables, branches, layouts.

use std::collections::BTreeMap;

use dims::{Facts, Sym, Symbol};
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, Kernel, ParamKind};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Scalar, Tensor, random_value};
use testing::build::*;
use testing::collectives;
use testing::samples::saxpy_in_layout;

use super::check::Case;

/// All cases.
pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        case("sums of rows", row_sums(), &[("M", 37), ("N", 19)]),
        case("branches", branches(), &[("N", 500)]),
        case("sizes", sizes(), &[("M", 77), ("N", 6)]),
        case("gather", gather(), &[("N", 300)]),
        case("a loop whose end is stored over", moving_end(), &[("N", 64)]),
    ];
    for sample in collectives::samples() {
        let collectives::Sample { kernel, arguments, .. } = sample;
        cases.push(Case { what: kernel.name.to_string(), kernel, sizes: BTreeMap::new(), arguments });
    }
    for element in [ElementType::F32, ElementType::F16, ElementType::Bf16, ElementType::I32, ElementType::U8] {
        for layout in [[(0, false), (1, false)], [(1, false), (0, true)], [(1, true), (0, false)]] {
            if let Some(kernel) = saxpy_in_layout(element, 4, &layout) {
                cases.push(case(&format!("saxpy of {element} {layout:?}"), kernel, &[("N", 1024)]));
            }
        }
    }
    cases
}

fn case(what: &str, kernel: Kernel, values: &[(&str, i64)]) -> Case {
    sized(what, kernel, values.iter().map(|(name, value)| (symbol(name), *value)).collect())
}

/// A case with random arguments.
pub fn sized(what: &str, kernel: Kernel, sizes: BTreeMap<Symbol, i64>) -> Case {
    let arguments = kernel.params.iter().zip(0..).map(|(param, seed)| {
        let kind = param.element;
        match &param.kind {
            ParamKind::Scalar => Argument::Scalar(random_value(kind, seed, 0)),
            ParamKind::Tensor { shape, strides, .. } => {
                let value = |size: &Sym| size.evaluate(&|symbol| sizes.get(symbol).copied()).unwrap() as u64;
                let shape: Vec<u64> = shape.iter().map(value).collect();
                let strides: Vec<u64> = strides.iter().map(value).collect();
                let mut tensor = Tensor::strided(kind, &shape, &strides).unwrap();
                for offset in 0..tensor.storage_len() {
                    let value: Scalar = random_value(kind, seed, offset as u64);
                    tensor.set_at(offset, value).unwrap();
                }
                Argument::Tensor(tensor)
            }
        }
    });
    let arguments = arguments.collect();
    Case { what: what.to_owned(), kernel, sizes, arguments }
}

fn sym(name: &str) -> Sym {
    Sym::symbol(symbol(name))
}

fn blocks(count: &Sym, threads: i64) -> Sym {
    count.cdiv(&Sym::constant(threads), &Facts::empty()).unwrap()
}

fn less(left: Expr, right: Expr) -> Expr {
    compare(BinaryOp::Less, left, right)
}

/// `y[row] = Σ x[row, i]`, with a variable that is declared inside a branch and carried through a loop.
fn row_sums() -> Kernel {
    let (m, n) = (sym("M"), sym("N"));
    let mut builder = KernelBuilder::new("row-sums", blocks(&m, 32), Sym::constant(32));
    let x = builder.tensor("x", ElementType::F32, &[m.clone(), n.clone()], false);
    let y = builder.tensor("y", ElementType::F32, std::slice::from_ref(&m), true);
    let row = builder.local("row", ElementType::I64);
    let sum = builder.local("sum", ElementType::F32);
    let i = builder.local("row", ElementType::I64);
    let elements = identity(&m.checked_mul(&n).unwrap());
    let at = add(multiply(builder.read(row), size(&n)), builder.read(i));
    let element = builder.access(x, &elements, vec![at], Masking::None);
    let target = builder.access(y, &identity(&m), vec![builder.read(row)], Masking::None);
    let grown = add(builder.read(sum), builder.load(element));
    let body = vec![
        assign(row, builder.linear_id()),
        if_else(
            less(builder.read(row), size(&m)),
            vec![
                assign(sum, float(0.1)),
                for_loop(i, int(0), size(&n), vec![assign(sum, grown)]),
                store(target, builder.read(sum)),
            ],
            vec![],
        ),
    ];
    builder.finish(body)
}

/// A variable that both branches assign, one that only some iterations assign, and a nested condition.
fn branches() -> Kernel {
    let n = sym("N");
    let mut builder = KernelBuilder::new("branches", blocks(&n, 64), Sym::constant(64));
    let x = builder.tensor("x", ElementType::I32, std::slice::from_ref(&n), false);
    let y = builder.tensor("y", ElementType::I32, std::slice::from_ref(&n), true);
    let chosen = builder.local("chosen", ElementType::I32);
    let carried = builder.local("carried", ElementType::I32);
    let i = builder.local("i", ElementType::I64);
    let map = identity(&n);
    let load = |builder: &mut KernelBuilder| {
        let access = builder.access(x, &map, vec![builder.linear_id()], Masking::Full);
        builder.load(access)
    };
    let here = load(&mut builder);
    let number = |value| constant(Constant::Int(value), ElementType::I32);
    let target = builder.access(y, &map, vec![builder.linear_id()], Masking::Full);
    let even = compare(BinaryOp::Equal, binary(BinaryOp::FloorRemainder, builder.read(i), int(3)), int(1));
    let body = vec![
        if_else(
            less(here.clone(), number(0)),
            vec![assign(chosen, here.clone())],
            vec![if_else(
                compare(BinaryOp::Or, less(number(50), here.clone()), less(thread_id(), int(9))),
                vec![assign(chosen, multiply(here.clone(), number(7)))],
                vec![assign(chosen, number(i64::from(i32::MIN)))],
            )],
        ),
        for_loop(
            i,
            int(-2),
            int(5),
            vec![
                if_else(
                    even,
                    vec![assign(carried, add(builder.read(chosen), cast(ElementType::I32, builder.read(i))))],
                    vec![],
                ),
                assign(chosen, binary(BinaryOp::BitXor, builder.read(chosen), builder.read(carried))),
            ],
        ),
        store(target, builder.read(chosen)),
    ];
    builder.finish(body)
}

/// Sizes of every form: polynomials, quotients, remainders, minima, maxima; divisions of what may be negative.
fn sizes() -> Kernel {
    let (m, n, facts) = (sym("M"), sym("N"), Facts::empty());
    let three = Sym::constant(3);
    let difference = n.checked_sub(&m).unwrap();
    let mut values = vec![
        m.checked_mul(&m).unwrap().checked_sub(&n.checked_mul(&three).unwrap()).unwrap(),
        difference.clone(),
        difference.checked_floor_div(&three, &facts).unwrap(),
        difference.checked_remainder(&three, &facts).unwrap(),
        m.cdiv(&n, &facts).unwrap(),
        m.checked_remainder(&n, &facts).unwrap(),
        m.checked_min(&n, &facts).unwrap(),
        m.checked_max(&difference, &facts).unwrap(),
        Sym::constant(i64::MAX),
        Sym::constant(i64::MIN),
    ];
    let count = Sym::constant(values.len() as i64 + 2);
    let mut builder = KernelBuilder::new("sizes", Sym::one(), Sym::one());
    builder.kernel.symbols = [symbol("M"), symbol("N")].to_vec();
    let y = builder.tensor("float", ElementType::I64, std::slice::from_ref(&count), true);
    let map = identity(&count);
    let mut body = Vec::new();
    for (position, value) in (0..).zip(values.drain(..)) {
        let access = builder.access(y, &map, vec![int(position)], Masking::None);
        let value = Expr { kind: ExprKind::Size(value), element: ElementType::I64 };
        body.push(store(access, value));
    }
    let backwards = binary(BinaryOp::Subtract, thread_id(), size(&m));
    for (position, operator) in [(10, BinaryOp::FloorDivide), (11, BinaryOp::FloorRemainder)] {
        let access = builder.access(y, &map, vec![int(position)], Masking::None);
        body.push(store(access, binary(operator, backwards.clone(), size(&n))));
    }
    builder.finish(body)
}

/// `y[k] = x[index[k] + 1]` where that lies in the tensor: an index that comes from memory may be anything.
fn gather() -> Kernel {
    let n = sym("N");
    let mut builder = KernelBuilder::new("gather", blocks(&n, 128), Sym::constant(128));
    let x = builder.tensor("x", ElementType::Bf16, std::slice::from_ref(&n), false);
    let indices = builder.tensor("index", ElementType::I64, std::slice::from_ref(&n), false);
    let y = builder.tensor("y", ElementType::Bf16, std::slice::from_ref(&n), true);
    let map = identity(&n);
    let index = builder.access(indices, &map, vec![builder.linear_id()], Masking::Full);
    let at = add(builder.load(index), int(1));
    let element = builder.access(x, &map, vec![at], Masking::Full);
    let target = builder.access(y, &map, vec![builder.linear_id()], Masking::Full);
    let body = vec![store(target, builder.load(element))];
    builder.finish(body)
}

/// The end of a loop is evaluated once, although the loop stores over what it was read from.
fn moving_end() -> Kernel {
    let n = sym("N");
    let mut builder = KernelBuilder::new("moving-end", blocks(&n, 64), Sym::constant(64));
    let y = builder.tensor("y", ElementType::U8, std::slice::from_ref(&n), true);
    let i = builder.local("i", ElementType::I64);
    let map = identity(&n);
    let mut access = || builder.access(y, &map, vec![builder.linear_id()], Masking::Full);
    let (first, second, target) = (access(), access(), access());
    let end = cast(ElementType::I64, builder.load(first));
    let grown = add(builder.load(second), constant(Constant::Int(3), ElementType::U8));
    builder.finish(vec![for_loop(i, int(0), end, vec![store(target, grown)])])
}

/// `y[k] = x[k + 1]` without a mask: the last thread reads past the end.
pub fn past_the_end() -> Case {
    let n = sym("N");
    let mut builder = KernelBuilder::new("past-the-end", n.clone(), Sym::one());
    let x = builder.tensor("x", ElementType::F32, std::slice::from_ref(&n), false);
    let y = builder.tensor("y", ElementType::F32, std::slice::from_ref(&n), true);
    let map = identity(&n);
    let element = builder.access(x, &map, vec![add(builder.linear_id(), int(1))], Masking::None);
    let target = builder.access(y, &map, vec![builder.linear_id()], Masking::None);
    let body = vec![store(target, builder.load(element))];
    case("past the end", builder.finish(body), &[("N", 100)])
}
