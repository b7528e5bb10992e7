//! Loads and stores of tiles through partitions.

use std::ops::RangeInclusive;
use std::sync::Arc;

use smol_str::SmolStr;

use super::super::access::Accessed;
use super::super::checker::Checker;
use super::super::claims::{Subject, TileAccess};
use super::super::operand::{Operand, widens};
use super::super::view::View;
use super::parameters::{ALLOW_TMA, LATENCY};
use super::partition::Partition;
use super::tile::{Tile, variable};
use super::words::PartitionMember;
use crate::diagnostics::{self, Advice, Expected, Padded, TilePlace, WrongTile};
use crate::values::Value;
use dims::{CompareOp, Sym};
use elements::ElementType;
use kernel::raise::LoopRange;
use kernel::typed::{Access, AccessKind, BinaryOp, Constant, Expr, ExprKind, Local, Memory, Scope, StatementKind};
use proofs::Verdict;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{self, Argument};

/// What a masked load gives beyond the edge of the tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Padding {
    word: &'static str,
    value: f64,
}

impl Padding {
    /// Whether it is what a masked load gives by itself.
    pub(super) fn is_zero(self) -> bool {
        self.word == PADDINGS[0].word
    }

    /// The number.
    pub(super) fn value(self) -> f64 {
        self.value
    }

    /// The number of this type.
    pub(super) fn number(self, element: ElementType) -> Expr {
        match element.is_float() {
            true => Expr::constant(Constant::Float(self.value), element),
            false => Expr::int(0).cast_to(element),
        }
    }
}

/// The paddings, by the names that CUDA Tile has for them.
const PADDINGS: [Padding; 5] = [
    Padding { word: "zero", value: 0.0 },
    Padding { word: "negative_zero", value: -0.0 },
    Padding { word: "positive_inf", value: f64::INFINITY },
    Padding { word: "negative_inf", value: f64::NEG_INFINITY },
    Padding { word: "nan", value: f64::NAN },
];

/// The latencies that a hint may expect, from little to heavy traffic, as CUDA Tile has them.
const LATENCIES: RangeInclusive<i64> = 1..=10;

/// Whether an argument is the one with this name.
pub(super) fn is_named(argument: &Argument, name: &str) -> bool {
    argument.name.as_ref().is_some_and(|own| own.text == name)
}

/// The tile that is transferred: which partition, under which name, at which index.
pub(super) struct Transfer<'t> {
    pub(super) partition: &'t Partition,
    pub(super) word: &'t SmolStr,
    pub(super) indices: Vec<Expr>,
    /// Whether elements beyond the edge are left out.
    pub(super) masked: bool,
    pub(super) span: Span,
}

impl Checker<'_> {
    /// The indices of a tile.
    pub(super) fn tile_indices(
        &mut self,
        args: &[Argument],
        word: &SmolStr,
        partition: &Partition,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let rank = partition.tile.len();
        if args.len() != rank {
            // What is called stands behind the point after the name.
            let tokens = self.evaluator.item.tokens(self.evaluator.db);
            let is_called = tokens.kind(span.start as usize + 3) == Some(TokenKind::OpenParen);
            let member = if is_called { tokens.text(span.start as usize + 2) } else { "load" };
            let tile = (member.starts_with("store") || member.starts_with("atomic")).then_some("t");
            return self.report(diagnostics::wrong_tile_index_count(span, (word, member, tile), rank, args.len()));
        }
        let indices: Vec<Option<Expr>> = args.iter().map(|arg| self.tile_index(&arg.value)).collect();
        indices.into_iter().collect()
    }

    fn tile_index(&mut self, index: &tree::Expr) -> Option<Expr> {
        if self.mentions_tiles(index) {
            return self.report(diagnostics::tile_place(index.span, TilePlace::Index));
        }
        self.integer(index, &Expected::IntegerIndex)
    }

    /// The padding of `load_masked(i, j, pad: nan)`.
    pub(super) fn padding(&mut self, pad: Option<&Argument>, element: ElementType) -> Option<Padding> {
        let Some(pad) = pad else { return Some(PADDINGS[0]) };
        let words = PADDINGS.map(|padding| padding.word);
        let word = match &pad.value.kind {
            tree::ExprKind::Name(word) => word.clone(),
            tree::ExprKind::Error => return None,
            _ => self.text_of(pad.value.span),
        };
        let word = word.as_str();
        let Some(padding) = PADDINGS.into_iter().find(|padding| padding.word == word) else {
            return self.report(diagnostics::tile_padding(pad.value.span, &Padded::Unknown { words: &words, word }));
        };
        if padding.word != "zero" && !element.is_float() {
            return self.report(diagnostics::tile_padding(pad.value.span, &Padded::NoFloat { word, element }));
        }
        if element.is_float() && !element.holds_float(padding.value) {
            return self.report(diagnostics::tile_padding(pad.value.span, &Padded::NoInfinity { word, element }));
        }
        Some(padding)
    }

    /// Checks the hints about a transfer, `latency: 4, allow_tma: false`. No result depends on them.
    pub(super) fn hints(&mut self, named: &[&Argument]) -> Option<()> {
        let mut sound = Some(());
        for argument in named {
            let value = &argument.value;
            let found = if is_named(argument, LATENCY.name) {
                match self.evaluator.int(value) {
                    Some(number) if number.as_constant().is_some_and(|number| LATENCIES.contains(&number)) => Some(()),
                    Some(number) => self.report(diagnostics::tile_latency(value.span, &number, LATENCIES)),
                    None => None,
                }
            } else if is_named(argument, ALLOW_TMA.name) {
                match self.evaluator.expr(value) {
                    Some(Value::Bool(_)) => Some(()),
                    Some(other) => self.report(diagnostics::tile_allow_tma(value.span, &other)),
                    None => None,
                }
            } else {
                Some(())
            };
            sound = sound.and(found);
        }
        sound
    }

    /// Which elements of a tile are inside: those that a masked load takes from the tensor.
    pub(super) fn mask_of_tile(&mut self, transfer: &Transfer<'_>) -> Option<Tile> {
        let shape = transfer.partition.tile.clone();
        let axes = self.axes(&shape);
        let access = self.tile_access(transfer, &axes, AccessKind::Load)?;
        // The index is to be inside the index space, but nothing is read.
        if let Some(Subject::Access(record)) = self.found.record.subjects.last_mut() {
            record.executed = false;
        }
        let all = Expr::constant(Constant::Bool(true), ElementType::Bool);
        Some(Tile { shape, axes, value: Operand::Typed(access.mask.unwrap_or(all)), own: None })
    }

    /// Loads a tile.
    pub(super) fn load_tile(&mut self, transfer: &Transfer<'_>, padding: Padding) -> Option<Tile> {
        let Transfer { partition, span, .. } = *transfer;
        let element = self.memories.element_of(partition.memory)?;
        self.note_tile_access(partition, span)?;
        let array = self.array(element, &partition.tile, span)?;
        let axes = self.axes(&partition.tile);
        let access = self.tile_access(transfer, &axes, AccessKind::Load)?;
        let mask = access.mask.clone();
        let mut value = Expr { kind: ExprKind::Load(Box::new(access)), element };
        if let Some(mask) = mask.filter(|_| !padding.is_zero()) {
            let pad = padding.number(element);
            value = Expr { kind: ExprKind::Select(Box::new(mask), Box::new(value), Box::new(pad)), element };
        }
        let tile = Tile { shape: partition.tile.clone(), axes, value: Operand::Typed(value), own: None };
        self.store_in(array, tile, span)?;
        if transfer.masked {
            self.note_edge_of_load(array, partition, padding);
        }
        self.owned(array, span)
    }

    /// Stores a tile.
    pub(super) fn store_tile(&mut self, transfer: &Transfer<'_>, tile: Tile, value_span: Span) -> Option<()> {
        let Transfer { partition, span, .. } = *transfer;
        let element = self.memories.element_of(partition.memory)?;
        if tile.shape != partition.tile {
            let why = WrongTile::Stored { tile: &tile.shape, view: &partition.tile };
            return self.report(diagnostics::tile_shape(value_span, &why));
        }
        self.note_tile_access(partition, span)?;
        self.writes_each_element_once(partition, span)?;
        let tile = self.apart_from(partition.memory, tile, value_span)?;
        let value = self.widened(tile.value, element, value_span)?;
        let access = self.tile_access(transfer, &tile.axes, AccessKind::Store)?;
        let store = self.made(StatementKind::Store { access, value, is_async: false }, span);
        let each = self.each(&tile.axes, &tile.shape, store, span)?;
        self.tiles.before.push(each);
        Some(())
    }

    /// The access of the elements over the axes of a tile.
    pub(super) fn tile_access(&mut self, transfer: &Transfer<'_>, axes: &[Local], kind: AccessKind) -> Option<Access> {
        let Transfer { partition, word, indices, masked, span } = transfer;
        let (view, coordinates) = match masked {
            true => {
                let elements = axes.iter().map(|axis| variable(*axis));
                (partition.masked.clone(), indices.iter().cloned().chain(elements).collect())
            }
            false => {
                let index = indices.iter().zip(axes).zip(&partition.tile).map(|((index, axis), extent)| {
                    let first = Expr::binary(BinaryOp::Multiply, index.clone(), Expr::int(*extent));
                    Expr::binary(BinaryOp::Add, first, variable(*axis))
                });
                (partition.direct.clone(), index.collect())
            }
        };
        let name = if *masked { (*word).clone() } else { partition.name.clone() };
        let accessed = Accessed { view, named: None, word: &name };
        let index = indices.iter().map(|index| self.raiser.value(index)).collect();
        let (extents, divided) = (partition.tile.clone(), Arc::clone(&partition.direct));
        self.tiles.accessed_tile = Some(TileAccess { index, extents, divided });
        let access = self.of_elements(axes, &partition.tile, |checker| {
            let advice = match masked {
                true => Advice::TileIndex,
                false => Advice::Tile { masked: checker.masked_member(*span) },
            };
            checker.advised_access(advice, &accessed, coordinates, kind, *span)
        });
        self.tiles.accessed_tile = None;
        access
    }

    /// The member in `px.load(i, j)` with the one that leaves out what lies beyond the edge.
    fn masked_member(&self, transfer: Span) -> Option<(Span, &'static str)> {
        let member = Span::new(transfer.start + 2, transfer.start + 3);
        let masked = PartitionMember::from_name(&self.text_of(member))?.masked()?;
        Some((member, masked.name()))
    }

    /// The access of an element of a tile, with what to do if it fails.
    pub(super) fn advised_access(
        &mut self,
        advice: Advice,
        accessed: &Accessed<'_>,
        coordinates: Vec<Expr>,
        kind: AccessKind,
        span: Span,
    ) -> Option<Access> {
        self.tiles.transfer = Some(advice);
        let access = self.access_at(accessed, coordinates, kind, span);
        self.tiles.transfer = None;
        access
    }

    /// What is checked of the elements of a tile, over its axes, as if one thread did it all.
    pub(in super::super) fn of_elements<T>(
        &mut self,
        axes: &[Local],
        shape: &[i64],
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let (scope, held) = (self.raiser.begin_scope(), self.raiser.held());
        if self.launch.threads.as_constant() != Some(1) {
            let (thread, first) = (self.raiser.value(&Expr::thread_id()), self.raiser.value(&Expr::int(0)));
            self.raiser.assume_comparison(thread, CompareOp::Eq, first);
        }
        for (axis, extent) in axes.iter().zip(shape) {
            let range = LoopRange { low: Sym::zero(), starts_at_low: true, extent: Some(Sym::constant(*extent)) };
            self.raiser.enter_loop(*axis, range);
        }
        let outer = std::mem::replace(&mut self.tiles.for_block, true);
        let found = check(self);
        self.tiles.for_block = outer;
        self.raiser.leave(held);
        self.raiser.end_scope(scope);
        found
    }

    /// Checks that a whole block accesses a tile, and notes which written tensors are accessed in tiles.
    pub(super) fn note_tile_access(&mut self, partition: &Partition, span: Span) -> Option<()> {
        match self.context.scope {
            Scope::Threads(_) => return self.report(diagnostics::tile_place(span, TilePlace::Threads)),
            Scope::Cluster => return self.report(diagnostics::tile_place(span, TilePlace::Cluster)),
            Scope::Grid | Scope::Block => {}
        }
        let Memory::Param(_) = partition.memory else { return Some(()) };
        if !self.is_mutable(partition.memory) {
            return Some(());
        }
        let divided = &partition.direct;
        let is_same = |(view, _): &(Arc<View>, Span)| view.memory == divided.memory && view.map == divided.map;
        if !self.tiles.accessed.iter().any(is_same) {
            let place = self.place(span);
            self.tiles.accessed.push((Arc::clone(divided), place));
        }
        Some(())
    }

    /// Checks that no two elements of a tile are one element of the tensor, which different threads would write.
    fn writes_each_element_once(&mut self, partition: &Partition, span: Span) -> Option<()> {
        if partition.whole {
            return Some(());
        }
        match self.not_injective(&partition.direct) {
            Some(verdict) => self.report(diagnostics::tile_view_not_injective(span, &partition.name, &verdict)),
            None => Some(()),
        }
    }

    /// The verdict about a view that is not known to reach each element at one point only.
    pub(super) fn not_injective(&self, view: &View) -> Option<Verdict> {
        if view.whole {
            return None;
        }
        let verdict = proofs::injective(&view.map, &self.evaluator.facts, &self.evaluator.budget());
        (!verdict.is_proven()).then_some(verdict)
    }

    /// Converts a value to the type of a tensor as CUDA Tile does: only if nothing is lost and the kind stays.
    pub(super) fn widened(&mut self, value: Operand, element: ElementType, span: Span) -> Option<Expr> {
        match value {
            Operand::Typed(expr) if expr.element != element && widens(expr.element, element) => {
                Some(expr.cast_to(element))
            }
            other => self.coerce(other, element, span),
        }
    }
}
