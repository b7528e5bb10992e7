//! Barriers in CUDA.

use super::emitter::Emitter;
use super::helper::Helper;
use super::text::Level;
use kernel::loops::ValueId;
use kernel::typed::{Barrier, Waiting};

impl Emitter<'_> {
    /// Writes a barrier. `number` is the first waiting lane, or the number of the barrier.
    pub fn barrier(&mut self, barrier: &Barrier, number: Option<ValueId>) {
        match (&barrier.waiting, number) {
            (Waiting::Warp { lanes, .. }, Some(first)) if *lanes != u32::MAX => {
                let mask = self.lane_mask(*lanes, first);
                self.line(&format!("__syncwarp({mask});"));
            }
            (Waiting::Warp { .. }, _) => self.line("__syncwarp();"),
            (Waiting::Warps { threads, .. }, Some(id)) => {
                self.helpers.insert(Helper::SyncWarps);
                let id = self.index(id).text.code;
                self.line(&format!("sync_warps({id}, {threads});"));
            }
            (Waiting::Block | Waiting::Warps { .. }, _) => self.line("__syncthreads();"),
        }
    }

    /// The mask of the waiting lanes of a warp.
    fn lane_mask(&mut self, lanes: u32, first: ValueId) -> String {
        let first = self.index(first);
        let known = first.range.point().and_then(|first| u32::try_from(first).ok());
        if let Some(mask) = known.and_then(|first| lanes.checked_shl(first)) {
            return format!("{mask:#x}u");
        }
        let amount = first.text;
        // C++ needs no parentheses around a sum here, but they help readers.
        let amount = if amount.level >= Level::Enclosed { amount.code } else { format!("({})", amount.code) };
        format!("{lanes:#x}u << {amount}")
    }
}
