//! Conditions in C++, with what they choose between.

use std::collections::BTreeSet;

use super::emitter::Emitter;
use super::statements::{Block, Held};
use super::text::{Level, Text};
use super::variables::Declarations;
use kernel::loops::{Node, StepKind, ValueId};
use kernel::typed::UnaryOp;

impl Emitter<'_> {
    /// Writes an `if`. Where it is the last step of its list, what a jump leaves out needs no `else`.
    pub fn branch(&mut self, condition: ValueId, sides: [Block<'_>; 2], after: &Held, is_last: bool) {
        let [then, otherwise] = sides;
        let Some(tests) = self.tests(condition) else {
            return self.always(then, after, is_last);
        };
        let is_shorter = is_last && self.leaves(otherwise) && !self.leaves(then);
        let holds = !is_shorter && (!self.has_no_text(then) || self.has_no_text(otherwise));
        let [first, second] = if holds { [then, otherwise] } else { [otherwise, then] };
        let test = self.test(&tests, holds).code;
        self.line(&format!("if ({test}) {{"));
        let before = self.visible.all_held();
        self.inner(first);
        self.hold(&before);
        if is_last && self.leaves(first) {
            self.line("}");
            self.list(second);
        } else {
            self.otherwise(second);
        }
        self.hold(after);
    }

    /// Writes what stands under a condition that holds wherever it is reached.
    fn always(&mut self, then: Block<'_>, after: &Held, is_last: bool) {
        if is_last {
            self.list(then);
        } else {
            self.line("{");
            self.inner(then);
            self.line("}");
        }
        self.hold(after);
    }

    /// Writes the other side of an `if`, from the brace that ends the first one on.
    fn otherwise(&mut self, block: Block<'_>) {
        if self.has_no_text(block) {
            return self.line("}");
        }
        let declarations = Declarations::place(block.uses, block.variables);
        if let [step] = block.list.steps.as_slice()
            && let StepKind::Branch { condition, then, otherwise } = &step.kind
            && declarations.before.is_empty()
            && !self.common.before.contains_key(&step.number)
            && let Some(tests) = self.tests(*condition)
        {
            let none = BTreeSet::new();
            let inside = |block: usize| declarations.inside.get(&(0, block)).unwrap_or(&none);
            let [first, second] = [0, 1].map(|list| block.uses.inside(0, list));
            let test = self.test(&tests, true).code;
            self.line(&format!("}} else if ({test}) {{"));
            let before = self.visible.all_held();
            self.inner(Block { list: then, uses: first, variables: inside(0) });
            self.hold(&before);
            self.otherwise(Block { list: otherwise, uses: second, variables: inside(1) });
            return self.hold(&step.after);
        }
        self.line("} else {");
        self.inner(block);
        self.line("}");
    }

    fn has_no_text(&self, block: Block<'_>) -> bool {
        block.list.steps.iter().all(|step| self.does_nothing(step))
    }

    /// Whether the text of a block ends with a jump.
    fn leaves(&self, block: Block<'_>) -> bool {
        block.list.steps.last().is_some_and(|last| self.jumps.after.contains_key(&last.number))
    }

    /// The parts of a condition that have to be tested; `None` if there are none.
    fn tests(&self, condition: ValueId) -> Option<Vec<ValueId>> {
        let all = self.loops.values.conjuncts(condition);
        let open: Vec<ValueId> = all.iter().copied().filter(|part| !self.jumps.holding.contains(part)).collect();
        match open.len() {
            0 => None,
            some if some == all.len() => Some(vec![condition]),
            _ => Some(open),
        }
    }

    /// Whether all of these conditions hold, or not.
    fn test(&mut self, conditions: &[ValueId], hold: bool) -> Text {
        if let [condition] = conditions {
            return if hold { self.value(*condition).text } else { self.negation(*condition, false) };
        }
        let parts: Vec<String> = conditions.iter().map(|condition| self.conjunct(*condition)).collect();
        let all = Text { code: parts.join(" && "), level: Level::And };
        if hold { all } else { Text::not(&all) }
    }

    /// A condition as an operand of `&&`.
    pub fn conjunct(&mut self, condition: ValueId) -> String {
        self.value(condition).text.at_least(Level::And).into_owned()
    }

    /// Whether a condition does not hold. A comparison of floats with a NaN is false, so only those of integers are turned.
    pub fn negation(&mut self, condition: ValueId, is_index: bool) -> Text {
        let turned = match self.loops.values.node(condition) {
            Some(Node::Unary(UnaryOp::Not, inner)) => return self.expression(*inner, is_index).text,
            Some(Node::Binary(op, left, right)) if !self.loops.values.element(*left).is_float() => {
                op.negated().map(|op| (op, *left, *right))
            }
            _ => None,
        };
        match turned.filter(|_| self.visible.get(condition).is_none()) {
            Some((op, left, right)) => self.operator(op, left, right, is_index).text,
            None => Text::not(&self.expression(condition, is_index).text),
        }
    }
}
