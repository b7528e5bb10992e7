//! Estimates of work, from which plans are chosen. The unit is a simple operation on one value.

use elements::ElementType;
use kernel::functions::Compute;
use kernel::loops::{AccessId, For, List, Node, StepKind, ValueId};
use kernel::typed::MathFunction;
use kernel::with_enough_stack;

use super::forms::Forms;
use super::helpers;
use super::plan::walk;
use super::program::Program;

/// How often a loop of unknown length is taken to run.
const UNKNOWN_TRIPS: f64 = 16.0;

/// The number of iterations of a loop, where it is known, else a guess.
pub fn trips(program: &Program<'_>, counted: &For) -> f64 {
    constant_trips(program, counted).map_or(UNKNOWN_TRIPS, |trips| trips as f64)
}

/// The number of iterations of a loop between constants.
pub fn constant_trips(program: &Program<'_>, counted: &For) -> Option<i64> {
    let [low, high] = counted.ends.map(|end| program.constant(end));
    Some(high?.checked_sub(low?)?.max(0))
}

/// How many operations statements make, by estimate.
pub fn work(forms: &mut Forms<'_>, list: &List) -> f64 {
    let mark = forms.seen.enter();
    let mut sum = 0.0;
    for step in &list.steps {
        sum += match &step.kind {
            StepKind::Assign { value, .. } if !forms.program.is_needed(*value) => 0.0,
            StepKind::Assign { value, .. } => value_work(forms, *value),
            StepKind::Store { access, value } => 1.0 + place_work(forms, *access) + value_work(forms, *value),
            StepKind::Barrier { .. } => 0.0,
            StepKind::For(counted) => {
                let ends: f64 = counted.ends.iter().map(|end| value_work(forms, *end)).sum();
                ends + trips(forms.program, counted) * (1.0 + work(forms, &counted.body))
            }
            StepKind::Branch { condition, then, otherwise } => {
                value_work(forms, *condition) + 1.0 + work(forms, then).max(work(forms, otherwise))
            }
            StepKind::Collective { condition, body } => value_work(forms, *condition) + 1.0 + work(forms, body),
        };
    }
    forms.seen.leave(mark);
    sum
}

/// How many operations it takes to compute a value that is not known yet, by estimate. Indices are cheap: most of their work
/// moves out of loops.
pub fn value_work(forms: &mut Forms<'_>, id: ValueId) -> f64 {
    let program = forms.program;
    let element = program.element(id);
    if element == ElementType::I64 && !program.reads_memory(id) {
        return 0.3;
    }
    if forms.known.get(id).is_some() || !forms.seen.add(id, ()) {
        return 0.2;
    }
    let of = |forms: &mut Forms<'_>, id: &ValueId| with_enough_stack(|| value_work(forms, *id));
    match forms.node(id) {
        Node::Load(access) => conversion_work(element) + 1.0 + place_work(forms, *access),
        Node::Unary(_, operand) | Node::Cast(operand) => 1.0 + of(forms, operand),
        Node::Binary(_, left, right) => conversion_work(element) + 1.0 + of(forms, left) + of(forms, right),
        Node::Select(condition, first, second) => 1.0 + of(forms, condition) + of(forms, first) + of(forms, second),
        Node::Math(function, arguments) => {
            let own = match function.operation().compute {
                Compute::Function(_) | Compute::Power => 15.0,
                Compute::Instruction => instruction_work(*function),
            };
            own + arguments.iter().map(|argument| of(forms, argument)).sum::<f64>()
        }
        _ => 0.2,
    }
}

/// What finding the place of an access takes: the mask costs an operation more than what it is made of.
pub fn place_work(forms: &mut Forms<'_>, access: AccessId) -> f64 {
    let program = forms.program;
    let masks = if program.access(access).tested.is_some() { 1.0 } else { 0.0 };
    masks + program.place(access).map(|part| value_work(forms, part)).sum::<f64>()
}

/// How long a function takes that the processor has instructions for.
fn instruction_work(function: MathFunction) -> f64 {
    match function {
        MathFunction::Sqrt => 4.0,
        MathFunction::Floor | MathFunction::Ceil | MathFunction::Round => 2.0,
        _ => 1.0,
    }
}

/// What converting a half adds to an operation on one.
pub fn conversion_work(element: ElementType) -> f64 {
    match element {
        ElementType::F16 => 12.0,
        ElementType::Bf16 => 6.0,
        _ => 0.0,
    }
}

/// The widths that are worth trying for a body, the widest first, where there are so many iterations (if known).
pub fn widths(forms: &Forms<'_>, body: &List, iterations: Option<i64>) -> Vec<u32> {
    let Elements { has_f16, has_wide, has_calls } = elements(forms, body);
    let fits = |width: u32| match iterations {
        None => true,
        // A group that is not full is run one by one, so most groups must be full.
        Some(iterations) => {
            let width = i64::from(width);
            iterations >= width && (iterations % width == 0 || iterations >= 4 * width)
        }
    };
    let run = (has_f16 && helpers::half_runs().is_some()).then_some(helpers::HALF_RUN as u32);
    // Sixteen narrow elements are one vector in memory, and sixteen lanes one vector of what computes math functions.
    let sixteen = (!has_wide || has_calls).then_some(16);
    // A call costs as much as some vectors of what it computes.
    let calls = has_calls.then_some([64, 32]).into_iter().flatten();
    run.into_iter().chain(calls).chain(sixteen).chain([8, 4]).filter(|&width| fits(width)).collect()
}

/// What the values of a body are.
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
        if let StepKind::Store { access, .. } = &step.kind {
            open.extend(program.place(*access));
        }
    });
    let (mut found, mut seen) = (Elements::default(), rustc_hash::FxHashSet::default());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let element = program.element(id);
        found.has_f16 |= element == ElementType::F16;
        // Indices are not data.
        found.has_wide |= element.size_bytes() >= 4 && element != ElementType::I64;
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
