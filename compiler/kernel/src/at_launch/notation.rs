//! Index expressions of a typed kernel in the notation of the language.

use crate::typed::{BinaryOp, Constant, Expr, ExprKind, Kernel, UnaryOp};

/// The precedence of operators.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Sum,
    Product,
    Operand,
}

/// The text of an expression. The ids are called `block` and `thread`; anything but index arithmetic is `…`.
pub(super) fn notation(expr: &Expr, kernel: &Kernel) -> String {
    text(expr, kernel).0
}

fn text(expr: &Expr, kernel: &Kernel) -> (String, Level) {
    let operand = |text: String| (text, Level::Operand);
    match &expr.kind {
        ExprKind::Constant(Constant::Int(value)) => operand(value.to_string()),
        ExprKind::Size(size) => {
            let is_one_word = size.as_symbol().is_some() || size.as_constant().is_some();
            (size.to_string(), if is_one_word { Level::Operand } else { Level::Sum })
        }
        ExprKind::Scalar(param) => operand(kernel.params.get(*param).map_or("…", |param| &param.name).to_owned()),
        ExprKind::Local(local) => operand(kernel.locals.get(*local).map_or("…", |local| &local.name).to_owned()),
        ExprKind::BlockId => operand("block".to_owned()),
        ExprKind::ThreadId => operand("thread".to_owned()),
        ExprKind::Cast(inner) => operand(format!("{}({})", expr.element, text(inner, kernel).0)),
        ExprKind::Bits(inner) => operand(format!("bitcast({}, {})", expr.element, text(inner, kernel).0)),
        ExprKind::Unary(UnaryOp::Negate, inner) => operand(format!("-{}", at_least(inner, Level::Operand, kernel))),
        ExprKind::Binary(op, left, right) => {
            let Some((sign, level, right_level)) = operator(*op) else { return operand("…".to_owned()) };
            let (left, right) = (at_least(left, level, kernel), at_least(right, right_level, kernel));
            (format!("{left} {sign} {right}"), level)
        }
        _ => operand("…".to_owned()),
    }
}

/// The symbol of an operator, its precedence, and the least precedence of its right operand.
fn operator(op: BinaryOp) -> Option<(&'static str, Level, Level)> {
    Some(match op {
        BinaryOp::Add => ("+", Level::Sum, Level::Sum),
        BinaryOp::Subtract => ("-", Level::Sum, Level::Product),
        BinaryOp::Multiply => ("*", Level::Product, Level::Operand),
        BinaryOp::Divide | BinaryOp::FloorDivide => ("/", Level::Product, Level::Operand),
        BinaryOp::Remainder | BinaryOp::FloorRemainder => ("%", Level::Product, Level::Operand),
        _ => return None,
    })
}

fn at_least(expr: &Expr, level: Level, kernel: &Kernel) -> String {
    let (text, own) = text(expr, kernel);
    if own < level { format!("({text})") } else { text }
}
