//! Tiles of a given type: `zeros(f32[4, 4])`, `full(f32[4, 4], 2.0)`, `iota(i32[2, 2])`.

use super::super::checker::Checker;
use super::super::operand::Operand;
use super::examples::stores;
use super::parameters::TYPE;
use super::tile::{Tile, variable};
use super::words::{Call, Role, TileFunction};
use crate::diagnostics::{self, Actual, Expected, WrongTile};
use crate::documentation::Documentation;
use elements::ElementType;
use kernel::functions::Parameter;
use kernel::typed::{BinaryOp, Constant, Expr, Local};
use syntax::tree::{self, Argument, Suffix, SuffixKind};

pub(super) const ZEROS: TileFunction = TileFunction {
    documentation: Documentation {
        word: "zeros",
        parameters: &[TYPE],
        text: "A tile of zeros.",
        example: stores!("zeros(f32[2, 2])"),
    },
    role: Role::Makes(|checker, call| {
        checker.tile_of_type(call, |_, new| Some(Expr::constant(Constant::zero(new.element), new.element)))
    }),
};

pub(super) const ONES: TileFunction = TileFunction {
    documentation: Documentation {
        word: "ones",
        parameters: &[TYPE],
        text: "A tile of ones.",
        example: stores!("ones(f32[2, 2])"),
    },
    role: Role::Makes(|checker, call| {
        checker.tile_of_type(call, |_, new| Some(Expr::constant(Constant::one(new.element), new.element)))
    }),
};

pub(super) const FULL: TileFunction = TileFunction {
    documentation: Documentation {
        word: "full",
        parameters: &[TYPE, Parameter::new("value", "a number")],
        text: "A tile of one number.",
        example: stores!("full(f32[2, 2], 3.0)"),
    },
    role: Role::Makes(|checker, call| {
        checker.tile_of_type(call, |checker, new| {
            let value = new.value?;
            let operand = checker.operand(value)?;
            checker.coerce(operand, new.element, value.span)
        })
    }),
};

pub(super) const IOTA: TileFunction = TileFunction {
    documentation: Documentation {
        word: "iota",
        parameters: &[TYPE],
        text: "A tile whose element k in row-major order is k.",
        example: stores!("f32(iota(i32[2, 2]))"),
    },
    role: Role::Makes(|checker, call| {
        checker.tile_of_type(call, |checker, new| {
            if new.element == ElementType::Bool {
                let found = Actual::Type(new.element);
                return checker.report(diagnostics::type_mismatch(call.span, &Expected::Number, &found));
            }
            Some(row_major_number(new.axes, new.shape).cast_to(new.element))
        })
    }),
};

/// A tile whose elements are to be said.
struct New<'t> {
    element: ElementType,
    shape: &'t [i64],
    axes: &'t [Local],
    /// The argument behind the type.
    value: Option<&'t tree::Expr>,
}

impl Checker<'_> {
    /// A tile of the type that is the first argument, with the element that `value` gives over its axes.
    fn tile_of_type(
        &mut self,
        call: Call<'_>,
        value: impl FnOnce(&mut Self, &New<'_>) -> Option<Expr>,
    ) -> Option<Tile> {
        let args = self.by_place_in_call(call.name(), call.args, call.span)?;
        if args.len() != call.called.parameters.len() {
            return self.wrong_count(call, args.len());
        }
        let (element, shape) = self.tile_type(call.name(), &args.first()?.value)?;
        let axes = self.axes(&shape);
        let given = args.get(1).map(|argument: &Argument| &argument.value);
        let value = value(self, &New { element, shape: &shape, axes: &axes, value: given })?;
        Some(Tile { shape, axes, value: Operand::Typed(value), own: None })
    }

    /// `f32[4, 4]`
    fn tile_type(&mut self, function: &str, expr: &tree::Expr) -> Option<(ElementType, Vec<i64>)> {
        if let tree::ExprKind::Postfix { base, suffixes } = &expr.kind
            && let (tree::ExprKind::Name(name), [Suffix { kind: SuffixKind::Bracket(extents), .. }]) =
                (&base.kind, suffixes.as_slice())
        {
            let element = self.evaluator.element_type(&tree::Name { text: name.clone(), span: base.span })?;
            return Some((element, self.extents(extents, None, expr.span)?));
        }
        self.report(diagnostics::tile_shape(expr.span, &WrongTile::NoType { function }))
    }
}

/// The number of an element in row-major order.
pub(super) fn row_major_number(axes: &[Local], shape: &[i64]) -> Expr {
    let mut number = Expr::int(0);
    for (position, (axis, extent)) in axes.iter().zip(shape).enumerate() {
        number = match position {
            0 => variable(*axis),
            _ => {
                let rows = Expr::binary(BinaryOp::Multiply, number, Expr::int(*extent));
                Expr::binary(BinaryOp::Add, rows, variable(*axis))
            }
        };
    }
    number
}
