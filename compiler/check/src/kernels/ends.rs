//! The least and the greatest value of what only the data knows, as sizes.

use super::affine::{Axes, as_size};
use super::definitions::Known;
use dims::{CompareOp, Sym};
use elements::ElementType;
use kernel::forms::build;
use kernel::numbers::Numbers;
use kernel::typed::{BinaryOp, Expr, ExprKind, MathFunction};
use maps::MapBuilder;

/// An end that is no end of an index.
const FAR: i128 = 1 << 48;

impl Axes<'_> {
    /// The least and the greatest value of an integer expression, as far as they are known.
    pub(super) fn ends(&self, expr: &Expr) -> (Option<Sym>, Option<Sym>) {
        let facts = self.facts();
        let least = |left: Sym, right: Sym| left.checked_min(&right, facts).ok();
        let greatest = |left: Sym, right: Sym| left.checked_max(&right, facts).ok();
        let either = |left: Option<Sym>, right: Option<Sym>, of: &dyn Fn(Sym, Sym) -> Option<Sym>| match (left, right) {
            (Some(left), Some(right)) => of(left, right),
            (one, other) => one.or(other),
        };
        match &expr.kind {
            ExprKind::Math(function @ (MathFunction::Min | MathFunction::Max), args)
                if expr.element != ElementType::U64 =>
            {
                let [left, right] = args.as_slice() else { return (None, None) };
                let (left, right) = (self.ends_of_operand(left), self.ends_of_operand(right));
                match function {
                    MathFunction::Min => {
                        (left.0.zip(right.0).and_then(|(l, r)| least(l, r)), either(left.1, right.1, &least))
                    }
                    _ => (either(left.0, right.0, &greatest), left.1.zip(right.1).and_then(|(l, r)| greatest(l, r))),
                }
            }
            ExprKind::Cast(inner) if self.keeps_value(inner, expr) => self.ends(inner),
            ExprKind::Binary(BinaryOp::BitAnd, left, right) if expr.element != ElementType::U64 => {
                let mask =
                    [left, right].into_iter().filter_map(|side| as_size(side)?.as_constant()).find(|mask| *mask >= 0);
                mask.map_or((None, None), |mask| (Some(Sym::zero()), Some(Sym::constant(mask))))
            }
            // As an index, a `u64` can be negative; smaller unsigned integers cannot.
            _ if !expr.element.is_signed() && expr.element != ElementType::U64 => {
                let end = |value: i128| i64::try_from(value).ok().map(Sym::constant);
                expr.element.integer_range().map_or((None, None), |(low, high)| (end(low), end(high)))
            }
            _ if expr.element != ElementType::U64 => self.ends_as_numbers(expr),
            _ => (None, None),
        }
    }

    /// The least and the greatest value of an expression, or of the variable that it is.
    pub(super) fn ends_of_value(&self, expr: &Expr) -> (Option<Sym>, Option<Sym>) {
        let ExprKind::Local(local) = &expr.kind else { return self.ends(expr) };
        match self.known(*local) {
            Known::Value(value) => self.ends(value),
            Known::Kept { ends, .. } => ends.clone(),
            Known::Nothing => (None, None),
        }
    }

    /// The ends that the operators of an expression leave, where they leave less than its type. One that is far away
    /// bounds no index, and arithmetic with it would leave 64 bits.
    fn ends_as_numbers(&self, expr: &Expr) -> (Option<Sym>, Option<Sym>) {
        let (numbers, all) = (self.numbers(expr), Numbers::of_type(expr.element));
        let end = |value: i128, of_type: i128| {
            let near = value != of_type && value.abs() < FAR;
            i64::try_from(value).ok().filter(|_| near).map(Sym::constant)
        };
        (end(numbers.low, all.low), end(numbers.high, all.high))
    }

    /// The ends of an operand whose form, or a condition, says more than its kind: an iterator, an id, a sum of them.
    fn ends_of_operand(&self, expr: &Expr) -> (Option<Sym>, Option<Sym>) {
        let mut axes = self.clone();
        let form = axes.form(expr);
        let mut builder = MapBuilder::new(axes.upper(), self.facts());
        let range = build(&form, &mut builder).map(|value| builder.range(&value));
        let (low, high) = range.map_or((None, None), |range| (range.low, range.high));
        let (least, greatest) = self.ends_by_condition(expr);
        (low.or(least), high.or(greatest))
    }

    /// The ends that the conditions around the statement give an expression, by sizes.
    pub(super) fn ends_by_condition(&self, expr: &Expr) -> (Option<Sym>, Option<Sym>) {
        let (mut low, mut high) = (None, None);
        for (op, other) in self.comparisons_of(expr) {
            let Some(other) = as_size(other) else { continue };
            match op {
                CompareOp::Lt => high = other.checked_sub(&Sym::one()).ok().or(high),
                CompareOp::Le => high = Some(other),
                CompareOp::Gt => low = other.checked_add(&Sym::one()).ok().or(low),
                CompareOp::Ge => low = Some(other),
                CompareOp::Eq => (low, high) = (Some(other.clone()), Some(other)),
                CompareOp::Ne => {}
            }
        }
        (low, high)
    }
}
