//! Atomic accesses of tiles: `p.atomic_add(t, i, j);`, `let before = p.atomic_exchange(t, i, j);`.

use smol_str::SmolStr;

use super::super::checker::Checker;
use super::super::operand::Operand;
use super::examples::changes;
use super::parameters::{INDEX, ORDER, PAD, SCOPE, TILE};
use super::partition::Partition;
use super::tile::{Tile, variable};
use super::transfers::{Transfer, is_named};
use super::words::{Call, MemberKind, PartitionMember};
use crate::diagnostics::{self, WrongAtomic, WrongTile};
use crate::documentation::Documentation;
use kernel::functions::Parameter;
use kernel::typed::{AccessKind, Atomic, AtomicOperation, Expr, ExprKind, Local, Statement, StatementKind};

const LOAD: &[Parameter] = &[INDEX, ORDER, SCOPE];
const LOAD_MASKED: &[Parameter] = &[INDEX, PAD, ORDER, SCOPE];
const CHANGE: &[Parameter] = &[TILE, INDEX, ORDER, SCOPE];

/// The two members with an atomic operation: its word, what both do, with their parameters and how that ends inside the
/// tensor and at its edge, and what stands around the word in an example.
macro_rules! members {
    ($operation:ident, $word:literal, $does:literal, $plain:ident: $inside:literal, $masked:ident: $edge:literal, $before:literal, $behind:literal) => {
        [
            PartitionMember {
                documentation: Documentation {
                    word: $word,
                    parameters: $plain,
                    text: concat!($does, $inside),
                    example: changes!(concat!($before, $word, $behind)),
                },
                kind: MemberKind::Transfer { access: AccessKind::Atomic(AtomicOperation::$operation), masked: false },
            },
            PartitionMember {
                documentation: Documentation {
                    word: concat!($word, "_masked"),
                    parameters: $masked,
                    text: concat!($does, $edge),
                    example: changes!(concat!($before, $word, "_masked", $behind)),
                },
                kind: MemberKind::Transfer { access: AccessKind::Atomic(AtomicOperation::$operation), masked: true },
            },
        ]
    };
}

/// The members that change elements by a tile.
macro_rules! changing {
    ($operation:ident, $word:literal, $does:literal, $inside:literal) => {
        members!(
            $operation, $word, $does, CHANGE: $inside, CHANGE: ", except what lies beyond the edge.",
            "py.", "(px.load(i, 0), 0, 0);"
        )
    };
}

pub(super) const LOADS: [PartitionMember; 2] = members!(
    Load,
    "atomic_load",
    "A tile whose elements are read in one step each",
    LOAD: ". The whole tile must lie inside.",
    LOAD_MASKED: "; what lies beyond the edge is the padding.",
    "py.atomic_add(py.",
    "(0, 0), 0, 0);"
);

pub(super) const STORES: [PartitionMember; 2] = changing!(
    Store,
    "atomic_store",
    "Writes the elements of a tile in one step each",
    ". The whole tile must lie inside."
);

pub(super) const ADDS: [PartitionMember; 2] = changing!(
    Add,
    "atomic_add",
    "Adds a tile to the elements, in one step each",
    ", so that blocks may meet there. With `let` it gives the tile from before."
);

pub(super) const MINS: [PartitionMember; 2] =
    changing!(Min, "atomic_min", "Makes each element the smaller one of both in one step", ".");

pub(super) const MAXS: [PartitionMember; 2] =
    changing!(Max, "atomic_max", "Makes each element the greater one of both in one step", ".");

pub(super) const ANDS: [PartitionMember; 2] =
    changing!(And, "atomic_and", "Keeps the bits of each element that the tile has too, in one step", ".");

pub(super) const ORS: [PartitionMember; 2] =
    changing!(Or, "atomic_or", "Sets the bits of the tile in each element, in one step", ".");

pub(super) const XORS: [PartitionMember; 2] =
    changing!(Xor, "atomic_xor", "Flips the bits of the tile in each element, in one step", ".");

pub(super) const EXCHANGES: [PartitionMember; 2] = members!(
    Exchange,
    "atomic_exchange",
    "Writes the elements of a tile, and gives those from before, in one step each",
    CHANGE: ".",
    CHANGE: ", except what lies beyond the edge.",
    "let before = py.",
    "(px.load(i, 0), 0, 0); py.atomic_add(before, 0, 0);"
);

/// A call of a member with an atomic operation.
#[derive(Clone, Copy)]
pub(super) struct AtomicAccess<'t> {
    pub(super) call: Call<'t>,
    pub(super) operation: AtomicOperation,
    /// Whether elements beyond the edge are left out.
    pub(super) masked: bool,
}

/// The atomic access of an element of a tile.
struct Changed {
    axes: Vec<Local>,
    body: Vec<Statement>,
    /// The element from before, if it is wanted.
    before: Option<Expr>,
}

impl Checker<'_> {
    /// An atomic access of a tile through a partition, which gives the tile from before.
    pub(super) fn atomic_tile(
        &mut self,
        partition: &Partition,
        word: &SmolStr,
        access: AtomicAccess<'_>,
    ) -> Option<Tile> {
        let span = access.call.span;
        let element = self.memories.element_of(partition.memory)?;
        let Changed { axes, mut body, before } = self.changed(partition, word, access, true)?;
        let array = self.array(element, &partition.tile, span)?;
        let value = self.coerce(Operand::Typed(before?), element, span)?;
        let access = self.element_access(array, axes.iter().map(|axis| variable(*axis)).collect(), span)?;
        body.extend(self.made(StatementKind::Store { access, value, is_async: false }, span));
        let each = self.each(&axes, &partition.tile, body, span)?;
        self.tiles.before.push(each);
        self.owned(array, span)
    }

    /// An atomic access of a tile through a partition, whose tile from before is not wanted.
    pub(super) fn atomic_change(
        &mut self,
        partition: &Partition,
        word: &SmolStr,
        access: AtomicAccess<'_>,
    ) -> Option<()> {
        let Changed { axes, body, .. } = self.changed(partition, word, access, false)?;
        let each = self.each(&axes, &partition.tile, body, access.call.span)?;
        self.tiles.before.push(each);
        Some(())
    }

    /// The atomic access of an element, with the element from before if that is wanted.
    fn changed(
        &mut self,
        partition: &Partition,
        word: &SmolStr,
        AtomicAccess { call, operation, masked }: AtomicAccess<'_>,
        is_wanted: bool,
    ) -> Option<Changed> {
        let span = call.span;
        let (positional, named) = self.split_call(call)?;
        let Some((operands, indices)) = positional.split_at_checked(operation.operands().len()) else {
            return self.wrong_count(call, 0);
        };
        match (is_wanted, operation) {
            (true, AtomicOperation::Store) => {
                return self.report(diagnostics::wrong_atomic(span, &WrongAtomic::GivesNothing));
            }
            (false, AtomicOperation::Load) => return self.report(diagnostics::tile_unused(span)),
            _ => {}
        }
        if operation.writes() {
            self.check_mutable(partition.memory, call.word)?;
        }
        let element = self.memories.element_of(partition.memory)?;
        self.check_atomic_type(operation, element, call.word)?;
        let (order, scope) = self.order_and_scope(operation, partition.memory, &named)?;
        let padding = self.padding(named.iter().copied().find(|argument| is_named(argument, PAD.name)), element)?;
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
        let indices = self.tile_indices(indices, word, partition, span)?;
        let transfer = Transfer { partition, word, indices, masked, span };
        self.note_tile_access(partition, span)?;
        let axes = axes.unwrap_or_else(|| self.axes(&partition.tile));
        let access = self.tile_access(&transfer, &axes, AccessKind::Atomic(operation))?;
        let mask = access.mask.clone();
        let result = is_wanted.then(|| self.new_local(&SmolStr::new_static("before"), element, false));
        let atomic = Atomic { operation, access, operands: values, result, order, scope };
        let body = self.made(StatementKind::Atomic(Box::new(atomic)), span);
        let before = result.map(|result| {
            let value = Expr { kind: ExprKind::Local(result), element };
            let Some(mask) = mask.filter(|_| !padding.is_zero()) else { return value };
            let pad = padding.number(element);
            Expr { kind: ExprKind::Select(Box::new(mask), Box::new(value), Box::new(pad)), element }
        });
        Some(Changed { axes, body, before })
    }
}
