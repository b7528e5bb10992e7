//! Loops that count by the distance between their iterations, for text in which loops can.
//!
//! A program counts the iterations of `for i in lo..hi step s`: in iteration `k`, `i` is `lo + s * k`. As `k < cdiv(hi - lo, s)`
//! is `lo + s * k < hi`, text may count `i` itself, if nothing but `i` needs `k`, and `i` fits its type one step beyond
//! the last iteration.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::access::AccessId;
use super::node::{LoopId, Node, ValueId};
use super::{For, List, Loops, StepKind};
use crate::typed::{BinaryOp, Constant, Local};
use dims::{Atom, Sym};
use elements::ElementType;

/// A loop over `first..end` by `step`.
#[derive(Clone, Copy, Debug)]
pub struct Stepped {
    /// The variable that counts.
    pub local: Local,
    /// Its value in an iteration.
    pub value: ValueId,
    /// The first value.
    pub first: ValueId,
    /// One past the last value, or more, but no more than one step past it.
    pub end: ValueId,
    /// The distance between two values, which is positive.
    pub step: ValueId,
}

/// The loops of a kernel that can count by steps; `poll` is called for each loop, and may unwind to cancel the work.
pub fn stepped_loops(loops: &mut Loops<'_>, poll: &dyn Fn()) -> BTreeMap<LoopId, Stepped> {
    let mut plans = Vec::new();
    let mut open: Vec<&List> = vec![&loops.body];
    while let Some(list) = open.pop() {
        for step in &list.steps {
            if let StepKind::For(counted) = &step.kind {
                poll();
                plans.extend(loops.plan(counted).map(|plan| (counted.id, plan)));
            }
            open.extend(step.kind.lists());
        }
    }
    plans.into_iter().filter_map(|(id, plan)| Some((id, loops.stepped(plan)?))).collect()
}

/// A loop that counts by steps, up to an end that may be no value yet.
struct Plan {
    local: Local,
    value: ValueId,
    /// `None`: 0.
    first: Option<ValueId>,
    step: ValueId,
    end: End,
}

enum End {
    Value(ValueId),
    Size(Sym),
}

/// `first + step * k` for the number `k` of an iteration; without a first value, it begins at 0.
struct Progression {
    first: Option<ValueId>,
    step: ValueId,
}

impl Loops<'_> {
    fn plan(&self, counted: &For) -> Option<Plan> {
        let [low, count] = counted.ends;
        if self.number(low) != Some(0) {
            return None;
        }
        let mut assigned = counted.body.steps.iter().map_while(|step| match step.kind {
            StepKind::Assign { local, value } => Some((local?, value)),
            _ => None,
        });
        let (local, value) = assigned.find(|(local, value)| {
            !self.values.kernel.is_variable(*local) && self.progression(*value, counted).is_some()
        })?;
        let Progression { first, step } = self.progression(value, counted)?;
        let sizes =
            first.map_or(Some(Sym::zero()), |first| self.size(first)).zip(self.size(count)).zip(self.size(step));
        let end = match (sizes, first) {
            (Some(((first, count), step)), _) => End::Size(end(&first, &count, &step)?),
            (None, Some(first)) => self.counted_to(count, first, step)?,
            (None, None) => return None,
        };
        (!self.needs_number(counted, value)).then_some(Plan { local, value, first, step, end })
    }

    fn stepped(&mut self, Plan { local, value, first, step, end }: Plan) -> Option<Stepped> {
        let first = first.unwrap_or_else(|| self.values.int(0));
        let end = match end {
            End::Value(end) => end,
            End::Size(end) => match end.as_constant() {
                Some(end) => self.values.int(end),
                None => self.values.made(Node::Size(end), ElementType::I64),
            },
        };
        let stepped = Stepped { local, value, first, end, step };
        self.fits_beyond(&stepped).then_some(stepped)
    }

    /// A value as a progression with the iterations of a loop.
    fn progression(&self, value: ValueId, counted: &For) -> Option<Progression> {
        let (first, distance) = match self.values.node(value)? {
            Node::Binary(BinaryOp::Add, first, distance) => (Some(*first), *distance),
            _ => (None, value),
        };
        let Node::Binary(BinaryOp::Multiply, number, step) = *self.values.node(distance)? else { return None };
        let is_fixed = |id: ValueId| self.values.get(id).is_some_and(|value| !value.loops.contains(&counted.id));
        let is_positive = self.values.range(step).lo.is_some_and(|least| least >= 1);
        let is_regular = number == counted.iterator && first.is_none_or(is_fixed) && is_fixed(step) && is_positive;
        is_regular.then_some(Progression { first, step })
    }

    /// The end of a loop of `(end - 1 - first) / step + 1` iterations.
    fn counted_to(&self, count: ValueId, first: ValueId, step: ValueId) -> Option<End> {
        let operands = |id: ValueId, wanted: BinaryOp| match self.values.node(id) {
            Some(Node::Binary(op, left, right)) if *op == wanted => Some((*left, *right)),
            _ => None,
        };
        let (before_last, one) = operands(count, BinaryOp::Add)?;
        let (distance, divisor) = operands(before_last, BinaryOp::FloorDivide)?;
        let (last, from) = operands(distance, BinaryOp::Subtract)?;
        if self.number(one) != Some(1) || divisor != step || from != first {
            return None;
        }
        match self.number(last) {
            Some(last) => Some(End::Size(Sym::constant(last.checked_add(1)?))),
            None => {
                let (end, one) = operands(last, BinaryOp::Subtract)?;
                (self.number(one) == Some(1)).then_some(End::Value(end))
            }
        }
    }

    /// Whether the body of a loop needs the number of the iteration for anything but a value.
    fn needs_number(&self, counted: &For, value: ValueId) -> bool {
        let mut open: Vec<ValueId> = Vec::new();
        let mut lists = vec![&counted.body];
        while let Some(list) = lists.pop() {
            for step in &list.steps {
                open.extend(step.kind.values());
                open.extend(step.accesses.iter().flat_map(|access| self.places(*access)));
                lists.extend(step.kind.lists());
            }
        }
        let mut seen: FxHashSet<ValueId> = FxHashSet::from_iter([value]);
        while let Some(id) = open.pop() {
            match self.values.node(id).filter(|_| seen.insert(id)) {
                _ if id == counted.iterator => return true,
                Some(Node::Load(access)) => open.extend(self.places(*access)),
                Some(node) => open.extend(node.operands()),
                None => {}
            }
        }
        false
    }

    /// The values that say where and whether an access happens.
    fn places(&self, access: AccessId) -> impl Iterator<Item = ValueId> {
        self.access(access).into_iter().flat_map(|access| [Some(access.offset), access.mask].into_iter().flatten())
    }

    /// Whether an iterator fits its type where it ends the loop: its launch checks that for counts.
    fn fits_beyond(&self, Stepped { end, step, .. }: &Stepped) -> bool {
        let is_count = |id: &ValueId| self.values.get(*id).is_some_and(|value| value.assumed.is_of_sizes());
        let most = self.values.range(*end).plus(self.values.range(*step)).hi;
        most.is_some_and(|most| most <= i64::MAX.into()) || is_count(end) && is_count(step)
    }

    /// The value as a known number.
    fn number(&self, id: ValueId) -> Option<i64> {
        self.size(id)?.as_constant()
    }

    /// The value as a size.
    fn size(&self, id: ValueId) -> Option<Sym> {
        match self.values.node(id)? {
            Node::Constant(Constant::Int(number)) => Some(Sym::constant(*number)),
            Node::Size(size) => Some(size.clone()),
            _ => None,
        }
    }
}

/// The end of a loop of so many iterations: the end of the source where the number is the quotient of the source, `⌊a / step⌋ + c`;
/// else where the next iteration would be.
fn end(first: &Sym, count: &Sym, step: &Sym) -> Option<Sym> {
    let next = first.checked_add(&count.checked_mul(step).ok()?).ok()?;
    let quotients = |size: &Sym| {
        let atoms = size.terms().flat_map(|(_, atoms)| atoms.iter().map(|(atom, _)| atom));
        atoms.filter(|atom| matches!(atom, Atom::FloorDiv { .. })).count()
    };
    let sole = count.products()?.into_iter().find_map(|(factor, product)| match product.as_atom()? {
        Atom::FloorDiv { dividend, divisor, .. } if factor == 1 && divisor == step => {
            Some((product.clone(), dividend.clone()))
        }
        _ => None,
    });
    let Some((quotient, dividend)) = sole.filter(|_| quotients(&next) > 0) else { return Some(next) };
    let rest = count.checked_sub(&quotient).ok()?;
    let whole = rest.checked_sub(&Sym::one()).ok()?.checked_mul(step).ok()?;
    let distance = dividend.checked_add(&whole).ok()?.checked_add(&Sym::one()).ok()?;
    first.checked_add(&distance).ok()
}
