//! Barriers in CUDA.

use super::emitter::Emitter;
use crate::kernels::typed::{Barrier, Waiting};

impl Emitter<'_> {
    /// Writes a barrier.
    pub fn barrier(&mut self, barrier: &Barrier) {
        match &barrier.waiting {
            Waiting::Block => self.line("__syncthreads();"),
            Waiting::Warp { lanes: u32::MAX, .. } => self.line("__syncwarp();"),
            Waiting::Warp { lanes, first } => {
                let first = self.index(first).text.code;
                self.line(&format!("__syncwarp({lanes:#x}u << ({first}));"));
            }
            Waiting::Warps { id, threads } => {
                let id = self.index(id).text.code;
                let operands = format!("\"r\"({id}), \"r\"({threads})");
                self.line(&format!("asm volatile(\"bar.sync %0, %1;\" :: {operands} : \"memory\");"));
            }
        }
    }
}
