//! The quasi-affine forms of integers: operations on forms, where the result is shown not to overflow its type.

use super::node::{Node, ValueId};
use super::ranges::is_exact;
use super::values::Values;
use crate::assumed::Assumed;
use crate::quasi_affine::{Number, Operand, Terms};
use crate::typed::{Constant, UnaryOp};
use dims::Sym;
use elements::ElementType;
use maps::Affine;

/// A form with more terms is treated as an opaque value.
const MOST_TERMS: usize = 16;

/// Divisions, remainders and exclusive ors nested more deeply are treated as opaque values.
const MOST_DEPTH: u32 = 8;

impl Number for ValueId {
    fn number(self) -> u32 {
        self.0
    }
}

/// No terms yet.
pub(super) fn no_terms() -> Terms<ValueId> {
    Terms::computed(MOST_TERMS, MOST_DEPTH)
}

/// The form of a new integer.
pub(super) fn of_node(id: ValueId, node: &Node, element: ElementType, values: &mut Values<'_>) -> Affine {
    let assumed = values.get(id).map_or(Assumed::default(), |value| value.assumed);
    let found = composed(node, element, assumed, values).filter(|form| form.terms.len() <= MOST_TERMS);
    found.unwrap_or_else(|| values.terms.value(id))
}

fn composed(node: &Node, element: ElementType, assumed: Assumed, values: &mut Values<'_>) -> Option<Affine> {
    match node {
        Node::Constant(Constant::Int(value)) => Some(Affine::constant(Sym::constant(*value))),
        Node::Size(size) => Some(Affine::constant(size.clone())),
        Node::Select(_, then, otherwise) => {
            values.form(*then).filter(|then| Some(then) == values.form(*otherwise).as_ref())
        }
        Node::Unary(..) | Node::Cast(_) | Node::Binary(..) => {
            let exact = node.arithmetic()?.interval(element, |id| Some(values.range(*id)))?;
            if is_exact(exact, element, assumed) { of_exact(node, element, values) } else { None }
        }
        _ => None,
    }
}

/// The form of an operation that stays in its type.
fn of_exact(node: &Node, element: ElementType, values: &mut Values<'_>) -> Option<Affine> {
    match node {
        Node::Unary(UnaryOp::Negate, operand) => values.form(*operand)?.checked_scale(&Sym::constant(-1)).ok(),
        Node::Cast(inner) => values.form(*inner),
        Node::Binary(op, left, right) => {
            let (one, other) = (values.form(*left)?, values.form(*right)?);
            let operands = [
                Operand { form: &one, range: values.range(*left) },
                Operand { form: &other, range: values.range(*right) },
            ];
            values.terms.operation(*op, operands, element, &values.kernel.facts)
        }
        _ => None,
    }
}
