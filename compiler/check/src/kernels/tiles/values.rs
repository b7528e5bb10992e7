//! Expressions of tiles: names, calls, and what is computed element by element.

use super::super::bindings::Binding;
use super::super::bit_casts::BIT_CAST;
use super::super::checker::Checker;
use super::super::exchanges::exchange;
use super::super::operand::Operand;
use super::partitions::is_partition;
use super::shapes::is_transposition;
use super::tile::{Tile, TileVariable};
use super::words::{Call, Called, PartitionMember, Role, TileFunction, TileMethod};
use crate::diagnostics::{self, TilePlace, WrongExchange, WrongTile};
use syntax::span::Span;
use syntax::tree::{self, Argument, Suffix, SuffixKind};

impl Checker<'_> {
    /// Notes whether a kernel works on tiles, before anything in it is read: what a statement means does not depend on those
    /// behind it.
    pub(in super::super) fn note_tiles(&mut self, body: &tree::Block) {
        self.tiles.used = self.has_tiles(body);
    }

    /// The same for an expression by itself.
    pub(in super::super) fn note_expression(&mut self, expr: &tree::Expr) {
        self.tiles.used = self.makes_tiles(expr);
    }

    fn has_tiles(&self, body: &tree::Block) -> bool {
        body.statements.iter().any(|statement| {
            statement.expressions().any(|expr| is_partition(expr) || self.makes_tiles(expr))
                || statement.bodies().any(|body| self.has_tiles(body))
        })
    }

    /// Whether an expression uses a tile.
    pub(in super::super) fn mentions_tiles(&self, expr: &tree::Expr) -> bool {
        if !self.tiles.used {
            return false;
        }
        match &expr.kind {
            tree::ExprKind::Name(name) => matches!(self.binding(name), Some(Binding::Tile(_))),
            tree::ExprKind::Postfix { base, suffixes }
                if self.is_load(base, suffixes) || self.is_maker(base, suffixes) =>
            {
                true
            }
            _ => {
                let mut found = false;
                expr.each_inside(|inner| found = found || self.mentions_tiles(inner));
                found
            }
        }
    }

    /// Whether an expression has a call that makes a tile.
    pub(super) fn makes_tiles(&self, expr: &tree::Expr) -> bool {
        match &expr.kind {
            tree::ExprKind::Postfix { base, suffixes } if self.is_maker(base, suffixes) => true,
            tree::ExprKind::Name(_) | tree::ExprKind::Int(_) | tree::ExprKind::Float(_) => false,
            _ => {
                let mut found = false;
                expr.each_inside(|inner| found = found || self.makes_tiles(inner));
                found
            }
        }
    }

    fn is_maker(&self, base: &tree::Expr, suffixes: &[Suffix]) -> bool {
        let called = matches!(suffixes.first(), Some(Suffix { kind: SuffixKind::Call(_), .. }));
        let tree::ExprKind::Name(name) = &base.kind else { return false };
        if !called || self.binding(name).is_some() {
            return false;
        }
        match self.is_of_file(name) {
            true => self.evaluator.function_named(name).is_some_and(|function| function.makes_tiles(self.evaluator.db)),
            false => TileFunction::from_name(name).is_some_and(TileFunction::is_operation),
        }
    }

    fn is_load(&self, base: &tree::Expr, suffixes: &[Suffix]) -> bool {
        let tree::ExprKind::Name(name) = &base.kind else { return false };
        let is_partition = matches!(self.binding(name), Some(Binding::Partition(_)));
        let is_property = matches!(suffixes.first(),
            Some(Suffix { kind: SuffixKind::Member(member), .. })
                if PartitionMember::from_name(&member.text).is_some_and(|member| !member.is_called()));
        is_partition && !is_property
    }

    /// Reads an expression as a tile; a number is a tile of rank 0.
    pub(in super::super) fn tile(&mut self, expr: &tree::Expr) -> Option<Tile> {
        self.evaluator.db.unwind_if_revision_cancelled();
        if !self.mentions_tiles(expr) {
            let number = self.operand(expr)?;
            return self.with_settled_bits(number, expr.span).map(Tile::number);
        }
        let tile = self.tile_of(expr)?;
        self.note_tile(expr.span, &tile);
        Some(tile)
    }

    /// Notes what an expression is, for editors.
    fn note_tile(&mut self, span: Span, tile: &Tile) {
        // The places in the body of a function are those of another item.
        if !self.evaluator.calls.is_inside() {
            self.found.record.parts.tiles.push((span, tile.value.natural(), tile.shape.clone()));
        }
    }

    fn tile_of(&mut self, expr: &tree::Expr) -> Option<Tile> {
        match &expr.kind {
            tree::ExprKind::Name(name) => match self.binding(name) {
                Some(Binding::Tile(TileVariable::Array { array, .. })) => {
                    let array = *array;
                    self.tile_in(array, expr.span)
                }
                Some(Binding::Tile(TileVariable::Computed(tile))) => Some((**tile).clone()),
                _ => None,
            },
            tree::ExprKind::Paren(inner) => self.tile(inner),
            tree::ExprKind::Prefix { ops, operand } => {
                let inner = self.tile(operand)?;
                let value = self.prefixed(ops, inner.value, operand.span)?;
                Some(Tile { value, own: None, ..inner })
            }
            tree::ExprKind::Chain { first, rest } => self.tile_chain(first, rest),
            tree::ExprKind::Postfix { base, suffixes } => self.tile_postfix(base, suffixes, expr.span),
            tree::ExprKind::If { arms, otherwise } => self.tile_choice(arms, otherwise),
            tree::ExprKind::Block(block) => self.value_of_block(block),
            tree::ExprKind::Error => None,
            _ => self.report(diagnostics::tile_place(expr.span, TilePlace::Here)),
        }
    }

    /// The number that an expression of tiles gives.
    pub(in super::super) fn number_of_tiles(&mut self, expr: &tree::Expr) -> Option<Operand> {
        if !self.tiles.allowed {
            return self.report(diagnostics::tile_place(expr.span, TilePlace::Here));
        }
        let tile = self.tile(expr)?;
        self.number_in(tile, expr.span)
    }

    /// The number that a tile of rank 0 is.
    pub(in super::super) fn number_in(&mut self, tile: Tile, span: Span) -> Option<Operand> {
        match tile.rank() {
            0 => Some(tile.value),
            _ => self.report(diagnostics::tile_shape(span, &WrongTile::NoNumber { tile: &tile.shape })),
        }
    }

    fn tile_chain(&mut self, first: &tree::Expr, rest: &[tree::Link]) -> Option<Tile> {
        let mut left = self.tile(first);
        let mut span = first.span;
        for link in rest {
            let right = self.tile(&link.operand);
            left = match (left, right) {
                (Some(left), Some(right)) => {
                    let spans = (span, link.operand.span);
                    self.element_by_element(vec![left, right], &[spans.0, spans.1], |checker, values| {
                        let [left, right] = <[Operand; 2]>::try_from(values).ok()?;
                        let value = checker.combine(link.op, left, right, spans)?;
                        checker.with_settled_bits(value, spans.0.to(spans.1))
                    })
                }
                _ => None,
            };
            span = span.to(link.operand.span);
        }
        left
    }

    /// Applies a function of numbers to the elements of tiles, of which those with an extent of 1, and numbers, are the
    /// same along that dimension.
    pub(super) fn element_by_element(
        &mut self,
        tiles: Vec<Tile>,
        spans: &[Span],
        apply: impl FnOnce(&mut Self, Vec<Operand>) -> Option<Operand>,
    ) -> Option<Tile> {
        let shape = self.common_shape(&tiles, spans)?;
        let axes = match tiles.iter().find(|tile| tile.shape == shape) {
            Some(tile) => tile.axes.clone(),
            None => self.axes(&shape),
        };
        let values = tiles.into_iter().map(|tile| tile.along(&axes)).collect();
        let value = apply(self, values)?;
        Some(Tile { shape, axes, value, own: None })
    }

    fn tile_postfix(&mut self, base: &tree::Expr, suffixes: &[Suffix], span: Span) -> Option<Tile> {
        let (first, rest) = suffixes.split_first()?;
        let (mut tile, mut rest) = match (&base.kind, &first.kind) {
            (tree::ExprKind::Name(name), SuffixKind::Call(args)) if self.binding(name).is_none() => {
                (self.tile_call(name, args, base.span, base.span.to(first.span))?, rest)
            }
            (tree::ExprKind::Name(name), _)
                if let Some(Binding::Partition(partition)) = self.binding(name).cloned() =>
            {
                let (args, rest) = self.called_member(first, rest, Some(name), None, span)?;
                (self.tile_of_partition(&partition, name, args, base.span.to(args.span))?, rest)
            }
            _ => (self.tile(base)?, suffixes),
        };
        let mut so_far = base.span;
        if rest.len() < suffixes.len() {
            let read = suffixes.get(suffixes.len() - rest.len() - 1)?;
            self.note_tile(base.span.to(read.span), &tile);
        }
        while let Some((first, after)) = rest.split_first() {
            if let SuffixKind::Bracket(ranges) = &first.kind {
                tile = self.slice(tile, ranges, so_far.to(first.span))?;
                rest = after;
                continue;
            }
            let (method, after) = self.called_member(first, after, None, Some(tile.rank()), span)?;
            so_far = so_far.to(method.span);
            tile = self.method(tile, &method, so_far)?;
            self.note_tile(so_far, &tile);
            rest = after;
        }
        Some(tile)
    }

    /// The member and the arguments of `.sum(1)`, of a partition or of a tile of some rank, and what follows.
    fn called_member<'t>(
        &mut self,
        first: &'t Suffix,
        rest: &'t [Suffix],
        partition: Option<&str>,
        rank: Option<usize>,
        span: Span,
    ) -> Option<(Called<'t>, &'t [Suffix])> {
        match (&first.kind, rest.split_first()) {
            (SuffixKind::Member(member), Some((Suffix { kind: SuffixKind::Call(args), span }, rest))) => {
                Some((Called { member, args, span: *span }, rest))
            }
            (SuffixKind::Member(member), _) if rank.is_some() && is_transposition(&member.text) => {
                self.report(diagnostics::tile_transposed(member.span, &member.text, rank))
            }
            (SuffixKind::Member(member), _) => {
                let members = if partition.is_some() { PartitionMember::names() } else { TileMethod::names() };
                self.report(diagnostics::tile_member(member.span, &member.text, partition, &members))
            }
            _ if partition.is_some() => self.report(diagnostics::tile_place(span, TilePlace::Partition)),
            _ => self.report(diagnostics::tile_place(span, TilePlace::Here)),
        }
    }

    /// A call of a function with tiles.
    fn tile_call(&mut self, name: &str, args: &[Argument], name_span: Span, span: Span) -> Option<Tile> {
        if let Some(function) = self.function_named(name) {
            return self.called(&function, args, span);
        }
        if let Some(function) = TileFunction::from_name(name) {
            let call = Call { called: &function.documentation, word: name_span, args, span };
            return match function.role {
                Role::Makes(apply) | Role::Combines(apply) => apply(self, call),
                Role::Scatters { .. } => self.report(diagnostics::tile_place(span, TilePlace::ScatterWithin)),
                Role::Divides => self.report(diagnostics::tile_place(span, TilePlace::PartitionWithin)),
            };
        }
        if name == BIT_CAST {
            let cast = self.bit_cast_of(args, span)?;
            let tile = self.tile(cast.value)?;
            let value = self.bit_cast(&cast, tile.value)?;
            return Some(Tile { value, own: None, ..tile });
        }
        if exchange(name, args).is_some() {
            return self.report(diagnostics::wrong_exchange(span, &WrongExchange::OfTiles { function: name }));
        }
        if !self.is_function(name) {
            let unknown = self.unknown_called(name, name_span);
            return self.report(unknown);
        }
        let args = self.by_place_in_call(name, args, span)?;
        let (tiles, spans) = self.tiles_in(&args)?;
        self.element_by_element(tiles, &spans, |checker, values| checker.call_of(name, values, &spans, span))
    }

    /// The tiles that arguments are, and their places.
    pub(super) fn tiles_in(&mut self, args: &[Argument]) -> Option<(Vec<Tile>, Vec<Span>)> {
        let tiles: Vec<Option<Tile>> = args.iter().map(|arg| self.tile(&arg.value)).collect();
        let spans = args.iter().map(|arg| arg.value.span).collect();
        Some((tiles.into_iter().collect::<Option<Vec<_>>>()?, spans))
    }
}
