//! How a value is computed from others.

use super::access::AccessId;
use crate::intervals::Arithmetic;
use crate::table::ids;
use crate::typed::{BinaryOp, Constant, MathFunction, ParamId, UnaryOp};
use dims::Sym;

/// A value, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// A loop of the kernel, by its number in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

ids!(ValueId, LoopId, AccessId);

/// How a value is computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant of the value's type.
    Constant(Constant),
    /// A dimension expression.
    Size(Sym),
    /// A scalar parameter.
    Scalar(ParamId),
    /// The id of the thread's block.
    Block,
    /// The id of the thread within its block.
    Thread,
    /// The iterator of a loop, in the current iteration.
    Iterator(LoopId),
    /// The value of a variable where paths join, by the number of the merge.
    Merge(u32),
    /// The value that an access reads. Loads of memory that the kernel may write are all distinct.
    Load(AccessId),
    /// What a thread takes from another lane of its warp, by the number of the statement.
    Shuffled(usize),
    /// One operand, of the same type as the result.
    Unary(UnaryOp, ValueId),
    /// Two operands of one type; comparisons give `bool`.
    Binary(BinaryOp, ValueId, ValueId),
    /// `if c { a } else { b }`; only the chosen side is evaluated where it matters (loads).
    Select(ValueId, ValueId, ValueId),
    /// To the value's type from the operand's.
    Cast(ValueId),
    /// The bits of the operand, as a value of another type of as many bits. One of both is a float, the other an unsigned
    /// integer.
    Bits(ValueId),
    /// A function of numbers of the value's type.
    Math(MathFunction, Vec<ValueId>),
}

impl Node {
    /// How an integer is computed from other values; `None` if it is not.
    pub(super) fn arithmetic(&self) -> Option<Arithmetic<ValueId>> {
        Some(match self {
            Node::Unary(UnaryOp::Negate, operand) => Arithmetic::Negate(*operand),
            Node::Binary(op, left, right) => Arithmetic::Binary(*op, *left, *right),
            Node::Select(_, then, otherwise) => Arithmetic::Choice(*then, *otherwise),
            Node::Cast(operand) => Arithmetic::Cast(*operand),
            Node::Math(function, arguments) => Arithmetic::Math(*function, arguments.clone()),
            _ => return None,
        })
    }

    /// The operands; merges, loads and what other lanes give have none.
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Node::Constant(_)
            | Node::Size(_)
            | Node::Scalar(_)
            | Node::Block
            | Node::Thread
            | Node::Iterator(_)
            | Node::Merge(_)
            | Node::Load(_)
            | Node::Shuffled(_) => Vec::new(),
            Node::Unary(_, operand) | Node::Cast(operand) | Node::Bits(operand) => vec![*operand],
            Node::Binary(_, left, right) => vec![*left, *right],
            Node::Select(condition, then, otherwise) => vec![*condition, *then, *otherwise],
            Node::Math(_, arguments) => arguments.clone(),
        }
    }
}
