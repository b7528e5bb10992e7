//! Lowers math functions of all lanes to one call, and holds lanes in memory for calls.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type, Value, types};
use elements::ElementType;

use super::emitter::Emitter;
use super::helpers::RealHelper;
use super::lanes::{Pack, vector_type};

impl Emitter<'_, '_> {
    /// The address of so many bytes on the stack.
    pub fn room(&mut self, bytes: u32) -> Value {
        // Aligned to 16 bytes for the vectors of compiled code; what is called asks for no alignment.
        let slot = self.builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4));
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }

    /// Vectors that stand one behind the other in memory.
    pub fn vectors_at(&mut self, address: Value, type_: Type, count: usize) -> Vec<Value> {
        let load = |place| self.builder.ins().load(type_, MemFlagsData::trusted(), address, 16 * place);
        (0..count as i32).map(load).collect()
    }

    /// Writes vectors to memory, one behind the other.
    pub fn put_vectors(&mut self, address: Value, vectors: &[Value]) {
        for (place, &vector) in vectors.iter().enumerate() {
            self.builder.ins().store(MemFlagsData::trusted(), vector, address, 16 * place as i32);
        }
    }

    /// Computes a math function of all lanes in one call.
    pub fn math_of_lanes(&mut self, helper: RealHelper, element: ElementType, operands: &[Pack]) -> Pack {
        let type_ = vector_type(element);
        let count = self.vectors(element);
        let mut arguments = Vec::new();
        for operand in operands {
            let vectors = self.spread(operand, element);
            let address = self.room(16 * count as u32);
            self.put_vectors(address, &vectors);
            arguments.push(address);
        }
        let results = arguments.first().copied().unwrap_or(self.table);
        let lanes = i64::from(self.width());
        arguments.push(self.builder.ins().iconst(types::I64, lanes));
        let function = if type_ == types::F64X2 { helper.double } else { helper.single };
        self.call(function, &vec![types::I64; arguments.len()], None, &arguments);
        Pack::Vectors(self.vectors_at(results, type_, count))
    }
}
