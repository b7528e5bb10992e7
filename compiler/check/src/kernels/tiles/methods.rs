//! The operations of tiles and partitions that are called by a member: `t.permute(1, 0)`, `px.load(i, j)`.

use smol_str::SmolStr;

use super::super::Checker;
use super::atomics::atomic_member;
use super::orders::Wanted;
use super::shapes::is_transposition;
use super::transfers::{HINTS, Transfer, is_named};
use super::values::{Called, row_major_number};
use super::{Partition, Tile};
use crate::diagnostics::{self, WrongTile};
use dims::Sym;
use kernel::raise::Contents;
use kernel::typed::{Expr, Memory};
use syntax::span::Span;
use syntax::tree::{self, Argument, ExprKind};

/// The members of a partition.
pub const PARTITION_MEMBERS: &[&str] = &[
    "load",
    "load_masked",
    "store",
    "store_masked",
    "mask",
    "index_space",
    "tile",
    "tensor",
    "mapping",
    "atomic_load",
    "atomic_load_masked",
    "atomic_store",
    "atomic_store_masked",
    "atomic_add",
    "atomic_add_masked",
    "atomic_min",
    "atomic_min_masked",
    "atomic_max",
    "atomic_max_masked",
    "atomic_and",
    "atomic_and_masked",
    "atomic_or",
    "atomic_or_masked",
    "atomic_xor",
    "atomic_xor_masked",
    "atomic_exchange",
    "atomic_exchange_masked",
];

/// The members of a tile.
pub const TILE_MEMBERS: &[&str] = &[
    "permute", "reshape", "insert", "sum", "mean", "prod", "max", "min", "any", "all", "argmax", "argmin", "cumsum",
    "cumprod", "sort", "argsort", "top", "argtop",
];

impl Checker<'_> {
    /// `px.load(i, j)` and the like.
    pub(super) fn tile_of_partition(
        &mut self,
        partition: &Partition,
        word: &SmolStr,
        called: Called<'_>,
        span: Span,
    ) -> Option<Tile> {
        if let Some(operation) = atomic_member(&called.member.text) {
            return self.atomic_tile(partition, word, (called, operation), (true, span))?;
        }
        let masked = match called.member.text.as_str() {
            "mask" => {
                let (positional, _) = self.split_arguments(called, &[])?;
                let indices = self.tile_indices(positional, (word, partition), span)?;
                return self.mask_of_tile(&Transfer { partition, word, indices, masked: true, span });
            }
            "load" => false,
            "load_masked" => true,
            "store" | "store_masked" => {
                return self.report(diagnostics::tile_member(called.member.span, &called.member.text, Some(word), &[]));
            }
            other => {
                return self.report(diagnostics::tile_member(called.member.span, other, Some(word), PARTITION_MEMBERS));
            }
        };
        let names: &[&str] = if masked { &["pad", "latency", "allow_tma"] } else { HINTS };
        let (positional, named) = self.split_arguments(called, names)?;
        self.hints(&named)?;
        let element = self.memories.element_of(partition.memory)?;
        let padding = self.padding(named.iter().copied().find(|argument| is_named(argument, "pad")), element)?;
        let indices = self.tile_indices(positional, (word, partition), span)?;
        self.load_tile(&Transfer { partition, word, indices, masked, span }, padding)
    }

    /// The arguments by place, then those by name, of which only `names` exist.
    pub(super) fn split_arguments<'t>(
        &mut self,
        called: Called<'t>,
        names: &[&str],
    ) -> Option<(&'t [Argument], Vec<&'t Argument>)> {
        self.split_named(called.member.text.as_str(), called.args, names)
    }

    /// The arguments of a function by place, then those by name, of which only `names` exist.
    pub(in super::super) fn split_named<'t>(
        &mut self,
        function: &str,
        args: &'t [Argument],
        names: &[&str],
    ) -> Option<(&'t [Argument], Vec<&'t Argument>)> {
        let count = args.iter().take_while(|argument| argument.name.is_none()).count();
        let (positional, named) = args.split_at(count);
        for (position, argument) in named.iter().enumerate() {
            let own = argument.name.as_ref().map(|name| &name.text);
            let same = |other: &&Argument| own.is_some() && other.name.as_ref().map(|name| &name.text) == own;
            if let (Some(first), Some(name)) = (named[..position].iter().find(same), own) {
                let (again, first) = (argument.value.span, first.value.span);
                return self.report(diagnostics::argument_twice(again, first, function, name));
            }
            let known = argument.name.as_ref().filter(|name| names.contains(&name.text.as_str()));
            if known.is_none() {
                let (span, name) = match &argument.name {
                    Some(name) => (name.span, name.text.clone()),
                    None => (argument.value.span, SmolStr::default()),
                };
                return self.report(diagnostics::unknown_argument(span, function, &name, names));
            }
        }
        Some((positional, named.iter().collect()))
    }

    /// A method of a tile.
    pub(super) fn method(&mut self, tile: Tile, called: &Called<'_>, span: Span) -> Option<Tile> {
        let rank = tile.rank();
        match called.member.text.as_str() {
            "permute" => self.permute(tile, called.args, span),
            "reshape" => self.reshape(tile, called.args, span),
            "insert" => self.insert(tile, called.args, span),
            word => match Wanted::of_member(word) {
                Some(wanted) => self.in_order(tile, wanted, *called, span),
                None => match self.reduction(tile, word, *called, span) {
                    Some(found) => found,
                    None => self.no_method(rank, called, span),
                },
            },
        }
    }

    /// Reports a method that there is not: a function, or one of other languages.
    fn no_method<T>(&mut self, rank: usize, called: &Called<'_>, span: Span) -> Option<T> {
        let (member, word) = (called.member.span, called.member.text.as_str());
        if is_transposition(word) {
            return self.report(diagnostics::tile_transposed(member.to(called.span), word, Some(rank)));
        }
        if self.is_function(word) && self.evaluator.generics.get(word).is_none() {
            let first = self.text_of(Span::new(span.start, span.start + 1));
            return self.report(diagnostics::tile_function(member, word, (span, &first), !called.args.is_empty()));
        }
        self.report(diagnostics::tile_member(member, word, None, TILE_MEMBERS))
    }

    /// `t.permute(1, 0)`: dimension `k` of the result is dimension `order[k]` of the tile.
    fn permute(&mut self, tile: Tile, args: &[Argument], span: Span) -> Option<Tile> {
        let rank = tile.rank();
        let mut order = Vec::with_capacity(args.len());
        for dimension in listed(args) {
            order.push(self.dimension(dimension, rank)?);
        }
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != rank || order.len() != rank {
            return self.report(diagnostics::tile_shape(span, &WrongTile::Permutation { rank, found: &order }));
        }
        let tile = self.stored(tile, span)?;
        let moved = |dimension: &usize| Some((*tile.shape.get(*dimension)?, *tile.axes.get(*dimension)?));
        let (shape, axes) = order.iter().map(moved).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        Some(Tile { shape, axes, value: tile.value, own: None })
    }

    /// `t.reshape([8, 2])`, `t.reshape(8, 2)`: the same elements in row-major order. One extent may be -1: the one that fits.
    fn reshape(&mut self, tile: Tile, args: &[Argument], span: Span) -> Option<Tile> {
        let extents = listed(args);
        let open: Vec<usize> =
            (0..extents.len()).filter(|place| extents.get(*place).is_some_and(|e| is_open(e))).collect();
        let said: Vec<&tree::Expr> = extents.into_iter().filter(|extent| !is_open(extent)).collect();
        let mut shape = self.extents(said, None, span)?;
        if open.len() > 1 {
            return self.report(diagnostics::tile_shape(span, &WrongTile::SeveralOpen { tile: &tile.shape }));
        }
        if let [place] = open.as_slice() {
            let (all, known): (i64, i64) = (tile.shape.iter().product(), shape.iter().product());
            if all % known.max(1) != 0 {
                let why = WrongTile::NoneFits { tile: &tile.shape, others: known };
                return self.report(diagnostics::tile_shape(span, &why));
            }
            shape.insert(*place, (all / known.max(1)).max(1));
        }
        let (before, after): (i64, i64) = (tile.shape.iter().product(), shape.iter().product());
        if before != after {
            let why = WrongTile::Elements { tile: &tile.shape, shape: &shape };
            return self.report(diagnostics::tile_shape(span, &why));
        }
        let tile = self.stored(tile, span)?;
        let axes = self.axes(&shape);
        let extents: Vec<Sym> = tile.shape.iter().map(|extent| Sym::constant(*extent)).collect();
        let digits = Expr::digits(row_major_number(&axes, &shape), &extents);
        let value = tile.at(&digits);
        Some(Tile { shape, axes, value, own: None })
    }

    /// `t.insert(1)`: a dimension of extent 1 before dimension 1.
    fn insert(&mut self, tile: Tile, args: &[Argument], span: Span) -> Option<Tile> {
        let [place] = args else {
            return self.report(diagnostics::argument_count(span, "insert", &["dimension"], args.len()));
        };
        let place = self.dimension(&place.value, tile.rank() + 1)?;
        let Tile { mut shape, mut axes, value, .. } = tile;
        let axis = self.axes(&[1]);
        shape.insert(place, 1);
        axes.splice(place..place, axis);
        Some(Tile { shape, axes, value, own: None })
    }

    /// `cat([a, b], 0)`: tiles one after the other along a dimension.
    pub(super) fn joined(&mut self, args: &[Argument], span: Span) -> Option<Tile> {
        let [parts, dimension] = args else {
            return self.report(diagnostics::argument_count(span, "cat", &["tiles", "dimension"], args.len()));
        };
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
        let mut contents: Option<Option<Contents>> = None;
        for (tile, part) in tiles.drain(..).zip(parts) {
            let extent = *tile.shape.get(along)?;
            let own = self.contents_of(&tile, element);
            contents = Some(match contents {
                None => own,
                Some(before) => before.zip(own).map(|(before, own)| before.union(&own, &self.evaluator.facts)),
            });
            self.store_part(array, (tile, along, start), part.span)?;
            start += extent;
        }
        let contents = contents.flatten().map(Contents::without_distinct);
        self.raiser.know_contents(Memory::Shared(array), contents);
        self.owned(array, span)
    }
}

/// The parts of a list, which is given by itself or as the arguments.
fn listed(args: &[Argument]) -> Vec<&tree::Expr> {
    match args {
        [Argument { value: tree::Expr { kind: ExprKind::List(list), .. }, .. }] => list.iter().collect(),
        _ => args.iter().map(|arg| &arg.value).collect(),
    }
}

/// Whether an extent is `-1`, which stands for the one that fits.
fn is_open(extent: &tree::Expr) -> bool {
    matches!(&extent.kind, ExprKind::Prefix { ops, operand }
        if matches!(ops.as_slice(), [(tree::PrefixOp::Negate, _)])
            && matches!(&operand.kind, ExprKind::Int(Some(1))))
}
