//! An operand: a typed expression, or a constant that takes the type of its context.

use crate::diagnostics::Actual;
use crate::values::Value;
use dims::Sym;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind};
use syntax::span::Span;

/// An operand whose type may still be free.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// An expression with a type.
    Typed(Expr),
    /// An integer constant or dimension expression, of any integer or float type.
    Int(Sym),
    /// An integer constant above 2⁶³ − 1, of type `u64` or any float type.
    Unsigned(u64),
    /// A negative integer constant that operators of bits gave, as `~15` does. It is of any type, of which it keeps the
    /// lower bits: of an unsigned type too, where all others are zeros.
    Mask(i64),
    /// A float constant, of any float type.
    Float(f64),
    /// What is computed of the bits of an integer constant, of any integer type.
    Bits(Box<FreeBits>),
    /// A choice. Between constants it has any type that all of them can have.
    Choice(Box<Choice>),
}

/// What is computed of the bits of a number of the text, `(1 << lane) - 1`: it is of any integer type, like the number.
#[derive(Clone, Debug)]
pub(super) struct FreeBits {
    pub(super) kind: FreeKind,
    /// The type that it has where its place needs none: that of the distance.
    pub(super) element: ElementType,
    pub(super) parts: usize,
}

#[derive(Clone, Debug)]
pub(super) enum FreeKind {
    Number(Operand, Span),
    /// A number moved by so many places.
    Shifted(BinaryOp, Box<FreeBits>, Box<Expr>),
    Computed(BinaryOp, Box<[FreeBits; 2]>),
    Inverted(Box<FreeBits>),
}

impl FreeBits {
    /// A number of the text as bits of an integer of any type; `None` of others.
    pub(super) fn of(operand: Operand, element: ElementType, span: Span) -> Option<Self> {
        match operand {
            Operand::Bits(bits) => Some(*bits),
            Operand::Int(ref size) if size.as_constant().is_none() => None,
            Operand::Int(_) | Operand::Mask(_) | Operand::Unsigned(_) => {
                Some(Self { kind: FreeKind::Number(operand, span), element, parts: 1 })
            }
            Operand::Typed(_) | Operand::Float(_) | Operand::Choice(_) => None,
        }
    }
}

/// `if c { a } else if d { b } else { e }`
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The conditions, each a `bool`, with the values for the first condition that holds.
    pub(super) arms: Vec<(Expr, (Operand, Span))>,
    /// The value if no condition holds.
    pub(super) otherwise: (Operand, Span),
}

impl Choice {
    /// The values of all alternatives.
    pub(super) fn values(&self) -> impl Iterator<Item = &Operand> {
        self.arms.iter().map(|(_, (value, _))| value).chain([&self.otherwise.0])
    }

    /// The same, to be changed.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut Operand> {
        self.arms.iter_mut().map(|(_, (value, _))| value).chain([&mut self.otherwise.0])
    }
}

impl Operand {
    /// The number or the truth that a value is.
    pub(super) fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(value) => Some(Self::Int(value.clone())),
            Value::Unsigned(value) => Some(Self::Unsigned(*value)),
            Value::Float(value) => Some(Self::Float(*value)),
            Value::Bool(value) => Some(Self::Typed(Expr::constant(Constant::Bool(*value), ElementType::Bool))),
            _ => None,
        }
    }

    /// The type of the operand, or the default type of a constant.
    pub(super) fn natural(&self) -> ElementType {
        match self {
            Self::Typed(expr) => expr.element,
            Self::Int(_) | Self::Mask(_) => ElementType::I64,
            Self::Unsigned(_) => ElementType::U64,
            Self::Float(_) => ElementType::F32,
            Self::Bits(bits) => bits.element,
            Self::Choice(choice) => common_type(choice.values()),
        }
    }

    /// Whether its type is still free.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Typed(_) | Self::Bits(_) => false,
            Self::Choice(choice) => choice.values().all(Self::is_constant),
            Self::Int(_) | Self::Mask(_) | Self::Unsigned(_) | Self::Float(_) => true,
        }
    }

    /// The operand, in which a mask is the number that it is.
    pub(super) fn unmasked(self) -> Self {
        if let Self::Mask(value) = self { Self::Int(Sym::constant(value)) } else { self }
    }

    /// The size or the mask that it is; nothing else is copied, which may be a long expression.
    pub(super) fn as_size(&self) -> Option<Sym> {
        match self {
            Self::Int(value) => Some(value.clone()),
            Self::Mask(value) => Some(Sym::constant(*value)),
            Self::Typed(_) | Self::Unsigned(_) | Self::Float(_) | Self::Bits(_) | Self::Choice(_) => None,
        }
    }

    /// The result of an operator of bits.
    pub(super) fn of_bits(value: Sym) -> Self {
        match value.as_constant() {
            Some(value) if value < 0 => Self::Mask(value),
            _ => Self::Int(value),
        }
    }

    /// Its description in a diagnostic.
    pub(super) fn actual(self) -> Actual {
        match self {
            Self::Typed(expr) => Actual::Type(expr.element),
            Self::Int(value) => Actual::Int(value),
            Self::Mask(value) => Actual::Int(Sym::constant(value)),
            Self::Unsigned(value) => Actual::Unsigned(value),
            Self::Float(value) => Actual::Float(value),
            Self::Bits(_) | Self::Choice(_) => Actual::Type(self.natural()),
        }
    }
}

/// The expression as a size, if it is one.
pub(super) fn as_size(expr: &Expr) -> Option<Sym> {
    match &expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(Sym::constant(*value)),
        ExprKind::Size(value) => Some(value.clone()),
        _ => None,
    }
}

/// Whether a conversion is not narrowing: it stays among integers or floats, and every value has its like. So unsigned
/// integers become wider signed ones, and no signed one becomes unsigned.
pub(super) fn widens(from: ElementType, to: ElementType) -> bool {
    let wider = from.size_bytes() < to.size_bytes();
    match (from, to) {
        (ElementType::Bool, to) => to.is_integer(),
        (from, to) if from.is_float() && to.is_float() => wider,
        (from, to) if from.is_integer() && to.is_integer() => wider && (to.is_signed() || !from.is_signed()),
        _ => false,
    }
}

/// The bits of a negative number in an unsigned type, if those beyond the type are the sign.
pub(super) fn lower_bits(mask: i64, element: ElementType) -> Option<Constant> {
    let (least, greatest) = element.integer_range()?;
    let inverted = -1 - i128::from(mask);
    (least == 0 && inverted <= greatest).then(|| Constant::integer(greatest - inverted))?
}

/// The common type of operands: that of the first typed one, otherwise the type that suits all constants.
pub(super) fn common_type<'o>(operands: impl IntoIterator<Item = &'o Operand>) -> ElementType {
    let mut common = ElementType::I64;
    let mut of_bits = None;
    for operand in operands {
        match operand {
            Operand::Typed(expr) => return expr.element,
            Operand::Bits(bits) => of_bits = of_bits.or(Some(bits.element)),
            constant => match constant.natural() {
                ElementType::F32 => common = ElementType::F32,
                ElementType::U64 if common == ElementType::I64 => common = ElementType::U64,
                _ => {}
            },
        }
    }
    of_bits.unwrap_or(common)
}
