//! What stands in a tile beyond the edge of a tensor, and whether it takes part in a reduction.
//!
//! A masked load pads a tile that reaches over the edge. A sum of zeros is right, but the greatest of a row and its zeros is not
//! that of the row. So each tile in an array notes, for each of its dimensions, what stands beyond the edge.

use super::super::checker::Checker;
use super::super::operand::Operand;
use super::edge::Beyond;
use super::partition::Partition;
use super::tile::Tile;
use super::transfers::Padding;
use super::words::Call;
use crate::diagnostics;
use kernel::stack::with_enough;
use kernel::typed::{BinaryOp, Combination, Constant, Expr, ExprKind, Local, MathFunction, Memory, SharedId, UnaryOp};

/// The value of an expression at the places of an axis that are beyond the edge.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    /// This number, which is the same at all places.
    Number(f64),
    /// Some number, which is the same at all places.
    Same,
    /// Any numbers: nothing is beyond an edge, or somebody has chosen what counts.
    Any,
    /// What a masked load or something computed of it gives.
    Beyond(Beyond),
}

/// The number that a join with it leaves as it is.
pub(super) fn neutral(join: Combination, is_unsigned: bool) -> Option<f64> {
    match join {
        Combination::Operator(BinaryOp::Add | BinaryOp::Or) => Some(0.0),
        Combination::Operator(BinaryOp::Multiply | BinaryOp::And) => Some(1.0),
        Combination::Function(MathFunction::Max) if is_unsigned => Some(0.0),
        Combination::Function(MathFunction::Max) => Some(f64::NEG_INFINITY),
        Combination::Function(MathFunction::Min) => Some(f64::INFINITY),
        _ => None,
    }
}

impl Checker<'_> {
    /// Notes what a masked load of a tile gives beyond the edge.
    pub(super) fn note_edge_of_load(&mut self, array: SharedId, partition: &Partition, padding: Padding) {
        let facts = &self.evaluator.facts;
        let of_dimension = |(extent, dimension): (&i64, &usize)| {
            let size = partition.shape().get(*dimension)?;
            let whole = facts.divides(size, &dims::Sym::constant(*extent));
            (!whole).then(|| Beyond { value: Some(padding.value()), of: partition.name.clone() })
        };
        let edges = partition.tile.iter().zip(&partition.order).map(of_dimension).collect();
        self.tiles.edges.insert(array, edges);
    }

    /// Notes the same of a tile that is stored in an array.
    pub(super) fn note_edge(&mut self, array: SharedId, tile: &Tile) {
        self.tiles.edges.remove(&array);
        if self.tiles.edges.is_empty() {
            return;
        }
        let edges: Vec<Option<Beyond>> = tile.axes.iter().map(|axis| self.edge(tile, *axis)).collect();
        if edges.iter().any(Option::is_some) {
            self.tiles.edges.insert(array, edges);
        }
    }

    /// Warns where what is beyond an edge takes part in a reduction along dimensions. `neutral` is the number that would not count;
    /// `None` if every element does.
    pub(super) fn check_padding(&mut self, tile: &Tile, gone: &[usize], neutral: Option<f64>, call: Call<'_>) {
        if self.tiles.edges.is_empty() || self.evaluator.calls.is_inside() {
            return;
        }
        let axes = gone.iter().filter_map(|dimension| tile.axes.get(*dimension));
        let Some(found) = axes.filter_map(|axis| self.edge(tile, *axis)).find(|found| {
            let counts = |neutral: f64| found.value.is_none_or(|value| value != neutral);
            // Zero is no greater than what is never negative.
            let is_least = neutral == Some(f64::NEG_INFINITY) && found.value == Some(0.0) && is_never_negative(tile);
            !is_least && neutral.is_none_or(counts)
        }) else {
            return;
        };
        let found = diagnostics::padding_counts(call.span, call.name(), &found.of, found.value, neutral);
        self.evaluator.diagnostics.push(found);
    }

    fn edge(&self, tile: &Tile, axis: Local) -> Option<Beyond> {
        let Operand::Typed(value) = &tile.value else { return None };
        match with_enough(|| self.value_beyond(value, axis)) {
            Value::Beyond(found) => Some(found),
            Value::Number(_) | Value::Same | Value::Any => None,
        }
    }

    fn value_beyond(&self, expr: &Expr, axis: Local) -> Value {
        match &expr.kind {
            ExprKind::Constant(constant) => number(*constant).map_or(Value::Any, Value::Number),
            ExprKind::Load(access) => {
                let is_axis = |place: &Expr| matches!(place.kind, ExprKind::Local(local) if local == axis);
                if !access.coordinates.iter().any(|place| mentions(place, axis)) {
                    return Value::Same;
                }
                let Memory::Shared(array) = access.memory else { return Value::Any };
                let dimension = access.coordinates.iter().position(is_axis);
                let edges = self.tiles.edges.get(&array).zip(dimension);
                let found = edges.and_then(|(edges, dimension)| edges.get(dimension)?.clone());
                found.map_or(Value::Any, Value::Beyond)
            }
            ExprKind::Cast(inner) => self.value_beyond(inner, axis),
            ExprKind::Unary(UnaryOp::Negate, inner) => one(self.value_beyond(inner, axis), |value| Some(-value)),
            ExprKind::Unary(_, inner) | ExprKind::Bits(inner) => one(self.value_beyond(inner, axis), |_| None),
            ExprKind::Binary(op, left, right) => {
                let [left, right] = [left, right].map(|side| with_enough(|| self.value_beyond(side, axis)));
                two(*op, left, right)
            }
            ExprKind::Math(function, args) => match args.as_slice() {
                [only] => one(self.value_beyond(only, axis), |value| of_number(*function, value)),
                [left, right] => extreme(*function, self.value_beyond(left, axis), self.value_beyond(right, axis)),
                _ => Value::Any,
            },
            // Whoever writes a condition has chosen what counts.
            ExprKind::Select(..) => Value::Any,
            ExprKind::Local(local) if *local == axis => Value::Any,
            ExprKind::Size(_) | ExprKind::Scalar(_) | ExprKind::Local(_) | ExprKind::BlockId | ExprKind::ThreadId => {
                Value::Same
            }
        }
    }
}

fn mentions(place: &Expr, axis: Local) -> bool {
    let mut found = false;
    place.walk(&mut |inner| found |= matches!(inner.kind, ExprKind::Local(local) if local == axis));
    found
}

/// Whether the elements of a tile are of a kind that is never negative: `abs(x)`, `x * x`.
fn is_never_negative(tile: &Tile) -> bool {
    let Operand::Typed(value) = &tile.value else { return false };
    match &value.kind {
        ExprKind::Math(function, _) => {
            matches!(function, MathFunction::Abs | MathFunction::Sqrt | MathFunction::Exp | MathFunction::Exp2)
        }
        ExprKind::Binary(BinaryOp::Multiply, left, right) => left == right,
        _ => false,
    }
}

fn number(constant: Constant) -> Option<f64> {
    match constant {
        Constant::Float(value) => Some(value),
        Constant::Int(value) => Some(value as f64),
        Constant::Unsigned(value) => Some(value as f64),
        Constant::Bool(value) => Some(f64::from(u8::from(value))),
    }
}

/// What is computed of one value; `of` gives the number, if it is known.
fn one(value: Value, of: impl Fn(f64) -> Option<f64>) -> Value {
    match value {
        Value::Any | Value::Same => value,
        Value::Number(value) => of(value).map_or(Value::Same, Value::Number),
        Value::Beyond(found) => Value::Beyond(Beyond { value: found.value.and_then(of), ..found }),
    }
}

fn of_number(function: MathFunction, value: f64) -> Option<f64> {
    match function {
        MathFunction::Exp => Some(value.exp()),
        MathFunction::Exp2 => Some(value.exp2()),
        MathFunction::Abs => Some(value.abs()),
        MathFunction::Sqrt => Some(value.sqrt()),
        _ => None,
    }
}

/// What is computed of two values. With any other number zero stays zero in a product, and infinity in a sum.
fn two(op: BinaryOp, left: Value, right: Value) -> Value {
    let known = |value: &Value| match value {
        Value::Number(value) => Some(*value),
        Value::Beyond(found) => found.value,
        Value::Any | Value::Same => None,
    };
    let (left_known, right_known) = (known(&left), known(&right));
    let of = match (&left, &right) {
        (Value::Any, _) | (_, Value::Any) => return Value::Any,
        (Value::Beyond(found), _) | (_, Value::Beyond(found)) => found.of.clone(),
        _ => return Value::Same,
    };
    let value = match (op, left_known, right_known) {
        (BinaryOp::Add, Some(left), Some(right)) => Some(left + right),
        (BinaryOp::Subtract, Some(left), Some(right)) => Some(left - right),
        (BinaryOp::Multiply, Some(left), Some(right)) => Some(left * right),
        (BinaryOp::Divide, Some(left), Some(right)) => Some(left / right),
        (BinaryOp::Multiply, Some(0.0), None) | (BinaryOp::Multiply, None, Some(0.0)) => Some(0.0),
        (BinaryOp::Divide, Some(0.0), None) => Some(0.0),
        (BinaryOp::Add | BinaryOp::Subtract, Some(infinite), None) if infinite.is_infinite() => Some(infinite),
        (BinaryOp::Add, None, Some(infinite)) if infinite.is_infinite() => Some(infinite),
        (BinaryOp::Subtract, None, Some(infinite)) if infinite.is_infinite() => Some(-infinite),
        _ => None,
    };
    // A comparison is a condition that somebody has chosen.
    match op {
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => {
            Value::Beyond(Beyond { value, of })
        }
        _ => Value::Any,
    }
}

fn extreme(function: MathFunction, left: Value, right: Value) -> Value {
    let (value, of) = match (&left, &right) {
        (Value::Any, _) | (_, Value::Any) => return Value::Any,
        (Value::Beyond(found), Value::Number(number)) | (Value::Number(number), Value::Beyond(found)) => {
            let of_both = |value: f64| match function {
                MathFunction::Max => Some(value.max(*number)),
                MathFunction::Min => Some(value.min(*number)),
                _ => None,
            };
            (found.value.and_then(of_both), &found.of)
        }
        (Value::Beyond(found), _) | (_, Value::Beyond(found)) => (None, &found.of),
        _ => return Value::Same,
    };
    Value::Beyond(Beyond { value, of: of.clone() })
}
