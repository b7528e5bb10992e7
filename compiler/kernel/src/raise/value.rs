//! What a value is, and what is known of it.

use crate::assumed::MadeOf;
use crate::quasi_affine::Number;
use crate::table::ids;
use crate::typed::{BinaryOp, Local, MathFunction, Memory, ParamId, UnaryOp};
use dims::{Interval, Sym};
use elements::ElementType;
use maps::Range;

use super::form::Form;

ids!(ValueId);

/// The number of a value; an index into the raiser's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub(super) u32);

impl Number for ValueId {
    fn number(self) -> u32 {
        self.0
    }
}

/// The number of some contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ContentsId(pub(super) u32);

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// An integer of the value's type.
    Int(i64),
    /// A `u64` beyond `i64::MAX`.
    Unsigned(u64),
    Bool(bool),
    Size(Sym),
    Scalar(ParamId),
    Block,
    Thread,
    /// The iterator of a loop, in any iteration.
    Iterator(Local),
    /// A value of which only the type is known.
    Unknown(u32),
    /// An element of memory.
    Load {
        memory: Memory,
        offset: ValueId,
        mask: Option<ValueId>,
        /// The statement that reads the element, if the kernel may write the memory; the next statement may read
        /// another value.
        statement: Option<u32>,
        /// What is known of all elements of the memory where it is read.
        contents: Option<ContentsId>,
    },
    /// The value of an immutable variable. It differs from that value only in its form: see [`Form`].
    Named(ValueId),
    /// Like `Named`, for a mutable variable. Checks at launch follow it up to the next loop that assigns it, so arithmetic on it
    /// counts as wrapping unless it is proven not to wrap.
    Held(ValueId),
    /// The same value, told apart from it by a number: of a choice that is made by it more is known than of others.
    Again(ValueId, u32),
    Unary(UnaryOp, ValueId),
    Binary(BinaryOp, ValueId, ValueId),
    Select(ValueId, ValueId, ValueId),
    Cast(ValueId),
    Math(MathFunction, Vec<ValueId>),
}

/// A value with the known facts about it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) kind: Kind,
    pub(super) element: ElementType,
    /// The interval by types, sizes and loops; conditions may narrow it.
    pub(super) plain: Interval,
    /// The same interval if all sizes are small.
    pub(super) small: Interval,
    /// What it is made of, which decides whether arithmetic on it may wrap.
    pub(super) made_of: MadeOf,
    /// A hash set of the ids, iterators and unknowns that the value is made of, with one bit for several of them. A
    /// condition on none of them does not concern the value.
    pub(super) leaves: u64,
    pub(super) traits: Traits,
    /// How many choices are within each other in it.
    pub(super) choices: u32,
    /// Whether its range is the one that was stated of it, whatever conditions hold: its operands are not asked.
    pub(super) is_closed: bool,
    pub(super) form: Option<Cached<Form>>,
    pub(super) here: Option<Cached<Interval>>,
    pub(super) bounds: Option<Cached<Range>>,
}

/// Properties that a value inherits from its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    /// Whether it depends on data.
    pub(super) data: bool,
    /// Whether it is made of ids, iterators, sizes and small unsigned data in a way that is never negative.
    pub(super) counts: bool,
    /// Whether it keeps its value from one statement to the next.
    pub(super) stable: bool,
    /// Whether it is uniform across the launch and constant over time.
    pub(super) uniform: bool,
    /// Whether it is uniform in each block and constant over time.
    pub(super) of_block: bool,
}

/// A result that holds under the conditions of a generation; under any conditions if that is `None`.
#[derive(Clone, Debug)]
pub(super) struct Cached<T> {
    pub(super) generation: Option<u32>,
    pub(super) value: T,
}

/// Whether comparing values of a type is the same as comparing the indices that they become. A large `u64` becomes a
/// negative index.
pub(super) fn is_index_like(element: ElementType) -> bool {
    element.is_integer() && element != ElementType::U64
}
