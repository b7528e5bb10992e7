//! Estimates of costs, for the choice between plans. The unit is a simple operation on one value.

use std::cmp::Reverse;

use elements::ElementType;
use kernel::functions::Compute;
use kernel::loops::{AccessId, Atomic, For, List, Node, StepKind, ValueId};
use kernel::typed::{Local, MathFunction, Memory};
use kernel::with_enough_stack;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cpu::indices::forms::Forms;
use crate::cpu::lowering::half_floats::NarrowFloat;
use crate::cpu::lowering::helpers;
use crate::cpu::program::Program;
use crate::cpu::program::walk;
use crate::cpu::vectors::packs::vector_type;

/// The assumed number of iterations of a loop with an unknown one.
const UNKNOWN_TRIPS: f64 = 16.0;

/// The number of iterations of a loop, or the assumed one.
pub fn trips(program: &Program<'_>, counted: &For) -> f64 {
    constant_trips(program, counted).map_or(UNKNOWN_TRIPS, |trips| trips as f64)
}

/// The number of iterations of a loop with constant bounds.
pub fn constant_trips(program: &Program<'_>, counted: &For) -> Option<i64> {
    let [low, high] = counted.ends.map(|end| program.constant(end));
    Some(high?.checked_sub(low?)?.max(0))
}

/// The operations that fit into the time of an atomic access.
const ATOMIC_WORK: f64 = 20.0;

/// The same of an array of the block, which other cores do not access.
const ATOMIC_WORK_OF_BLOCK: f64 = 6.0;

/// The cost of an atomic access without its operands.
pub fn atomic_work(program: &Program<'_>, atomic: &Atomic) -> f64 {
    match program.access(atomic.access).memory {
        Memory::Shared(_) => ATOMIC_WORK_OF_BLOCK,
        Memory::Param(_) => ATOMIC_WORK,
    }
}

/// The estimated number of operations of statements that are not vectorised.
pub fn work(forms: &mut Forms<'_>, list: &List) -> f64 {
    list_work(forms, list, &|forms, counted, _| 1.0 + work(forms, &counted.body))
}

/// The cost of an iteration of a loop, given the variables that it leaves behind.
type IterationWork<'a> = &'a dyn Fn(&mut Forms<'_>, &For, &[(Local, ValueId)]) -> f64;

/// The number of operations of statements, with `iteration` for the cost of an iteration of each loop.
pub fn list_work(forms: &mut Forms<'_>, list: &List, iteration: IterationWork<'_>) -> f64 {
    let mark = forms.seen.enter();
    let mut sum = 0.0;
    for step in &list.steps {
        sum += match &step.kind {
            StepKind::Assign { value, .. } if !forms.program.is_needed(*value) => 0.0,
            StepKind::Assign { value, .. } => value_work(forms, *value),
            StepKind::Store { access, value } => 1.0 + place_work(forms, *access) + value_work(forms, *value),
            StepKind::Atomic(atomic) => {
                let operands: f64 = atomic.operands.iter().map(|operand| value_work(forms, *operand)).sum();
                atomic_work(forms.program, atomic) + place_work(forms, atomic.access) + operands
            }
            StepKind::Shuffle(_) | StepKind::Barrier { .. } | StepKind::Copies(_) => 0.0,
            StepKind::For(counted) => {
                let ends: f64 = counted.ends.iter().map(|end| value_work(forms, *end)).sum();
                let once = iteration(forms, counted, &step.after) + waiting_work(forms.program, counted);
                ends + trips(forms.program, counted) * once
            }
            StepKind::Branch { condition, then, otherwise } => {
                let asked = value_work(forms, *condition) + 1.0;
                let sides = [then, otherwise].map(|side| list_work(forms, side, iteration));
                asked + sides[0].max(sides[1])
            }
            StepKind::Collective { condition, body } => {
                value_work(forms, *condition) + 1.0 + list_work(forms, body, iteration)
            }
        };
    }
    forms.seen.leave(mark);
    sum
}

/// The operations that fit into the time for which an iteration waits for the previous one's sum.
pub fn waiting_work(program: &Program<'_>, counted: &For) -> f64 {
    let waits = |head: ValueId| program.is_needed(head) && program.element(head).is_float();
    if counted.heads.iter().any(|(_, head)| waits(*head)) { 4.0 } else { 0.0 }
}

/// The estimated number of operations to compute a value that has not been computed yet. Indices are cheap, since most
/// of their operations move out of loops.
pub fn value_work(forms: &mut Forms<'_>, id: ValueId) -> f64 {
    if is_index(forms, id) {
        return INDEX_WORK;
    }
    if forms.known.get(id).is_some() || !forms.seen.add(id, ()) {
        return KNOWN_WORK;
    }
    let of = |forms: &mut Forms<'_>, part: ValueId| with_enough_stack(|| value_work(forms, part));
    own_work(forms, id) + parts(forms, id).into_iter().map(|part| of(forms, part)).sum::<f64>()
}

/// The same including all operands, even those computed before in this place. Results are cached in `found`, so that
/// shared operands are visited only once.
pub fn whole_work(forms: &Forms<'_>, id: ValueId, found: &mut FxHashMap<ValueId, f64>) -> f64 {
    if is_index(forms, id) {
        return INDEX_WORK;
    }
    if forms.known.get(id).is_some() {
        return KNOWN_WORK;
    }
    if let Some(work) = found.get(&id) {
        return *work;
    }
    let mut work = own_work(forms, id);
    for part in parts(forms, id) {
        work += with_enough_stack(|| whole_work(forms, part, found));
    }
    found.insert(id, work);
    work
}

/// The cost of an index.
const INDEX_WORK: f64 = 0.3;

/// The cost of using a value that has been computed already.
const KNOWN_WORK: f64 = 0.2;

fn is_index(forms: &Forms<'_>, id: ValueId) -> bool {
    forms.program.element(id) == ElementType::I64 && !forms.program.reads_memory(id)
}

/// The operands of a value, including the place of a load.
fn parts(forms: &Forms<'_>, id: ValueId) -> Vec<ValueId> {
    match forms.node(id) {
        Node::Load(access) => forms.program.place(*access).collect(),
        node => node.operands(),
    }
}

/// The cost of a value's own operation.
fn own_work(forms: &Forms<'_>, id: ValueId) -> f64 {
    let element = forms.program.element(id);
    match forms.node(id) {
        Node::Load(access) => conversion_work(element) + 1.0 + mask_work(forms, *access),
        Node::Binary(..) => conversion_work(element) + 1.0,
        Node::Unary(..) | Node::Cast(_) | Node::Bits(_) | Node::Select(..) => 1.0,
        Node::Math(function, _) => match function.operation().compute {
            Compute::Function(_) | Compute::BinaryFunction(_) => 15.0,
            Compute::Instruction => instruction_work(*function),
        },
        _ => KNOWN_WORK,
    }
}

/// The cost of computing the place of an access, with one operation more for a mask.
pub fn place_work(forms: &mut Forms<'_>, access: AccessId) -> f64 {
    let program = forms.program;
    mask_work(forms, access) + program.place(access).map(|part| value_work(forms, part)).sum::<f64>()
}

fn mask_work(forms: &Forms<'_>, access: AccessId) -> f64 {
    if forms.program.access(access).tested.is_some() { 1.0 } else { 0.0 }
}

/// The cost of a math function for which the processor has instructions.
fn instruction_work(function: MathFunction) -> f64 {
    match function {
        MathFunction::Sqrt => 4.0,
        MathFunction::Floor | MathFunction::Ceil | MathFunction::Round => 2.0,
        _ => 1.0,
    }
}

/// The additional cost of an operation on narrow floats, by their conversion.
pub fn conversion_work(element: ElementType) -> f64 {
    match NarrowFloat::from_element(element) {
        Some(narrow) if narrow.is_upper_part() => 6.0,
        Some(_) => 12.0,
        None => 0.0,
    }
}

/// The numbers of lanes that are worth trying for a body, the largest first, given the number of iterations if it is
/// known.
pub fn widths(forms: &Forms<'_>, body: &List, iterations: Option<i64>) -> Vec<u32> {
    let Elements { has_f16, has_wide, has_calls } = elements(forms, body);
    let fits = |width: u32| match iterations {
        None => true,
        // Incomplete groups are run one by one, so most groups must be complete.
        Some(iterations) => {
            let width = i64::from(width);
            iterations >= width && (iterations % width == 0 || iterations >= 4 * width)
        }
    };
    let run = (has_f16 && helpers::half_runs().is_some()).then_some(helpers::HALF_RUN as u32);
    // A call costs as much as computing several vectors.
    let calls = has_calls.then_some([64, 32]).into_iter().flatten();
    // A loop that carries values waits for each operation on them, unless it has as many independent ones as the
    // processor can overlap.
    let carried = carried_vectors(forms.program, body);
    let chains = [32, 16].into_iter().filter(|width| carried > 0 && carried * (width / 4) <= MOST_CARRIED_VECTORS);
    // Sixteen narrow elements are one vector in memory, and sixteen lanes are one vector of the math functions.
    let sixteen = (!has_wide || has_calls).then_some(16);
    let mut all: Vec<u32> = run.into_iter().chain(calls).chain(chains).chain(sixteen).chain([8, 4]).collect();
    all.sort_by_key(|&width| Reverse(width));
    all.dedup();
    all.retain(|&width| fits(width));
    all
}

/// The most vector registers for the carried values of a loop, of 16 that the processor has; the others hold the
/// operands.
const MOST_CARRIED_VECTORS: u32 = 8;

/// The most vectors of four lanes that a loop in a body carries between iterations.
fn carried_vectors(program: &Program<'_>, body: &List) -> u32 {
    let mut most = 0;
    walk(body, &mut |step| {
        if let StepKind::For(counted) = &step.kind {
            let needed = counted.heads.iter().filter(|(_, head)| program.is_needed(*head));
            let vectors = needed.map(|(_, head)| 4 / vector_type(program.element(*head)).lane_count()).sum();
            most = most.max(vectors);
        }
    });
    most
}

/// Properties of the values in a body.
#[derive(Default)]
struct Elements {
    has_f16: bool,
    has_wide: bool,
    /// Whether a math function is computed for all lanes in one call.
    has_calls: bool,
}

fn elements(forms: &Forms<'_>, body: &List) -> Elements {
    let program = forms.program;
    let mut open = Vec::new();
    walk(body, &mut |step| {
        let is_used = |value: &ValueId| !matches!(step.kind, StepKind::Assign { .. }) || program.is_needed(*value);
        open.extend(step.kind.values().filter(is_used));
        if let Some(access) = step.kind.written() {
            open.extend(program.place(access));
        }
    });
    let (mut found, mut seen) = (Elements::default(), FxHashSet::default());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let element = program.element(id);
        found.has_f16 |= element == ElementType::F16;
        // Indices are no data, and what is the same in all lanes needs no vectors.
        let is_alike = matches!(forms.node(id), Node::Constant(_) | Node::Size(_) | Node::Scalar(_));
        found.has_wide |= element.size_bytes() >= 4 && element != ElementType::I64 && !is_alike;
        if forms.known.get(id).is_some() {
            continue;
        }
        match forms.node(id) {
            Node::Load(access) => open.extend(program.place(*access)),
            node => {
                found.has_calls |= matches!(node, Node::Math(function, _) if helpers::strip(*function).is_some());
                open.extend(node.operands());
            }
        }
    }
    found
}
