//! Barriers in CUDA.

use super::emitter::Emitter;
use super::helpers::Helper;
use super::text::Level;
use kernel::typed::{Barrier, Expr, Waiting};

impl Emitter<'_> {
    /// Writes a barrier.
    pub fn barrier(&mut self, barrier: &Barrier) {
        match &barrier.waiting {
            Waiting::Block => self.line("__syncthreads();"),
            Waiting::Warp { lanes: u32::MAX, .. } => self.line("__syncwarp();"),
            Waiting::Warp { lanes, first } => {
                let mask = self.lane_mask(*lanes, first);
                self.line(&format!("__syncwarp({mask});"));
            }
            Waiting::Warps { id, threads } => {
                self.helpers.insert(Helper::SyncWarps);
                let id = self.index(id).text.code;
                self.line(&format!("sync_warps({id}, {threads});"));
            }
        }
    }

    /// The lanes of a warp that wait, as a mask.
    fn lane_mask(&mut self, lanes: u32, first: &Expr) -> String {
        let first = self.index(first);
        let known = first.range.point().and_then(|first| u32::try_from(first).ok());
        if let Some(mask) = known.and_then(|first| lanes.checked_shl(first)) {
            return format!("{mask:#x}u");
        }
        let amount = first.text;
        // C++ needs no parentheses around a sum here; readers do.
        let amount = if amount.level == Level::Primary { amount.code } else { format!("({})", amount.code) };
        format!("{lanes:#x}u << {amount}")
    }
}
