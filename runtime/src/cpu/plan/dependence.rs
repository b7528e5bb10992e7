//! Whether the iterations of a loop may be reordered.

use std::collections::{HashMap, HashSet};

use kernel::loops::{For, List, Node, StepKind, ValueId};
use kernel::typed::{Local, Memory, MemoryOrder};
use rustc_hash::FxHashSet;

use crate::cpu::indices::form::{AtomId, Form};
use crate::cpu::indices::forms::Forms;
use crate::cpu::indices::shape::LaneFacts;
use crate::cpu::program::Program;
use crate::cpu::program::walk;

/// Whether the iterations of a loop may be interleaved statement by statement: no iteration reads or writes what
/// another one writes. (The caller has to check that no value passes between iterations: [`passes_values`].)
pub fn iterations_are_independent(forms: &mut Forms<'_>, counter: AtomId, width: u32, body: &List) -> bool {
    let (mut has_inner_loop, mut accesses) = (false, Vec::new());
    let mut varying = HashSet::new();
    walk(body, &mut |step| {
        has_inner_loop |= matches!(step.kind, StepKind::For(_));
        accesses.extend(step.accesses.iter().copied());
        varying.extend(step.after.iter().map(|(_, merge)| *merge));
    });
    if has_inner_loop {
        return false;
    }
    let mut facts = LaneFacts::new(counter, width, varying);
    let mut written: HashMap<Memory, Form> = HashMap::new();
    for access in accesses.iter().map(|id| forms.program.access(*id)).filter(|access| access.kind.writes()) {
        let form = forms.form(access.offset);
        // Every iteration must write another element.
        let moves = facts.step(forms, &form).as_constant().is_some_and(|step| step != 0);
        let same = written.entry(access.memory).or_insert_with(|| form.clone()) == &form;
        if !moves || !same {
            return false;
        }
    }
    accesses.into_iter().all(|id| {
        let access = forms.program.access(id);
        let form = forms.form(access.offset);
        written.get(&access.memory).is_none_or(|other| *other == form)
    })
}

/// Whether a body has a single atomic access, whose result nobody uses and which orders nothing, and no other access of its
/// memory: then the order of atomic accesses stays the same where each lane does its own after the one before.
pub fn has_apart_atomic(program: &Program<'_>, body: &List) -> bool {
    let (mut atomics, mut accesses, mut has_loop) = (Vec::new(), Vec::new(), false);
    walk(body, &mut |step| {
        accesses.extend(step.accesses.iter().copied());
        match &step.kind {
            StepKind::Atomic(atomic) => atomics.push(atomic),
            // The lanes would take turns in each iteration of it.
            StepKind::For(_) => has_loop = true,
            _ => {}
        }
    });
    let [atomic] = atomics.as_slice() else { return false };
    let memory = program.access(atomic.access).memory;
    let of_memory = accesses.into_iter().filter(|access| program.access(*access).memory == memory);
    !has_loop
        && atomic.result.is_none()
        && atomic.order == MemoryOrder::Relaxed
        && atomic.operation.combination().is_some()
        && of_memory.count() == 1
}

/// Whether an iteration of a loop uses a variable's value from the previous one, or a variable is used after the loop.
pub fn passes_values(program: &Program<'_>, counted: &For, after: &[(Local, ValueId)]) -> bool {
    counted.heads.iter().chain(after).any(|(_, merge)| program.is_needed(*merge))
}

impl Forms<'_> {
    /// Whether none of a value's operands is computed by a refused node.
    pub fn is_made_without(&self, id: ValueId, is_refused: &dyn Fn(&Node) -> bool) -> bool {
        let (mut open, mut seen) = (vec![id], FxHashSet::default());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = self.node(id);
            if is_refused(node) {
                return false;
            }
            open.extend(node.operands());
        }
        true
    }
}
