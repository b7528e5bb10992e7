//! Calls of functions in kernels.

use super::operands::{Operand, cast};
use super::{Checker, ElementType};
use crate::diagnostics;
use crate::kernels::typed::{BinaryOp, Expr, ExprKind, MathFunction};
use crate::syntax::span::Span;
use crate::syntax::tree::Argument;

/// The functions of one argument on floats.
const FLOAT_FUNCTIONS: &[(&str, MathFunction)] = &[
    ("sqrt", MathFunction::Sqrt),
    ("rsqrt", MathFunction::Rsqrt),
    ("exp", MathFunction::Exp),
    ("exp2", MathFunction::Exp2),
    ("log", MathFunction::Log),
    ("log2", MathFunction::Log2),
    ("sin", MathFunction::Sin),
    ("cos", MathFunction::Cos),
    ("tanh", MathFunction::Tanh),
    ("floor", MathFunction::Floor),
    ("ceil", MathFunction::Ceil),
    ("round", MathFunction::Round),
];

/// The functions of two integers that work on their bits.
const BIT_FUNCTIONS: &[(&str, BinaryOp)] = &[
    ("bit_and", BinaryOp::BitAnd),
    ("bit_or", BinaryOp::BitOr),
    ("bit_xor", BinaryOp::BitXor),
    ("shift_left", BinaryOp::ShiftLeft),
    ("shift_right", BinaryOp::ShiftRight),
];

const OTHER_FUNCTIONS: &[&str] = &["abs", "min", "max", "pow", "fma", "cdiv"];

/// Every function that a kernel can call, for completion and suggestions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let casts = ElementType::ALL.into_iter().map(ElementType::name);
    let floats = FLOAT_FUNCTIONS.iter().map(|(name, _)| *name);
    let bits = BIT_FUNCTIONS.iter().map(|(name, _)| *name);
    floats.chain(bits).chain(OTHER_FUNCTIONS.iter().copied()).chain(casts)
}

impl Checker<'_> {
    /// `name(args)` of a function that kernels have.
    pub(super) fn call(&mut self, name: &str, args: &[Argument], name_span: Span, span: Span) -> Option<Operand> {
        let operands: Vec<Option<Operand>> = args.iter().map(|arg| self.operand(&arg.value)).collect();
        let operands = operands.into_iter().collect::<Option<Vec<_>>>()?;
        let spans: Vec<Span> = args.iter().map(|arg| arg.value.span).collect();
        if let Some(element) = ElementType::from_name(name) {
            let [operand] = self.exactly(name, operands, span)?;
            return self.conversion(operand, element, span);
        }
        if let Some((_, function)) = FLOAT_FUNCTIONS.iter().find(|(known, _)| *known == name) {
            let [operand] = self.exactly(name, operands, span)?;
            let element = self.float_type(&operand, span)?;
            let value = self.coerce(operand, element, span)?;
            return Some(math(*function, vec![value], element));
        }
        if let Some((_, op)) = BIT_FUNCTIONS.iter().find(|(known, _)| *known == name) {
            let [left, right] = self.exactly(name, operands, span)?;
            let (left, right) = self.unify(left, right, pair(&spans, span))?;
            if !left.element.is_integer() {
                return self.report(diagnostics::type_mismatch(span, "integers", &format!("`{}`", left.element)));
            }
            let element = left.element;
            let kind = ExprKind::Binary(*op, Box::new(left), Box::new(right));
            return Some(Operand::Typed(Expr { kind, element }));
        }
        match name {
            "abs" => {
                let [operand] = self.exactly(name, operands, span)?;
                let value = self.natural(operand, span)?;
                self.number(&value, span)?;
                let element = value.element;
                Some(math(MathFunction::Abs, vec![value], element))
            }
            "cdiv" | "min" | "max" if operands.iter().all(|operand| matches!(operand, Operand::Int(_))) => {
                let [left, right] = self.exactly(name, operands, span)?;
                self.folded_call(name, &left, &right, span)
            }
            "min" | "max" => {
                let function = if name == "min" { MathFunction::Min } else { MathFunction::Max };
                let [left, right] = self.exactly(name, operands, span)?;
                let (left, right) = self.unify(left, right, pair(&spans, span))?;
                self.number(&left, span)?;
                let element = left.element;
                Some(math(function, vec![left, right], element))
            }
            "pow" => {
                let [left, right] = self.exactly(name, operands, span)?;
                let (left, right) = self.unify(left, right, pair(&spans, span))?;
                self.float(&left, span)?;
                let element = left.element;
                Some(math(MathFunction::Pow, vec![left, right], element))
            }
            "fma" => {
                let [a, b, c] = self.exactly(name, operands, span)?;
                let typed = [&a, &b, &c].into_iter().find_map(|operand| match operand {
                    Operand::Typed(expr) => Some(expr.element),
                    _ => None,
                });
                let element = typed.unwrap_or(ElementType::F32);
                let values = [a, b, c].map(|operand| self.coerce(operand, element, span));
                let values = values.into_iter().collect::<Option<Vec<_>>>()?;
                self.float(values.first()?, span)?;
                Some(math(MathFunction::Fma, values, element))
            }
            _ => {
                let nearest = crate::names::nearest(name, functions());
                self.report(diagnostics::unknown_function(name_span, name, nearest))
            }
        }
    }

    fn conversion(&mut self, operand: Operand, element: ElementType, span: Span) -> Option<Operand> {
        let value = match operand {
            Operand::Int(_) if element != ElementType::Bool => self.coerce(operand, element, span)?,
            Operand::Float(_) if element.is_float() => self.coerce(operand, element, span)?,
            other => {
                let value = self.natural(other, span)?;
                cast(value, element)
            }
        };
        Some(Operand::Typed(value))
    }

    fn exactly<const N: usize>(&mut self, name: &str, operands: Vec<Operand>, span: Span) -> Option<[Operand; N]> {
        let found = operands.len();
        match <[Operand; N]>::try_from(operands) {
            Ok(operands) => Some(operands),
            Err(_) => self.report(diagnostics::wrong_index_count(span, name, N, found)),
        }
    }

    /// The float type that an operand has or takes.
    fn float_type(&mut self, operand: &Operand, span: Span) -> Option<ElementType> {
        match operand {
            Operand::Typed(expr) => self.float(expr, span).map(|()| expr.element),
            _ => Some(ElementType::F32),
        }
    }

    fn float(&mut self, value: &Expr, span: Span) -> Option<()> {
        if value.element.is_float() {
            return Some(());
        }
        let expected = "a float; convert it, for example with `f32(…)`";
        self.report(diagnostics::type_mismatch(span, expected, &format!("`{}`", value.element)))
    }

    fn number(&mut self, value: &Expr, span: Span) -> Option<()> {
        if value.element != ElementType::Bool {
            return Some(());
        }
        self.report(diagnostics::type_mismatch(span, "a number", "`bool`"))
    }
}

fn math(function: MathFunction, args: Vec<Expr>, element: ElementType) -> Operand {
    Operand::Typed(Expr { kind: ExprKind::Math(function, args), element })
}

/// The spans of two arguments.
fn pair(spans: &[Span], whole: Span) -> (Span, Span) {
    match spans {
        [first, second] => (*first, *second),
        _ => (whole, whole),
    }
}
