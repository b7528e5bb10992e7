//! Lowers math functions of all lanes to one call, and passes lanes in memory.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type, Value, types};
use elements::ElementType;

use super::packs::register_type;
use super::packs::{Pack, vector_type};
use crate::cpu::lowering::emitter::Emitter;
use crate::cpu::lowering::helpers::MathStrip;

impl Emitter<'_, '_> {
    /// The address of `bytes` bytes on the stack.
    pub fn room(&mut self, bytes: u32) -> Value {
        // Aligned to 16 bytes for the vectors of compiled code; the called functions need no alignment.
        let slot = self.builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4));
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }

    /// Adjacent vectors in memory.
    pub fn vectors_at(&mut self, address: Value, type_: Type, count: usize) -> Vec<Value> {
        let load = |place| self.builder.ins().load(type_, MemFlagsData::trusted(), address, 16 * place);
        (0..count as i32).map(load).collect()
    }

    /// Writes adjacent vectors to memory.
    pub fn put_vectors(&mut self, address: Value, vectors: &[Value]) {
        for (place, &vector) in vectors.iter().enumerate() {
            self.builder.ins().store(MemFlagsData::trusted(), vector, address, 16 * place as i32);
        }
    }

    /// Computes a math function of all lanes in one call.
    pub fn math_of_lanes(&mut self, strip: MathStrip, element: ElementType, operands: &[Pack]) -> Pack {
        let (type_, count) = (vector_type(element), self.vectors(element));
        let addresses = operands.iter().map(|operand| {
            let vectors = self.spread(operand, element);
            let address = self.room(16 * count as u32);
            self.put_vectors(address, &vectors);
            address
        });
        let addresses: Vec<Value> = addresses.collect();
        let results = self.call_strip(strip, type_ == types::F64X2, addresses, i64::from(self.width()));
        Pack::Vectors(self.vectors_at(results, type_, count))
    }

    /// Computes a math function of one value.
    pub fn math_of_one(&mut self, strip: MathStrip, element: ElementType, operands: &[Value]) -> Value {
        let type_ = register_type(element);
        let addresses = operands.iter().map(|&operand| {
            let address = self.room(type_.bytes());
            self.builder.ins().store(MemFlagsData::trusted(), operand, address, 0);
            address
        });
        let addresses: Vec<Value> = addresses.collect();
        let result = self.call_strip(strip, type_ == types::F64, addresses, 1);
        self.builder.ins().load(type_, MemFlagsData::trusted(), result, 0)
    }

    /// Calls the machine code for values at the addresses; the address of the results.
    fn call_strip(&mut self, strip: MathStrip, is_double: bool, addresses: Vec<Value>, values: i64) -> Value {
        // A function has at least one operand, whose place takes the results.
        let results = addresses[0];
        let mut arguments = addresses;
        arguments.push(self.builder.ins().iconst(types::I64, values));
        let function = if is_double { strip.double } else { strip.single };
        self.call(function, &vec![types::I64; arguments.len()], &arguments);
        results
    }
}
