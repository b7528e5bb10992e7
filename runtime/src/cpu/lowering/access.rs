//! Lowers loads and stores, one element at a time.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use elements::ElementType;
use kernel::BoundsChecks;
use kernel::loops::{AccessId, Node, ValueId};
use kernel::typed::Memory;

use super::emitter::{Emitter, zero};
use super::half_floats::{Halves, Nans, NarrowFloat};
use super::helpers;
use crate::cpu::indices::form::Form;
use crate::cpu::vectors::packs::register_type;

/// The memory of an access, and its element type.
pub struct Target {
    pub memory: Memory,
    pub element: ElementType,
}

impl Emitter<'_, '_> {
    /// The memory of an access, and its element type.
    pub fn target(&self, access: AccessId) -> Target {
        let memory = self.program.access(access).memory;
        let element = self.program.element_of(memory);
        let moved = NarrowFloat::from_element(element).filter(|_| self.moved == Some(access));
        Target { memory, element: moved.map_or(element, NarrowFloat::bits) }
    }

    /// The load of a narrow float that is stored as it was loaded, so that its bits only have to be moved, with the type of the
    /// bits. A value that is known has been converted already.
    pub fn moved_from(&self, value: ValueId) -> Option<(AccessId, ElementType)> {
        let narrow = NarrowFloat::from_element(self.program.element(value))?;
        match self.forms.node(value) {
            Node::Load(source) if self.forms.known.get(value).is_none() => Some((*source, narrow.bits())),
            _ => None,
        }
    }

    /// Loads the bits of a narrow float.
    pub fn moving<T>(&mut self, source: AccessId, load: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.moved.replace(source);
        let bits = load(self);
        self.moved = outer;
        bits
    }

    /// The form of an access's position.
    pub fn offset(&mut self, access: AccessId) -> Form {
        let offset = self.program.access(access).offset;
        self.forms.form(offset)
    }

    /// The flags of an access: it never traps, has no alignment, and memory that the kernel does not write is
    /// read-only.
    pub fn flags(&self, memory: Memory) -> MemFlagsData {
        let flags = MemFlagsData::new().with_notrap();
        if self.is_mutable(memory) { flags } else { flags.with_readonly() }
    }

    /// The address of an element.
    pub fn address(&mut self, target: &Target, offset: &Form) -> Value {
        let base = self.base(target.memory);
        let shift = i64::from(target.element.size_bytes().trailing_zeros());
        self.scaled_form(Some(base), offset, shift)
    }

    /// Loads an element; 0 if the access is masked off.
    pub fn load(&mut self, access: AccessId) -> Value {
        self.unless_masked(access, |emitter| emitter.load_unmasked(access))
    }

    /// What an access gives; 0 if it is masked off.
    pub(super) fn unless_masked(&mut self, access: AccessId, give: impl FnOnce(&mut Self) -> Value) -> Value {
        let Some(mask) = self.open_mask(access) else { return give(self) };
        let type_ = register_type(self.target(access).element);
        let mask = self.value(mask);
        let nothing = |emitter: &mut Self| Some(zero(&mut emitter.builder, type_));
        self.branch(mask, |emitter| Some(give(emitter)), nothing, Some(type_)).unwrap_or(mask)
    }

    pub fn load_unmasked(&mut self, access: AccessId) -> Value {
        self.if_inside(access, |emitter, target, offset| emitter.load_at(target, offset))
    }

    /// What an access gives whose mask holds; 0, with a record of the fault, where bounds are not proven and it is outside.
    pub(super) fn if_inside(
        &mut self,
        access: AccessId,
        give: impl FnOnce(&mut Self, &Target, &Form) -> Value,
    ) -> Value {
        let target = self.target(access);
        let offset = self.offset(access);
        if self.forms.options.bounds == BoundsChecks::Proven {
            return give(self, &target, &offset);
        }
        let type_ = register_type(target.element);
        let position = self.form(&offset);
        let inside = self.is_inside(&target, position);
        let result = self.branch(
            inside,
            |emitter| Some(give(emitter, &target, &offset)),
            |emitter| {
                emitter.record_fault(&target, position);
                Some(zero(&mut emitter.builder, type_))
            },
            Some(type_),
        );
        result.unwrap_or(position)
    }

    fn load_at(&mut self, target: &Target, offset: &Form) -> Value {
        let address = self.address(target, offset);
        self.load_from(target, address, 0)
    }

    /// Loads the element at `address + offset`, with the offset in bytes.
    pub fn load_from(&mut self, target: &Target, address: Value, offset: i32) -> Value {
        let flags = self.flags(target.memory);
        if let Some(narrow) = NarrowFloat::from_element(target.element) {
            let ins = self.builder.ins();
            let bits = match target.element.size_bytes() {
                1 => ins.uload8(types::I32, flags, address, offset),
                _ => ins.uload16(types::I32, flags, address, offset),
            };
            return Halves::new(&mut self.builder, bits).decode(narrow, bits);
        }
        match target.element {
            ElementType::Bool => {
                let byte = self.builder.ins().load(types::I8, flags, address, offset);
                self.builder.ins().icmp_imm_u(IntCC::NotEqual, byte, 0)
            }
            element if element.size_bytes() <= 2 => {
                // A load extends at no cost, and most uses are casts.
                let ins = self.builder.ins();
                let wide = match (element.size_bytes(), element.is_signed()) {
                    (1, false) => ins.uload8(types::I64, flags, address, offset),
                    (1, true) => ins.sload8(types::I64, flags, address, offset),
                    (_, false) => ins.uload16(types::I64, flags, address, offset),
                    (_, true) => ins.sload16(types::I64, flags, address, offset),
                };
                self.builder.ins().ireduce(register_type(element), wide)
            }
            element => self.builder.ins().load(register_type(element), flags, address, offset),
        }
    }

    /// Stores an element, unless the access is masked off.
    pub fn store(&mut self, access: AccessId, value: ValueId) {
        match self.open_mask(access) {
            Some(mask) => {
                let mask = self.value(mask);
                self.when(mask, |emitter| emitter.store_checked(access, value));
            }
            None => self.store_checked(access, value),
        }
    }

    fn store_checked(&mut self, access: AccessId, value: ValueId) {
        let target = self.target(access);
        let offset = self.offset(access);
        if self.forms.options.bounds == BoundsChecks::Proven {
            return self.store_at(&target, &offset, value);
        }
        let position = self.form(&offset);
        let inside = self.is_inside(&target, position);
        self.branch(
            inside,
            |emitter| {
                emitter.store_at(&target, &offset, value);
                None
            },
            |emitter| {
                emitter.record_fault(&target, position);
                None
            },
            None,
        );
    }

    fn store_at(&mut self, target: &Target, offset: &Form, value: ValueId) {
        if let Some((source, element)) = self.moved_from(value) {
            let bits = self.moving(source, |emitter| emitter.load(source));
            let address = self.address(target, offset);
            return self.store_to(&Target { element, ..*target }, address, 0, bits, Nans::Own);
        }
        // Encoding rounds a narrow float, so it need not be rounded before.
        let nans = Nans::from_node(self.forms.node(value));
        let value = if target.element.is_narrow_float() { self.unrounded(value) } else { self.value(value) };
        let address = self.address(target, offset);
        self.store_to(target, address, 0, value, nans);
    }

    /// Stores a value at `address + offset`, with the offset in bytes; a narrow float may be unrounded.
    pub fn store_to(&mut self, target: &Target, address: Value, offset: i32, value: Value, nans: Nans) {
        let flags = MemFlagsData::new().with_notrap();
        if let Some(narrow) = NarrowFloat::from_element(target.element) {
            let bits = self.encode(narrow, value, nans);
            let ins = self.builder.ins();
            match target.element.size_bytes() {
                1 => ins.istore8(flags, bits, address, offset),
                _ => ins.istore16(flags, bits, address, offset),
            };
        } else {
            self.builder.ins().store(flags, value, address, offset);
        }
    }

    /// Whether a position is inside the tensor's storage. Compared as unsigned numbers, negative positions are outside.
    pub fn is_inside(&mut self, target: &Target, position: Value) -> Value {
        let length = self.length(target.memory);
        self.builder.ins().icmp(IntCC::UnsignedLessThan, position, length)
    }

    fn record_fault(&mut self, target: &Target, position: Value) {
        let record = self.table_word(types::I64, self.layout.fault_record());
        let param = self.builder.ins().iconst(types::I32, self.layout.place(target.memory) as i64);
        let function = helpers::record_fault as *const u8;
        self.call(function, &[types::I64, types::I32, types::I64], &[record, param, position]);
    }

    /// The mask of an access, unless the guards around it imply that it holds.
    pub fn open_mask(&self, access: AccessId) -> Option<ValueId> {
        self.program.access(access).tested.filter(|mask| !self.is_assumed(*mask))
    }
}
