//! Expectations over small tensors, worked out by hand.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use dims::Sym;
use elements::ElementType;
use kernel::run::{Condition, Expectation, TensorExpr, TensorExprKind};
use kernel::typed::{BinaryOp, Constant, Kernel, MathFunction, ParamId, UnaryOp};
use syntax::span::Span;

use super::{ExpectError, Number, Outcome, Values, evaluate, initials_needed};
use crate::execute::{Argument, Control};
use crate::tensors::{Initial, Scalar, Tensor};
use testing::build::KernelBuilder;

fn expr(kind: TensorExprKind, shape: &[i64]) -> TensorExpr {
    TensorExpr { kind, shape: shape.iter().map(|&dimension| Sym::constant(dimension)).collect() }
}

fn parameter(id: u32, shape: &[i64]) -> TensorExpr {
    expr(TensorExprKind::Final(ParamId(id)), shape)
}

fn float(value: f64) -> TensorExpr {
    expr(TensorExprKind::Constant(Constant::Float(value)), &[])
}

fn binary(operator: BinaryOp, left: TensorExpr, right: TensorExpr) -> TensorExpr {
    let shape = if left.shape.is_empty() { right.shape.clone() } else { left.shape.clone() };
    TensorExpr { kind: TensorExprKind::Binary(operator, Box::new(left), Box::new(right)), shape }
}

fn equal(left: TensorExpr, right: TensorExpr) -> TensorExpr {
    binary(BinaryOp::Equal, left, right)
}

/// A kernel with `x` and a mutable `y` of the given type and shape, and their values.
fn kernel(element: ElementType, x: Tensor, y: Tensor) -> (Kernel, Vec<Argument>) {
    let mut builder = KernelBuilder::new("k", Sym::one(), Sym::one());
    for (name, tensor, mutable) in [("x", &x, false), ("y", &y, true)] {
        let shape: Vec<Sym> = tensor.shape().iter().map(|&dimension| Sym::constant(dimension as i64)).collect();
        builder.tensor(name, element, &shape, mutable);
    }
    (builder.finish(Vec::new()), vec![Argument::Tensor(x), Argument::Tensor(y)])
}

fn expectation(holds: TensorExpr, tolerance: Option<f64>) -> Expectation {
    Expectation { conditions: vec![Condition { holds, tolerance }], span: Span::default() }
}

fn check(
    kernel: &Kernel,
    finals: &[Argument],
    condition: TensorExpr,
    tolerance: Option<f64>,
) -> Result<Outcome, ExpectError> {
    let expectation = expectation(condition, tolerance);
    let values = Values { finals, initials: &BTreeMap::new(), files: &BTreeMap::new() };
    evaluate(kernel, &expectation, &BTreeMap::new(), values, &Control::default())
}

fn floats(shape: &[u64], values: &[f32]) -> Tensor {
    Tensor::from_slice(shape, values).unwrap()
}

#[test]
fn a_difference_within_the_tolerance_passes() {
    let (kernel, values) = kernel(ElementType::F32, floats(&[2], &[1.0, 1000.0]), floats(&[2], &[2.0, 2000.01]));
    let twice = || binary(BinaryOp::Multiply, float(2.0), parameter(0, &[2]));
    let Outcome::Passed { max_error } = check(&kernel, &values, equal(parameter(1, &[2]), twice()), None).unwrap()
    else {
        panic!("within 1e-5 of 2000")
    };
    assert!((0.009..0.011).contains(&max_error));
    let outcome = check(&kernel, &values, equal(parameter(1, &[2]), twice()), Some(1e-6)).unwrap();
    let Outcome::Failed { index, expected, actual, mismatches, .. } = outcome else { panic!("not within 1e-6") };
    assert_eq!((index, expected, mismatches), (vec![1], Number::Float(2000.0), 1));
    // In the digits of an f32, not in those that its value has as an f64.
    assert_eq!(actual, Number::Float(2000.01));
    // Written the other way round, the parameter is still what the kernel wrote.
    let outcome = check(&kernel, &values, equal(twice(), parameter(1, &[2])), Some(1e-6)).unwrap();
    assert!(matches!(outcome, Outcome::Failed { expected: Number::Float(2000.0), .. }));
}

#[test]
fn each_condition_has_a_tolerance_of_its_own() {
    let (kernel, values) = kernel(ElementType::F32, floats(&[1], &[1.0]), floats(&[1], &[1.01]));
    let values = Values { finals: &values, initials: &BTreeMap::new(), files: &BTreeMap::new() };
    let holds = |tolerances: &[Option<f64>]| {
        let condition = |tolerance: &Option<f64>| Condition {
            holds: equal(parameter(1, &[1]), parameter(0, &[1])),
            tolerance: *tolerance,
        };
        let conditions = tolerances.iter().map(condition).collect();
        let expectation = Expectation { conditions, span: Span::default() };
        let outcome = evaluate(&kernel, &expectation, &BTreeMap::new(), values, &Control::default()).unwrap();
        matches!(outcome, Outcome::Passed { .. })
    };
    assert!(holds(&[Some(0.1), Some(0.02)]) && holds(&[]));
    assert!(!holds(&[Some(0.1), None]) && !holds(&[Some(0.001), Some(0.1)]));
}

#[test]
fn nan_agrees_with_nan_and_an_infinity_with_itself_only() {
    let specials = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let (kernel, values) = kernel(ElementType::F32, floats(&[3], &specials), floats(&[3], &specials));
    let same = equal(parameter(1, &[3]), parameter(0, &[3]));
    assert_eq!(check(&kernel, &values, same, None), Ok(Outcome::Passed { max_error: 0.0 }));
    let outcome = check(&kernel, &values, equal(parameter(1, &[3]), float(f64::INFINITY)), Some(1e9)).unwrap();
    let Outcome::Failed { index, mismatches, max_error, .. } = outcome else { panic!("NaN is no infinity") };
    assert_eq!((index, mismatches, max_error), (vec![0], 2, f64::INFINITY));
}

#[test]
fn integers_are_exact() {
    let big = [i64::MAX, i64::MAX - 1];
    let x = Tensor::from_slice(&[2], &big).unwrap();
    let y = Tensor::from_slice(&[2], &[i64::MAX, i64::MAX]).unwrap();
    let (kernel, values) = kernel(ElementType::I64, x, y);
    let outcome = check(&kernel, &values, equal(parameter(1, &[2]), parameter(0, &[2])), Some(1.0)).unwrap();
    assert!(matches!(outcome, Outcome::Failed { ref index, max_error: 1.0, .. } if *index == [1]));
    // The sum overflows 64 bits and is exact all the same.
    let sum = expr(TensorExprKind::Sum(Box::new(parameter(0, &[2])), None), &[]);
    let expected = binary(
        BinaryOp::Subtract,
        binary(
            BinaryOp::Multiply,
            expr(TensorExprKind::Constant(Constant::Int(2)), &[]),
            expr(TensorExprKind::Constant(Constant::Int(i64::MAX)), &[]),
        ),
        expr(TensorExprKind::Constant(Constant::Int(1)), &[]),
    );
    assert_eq!(check(&kernel, &values, equal(sum, expected), None), Ok(Outcome::Passed { max_error: 0.0 }));
}

#[test]
fn views_move_elements() {
    let x = Tensor::initial(ElementType::F32, &[2, 3], Initial::Arange).unwrap();
    let transposed = floats(&[3, 2], &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let (kernel, values) = kernel(ElementType::F32, x, transposed);
    let x = || Box::new(parameter(0, &[2, 3]));
    let y = || Box::new(parameter(1, &[3, 2]));
    let conditions = [
        equal(*y(), expr(TensorExprKind::Permute(x(), vec![1, 0]), &[3, 2])),
        // Row 1 of x is the second column of y.
        equal(
            expr(TensorExprKind::Index(x(), Sym::constant(1)), &[3]),
            expr(
                TensorExprKind::Index(
                    Box::new(expr(TensorExprKind::Permute(y(), vec![1, 0]), &[2, 3])),
                    Sym::constant(1),
                ),
                &[3],
            ),
        ),
        equal(
            expr(TensorExprKind::Reshape(x()), &[3, 2]),
            expr(TensorExprKind::Reshape(Box::new(expr(TensorExprKind::Permute(y(), vec![1, 0]), &[2, 3]))), &[3, 2]),
        ),
        // Turned round twice is itself.
        equal(
            expr(TensorExprKind::Reverse(Box::new(expr(TensorExprKind::Reverse(x(), 1), &[2, 3])), 1), &[2, 3]),
            *x(),
        ),
        equal(
            expr(TensorExprKind::Slice(y(), Sym::constant(1), Sym::constant(3)), &[2, 2]),
            expr(
                TensorExprKind::Slice(
                    Box::new(expr(TensorExprKind::Permute(x(), vec![1, 0]), &[3, 2])),
                    Sym::constant(1),
                    Sym::constant(3),
                ),
                &[2, 2],
            ),
        ),
    ];
    for condition in conditions {
        assert_eq!(
            check(&kernel, &values, condition.clone(), None),
            Ok(Outcome::Passed { max_error: 0.0 }),
            "{condition:?}"
        );
    }
    let reversed = expr(TensorExprKind::Reverse(x(), 1), &[2, 3]);
    let outcome = check(&kernel, &values, equal(*x(), reversed), None).unwrap();
    assert!(matches!(
        outcome,
        Outcome::Failed { expected: Number::Float(2.0), actual: Number::Float(0.0), mismatches: 4, .. }
    ));
}

#[test]
fn reductions_along_each_dimension() {
    let x = Tensor::initial(ElementType::F32, &[2, 3], Initial::Arange).unwrap();
    let (kernel, values) = kernel(ElementType::F32, x, floats(&[3], &[3.0, 5.0, 7.0]));
    let x = || Box::new(parameter(0, &[2, 3]));
    let y = || Box::new(parameter(1, &[3]));
    let passes = [
        equal(*y(), expr(TensorExprKind::Sum(x(), Some(0)), &[3])),
        equal(
            expr(TensorExprKind::Maximum(y(), None), &[]),
            binary(BinaryOp::Add, expr(TensorExprKind::Maximum(x(), None), &[]), float(2.0)),
        ),
        equal(
            expr(TensorExprKind::Sum(Box::new(expr(TensorExprKind::Minimum(x(), Some(1)), &[2])), None), &[]),
            float(3.0),
        ),
        // A scalar spreads over any shape.
        binary(BinaryOp::LessEqual, *y(), expr(TensorExprKind::Maximum(y(), None), &[])),
        binary(
            BinaryOp::And,
            equal(expr(TensorExprKind::Sum(x(), None), &[]), float(15.0)),
            expr(TensorExprKind::Unary(UnaryOp::Not, Box::new(binary(BinaryOp::Less, *y(), float(3.0)))), &[3]),
        ),
    ];
    for condition in passes {
        assert_eq!(
            check(&kernel, &values, condition.clone(), None),
            Ok(Outcome::Passed { max_error: 0.0 }),
            "{condition:?}"
        );
    }
    let outcome = check(&kernel, &values, binary(BinaryOp::Greater, *y(), float(3.0)), None).unwrap();
    assert_eq!(
        outcome,
        Outcome::Failed {
            index: vec![0],
            expected: Number::Bool(true),
            actual: Number::Bool(false),
            max_error: 1.0,
            mismatches: 1
        }
    );
}

#[test]
fn long_sums_are_compensated_and_the_same_each_time() {
    let count = 3_000_000u64;
    let x = Tensor::initial(ElementType::F32, &[count], Initial::Constant(Scalar::F32(0.1))).unwrap();
    let (kernel, values) = kernel(ElementType::F32, x, floats(&[1], &[0.0]));
    let x = Box::new(parameter(0, &[count as i64]));
    let sum = expr(TensorExprKind::Sum(x, None), &[]);
    let exact = f64::from(0.1f32) * count as f64;
    assert_eq!(check(&kernel, &values, equal(sum, float(exact)), Some(1e-15)), Ok(Outcome::Passed { max_error: 0.0 }));
}

#[test]
fn numbers_of_8_bits_are_told_as_they_were_computed() {
    let mut x = Tensor::initial(ElementType::E4m3, &[2], Initial::Ones).unwrap();
    x.set(&[0], Scalar::constant(ElementType::E4m3, 448.0)).unwrap();
    let (kernel, values) = kernel(ElementType::E4m3, x, Tensor::zeros(ElementType::E4m3, &[2]).unwrap());
    let outcome = check(&kernel, &values, equal(parameter(0, &[2]), float(1.1)), None).unwrap();
    let Outcome::Failed { actual, expected, mismatches, .. } = outcome else { panic!("448 is not 1.1") };
    // One unit in the last place is within the tolerance.
    assert_eq!((actual, expected, mismatches), (Number::Float(448.0), Number::Float(1.1), 1));
    let cast = |value: f64| expr(TensorExprKind::Cast(ElementType::E4m3, Box::new(float(value))), &[]);
    let most = expr(TensorExprKind::Maximum(Box::new(parameter(0, &[2])), None), &[]);
    for value in [448.0, 1e9, f64::INFINITY] {
        let outcome = check(&kernel, &values, equal(most.clone(), cast(value)), Some(0.0));
        assert!(matches!(outcome, Ok(Outcome::Passed { .. })), "{value}");
    }
}

#[test]
fn casts_round_as_a_kernel_would() {
    let (kernel, values) = kernel(ElementType::F32, floats(&[2], &[0.1, 70000.0]), floats(&[2], &[0.0, 0.0]));
    let half = expr(TensorExprKind::Cast(ElementType::F16, Box::new(parameter(0, &[2]))), &[2]);
    let outcome = check(&kernel, &values, equal(half.clone(), float(0.0)), Some(0.0)).unwrap();
    let Outcome::Failed { actual, .. } = outcome else { panic!("0.1 is not 0") };
    assert_eq!(actual, Number::Float(0.1));
    // Where f16 would print both alike, all digits are told.
    let outcome = check(&kernel, &values, equal(half.clone(), float(0.1)), Some(0.0)).unwrap();
    let Outcome::Failed { actual, expected, .. } = outcome else { panic!("f16 rounds 0.1") };
    assert_eq!((actual, expected), (Number::Float(0.0999755859375), Number::Float(0.1)));
    let largest = expr(TensorExprKind::Maximum(Box::new(half), None), &[]);
    assert!(matches!(check(&kernel, &values, equal(largest, float(f64::INFINITY)), None), Ok(Outcome::Passed { .. })));
    let bytes = expr(TensorExprKind::Cast(ElementType::U8, Box::new(parameter(0, &[2]))), &[2]);
    let capped = expr(
        TensorExprKind::Math(
            MathFunction::Min,
            vec![bytes.clone(), expr(TensorExprKind::Constant(Constant::Int(255)), &[])],
        ),
        &[2],
    );
    assert_eq!(check(&kernel, &values, equal(bytes, capped), None), Ok(Outcome::Passed { max_error: 0.0 }));
}

/// 2 × 3 by 3 × 2, worked out by hand; and as two products of a row and a column.
#[test]
fn matrices_are_multiplied() {
    let x = floats(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let y = floats(&[3, 2], &[1.0, 0.5, 0.0, -1.0, 2.0, 0.0]);
    let (kernel, values) = kernel(ElementType::F32, x, y);
    let list = |numbers: &[f64], shape: &[i64]| {
        expr(TensorExprKind::List(numbers.iter().map(|number| float(*number)).collect()), shape)
    };
    let product = |left, right, shape: &[i64]| expr(TensorExprKind::Product(Box::new(left), Box::new(right)), shape);
    let passed =
        |condition| assert_eq!(check(&kernel, &values, condition, None), Ok(Outcome::Passed { max_error: 0.0 }));
    let factors = || (parameter(0, &[2, 3]), parameter(1, &[3, 2]));
    passed(equal(product(factors().0, factors().1, &[2, 2]), list(&[7.0, -1.5, 16.0, -3.0], &[2, 2])));
    let batches = |operand, shape: &[i64]| expr(TensorExprKind::Reshape(Box::new(operand)), shape);
    let (rows, columns) = (batches(factors().0, &[2, 1, 3]), batches(factors().1, &[2, 3, 1]));
    passed(equal(product(rows, columns, &[2, 1, 1]), list(&[2.0, 6.0], &[2, 1, 1])));
    let wrong = check(&kernel, &values, equal(product(factors().0, factors().0, &[2, 3]), float(0.0)), None);
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "the expectation multiplies matrices of the shapes [2, 3] and [2, 3], whose inner dimensions are not the same"
    );
}

/// Each sum of a row is computed once, and not for each element of the row: 300,000 elements take no noticeable time.
#[test]
fn a_reduction_that_is_extended_is_computed_once() {
    let shape = [1, 300_000];
    let ones = vec![1.0; 300_000];
    let (kernel, values) = kernel(ElementType::F32, floats(&[1, 300_000], &ones), floats(&[1, 300_000], &ones));
    let sum = expr(TensorExprKind::Sum(Box::new(parameter(0, &shape)), Some(1)), &[1]);
    let kept = expr(TensorExprKind::Reshape(Box::new(sum)), &[1, 1]);
    let extended = expr(TensorExprKind::Extend(Box::new(kept)), &shape);
    let scaled = binary(BinaryOp::Multiply, parameter(1, &shape), float(300_000.0));
    assert_eq!(check(&kernel, &values, equal(scaled, extended), None), Ok(Outcome::Passed { max_error: 0.0 }));
}

#[test]
fn a_product_that_no_memory_holds_is_refused() {
    let (kernel, values) = kernel(ElementType::F32, floats(&[0], &[]), floats(&[0], &[]));
    let ones = |shape: &[i64]| {
        let one = expr(TensorExprKind::Reshape(Box::new(expr(TensorExprKind::List(vec![float(1.0)]), &[1]))), &[1, 1]);
        expr(TensorExprKind::Extend(Box::new(one)), shape)
    };
    let product = TensorExprKind::Product(Box::new(ones(&[100_000, 1])), Box::new(ones(&[1, 100_000])));
    let sum = expr(TensorExprKind::Sum(Box::new(expr(product, &[100_000, 100_000])), None), &[]);
    let error = check(&kernel, &values, equal(sum, float(0.0)), None).unwrap_err().to_string();
    assert!(error.contains("[100000, 1] and [1, 100000], which together have more than 2^28 elements"), "{error}");
}

#[test]
fn products_of_integers_are_exact() {
    let x = Tensor::from_slice(&[1, 2], &[i64::MAX, i64::MAX]).unwrap();
    let y = Tensor::from_slice(&[2, 1], &[1i64, -1]).unwrap();
    let (kernel, values) = kernel(ElementType::I64, x, y);
    let product = TensorExprKind::Product(Box::new(parameter(0, &[1, 2])), Box::new(parameter(1, &[2, 1])));
    let zero = expr(TensorExprKind::Constant(Constant::Int(0)), &[]);
    let outcome = check(&kernel, &values, equal(expr(product, &[1, 1]), zero), None);
    assert_eq!(outcome, Ok(Outcome::Passed { max_error: 0.0 }));
}

#[test]
fn elements_along_a_dimension_of_extent_1_are_repeated() {
    let x = floats(&[2, 2], &[5.0, 5.0, 7.0, 7.0]);
    let (kernel, values) = kernel(ElementType::F32, x, floats(&[2, 1], &[5.0, 7.0]));
    let extended = expr(TensorExprKind::Extend(Box::new(parameter(1, &[2, 1]))), &[2, 2]);
    let outcome = check(&kernel, &values, equal(parameter(0, &[2, 2]), extended), None);
    assert_eq!(outcome, Ok(Outcome::Passed { max_error: 0.0 }));
}

#[test]
fn initial_values_are_asked_for_where_the_kernel_writes() {
    let (kernel, values) = kernel(ElementType::F32, floats(&[1], &[1.0]), floats(&[1], &[3.0]));
    let before = |id| expr(TensorExprKind::Initial(ParamId(id)), &[1]);
    let condition = equal(parameter(1, &[1]), binary(BinaryOp::Add, before(1), before(0)));
    let expectation = expectation(condition, None);
    assert_eq!(initials_needed(&kernel, &expectation).into_iter().collect::<Vec<_>>(), [ParamId(1)]);
    let none = BTreeMap::new();
    let run = |initials: &BTreeMap<ParamId, Argument>| {
        let values = Values { finals: &values, initials, files: &BTreeMap::new() };
        evaluate(&kernel, &expectation, &BTreeMap::new(), values, &Control::default())
    };
    assert_eq!(run(&none), Err(ExpectError::NoInitial("y".to_owned())));
    let kept = BTreeMap::from([(ParamId(1), Argument::Tensor(floats(&[1], &[2.0])))]);
    assert_eq!(run(&kept), Ok(Outcome::Passed { max_error: 0.0 }));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let (kernel, values) = kernel(ElementType::F32, floats(&[2], &[1.0, 2.0]), floats(&[3], &[3.0, 4.0, 5.0]));
    let text = |condition| check(&kernel, &values, condition, None).unwrap_err().to_string();
    assert_eq!(
        text(equal(parameter(1, &[3]), parameter(0, &[2]))),
        "the expectation combines the shapes [3] and [2] element by element, but with these sizes they are not the same"
    );
    let beyond = expr(TensorExprKind::Index(Box::new(parameter(1, &[3])), Sym::constant(3)), &[]);
    assert_eq!(text(equal(beyond, float(0.0))), "the expectation takes the index 3 of a dimension of 3");
    let empty = expr(TensorExprKind::Slice(Box::new(parameter(1, &[3])), Sym::zero(), Sym::zero()), &[0]);
    let largest = expr(TensorExprKind::Maximum(Box::new(empty), None), &[]);
    assert_eq!(
        text(equal(largest, float(0.0))),
        "the expectation asks for the maximum of no elements, which does not exist"
    );
    let cancel = AtomicBool::new(true);
    let control = Control { cancel: Some(&cancel), ..Control::default() };
    let expectation = expectation(equal(parameter(1, &[3]), float(0.0)), None);
    let values = Values { finals: &values, initials: &BTreeMap::new(), files: &BTreeMap::new() };
    assert_eq!(evaluate(&kernel, &expectation, &BTreeMap::new(), values, &control), Err(ExpectError::Cancelled));
}
