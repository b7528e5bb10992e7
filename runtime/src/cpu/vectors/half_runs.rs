//! Lowers conversions of many adjacent f16 values to calls of helpers, which use the processor's instructions.
//!
//! The values are passed through the stack. A call costs as much as converting several values by arithmetic, so this is
//! only used for packs of at least [`helpers::HALF_RUN`] lanes.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use elements::ElementType;

use crate::cpu::lowering::emitter::Emitter;
use crate::cpu::lowering::helpers::{self, HALF_RUN, HalfRuns};

/// The bytes of a run of f32 values.
const RUN_BYTES: u32 = HALF_RUN as u32 * 4;
/// The vectors of a run of f32 values.
const RUN_VECTORS: usize = HALF_RUN / 4;

impl Emitter<'_, '_> {
    /// The helpers, if they convert packs of this element type. The processor makes signalling NaNs quiet, which nobody sees
    /// unless the kernel looks at bits.
    pub fn half_runs(&self, element: ElementType) -> Option<HalfRuns> {
        let wide_enough = (self.width() as usize).is_multiple_of(HALF_RUN);
        if element == ElementType::F16 && wide_enough && !self.program.looks_at_bits {
            helpers::half_runs()
        } else {
            None
        }
    }

    /// The f32 values of adjacent f16 values in memory.
    pub fn decode_runs(&mut self, runs: HalfRuns, from: Value) -> Vec<Value> {
        let mut vectors = Vec::new();
        for run in 0..self.width() as usize / HALF_RUN {
            let slot = self.room(RUN_BYTES);
            let from = self.builder.ins().iadd_imm_s(from, (run * HALF_RUN * 2) as i64);
            self.call(runs.decode, &[types::I64, types::I64], &[from, slot]);
            vectors.extend(self.vectors_at(slot, types::F32X4, RUN_VECTORS));
        }
        vectors
    }

    /// Stores f32 values as f16.
    pub fn encode_runs(&mut self, runs: HalfRuns, vectors: &[Value], to: Value) {
        for (run, vectors) in vectors.chunks(RUN_VECTORS).enumerate() {
            let slot = self.room(RUN_BYTES);
            self.put_vectors(slot, vectors);
            let to = self.builder.ins().iadd_imm_s(to, (run * HALF_RUN * 2) as i64);
            self.call(runs.encode, &[types::I64, types::I64], &[slot, to]);
        }
    }

    /// Rounds f32 values to f16.
    pub fn round_runs(&mut self, runs: HalfRuns, vectors: &[Value]) -> Vec<Value> {
        let mut rounded = Vec::new();
        for vectors in vectors.chunks(RUN_VECTORS) {
            let slot = self.room(RUN_BYTES);
            self.put_vectors(slot, vectors);
            self.call(runs.round, &[types::I64], &[slot]);
            rounded.extend(self.vectors_at(slot, types::F32X4, RUN_VECTORS));
        }
        rounded
    }
}
