//! Lowers the phases of a block: loops of the block around loops over its threads.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;
use kernel::typed::{Local, Memory, SharedId};

use super::emitter::Emitter;
use super::forms::Atom;
use super::helpers;
use super::phases::{ArrayLength, BlockArray, Ends, Phase, Phased, Stretch, Uniform};

impl<'k> Emitter<'k, '_> {
    /// Runs the phases for each block in a range.
    pub fn phased_blocks(&mut self, first: Value, last: Value, phased: &'k Phased) {
        let atom = self.forms.id(Atom::BlockId);
        self.splits = true;
        self.nest.push(atom);
        self.count(self.block, first, last, |emitter| {
            emitter.clear_arrays(&phased.arrays);
            emitter.phases(&phased.body);
        });
        self.nest.pop();
    }

    /// Sets the arrays to 0 that have to be when a block starts.
    fn clear_arrays(&mut self, arrays: &[BlockArray]) {
        for (number, array) in arrays.iter().enumerate().filter(|(_, array)| array.cleared) {
            let base = self.base(Memory::Shared(SharedId(number as u32)));
            let length = match array.length {
                ArrayLength::Elements(length) => self.int(length),
                ArrayLength::PerThread => {
                    let threads = self.forms.launch.size(&self.kernel.launch.threads);
                    self.launch_value(threads)
                }
            };
            let bytes = self.builder.ins().imul_imm_s(length, array.element.size_bytes() as i64);
            self.call(helpers::clear as *const u8, &[types::I64, types::I64], None, &[base, bytes]);
        }
    }

    fn phases(&mut self, phases: &'k [Phase]) {
        for phase in phases {
            match phase {
                Phase::Threads(stretch) => self.stretch(stretch),
                Phase::Loop { counter, ends, body } => {
                    let (low, high) = match ends {
                        Ends::Uniform(low, high) => (self.uniform(low), self.uniform(high)),
                        Ends::Widest { stretch, first, last } => self.widest(stretch, *first, *last),
                    };
                    self.block_loop(*counter, low, high, body);
                }
                Phase::If { condition, then, otherwise } => {
                    let condition = self.uniform(condition);
                    self.branch(
                        condition,
                        |emitter| {
                            emitter.phases(then);
                            None
                        },
                        |emitter| {
                            emitter.phases(otherwise);
                            None
                        },
                        None,
                    );
                }
            }
        }
    }

    /// Runs a stretch for every thread that takes part.
    fn stretch(&mut self, stretch: &'k Stretch) {
        self.uses(&stretch.usage);
        self.members = stretch.threads.clone();
        self.threads(&stretch.body);
        self.members = None;
    }

    fn block_loop(&mut self, counter: Local, low: Value, high: Value, body: &'k [Phase]) {
        let atom = self.atom_of(counter);
        self.nest.push(atom);
        self.outer_counters.push(counter);
        self.count(self.locals[counter.0 as usize], low, high, |emitter| emitter.phases(body));
        self.outer_counters.pop();
        self.nest.pop();
    }

    /// A value that the block evaluates once for all its threads.
    fn uniform(&mut self, uniform: &'k Uniform) -> Value {
        self.uses(&uniform.usage);
        let mark = self.forms.enter();
        for statement in &uniform.before {
            self.statement(statement);
        }
        let value = self.expression(&uniform.value);
        self.forms.leave(mark);
        value
    }

    /// The least value of one variable and the greatest of another after the stretch, among all threads.
    fn widest(&mut self, stretch: &'k Stretch, first: Local, last: Local) -> (Value, Value) {
        self.uses(&stretch.usage);
        let (least, greatest) = (self.builder.declare_var(types::I64), self.builder.declare_var(types::I64));
        let (none_yet, none_so_far) = (self.int(i64::MAX), self.int(i64::MIN));
        self.builder.def_var(least, none_yet);
        self.builder.def_var(greatest, none_so_far);
        let (low, threads) = (self.int(0), self.forms.launch.size(&self.kernel.launch.threads));
        let high = self.launch_value(threads);
        let atom = self.forms.id(Atom::ThreadId);
        self.nest.push(atom);
        self.count(self.thread, low, high, |emitter| {
            emitter.reset_locals();
            emitter.statements(&stretch.body);
            let [first, last] = [first, last].map(|local| emitter.locals[local.0 as usize]);
            emitter.widen(least, first, |emitter, left, right| emitter.builder.ins().smin(left, right));
            emitter.widen(greatest, last, |emitter, left, right| emitter.builder.ins().smax(left, right));
        });
        self.nest.pop();
        (self.builder.use_var(least), self.builder.use_var(greatest))
    }

    fn widen(&mut self, end: Variable, by: Variable, choose: impl FnOnce(&mut Self, Value, Value) -> Value) {
        let (left, right) = (self.builder.use_var(end), self.builder.use_var(by));
        let chosen = choose(self, left, right);
        self.builder.def_var(end, chosen);
    }
}
