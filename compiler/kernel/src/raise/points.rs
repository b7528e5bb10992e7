//! Values that follow from few ids and iterators, whatever the operations are: all of them can be computed.
//!
//! An index such as `t | 1`, or an element of a constant table, is no sum of multiples, quotients and remainders, so no map states
//! it. But where ids and iterators have constant ends, and neither data nor sizes take part, there are finitely many points.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::condition::Condition;
use super::raiser::Raiser;
use super::value::{Kind, ValueId, is_index_like};
use crate::intervals::of_type;
use crate::typed::{BinaryOp, Local, MathFunction, UnaryOp};
use dims::{Interval, Sym};
use elements::ElementType;

/// The most points of some values.
const MOST_POINTS: i64 = 1 << 14;
/// The most operations of some values at all points together.
const MOST_COMPUTED: usize = 1 << 18;
/// The most values that an operation at a point is made of.
const MOST_NODES: usize = 256;

/// Some values at every point at which a statement is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// The iterators on which they depend.
    pub iterators: Vec<Local>,
    /// Whether the statement is executed at all of these points.
    pub exact: bool,
    /// How many numbers each point has.
    width: usize,
    /// The block, the thread, the iterators and the values of each point.
    numbers: Vec<i64>,
}

/// Values at a point.
#[derive(Clone, Copy, Debug)]
pub struct Point<'p> {
    /// The block and the thread.
    pub thread: [i64; 2],
    /// The iterators.
    pub iterators: &'p [i64],
    /// The values.
    pub values: &'p [i64],
}

impl Points {
    /// All points.
    pub fn iter(&self) -> impl Iterator<Item = Point<'_>> {
        self.numbers.chunks_exact(self.width).filter_map(|numbers| {
            let (ids, rest) = numbers.split_first_chunk::<2>()?;
            let (iterators, values) = rest.split_at_checked(self.iterators.len())?;
            Some(Point { thread: *ids, iterators, values })
        })
    }
}

/// How a value is computed from earlier ones, by their places.
enum Node {
    Constant(i128),
    /// The id or the iterator of this place.
    Leaf(usize),
    Unary(UnaryOp, usize),
    Binary(BinaryOp, usize, usize),
    Select(usize, usize, usize),
    Cast(usize),
    Math(MathFunction, Vec<usize>),
    /// The element of a table at a place.
    Element(Arc<[i64]>, usize),
}

/// Values in an order in which they can be computed.
struct Computation {
    nodes: Vec<(Node, ElementType)>,
    places: FxHashMap<ValueId, usize>,
    /// The ids and iterators, with their first values and numbers of values.
    leaves: Vec<(ValueId, i64, i64)>,
}

/// What a table of points is over.
#[derive(Clone, Copy, PartialEq)]
enum Over {
    /// The block, the thread, and whatever the values and the conditions depend on.
    Statement,
    /// What the values depend on.
    Values,
}

/// Ids and iterators with the values that they decide, for each point.
struct Table {
    leaves: Vec<ValueId>,
    exact: bool,
    width: usize,
    numbers: Vec<i64>,
}

impl Raiser {
    /// Some values at all points at which the current statement is executed; `None` if they depend on anything but ids and iterators
    /// with constant ends, or if there are too many points.
    pub fn points(&mut self, values: &[ValueId]) -> Option<Points> {
        let Table { leaves, exact, width, numbers } = self.table(values, Over::Statement)?;
        let iterator = |id: &ValueId| match self.kind(*id) {
            Kind::Iterator(local) => Some(*local),
            _ => None,
        };
        let iterators: Vec<Local> = leaves.iter().filter_map(iterator).collect();
        Some(Points { iterators, exact, width, numbers })
    }

    /// The ids and iterators that follow from a value, as each number of it occurs with one number of theirs.
    pub(super) fn leaves_from(&mut self, value: ValueId) -> Option<Vec<ValueId>> {
        let Table { leaves, width, numbers, .. } = self.table(&[value], Over::Values)?;
        let mut is_decided = vec![true; leaves.len()];
        let mut known: FxHashMap<i64, &[i64]> = FxHashMap::default();
        for numbers in numbers.chunks_exact(width) {
            let (value, leaves) = numbers.split_last()?;
            let first = *known.entry(*value).or_insert(leaves);
            for (is_decided, (first, leaf)) in is_decided.iter_mut().zip(first.iter().zip(leaves)) {
                *is_decided &= first == leaf;
            }
        }
        Some(leaves.into_iter().zip(is_decided).filter(|(_, is_decided)| *is_decided).map(|(leaf, _)| leaf).collect())
    }

    fn table(&mut self, values: &[ValueId], over: Over) -> Option<Table> {
        let mut computation = Computation { nodes: Vec::new(), places: FxHashMap::default(), leaves: Vec::new() };
        if over == Over::Statement {
            for kind in [Kind::Block, Kind::Thread] {
                let id = self.intern(kind, ElementType::I64);
                self.node(id, &mut computation)?;
            }
        }
        let wanted = values.iter().map(|value| self.node(*value, &mut computation)).collect::<Option<Vec<usize>>>()?;
        let mut exact = self.unstated() == 0;
        let mut conditions = Vec::new();
        for condition in self.conditions().to_vec() {
            match self.sides_of(condition, over, &mut computation) {
                Some([left, right]) => conditions.push((left, condition.op, right)),
                None => exact = false,
            }
        }
        let count = computation.leaves.iter().try_fold(1i64, |count, (_, _, extent)| count.checked_mul(*extent))?;
        let cost = usize::try_from(count).ok()?.checked_mul(computation.nodes.len())?;
        if count > MOST_POINTS || cost > MOST_COMPUTED {
            return None;
        }
        self.computed = self.computed.checked_sub(cost)?;
        let mut numbers = Vec::new();
        'points: for number in 0..count {
            let leaves = computation.point(number);
            let computed = computation.values(&leaves);
            let at = |place: &usize| computed.get(*place).copied().flatten();
            for (left, op, right) in &conditions {
                if !op.holds(at(left)?, at(right)?) {
                    continue 'points;
                }
            }
            numbers.extend(leaves);
            for place in &wanted {
                numbers.push(i64::try_from(at(place)?).ok()?);
            }
        }
        let leaves: Vec<ValueId> = computation.leaves.into_iter().map(|(leaf, ..)| leaf).collect();
        Some(Table { exact, width: leaves.len() + wanted.len(), leaves, numbers })
    }

    /// The places of the sides of a condition; `None` if they cannot be computed over the same.
    fn sides_of(&self, condition: Condition, over: Over, computation: &mut Computation) -> Option<[usize; 2]> {
        let before = (computation.nodes.len(), computation.leaves.len());
        let left = self.node(condition.left, computation);
        let sides = left.and_then(|left| Some([left, self.node(condition.right, computation)?]));
        if sides.is_some() && (over == Over::Statement || computation.leaves.len() == before.1) {
            return sides;
        }
        computation.return_to(before);
        None
    }

    /// The place of a value among those that are computed.
    fn node(&self, id: ValueId, computation: &mut Computation) -> Option<usize> {
        let mut open = vec![id];
        while let Some(&id) = open.last() {
            if computation.places.contains_key(&id) {
                open.pop();
                continue;
            }
            if let Kind::Named(inner) | Kind::Held(inner) | Kind::Again(inner, _) = *self.kind(id) {
                match computation.places.get(&inner) {
                    Some(&place) => drop(computation.places.insert(id, place)),
                    None => open.push(inner),
                }
                continue;
            }
            let missing: Vec<ValueId> =
                Self::operands(self.kind(id)).filter(|operand| !computation.places.contains_key(operand)).collect();
            if open.len() + missing.len() + computation.nodes.len() > MOST_NODES {
                return None;
            }
            if missing.is_empty() {
                let node = self.computed_by(id, computation)?;
                computation.places.insert(id, computation.nodes.len());
                computation.nodes.push((node, self.element(id)));
            }
            open.extend(missing);
        }
        computation.places.get(&id).copied()
    }

    fn computed_by(&self, id: ValueId, computation: &mut Computation) -> Option<Node> {
        let element = self.element(id);
        if element != ElementType::Bool && !is_index_like(element) {
            return None;
        }
        let place = |id: &ValueId| computation.places.get(id).copied();
        let constant = |size: &Sym| size.as_constant();
        Some(match self.kind(id) {
            Kind::Int(value) => Node::Constant((*value).into()),
            Kind::Bool(value) => Node::Constant((*value).into()),
            Kind::Size(size) => Node::Constant(constant(size)?.into()),
            Kind::Block => computation.leaf(id, 0, constant(&self.launch.blocks)?),
            Kind::Thread => computation.leaf(id, 0, constant(&self.launch.threads)?),
            Kind::Iterator(local) => {
                let range = self.loops.get(local)?;
                computation.leaf(id, constant(&range.low)?, constant(range.extent.as_ref()?)?)
            }
            Kind::Unary(op, inner) => Node::Unary(*op, place(inner)?),
            Kind::Binary(op, left, right) if is_index_like(self.element(*left)) || self.is_truth(*left) => {
                Node::Binary(*op, place(left)?, place(right)?)
            }
            Kind::Select(condition, then, otherwise) => {
                Node::Select(place(condition)?, place(then)?, place(otherwise)?)
            }
            Kind::Cast(inner) => Node::Cast(place(inner)?),
            Kind::Math(function, operands) => {
                Node::Math(*function, operands.iter().map(place).collect::<Option<Vec<usize>>>()?)
            }
            Kind::Load { offset, mask: None, contents, .. } => {
                Node::Element(self.contents((*contents)?).table.clone()?, place(offset)?)
            }
            _ => return None,
        })
    }

    fn is_truth(&self, id: ValueId) -> bool {
        self.element(id) == ElementType::Bool
    }
}

impl Computation {
    fn leaf(&mut self, id: ValueId, first: i64, extent: i64) -> Node {
        self.leaves.push((id, first, extent.max(0)));
        Node::Leaf(self.leaves.len() - 1)
    }

    fn return_to(&mut self, (nodes, leaves): (usize, usize)) {
        self.nodes.truncate(nodes);
        self.leaves.truncate(leaves);
        self.places.retain(|_, place| *place < nodes);
    }

    /// The ids and iterators of a point.
    fn point(&self, mut number: i64) -> Vec<i64> {
        let digit = |(_, first, extent): &(ValueId, i64, i64)| {
            let digit = number % extent;
            number /= extent;
            first + digit
        };
        self.leaves.iter().map(digit).collect()
    }

    /// All values at a point; `None` of one that is not computed, as it leaves its type or a table.
    fn values(&self, leaves: &[i64]) -> Vec<Option<i128>> {
        let mut values: Vec<Option<i128>> = Vec::with_capacity(self.nodes.len());
        for (node, element) in &self.nodes {
            let at = |place: &usize| values.get(*place).copied().flatten();
            let value = match node {
                Node::Constant(value) => Some(*value),
                Node::Leaf(leaf) => leaves.get(*leaf).map(|leaf| i128::from(*leaf)),
                Node::Unary(UnaryOp::Negate, inner) => at(inner).map(|inner| -inner),
                Node::Unary(UnaryOp::Not, inner) => at(inner).map(|inner| 1 - inner),
                Node::Binary(op, left, right) => computed(*op, at(left), || at(right), *element),
                Node::Select(condition, then, otherwise) => {
                    at(condition).and_then(|condition| at(if condition == 0 { otherwise } else { then }))
                }
                Node::Cast(inner) => at(inner),
                Node::Math(function, operands) => {
                    operands.iter().map(at).collect::<Option<Vec<i128>>>().and_then(|operands| match function {
                        MathFunction::Min => operands.into_iter().min(),
                        MathFunction::Max => operands.into_iter().max(),
                        MathFunction::Abs => operands.first().map(|operand| operand.abs()),
                        _ => None,
                    })
                }
                Node::Element(table, place) => at(place)
                    .and_then(|place| table.get(usize::try_from(place).ok()?))
                    .map(|element| i128::from(*element)),
            };
            values.push(value.filter(|value| Interval::point(*value).lies_in(of_type(*element))));
        }
        values
    }
}

/// The exact result of an operation on integers of a type.
fn computed(
    op: BinaryOp,
    left: Option<i128>,
    right: impl FnOnce() -> Option<i128>,
    element: ElementType,
) -> Option<i128> {
    let left = left?;
    match (op, left) {
        (BinaryOp::And, 0) => return Some(0),
        (BinaryOp::Or, 1) => return Some(1),
        _ => {}
    }
    let right = right()?;
    if let Some(comparison) = op.comparison() {
        return Some(comparison.holds(left, right).into());
    }
    let places = || u32::try_from(right.rem_euclid(element.bits().into())).ok();
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        // By zero, both are 0.
        BinaryOp::Divide => Some(left.checked_div(right).unwrap_or(0)),
        BinaryOp::Remainder => Some(left.checked_rem(right).unwrap_or(0)),
        BinaryOp::FloorDivide => left.checked_div_euclid(right).filter(|_| right > 0),
        BinaryOp::FloorRemainder => left.checked_rem_euclid(right).filter(|_| right > 0),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::ShiftLeft => left.checked_mul(1i128.checked_shl(places()?)?),
        BinaryOp::ShiftRight => Some(left >> places()?),
        BinaryOp::And | BinaryOp::Or => Some(right),
        _ => None,
    }
}
