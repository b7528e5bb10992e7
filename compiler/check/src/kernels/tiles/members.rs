//! The members of partitions, and calls of them: `px.load(i, j)`, `py.store(t, i, j);`.

use smol_str::SmolStr;

use super::super::bindings::Binding;
use super::super::checker::Checker;
use super::atomics::AtomicAccess;
use super::examples::stores;
use super::parameters::{ALLOW_TMA, DIMENSION, INDEX, LATENCY, PAD, TILE};
use super::partition::Partition;
use super::tile::Tile;
use super::transfers::{Transfer, is_named};
use super::words::{Call, Called, MemberKind, PartitionMember, Sizes, TileMethod};
use crate::diagnostics;
use crate::documentation::Documentation;
use crate::read::Read;
use kernel::typed::{AccessKind, Statement};
use syntax::span::Span;
use syntax::tree::{self, Suffix, SuffixKind};

pub(super) const LOADS: [PartitionMember; 2] = [
    PartitionMember {
        documentation: Documentation {
            word: "load",
            parameters: &[INDEX, LATENCY, ALLOW_TMA],
            text: "The tile with this index. All of it lies inside the tensor, which is proven.",
            example: stores!("px.load(i, j)"),
        },
        kind: MemberKind::Transfer { access: AccessKind::Load, masked: false },
    },
    PartitionMember {
        documentation: Documentation {
            word: "load_masked",
            parameters: &[INDEX, PAD, LATENCY, ALLOW_TMA],
            text: "The tile with this index. What lies beyond the edge of the tensor is 0, or what `pad` says.",
            example: stores!("px.load_masked(i, j, pad: nan)"),
        },
        kind: MemberKind::Transfer { access: AccessKind::Load, masked: true },
    },
];

pub(super) const STORES: [PartitionMember; 2] = [
    PartitionMember {
        documentation: Documentation {
            word: "store",
            parameters: &[TILE, INDEX, LATENCY, ALLOW_TMA],
            text: "Stores a tile, all of which lies inside the tensor, which is proven.",
            example: stores!("px.load(i, j)"),
        },
        kind: MemberKind::Transfer { access: AccessKind::Store, masked: false },
    },
    PartitionMember {
        documentation: Documentation {
            word: "store_masked",
            parameters: &[TILE, INDEX, LATENCY, ALLOW_TMA],
            text: "Stores a tile, without what lies beyond the edge of the tensor.",
            example: "kernel k(x: f32[6], y: mut f32[6]) {\n    view px = partition(x, [4]);\n    view py = partition(y, [4]);\n    for i in \
                      grid(px.index_space) { py.store_masked(px.load_masked(i), i); }\n}",
        },
        kind: MemberKind::Transfer { access: AccessKind::Store, masked: true },
    },
];

/// What is known of a partition before the kernel runs, and the mask.
pub(super) const PROPERTIES: [PartitionMember; 5] = [
    PartitionMember {
        documentation: Documentation {
            word: "mask",
            parameters: &[INDEX],
            text: "A tile of `bool`: which elements of the tile with this index lie inside the tensor. They are those that `load_masked` does \
                   not pad.",
            example: stores!("select(px.mask(i, j), px.load_masked(i, j), 1.0)"),
        },
        kind: MemberKind::Mask,
    },
    PartitionMember {
        documentation: Documentation {
            word: "index_space",
            parameters: &[DIMENSION.optional()],
            text: "The numbers of tiles along the dimensions, for `grid`; with a dimension, one of them.",
            example: stores!("px.load(i, j)"),
        },
        kind: MemberKind::Sizes(Sizes::IndexSpace),
    },
    PartitionMember {
        documentation: Documentation {
            word: "tile",
            parameters: &[DIMENSION.optional()],
            text: "The extents of a tile, where extents are listed, as in `zeros(f32[px.tile])`; with a dimension, one of them.",
            example: stores!("full(f32[px.tile], 2.0)"),
        },
        kind: MemberKind::Sizes(Sizes::Tile),
    },
    PartitionMember {
        documentation: Documentation {
            word: "tensor",
            parameters: &[DIMENSION.optional()],
            text: "The dimensions of what is divided, for `grid`; with a dimension, one of them.",
            example: stores!("px.load(i, j) / f32(px.tensor(0))"),
        },
        kind: MemberKind::Sizes(Sizes::Tensor),
    },
    PartitionMember {
        documentation: Documentation {
            word: "mapping",
            parameters: &[],
            text: "The map from the index of a tile and the place of an element in it to the indices of the tensor: I · S + J in each \
                   dimension. A view goes through it: `view v = x via px.mapping masked;`.",
            example: "kernel k(x: f32[8], y: mut f32[8]) {\n    view px = partition(x, [4]);\n    view tiled = x via px.mapping;\n    for i in \
                      grid(8) { y[i] = tiled[i / 4, i % 4]; }\n}",
        },
        kind: MemberKind::Mapping,
    },
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
        let (member, call) = self.member_called(called, word, span)?;
        match member.kind {
            MemberKind::Transfer { access: AccessKind::Load, masked } => {
                let (positional, named) = self.split_call(call)?;
                self.hints(&named)?;
                let element = self.memories.element_of(partition.memory)?;
                let pad = named.iter().copied().find(|argument| is_named(argument, PAD.name));
                let padding = self.padding(pad, element)?;
                let indices = self.tile_indices(positional, word, partition, span)?;
                self.load_tile(&Transfer { partition, word, indices, masked, span }, padding)
            }
            MemberKind::Transfer { access: AccessKind::Atomic(operation), masked } => {
                self.atomic_tile(partition, word, AtomicAccess { call, operation, masked })
            }
            MemberKind::Transfer { .. } => self.report(diagnostics::tile_store_as_value(call.word, member.name())),
            MemberKind::Mask => {
                let (positional, _) = self.split_call(call)?;
                let indices = self.tile_indices(positional, word, partition, span)?;
                self.mask_of_tile(&Transfer { partition, word, indices, masked: true, span })
            }
            MemberKind::Sizes(_) | MemberKind::Mapping => self.no_such_member(called.member, word),
        }
    }

    /// The member of the partition `word` that is called.
    fn member_called<'t>(
        &mut self,
        Called { member, args, .. }: Called<'t>,
        word: &str,
        span: Span,
    ) -> Option<(&'static PartitionMember, Call<'t>)> {
        match PartitionMember::from_name(&member.text) {
            Some(found) => Some((found, Call { called: &found.documentation, word: member.span, args, span })),
            None => self.no_such_member(member, word),
        }
    }

    fn no_such_member<T>(&mut self, member: &tree::Name, word: &str) -> Option<T> {
        if let Some(Binding::Partition(partition)) = self.binding(word)
            && TileMethod::from_name(&member.text).is_some()
        {
            let load = self.load_of(word, partition);
            return self.report(diagnostics::member_of_whole_partition(member.span, &member.text, &load));
        }
        self.report(diagnostics::tile_member(member.span, &member.text, Some(word), &PartitionMember::names()))
    }

    /// `py.store(t, i, j);`: the call of a partition's member, and other statements that only look like one.
    pub(in super::super) fn store_statement(&mut self, expr: &tree::Expr) -> Read<Vec<Statement>> {
        let tree::ExprKind::Postfix { base, suffixes } = &expr.kind else { return Read::NotMine };
        let tree::ExprKind::Name(name) = &base.kind else { return Read::NotMine };
        let wrong = match (self.binding(name).cloned(), suffixes.as_slice()) {
            (
                Some(Binding::Partition(partition)),
                [Suffix { kind: SuffixKind::Member(member), .. }, Suffix { kind: SuffixKind::Call(args), span }],
            ) => {
                let called = Called { member, args, span: *span };
                let (statements, done) =
                    self.with_tiles(|checker| checker.stored_by_member(&partition, name, base.span, called, expr.span));
                return Read::from_checked(done.map(|()| statements));
            }
            (Some(Binding::Partition(_) | Binding::Tile(_)), _) => diagnostics::tile_unused(expr.span),
            (Some(Binding::Memory(_) | Binding::View(_)), [Suffix { kind: SuffixKind::Member(member), .. }, ..])
                if PartitionMember::from_name(&member.text).is_some() =>
            {
                diagnostics::no_partition(member.span, name, &member.text)
            }
            _ => return Read::NotMine,
        };
        Read::from_checked(self.report(wrong))
    }

    /// What the call of a member does to the tensor.
    fn stored_by_member(
        &mut self,
        partition: &Partition,
        word: &SmolStr,
        place: Span,
        called: Called<'_>,
        span: Span,
    ) -> Option<()> {
        let (member, call) = self.member_called(called, word, span)?;
        match member.kind {
            MemberKind::Transfer { access: AccessKind::Atomic(operation), masked } => {
                self.atomic_change(partition, word, AtomicAccess { call, operation, masked })
            }
            MemberKind::Transfer { access: AccessKind::Store, masked } => {
                let (positional, named) = self.split_call(call)?;
                self.hints(&named)?;
                let Some((value, indices)) = positional.split_first() else { return self.wrong_count(call, 0) };
                self.check_mutable(partition.memory, place)?;
                let tile = self.tile(&value.value)?;
                let indices = self.tile_indices(indices, word, partition, span)?;
                let transfer = Transfer { partition, word, indices, masked, span };
                self.store_tile(&transfer, tile, value.value.span)
            }
            MemberKind::Transfer { .. } | MemberKind::Mask => self.report(diagnostics::tile_unused(span)),
            MemberKind::Sizes(_) | MemberKind::Mapping => self.no_such_member(called.member, word),
        }
    }
}
