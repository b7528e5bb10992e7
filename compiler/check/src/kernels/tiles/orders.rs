//! Tiles in order along a dimension: `t.sort(1)`, `t.argsort(1, descending: true)`, `t.top(8, 1)`, `t.argtop(8, 1)`.

use super::super::checker::Checker;
use super::super::operand::Operand;
use super::examples::stores;
use super::folds::Of;
use super::merges::{Merged, Moved, PLACE};
use super::parameters::{DIMENSION, TRUTHS};
use super::tile::{Tile, variable};
use super::words::{Call, TileMethod};
use crate::diagnostics::{self, WrongTile};
use crate::documentation::Documentation;
use kernel::functions::{Given, Parameter};
use kernel::raise::Distinct;
use kernel::typed::Expr;
use syntax::tree::{self, Argument};

const COUNT: Parameter = Parameter::new("count", "how many, a constant");
const DESCENDING: Parameter =
    Parameter::new("descending", "`true` for the greatest first").given(Given::ByName).choices(TRUTHS).optional();

pub(super) const SORT: TileMethod = TileMethod {
    documentation: Documentation {
        word: "sort",
        parameters: &[DIMENSION, DESCENDING],
        text: "The elements along a dimension in ascending order. Equal ones keep their order; NaNs come last.",
        example: stores!("px.load(i, j).sort(1)"),
    },
    apply: |checker, tile, call| checker.in_order(tile, Wanted { greatest: false, places: false }, call),
};

pub(super) const ARGSORT: TileMethod = TileMethod {
    documentation: Documentation {
        word: "argsort",
        parameters: &[DIMENSION, DESCENDING],
        text: "The places, as `i32`, that the elements of `sort` have in the tile.",
        example: stores!("f32(px.load(i, j).argsort(1, descending: true))"),
    },
    apply: |checker, tile, call| checker.in_order(tile, Wanted { greatest: false, places: true }, call),
};

pub(super) const TOP: TileMethod = TileMethod {
    documentation: Documentation {
        word: "top",
        parameters: &[COUNT, DIMENSION],
        text: "The greatest elements along a dimension, the greatest first. Of equal ones the first comes first; a NaN is among them only \
               where there are fewer numbers.",
        example: stores!("px.load(i, j) - px.load(i, j).top(1, 1)"),
    },
    apply: |checker, tile, call| checker.in_order(tile, Wanted { greatest: true, places: false }, call),
};

pub(super) const ARGTOP: TileMethod = TileMethod {
    documentation: Documentation {
        word: "argtop",
        parameters: &[COUNT, DIMENSION],
        text: "The places, as `i32`, that the elements of `top` have in the tile.",
        example: stores!("px.load(i, j) + f32(px.load(i, j).argtop(1, 1))"),
    },
    apply: |checker, tile, call| checker.in_order(tile, Wanted { greatest: true, places: true }, call),
};

/// What a method gives of the tile in order.
#[derive(Clone, Copy)]
struct Wanted {
    /// Only the greatest elements, the greatest first.
    greatest: bool,
    /// The places of the elements, and not the elements.
    places: bool,
}

/// The order along a dimension.
pub(super) struct Order {
    pub(super) dimension: usize,
    pub(super) descending: bool,
    /// How many of the first elements are wanted, if not all are.
    most: Option<i64>,
}

impl Checker<'_> {
    /// `t.sort(1)` and its like.
    fn in_order(&mut self, tile: Tile, wanted: Wanted, call: Call<'_>) -> Option<Tile> {
        let span = call.span;
        self.check_joined(tile.value.natural(), Of::Numbers, call)?;
        let order = self.order_of(&tile, wanted, call)?;
        let shape = tile.shape.clone();
        let elements = self.kept(tile, span)?;
        let places = match wanted.places {
            true => {
                let axes = self.axes(&shape);
                let own = variable(*axes.get(order.dimension)?).cast_to(PLACE);
                let places = Tile { shape: shape.clone(), axes, value: Operand::Typed(own), own: None };
                Some(self.kept(places, span)?)
            }
            false => None,
        };
        self.merge_all(Moved { elements, places }, &Merged { order: &order, shape: &shape, span })?;
        let sorted = match places {
            Some(places) => {
                let extent = *shape.get(order.dimension)?;
                let runs =
                    Distinct { stride: shape.iter().skip(order.dimension + 1).product(), extent, of_naturals: false };
                self.of_places(places, extent, vec![runs], span)?
            }
            None => self.owned(elements, span)?,
        };
        let Some(most) = order.most else { return Some(sorted) };
        let mut kept = shape;
        *kept.get_mut(order.dimension)? = most;
        let axes = self.axes(&kept);
        let coordinates: Vec<Expr> = axes.iter().map(|axis| variable(*axis)).collect();
        let value = sorted.at(&coordinates);
        Some(Tile { shape: kept, axes, value, own: None })
    }

    /// The arguments, `(dimension, descending: true)` or `(count, dimension)`.
    fn order_of(&mut self, tile: &Tile, wanted: Wanted, call: Call<'_>) -> Option<Order> {
        let (positional, named) = self.split_call(call)?;
        if positional.len() != call.called.by_position().len() {
            return self.wrong_count(call, positional.len());
        }
        let dimension = self.dimension(&positional.last()?.value, tile.rank())?;
        let extent = *tile.shape.get(dimension)?;
        let descending = match named.first() {
            Some(argument) => self.truth(argument)?,
            None => wanted.greatest,
        };
        let most = match positional {
            [count, _] => Some(self.count_of(count, extent)?),
            _ => None,
        };
        Some(Order { dimension, descending, most })
    }

    /// How many of the elements along a dimension are wanted.
    fn count_of(&mut self, count: &Argument, extent: i64) -> Option<i64> {
        let tree::Expr { span, .. } = count.value;
        let wanted = *self.extents([&count.value], None, span)?.first()?;
        if wanted > extent {
            return self.report(diagnostics::tile_shape(span, &WrongTile::Count { wanted, extent }));
        }
        Some(wanted)
    }
}
