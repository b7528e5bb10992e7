//! The quasi-affine forms of integers: operations on forms, where the result is shown not to overflow its type.

use super::ranges::is_exact;
use super::values::{Node, ValueId, Values};
use crate::intervals::binary;
use crate::quasi_affine::{Number, Operand, Terms, shift_distance};
use crate::typed::Constant;
use crate::typed::{BinaryOp, UnaryOp};
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
    Terms::new(MOST_TERMS, MOST_DEPTH)
}

/// The form of a new integer.
pub(super) fn of_node(id: ValueId, node: &Node, element: ElementType, values: &mut Values<'_>) -> Affine {
    let is_count = values.get(id).is_some_and(|value| value.count.is_some());
    let found = composed(node, element, is_count, values).filter(|form| form.terms.len() <= MOST_TERMS);
    found.unwrap_or_else(|| values.terms.value(id))
}

fn composed(node: &Node, element: ElementType, is_count: bool, values: &mut Values<'_>) -> Option<Affine> {
    match node {
        Node::Constant(Constant::Int(value)) => Some(Affine::constant(Sym::constant(*value))),
        Node::Size(size) => Some(Affine::constant(size.clone())),
        Node::Unary(UnaryOp::Negate, operand) => {
            let exact = values.range(*operand).negate();
            is_exact(exact, element, is_count).then(|| values.form(*operand)?.checked_scale(&Sym::constant(-1)).ok())?
        }
        Node::Cast(inner) => {
            let operand = values.get(*inner)?;
            let exact = operand.element.is_integer() && is_exact(operand.range, element, is_count);
            exact.then(|| operand.form.clone())?
        }
        Node::Select(_, then, otherwise) => {
            values.form(*then).filter(|then| Some(then) == values.form(*otherwise).as_ref())
        }
        Node::Binary(op, left, right) => {
            let ranges = [values.range(*left), values.range(*right)];
            let (one, other) = (values.form(*left)?, values.form(*right)?);
            let shift = (*op == BinaryOp::ShiftLeft).then(|| shift_distance(&other, element));
            let exact = match shift {
                Some(by) => ranges[0].times(1i128.checked_shl(by?)?),
                None => binary(*op, ranges[0], ranges[1], element)?,
            };
            if !is_exact(exact, element, is_count) {
                return None;
            }
            let operands = [Operand { form: &one, range: ranges[0] }, Operand { form: &other, range: ranges[1] }];
            values.terms.operation(*op, operands, element, &values.kernel.facts)
        }
        _ => None,
    }
}
