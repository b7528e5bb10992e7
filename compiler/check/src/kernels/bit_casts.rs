//! Bit casts: `bitcast(u32, x)` of numbers and tiles.

use super::checker::Checker;
use super::operand::Operand;
use crate::diagnostics;
use dims::Sym;
use elements::ElementType;
use syntax::span::Span;
use syntax::tree::{self, Argument, ExprKind};

/// The name of the function.
pub(super) const BIT_CAST: &str = "bitcast";

/// The type and the value of a bit cast.
pub(super) struct BitCast<'t> {
    to: ElementType,
    pub(super) value: &'t tree::Expr,
    span: Span,
}

impl Checker<'_> {
    /// The arguments of `bitcast(u32, x)`.
    pub(super) fn bit_cast_of<'t>(&mut self, args: &'t [Argument], span: Span) -> Option<BitCast<'t>> {
        if let Some(name) = args.iter().find_map(|argument| argument.name.as_ref()) {
            return self.report(diagnostics::unknown_argument(name.span, BIT_CAST, &name.text, &[]));
        }
        let [first, value] = args else {
            return self.report(diagnostics::fixed_argument_count(span, BIT_CAST, &["type", "value"], args.len()));
        };
        let (first, value) = (&first.value, &value.value);
        let ExprKind::Name(word) = &first.kind else {
            return match self.element_named(value) {
                Some(element) => self.report(diagnostics::bit_cast_order(first.span, value.span, element.name())),
                None => self.report(diagnostics::bit_cast_without_type(first.span)),
            };
        };
        if self.element_named(first).is_none()
            && let Some(element) = self.element_named(value)
        {
            return self.report(diagnostics::bit_cast_order(first.span, value.span, element.name()));
        }
        let to = self.evaluator.element_type(&tree::Name { text: word.clone(), span: first.span })?;
        Some(BitCast { to, value, span })
    }

    /// The element type that an expression names.
    fn element_named(&self, expr: &tree::Expr) -> Option<ElementType> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        match self.binding(name) {
            Some(_) => None,
            None => self.evaluator.generics.element(name),
        }
    }

    /// Takes the bits of a number for one of another type.
    pub(super) fn bit_cast(&mut self, cast: &BitCast<'_>, value: Operand) -> Option<Operand> {
        let place = cast.value.span;
        let value = match free_type(&value, cast.to) {
            Some(element) => self.coerce(value, element, place)?,
            None => self.natural(value, place)?,
        };
        let from = value.element;
        match value.bits_as(cast.to) {
            Some(value) => Some(Operand::Typed(value)),
            None => self.report(diagnostics::bit_cast(cast.span, from, cast.to)),
        }
    }
}

/// The type of a literal whose bits are taken: that of the size of `to` to which it belongs. The bits of a float are written
/// as an integer without a sign, so `bitcast(f32, 0x7fc00000)` is a NaN.
fn free_type(value: &Operand, to: ElementType) -> Option<ElementType> {
    if to == ElementType::Bool {
        return None;
    }
    let of_size = |element: &ElementType| element.bits() == to.bits();
    match value {
        Operand::Int(number) if is_negative(number) => {
            ElementType::ALL.into_iter().find(|element| element.is_integer() && element.is_signed() && of_size(element))
        }
        Operand::Int(_) | Operand::Mask(_) | Operand::Unsigned(_) => ElementType::unsigned(to.bits()),
        // Of 8 and of 16 bits there are two types of floats.
        Operand::Float(_) => [ElementType::F32, ElementType::F64].into_iter().find(of_size),
        Operand::Typed(_) | Operand::Bits(_) | Operand::Choice(_) => None,
    }
}

fn is_negative(number: &Sym) -> bool {
    number.as_constant().is_some_and(|number| number < 0)
}
