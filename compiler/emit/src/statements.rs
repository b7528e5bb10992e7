//! Statements in C++.

use std::collections::BTreeSet;

use super::emitter::Emitter;
use super::integers::whole;
use super::range::Range;
use super::reads::Name;
use super::text::Text;
use super::types;
use super::variables::{Declarations, Uses};
use super::visible::Declared;
use elements::ElementType;
use kernel::assumed::Assumed;
use kernel::loops::{Access, Common, Jump, List, Node, Role, Step, StepKind, ValueId};
use kernel::typed::{BinaryOp, Constant, IteratorRange, Local, LocalVariable};

/// A list of steps with the uses of variables in its statements, which show where variables have to be declared.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub list: &'a List,
    pub uses: &'a Uses,
    /// The variables that the block declares.
    pub variables: &'a BTreeSet<Local>,
}

/// The operators that an assignment can have.
const COMPOUND: [&str; 10] = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];

/// Variables with the values that they hold.
pub(super) type Held = Vec<(Local, ValueId)>;

impl Emitter<'_> {
    /// Writes the kernel's body.
    pub fn write_body(&mut self) {
        let kernel = self.kernel;
        let uses = Uses::new(&kernel.body);
        let is_declared = |local: &Local| {
            let is_mutable = self.declared(*local).is_some_and(|local| local.mutable);
            is_mutable && !self.reads.leaves_out(Name::Variable(*local))
        };
        let variables = uses.variables().filter(is_declared).collect();
        let list = List { scope: self.loops.body.scope, steps: std::mem::take(&mut self.loops.body.steps) };
        self.list(Block { list: &list, uses: &uses, variables: &variables });
    }

    /// Writes one line.
    pub fn line(&mut self, line: &str) {
        for _ in 0..self.depth {
            self.body.push_str("    ");
        }
        self.body.push_str(line);
        self.body.push('\n');
    }

    /// Writes the steps of a list.
    pub fn list(&mut self, block: Block<'_>) {
        let declarations = Declarations::place(block.uses, block.variables);
        let none = BTreeSet::new();
        let mark = self.visible.enter();
        let mut masked: Option<ValueId> = None;
        for (position, step) in block.list.steps.iter().enumerate() {
            (self.poll)();
            let before = declarations.before.get(&position);
            let common = self.common.before.get(&step.number).cloned().unwrap_or_default();
            // Adjacent stores under the same condition share an `if`.
            let mask = self.shared_mask(step);
            // A store may change a condition that reads a tensor.
            let is_fixed = mask.is_some_and(|mask| !self.loops.values.reads_memory(mask));
            let goes_on = is_fixed && mask == masked && before.is_none() && common.is_empty();
            if masked.is_some() && !goes_on {
                self.close();
            }
            for local in before.into_iter().flatten() {
                self.declare_empty(*local);
            }
            for common in common {
                let name = Name::Common(step.number, common.value);
                if !self.reads.leaves_out(name) {
                    self.name_common(common, Some(name));
                }
            }
            if let Some(mask) = mask.filter(|_| !goes_on) {
                self.open(mask);
            }
            masked = mask;
            let inner = [0, 1].map(|list| {
                (block.uses.inside(position, list), declarations.inside.get(&(position, list)).unwrap_or(&none))
            });
            if !self.does_nothing(step) {
                let is_last = position + 1 == block.list.steps.len();
                self.step(step, inner, (declarations.at.contains(&position), is_last));
            }
        }
        if masked.is_some() {
            self.close();
        }
        self.visible.leave(mark).iter().for_each(|name| self.names.release(name));
        for name in block.variables.iter().filter_map(|local| self.visible.forget(*local)).collect::<Vec<_>>() {
            self.names.release(&name);
        }
    }

    /// Whether a step has no text.
    pub fn does_nothing(&self, step: &Step) -> bool {
        match &step.kind {
            StepKind::Assign { .. } => self.assigns_nothing(step) && !self.jumps.after.contains_key(&step.number),
            StepKind::For(_) | StepKind::Branch { .. } | StepKind::Collective { .. } => {
                step.kind.lists().all(|list| list.steps.iter().all(|step| self.does_nothing(step)))
            }
            StepKind::Shuffle(_) => self.reads.leaves_out(Name::Constant(step.number)),
            StepKind::Store { .. } | StepKind::Atomic(_) | StepKind::Barrier { .. } | StepKind::Copies(_) => false,
        }
    }

    /// Whether a step is an assignment to a name that the text leaves out.
    pub fn assigns_nothing(&self, step: &Step) -> bool {
        let StepKind::Assign { local, .. } = &step.kind else { return false };
        if local.is_some_and(|local| self.block.constants.contains(&local) || self.thread.constants.contains(&local)) {
            return true;
        }
        let mut names = local.map(Name::Variable).into_iter().chain([Name::Constant(step.number)]);
        self.common.unused.contains(&step.number) || names.any(|name| self.reads.leaves_out(name))
    }

    /// Writes a step; `inner` has the uses of variables in its nested lists and the variables that these declare.
    fn step(&mut self, step: &Step, inner: [(&Uses, &BTreeSet<Local>); 2], (declares, is_last): (bool, bool)) {
        let [(first, of_first), (second, of_second)] = inner;
        match &step.kind {
            StepKind::Assign { local: Some(local), value } => {
                if !self.assigns_nothing(step) {
                    self.assign(step, *local, *value, declares);
                }
                match self.jumps.after.get(&step.number) {
                    Some(Jump::Break) => self.line("break;"),
                    Some(Jump::Continue) => self.line("continue;"),
                    None => {}
                }
            }
            // The value is computed where it is used.
            StepKind::Assign { local: None, .. } => {}
            StepKind::For(counted) => {
                let body = Block { list: &counted.body, uses: first, variables: of_first };
                self.for_loop(counted, body);
                self.hold(&step.after);
            }
            StepKind::Branch { then, .. } if self.tested.contains(&step.number) => {
                self.list(Block { list: then, uses: first, variables: of_first });
                self.hold(&step.after);
            }
            StepKind::Branch { condition, then, otherwise } => {
                let then = Block { list: then, uses: first, variables: of_first };
                let otherwise = Block { list: otherwise, uses: second, variables: of_second };
                self.branch(*condition, [then, otherwise], &step.after, is_last);
            }
            StepKind::Collective { condition, body } => {
                let condition = self.value(*condition).text.code;
                self.line(&format!("if ({condition}) {{"));
                self.inner(Block { list: body, uses: first, variables: of_first });
                self.line("}");
                self.hold(&step.after);
            }
            StepKind::Store { access, value } => {
                if let Some(stored) = self.loops.access(*access).cloned()
                    && !self.copy_async(&stored, *value)
                {
                    self.store(&stored, self.arrays.element(*access), *value);
                }
            }
            StepKind::Atomic(atomic) => self.atomic(step, atomic),
            StepKind::Shuffle(shuffle) => self.shuffle(step, shuffle),
            StepKind::Barrier { barrier, number } => self.barrier(barrier, *number),
            StepKind::Copies(order) => self.order_copies(*order),
        }
    }

    /// Records the values of variables where paths have joined.
    pub fn hold(&mut self, held: &Held) {
        held.iter().for_each(|(local, value)| self.visible.hold(*local, *value));
    }

    /// Opens an `if`.
    fn open(&mut self, mask: ValueId) {
        let condition = self.index(mask).text.code;
        self.line(&format!("if ({condition}) {{"));
        self.depth += 1;
    }

    pub fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn declared(&self, local: Local) -> Option<&LocalVariable> {
        self.kernel.locals.get(local)
    }

    /// Adds a unique name for a variable to the scope.
    fn name(&mut self, local: Local) -> String {
        let source = self.source_name(local);
        self.names.take(&source)
    }

    /// The name of a variable in the source.
    pub fn source_name(&self, local: Local) -> String {
        self.declared(local).map(|declared| declared.name.to_string()).unwrap_or_default()
    }

    /// A variable that is assigned again, with a name of its own. Where the range of all that it is given is known, an `int` may
    /// hold it.
    fn variable(&mut self, local: Local, element: ElementType, of: Name) -> Declared {
        let name = self.name(local);
        let known = self.declared(local).and_then(|local| local.range.clone()).filter(|_| element == ElementType::I64);
        let range = known.map(|IteratorRange { low, extent }| {
            let facts = &self.kernel.facts;
            let (first, count) = (Range::size(&low, facts), Range::size(&extent, facts));
            let end = Range::of_binary(BinaryOp::Add, &first, &count, facts);
            Range::iterator(&first, &end)
        });
        match range {
            Some(range) if self.fits_int(&range) => {
                Declared { name, range: Range { assumed: Assumed::default(), ..range }, wide: false, of: Some(of) }
            }
            _ => any_value(name, element, of),
        }
    }

    /// Declares a variable that is assigned in an inner block.
    fn declare_empty(&mut self, local: Local) {
        let Some(element) = self.declared(local).map(|declared| declared.element) else {
            return;
        };
        self.reads.begin(Name::Variable(local));
        let zero = self.zero(element).text.code;
        self.reads.end();
        let declared = self.variable(local, element, Name::Variable(local));
        self.line(&format!("{} {} = {zero};", type_name(element, declared.wide), declared.name));
        let zero = self.loops.values.made(Node::Constant(Constant::zero(element)), element);
        self.visible.declare(local, declared, zero);
    }

    /// Declares a common subexpression of indices, unless the text leaves out its name.
    pub fn name_common(&mut self, Common { value, is_index, role, local }: Common, of: Option<Name>) {
        of.into_iter().for_each(|of| self.reads.begin(of));
        let computed = if is_index { self.index(value) } else { self.value(value) };
        self.reads.end();
        let name = match (local, role) {
            (Some(local), _) => self.name(local),
            (None, Role::Extent) => self.names.take("extent"),
            (None, Role::Index) => self.names.take("index"),
            (None, Role::Linear) => self.names.take("linear"),
            (None, Role::Part) => self.names.take("part"),
        };
        let type_name = type_name(ElementType::I64, computed.wide);
        self.line(&format!("const {type_name} {name} = {};", computed.text.code));
        self.visible.add(value, Declared { name, range: computed.range, wide: computed.wide, of });
    }

    fn assign(&mut self, step: &Step, local: Local, value: ValueId, declares: bool) {
        let element = self.loops.values.element(value);
        let is_variable = self.declared(local).is_some_and(|local| local.mutable);
        let of = if is_variable { Name::Variable(local) } else { Name::Constant(step.number) };
        self.reads.begin(of);
        let computed = self.value(value);
        if is_variable && !declares {
            let name = self.visible.variable(local).map(|declared| declared.name.clone()).unwrap_or_default();
            let assignment = self.assignment(&Text::primary(name), value, &computed.text);
            self.reads.end();
            self.line(&assignment);
            return self.visible.hold(local, value);
        }
        self.reads.end();
        self.use_type(element);
        let declared = match self.variables.is_constant(local) {
            true => {
                Declared { name: self.name(local), range: computed.range.clone(), wide: computed.wide, of: Some(of) }
            }
            false => self.variable(local, element, of),
        };
        let name = &declared.name;
        let type_name = type_name(element, declared.wide);
        let qualifier = if self.variables.is_constant(local) { "const " } else { "" };
        self.line(&format!("{qualifier}{type_name} {name} = {};", computed.text.code));
        match is_variable {
            true => self.visible.declare(local, declared, value),
            false => self.visible.add(value, declared),
        }
    }

    /// `target = value`, or `target += operand` and the like where the value is an operator's with the target on its left.
    fn assignment(&mut self, target: &Text, value: ValueId, computed: &Text) -> String {
        let of_target = computed.code.strip_prefix(&target.code).and_then(|rest| rest.strip_prefix(' '));
        let operator = of_target.and_then(|rest| rest.split(' ').next()).filter(|operator| COMPOUND.contains(operator));
        if let Some(operator) = operator
            && let Some(Node::Binary(_, _, right)) = self.loops.values.node(value)
        {
            let right = self.value(*right).text;
            if Text::infix(operator, computed.level, target, &right) == *computed {
                return format!("{} {operator}= {};", target.code, right.code);
            }
        }
        format!("{} = {};", target.code, computed.code)
    }

    /// Writes an indented block.
    pub fn inner(&mut self, block: Block<'_>) {
        self.depth += 1;
        self.list(block);
        self.depth -= 1;
    }

    /// The condition of a store, unless it is unconditional.
    fn shared_mask(&self, step: &Step) -> Option<ValueId> {
        let StepKind::Store { access, .. } = &step.kind else {
            return None;
        };
        self.loops.access(*access)?.tested.filter(|_| self.arrays.needs_mask(*access))
    }

    fn store(&mut self, access: &Access, array: Option<Text>, value: ValueId) {
        let (place, guard) = match array {
            Some(place) => (place, None),
            None => self.place(access),
        };
        let computed = self.value(value).text;
        let store = self.assignment(&place, value, &computed);
        match guard {
            None => self.line(&store),
            Some(guard) => {
                self.line(&format!("if ({}) {{", guard.code));
                self.depth += 1;
                self.line(&store);
                self.close();
            }
        }
    }
}

/// The C++ type of a variable.
pub(super) fn type_name(element: ElementType, wide: bool) -> &'static str {
    if element == ElementType::I64 && !wide { "int" } else { types::name(element) }
}

/// A variable of which only the type is known.
pub(super) fn any_value(name: String, element: ElementType, of: Name) -> Declared {
    let is_integer = element.is_integer();
    Declared {
        name,
        range: if is_integer { whole(element) } else { Range::default() },
        wide: element == ElementType::I64,
        of: Some(of),
    }
}
