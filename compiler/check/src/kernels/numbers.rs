//! Ranges of integer expressions, as far as types, conditions and sizes give them.
//!
//! They answer one question: whether arithmetic may wrap. A sum that wraps says nothing about its operands, so a
//! condition on it must not be read as one on them.

use super::affine::Axes;
use super::context::Guard;
use super::definitions::Known;
use dims::{CompareOp, Sym};
use elements::ElementType;
use kernel::numbers::{Numbers, SMALL_SIZE, binary, extreme, shifted};
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, Local, UnaryOp};

/// How deep expressions are looked into.
const MOST_DEPTH: u32 = 12;
/// How deep sums of ids, iterators and sizes are looked into, which are long at times.
const MOST_OPERANDS: u32 = 64;

/// What a range rests on.
#[derive(Clone, Copy, PartialEq)]
enum Basis {
    /// Types, sizes, and the conditions around the statement.
    Conditions,
    /// Types and sizes: the range of what a condition compares with.
    Types,
    /// As if no size were large.
    SmallSizes,
}

impl<'a> Axes<'a> {
    /// Whether an operator of integers may leave its type.
    ///
    /// What leaves it comes to another number, as far away as the type has values. Where a condition on what it comes to
    /// leaves none of those, it does not leave: `first + t` under `first + t >= 0`.
    pub(super) fn leaves_its_type(&self, expr: &Expr) -> bool {
        let Some(exact) = self.exact_numbers(expr, Basis::Conditions, MOST_DEPTH) else { return true };
        let all = Numbers::of_type(expr.element);
        if exact.lies_in(all) {
            return false;
        }
        let (there, away) = (self.narrowed(expr, all, MOST_DEPTH), all.high - all.low + 1);
        exact.low <= there.high - away || exact.high >= there.low + away
    }

    /// Whether an operator on ids, iterators and sizes leaves its type by the constants in it, even where no size is
    /// large.
    pub(super) fn leaves_by_constants(&self, expr: &Expr) -> bool {
        let exact = self.exact_numbers(expr, Basis::SmallSizes, MOST_OPERANDS);
        !exact.is_some_and(|exact| exact.lies_in(Numbers::of_type(expr.element)))
    }

    /// Whether an index that is made of counts stays one: no constant in it makes it wrap.
    pub(super) fn stays_a_count(&self, expr: &Expr) -> bool {
        self.numbers_of(expr, Basis::SmallSizes, MOST_OPERANDS).low >= 0
    }

    /// Whether an integer expression is never negative where the statement stands.
    pub(super) fn is_never_negative(&self, expr: &Expr) -> bool {
        self.numbers_of(expr, Basis::Conditions, MOST_DEPTH).low >= 0
    }

    /// The values that an integer expression can have where the statement stands.
    pub(super) fn numbers(&self, expr: &Expr) -> Numbers {
        self.numbers_of(expr, Basis::Conditions, MOST_DEPTH)
    }

    fn numbers_of(&self, expr: &Expr, basis: Basis, depth: u32) -> Numbers {
        let all = Numbers::of_type(expr.element);
        if depth == 0 || !(expr.element.is_integer() || expr.element == ElementType::Bool) {
            return all;
        }
        let exact = self.exact_numbers(expr, basis, depth).filter(|exact| exact.lies_in(all)).unwrap_or(all);
        if basis == Basis::Conditions { self.narrowed(expr, exact, depth) } else { exact }
    }

    /// The values of an expression, had its type no end; `None` where nothing is known.
    fn exact_numbers(&self, expr: &Expr, basis: Basis, depth: u32) -> Option<Numbers> {
        let depth = depth.checked_sub(1)?;
        let of = |inner: &Expr| self.numbers_of(inner, basis, depth);
        Some(match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) if expr.element != ElementType::U64 => {
                Numbers::new((*value).into(), (*value).into())
            }
            ExprKind::Size(size) => self.of_size(size, basis),
            ExprKind::BlockId | ExprKind::ThreadId => Numbers::new(
                0,
                self.count_of(&expr.kind).map_or(i64::MAX.into(), |count| self.of_size(count, basis).high - 1),
            ),
            ExprKind::Local(local) => self.of_local(*local, basis, depth)?,
            ExprKind::Cast(inner) if inner.element.is_integer() || inner.element == ElementType::Bool => of(inner),
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let inner = of(inner);
                Numbers::new(-inner.high, -inner.low)
            }
            ExprKind::Binary(op @ (BinaryOp::ShiftLeft | BinaryOp::ShiftRight), left, right) => {
                shifted(*op, of(left), of(right), expr.element)?
            }
            ExprKind::Binary(op, left, right) => binary(*op, of(left), of(right))?,
            ExprKind::Math(function, args) => {
                let [left, right] = args.as_slice() else { return None };
                extreme(*function, of(left), of(right))?
            }
            ExprKind::Select(_, then, otherwise) => of(then).union(of(otherwise)),
            _ => return None,
        })
    }

    fn of_size(&self, size: &Sym, basis: Basis) -> Numbers {
        let of = if basis == Basis::SmallSizes { Numbers::of_small_size } else { Numbers::of_size };
        of(size, self.facts())
    }

    fn of_local(&self, local: Local, basis: Basis, depth: u32) -> Option<Numbers> {
        if let Some((low, extent)) = self.loop_axis(local) {
            let low = self.of_size(low, basis);
            let high = match extent {
                Some(extent) => low.high + self.of_size(extent, basis).high - 1,
                None if basis == Basis::SmallSizes => low.high + SMALL_SIZE,
                None => i64::MAX.into(),
            };
            return Some(Numbers::new(low.low, high));
        }
        match self.known(local) {
            Known::Value(value) => Some(self.numbers_of(value, basis, depth)),
            Known::Kept { numbers, .. } => Some(*numbers),
            Known::Nothing => None,
        }
    }

    /// What the conditions around the statement leave of a range.
    fn narrowed(&self, expr: &Expr, mut range: Numbers, depth: u32) -> Numbers {
        for (op, other) in self.comparisons_of(expr) {
            let other = self.numbers_of(widened(other), Basis::Types, depth - 1);
            match op {
                CompareOp::Lt => range.high = range.high.min(other.high - 1),
                CompareOp::Le => range.high = range.high.min(other.high),
                CompareOp::Gt => range.low = range.low.max(other.low + 1),
                CompareOp::Ge => range.low = range.low.max(other.low),
                CompareOp::Eq => range = Numbers::new(range.low.max(other.low), range.high.min(other.high)),
                CompareOp::Ne => {}
            }
        }
        range
    }

    /// The expression that a variable stands for; of any other, itself.
    fn stands_for<'e>(&'e self, expr: &'e Expr) -> &'e Expr {
        let expr = widened(expr);
        match &expr.kind {
            ExprKind::Local(local) => self.definition(*local).map_or(expr, |value| self.stands_for(value)),
            _ => expr,
        }
    }

    /// What the conditions around the statement compare an expression with.
    pub(super) fn comparisons_of(&self, expr: &Expr) -> Vec<(CompareOp, &'a Expr)> {
        let stands_for = self.stands_for(expr);
        let is_it = |side: &Expr| widened(side) == widened(expr) || self.stands_for(side) == stands_for;
        let compared = |Guard { left, op, right }: &'a Guard| {
            if is_it(left) {
                Some((*op, right))
            } else if is_it(right) {
                Some((mirrored(*op), left))
            } else {
                None
            }
        };
        self.conditions().iter().filter_map(compared).collect()
    }
}

/// The operand of conversions that keep its value.
fn widened(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner)
            if expr.element == ElementType::I64 && inner.element.is_integer() && inner.element != ElementType::U64 =>
        {
            widened(inner)
        }
        _ => expr,
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        CompareOp::Eq | CompareOp::Ne => op,
    }
}
