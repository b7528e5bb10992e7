//! Tiles one after the other: `cat([a, b], 0)`.

use super::super::checker::Checker;
use super::examples::stores;
use super::parameters::DIMENSION;
use super::tile::Tile;
use super::words::{Call, Role, TileFunction};
use crate::diagnostics::{self, WrongTile};
use crate::documentation::Documentation;
use kernel::functions::Parameter;
use kernel::raise::Contents;
use kernel::typed::Memory;
use syntax::tree::ExprKind;

pub(super) const CAT: TileFunction = TileFunction {
    documentation: Documentation {
        word: "cat",
        parameters: &[Parameter::new("tiles", "tiles in brackets"), DIMENSION],
        text: "Tiles one after the other along a dimension.",
        example: stores!("cat([px.load(i, j)[0..1, 0..2], zeros(f32[1, 2])], 0)"),
    },
    role: Role::Makes(|checker, call| checker.joined(call)),
};

impl Checker<'_> {
    /// `cat([a, b], 0)`: tiles one after the other along a dimension.
    fn joined(&mut self, call: Call<'_>) -> Option<Tile> {
        let span = call.span;
        let [parts, dimension] = call.args else { return self.wrong_count(call, call.args.len()) };
        let ExprKind::List(parts) = &parts.value.kind else {
            return self.report(diagnostics::tile_shape(parts.value.span, &WrongTile::NoTiles));
        };
        let tiles: Vec<Option<Tile>> = parts.iter().map(|part| self.tile(part)).collect();
        let mut tiles = tiles.into_iter().collect::<Option<Vec<_>>>()?;
        let Some(first) = tiles.first() else {
            return self.report(diagnostics::tile_shape(span, &WrongTile::NoTiles));
        };
        let along = self.dimension(&dimension.value, first.rank())?;
        let element = first.value.natural();
        let mut shape = first.shape.clone();
        for (tile, part) in tiles.iter().zip(parts).skip(1) {
            let others =
                |shape: &[i64]| shape.iter().enumerate().filter(|(k, _)| *k != along).map(|(_, n)| *n).collect();
            let [own, all]: [Vec<i64>; 2] = [others(&tile.shape), others(&shape)];
            if tile.rank() != shape.len() || own != all {
                let why = WrongTile::Joined { tile: &tile.shape, first: &shape, along };
                return self.report(diagnostics::tile_shape(part.span, &why));
            }
            *shape.get_mut(along)? += *tile.shape.get(along)?;
        }
        let array = self.array(element, &shape, span)?;
        let mut start = 0;
        let mut contents = Vec::with_capacity(parts.len());
        for (tile, part) in tiles.drain(..).zip(parts) {
            let extent = *tile.shape.get(along)?;
            contents.push(self.contents_of(&tile, element));
            self.store_part(array, tile, along, start, part.span)?;
            start += extent;
        }
        let facts = &self.evaluator.facts;
        let both = |before: Option<Contents>, own: Option<Contents>| {
            before.zip(own).map(|(before, own)| before.union(&own, facts))
        };
        let contents = contents.into_iter().reduce(both).flatten().map(Contents::without_distinct);
        self.raiser.know_contents(Memory::Shared(array), contents);
        self.owned(array, span)
    }
}
