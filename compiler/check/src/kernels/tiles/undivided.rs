//! What is said of a partition, all of it, where one of its tiles is meant.

use smol_str::SmolStr;

use super::super::checker::Checker;
use super::partition::Partition;
use crate::diagnostics::{self, TileLoad};
use syntax::span::Span;

impl Checker<'_> {
    /// Reports a partition that stands where a number or a tile does.
    pub(in super::super) fn whole_partition<T>(&mut self, name: &str, partition: &Partition, span: Span) -> Option<T> {
        let load = self.load_of(name, partition);
        self.report(diagnostics::whole_partition(span, name, &load))
    }

    /// How a tile of a partition is loaded where this stands.
    pub(super) fn load_of(&self, name: &str, partition: &Partition) -> TileLoad {
        let rank = partition.tile.len();
        let iterators: Vec<SmolStr> =
            self.context.of_grid.iter().filter_map(|local| Some(self.locals.get(*local)?.name.clone())).collect();
        let is_exact = iterators.len() == rank;
        let indices: Vec<SmolStr> = match iterators.len() {
            0 => (0..rank)
                .map(|dimension| SmolStr::from(["i", "j", "k"].get(dimension).copied().unwrap_or("0")))
                .collect(),
            count if count <= rank => iterators.into_iter().chain((count..rank).map(|_| "0".into())).collect(),
            _ => iterators.into_iter().take(rank).collect(),
        };
        TileLoad { partition: name.into(), indices: indices.join(", "), is_exact }
    }
}
