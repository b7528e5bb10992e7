//! Calls of functions in kernels.

use super::operands::{Operand, cast};
use super::{Checker, ElementType};
use crate::diagnostics;
use kernel::typed::{BinaryOp, Expr, ExprKind, MathFunction};
use syntax::span::Span;
use syntax::tree::Argument;

/// The functions of two integers that work on their bits.
const BIT_FUNCTIONS: &[(&str, BinaryOp)] = &[
    ("bit_and", BinaryOp::BitAnd),
    ("bit_or", BinaryOp::BitOr),
    ("bit_xor", BinaryOp::BitXor),
    ("shift_left", BinaryOp::ShiftLeft),
    ("shift_right", BinaryOp::ShiftRight),
];

/// The functions that are computed while a kernel is checked, where they are called on sizes.
pub(super) const SIZE_FUNCTIONS: &[&str] = &["cdiv", "min", "max"];

/// Every function that a kernel can call, for completion and suggestions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let math = MathFunction::ALL.into_iter().map(MathFunction::name);
    let bits = BIT_FUNCTIONS.iter().map(|(name, _)| *name);
    let casts = ElementType::ALL.into_iter().map(ElementType::name);
    math.chain(bits).chain(["cdiv"]).chain(casts)
}

impl Checker<'_> {
    /// `name(args)` of a function that kernels have.
    pub(super) fn call(&mut self, name: &str, args: &[Argument], name_span: Span, span: Span) -> Option<Operand> {
        // What is wrong with the arguments of a function that is not there would not help.
        if !functions().any(|known| known == name) {
            let nearest = crate::names::nearest(name, functions());
            return self.report(diagnostics::unknown_function(name_span, name, nearest));
        }
        let operands: Vec<Option<Operand>> = args.iter().map(|arg| self.operand(&arg.value)).collect();
        let operands = operands.into_iter().collect::<Option<Vec<_>>>()?;
        let spans: Vec<Span> = args.iter().map(|arg| arg.value.span).collect();
        if let Some(element) = ElementType::from_name(name) {
            let [operand] = self.exactly(name, operands, span)?;
            return self.conversion(operand, element, span);
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
        if SIZE_FUNCTIONS.contains(&name) && operands.iter().all(|operand| matches!(operand, Operand::Int(_))) {
            let [left, right] = self.exactly(name, operands, span)?;
            return self.folded_call(name, &left, &right, span);
        }
        let Some(function) = MathFunction::from_name(name) else {
            let expected = "sizes; of other numbers write `(a + b - 1) / b`";
            return self.report(diagnostics::type_mismatch(span, expected, "a number that only a run knows"));
        };
        match function {
            MathFunction::Abs => {
                let [operand] = self.exactly(name, operands, span)?;
                let value = self.natural(operand, span)?;
                self.number(&value, span)?;
                let element = value.element;
                Some(math(function, vec![value], element))
            }
            MathFunction::Min | MathFunction::Max | MathFunction::Pow => {
                let [left, right] = self.exactly(name, operands, span)?;
                let (left, right) = self.unify(left, right, pair(&spans, span))?;
                if function == MathFunction::Pow {
                    self.float(&left, span)?
                } else {
                    self.number(&left, span)?
                }
                let element = left.element;
                Some(math(function, vec![left, right], element))
            }
            MathFunction::Fma => {
                let operands: [Operand; 3] = self.exactly(name, operands, span)?;
                let typed = operands.iter().find_map(|operand| match operand {
                    Operand::Typed(expr) => Some(expr.element),
                    _ => None,
                });
                let element = typed.unwrap_or(ElementType::F32);
                let values = operands.map(|operand| self.coerce(operand, element, span));
                let values = values.into_iter().collect::<Option<Vec<_>>>()?;
                self.float(values.first()?, span)?;
                Some(math(function, values, element))
            }
            _ => {
                let [operand] = self.exactly(name, operands, span)?;
                let element = self.float_type(&operand, span)?;
                let value = self.coerce(operand, element, span)?;
                Some(math(function, vec![value], element))
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
