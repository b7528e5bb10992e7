//! Lowers the steps of a program, for one iteration or for all lanes.

use cranelift_frontend::Variable;
use elements::ElementType;
use kernel::loops::{For, List, Step, StepKind, ValueId};
use kernel::typed::Local;

use super::counted::Loop;
use super::emitter::Emitter;
use super::emitter::Lanes;
use crate::cpu::indices::form::Atom;
use crate::cpu::plan::estimate::constant_trips;
use crate::cpu::plan::{Plan, Turns, plan_loop};
use crate::cpu::vectors::packs::register_type;
use crate::cpu::vectors::packs::{Pack, vector_type};

/// The machine variables of a merge: one register, or one vector for each group of lanes.
struct MergeVariables {
    /// The merged value.
    merge: ValueId,
    element: ElementType,
    is_uniform: bool,
    variables: Vec<Variable>,
}

impl<'l> Emitter<'l, '_> {
    /// Lowers a list of steps.
    pub fn list(&mut self, list: &'l List) {
        list.steps.iter().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &'l Step) {
        match &step.kind {
            StepKind::Assign { value, .. } => {
                if self.program.is_needed(*value) {
                    match self.is_in_lane() {
                        true => drop(self.value(*value)),
                        false => drop(self.vector(*value)),
                    }
                }
            }
            StepKind::For(counted) => self.counted(counted, &step.after),
            StepKind::Branch { condition, then, otherwise } => {
                self.choose(*condition, [then, otherwise], &step.after);
            }
            StepKind::Store { access, value } => {
                if self.lanes.is_some() && !self.is_in_lane() {
                    self.vector_store(*access, *value)
                } else {
                    self.store(*access, *value)
                }
            }
            StepKind::Atomic(atomic) => self.each_in_turn(|emitter| emitter.atomic(atomic)),
            // The program was split at its barriers, has no shuffles, and copies at once.
            StepKind::Collective { .. } | StepKind::Shuffle(_) | StepKind::Barrier { .. } | StepKind::Copies(_) => {}
        }
    }

    /// Lowers a branch, unless the guards imply that all lanes take the same side.
    fn choose(&mut self, condition: ValueId, sides: [&'l List; 2], after: &[(Local, ValueId)]) {
        let program = self.program;
        let needed = || after.iter().map(|(_, merge)| *merge).filter(|merge| program.is_needed(*merge));
        if let Some(truth) = self.settled(condition) {
            let taken = usize::from(!truth);
            self.list(sides[taken]);
            for merge in needed() {
                let pack = self.vector(program.merged(merge)[taken]);
                self.forms.known.add(merge, pack);
            }
            return;
        }
        if let Some(Lanes { plan, lane: None }) = &self.lanes
            && let Some(turns) = plan.divided.get(&condition).cloned()
        {
            let plan = plan.clone();
            return self.branch_by_lanes(condition, &turns, &plan, sides);
        }
        let condition = self.value(condition);
        let merges: Vec<MergeVariables> = needed().map(|merge| self.merge_variables(merge)).collect();
        let side = |emitter: &mut Self, taken: usize| {
            emitter.list(sides[taken]);
            merges.iter().for_each(|slot| emitter.write_merge(slot, program.merged(slot.merge)[taken]));
            None
        };
        self.branch(condition, |emitter| side(emitter, 0), |emitter| side(emitter, 1), None);
        merges.iter().for_each(|slot| self.read_merge(slot, slot.merge));
    }

    /// Lowers a branch that each lane takes on its own.
    fn branch_by_lanes(&mut self, condition: ValueId, turns: &Turns, plan: &Plan, sides: [&'l List; 2]) {
        let each = |emitter: &mut Self| {
            emitter.each_in_turn(|emitter| {
                let condition = emitter.value(condition);
                let side = |emitter: &mut Self, taken: usize| {
                    emitter.list(sides[taken]);
                    None
                };
                emitter.branch(condition, |emitter| side(emitter, 0), |emitter| side(emitter, 1), None);
            });
        };
        let Turns::UnlessInNone(test) = turns else { return each(self) };
        let none = self.scope(|emitter| emitter.holds(plan, test, false));
        let otherwise = |emitter: &mut Self| {
            each(emitter);
            None
        };
        self.branch(none, |_| None, otherwise, None);
    }

    /// Does something for one lane after the other, or once where there are none.
    fn each_in_turn(&mut self, mut once: impl FnMut(&mut Self)) {
        if self.lanes.is_none() || self.is_in_lane() {
            return once(self);
        }
        for lane in 0..self.width() {
            self.for_lane(lane, &mut once);
        }
    }

    fn is_in_lane(&self) -> bool {
        self.lanes.as_ref().is_some_and(|lanes| lanes.lane.is_some())
    }

    /// Lowers a loop of a thread, vectorised if that pays off.
    fn counted(&mut self, counted: &'l For, after: &'l [(Local, ValueId)]) {
        let [low, high] = counted.ends.map(|end| self.value(end));
        let atom = self.forms.id(Atom::Value(counted.iterator));
        if let Some(plan) = self.plan_for(counted, after) {
            let trips = constant_trips(self.program, counted);
            return self.counted_loop(&Loop { atom, low, high, trips, body: &counted.body }, Some(plan));
        }
        let program = self.program;
        let heads = counted.heads.iter().map(|(_, head)| *head).filter(|head| program.is_needed(*head));
        let merges: Vec<MergeVariables> = heads.map(|head| self.merge_variables(head)).collect();
        merges.iter().for_each(|slot| self.write_merge(slot, program.merged(slot.merge)[0]));
        self.nest.push(atom);
        let counter = self.counter(atom);
        self.count_while(counter, low, high, |emitter| {
            merges.iter().for_each(|slot| emitter.read_merge(slot, slot.merge));
            emitter.list(&counted.body);
            merges.iter().for_each(|slot| emitter.write_merge(slot, program.merged(slot.merge)[1]));
            let ending = merges.iter().find(|slot| counted.ending == Some(slot.merge) && slot.is_uniform)?;
            ending.variables.first().map(|variable| emitter.builder.use_var(*variable))
        });
        self.nest.pop();
        for (_, last) in after.iter().filter(|(_, last)| program.is_needed(*last)) {
            let head = program.merged(*last)[0];
            merges.iter().filter(|slot| slot.merge == head).for_each(|slot| self.read_merge(slot, *last));
        }
    }

    fn plan_for(&mut self, counted: &'l For, after: &[(Local, ValueId)]) -> Option<Plan> {
        if self.plain || self.lanes.is_some() { None } else { plan_loop(&mut self.forms, counted, after) }
    }

    /// Declares the machine variables of a merge.
    fn merge_variables(&mut self, merge: ValueId) -> MergeVariables {
        let element = self.program.element(merge);
        let is_uniform = self.is_uniform(merge);
        let (type_, count) = match is_uniform {
            true => (register_type(element), 1),
            false => (vector_type(element), self.vectors(element)),
        };
        let variables = (0..count).map(|_| self.builder.declare_var(type_)).collect();
        MergeVariables { merge, element, is_uniform, variables }
    }

    /// Writes the value of a path to a merge.
    fn write_merge(&mut self, slot: &MergeVariables, value: ValueId) {
        let values = match self.vector(value) {
            Pack::Uniform(value) if slot.is_uniform => vec![value],
            pack => self.spread(&pack, slot.element),
        };
        for (variable, value) in slot.variables.iter().zip(values) {
            self.builder.def_var(*variable, value);
        }
    }

    /// Reads a merge as this value.
    fn read_merge(&mut self, slot: &MergeVariables, merge: ValueId) {
        let mut values: Vec<_> = slot.variables.iter().map(|variable| self.builder.use_var(*variable)).collect();
        let pack = match values.pop() {
            Some(value) if slot.is_uniform => Pack::Uniform(value),
            last => {
                values.extend(last);
                Pack::Vectors(values)
            }
        };
        self.forms.known.add(merge, pack);
    }
}
