//! Lowers atomic accesses.
//!
//! Blocks run on several cores at once, so those of tensors are atomic instructions, or functions where the processor
//! has none. The threads of a block share a core, so those of its arrays are a read and a write.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AtomicRmwOp, InstBuilder, MemFlagsData, Type, Value, types};
use elements::ElementType;
use kernel::loops::Atomic;
use kernel::typed::{AtomicOperation, Combination, Memory};

use super::access::Target;
use super::emitter::Emitter;
use super::half_floats::Nans;
use crate::cpu::indices::form::Form;
use crate::cpu::vectors::packs::Pack;
use crate::cpu::vectors::packs::register_type;
use crate::interpreter::arithmetic::Arithmetic;

impl Emitter<'_, '_> {
    /// Lowers an atomic access; one that is masked off gives 0.
    pub fn atomic(&mut self, atomic: &Atomic) {
        let before = self.unless_masked(atomic.access, |emitter| {
            emitter.if_inside(atomic.access, |emitter, target, offset| emitter.atomic_at(atomic, target, offset))
        });
        if let Some((_, value)) = atomic.result {
            self.forms.known.add(value, Pack::Uniform(before));
        }
    }

    fn atomic_at(&mut self, atomic: &Atomic, target: &Target, offset: &Form) -> Value {
        let operands: Vec<Value> = atomic.operands.iter().map(|operand| self.value(*operand)).collect();
        let address = self.address(target, offset);
        match target.memory {
            Memory::Shared(_) => self.in_turn(atomic.operation, target, address, &operands),
            Memory::Param(_) if target.element.size_bytes() < 4 => {
                self.between_fences(atomic, target, address, &operands)
            }
            Memory::Param(_) => self.in_one_step(atomic.operation, target.element, address, &operands),
        }
    }

    /// A read and a write, between which no other thread runs.
    fn in_turn(&mut self, operation: AtomicOperation, target: &Target, address: Value, operands: &[Value]) -> Value {
        let before = self.load_from(target, address, 0);
        let after = match (operation, operation.combination(), operands) {
            (_, Some(Combination::Operator(operator)), &[operand]) => {
                self.binary(operator, target.element, before, operand)
            }
            (_, Some(Combination::Function(function)), &[operand]) => {
                self.math(function, target.element, &[before, operand])
            }
            (AtomicOperation::CompareExchange, _, &[expected, value]) => {
                let is_equal = self.builder.ins().icmp(IntCC::Equal, before, expected);
                self.builder.ins().select(is_equal, value, before)
            }
            (AtomicOperation::Store | AtomicOperation::Exchange, _, &[value]) => value,
            _ => return before,
        };
        self.store_to(target, address, 0, after, Nans::Any);
        before
    }

    /// A read or a write of a narrow element, which processors do in one step.
    fn between_fences(&mut self, atomic: &Atomic, target: &Target, address: Value, operands: &[Value]) -> Value {
        self.builder.ins().fence();
        let found = self.in_turn(atomic.operation, target, address, operands);
        self.builder.ins().fence();
        found
    }

    /// One step among the threads of all cores.
    fn in_one_step(
        &mut self,
        operation: AtomicOperation,
        element: ElementType,
        address: Value,
        operands: &[Value],
    ) -> Value {
        let flags = MemFlagsData::new().with_notrap();
        let bits = if element.size_bytes() == 4 { types::I32 } else { types::I64 };
        if element.is_float()
            && operation.combination().is_some()
            && let &[operand] = operands
        {
            return self.changed_float(operation, element, address, operand);
        }
        let operands: Vec<Value> = operands.iter().map(|operand| self.as_type(*operand, bits)).collect();
        let found = match (operation, operands.as_slice()) {
            (AtomicOperation::CompareExchange, &[expected, value]) => {
                self.builder.ins().atomic_cas(flags, address, expected, value)
            }
            (AtomicOperation::Store, &[value]) => {
                self.builder.ins().atomic_store(flags, value, address);
                value
            }
            (_, &[operand]) => match instruction(operation, element.is_signed()) {
                Some(instruction) => self.builder.ins().atomic_rmw(bits, flags, instruction, address, operand),
                None => operand,
            },
            _ => self.builder.ins().atomic_load(bits, flags, address),
        };
        self.as_type(found, register_type(element))
    }

    /// The same bits in a register of this type.
    fn as_type(&mut self, value: Value, type_: Type) -> Value {
        if self.builder.func.dfg.value_type(value) == type_ {
            return value;
        }
        self.builder.ins().bitcast(type_, MemFlagsData::new(), value)
    }

    fn changed_float(
        &mut self,
        operation: AtomicOperation,
        element: ElementType,
        address: Value,
        operand: Value,
    ) -> Value {
        let type_ = register_type(element);
        let function = match (operation, element) {
            (AtomicOperation::Min, ElementType::F32) => min_f32 as *const u8,
            (AtomicOperation::Max, ElementType::F32) => max_f32 as *const u8,
            (_, ElementType::F32) => add_f32 as *const u8,
            (AtomicOperation::Min, _) => min_f64 as *const u8,
            (AtomicOperation::Max, _) => max_f64 as *const u8,
            _ => add_f64 as *const u8,
        };
        self.call_for_value(function, &[types::I64, type_], type_, &[address, operand])
    }
}

/// The instruction of an operation on integers with one operand.
fn instruction(operation: AtomicOperation, is_signed: bool) -> Option<AtomicRmwOp> {
    Some(match operation {
        AtomicOperation::Add => AtomicRmwOp::Add,
        AtomicOperation::And => AtomicRmwOp::And,
        AtomicOperation::Or => AtomicRmwOp::Or,
        AtomicOperation::Xor => AtomicRmwOp::Xor,
        AtomicOperation::Exchange => AtomicRmwOp::Xchg,
        AtomicOperation::Min if is_signed => AtomicRmwOp::Smin,
        AtomicOperation::Min => AtomicRmwOp::Umin,
        AtomicOperation::Max if is_signed => AtomicRmwOp::Smax,
        AtomicOperation::Max => AtomicRmwOp::Umax,
        AtomicOperation::Load | AtomicOperation::Store | AtomicOperation::CompareExchange => return None,
    })
}

macro_rules! float_changes {
    ($($name:ident: $float:ty, $bits:ty, $atomic:ty, $change:expr;)*) => {$(
        /// Called by compiled code.
        ///
        /// # Safety
        /// The address is that of an aligned float, which is accessed only atomically during the call.
        unsafe extern "C" fn $name(address: *mut $bits, operand: $float) -> $float {
            // SAFETY: the caller guarantees it.
            let element = unsafe { <$atomic>::from_ptr(address) };
            let change: fn($float, $float) -> $float = $change;
            let mut before = element.load(Ordering::Relaxed);
            loop {
                let after = change(<$float>::from_bits(before), operand).to_bits();
                match element.compare_exchange_weak(before, after, Ordering::SeqCst, Ordering::Relaxed) {
                    Ok(before) => return <$float>::from_bits(before),
                    Err(found) => before = found,
                }
            }
        }
    )*};
}

float_changes! {
    add_f32: f32, u32, AtomicU32, Arithmetic::add;
    min_f32: f32, u32, AtomicU32, Arithmetic::minimum;
    max_f32: f32, u32, AtomicU32, Arithmetic::maximum;
    add_f64: f64, u64, AtomicU64, Arithmetic::add;
    min_f64: f64, u64, AtomicU64, Arithmetic::minimum;
    max_f64: f64, u64, AtomicU64, Arithmetic::maximum;
}
