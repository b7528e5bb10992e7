//! The change of values between lanes.

use dims::CompareOp;
use std::collections::HashSet;

use elements::ElementType;
use kernel::loops::{AccessId, Node, ValueId};
use kernel::typed::Constant;
use kernel::typed::{BinaryOp, UnaryOp};
use kernel::with_enough_stack;
use rustc_hash::FxHashMap;

use super::form::{Atom, AtomId, Form};
use super::forms::Forms;
use crate::cpu::launch::launch_table::LaunchValue;

/// The change of an index from one lane to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A constant step; 0 if the index is uniform.
    By(LaunchValue),
    /// An exclusive or with the number of the lane.
    Swizzled(Swizzle),
    /// Any other change.
    Varying,
}

/// An index `rest + step · lane + coefficient · (first ^ lane)`, where `first` is an exclusive or in the first lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzle {
    /// The exclusive or.
    pub atom: AtomId,
    /// The factor of the exclusive or.
    pub coefficient: LaunchValue,
    /// The additional constant step.
    pub step: LaunchValue,
}

impl Swizzle {
    /// Whether the lanes access adjacent elements in another order.
    pub fn is_permutation(self) -> bool {
        self.coefficient.is(1) && self.step.is(0)
    }
}

impl Step {
    /// No change.
    pub const NONE: Step = Step::By(LaunchValue::Constant(0));

    /// Whether the index is uniform.
    pub fn is_none(self) -> bool {
        self == Step::NONE
    }

    /// The step, if it is a known constant.
    pub fn as_constant(self) -> Option<i64> {
        match self {
            Step::By(amount) => amount.as_constant(),
            Step::Swizzled(_) | Step::Varying => None,
        }
    }
}

/// The direction in which a form changes between lanes, if it is monotonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// It never falls.
    Rising,
    /// It never rises.
    Falling,
}

/// The facts about the lanes of a loop.
#[derive(Clone, Debug)]
pub struct LaneFacts {
    /// The counter that increases by one from each lane to the next.
    pub counter: AtomId,
    /// The number of lanes, a multiple of 4.
    pub width: u32,
    /// The merges whose values may differ between the lanes.
    pub varying: HashSet<ValueId>,
    /// Dividends and divisors for which a guard implies that the quotient is the same in all lanes.
    whole: HashSet<(Form, LaunchValue)>,
    /// Cached results: whether values are uniform across the lanes.
    agreed: FxHashMap<ValueId, bool>,
}

impl LaneFacts {
    /// The facts without any guard.
    pub fn new(counter: AtomId, width: u32, varying: HashSet<ValueId>) -> LaneFacts {
        LaneFacts { counter, width, varying, whole: HashSet::new(), agreed: FxHashMap::default() }
    }

    /// Records that a guard implies that a quotient is the same in all lanes; returns whether that is new.
    pub fn make_whole(&mut self, of: Form, divisor: LaunchValue) -> bool {
        self.agreed.clear();
        self.whole.insert((of, divisor))
    }

    /// Records that a merge differs between the lanes.
    pub fn vary(&mut self, merge: ValueId) {
        self.agreed.clear();
        self.varying.insert(merge);
    }

    /// The change of a form.
    pub fn step(&mut self, forms: &mut Forms<'_>, form: &Form) -> Step {
        let (mut total, mut swizzled) = (LaunchValue::Constant(0), None);
        for &(id, coefficient) in &form.terms {
            match self.step_of_atom(forms, id) {
                Step::By(step) => {
                    let scaled = forms.launch.multiply(step, coefficient);
                    total = forms.launch.add(total, scaled);
                }
                Step::Swizzled(_) if swizzled.is_none() => swizzled = Some((id, coefficient)),
                Step::Swizzled(_) | Step::Varying => return Step::Varying,
            }
        }
        match swizzled {
            None => Step::By(total),
            Some((atom, coefficient)) => Step::Swizzled(Swizzle { atom, coefficient, step: total }),
        }
    }

    /// The direction of a form, if its extremes are in the first and the last lane. Its parts must not wrap.
    pub fn trend(&mut self, forms: &mut Forms<'_>, form: &Form) -> Option<Trend> {
        let (mut rises, mut falls) = (false, false);
        for &(id, coefficient) in &form.terms {
            let step = match (self.step_of_atom(forms, id), forms.atom(id).clone()) {
                (Step::By(step), _) => step.as_constant()?,
                // A quotient changes in the direction of its dividend.
                (_, Atom::Quotient(of, _)) => self.step(forms, &of).as_constant()?,
                (_, _) => return None,
            };
            let change = step.signum() * coefficient.as_constant()?.signum();
            rises |= change > 0;
            falls |= change < 0;
        }
        match (rises, falls) {
            (true, true) => None,
            (false, true) => Some(Trend::Falling),
            _ => Some(Trend::Rising),
        }
    }

    fn step_of_atom(&mut self, forms: &mut Forms<'_>, id: AtomId) -> Step {
        if id == self.counter {
            return Step::By(LaunchValue::Constant(1));
        }
        match forms.atom(id).clone() {
            Atom::Run | Atom::Digit(_) => Step::NONE,
            Atom::Value(value) if self.parts_are_uniform(forms, value) => Step::NONE,
            Atom::Value(_) => Step::Varying,
            Atom::Quotient(of, divisor) => self.step_of_digit(forms, of, divisor, true),
            Atom::Remainder(of, divisor) => self.step_of_digit(forms, of, divisor, false),
            Atom::Xor(left, right) => {
                let steps = [self.step(forms, &left), self.step(forms, &right)];
                if steps.into_iter().all(Step::is_none) {
                    return Step::NONE;
                }
                let counting = if steps[1].is_none() { (left, steps[0]) } else { (right, steps[1]) };
                let is_turned = steps.into_iter().any(Step::is_none) && counting.1.as_constant() == Some(1);
                if is_turned && self.whole.contains(&(counting.0, LaunchValue::Constant(self.width.into()))) {
                    let (coefficient, step) = (LaunchValue::Constant(1), LaunchValue::Constant(0));
                    return Step::Swizzled(Swizzle { atom: id, coefficient, step });
                }
                Step::Varying
            }
        }
    }

    fn step_of_digit(&mut self, forms: &mut Forms<'_>, of: Form, divisor: LaunchValue, quotient: bool) -> Step {
        let step = self.step(forms, &of);
        if step.is_none() {
            return Step::NONE;
        }
        let Some(by) = step.as_constant() else { return Step::Varying };
        if let Some(divisor) = divisor.as_constant()
            && divisor > 0
            && by % divisor == 0
        {
            return if quotient { Step::By(LaunchValue::Constant(by / divisor)) } else { Step::NONE };
        }
        if self.whole.contains(&(of, divisor)) {
            return if quotient { Step::NONE } else { step };
        }
        Step::Varying
    }

    /// Whether a value is uniform across the lanes.
    pub fn is_uniform(&mut self, forms: &mut Forms<'_>, id: ValueId) -> bool {
        if let Some(known) = self.agreed.get(&id) {
            return *known;
        }
        let uniform = with_enough_stack(|| {
            if forms.program.element(id) == ElementType::I64 {
                let form = forms.form(id);
                return self.step(forms, &form).is_none();
            }
            self.parts_are_uniform(forms, id)
        });
        self.agreed.insert(id, uniform);
        uniform
    }

    /// Whether all operands of a value are uniform across the lanes.
    fn parts_are_uniform(&mut self, forms: &mut Forms<'_>, id: ValueId) -> bool {
        match forms.node(id) {
            Node::Constant(_) | Node::Size(_) | Node::Scalar(_) => true,
            // Counters are atoms of their own.
            Node::Block | Node::Thread | Node::Iterator(_) => {
                !matches!(forms.atom(self.counter), Atom::Value(own) if *own == id)
            }
            Node::Merge(_) => !self.varying.contains(&id),
            Node::Load(access) => self.access_is_uniform(forms, *access),
            node => node.operands().into_iter().all(|operand| self.is_uniform(forms, operand)),
        }
    }

    /// Whether all lanes read or write the same element.
    pub fn access_is_uniform(&mut self, forms: &mut Forms<'_>, access: AccessId) -> bool {
        let program = forms.program;
        program.place(access).all(|part| self.is_uniform(forms, part))
    }
}

/// A comparison of two indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// The left side.
    pub left: Form,
    /// How they compare.
    pub operator: CompareOp,
    /// The right side.
    pub right: Form,
}

/// A condition as comparisons of indices and other values.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A constant.
    Known(bool),
    /// A comparison of indices.
    Compare(Comparison),
    /// A value that has to be true, or false.
    Other(ValueId, bool),
    /// All of them.
    All(Vec<Condition>),
    /// At least one of them.
    Any(Vec<Condition>),
}

/// The most parts into which a condition is taken apart; what is left is a value as a whole. A part that occurs in two others, and so
/// on, would be taken apart again and again.
const MOST_PARTS: u32 = 256;

/// The condition that a `bool` has the given value.
pub fn condition(forms: &mut Forms<'_>, id: ValueId, truth: bool) -> Condition {
    condition_within(forms, id, truth, &mut MOST_PARTS.clone())
}

fn condition_within(forms: &mut Forms<'_>, id: ValueId, truth: bool, parts: &mut u32) -> Condition {
    let Some(left) = parts.checked_sub(1) else { return Condition::Other(id, truth) };
    *parts = left;
    match forms.node(id) {
        Node::Constant(Constant::Bool(value)) => Condition::Known(*value == truth),
        Node::Unary(UnaryOp::Not, operand) => condition_within(forms, *operand, !truth, parts),
        Node::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let sides = [*left, *right];
            let parts = Vec::from(sides.map(|side| condition_within(forms, side, truth, parts)));
            // A conjunction holds if both sides do; it fails if one of them does.
            if (*operator == BinaryOp::And) == truth { Condition::All(parts) } else { Condition::Any(parts) }
        }
        Node::Binary(operator, left, right)
            if forms.program.element(*left) == ElementType::I64
                && let Some(operator) = operator.comparison() =>
        {
            let operator = if truth { operator } else { operator.negated() };
            Condition::Compare(Comparison { left: forms.form(*left), operator, right: forms.form(*right) })
        }
        _ => Condition::Other(id, truth),
    }
}
