//! Lowers the phases of a block: loops with uniform bounds around loops over the threads.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use kernel::BoundsChecks;
use kernel::loops::ValueId;
use kernel::typed::{Memory, SharedId};

use super::emitter::Emitter;
use super::helpers;
use crate::cpu::calls::works::{Work, Works};
use crate::cpu::indices::form::Atom;
use crate::cpu::phases::phase::{ArrayLength, Ending, Ends, Phase, Region};

impl<'l> Emitter<'l, '_> {
    /// Lowers the phases for each block in a range.
    pub fn phased_blocks(&mut self, first: Value, last: Value, phases: &'l [Phase]) {
        self.splits = true;
        // Where accesses are checked, each is a test of its own.
        let threads = self.kernel.launch.threads.as_constant();
        let threads = threads.filter(|_| self.forms.options.bounds == BoundsChecks::Proven);
        let works = Works::new(&mut self.forms, phases, threads);
        self.each_block(first, last, |emitter| {
            emitter.clear_arrays();
            emitter.enter_places(&works.in_place);
            emitter.phases(phases, &works);
        });
    }

    /// Clears the arrays that have to be zero when a block starts.
    fn clear_arrays(&mut self) {
        for (number, array) in self.program.arrays.iter().enumerate().filter(|(_, array)| array.cleared) {
            let base = self.base(Memory::Shared(SharedId(number as u32)));
            let length = match array.length {
                ArrayLength::Elements(length) => self.int(length),
                ArrayLength::PerThread => {
                    let threads = self.forms.launch.size(&self.kernel.launch.threads);
                    self.launch_value(threads)
                }
            };
            let bytes = self.builder.ins().imul_imm_s(length, array.element.size_bytes() as i64);
            self.call(helpers::clear as *const u8, &[types::I64, types::I64], &[base, bytes]);
        }
    }

    fn phases(&mut self, phases: &'l [Phase], works: &Works<'l>) {
        for phase in phases {
            match phase {
                Phase::Threads(region) => self.region(region, works.for_region(region)),
                Phase::Loop { iterator, ends, body, ending } => {
                    self.block_loop(*iterator, ends, body, ending.as_ref(), works);
                }
                Phase::If { condition, then, otherwise } => {
                    let condition = self.value(*condition);
                    let side = |emitter: &mut Self, phases| {
                        emitter.phases(phases, works);
                        None
                    };
                    self.branch(condition, |emitter| side(emitter, then), |emitter| side(emitter, otherwise), None);
                }
            }
        }
    }

    /// Lowers a barrier region for every thread that takes part.
    fn region(&mut self, region: &'l Region, work: &Work<'l>) {
        self.forms.take(&region.taken);
        self.members = region.threads.clone();
        let one_by_one = |emitter: &mut Self| emitter.threads(&region.body);
        self.scope(|emitter| match work {
            Work::Copy(copy) => emitter.tile_copy(copy, one_by_one),
            Work::Fill(fills, copy) => emitter.fill(fills, |emitter| match copy {
                Some(copy) => emitter.tile_copy(copy, one_by_one),
                None => one_by_one(emitter),
            }),
            Work::Lanes(sums) => emitter.lane_sums(sums),
            Work::Products(tile) => emitter.tile_region(tile, one_by_one),
            Work::Threads => one_by_one(emitter),
        });
        self.members = None;
    }

    fn block_loop(
        &mut self,
        iterator: ValueId,
        ends: &'l Ends,
        body: &'l [Phase],
        ending: Option<&'l Ending>,
        works: &Works<'l>,
    ) {
        let [low, high] = match ends {
            Ends::Uniform(ends) => ends.map(|end| self.value(end)),
            Ends::Widest { region, ends } => self.widest(region, *ends),
        };
        if works.is_merged(iterator) {
            return self.merged_loop(iterator, [low, high], body, works);
        }
        let atom = self.forms.id(Atom::Value(iterator));
        let counter = self.counter(atom);
        self.nest.push(atom);
        self.count_while(counter, low, high, |emitter| {
            emitter.phases(body, works);
            ending.map(|ending| emitter.any_goes_on(ending))
        });
        self.nest.pop();
    }

    /// Whether some thread goes on with a loop.
    fn any_goes_on(&mut self, Ending { region, goes_on }: &'l Ending) -> Value {
        let any = self.builder.declare_var(types::I8);
        let none = self.builder.ins().iconst(types::I8, 0);
        self.builder.def_var(any, none);
        self.each_thread(region, |emitter| {
            let (before, own) = (emitter.builder.use_var(any), emitter.value(*goes_on));
            let joined = emitter.builder.ins().bor(before, own);
            emitter.builder.def_var(any, joined);
        });
        self.builder.use_var(any)
    }

    /// Runs a region and something behind it for one thread after the other.
    fn each_thread(&mut self, region: &'l Region, then: impl FnOnce(&mut Self)) {
        self.forms.take(&region.taken);
        let (low, threads) = (self.int(0), self.forms.launch.size(&self.kernel.launch.threads));
        let high = self.launch_value(threads);
        let atom = self.thread_atom();
        let counter = self.counter(atom);
        self.nest.push(atom);
        self.count(counter, low, high, |emitter| {
            emitter.list(&region.body);
            then(emitter);
        });
        self.nest.pop();
    }

    /// The least first value and the greatest end of all threads after the region.
    fn widest(&mut self, region: &'l Region, ends: [ValueId; 2]) -> [Value; 2] {
        let widest = ends.map(|_| self.builder.declare_var(types::I64));
        for (variable, none_yet) in widest.into_iter().zip([i64::MAX, i64::MIN]) {
            let none_yet = self.int(none_yet);
            self.builder.def_var(variable, none_yet);
        }
        self.each_thread(region, |emitter| {
            let [first, last] = ends.map(|end| emitter.value(end));
            let [least, greatest] = widest.map(|variable| emitter.builder.use_var(variable));
            let least = emitter.builder.ins().smin(least, first);
            let greatest = emitter.builder.ins().smax(greatest, last);
            emitter.builder.def_var(widest[0], least);
            emitter.builder.def_var(widest[1], greatest);
        });
        widest.map(|variable| self.builder.use_var(variable))
    }
}
