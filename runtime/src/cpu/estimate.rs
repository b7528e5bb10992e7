//! Estimates of work, from which plans are chosen. The unit is a simple operation on one value.

use elements::ElementType;
use kernel::functions::Compute;
use kernel::typed::{Constant, Expr, ExprKind, MathFunction, Statement, StatementKind};

use super::helpers;

/// How often a loop of unknown length is taken to run.
const UNKNOWN_TRIPS: f64 = 16.0;

/// The number of iterations of a loop, where it is known, else a guess.
pub fn trips(low: &Expr, high: &Expr) -> f64 {
    constant_trips(low, high).map_or(UNKNOWN_TRIPS, |trips| trips as f64)
}

/// The number of iterations of a loop between constants.
pub fn constant_trips(low: &Expr, high: &Expr) -> Option<i64> {
    let value = |expr: &Expr| match expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(value),
        _ => None,
    };
    Some(value(high)?.checked_sub(value(low)?)?.max(0))
}

/// How many operations statements make, by estimate.
pub fn work(statements: &[Statement]) -> f64 {
    let mut sum = 0.0;
    for statement in statements {
        statement.own_expressions(&mut |expr| sum += expression_work(expr));
        sum += match &statement.kind {
            StatementKind::Assign { .. } => 0.0,
            StatementKind::Store { .. } => 1.0,
            StatementKind::Barrier(_) => 0.0,
            StatementKind::For { low, high, body, .. } => trips(low, high) * (1.0 + work(body)),
            StatementKind::If { then, otherwise, .. } => 1.0 + work(then).max(work(otherwise)),
        };
    }
    sum
}

/// How many operations an expression makes, by estimate. Indices are cheap: most of their work moves out of loops.
pub fn expression_work(expr: &Expr) -> f64 {
    match &expr.kind {
        _ if expr.element == ElementType::I64 && !expr.has_load() => 0.3,
        ExprKind::Load(access) => conversion_work(expr.element) + 1.0 + access.mask.as_ref().map_or(0.0, |_| 1.0),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => 1.0 + expression_work(operand),
        ExprKind::Binary(_, left, right) => {
            conversion_work(expr.element) + 1.0 + expression_work(left) + expression_work(right)
        }
        ExprKind::Select(condition, first, second) => {
            1.0 + expression_work(condition) + expression_work(first) + expression_work(second)
        }
        ExprKind::Math(function, arguments) => {
            let own = match function.operation().compute {
                Compute::Function(_) | Compute::Power => 15.0,
                Compute::Instruction => instruction_work(*function),
            };
            own + arguments.iter().map(expression_work).sum::<f64>()
        }
        _ => 0.2,
    }
}

/// How long a function takes that the processor has instructions for.
fn instruction_work(function: MathFunction) -> f64 {
    match function {
        MathFunction::Sqrt => 4.0,
        MathFunction::Floor | MathFunction::Ceil | MathFunction::Round => 2.0,
        _ => 1.0,
    }
}

/// What converting a half adds to an operation on one.
pub fn conversion_work(element: ElementType) -> f64 {
    match element {
        ElementType::F16 => 12.0,
        ElementType::Bf16 => 6.0,
        _ => 0.0,
    }
}

/// The widths that are worth trying for a body, the widest first, where there are so many iterations (if known).
pub fn widths(statements: &[Statement], iterations: Option<i64>) -> Vec<u32> {
    let (mut has_f16, mut has_wide, mut has_calls) = (false, false, false);
    Statement::walk_expressions(statements, &mut |expr| {
        has_f16 |= expr.element == ElementType::F16;
        // Indices are not data.
        has_wide |= expr.element.size_bytes() >= 4 && expr.element != ElementType::I64;
        has_calls |= matches!(expr.kind, ExprKind::Math(function, _) if helpers::strip(function).is_some());
    });
    let fits = |width: u32| match iterations {
        None => true,
        // A group that is not full is run one by one, so most groups must be full.
        Some(iterations) => {
            let width = i64::from(width);
            iterations >= width && (iterations % width == 0 || iterations >= 4 * width)
        }
    };
    let run = (has_f16 && helpers::half_runs().is_some()).then_some(helpers::HALF_RUN as u32);
    // Sixteen narrow elements are one vector in memory, and sixteen lanes one vector of what computes math functions.
    let sixteen = (!has_wide || has_calls).then_some(16);
    // A call costs as much as some vectors of what it computes.
    let calls = has_calls.then_some([64, 32]).into_iter().flatten();
    run.into_iter().chain(calls).chain(sixteen).chain([8, 4]).filter(|&width| fits(width)).collect()
}
