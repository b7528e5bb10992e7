//! Integers of different types: compared by their values, combined in the type that holds all of them, and distances of shifts.

use super::checker::Checker;
use super::operand::{FreeBits, FreeKind, Operand, widens};
use crate::diagnostics;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr};
use syntax::span::Span;

/// The most parts of an integer that is evaluated twice, or of what is computed of the bits of numbers without a type.
const MOST_PARTS: usize = 64;

impl Checker<'_> {
    /// A comparison of integers of different types, which have one meaning: that of their values.
    pub(super) fn compared(&self, op: BinaryOp, left: &Operand, right: &Operand) -> Option<Expr> {
        let (Operand::Typed(one), Operand::Typed(other)) = (left, right) else { return None };
        let (of_one, of_other) = (one.element, other.element);
        if of_one == of_other || !of_one.is_integer() || !of_other.is_integer() || !op.is_comparison() {
            return None;
        }
        // A variable without a type takes that of the other.
        if self.could_be(left, of_other) || self.could_be(right, of_one) {
            return None;
        }
        let (one, other) = (one.clone(), other.clone());
        match common(of_one, of_other) {
            Some(common) => Some(Expr::binary(op, one.cast_to(common), other.cast_to(common))),
            None if of_one.is_signed() => with_unsigned(op, one, other),
            None => with_unsigned(mirrored(op), other, one),
        }
    }

    /// Converts integers of different types to that one of their types which holds all values of the others, if there is one.
    pub(super) fn promote<'o>(&self, operands: impl IntoIterator<Item = &'o mut Operand>) {
        let mut operands: Vec<&mut Operand> =
            operands.into_iter().filter(|operand| self.has_own_type(operand)).collect();
        let types: Vec<ElementType> = operands.iter().map(|operand| operand.natural()).collect();
        let holds_all = |most: &&ElementType| {
            types.iter().all(|element| element.is_integer() && (element == *most || widens(*element, **most)))
        };
        let Some(&most) = types.iter().find(holds_all) else { return };
        for operand in &mut operands {
            let own = std::mem::replace(*operand, Operand::Mask(0));
            **operand = self.as_wider(own, most);
        }
    }

    /// An integer in a type that holds all values of its own; any other operand as it is.
    pub(super) fn as_wider(&self, operand: Operand, element: ElementType) -> Operand {
        if !self.has_own_type(&operand) {
            return operand;
        }
        match operand {
            Operand::Typed(expr) if expr.element.is_integer() && widens(expr.element, element) => {
                Operand::Typed(expr.cast_to(element))
            }
            other => other,
        }
    }

    /// Reports integers of two types of which neither holds all values of the other.
    pub(super) fn of_one_integer_type<'o>(
        &mut self,
        operands: impl IntoIterator<Item = (&'o Operand, Span)>,
        span: Span,
    ) -> Option<()> {
        let integers: Vec<(ElementType, Span)> = operands
            .into_iter()
            .filter(|(operand, _)| self.has_own_type(operand))
            .map(|(operand, place)| (operand.natural(), place))
            .filter(|(element, _)| element.is_integer())
            .collect();
        let apart = integers.iter().find_map(|one| {
            let other =
                integers.iter().find(|other| other.0 != one.0 && !widens(other.0, one.0) && !widens(one.0, other.0));
            Some([*one, *other?])
        });
        apart.map_or(Some(()), |apart| self.report(diagnostics::mixed_integers(span, apart)))
    }

    /// The operands of a shift, whose distance may be of any integer type: only its lowest bits count, which every type has.
    pub(super) fn shifted(&mut self, op: BinaryOp, left: Operand, right: Operand, span: Span) -> Shifted {
        match (left, right) {
            (Operand::Typed(left), Operand::Typed(right))
                if left.element.is_integer() && right.element.is_integer() =>
            {
                let distance = right.cast_to(left.element);
                Shifted::Is(Operand::Typed(Expr::binary(op, left, distance)))
            }
            (left, Operand::Typed(right)) if right.element.is_integer() => {
                let element = right.element;
                match FreeBits::of(left.clone(), element, span) {
                    Some(bits) if bits.parts < MOST_PARTS => {
                        let parts = bits.parts + 1;
                        let kind = FreeKind::Shifted(op, Box::new(bits), Box::new(right));
                        Shifted::Is(Operand::Bits(Box::new(FreeBits { kind, element, parts })))
                    }
                    _ => Shifted::Open(left, Operand::Typed(right)),
                }
            }
            (left, right) => Shifted::Open(left, right),
        }
    }

    /// What is computed of the bits of numbers without a type and of others; `None` if one of them has a type.
    pub(super) fn free_bits(
        &self,
        op: BinaryOp,
        left: &Operand,
        right: &Operand,
        spans: (Span, Span),
    ) -> Option<Operand> {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Multiply, Subtract};
        let element = match (left, right) {
            (Operand::Bits(bits), _) | (_, Operand::Bits(bits)) => bits.element,
            _ => return None,
        };
        if !matches!(op, Add | Subtract | Multiply | BitAnd | BitOr | BitXor) {
            return None;
        }
        let left = FreeBits::of(left.clone(), element, spans.0)?;
        let right = FreeBits::of(right.clone(), element, spans.1)?;
        let parts = left.parts + right.parts + 1;
        let kind = FreeKind::Computed(op, Box::new([left, right]));
        (parts <= MOST_PARTS).then(|| Operand::Bits(Box::new(FreeBits { kind, element, parts })))
    }

    /// `~` of what is computed of the bits of numbers without a type.
    pub(super) fn inverted_bits(bits: FreeBits) -> Operand {
        let (element, parts) = (bits.element, bits.parts + 1);
        Operand::Bits(Box::new(FreeBits { kind: FreeKind::Inverted(Box::new(bits)), element, parts }))
    }

    /// The operand, in which the bits of numbers without a type have the type that their distance has.
    pub(super) fn with_settled_bits(&mut self, operand: Operand, span: Span) -> Option<Operand> {
        match operand {
            Operand::Bits(_) => self.natural(operand, span).map(Operand::Typed),
            other => Some(other),
        }
    }

    /// The bits in an integer type.
    pub(super) fn bits_in(&mut self, bits: FreeBits, element: ElementType, span: Span) -> Option<Expr> {
        match bits.kind {
            FreeKind::Number(number, place) => self.convert(number, element, place),
            FreeKind::Shifted(op, number, distance) => {
                let number = self.bits_in(*number, element, span)?;
                Some(Expr::binary(op, number, distance.cast_to(element)))
            }
            FreeKind::Computed(op, operands) => {
                let [left, right] = *operands;
                let left = self.bits_in(left, element, span);
                let right = self.bits_in(right, element, span);
                Some(Expr::binary(op, left?, right?))
            }
            FreeKind::Inverted(inverted) => {
                let value = self.bits_in(*inverted, element, span)?;
                let ones = self.convert(Operand::Mask(-1), element, span)?;
                Some(Expr::binary(BinaryOp::Subtract, ones, value))
            }
        }
    }
}

/// The operands of a shift.
pub(super) enum Shifted {
    /// The shift.
    Is(Operand),
    /// They have to be of one type.
    Open(Operand, Operand),
}

/// The type that holds every value of two integer types; `None` of `u64` and a signed one.
fn common(one: ElementType, other: ElementType) -> Option<ElementType> {
    if widens(one, other) {
        return Some(other);
    }
    if widens(other, one) {
        return Some(one);
    }
    (one != ElementType::U64 && other != ElementType::U64).then_some(ElementType::I64)
}

/// The comparison of a signed integer with a `u64`: what is negative is less than each of them.
fn with_unsigned(op: BinaryOp, signed: Expr, unsigned: Expr) -> Option<Expr> {
    let mut parts = 0;
    signed.walk(&mut |_| parts += 1);
    if parts > MOST_PARTS {
        return None;
    }
    let zero = Expr::constant(Constant::Int(0), signed.element);
    let values = Expr::binary(op, signed.clone().cast_to(ElementType::U64), unsigned);
    Some(match op {
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::NotEqual => {
            Expr::binary(BinaryOp::Or, Expr::binary(BinaryOp::Less, signed, zero), values)
        }
        _ => Expr::binary(BinaryOp::And, Expr::binary(BinaryOp::GreaterEqual, signed, zero), values),
    })
}

/// The comparison of the operands in the other order.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}
