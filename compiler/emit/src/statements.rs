//! Statements in C++.

use std::collections::BTreeSet;

use super::emitter::Emitter;
use super::integers::whole;
use super::range::Range;
use super::reads::Name;
use super::text::{Level, Text};
use super::types;
use super::value::Value;
use super::variables::{Declarations, Uses};
use super::visible::Declared;
use elements::ElementType;
use kernel::loops::{Access, Common, For, List, Node, Role, Step, StepKind, ValueId};
use kernel::typed::Constant;
use kernel::typed::{Local, LocalVariable};

/// A list of steps with the uses of variables in its statements, which show where variables have to be declared.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub list: &'a List,
    pub uses: &'a Uses,
    /// The variables that the block declares.
    pub variables: &'a BTreeSet<Local>,
}

/// The most iterations of loops within each other that are unrolled: each has a text of its own.
const MOST_UNROLLED: i128 = 1024;

/// Variables with the values that they hold.
type Held = Vec<(Local, ValueId)>;

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

    fn list(&mut self, block: Block<'_>) {
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
                self.step(step, inner, declarations.at.contains(&position));
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

    /// Whether a step only assigns names that the text leaves out.
    fn does_nothing(&self, step: &Step) -> bool {
        match &step.kind {
            StepKind::Assign { local, .. } => {
                let mut names = local.map(Name::Variable).into_iter().chain([Name::Constant(step.number)]);
                self.common.unused.contains(&step.number) || names.any(|name| self.reads.leaves_out(name))
            }
            StepKind::For(_) | StepKind::Branch { .. } | StepKind::Collective { .. } => {
                step.kind.lists().all(|list| list.steps.iter().all(|step| self.does_nothing(step)))
            }
            StepKind::Shuffle(_) => self.reads.leaves_out(Name::Constant(step.number)),
            StepKind::Store { .. } | StepKind::Atomic(_) | StepKind::Barrier { .. } | StepKind::Copies(_) => false,
        }
    }

    /// Writes a step; `inner` has the uses of variables in its nested lists and the variables that these declare.
    fn step(&mut self, step: &Step, inner: [(&Uses, &BTreeSet<Local>); 2], declares: bool) {
        let [(first, of_first), (second, of_second)] = inner;
        match &step.kind {
            StepKind::Assign { local: Some(local), value } => self.assign(step, (*local, *value), declares),
            // The value is computed where it is used.
            StepKind::Assign { local: None, .. } => {}
            StepKind::For(counted) => {
                let body = Block { list: &counted.body, uses: first, variables: of_first };
                self.for_loop(counted, body);
                self.hold(&step.after);
            }
            StepKind::Branch { then, .. } if self.tested == Some(step.number) => {
                self.list(Block { list: then, uses: first, variables: of_first });
                self.hold(&step.after);
            }
            StepKind::Branch { condition, then, otherwise } => {
                let condition = self.value(*condition).text.code;
                self.line(&format!("if ({condition}) {{"));
                let then = Block { list: then, uses: first, variables: of_first };
                let otherwise = Block { list: otherwise, uses: second, variables: of_second };
                self.sides(then, otherwise, &step.after);
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
    fn hold(&mut self, held: &Held) {
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
        usize::try_from(local.0).ok().and_then(|index| self.kernel.locals.get(index))
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

    /// Declares a variable that is assigned in an inner block.
    fn declare_empty(&mut self, local: Local) {
        let Some(element) = self.declared(local).map(|declared| declared.element) else {
            return;
        };
        self.reads.begin(Name::Variable(local));
        let zero = self.zero(element).text.code;
        self.reads.end();
        let name = self.name(local);
        self.line(&format!("{} {name} = {zero};", types::name(element)));
        let zero = self.loops.values.made(Node::Constant(Constant::zero(element)), element);
        self.visible.declare(local, any_value(name, element, Name::Variable(local)), zero);
    }

    /// Declares a common subexpression of indices, unless the text leaves out its name.
    pub fn name_common(&mut self, Common { value, is_index, role }: Common, of: Option<Name>) {
        of.into_iter().for_each(|of| self.reads.begin(of));
        let computed = if is_index { self.index(value) } else { self.value(value) };
        self.reads.end();
        let name = self.names.take(match role {
            Role::Extent => "extent",
            Role::Index => "index",
            Role::Linear => "linear",
            Role::Part => "part",
        });
        let type_name = type_name(ElementType::I64, computed.wide);
        self.line(&format!("const {type_name} {name} = {};", computed.text.code));
        self.visible.add(value, Declared { name, range: computed.range, wide: computed.wide, of });
    }

    fn assign(&mut self, step: &Step, (local, value): (Local, ValueId), declares: bool) {
        let element = self.loops.values.element(value);
        let is_variable = self.declared(local).is_some_and(|local| local.mutable);
        let of = if is_variable { Name::Variable(local) } else { Name::Constant(step.number) };
        self.reads.begin(of);
        let computed = self.id(value).unwrap_or_else(|| self.value(value));
        self.reads.end();
        self.use_type(element);
        if is_variable && !declares {
            let name = self.visible.variable(local).map(|declared| declared.name.clone()).unwrap_or_default();
            self.line(&format!("{name} = {};", computed.text.code));
            return self.visible.hold(local, value);
        }
        let name = self.name(local);
        let declared = match self.variables.is_constant(local) {
            true => Declared { name: name.clone(), range: computed.range.clone(), wide: computed.wide, of: Some(of) },
            false => any_value(name.clone(), element, of),
        };
        let type_name = type_name(element, declared.wide);
        let qualifier = if self.variables.is_constant(local) { "const " } else { "" };
        self.line(&format!("{qualifier}{type_name} {name} = {};", computed.text.code));
        match is_variable {
            true => self.visible.declare(local, declared, value),
            false => self.visible.add(value, declared),
        }
    }

    /// The text of a CUDA id, if the value is one. Naming the value declares no further variable.
    fn id(&mut self, value: ValueId) -> Option<Value> {
        let (of_block, of_thread) = (self.uses_block, self.uses_thread);
        let (source, is_declared) = match self.loops.values.node(value) {
            Some(Node::Block) => ("blockIdx.x", of_block),
            Some(Node::Thread) => ("threadIdx.x", of_thread),
            _ => return None,
        };
        let computed = self.value(value);
        (self.uses_block, self.uses_thread) = (of_block, of_thread);
        (!is_declared).then(|| Value { text: Text::primary(source), ..computed })
    }

    fn for_loop(&mut self, counted: &For, body: Block<'_>) {
        if self.copy_vectors_async(counted, body) || self.vector_loop(counted, body) {
            return;
        }
        let [low, high] = counted.ends;
        let (first, end) = (self.index(low), self.index(high));
        let range = Range::iterator(&first.range, &end.range);
        // The iterator reaches the upper bound, which therefore has to fit its type as well.
        let wide = first.wide || end.wide;
        let source = self.source_name(counted.local);
        // The bound is evaluated once in the source, but the loop's condition is evaluated in each iteration.
        let end = if self.is_stable(high, counted) {
            end.text.at_least(Level::Shift).into_owned()
        } else {
            let name = self.names.take(&format!("{source}_end"));
            self.line(&format!("const {} {name} = {};", type_name(ElementType::I64, end.wide), end.text.code));
            name
        };
        let name = self.names.take(&source);
        let type_name = type_name(ElementType::I64, wide);
        let unrolled = self.begin_loop(counted);
        let mark = self.visible.enter();
        self.visible.add(counted.iterator, Declared { name: name.clone(), range, wide, of: None });
        self.hold(&counted.heads);
        let goes_on = counted.ending.map_or_else(String::new, |ending| {
            format!(" && {}", self.value(ending).text.at_least(Level::And).into_owned())
        });
        self.line(&format!("for ({type_name} {name} = {}; {name} < {end}{goes_on}; ++{name}) {{", first.text.code));
        self.tested = counted.ending.and_then(|_| Some(body.list.steps.last()?.number));
        self.inner(body);
        self.line("}");
        self.unrolled = unrolled;
        self.visible.leave(mark).iter().for_each(|name| self.names.release(name));
    }

    /// Says whether the loop that comes next has to be unrolled; returns [`Emitter::unrolled`] of the statements around
    /// it, which ends with the loop. Another one within an unrolled loop stays a loop: its text is there for each iteration of
    /// that one already, and what all of them load would be alive at once.
    pub fn begin_loop(&mut self, counted: &For) -> i128 {
        let before = self.unrolled;
        match self.iterations_of_registers(counted).map(|trips| before.saturating_mul(trips.max(1))) {
            Some(unrolled) if unrolled <= MOST_UNROLLED => {
                self.line("#pragma unroll");
                self.unrolled = unrolled.max(2);
            }
            _ if before > 1 => self.line("#pragma unroll 1"),
            _ => {}
        }
        before
    }

    /// How many iterations a loop has whose iterations are elements of an array that each thread holds: only constants number
    /// registers.
    fn iterations_of_registers(&self, counted: &For) -> Option<i128> {
        let (least, most) = counted.iterations;
        let most = most.filter(|most| *most == least)?;
        let mut accesses = self.loops.accesses.iter();
        let moves = |offset| self.loops.values.get(offset).is_some_and(|value| value.loops.contains(&counted.id));
        accesses.any(|access| self.kernel.is_held_by_thread(access.memory) && moves(access.offset)).then_some(most)
    }

    /// Whether the text of a value has the same result throughout a loop.
    fn is_stable(&self, id: ValueId, counted: &For) -> bool {
        if let Some(local) = self.visible.holder(id) {
            return !counted.heads.iter().any(|(assigned, _)| *assigned == local);
        }
        let is_constant = self.visible.get(id).is_some();
        is_constant
            || self.loops.values.node(id).is_some_and(|node| {
                !matches!(node, Node::Load(_) | Node::Merge(_) | Node::Shuffled(_))
                    && node.operands().into_iter().all(|operand| self.is_stable(operand, counted))
            })
    }

    /// Writes an indented block.
    pub fn inner(&mut self, block: Block<'_>) {
        self.depth += 1;
        self.list(block);
        self.depth -= 1;
    }

    /// Writes both branches of a condition, up to the last brace.
    fn sides(&mut self, then: Block<'_>, otherwise: Block<'_>, after: &Held) {
        let before: Held = after.iter().filter_map(|(local, _)| Some((*local, self.visible.held(*local)?))).collect();
        self.inner(then);
        self.hold(&before);
        self.otherwise(otherwise);
        self.hold(after);
    }

    fn otherwise(&mut self, block: Block<'_>) {
        let declarations = Declarations::place(block.uses, block.variables);
        match block.list.steps.as_slice() {
            steps if steps.iter().all(|step| self.does_nothing(step)) => self.line("}"),
            [step] if declarations.before.is_empty() && !self.common.before.contains_key(&step.number) => {
                let StepKind::Branch { condition, then, otherwise } = &step.kind else {
                    return self.last_side(block);
                };
                let none = BTreeSet::new();
                let inside = |block: usize| declarations.inside.get(&(0, block)).unwrap_or(&none);
                let [first, second] = [0, 1].map(|list| block.uses.inside(0, list));
                let condition = self.value(*condition).text.code;
                self.line(&format!("}} else if ({condition}) {{"));
                let then = Block { list: then, uses: first, variables: inside(0) };
                let otherwise = Block { list: otherwise, uses: second, variables: inside(1) };
                self.sides(then, otherwise, &step.after);
            }
            _ => self.last_side(block),
        }
    }

    fn last_side(&mut self, block: Block<'_>) {
        self.line("} else {");
        self.inner(block);
        self.line("}");
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
        let value = self.value(value).text.code;
        let store = format!("{} = {value};", place.code);
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
