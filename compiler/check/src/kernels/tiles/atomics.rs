//! Atomic accesses of tiles: `p.atomic_add(t, i, j);`, `let before = p.atomic_exchange(t, i, j);`.

use smol_str::SmolStr;

use super::super::Checker;
use super::super::atomics::NAMED;
use super::super::operands::Operand;
use super::arrays::variable;
use super::transfers::{Transfer, is_named};
use super::values::Called;
use super::{Partition, Tile};
use crate::diagnostics::{self, WrongAtomic, WrongTile};
use kernel::typed::{AccessKind, Atomic, AtomicOperation, Expr, ExprKind, StatementKind};
use syntax::span::Span;

/// The atomic operation of a member of a partition, and whether it leaves out what is beyond the edge. Each has one operand at
/// most, a tile.
pub(super) fn atomic_member(word: &str) -> Option<(AtomicOperation, bool)> {
    let (name, masked) = word.strip_suffix("_masked").map_or((word, false), |name| (name, true));
    let operation = AtomicOperation::from_name(name)?;
    (operation.operands().len() <= 1).then_some((operation, masked))
}

impl Checker<'_> {
    /// An atomic access of a tile through a partition, with the tile from before if that is wanted.
    pub(super) fn atomic_tile(
        &mut self,
        partition: &Partition,
        word: &SmolStr,
        (called, (operation, masked)): (Called<'_>, (AtomicOperation, bool)),
        (is_wanted, span): (bool, Span),
    ) -> Option<Option<Tile>> {
        let name = called.member.text.as_str();
        let is_padded = masked && operation == AtomicOperation::Load;
        let names: Vec<&str> = NAMED.iter().copied().chain(is_padded.then_some("pad")).collect();
        let (positional, named) = self.split_arguments(called, &names)?;
        let Some((operands, indices)) = positional.split_at_checked(operation.operands().len()) else {
            return self.report(diagnostics::argument_count(span, name, &["tile", "index"], 0));
        };
        match (is_wanted, operation) {
            (true, AtomicOperation::Store) => {
                return self.report(diagnostics::wrong_atomic(span, &WrongAtomic::GivesNothing));
            }
            (false, AtomicOperation::Load) => return self.report(diagnostics::tile_unused(span)),
            _ => {}
        }
        if operation.writes() {
            self.check_mutable(partition.memory, called.member.span)?;
        }
        let element = self.memories.element_of(partition.memory)?;
        self.check_atomic_type(operation, element, called.member.span)?;
        let (order, scope) = self.order_and_scope(operation, partition.memory, &named)?;
        let padding = self.padding(named.iter().copied().find(|argument| is_named(argument, "pad")), element)?;
        let mut axes = None;
        let mut values = Vec::new();
        for operand in operands {
            let tile = self.tile(&operand.value)?;
            if tile.shape != partition.tile {
                let why = WrongTile::Stored { tile: &tile.shape, view: &partition.tile };
                return self.report(diagnostics::tile_shape(operand.value.span, &why));
            }
            let tile = self.apart_from(partition.memory, tile, operand.value.span)?;
            let axes = axes.get_or_insert_with(|| tile.axes.clone());
            values.push(self.widened(tile.along(axes), element, operand.value.span)?);
        }
        let indices = self.tile_indices(indices, (word, partition), span)?;
        let transfer = Transfer { partition, word, indices, masked, span };
        self.note_tile_access(partition, span)?;
        let axes = axes.unwrap_or_else(|| self.axes(&partition.tile));
        let access = self.tile_access(&transfer, &axes, AccessKind::Atomic(operation))?;
        let mask = access.mask.clone();
        let result = is_wanted.then(|| self.new_local(&SmolStr::new_static("before"), element, false));
        let atomic = Atomic { operation, access, operands: values, result, order, scope };
        let mut body = self.made(StatementKind::Atomic(Box::new(atomic)), span);
        let array = match result {
            Some(result) => {
                let array = self.array(element, &partition.tile, span)?;
                let mut value = Expr { kind: ExprKind::Local(result), element };
                if let Some(mask) = mask.filter(|_| !padding.is_zero()) {
                    let pad = padding.number(element);
                    value = Expr { kind: ExprKind::Select(Box::new(mask), Box::new(value), Box::new(pad)), element };
                }
                let value = self.coerce(Operand::Typed(value), element, span)?;
                let access = self.element_access(array, axes.iter().map(|axis| variable(*axis)).collect(), span)?;
                body.extend(self.made(StatementKind::Store { access, value, is_async: false }, span));
                Some(array)
            }
            None => None,
        };
        let each = self.each(&axes, &partition.tile, body, span)?;
        self.tiles.before.push(each);
        Some(match array {
            Some(array) => Some(self.owned(array, span)?),
            None => None,
        })
    }
}
