//! Parts of tiles: `t[0..32, 5]`.

use smol_str::SmolStr;

use super::super::bindings::Binding;
use super::super::checker::Checker;
use super::tile::{Tile, variable};
use crate::diagnostics::{self, VaryingPart, WrongTile};
use kernel::typed::{BinaryOp, Expr};
use syntax::span::Span;
use syntax::tree::{self, ExprKind, Suffix, SuffixKind};

impl Checker<'_> {
    /// `t[0..32, 5..6]`: a part of a tile.
    pub(super) fn slice(&mut self, tile: Tile, ranges: &[tree::Expr], span: Span) -> Option<Tile> {
        if ranges.iter().any(is_new_dimension) {
            return self.new_dimensions(&tile, ranges, span);
        }
        if ranges.len() != tile.rank() {
            let why = WrongTile::Slice { tile: &tile.shape, found: ranges.len() };
            return self.report(diagnostics::tile_shape(span, &why));
        }
        if ranges.iter().any(|range| range.kind == ExprKind::Underscore) {
            return self.whole_dimensions(&tile, ranges);
        }
        let mut parts = Vec::with_capacity(ranges.len());
        for (dimension, (range, extent)) in ranges.iter().zip(&tile.shape).enumerate() {
            if let Some(name) = self.computed_name(range) {
                return self.varying_part(&tile, &name, dimension, range, span);
            }
            parts.push(self.part(range, *extent)?);
        }
        let tile = self.stored(tile, span)?;
        let shape: Vec<i64> = parts.iter().filter_map(|part| part.extent).collect();
        let axes = self.axes(&shape);
        let mut own = axes.iter();
        let coordinate = |part: &Part| match part.extent.and_then(|_| own.next()) {
            Some(axis) => Expr::binary(BinaryOp::Add, variable(*axis), Expr::int(part.start)),
            None => Expr::int(part.start),
        };
        let coordinates: Vec<Expr> = parts.iter().map(coordinate).collect();
        let value = tile.at(&coordinates);
        Some(Tile { shape, axes, value, own: None })
    }

    /// Reports `t[:, None]`.
    fn new_dimensions<T>(&mut self, tile: &Tile, ranges: &[tree::Expr], span: Span) -> Option<T> {
        let places = ranges.iter().enumerate().filter(|(_, range)| is_new_dimension(range));
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        let others = || ranges.iter().filter(|range| !is_new_dimension(range));
        let is_whole = others().all(|range| range.kind == ExprKind::Underscore) && others().count() <= tile.rank();
        let (first, last) = (ranges.first()?.span.start, ranges.last()?.span.end);
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        let brackets = Span::new(first.saturating_sub(1), last + 1);
        let is_closed = tokens.text(last as usize) == "]";
        let fix = (is_whole && is_closed).then_some(brackets);
        self.report(diagnostics::new_dimensions(span, &tile.shape, &places, fix))
    }

    /// Reports `t[:, 1]`, in which `0..4` would replace each sign.
    fn whole_dimensions<T>(&mut self, tile: &Tile, ranges: &[tree::Expr]) -> Option<T> {
        let whole = |(range, extent): (&tree::Expr, &i64)| {
            (range.kind == ExprKind::Underscore).then(|| (range.span, SmolStr::from(format!("0..{extent}"))))
        };
        let edits: Vec<(Span, SmolStr)> = ranges.iter().zip(&tile.shape).filter_map(whole).collect();
        let (first, _) = edits.first()?;
        let sign = self.text_of(*first);
        self.report(diagnostics::tile_whole(*first, &sign, &tile.shape, edits))
    }

    /// The first name in an expression of what is known only when the kernel runs.
    fn computed_name(&self, expr: &tree::Expr) -> Option<SmolStr> {
        if let ExprKind::Name(name) = &expr.kind {
            let is_computed = matches!(self.binding(name), Some(Binding::Local(_) | Binding::Scalar(_)));
            return is_computed.then(|| name.clone());
        }
        let mut found = None;
        expr.each_inside(|inner| found = found.take().or_else(|| self.computed_name(inner)));
        found
    }

    /// Reports `t[0, q]` with a number `q` that is known only when the kernel runs.
    fn varying_part<T>(
        &mut self,
        tile: &Tile,
        name: &str,
        dimension: usize,
        range: &tree::Expr,
        span: Span,
    ) -> Option<T> {
        let place = match range.kind {
            ExprKind::Range(..) => None,
            _ => Some(self.text_of(range.span)),
        };
        let said = self.text_of(span);
        let said = said.split_once('[').map_or("t", |(said, _)| said);
        let part = VaryingPart { name, dimension, place: place.as_deref(), tile: said };
        self.report(diagnostics::tile_varying_part(range.span, &part, tile.element(), &tile.shape))
    }

    /// What `lo..hi`, or a single constant, takes of an extent.
    fn part(&mut self, range: &tree::Expr, extent: i64) -> Option<Part> {
        let ExprKind::Range(low, high) = &range.kind else {
            let place = self.evaluator.int(range)?;
            return match place.as_constant() {
                Some(start) if (0..extent).contains(&start) => Some(Part { start, extent: None }),
                Some(_) => {
                    let why = WrongTile::Place { place: place.to_string(), extent };
                    self.report(diagnostics::tile_shape(range.span, &why))
                }
                None => self.report(diagnostics::tile_shape(range.span, &WrongTile::NoRange)),
            };
        };
        let (low, high) = (self.evaluator.int(low)?, self.evaluator.int(high)?);
        match (low.as_constant(), high.as_constant()) {
            (Some(low), Some(high)) if 0 <= low && low < high && high <= extent => {
                Some(Part { start: low, extent: Some(high - low) })
            }
            _ => {
                let why = WrongTile::Part { low: low.to_string(), high: high.to_string(), extent };
                self.report(diagnostics::tile_shape(range.span, &why))
            }
        }
    }
}

/// Whether it is what numpy and Triton write in brackets for a dimension of extent 1.
pub(crate) fn is_new_dimension(range: &tree::Expr) -> bool {
    match &range.kind {
        ExprKind::Name(name) => name == "None" || name == "newaxis",
        ExprKind::Postfix { suffixes, .. } => {
            matches!(suffixes.as_slice(), [Suffix { kind: SuffixKind::Member(member), .. }] if member.text == "newaxis")
        }
        _ => false,
    }
}

/// A part of a dimension: an extent from a place on, or a single place.
struct Part {
    start: i64,
    extent: Option<i64>,
}
