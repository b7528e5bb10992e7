//! Loops in C++.

use super::emitter::Emitter;
use super::range::Range;
use super::statements::{Block, type_name};
use super::text::{Level, Text};
use super::value::Value;
use super::visible::Declared;
use elements::ElementType;
use kernel::loops::{For, Jump, Node, StepKind, Stepped, ValueId};
use kernel::typed::BinaryOp;

/// The most iterations of loops within each other that are unrolled: each has a text of its own.
const MOST_UNROLLED: i128 = 1024;

/// What the header of a loop counts, and up to where.
struct Counter {
    /// The name of the variable in the source.
    source: String,
    /// Its value in an iteration.
    value: ValueId,
    first: Value,
    end: ValueId,
    /// `None`: 1.
    step: Option<ValueId>,
    range: Range,
    wide: bool,
}

impl Emitter<'_> {
    /// Writes a loop.
    pub fn for_loop(&mut self, counted: &For, body: Block<'_>) {
        if self.copy_vectors_async(counted, body) || self.vector_loop(counted, body) {
            return;
        }
        let counter = match self.stepped.get(&counted.id).copied() {
            Some(stepped) => self.counter_of_steps(stepped),
            None => self.counter(counted),
        };
        let Counter { source, value, first, end, step, range, wide } = counter;
        let end = self.in_header(end, counted, &format!("{source}_end"));
        let step = step.map(|step| self.in_header(step, counted, &format!("{source}_by")));
        let name = self.names.take(&source);
        let type_name = type_name(ElementType::I64, wide);
        let unrolled = self.begin_loop(counted);
        let mark = self.visible.enter();
        self.visible.add(value, Declared { name: name.clone(), range, wide, of: None });
        counted.heads.iter().for_each(|(local, value)| self.visible.hold(*local, *value));
        let tested = self.tested_in_header(counted, body);
        let tests: String = tested.into_iter().map(|tested| format!(" && {}", self.conjunct(tested))).collect();
        let next = step.map_or_else(|| format!("++{name}"), |step| format!("{name} += {}", step.code));
        let end = end.at_least(Level::Shift);
        self.line(&format!("for ({type_name} {name} = {}; {name} < {end}{tests}; {next}) {{", first.text.code));
        self.inner(body);
        self.line("}");
        self.unrolled = unrolled;
        self.visible.leave(mark).iter().for_each(|name| self.names.release(name));
    }

    /// The counter of a loop over the numbers between two values.
    fn counter(&mut self, counted: &For) -> Counter {
        let [low, high] = counted.ends;
        let (first, end) = (self.index(low), self.index(high));
        let range = Range::iterator(&first.range, &end.range);
        // The iterator reaches the upper bound, which therefore has to fit its type as well.
        let wide = first.wide || end.wide;
        let source = self.source_name(counted.local);
        Counter { source, value: counted.iterator, first, end: high, step: None, range, wide }
    }

    /// The counter of a loop with a step.
    fn counter_of_steps(&mut self, Stepped { local, value, first, end, step }: Stepped) -> Counter {
        let [first, last, by] = [first, end, step].map(|part| self.index(part));
        let range = Range::iterator(&first.range, &last.range);
        let next = Range::of_binary(BinaryOp::Add, &range, &by.range, &self.kernel.facts);
        let wide = first.wide || last.wide || by.wide || !self.fits_int(&next);
        if wide {
            // That 64 bits are enough is known of data, and tested at launch of sizes.
            self.fits_long(&next);
        }
        let first = Value { wide, ..first };
        Counter { source: self.source_name(local), value, first, end, step: Some(step), range, wide }
    }

    /// The number of an iteration of a loop that counts by steps, whose text has no name for it.
    pub fn number_of_iteration(&mut self, value: ValueId) -> Option<Value> {
        let Some(Node::Iterator(counted)) = self.loops.values.node(value) else { return None };
        let Stepped { value, first, step, .. } = *self.stepped.get(counted)?;
        let (counter, first, step) = (self.index(value), self.index(first), self.index(step));
        let facts = &self.kernel.facts;
        let wide = counter.wide || first.wide || step.wide;
        let distance = Range::of_binary(BinaryOp::Subtract, &counter.range, &first.range, facts);
        let range = Range::of_binary(BinaryOp::FloorDivide, &distance, &step.range, facts);
        let distance = Text::infix("-", Level::Sum, &counter.text, &first.text);
        Some(Value { text: Text::infix("/", Level::Product, &distance, &step.text), range, wide })
    }

    /// A value in the header of a loop. It is evaluated once in the source, but in each iteration there, so what may change has
    /// a name.
    fn in_header(&mut self, value: ValueId, counted: &For, name: &str) -> Text {
        let computed = self.index(value);
        if self.is_stable(value, counted) {
            return computed.text;
        }
        let name = self.names.take(name);
        self.line(&format!("const {} {name} = {};", type_name(ElementType::I64, computed.wide), computed.text.code));
        Text::primary(name)
    }

    /// What the header of a loop tests besides its end. The `if`s in the body that test the same have no text.
    fn tested_in_header(&mut self, counted: &For, body: Block<'_>) -> Vec<ValueId> {
        let mut tested = Vec::new();
        let Some((ending, last)) = counted.ending.zip(body.list.steps.last()) else { return tested };
        if !self.jumps.untested.contains(&counted.id) {
            tested.push(ending);
            self.tested.insert(last.number);
        }
        // The condition of a `while`, with which an iteration begins.
        if let [own] = body.list.steps.as_slice()
            && let StepKind::Branch { then, .. } = &own.kind
            && let Some((step, before)) = then.steps.split_last()
            && let StepKind::Branch { condition, otherwise, .. } = &step.kind
            && let [leaving] = otherwise.steps.as_slice()
            && self.jumps.after.get(&leaving.number) == Some(&Jump::Break)
            && self.assigns_nothing(leaving)
            && before.iter().all(|step| self.does_nothing(step))
            && ![own, step].into_iter().chain(before).any(|step| self.common.before.contains_key(&step.number))
        {
            tested.push(*condition);
            self.tested.insert(step.number);
        }
        tested
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
}
