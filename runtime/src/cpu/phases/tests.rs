//! Tests of splitting, with a line of text for each phase.

use dims::Sym;
use kernel::loops::{List, Node, StepKind};
use kernel::typed::{BinaryOp, Expr, Memory, Statement};

use super::phase::{ArrayLength, BlockArray, Ends, Phase, Phased};
use super::*;
use crate::cpu::program::{Program, Taken};
use elements::ElementType;
use testing::build::*;

const I64: ElementType = ElementType::I64;

/// The phases and the arrays of a kernel.
fn described(kernel: &Kernel) -> (Vec<String>, Vec<BlockArray>) {
    let Phased { program, body } = Phased::new(kernel, false, &FxHashSet::default());
    let mut lines = Vec::new();
    Description { kernel, program: &program }.phases(&body, "", &mut lines);
    (lines, program.arrays)
}

struct Description<'a> {
    kernel: &'a Kernel,
    program: &'a Program<'a>,
}

impl Description<'_> {
    fn phases(&self, phases: &[Phase], indent: &str, lines: &mut Vec<String>) {
        let inside = format!("{indent}  ");
        for phase in phases {
            match phase {
                Phase::Threads(region) => {
                    let range = region.threads.as_ref().map_or_else(String::new, |range| format!(" {range:?}"));
                    lines.push(format!("{indent}threads{range}: {}", self.list(&region.body, &region.taken)));
                }
                Phase::Loop { ends, body, .. } => {
                    let ends = match ends {
                        Ends::Uniform(..) => "block".to_owned(),
                        Ends::Widest { region, .. } => {
                            format!("widest of {{ {} }}", self.list(&region.body, &region.taken))
                        }
                    };
                    lines.push(format!("{indent}loop: {ends}"));
                    self.phases(body, &inside, lines);
                }
                Phase::If { then, otherwise, .. } => {
                    lines.push(format!("{indent}if"));
                    self.phases(then, &inside, lines);
                    lines.push(format!("{indent}else"));
                    self.phases(otherwise, &inside, lines);
                }
            }
        }
    }

    /// The name of a memory; for arrays of values, their number.
    fn name(&self, memory: Memory) -> String {
        match (self.kernel.memory_name(memory), memory) {
            (Some(name), _) => name.to_string(),
            (None, Memory::Shared(array)) => format!("kept {}", array.0 as usize - self.kernel.shared.len()),
            (None, Memory::Param(_)) => unreachable!("parameters have names"),
        }
    }

    fn list(&self, list: &List, taken: &Taken) -> String {
        let one = |step: &kernel::loops::Step| match &step.kind {
            StepKind::Assign { local: None, value } => match self.program.node(*value, taken) {
                Node::Load(access) => format!("take {}", self.name(self.program.access(*access).memory)),
                node => unreachable!("{node:?} is taken from no array"),
            },
            StepKind::Assign { local: Some(local), .. } => self.kernel.locals[*local].name.to_string(),
            StepKind::For(counted) => format!("for {{ {} }}", self.list(&counted.body, taken)),
            StepKind::Branch { then, otherwise, .. } if otherwise.steps.is_empty() => {
                format!("if {{ {} }}", self.list(then, taken))
            }
            StepKind::Branch { then, otherwise, .. } => {
                format!("if {{ {} }} else {{ {} }}", self.list(then, taken), self.list(otherwise, taken))
            }
            StepKind::Store { access, .. } => format!("to {}", self.name(self.program.access(*access).memory)),
            StepKind::Atomic(atomic) => {
                format!("change {}", self.name(self.program.access(atomic.access).memory))
            }
            StepKind::Collective { .. } | StepKind::Shuffle(_) | StepKind::Barrier { .. } => "barrier".to_owned(),
            StepKind::Copies(_) => "copies".to_owned(),
        };
        list.steps.iter().map(one).collect::<Vec<String>>().join(", ")
    }
}

/// A builder with an array `a`, an output `y`, and a store of a value to each.
struct Parts {
    builder: KernelBuilder,
    array: kernel::typed::SharedId,
    output: kernel::typed::ParamId,
}

#[allow(clippy::wrong_self_convention, reason = "they say where a statement goes")]
impl Parts {
    fn new() -> Parts {
        let mut builder = KernelBuilder::new("cut", Sym::one(), Sym::constant(64));
        let array = builder.shared("a", I64, 64);
        let output = builder.tensor("y", I64, &[Sym::constant(64)], true);
        Parts { builder, array, output }
    }

    fn to_array(&self, index: Expr, value: Expr) -> Statement {
        store(self.builder.element_of(self.array, index), value)
    }

    fn to_output(&mut self, value: Expr) -> Statement {
        let access = self.builder.access(self.output, &identity(&Sym::constant(64)), vec![thread_id()], Masking::None);
        store(access, value)
    }

    fn from_array(&self, index: Expr) -> Expr {
        self.builder.read_shared(self.array, index)
    }
}

const KEPT: BlockArray = BlockArray { element: I64, length: ArrayLength::PerThread, cleared: false };

#[test]
fn index_arithmetic_is_computed_again() {
    let mut parts = Parts::new();
    let (row, turned) = (parts.builder.local("row", I64), parts.builder.local("turned", I64));
    let of_row = binary(BinaryOp::Subtract, int(63), parts.builder.read(row));
    let read = parts.from_array(parts.builder.read(turned));
    let kernel_body = vec![
        assign(row, binary(BinaryOp::BitXor, thread_id(), int(1))),
        assign(turned, of_row),
        parts.to_array(parts.builder.read(row), thread_id()),
        block_barrier(),
        parts.to_output(read),
    ];
    let (lines, arrays) = described(&parts.builder.finish(kernel_body));
    assert_eq!(lines, ["threads: to a", "threads: to y"]);
    assert_eq!(arrays.len(), 1, "the kernel's own");
}

#[test]
fn other_values_are_kept_in_an_array() {
    let mut parts = Parts::new();
    let (value, sum) = (parts.builder.local("value", I64), parts.builder.local("sum", I64));
    let read = parts.from_array(thread_id());
    let total = add(parts.builder.read(value), parts.builder.read(sum));
    let body = vec![
        assign(value, read.clone()),
        block_barrier(),
        assign(sum, read),
        block_barrier(),
        parts.to_array(thread_id(), int(0)),
        block_barrier(),
        parts.to_output(total),
    ];
    let (lines, arrays) = described(&parts.builder.finish(body));
    assert_eq!(
        lines,
        [
            "threads: value, to kept 0",
            "threads: sum, to kept 1",
            "threads: to a",
            "threads: take kept 0, take kept 1, to y"
        ]
    );
    assert_eq!(arrays[1..], [KEPT, KEPT]);
}

/// The regions of a kernel in which a value of the array is stored, and perhaps the array written before or behind.
fn stored_later(is_used_before: bool, is_written_before: bool, is_written_behind: bool) -> (Vec<String>, usize) {
    let mut parts = Parts::new();
    let value = parts.builder.local("value", I64);
    let (named, read) = (assign(value, parts.from_array(thread_id())), parts.builder.read(value));
    let write = || parts.to_array(thread_id(), int(0));
    let (before, behind) = (is_written_before.then(write), is_written_behind.then(write));
    let used = is_used_before.then(|| parts.to_output(read.clone()));
    let written = parts.to_output(read);
    let body = [vec![named], used.into_iter().collect(), before.into_iter().collect(), vec![block_barrier(), written]];
    let body = body.into_iter().chain([behind.into_iter().collect()]).flatten().collect();
    let (lines, arrays) = described(&parts.builder.finish(body));
    (lines, arrays.len())
}

#[test]
fn what_stands_in_an_array_is_loaded_again() {
    let loaded = |lines: &[&str], arrays| (lines.iter().map(|line| (*line).to_owned()).collect(), arrays);
    assert_eq!(stored_later(false, false, false), loaded(&["threads: take a, to y"], 1));
    assert_eq!(stored_later(true, false, false), loaded(&["threads: value, to y", "threads: take a, to y"], 1));
    let kept = loaded(&["threads: value, to kept 0, to a", "threads: take kept 0, to y"], 2);
    assert_eq!(stored_later(false, true, false), kept, "the thread itself writes it");
    let kept = loaded(&["threads: value, to kept 0", "threads: take kept 0, to y, to a"], 2);
    assert_eq!(stored_later(false, false, true), kept, "another thread may run before");
}

/// In the next iteration of a loop the array may be written, since the value is not asked for any more.
#[test]
fn a_value_of_an_iteration_stands_until_its_last_use() {
    let mut parts = Parts::new();
    let (value, k) = (parts.builder.local("value", I64), parts.builder.local("k", I64));
    let write = parts.to_array(thread_id(), parts.builder.read(k));
    let named = assign(value, parts.from_array(binary(BinaryOp::BitXor, thread_id(), int(1))));
    let written = parts.to_output(parts.builder.read(value));
    let inside = vec![write, block_barrier(), named, block_barrier(), written, block_barrier()];
    let (lines, arrays) = described(&parts.builder.finish(vec![for_loop(k, int(0), int(5), inside)]));
    assert_eq!(lines, ["loop: block", "  threads: to a", "  threads: take a, to y"]);
    assert_eq!(arrays.len(), 1, "the kernel's own");
}

/// A value that is used only in its own region needs no array.
#[test]
fn what_nobody_reads_later_is_not_kept() {
    let mut parts = Parts::new();
    let (value, k) = (parts.builder.local("value", I64), parts.builder.local("k", I64));
    let read = parts.from_array(thread_id());
    let used = parts.to_array(thread_id(), parts.builder.read(value));
    let body = vec![for_loop(k, int(0), int(5), vec![assign(value, read), used, block_barrier()])];
    let (lines, arrays) = described(&parts.builder.finish(body));
    assert_eq!(lines, ["loop: block", "  threads: value, to a"]);
    assert_eq!(arrays.len(), 1);
}

#[test]
fn a_variable_of_the_iteration_before_starts_at_zero() {
    let mut parts = Parts::new();
    let (sum, k) = (parts.builder.local("sum", I64), parts.builder.local("k", I64));
    let more = add(parts.builder.read(sum), parts.from_array(thread_id()));
    let written = parts.to_output(parts.builder.read(sum));
    let body = vec![for_loop(k, int(0), int(5), vec![assign(sum, more), block_barrier()]), written];
    let (lines, arrays) = described(&parts.builder.finish(body));
    assert_eq!(
        lines,
        ["threads: to kept 0", "loop: block", "  threads: take kept 0, sum, to kept 0", "threads: take kept 0, to y",]
    );
    assert_eq!(arrays[1..], [KEPT]);
}

/// The sum is stored where it is computed; the previous iteration's value is used after that, so it is kept until the
/// end of the iteration.
#[test]
fn what_is_asked_for_after_it_was_replaced_stays() {
    let mut parts = Parts::new();
    let (before, sum, k) =
        (parts.builder.local("before", I64), parts.builder.local("sum", I64), parts.builder.local("k", I64));
    let more = add(parts.builder.read(sum), parts.from_array(thread_id()));
    let used = parts.to_array(thread_id(), parts.builder.read(before));
    let inside =
        vec![assign(before, parts.builder.read(sum)), assign(sum, more), block_barrier(), used, block_barrier()];
    let written = parts.to_output(parts.builder.read(sum));
    let body = vec![for_loop(k, int(0), int(5), inside), written];
    let (lines, _) = described(&parts.builder.finish(body));
    assert_eq!(
        lines,
        [
            "threads: to kept 0",
            "loop: block",
            "  threads: take kept 0, before, sum, to kept 1",
            "  threads: take kept 0, to a",
            "  threads: take kept 1, to kept 0",
            "threads: take kept 0, to y",
        ]
    );
}

/// A value that only some threads have computed is not available for all.
#[test]
fn a_value_of_a_branch_is_computed_again_outside() {
    let mut parts = Parts::new();
    let input = parts.builder.tensor("x", I64, &[Sym::constant(64)], false);
    let access = parts.builder.access(input, &identity(&Sym::constant(64)), vec![thread_id()], Masking::None);
    let read = parts.builder.load(access);
    let double = add(read.clone(), read);
    let (few, all) = (parts.builder.local("few", I64), parts.builder.local("all", I64));
    let asked = compare(BinaryOp::Equal, parts.from_array(thread_id()), int(0));
    let stored = parts.to_array(thread_id(), parts.builder.read(few));
    let written = parts.to_output(parts.builder.read(all));
    let body = vec![
        if_else(asked, vec![assign(few, double.clone()), stored], Vec::new()),
        block_barrier(),
        assign(all, double),
        written,
    ];
    let (lines, _) = described(&parts.builder.finish(body));
    assert_eq!(lines, ["threads: if { few, to a }", "threads: all, to y"]);
}

#[test]
fn the_block_branches_where_all_its_threads_agree() {
    let mut parts = Parts::new();
    let k = parts.builder.local("k", I64);
    let even = compare(BinaryOp::Equal, binary(BinaryOp::FloorRemainder, parts.builder.read(k), int(2)), block_id());
    let write = parts.to_array(thread_id(), parts.builder.read(k));
    let inner = vec![if_else(even, vec![write.clone(), block_barrier(), write.clone()], vec![block_barrier()]), write];
    let body = vec![for_loop(k, block_id(), int(9), inner)];
    let (lines, _) = described(&parts.builder.finish(body));
    assert_eq!(lines, ["loop: block", "  if", "    threads: to a", "    threads: to a", "  else", "  threads: to a"]);
}

#[test]
fn collectives_take_turns() {
    let mut parts = Parts::new();
    let (warp, k) = (parts.builder.local("warp", I64), parts.builder.local("k", I64));
    let waits = || warp_barrier(u32::MAX, int(0));
    let write = parts.to_array(thread_id(), parts.builder.read(k));
    let first = compare(BinaryOp::Equal, parts.builder.read(warp), int(0));
    let body = vec![
        assign(warp, binary(BinaryOp::FloorDivide, thread_id(), int(32))),
        if_else(
            first,
            vec![parts.to_array(thread_id(), int(1)), waits()],
            vec![for_loop(k, int(0), parts.builder.read(warp), vec![write, waits()])],
        ),
    ];
    let (lines, arrays) = described(&parts.builder.finish(body));
    assert_eq!(lines, ["threads 0..32: to a", "loop: widest of {  }", "  threads 32..64: if { to a }",]);
    assert_eq!(arrays.len(), 1, "who takes part is computed again");
}

/// A condition on memory is evaluated once, since the memory may have changed when the next region begins.
#[test]
fn a_condition_on_memory_is_kept() {
    let parts = Parts::new();
    let asked = compare(BinaryOp::Equal, parts.from_array(thread_id()), int(0));
    let write = parts.to_array(thread_id(), int(1));
    let body = vec![if_else(asked, vec![write.clone(), warp_barrier(u32::MAX, int(0)), write], Vec::new())];
    let (lines, arrays) = described(&parts.builder.finish(body));
    assert_eq!(
        lines,
        ["threads: to kept 0", "threads: take kept 0, if { to a }", "threads: take kept 0, if { to a }",]
    );
    let flags = BlockArray { element: ElementType::Bool, length: ArrayLength::PerThread, cleared: false };
    assert_eq!(arrays[1..], [flags]);
}

/// Which threads enter a collective is computed again, so nothing but the branch is in the region before.
#[test]
fn a_branch_before_a_collective_is_a_range_of_threads() {
    let parts = Parts::new();
    let write = parts.to_array(thread_id(), int(1));
    let few = compare(BinaryOp::Less, thread_id(), int(16));
    let first = compare(BinaryOp::Less, thread_id(), int(32));
    let collective = vec![write.clone(), warp_barrier(u32::MAX, int(0)), write.clone()];
    let body = vec![if_else(few, vec![write], Vec::new()), if_else(first, collective, Vec::new())];
    let (lines, arrays) = described(&parts.builder.finish(body));
    assert_eq!(lines, ["threads 0..16: to a", "threads 0..32: to a", "threads 0..32: to a"]);
    assert_eq!(arrays.len(), 1, "the kernel's own");
}

/// A condition of the threads that depends on the thread's id alone needs no test at run time.
#[test]
fn a_range_of_threads_needs_no_condition() {
    let mut parts = Parts::new();
    let (lane, k) = (parts.builder.local("lane", I64), parts.builder.local("k", I64));
    let lane_is = |builder: &KernelBuilder, lane, low, high| {
        let from = compare(BinaryOp::LessEqual, int(low), builder.read(lane));
        compare(BinaryOp::And, from, compare(BinaryOp::Less, builder.read(lane), int(high)))
    };
    let second = compare(BinaryOp::Equal, binary(BinaryOp::FloorDivide, thread_id(), int(32)), int(1));
    let some = lane_is(&parts.builder, lane, 8, 16);
    let late = compare(BinaryOp::Less, thread_id(), parts.builder.read(k));
    let none = compare(BinaryOp::Less, thread_id(), int(0));
    let write = parts.to_array(thread_id(), int(1));
    let and = |left, right| compare(BinaryOp::And, left, right);
    let inside = vec![
        if_else(some.clone(), vec![write.clone()], Vec::new()),
        block_barrier(),
        if_else(and(second.clone(), some), vec![write.clone()], Vec::new()),
        block_barrier(),
        if_else(and(late, second), vec![write.clone()], Vec::new()),
        block_barrier(),
        if_else(none, vec![write], Vec::new()),
    ];
    let body =
        vec![assign(lane, binary(BinaryOp::FloorRemainder, thread_id(), int(32))), for_loop(k, int(0), int(9), inside)];
    let (lines, _) = described(&parts.builder.finish(body));
    assert_eq!(
        lines,
        ["loop: block", "  threads 8..48: if { to a }", "  threads 40..48: to a", "  threads 32..64: if { to a }",]
    );
}
