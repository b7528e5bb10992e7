//! The state of the code generator for one kernel, and its basic operations.

use std::collections::HashMap;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, BlockArg, Inst, InstBuilder, MemFlagsData, Signature, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use elements::ElementType;
use kernel::loops::{AccessId, ValueId};
use kernel::typed::{Kernel, Memory, ParamKind, SharedId};
use rustc_hash::FxHashMap;

use crate::cpu::calls::places::Place;
use crate::cpu::indices::form::{Atom, AtomId, Form};
use crate::cpu::indices::forms::Forms;
use crate::cpu::launch::launch_table::{Divider, LaunchValue};
use crate::cpu::launch::scratch::LINE;
use crate::cpu::launch::table_layout::TableLayout;
use crate::cpu::plan::Plan;
use crate::cpu::program::Program;

/// The state of lowering one kernel to one function.
pub struct Emitter<'l, 'f> {
    pub kernel: &'l Kernel,
    pub program: &'l Program<'l>,
    pub builder: FunctionBuilder<'f>,
    pub forms: Forms<'l>,
    pub layout: TableLayout,
    /// The first cache line of each of a block's arrays, relative to the first array.
    pub first_lines: Vec<Option<usize>>,
    /// The function's first parameter.
    pub table: Value,
    pub target: TargetFrontendConfig,
    /// The values that are the ids of the thread and of its block.
    pub ids: Ids,
    /// The machine variables of the counters: of ids, of iterators, and of flattened loops.
    pub counters: HashMap<AtomId, Variable>,
    /// The counters of the loops around the current place, outermost first.
    pub nest: Vec<AtomId>,
    /// Set in the body of a vectorised loop.
    pub lanes: Option<Lanes>,
    /// Whether the loop over the threads may be split into loops over the digits of their ids.
    pub splits: bool,
    /// The threads that run the current statements, if not all do.
    pub members: Option<Range<i64>>,
    /// Set in code that should be compact rather than fast: nothing is vectorised.
    pub plain: bool,
    /// Where the tiles of arrays are read that may be read where they were copied from.
    pub places: FxHashMap<SharedId, Place>,
    /// The load of a narrow float whose bits are stored as they are, while they are loaded: they stay an integer.
    pub moved: Option<AccessId>,
}

/// The values that are ids.
#[derive(Clone, Copy, Debug)]
pub struct Ids {
    pub block: ValueId,
    pub thread: ValueId,
}

/// The lanes of the current vectorised loop.
pub struct Lanes {
    pub plan: Plan,
    /// Set while a single lane is computed.
    pub lane: Option<u32>,
}

impl<'l> Emitter<'l, '_> {
    /// A 64-bit constant.
    pub fn int(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(types::I64, value)
    }

    /// A word of the launch's table, which is read-only while the function runs.
    pub fn table_word(&mut self, type_: Type, word: usize) -> Value {
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        let offset = i32::try_from(word * 8).unwrap_or(i32::MAX);
        self.builder.ins().load(type_, flags, self.table, offset)
    }

    /// A launch value.
    pub fn launch_value(&mut self, value: LaunchValue) -> Value {
        match value {
            LaunchValue::Constant(value) => self.int(value),
            LaunchValue::Slot(slot) => self.table_word(types::I64, self.layout.slot(slot as usize)),
        }
    }

    /// The base pointer of a memory. That of a block's array is a constant offset from that of the first one, if the
    /// sizes of the arrays between are known, so that one register is enough for all.
    pub fn base(&mut self, memory: Memory) -> Value {
        if let Memory::Shared(array) = memory
            && let Some(Some(line)) = self.first_lines.get(array.0 as usize)
            && let Some(bytes) = line.checked_mul(LINE).and_then(|bytes| i64::try_from(bytes).ok())
        {
            let first = self.layout.place(Memory::Shared(SharedId(0)));
            let first = self.table_word(types::I64, self.layout.param(first));
            return if bytes == 0 { first } else { self.builder.ins().iadd_imm_s(first, bytes) };
        }
        self.table_word(types::I64, self.layout.param(self.layout.place(memory)))
    }

    /// The number of elements in a tensor's storage.
    pub fn length(&mut self, memory: Memory) -> Value {
        self.table_word(types::I64, self.layout.length(self.layout.place(memory)))
    }

    /// Calls a Rust function without a result.
    pub fn call(&mut self, function: *const u8, parameters: &[Type], arguments: &[Value]) {
        self.call_instruction(function, parameters, None, arguments);
    }

    /// Calls a Rust function for its result.
    pub fn call_for_value(
        &mut self,
        function: *const u8,
        parameters: &[Type],
        result: Type,
        arguments: &[Value],
    ) -> Value {
        let call = self.call_instruction(function, parameters, Some(result), arguments);
        // The signature has one result.
        self.builder.inst_results(call)[0]
    }

    fn call_instruction(
        &mut self,
        function: *const u8,
        parameters: &[Type],
        result: Option<Type>,
        arguments: &[Value],
    ) -> Inst {
        let mut signature = Signature::new(self.target.default_call_conv);
        signature.params.extend(parameters.iter().map(|&parameter| AbiParam::new(parameter)));
        signature.returns.extend(result.map(AbiParam::new));
        let signature = self.builder.import_signature(signature);
        let address = self.int(function as i64);
        self.builder.ins().call_indirect(signature, address, arguments)
    }

    /// Emits `body` where the condition holds.
    pub fn when(&mut self, condition: Value, body: impl FnOnce(&mut Self)) {
        self.branch(
            condition,
            |emitter| {
                body(emitter);
                None
            },
            |_| None,
            None,
        );
    }

    /// Emits both branches of a condition; each may give a value of the type.
    pub fn branch(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Self) -> Option<Value>,
        otherwise: impl FnOnce(&mut Self) -> Option<Value>,
        result: Option<Type>,
    ) -> Option<Value> {
        let then_block = self.builder.create_block();
        let otherwise_block = self.builder.create_block();
        let join = self.builder.create_block();
        let result = result.map(|result| self.builder.append_block_param(join, result));
        self.builder.ins().brif(condition, then_block, &[], otherwise_block, &[]);
        self.builder.seal_block(then_block);
        self.builder.seal_block(otherwise_block);
        self.builder.switch_to_block(then_block);
        let value = self.scope(then);
        self.jump(join, value);
        self.builder.switch_to_block(otherwise_block);
        let value = self.scope(otherwise);
        self.jump(join, value);
        self.builder.seal_block(join);
        self.builder.switch_to_block(join);
        result
    }

    /// Emits code that may be skipped: values that it computes are not available afterwards.
    pub fn scope<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.forms.known.enter();
        let result = emit(self);
        self.forms.known.leave(mark);
        result
    }

    fn jump(&mut self, block: cranelift_codegen::ir::Block, value: Option<Value>) {
        let arguments: Vec<BlockArg> = value.map(BlockArg::Value).into_iter().collect();
        self.builder.ins().jump(block, &arguments);
    }

    /// Emits a loop over `low..high`; the test is at the end, so that an iteration has one branch.
    pub fn count(&mut self, counter: Variable, low: Value, high: Value, body: impl FnOnce(&mut Self)) {
        self.count_while(counter, low, high, |emitter| {
            body(emitter);
            None
        });
    }

    /// Counts through `low..high`, as long as the body gives a true value, if it gives one.
    pub fn count_while(
        &mut self,
        counter: Variable,
        low: Value,
        high: Value,
        body: impl FnOnce(&mut Self) -> Option<Value>,
    ) {
        let body_block = self.builder.create_block();
        let exit = self.builder.create_block();
        self.builder.def_var(counter, low);
        let enters = self.builder.ins().icmp(IntCC::SignedLessThan, low, high);
        self.builder.ins().brif(enters, body_block, &[], exit, &[]);
        self.builder.switch_to_block(body_block);
        let goes_on = self.scope(body);
        let current = self.builder.use_var(counter);
        let next = self.builder.ins().iadd_imm_s(current, 1);
        self.builder.def_var(counter, next);
        let mut again = self.builder.ins().icmp(IntCC::SignedLessThan, next, high);
        if let Some(goes_on) = goes_on {
            again = self.builder.ins().band(again, goes_on);
        }
        self.builder.ins().brif(again, body_block, &[], exit, &[]);
        self.builder.seal_block(body_block);
        self.builder.seal_block(exit);
        self.builder.switch_to_block(exit);
    }

    /// The machine variable of a counter.
    pub fn counter(&mut self, id: AtomId) -> Variable {
        let builder = &mut self.builder;
        *self.counters.entry(id).or_insert_with(|| builder.declare_var(types::I64))
    }

    /// The value of a counter in the current lane.
    pub fn count_of(&mut self, id: AtomId) -> Value {
        let counter = self.counter(id);
        let value = self.builder.use_var(counter);
        self.in_lane(id, value)
    }

    /// The value of an atom in the current lane.
    pub fn atom(&mut self, id: AtomId) -> Value {
        match self.forms.atom(id).clone() {
            Atom::Value(value) => {
                let element = self.program.element(value);
                let value = self.value(value);
                self.cast(element, ElementType::I64, value)
            }
            Atom::Run | Atom::Digit(_) => self.count_of(id),
            Atom::Quotient(of, divisor) => {
                let of = self.form(&of);
                let divider = self.forms.launch.divider(divisor);
                self.quotient(of, divider)
            }
            Atom::Remainder(of, divisor) => {
                let of = self.form(&of);
                let divider = self.forms.launch.divider(divisor);
                self.remainder(of, divider)
            }
            Atom::Xor(left, right) => {
                let (left, right) = (self.form(&left), self.form(&right));
                self.builder.ins().bxor(left, right)
            }
        }
    }

    /// The value of a form in the current lane.
    ///
    /// Terms are added from the outermost loop's to the innermost's, so that the code generator finds loop-invariant
    /// sums and moves them out of inner loops.
    pub fn form(&mut self, form: &Form) -> Value {
        self.scaled_form(None, form, 0)
    }

    /// `start + form << shift`, grouped as in [`Emitter::form`].
    pub fn scaled_form(&mut self, start: Option<Value>, form: &Form, shift: i64) -> Value {
        let mut terms: Vec<(usize, AtomId, LaunchValue)> =
            form.terms.iter().map(|&(id, coefficient)| (self.depth(id), id, coefficient)).collect();
        terms.sort_by_key(|&(depth, id, _)| (depth, id));
        let mut sum = start;
        if !form.constant.is(0) || (sum.is_none() && terms.is_empty()) {
            let constant = self.launch_value(form.constant);
            sum = Some(self.add_shifted(sum, constant, shift));
        }
        let mut position = 0;
        while position < terms.len() {
            let depth = terms[position].0;
            let mut group = None;
            while position < terms.len() && terms[position].0 == depth {
                let (_, id, coefficient) = terms[position];
                let atom = self.atom(id);
                let product = self.multiply(atom, coefficient);
                group = Some(self.add_shifted(group, product, 0));
                position += 1;
            }
            if let Some(group) = group {
                sum = Some(self.add_shifted(sum, group, shift));
            }
        }
        match sum {
            Some(sum) => sum,
            None => self.int(0),
        }
    }

    fn add_shifted(&mut self, sum: Option<Value>, value: Value, shift: i64) -> Value {
        let value = if shift == 0 { value } else { self.builder.ins().ishl_imm_u(value, shift) };
        match sum {
            Some(sum) => self.builder.ins().iadd(sum, value),
            None => value,
        }
    }

    /// `value * coefficient`
    pub fn multiply(&mut self, value: Value, coefficient: LaunchValue) -> Value {
        match coefficient {
            LaunchValue::Constant(1) => value,
            LaunchValue::Constant(-1) => self.builder.ins().ineg(value),
            LaunchValue::Constant(constant) if constant.count_ones() == 1 => {
                self.builder.ins().ishl_imm_u(value, i64::from(constant.trailing_zeros()))
            }
            _ => {
                let coefficient = self.launch_value(coefficient);
                self.builder.ins().imul(value, coefficient)
            }
        }
    }

    /// The depth of the loop in which an atom changes: 0 is outside all loops.
    pub fn depth(&self, id: AtomId) -> usize {
        let place = |id: AtomId| self.nest.iter().position(|&counter| counter == id);
        match self.forms.atom(id) {
            Atom::Value(_) | Atom::Run | Atom::Digit(_) => place(id).map_or(usize::MAX, |place| place + 1),
            Atom::Quotient(of, _) | Atom::Remainder(of, _) => self.depth_of_form(of),
            Atom::Xor(left, right) => self.depth_of_form(left).max(self.depth_of_form(right)),
        }
    }

    fn depth_of_form(&self, form: &Form) -> usize {
        form.terms.iter().map(|(id, _)| self.depth(*id)).max().unwrap_or(0)
    }

    /// The quotient of an index, rounded down.
    pub fn quotient(&mut self, dividend: Value, divider: Divider) -> Value {
        match divider {
            Divider::Shift(shift) => self.builder.ins().sshr_imm_u(dividend, i64::from(shift)),
            Divider::Multiply { multiplier, shift, .. } => {
                // A negative n becomes -1 - n, which is nonnegative, and the quotient is mapped back the same way.
                let sign = self.builder.ins().sshr_imm_u(dividend, 63);
                let magnitude = self.builder.ins().bxor(dividend, sign);
                let doubled = self.builder.ins().ishl_imm_u(magnitude, 1);
                let multiplier = self.launch_value(multiplier);
                let high = self.builder.ins().umulhi(doubled, multiplier);
                let shift = self.launch_value(shift);
                let quotient = self.builder.ins().ushr(high, shift);
                self.builder.ins().bxor(quotient, sign)
            }
        }
    }

    /// The remainder that goes with [`Emitter::quotient`].
    pub fn remainder(&mut self, dividend: Value, divider: Divider) -> Value {
        match divider {
            Divider::Shift(shift) => {
                let mask = (1i64 << shift) - 1;
                self.builder.ins().band_imm_u(dividend, mask)
            }
            Divider::Multiply { divisor, .. } => {
                let quotient = self.quotient(dividend, divider);
                let product = self.multiply(quotient, divisor);
                self.builder.ins().isub(dividend, product)
            }
        }
    }

    /// Whether the kernel writes the tensor.
    pub fn is_mutable(&self, memory: Memory) -> bool {
        match memory {
            Memory::Param(param) => {
                matches!(self.kernel.params[param].kind, ParamKind::Tensor { mutable: true, .. })
            }
            Memory::Shared(_) => true,
        }
    }
}

/// A zero of a machine type.
pub fn zero(builder: &mut FunctionBuilder<'_>, type_: Type) -> Value {
    match type_ {
        types::F32 => builder.ins().f32const(0.0),
        types::F64 => builder.ins().f64const(0.0),
        _ if type_.is_vector() => {
            let bits = zero(builder, type_.lane_type());
            builder.ins().splat(type_, bits)
        }
        _ => builder.ins().iconst(type_, 0),
    }
}
