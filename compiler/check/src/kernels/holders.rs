//! The collectives that hold views: their number, and the position of a thread in them.

use super::checker::Checker;
use super::view::Holder;
use crate::diagnostics::{self, Planned};
use dims::Sym;
use kernel::collectives;
use kernel::typed::{BinaryOp, Expr};
use maps::hardware::WARP_LANES;
use maps::threads::Tiling;
use syntax::tree;

impl Checker<'_> {
    pub(super) fn unit(&mut self, per: Option<&tree::Expr>) -> Option<Holder> {
        let Some(per) = per else { return Some(Holder::Thread) };
        let holder = match &per.kind {
            tree::ExprKind::Name(name) => Holder::from_word(name),
            tree::ExprKind::Error => return None,
            _ => None,
        };
        holder.or_else(|| self.report(diagnostics::not_available_yet(per.span, Planned::ViewPerCollective)))
    }

    /// The number of units in a holder.
    pub(super) fn units(&self, holder: Holder, unit: Holder) -> Result<Sym, dims::Arithmetic> {
        let warp = Sym::constant(WARP_LANES);
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
        let warp = || Expr::size(&Sym::constant(WARP_LANES));
        let rank = || collectives::cluster_rank(self.launch.cluster);
        let linear = match holder {
            Holder::Grid if self.launch.blocks.as_constant() != Some(1) => Expr::binary(
                BinaryOp::Add,
                Expr::binary(BinaryOp::Multiply, Expr::block_id(), Expr::size(&self.launch.threads)),
                Expr::thread_id(),
            ),
            Holder::Cluster if self.launch.cluster > 1 => Expr::binary(
                BinaryOp::Add,
                Expr::binary(BinaryOp::Multiply, rank(), Expr::size(&self.launch.threads)),
                Expr::thread_id(),
            ),
            Holder::Collective(collective) => return self.lane(collective),
            Holder::Warp => Expr::binary(BinaryOp::FloorRemainder, Expr::thread_id(), warp()),
            _ => Expr::thread_id(),
        };
        match unit {
            Holder::Cluster => {
                Expr::binary(BinaryOp::FloorDivide, Expr::block_id(), Expr::size(&Sym::constant(self.launch.cluster)))
            }
            Holder::Block if holder == Holder::Cluster => rank(),
            Holder::Block => Expr::block_id(),
            Holder::Warp => Expr::binary(BinaryOp::FloorDivide, linear, warp()),
            _ => linear,
        }
    }
}
