//! Matrix products of tiles: `mma(a, b, acc)` and `matmul(a, b)`.

use smol_str::SmolStr;

use super::super::checker::Checker;
use super::examples::stores;
use super::tile::{Tile, variable};
use super::words::{Call, Role, TileFunction};
use crate::diagnostics::{self, WrongTile};
use crate::documentation::Documentation;
use elements::ElementType;
use kernel::functions::Parameter;
use kernel::typed::{BinaryOp, Expr, ExprKind, MathFunction, Memory, SharedId, StatementKind};
use syntax::span::Span;
use syntax::tree::Argument;

const A: Parameter = Parameter::new("a", "a tile of [m, k]");
const B: Parameter = Parameter::new("b", "a tile of [k, n]");

pub(super) const MATMUL: TileFunction = TileFunction {
    documentation: Documentation {
        word: "matmul",
        parameters: &[A, B],
        text: "The product of two matrices, or of a batch of each. `e4m3`, `e5m2`, `f16`, `bf16` and `f32` accumulate in `f32`, `i8` and `u8` in `i32`.",
        example: stores!("matmul(px.load(i, j), px.load(i, j))"),
    },
    role: Role::Makes(|checker, call| checker.tile_product(call)),
};

pub(super) const MMA: TileFunction = TileFunction {
    documentation: Documentation {
        word: "mma",
        parameters: &[A, B, Parameter::new("acc", "a tile of [m, n]")],
        text: "`acc + a · b`: a product of matrices, added with `fma` in ascending k in the type of `acc`. Of `e4m3` and `e5m2` the factors may be one each.",
        example: stores!("mma(px.load(i, j), px.load(i, j), zeros(f32[2, 2]))"),
    },
    role: Role::Makes(|checker, call| checker.tile_product(call)),
};

/// Whether the product of two tiles can be added to a third one.
fn is_product(left: &Tile, right: &Tile, acc: &Tile) -> bool {
    let types = [left, right, acc].map(|tile| tile.value.natural());
    product_shape(&left.shape, &right.shape).is_some_and(|shape| shape == acc.shape)
        && accumulator(types[0], types[1], Some(types[2])).is_some()
}

impl Checker<'_> {
    /// `mma(a, b, acc)`: `acc + a · b`, accumulated in ascending `k` in the type of `acc`; `matmul(a, b)` begins with
    /// zeros of the type in which such products accumulate.
    fn tile_product(&mut self, call: Call<'_>) -> Option<Tile> {
        let span = call.span;
        let target = self.tiles.target.take();
        let args = self.by_place_in_call(call.name(), call.args, span)?;
        if args.len() != call.called.parameters.len() {
            return self.wrong_count(call, args.len());
        }
        let mut tiles = self.tiles_in(&args)?.0.into_iter();
        let (left, right, acc) = (tiles.next()?, tiles.next()?, tiles.next());
        let (of_left, of_right) = (left.value.natural(), right.value.natural());
        if let Some(acc) = &acc
            && !is_product(&left, &right, acc)
            && is_product(&right, acc, &left)
        {
            return self.accumulator_first(span, call.args);
        }
        let shape = match product_shape(&left.shape, &right.shape) {
            Some(shape) => shape,
            None => {
                let why = WrongTile::Product { left: &left.shape, right: &right.shape };
                return self.report(diagnostics::tile_shape(span, &why));
            }
        };
        let of_acc = acc.as_ref().map(|acc| acc.value.natural());
        let Some(element) = accumulator(of_left, of_right, of_acc) else {
            return self.report(diagnostics::tile_types(span, of_left, of_right, of_acc));
        };
        if let Some(acc) = acc.as_ref().filter(|acc| acc.shape != shape) {
            let why = WrongTile::Accumulator { product: &shape, acc: &acc.shape };
            return self.report(diagnostics::tile_shape(span, &why));
        }
        // What is added to a variable is added in place, unless a factor is made of the variable, or what it is added to
        // reads the variable in another order.
        let in_place = target.filter(|target| {
            let is_like = self
                .memories
                .shared
                .get(*target)
                .is_some_and(|array| array.known_shape().as_ref() == Some(&shape) && array.element == element);
            let is_read = [&left, &right].iter().any(|factor| factor.reads(Memory::Shared(*target)));
            is_like && !is_read && acc.as_ref().is_some_and(|acc| !acc.reads_elsewhere(*target))
        });
        let left = self.stored(left, span)?;
        let right = self.stored(right, span)?;
        let axes = acc.as_ref().map_or_else(|| self.axes(&shape), |acc| acc.axes.clone());
        let first = match acc {
            Some(acc) => self.coerce(acc.value, element, span)?,
            None => Expr::int(0).cast_to(element),
        };
        let result = match in_place {
            Some(array) => array,
            None => self.array(element, &shape, span)?,
        };
        self.accumulated((left, right), (axes, shape), first, (result, span))?;
        match in_place {
            Some(array) => self.tile_in(array, span),
            None => self.owned(result, span),
        }
    }

    /// Reports `mma(acc, a, b)`.
    fn accumulator_first<T>(&mut self, span: Span, args: &[Argument]) -> Option<T> {
        let are_by_place = args.iter().all(|arg| arg.name.is_none());
        let in_order = args.iter().zip(args.iter().cycle().skip(1));
        let edits = in_order.map(|(arg, next)| (arg.value.span, self.text_of(next.value.span))).collect();
        self.report(diagnostics::accumulator_first(span, if are_by_place { edits } else { Vec::new() }))
    }

    /// Stores `first`, to which the products are added, in an array.
    fn accumulated(
        &mut self,
        (left, right): (Tile, Tile),
        (axes, shape): (Vec<kernel::typed::Local>, Vec<i64>),
        first: Expr,
        (result, span): (SharedId, Span),
    ) -> Option<()> {
        let element = first.element;
        let (column, others) = axes.split_last()?;
        let (row, batch) = others.split_last()?;
        let depth = *left.shape.last()?;
        let k = self.counter("k", depth);
        let total = self.new_local(&SmolStr::new_static("total"), element, true);
        let current = Expr { kind: ExprKind::Local(total), element };
        // The one matrix of a batch of 1 goes with all of the other.
        let outer = |factor: &Tile| {
            let is_one = factor.rank() > 2 && factor.shape.first() == Some(&1);
            batch.iter().map(move |axis| if is_one { Expr::int(0) } else { variable(*axis) })
        };
        let at_left: Vec<Expr> = outer(&left).chain([variable(*row), variable(k)]).collect();
        let at_right: Vec<Expr> = outer(&right).chain([variable(k), variable(*column)]).collect();
        let of = |checker: &mut Self, tile: &Tile, at: &[Expr]| {
            let natural = tile.value.natural();
            Some(checker.coerce(tile.at(at), natural, span)?.cast_to(element))
        };
        let (a, b) = (of(self, &left, &at_left)?, of(self, &right, &at_right)?);
        let sum = match element.is_float() {
            true => Expr { kind: ExprKind::Math(MathFunction::Fma, vec![a, b, current.clone()]), element },
            false => Expr::binary(BinaryOp::Add, current.clone(), Expr::binary(BinaryOp::Multiply, a, b)),
        };
        let mut body = self.made(StatementKind::Assign { local: total, value: first }, span);
        let inner = self.made(StatementKind::Assign { local: total, value: sum }, span);
        let (low, high) = (Expr::int(0), Expr::int(depth));
        body.extend(self.made(StatementKind::For { local: k, low, high, body: inner }, span));
        let access = self.element_access(result, axes.iter().map(|axis| variable(*axis)).collect(), span)?;
        body.extend(self.made(StatementKind::Store { access, value: current, is_async: false }, span));
        let each = self.each(&axes, &shape, body, span)?;
        self.tiles.before.push(each);
        Some(())
    }
}

/// The shape of a product of matrices, or of as many of them; one matrix goes with several.
fn product_shape(left: &[i64], right: &[i64]) -> Option<Vec<i64>> {
    match (left, right) {
        ([m, k], [depth, n]) if k == depth => Some(vec![*m, *n]),
        ([batch, m, k], [others, depth, n]) if k == depth => match (*batch, *others) {
            (batch, others) if batch == others => Some(vec![batch, *m, *n]),
            (1, several) | (several, 1) => Some(vec![several, *m, *n]),
            _ => None,
        },
        _ => None,
    }
}

/// The type in which a product accumulates; `None` if there is no such product.
fn accumulator(left: ElementType, right: ElementType, acc: Option<ElementType>) -> Option<ElementType> {
    use ElementType::*;
    let bytes = |element| matches!(element, I8 | U8);
    let small_floats = |element| matches!(element, E4m3 | E5m2);
    let allowed: &[ElementType] = match (left, right) {
        (F16, F16) => &[F32, F16],
        (left, right) if small_floats(left) && small_floats(right) => &[F32, F16],
        (Bf16, Bf16) | (F32, F32) => &[F32],
        (F64, F64) => &[F64],
        (left, right) if bytes(left) && bytes(right) => &[I32],
        _ => return None,
    };
    match acc {
        Some(acc) => allowed.contains(&acc).then_some(acc),
        None => allowed.first().copied(),
    }
}
