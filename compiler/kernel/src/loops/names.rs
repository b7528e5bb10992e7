//! Which values get a name in generated code: used values that the program names, and common subexpressions of
//! indices.
//!
//! A value with several uses is computed once, in the innermost list around all of them, before the first one. So
//! `block / (N / 32)` occurs once in a kernel and not in each access. A cheap one that only branches use is computed in
//! each of them. Named values that nothing uses are left out.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::node::{LoopId, Node, ValueId};
use super::{AccessId, List, Loops, Step, StepKind, Stepped};
use crate::typed::{BinaryOp, Local};
use dims::Sym;
use elements::ElementType;

/// The least cost of a common subexpression that gets a name.
const LEAST_COST: u32 = 2;

/// The cost of a division, in other operations.
const COST_OF_DIVISION: u32 = 4;

/// Costs saturate here.
const MOST_COST: u32 = 1 << 16;

/// The names in generated code.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The common subexpressions computed before each step, by its number.
    pub before: BTreeMap<usize, Vec<Common>>,
    /// The numbers of steps whose value is never used.
    pub unused: BTreeSet<usize>,
}

/// A value with several uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Common {
    /// The value.
    pub value: ValueId,
    /// Whether it is used in indices only, which are known to fit in 64 bits.
    pub is_index: bool,
    /// Its role in them.
    pub role: Role,
    /// The constant of the program that it is, whose name it gets.
    pub local: Option<Local>,
}

/// The role of a common subexpression in indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A part among others.
    Part,
    /// The operand of quotients and remainders: a linear index of several dimensions.
    Linear,
    /// The whole index of an access.
    Index,
    /// An expression of sizes alone.
    Extent,
}

/// The names for a kernel. `is_elsewhere` tells which accesses compute their position elsewhere, and `stepped` which loops count
/// by steps.
pub fn names(loops: &Loops<'_>, is_elsewhere: &dyn Fn(AccessId) -> bool, stepped: &BTreeMap<LoopId, Stepped>) -> Names {
    let mut walk = Walk {
        loops,
        is_elsewhere,
        stepped,
        counters: stepped.values().map(|stepped| stepped.value).collect(),
        lists: Vec::new(),
        uses: vec![Vec::new(); loops.values.len()],
        may_be_used: vec![false; loops.values.len()],
        definitions: BTreeMap::new(),
        costs: costs(loops),
        names: Names::default(),
    };
    walk.list(&loops.body, None);
    loops.values.ids().rev().for_each(|id| walk.decide(id));
    walk.names.before.values_mut().for_each(|common| common.sort_by_key(|common| common.value));
    walk.names
}

/// A step of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    list: usize,
    index: usize,
}

/// A list and the step that contains it.
struct Lists {
    within: Option<Position>,
    /// The numbers of its steps.
    numbers: Vec<usize>,
    /// The indices of the steps that are branches.
    branches: BTreeSet<usize>,
}

/// A use of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Use {
    at: Position,
    is_index: bool,
    role: Role,
}

/// A step that gives a variable a value.
struct Definition {
    at: Position,
    local: Local,
}

struct Walk<'a, 'k> {
    loops: &'a Loops<'k>,
    is_elsewhere: &'a dyn Fn(AccessId) -> bool,
    stepped: &'a BTreeMap<LoopId, Stepped>,
    /// The values that the loops themselves name.
    counters: FxHashSet<ValueId>,
    lists: Vec<Lists>,
    /// The uses of each value, except those through a variable that is assigned again.
    uses: Vec<Vec<Use>>,
    /// Whether it may be used elsewhere too.
    may_be_used: Vec<bool>,
    definitions: BTreeMap<ValueId, Vec<Definition>>,
    /// The cost of computing each value; `None` where it reads memory.
    costs: Vec<Option<u32>>,
    names: Names,
}

impl Walk<'_, '_> {
    fn list(&mut self, list: &List, within: Option<Position>) {
        let number = self.lists.len();
        let numbers = list.steps.iter().map(|step| step.number).collect();
        let is_branch = |(_, step): &(usize, &Step)| matches!(step.kind, StepKind::Branch { .. });
        let branches = list.steps.iter().enumerate().filter(is_branch).map(|(index, _)| index).collect();
        self.lists.push(Lists { within, numbers, branches });
        for (index, step) in list.steps.iter().enumerate() {
            let at = Position { list: number, index };
            self.step(step, at);
            step.kind.lists().for_each(|inner| self.list(inner, Some(at)));
        }
    }

    fn step(&mut self, step: &Step, at: Position) {
        let is_index = matches!(step.kind, StepKind::For(_) | StepKind::Barrier { .. });
        match &step.kind {
            StepKind::Assign { local, value } => {
                let definition = local.map(|local| Definition { at, local });
                self.definitions.entry(*value).or_default().extend(definition);
            }
            other => {
                let stepped = match other {
                    StepKind::For(counted) => self.stepped.get(&counted.id),
                    _ => None,
                };
                let needed: Vec<ValueId> = match stepped {
                    Some(Stepped { first, end, step, .. }) => vec![*first, *end, *step],
                    None => other.values().collect(),
                };
                needed.into_iter().for_each(|value| self.needs(value, Use { at, is_index, role: Role::Part }));
            }
        }
        if let Some(access) = step.kind.written() {
            self.access(access, at);
        }
    }

    fn needs(&mut self, ValueId(value): ValueId, needed: Use) {
        let Some(uses) = self.uses.get_mut(value as usize) else { return };
        // More than two equal uses make no difference.
        if uses.iter().rev().take(2).filter(|known| **known == needed).count() < 2 {
            uses.push(needed);
        }
    }

    fn access(&mut self, id: AccessId, at: Position) {
        let Some(access) = self.loops.access(id) else { return };
        if (self.is_elsewhere)(id) {
            // Parts of the position are computed there, too.
            let parts = [access.offset].into_iter().chain(access.mask);
            return parts.for_each(|part| self.may_be_used[part.0 as usize] = true);
        }
        let (offset, tested) = (access.offset, access.tested);
        self.needs(offset, Use { at, is_index: true, role: Role::Index });
        tested.into_iter().for_each(|tested| self.needs(tested, Use { at, is_index: true, role: Role::Part }));
    }

    /// Decides on the names of a value, after those of all its users.
    fn decide(&mut self, id: ValueId) {
        let mut uses = std::mem::take(&mut self.uses[id.0 as usize]);
        let may_be_used = self.may_be_used[id.0 as usize];
        let definitions = self.definitions.remove(&id).unwrap_or_default();
        if self.counters.contains(&id) {
            let constants = definitions.iter().filter(|constant| !self.is_variable(constant.local));
            let constants: Vec<Position> = constants.map(|constant| constant.at).collect();
            return constants.into_iter().for_each(|constant| self.leave_out(constant));
        }
        if self.is_shared(id, &uses, &definitions) {
            return self.share(id, uses, &definitions);
        }
        let mut named: Vec<Position> = Vec::new();
        // What a variable becomes later may not be computed any more by then: its operands may have other values.
        let is_kept = |constant: &Definition| {
            let mut others = definitions.iter().filter(|other| self.is_variable(other.local));
            others.any(|other| self.is_before(constant.at, other.at))
        };
        let kept: Vec<bool> = definitions.iter().map(is_kept).collect();
        for (definition, is_kept) in definitions.iter().zip(kept) {
            let is_named = named.iter().any(|name| self.is_before(*name, definition.at));
            let (of_this, others): (Vec<Use>, Vec<Use>) =
                uses.iter().partition(|needed| self.is_before(definition.at, needed.at));
            let own = Use { at: definition.at, is_index: false, role: Role::Part };
            if self.is_variable(definition.local) {
                if !is_named {
                    self.needs_operands(id, own);
                }
                // The variable may have another value by then.
                self.may_use_operands(id, !of_this.is_empty());
                uses = others;
            } else if is_named || self.is_literal(id) || !is_kept && of_this.is_empty() && !may_be_used {
                self.leave_out(definition.at);
            } else {
                self.needs_operands(id, own);
                uses = others;
                named.push(definition.at);
            }
        }
        self.may_use_operands(id, may_be_used);
        self.name_together(id, uses, &[]);
    }

    /// Whether a value that constants of the program name is needed elsewhere too, so that one name should serve all.
    fn is_shared(&self, id: ValueId, uses: &[Use], definitions: &[Definition]) -> bool {
        let is_covered = |needed: &Use| definitions.iter().any(|definition| self.is_before(definition.at, needed.at));
        !definitions.is_empty()
            && self.is_common(id)
            && !definitions.iter().any(|definition| self.is_variable(definition.local))
            && !uses.iter().all(is_covered)
    }

    /// Names a value for all its uses, by the constants of the program where it is computed no later than they are.
    fn share(&mut self, id: ValueId, mut uses: Vec<Use>, definitions: &[Definition]) {
        let is_index = uses.iter().all(|needed| needed.is_index);
        uses.extend(definitions.iter().map(|definition| Use { at: definition.at, is_index, role: Role::Part }));
        self.may_use_operands(id, self.may_be_used[id.0 as usize]);
        self.name_together(id, uses, definitions);
    }

    /// Names a value where several uses need it, and leaves out the constants for which that name stands.
    fn name_together(&mut self, id: ValueId, uses: Vec<Use>, definitions: &[Definition]) {
        let is_common = self.is_common(id);
        let mut open = vec![uses];
        while let Some(uses) = open.pop() {
            let at = uses.iter().map(|needed| needed.at).reduce(|one, other| self.before_both(one, other));
            let Some(at) = at.filter(|_| uses.len() > 1 && is_common) else {
                uses.into_iter().for_each(|needed| self.needs_operands(id, needed));
                continue;
            };
            if let Some(sides) = self.sides(id, at, &uses) {
                open.extend(sides);
                continue;
            }
            let is_index = uses.iter().all(|needed| needed.is_index);
            let served: Vec<&Definition> = definitions
                .iter()
                .filter(|definition| definition.at == at || self.is_before(at, definition.at))
                .collect();
            let local = served.first().map(|definition| definition.local);
            served.into_iter().for_each(|definition| self.leave_out(definition.at));
            let common = Common { value: id, is_index, role: self.role(id, &uses), local };
            self.names.before.entry(self.lists[at.list].numbers[at.index]).or_default().push(common);
            self.needs_operands(id, Use { at, is_index, role: Role::Part });
        }
    }

    /// The uses of a value by the branches that they are in, if they are in branches only and the value is so cheap that it had
    /// better be computed in each branch than before all of them, for threads that may run none.
    fn sides(&self, id: ValueId, at: Position, uses: &[Use]) -> Option<Vec<Vec<Use>>> {
        let cost = self.costs.get(id.0 as usize).copied().flatten()?;
        if cost >= COST_OF_DIVISION {
            return None;
        }
        let mut sides: BTreeMap<usize, Vec<Use>> = BTreeMap::new();
        for needed in uses {
            let around = self.step_around(needed.at, at.list).filter(|around| *around != needed.at)?;
            let lists = self.lists.get(around.list)?;
            if !lists.branches.contains(&around.index) {
                return None;
            }
            sides.entry(around.index).or_default().push(*needed);
        }
        (sides.len() > 1).then(|| sides.into_values().collect())
    }

    /// The step of a list in which a place is.
    fn step_around(&self, mut place: Position, list: usize) -> Option<Position> {
        while place.list != list {
            place = self.lists.get(place.list)?.within?;
        }
        Some(place)
    }

    fn needs_operands(&mut self, id: ValueId, needed: Use) {
        match self.loops.values.node(id) {
            Some(Node::Load(access)) => self.access(*access, needed.at),
            Some(Node::Binary(op, left, right)) => {
                let role = if is_division(*op) { Role::Linear } else { Role::Part };
                self.needs(*left, Use { role, ..needed });
                self.needs(*right, Use { role: Role::Part, ..needed });
            }
            Some(node) => {
                let needed = Use { role: Role::Part, ..needed };
                node.operands().into_iter().for_each(|operand| self.needs(operand, needed));
            }
            None => {}
        }
    }

    fn role(&self, id: ValueId, uses: &[Use]) -> Role {
        match self.loops.values.node(id) {
            Some(Node::Size(_)) => Role::Extent,
            _ => uses.iter().map(|needed| needed.role).max().unwrap_or(Role::Part),
        }
    }

    fn may_use_operands(&mut self, id: ValueId, may_use: bool) {
        if !may_use {
            return;
        }
        let operands = match self.loops.values.node(id) {
            Some(Node::Load(access)) => {
                let access = self.loops.access(*access);
                access.map_or_else(Vec::new, |access| [access.offset].into_iter().chain(access.tested).collect())
            }
            Some(node) => node.operands(),
            None => Vec::new(),
        };
        operands.into_iter().for_each(|operand| self.may_be_used[operand.0 as usize] = true);
    }

    fn leave_out(&mut self, at: Position) {
        self.names.unused.insert(self.lists[at.list].numbers[at.index]);
    }

    /// Whether a variable is mutable.
    fn is_variable(&self, local: Local) -> bool {
        self.loops.values.kernel.locals.get(local).is_some_and(|local| local.mutable)
    }

    /// Whether a value is no longer than a name for it.
    fn is_literal(&self, id: ValueId) -> bool {
        match self.loops.values.node(id) {
            Some(Node::Constant(_) | Node::Scalar(_)) => true,
            Some(Node::Size(size)) => cost_of_size(size) == 0,
            _ => false,
        }
    }

    /// Whether a value with several uses deserves a name: parts of indices do, loads do not.
    fn is_common(&self, id: ValueId) -> bool {
        let is_index = self.loops.values.element(id) == ElementType::I64;
        is_index && self.costs.get(id.0 as usize).copied().flatten().is_some_and(|cost| cost >= LEAST_COST)
    }

    /// Whether a name is visible at a place.
    fn is_before(&self, name: Position, mut place: Position) -> bool {
        loop {
            if place.list == name.list {
                return name.index < place.index;
            }
            match self.lists[place.list].within {
                Some(within) => place = within,
                None => return false,
            }
        }
    }

    /// The last position that dominates both, possibly one of them.
    fn before_both(&self, mut one: Position, mut other: Position) -> Position {
        while one.list != other.list {
            // A list has a greater number than the list around it.
            let inner = if one.list > other.list { &mut one } else { &mut other };
            match self.lists[inner.list].within {
                Some(within) => *inner = within,
                None => break,
            }
        }
        one.min(other)
    }
}

/// The cost of computing each value; `None` where it reads memory.
fn costs(loops: &Loops<'_>) -> Vec<Option<u32>> {
    let mut costs: Vec<Option<u32>> = Vec::with_capacity(loops.values.len());
    for id in loops.values.ids() {
        let own = match loops.values.node(id) {
            Some(Node::Load(_)) | None => None,
            Some(Node::Size(size)) => Some(cost_of_size(size)),
            Some(node) => {
                let of = |operand: ValueId| costs.get(operand.0 as usize).copied().flatten();
                let operands = node.operands();
                let sum = operands.iter().try_fold(0u32, |sum, operand| Some((sum + of(*operand)?).min(MOST_COST)));
                sum.map(|sum| sum + cost_of_operation(node))
            }
        };
        costs.push(own);
    }
    costs
}

fn cost_of_operation(node: &Node) -> u32 {
    match node {
        Node::Binary(op, ..) if is_division(*op) => COST_OF_DIVISION,
        Node::Unary(..) | Node::Binary(..) | Node::Select(..) | Node::Math(..) => 1,
        _ => 0,
    }
}

fn is_division(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::FloorDivide | BinaryOp::FloorRemainder)
}

fn cost_of_size(size: &Sym) -> u32 {
    if size.as_constant().is_some() || size.as_symbol().is_some() { 0 } else { LEAST_COST }
}
