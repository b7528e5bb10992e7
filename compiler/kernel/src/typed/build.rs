//! Constructors of typed expressions.

use super::{BinaryOp, Constant, Expr, ExprKind, UnaryOp};
use dims::Sym;
use elements::ElementType;

impl Expr {
    /// The digits of an index in row-major order, the slowest first: the coordinates of an element by its number. The
    /// first one is not reduced by its extent.
    pub fn digits(index: Expr, extents: &[Sym]) -> Vec<Expr> {
        let mut rest = index;
        let mut digits = Vec::with_capacity(extents.len());
        for extent in extents.iter().skip(1).rev() {
            digits.push(Expr::binary(BinaryOp::FloorRemainder, rest.clone(), Expr::size(extent)));
            rest = Expr::binary(BinaryOp::FloorDivide, rest, Expr::size(extent));
        }
        digits.extend((!extents.is_empty()).then_some(rest));
        digits.reverse();
        digits
    }

    /// A constant of any type.
    pub fn constant(value: Constant, element: ElementType) -> Expr {
        Expr { kind: ExprKind::Constant(value), element }
    }

    /// An index.
    pub fn int(value: i64) -> Expr {
        Expr::constant(Constant::Int(value), ElementType::I64)
    }

    /// A dimension expression as an index.
    pub fn size(value: &Sym) -> Expr {
        match value.as_constant() {
            Some(value) => Expr::int(value),
            None => Expr { kind: ExprKind::Size(value.clone()), element: ElementType::I64 },
        }
    }

    /// The id of the thread's block.
    pub fn block_id() -> Expr {
        Expr { kind: ExprKind::BlockId, element: ElementType::I64 }
    }

    /// The id of the thread in its block.
    pub fn thread_id() -> Expr {
        Expr { kind: ExprKind::ThreadId, element: ElementType::I64 }
    }

    /// An operation on one operand, of the operand's type.
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        let element = operand.element;
        Expr { kind: ExprKind::Unary(op, Box::new(operand)), element }
    }

    /// An operation on two operands of the same type. A comparison gives a `bool`, any other operation their type.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let element = if op.gives_bool() { ElementType::Bool } else { left.element };
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), element }
    }

    /// The bits of a number as a value of a number type of the same size; `None` for types of different sizes and `bool`.
    pub fn bits_as(self, element: ElementType) -> Option<Expr> {
        let is_number = |element: ElementType| element.is_float() || element.is_integer();
        if !is_number(self.element) || !is_number(element) || self.element.bits() != element.bits() {
            return None;
        }
        let unsigned = ElementType::unsigned(element.bits())?;
        let bits = |value: Expr, element| Expr { kind: ExprKind::Bits(Box::new(value)), element };
        if self.element == element {
            return Some(self);
        }
        let number = if self.element.is_float() { bits(self, unsigned) } else { self.cast_to(unsigned) };
        Some(if element.is_float() { bits(number, element) } else { number.cast_to(element) })
    }

    /// A cast, unless the expression has the type already.
    pub fn cast_to(self, element: ElementType) -> Expr {
        if self.element == element { self } else { Expr { kind: ExprKind::Cast(Box::new(self)), element } }
    }
}
