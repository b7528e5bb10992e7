//! Finds barrier regions in which a thread for each warp adds up what the lanes of the warp gave, and lowers them as one call:
//! the call adds up several rows at a time in wide vectors, while the threads would load each number on its own.

use std::ops::Range;

use cranelift_codegen::ir::{InstBuilder, types};
use elements::ElementType;
use kernel::loops::{AccessId, Node, StepKind, ValueId};
use kernel::typed::{BinaryOp, Memory};
use math::LANES;

use crate::cpu::indices::form::Atom;
use crate::cpu::indices::forms::Forms;
use crate::cpu::lowering::emitter::Emitter;
use crate::cpu::phases::phase::Region;

/// Threads that each add up a row of an array.
pub struct LaneSums {
    rows: Range<i64>,
    element: ElementType,
    /// What is added up.
    pub values: Memory,
    /// Where the total of a row goes, to the place of its first number.
    pub totals: Option<Memory>,
    /// Whether each number is replaced by the sum up to it.
    pub running: bool,
}

/// A region as one in which each thread adds up a row.
pub fn lane_sums(forms: &mut Forms<'_>, region: &Region) -> Option<LaneSums> {
    let rows = region.threads.clone()?;
    let mut stores: Vec<(AccessId, ValueId)> = Vec::new();
    for step in &region.body.steps {
        match &step.kind {
            // Everything is read before anything is written.
            StepKind::Assign { .. } if stores.is_empty() => {}
            StepKind::Store { access, value } => stores.push((*access, *value)),
            _ => return None,
        }
    }
    let (last, _) = stores.last()?;
    let element = forms.program.element_of(forms.program.access(*last).memory);
    if !matches!(element, ElementType::F32 | ElementType::I32 | ElementType::U32) {
        return None;
    }
    let values = first_read(forms, stores.first()?.1)?;
    let (mut totals, mut written) = (None, 0usize);
    for (access, value) in stores {
        let (memory, lane) = lane_of(forms, access)?;
        if memory == values {
            if lane != written || !is_running(forms, value, values, lane, LANES.ilog2()) {
                return None;
            }
            written += 1;
        } else {
            if lane != 0 || totals.is_some() || !is_total(forms, value, values, 0, LANES.ilog2()) {
                return None;
            }
            totals = Some(memory);
        }
    }
    let running = written == LANES;
    (running || written == 0 && totals.is_some()).then_some(LaneSums { rows, element, values, totals, running })
}

/// The memory and the lane of an access to the row of the own thread.
fn lane_of(forms: &mut Forms<'_>, access: AccessId) -> Option<(Memory, usize)> {
    let access = forms.program.access(access);
    let form = forms.form(access.offset);
    let [(atom, step)] = form.terms.as_slice() else { return None };
    let is_row = matches!(forms.atom(*atom), Atom::Value(value) if *forms.node(*value) == Node::Thread);
    let lane = usize::try_from(form.constant.as_constant()?).ok().filter(|lane| *lane < LANES)?;
    let is_plain = access.mask.is_none() && access.tested.is_none() && matches!(access.memory, Memory::Shared(_));
    (is_row && is_plain && step.is(LANES as i64)).then_some((access.memory, lane))
}

/// The memory of the first number of a sum.
fn first_read(forms: &Forms<'_>, sum: ValueId) -> Option<Memory> {
    let mut id = sum;
    // A total of all lanes has five levels, and a running sum one more at each.
    for _ in 0..2 * LANES {
        match forms.node(id) {
            Node::Binary(_, left, _) => id = *left,
            Node::Load(access) => return Some(forms.program.access(*access).memory),
            _ => return None,
        }
    }
    None
}

/// The summands of a sum.
fn summands(forms: &Forms<'_>, sum: ValueId) -> Option<[ValueId; 2]> {
    match forms.node(sum) {
        Node::Binary(BinaryOp::Add, left, right) => Some([*left, *right]),
        _ => None,
    }
}

/// Whether a value is the sum of `2^level` numbers in a row, of which the group has this number.
fn is_total(forms: &mut Forms<'_>, value: ValueId, memory: Memory, group: usize, level: u32) -> bool {
    let Some(below) = level.checked_sub(1) else {
        let Node::Load(access) = *forms.node(value) else { return false };
        return lane_of(forms, access) == Some((memory, group));
    };
    let Some([left, right]) = summands(forms, value) else { return false };
    // The operands of a sum may be exchanged.
    [[left, right], [right, left]].into_iter().any(|[left, right]| {
        is_total(forms, left, memory, 2 * group, below) && is_total(forms, right, memory, 2 * group + 1, below)
    })
}

/// Whether a value is the sum up to a lane, of as many steps.
fn is_running(forms: &mut Forms<'_>, value: ValueId, memory: Memory, lane: usize, steps: u32) -> bool {
    let Some(step) = steps.checked_sub(1) else { return is_total(forms, value, memory, lane, 0) };
    if lane >> step & 1 == 0 {
        return is_running(forms, value, memory, lane, step);
    }
    let Some([left, right]) = summands(forms, value) else { return false };
    [[left, right], [right, left]].into_iter().any(|[other, own]| {
        is_total(forms, other, memory, (lane >> step) - 1, step) && is_running(forms, own, memory, lane, step)
    })
}

impl Emitter<'_, '_> {
    /// Lowers such a region.
    pub fn lane_sums(&mut self, LaneSums { rows, element, values, totals, running }: &LaneSums) {
        let bytes = rows.start * (LANES * element.size_bytes()) as i64;
        let first = |emitter: &mut Self, memory: Memory| {
            let base = emitter.first_of_array(memory);
            emitter.builder.ins().iadd_imm_s(base, bytes)
        };
        let from = first(self, *values);
        let to = match totals {
            Some(totals) => first(self, *totals),
            None => self.int(0),
        };
        let count = self.int(rows.end - rows.start);
        let kernels = math::lane_kernels();
        let function = match (element, running) {
            (ElementType::F32, true) => kernels.f32.running as *const u8,
            (ElementType::F32, false) => kernels.f32.totals as *const u8,
            (_, true) => kernels.i32.running as *const u8,
            (_, false) => kernels.i32.totals as *const u8,
        };
        self.call(function, &[types::I64; 3], &[from, to, count]);
    }
}

#[cfg(test)]
mod tests;
