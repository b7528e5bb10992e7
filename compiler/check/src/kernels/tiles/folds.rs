//! The reductions of tiles: `t.sum(1, keep: true)`, `t.any()`.

use super::super::checker::Checker;
use super::super::operand::Operand;
use super::beyond::neutral;
use super::examples::stores;
use super::parameters::{DIMENSIONS, KEEP};
use super::tile::Tile;
use super::words::{Call, TileMethod};
use crate::diagnostics::{self, Actual, Expected};
use crate::documentation::Documentation;
use elements::ElementType;
use kernel::functions::Parameter;
use kernel::typed::{BinaryOp, Combination, Expr, MathFunction};
use syntax::span::Span;

const PARAMETERS: &[Parameter] = &[DIMENSIONS, KEEP];

/// How sums are joined.
const SUMMED: Combination = Combination::Operator(BinaryOp::Add);

pub(super) const SUM: TileMethod = TileMethod {
    documentation: Documentation {
        word: "sum",
        parameters: PARAMETERS,
        text: "The sum along dimensions, in up to 32 interleaved chains that are joined in halves.",
        example: stores!("px.load(i, j) + px.load(i, j).sum(1, keep: true)"),
    },
    apply: |checker, tile, call| checker.fold(tile, SUMMED, Of::Numbers, call),
};

pub(super) const MEAN: TileMethod = TileMethod {
    documentation: Documentation {
        word: "mean",
        parameters: PARAMETERS,
        text: "The sum divided by the number of elements in it, of floats.",
        example: stores!("px.load(i, j) - px.load(i, j).mean(1, keep: true)"),
    },
    apply: |checker, tile, call| checker.mean(tile, call),
};

pub(super) const PROD: TileMethod = TileMethod {
    documentation: Documentation {
        word: "prod",
        parameters: PARAMETERS,
        text: "The product along dimensions, in the same order as `sum`.",
        example: stores!("px.load(i, j) + px.load(i, j).prod(1, keep: true)"),
    },
    apply: |checker, tile, call| checker.fold(tile, Combination::Operator(BinaryOp::Multiply), Of::Numbers, call),
};

pub(super) const MAX: TileMethod = TileMethod {
    documentation: Documentation {
        word: "max",
        parameters: PARAMETERS,
        text: "The greatest element along dimensions. NaN is left out where there is a number.",
        example: stores!("px.load(i, j) - px.load(i, j).max(1, keep: true)"),
    },
    apply: |checker, tile, call| checker.fold(tile, Combination::Function(MathFunction::Max), Of::Numbers, call),
};

pub(super) const MIN: TileMethod = TileMethod {
    documentation: Documentation {
        word: "min",
        parameters: PARAMETERS,
        text: "The least element along dimensions. NaN is left out where there is a number.",
        example: stores!("px.load(i, j) - px.load(i, j).min(1, keep: true)"),
    },
    apply: |checker, tile, call| checker.fold(tile, Combination::Function(MathFunction::Min), Of::Numbers, call),
};

pub(super) const ANY: TileMethod = TileMethod {
    documentation: Documentation {
        word: "any",
        parameters: PARAMETERS,
        text: "Whether an element along dimensions is `true`.",
        example: stores!("f32((px.load(i, j) > 0.0).any(1, keep: true)) * px.load(i, j)"),
    },
    apply: |checker, tile, call| checker.fold(tile, Combination::Operator(BinaryOp::Or), Of::Truths, call),
};

pub(super) const ALL: TileMethod = TileMethod {
    documentation: Documentation {
        word: "all",
        parameters: PARAMETERS,
        text: "Whether all elements along dimensions are `true`.",
        example: stores!("f32((px.load(i, j) > 0.0).all(1, keep: true)) * px.load(i, j)"),
    },
    apply: |checker, tile, call| checker.fold(tile, Combination::Operator(BinaryOp::And), Of::Truths, call),
};

/// Of which elements a tile is joined.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Of {
    Numbers,
    Truths,
}

impl Checker<'_> {
    /// The join of elements along dimensions.
    fn fold(&mut self, tile: Tile, join: Combination, of: Of, call: Call<'_>) -> Option<Tile> {
        let element = tile.value.natural();
        self.check_joined(element, of, call)?;
        let is_unsigned = element.is_integer() && !element.is_signed();
        self.reduce(tile, (join, neutral(join, is_unsigned)), call)
    }

    /// Checks that elements of a type can be joined.
    pub(super) fn check_joined(&mut self, element: ElementType, of: Of, call: Call<'_>) -> Option<()> {
        if !element.computes() {
            return self.report(diagnostics::stored_only(call.span, element, &[]));
        }
        let joined = Span::new(call.span.start, call.word.start.saturating_sub(1));
        match of {
            Of::Truths if element != ElementType::Bool => self.report(diagnostics::numbers_joined(joined, element)),
            Of::Numbers if element == ElementType::Bool => self.report(diagnostics::truths_joined(joined)),
            _ => Some(()),
        }
    }

    /// The sum divided by the number of elements in it.
    fn mean(&mut self, tile: Tile, call: Call<'_>) -> Option<Tile> {
        let (element, all): (_, i64) = (tile.value.natural(), tile.shape.iter().product());
        self.check_joined(element, Of::Numbers, call)?;
        if !element.is_float() {
            return self.report(diagnostics::type_mismatch(call.span, &Expected::Float, &Actual::Type(element)));
        }
        let sum = self.reduce(tile, (SUMMED, None), call)?;
        let left: i64 = sum.shape.iter().product();
        let value = self.coerce(sum.value.clone(), element, call.span)?;
        // Narrow floats hold few counts; a quotient of `f32` that is rounded to them is the same where they do.
        let computed = if element.size_bytes() < ElementType::F32.size_bytes() { ElementType::F32 } else { element };
        let count = Expr::int(all / left.max(1)).cast_to(computed);
        let mean = Expr::binary(BinaryOp::Divide, value.cast_to(computed), count).cast_to(element);
        Some(Tile { value: Operand::Typed(mean), own: None, ..sum })
    }
}
