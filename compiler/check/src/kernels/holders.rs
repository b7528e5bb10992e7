//! The collectives that hold views: their number, and the position of a thread in them.

use super::Checker;
use super::lower::binary;
use super::operands::size;
use crate::diagnostics::{self, Planned};
use dims::Sym;
use elements::ElementType;
use kernel::collectives;
use kernel::typed::{BinaryOp, CollectiveId, Expr, ExprKind};
use maps::threads::Tiling;
use syntax::tree;

/// The number of threads in a warp.
const WARP: i64 = 32;

/// The collective whose threads share a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holder {
    Grid,
    Cluster,
    Block,
    /// The threads of a loop over collectives, or of a `with`.
    Collective(CollectiveId),
    Warp,
    Thread,
}

impl Checker<'_> {
    pub(super) fn unit(&mut self, per: Option<&tree::Expr>) -> Option<Holder> {
        let Some(per) = per else { return Some(Holder::Thread) };
        match &per.kind {
            tree::ExprKind::Name(name) if name == "thread" => Some(Holder::Thread),
            tree::ExprKind::Name(name) if name == "warp" => Some(Holder::Warp),
            tree::ExprKind::Name(name) if name == "block" => Some(Holder::Block),
            tree::ExprKind::Name(name) if name == "cluster" => Some(Holder::Cluster),
            tree::ExprKind::Error => None,
            _ => self.report(diagnostics::not_available_yet(per.span, Planned::ViewPerCollective)),
        }
    }

    /// The number of units in a holder.
    pub(super) fn units(&self, holder: Holder, unit: Holder) -> Result<Sym, dims::Arithmetic> {
        let warp = Sym::constant(WARP);
        let cluster = Sym::constant(self.launch.cluster);
        let (blocks, threads) = (&self.launch.blocks, &self.launch.threads);
        match (holder, unit) {
            (Holder::Grid, Holder::Block) => Ok(blocks.clone()),
            (Holder::Grid, Holder::Warp) => {
                blocks.checked_mul(threads)?.checked_floor_div(&warp, &self.evaluator.facts)
            }
            (Holder::Grid, Holder::Thread) => blocks.checked_mul(threads),
            (Holder::Block, Holder::Warp) => threads.checked_floor_div(&warp, &self.evaluator.facts),
            (Holder::Block, _) => Ok(threads.clone()),
            (Holder::Grid, Holder::Cluster) => blocks.checked_floor_div(&cluster, &self.evaluator.facts),
            (Holder::Cluster, Holder::Block) => Ok(cluster),
            (Holder::Cluster, Holder::Warp) => {
                cluster.checked_mul(threads)?.checked_floor_div(&warp, &self.evaluator.facts)
            }
            (Holder::Cluster, _) => cluster.checked_mul(threads),
            (Holder::Collective(collective), _) => {
                Ok(Sym::constant(self.collective(collective).map_or(1, Tiling::leaf_threads)))
            }
            _ => Ok(warp),
        }
    }

    /// The position within the holder of the unit to which the current thread belongs.
    pub(super) fn unit_position(&self, holder: Holder, unit: Holder) -> Expr {
        let id = |kind| Expr { kind, element: ElementType::I64 };
        let warp = || size(&Sym::constant(WARP));
        let rank = || collectives::cluster_rank(self.launch.cluster);
        let linear = match holder {
            Holder::Grid if self.launch.blocks.as_constant() != Some(1) => binary(
                BinaryOp::Add,
                binary(BinaryOp::Multiply, id(ExprKind::BlockId), size(&self.launch.threads)),
                id(ExprKind::ThreadId),
            ),
            Holder::Cluster if self.launch.cluster > 1 => binary(
                BinaryOp::Add,
                binary(BinaryOp::Multiply, rank(), size(&self.launch.threads)),
                id(ExprKind::ThreadId),
            ),
            Holder::Collective(collective) => return self.lane(collective),
            Holder::Warp => binary(BinaryOp::FloorRemainder, id(ExprKind::ThreadId), warp()),
            _ => id(ExprKind::ThreadId),
        };
        match unit {
            Holder::Cluster => {
                binary(BinaryOp::FloorDivide, id(ExprKind::BlockId), size(&Sym::constant(self.launch.cluster)))
            }
            Holder::Block if holder == Holder::Cluster => rank(),
            Holder::Block => id(ExprKind::BlockId),
            Holder::Warp => binary(BinaryOp::FloorDivide, linear, warp()),
            _ => linear,
        }
    }
}
