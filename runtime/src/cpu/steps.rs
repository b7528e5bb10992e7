//! Lowers the steps of a program, for one iteration at a time or for several at once.

use cranelift_frontend::Variable;
use elements::ElementType;
use kernel::loops::{For, List, Step, StepKind, ValueId};
use kernel::typed::Local;

use super::emitter::{Emitter, register_type};
use super::estimate::constant_trips;
use super::forms::Atom;
use super::lanes::{Pack, vector_type};
use super::plan::{Plan, plan_loop};
use super::region::Loop;

/// Where what several paths bring is kept: one register, or one vector for some lanes each.
struct Meeting {
    /// What it is where the paths meet.
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
                    self.vector(*value);
                }
            }
            StepKind::For(counted) => self.counted(counted, &step.after),
            StepKind::Branch { condition, then, otherwise } => {
                self.choose(*condition, [then, otherwise], &step.after);
            }
            StepKind::Store { access, value } => {
                if self.lanes.is_some() {
                    self.vector_store(*access, *value)
                } else {
                    self.store(*access, *value)
                }
            }
            // Barriers are where the program was cut.
            StepKind::Collective { .. } | StepKind::Barrier { .. } => {}
        }
    }

    /// A branch, unless the guards around have seen to it that all lanes take one side.
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
        let condition = self.value(condition);
        let meetings: Vec<Meeting> = needed().map(|merge| self.meeting(merge)).collect();
        let side = |emitter: &mut Self, taken: usize| {
            emitter.list(sides[taken]);
            meetings.iter().for_each(|meeting| emitter.bring(meeting, program.merged(meeting.merge)[taken]));
            None
        };
        self.branch(condition, |emitter| side(emitter, 0), |emitter| side(emitter, 1), None);
        meetings.iter().for_each(|meeting| self.meet(meeting, meeting.merge));
    }

    /// A loop of a thread, in lanes where that pays.
    fn counted(&mut self, counted: &'l For, after: &'l [(Local, ValueId)]) {
        let [low, high] = counted.ends.map(|end| self.value(end));
        let atom = self.forms.id(Atom::Value(counted.iterator));
        if let Some(plan) = self.plan_for(counted, after) {
            let trips = constant_trips(self.program, counted);
            return self.region(&Loop { atom, low, high, trips, body: &counted.body }, Some(plan));
        }
        let program = self.program;
        let heads = counted.heads.iter().map(|(_, head)| *head).filter(|head| program.is_needed(*head));
        let meetings: Vec<Meeting> = heads.map(|head| self.meeting(head)).collect();
        meetings.iter().for_each(|meeting| self.bring(meeting, program.merged(meeting.merge)[0]));
        self.nest.push(atom);
        let counter = self.counter(atom);
        self.count(counter, low, high, |emitter| {
            meetings.iter().for_each(|meeting| emitter.meet(meeting, meeting.merge));
            emitter.list(&counted.body);
            meetings.iter().for_each(|meeting| emitter.bring(meeting, program.merged(meeting.merge)[1]));
        });
        self.nest.pop();
        for (_, last) in after.iter().filter(|(_, last)| program.is_needed(*last)) {
            let head = program.merged(*last)[0];
            meetings.iter().filter(|meeting| meeting.merge == head).for_each(|meeting| self.meet(meeting, *last));
        }
    }

    fn plan_for(&mut self, counted: &'l For, after: &[(Local, ValueId)]) -> Option<Plan> {
        if self.plain || self.lanes.is_some() { None } else { plan_loop(&mut self.forms, counted, after) }
    }

    /// A place for what several paths bring.
    fn meeting(&mut self, merge: ValueId) -> Meeting {
        let element = self.program.element(merge);
        let is_uniform = self.is_uniform(merge);
        let (type_, count) = match is_uniform {
            true => (register_type(element), 1),
            false => (vector_type(element), self.vectors(element)),
        };
        let variables = (0..count).map(|_| self.builder.declare_var(type_)).collect();
        Meeting { merge, element, is_uniform, variables }
    }

    /// Brings a value to where paths meet.
    fn bring(&mut self, meeting: &Meeting, value: ValueId) {
        let values = match self.vector(value) {
            Pack::Uniform(value) if meeting.is_uniform => vec![value],
            pack => self.spread(&pack, meeting.element),
        };
        for (variable, value) in meeting.variables.iter().zip(values) {
            self.builder.def_var(*variable, value);
        }
    }

    /// Takes what the paths have brought as this value.
    fn meet(&mut self, meeting: &Meeting, merge: ValueId) {
        let mut values: Vec<_> = meeting.variables.iter().map(|variable| self.builder.use_var(*variable)).collect();
        let pack = match values.pop() {
            Some(value) if meeting.is_uniform => Pack::Uniform(value),
            last => {
                values.extend(last);
                Pack::Vectors(values)
            }
        };
        self.forms.known.add(merge, pack);
    }
}
