//! The shapes of operands, and what would make them fit.

use super::super::checker::Checker;
use super::parameters::KEEP;
use super::tile::Tile;
use super::words::TileMethod;
use crate::diagnostics::{self, OperandTile, Said, WrongTile};
use syntax::span::Span;
use syntax::token::TokenKind;

/// Whether a member is the transposition of another language.
pub(super) fn is_transposition(member: &str) -> bool {
    matches!(member, "T" | "mT" | "t" | "transpose" | "trans")
}

impl Checker<'_> {
    /// The shape to which the shapes of operands extend.
    pub(super) fn common_shape(&mut self, tiles: &[Tile], spans: &[Span]) -> Option<Vec<i64>> {
        let mut common: Option<(Vec<i64>, Span)> = None;
        for (tile, span) in tiles.iter().zip(spans).filter(|(tile, _)| tile.rank() > 0) {
            let Some((shape, before)) = &mut common else {
                common = Some((tile.shape.clone(), *span));
                continue;
            };
            let both = before.to(*span);
            if shape.len() != tile.rank() {
                let left = self.operand_tile(shape, *before);
                let right = self.operand_tile(&tile.shape, *span);
                return self.report(diagnostics::tile_ranks(both, [left, right]));
            }
            let first = shape.clone();
            for (dimension, (mine, other)) in shape.iter_mut().zip(&tile.shape).enumerate() {
                match (*mine, *other) {
                    (left, right) if left == right => {}
                    (1, right) => *mine = right,
                    (_, 1) => {}
                    (left, right) => {
                        let why = WrongTile::Extents { dimension, left, right, tiles: [&first, &tile.shape] };
                        return self.report(diagnostics::tile_shape(both, &why));
                    }
                }
            }
            *before = both;
        }
        let (shape, span) = common.unwrap_or_else(|| (Vec::new(), Span::default()));
        self.within_limits(shape, span)
    }

    /// What a diagnostic says of an operand.
    fn operand_tile<'s>(&self, shape: &'s [i64], span: Span) -> OperandTile<'s> {
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        let said = match tokens.kind(span.start as usize) {
            Some(kind) if span.end == span.start + 1 && kind.is_word() => Said::Name(self.text_of(span)),
            _ => self.reduced_dimension(span).map_or(Said::Other, Said::Reduction),
        };
        OperandTile { shape, span, said }
    }

    /// The dimension of a reduction along one, `….max(1)`, whose last token is that of a span.
    fn reduced_dimension(&self, span: Span) -> Option<usize> {
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        let end = span.end as usize;
        let [dot, member, open, dimension, close] = [5, 4, 3, 2, 1].map(|back| end.checked_sub(back));
        let is = |at: Option<usize>, kind| at.and_then(|at| tokens.kind(at)) == Some(kind);
        let is_call = is(dot, TokenKind::Dot) && is(open, TokenKind::OpenParen) && is(close, TokenKind::CloseParen);
        let keeps = |method: &TileMethod| method.documentation.by_name() == [KEEP.name];
        let is_reduction = is_call && TileMethod::from_name(tokens.text(member?)).is_some_and(keeps);
        is_reduction.then(|| tokens.text(dimension?).parse().ok())?
    }
}
