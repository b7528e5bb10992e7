//! What follows from a comparison that holds: from one with `min` or `max`, and from two in a row.

use super::Checker;
use super::affine::{Axes, as_size};
use super::context::Guard;
use super::definitions::Known;
use super::operands::size;
use dims::CompareOp;
use kernel::typed::{Expr, ExprKind, MathFunction};

/// The most comparisons that are taken from one: chains of many are no program's.
const MOST_CONSEQUENCES: usize = 16;

/// `low < high`, or `low <= high`.
struct Order<'a> {
    low: &'a Expr,
    high: &'a Expr,
    strict: bool,
}

impl Checker<'_> {
    /// Takes a comparison as known from here on, and what follows from it and those before it.
    pub(super) fn know(&mut self, guard: Guard) {
        let mut new = vec![guard];
        let mut taken = 0;
        while taken < new.len() && new.len() <= MOST_CONSEQUENCES {
            let guard = &new[taken];
            let mut found = self.between_extremes(guard);
            found.extend(self.by_ends(guard));
            let known = self.context.guards.iter().chain(&new[..taken]);
            found.extend(known.flat_map(|known| in_a_row(guard, known)));
            found.retain(|found| !self.context.guards.contains(found) && !new.contains(found));
            new.extend(found);
            taken += 1;
        }
        self.context.guards.extend(new);
    }

    /// What is less than `min(a, b)` is less than both, what is greater than `max(a, b)` greater.
    fn between_extremes(&self, guard: &Guard) -> Vec<Guard> {
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(guard) {
            found.extend(self.operands(high, MathFunction::Min).iter().map(|high| ordered(low, high, strict)));
            found.extend(self.operands(low, MathFunction::Max).iter().map(|low| ordered(low, high, strict)));
        }
        found
    }

    /// What is less than a value of which only ends are known is less than its upper end, what is greater is greater
    /// than its lower end.
    fn by_ends(&self, guard: &Guard) -> Vec<Guard> {
        let axes = Axes::new(&self.definitions, &self.context, &self.launch, &[]);
        let ends = |expr: &Expr| if axes.is_of_its_own(expr) { axes.ends_of_value(expr) } else { (None, None) };
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(guard) {
            found.extend(ends(high).1.map(|end| ordered(low, &size(&end), strict)));
            found.extend(ends(low).0.map(|end| ordered(&size(&end), high, strict)));
        }
        found
    }

    /// The operands of a function, also where a variable holds what it comes to.
    fn operands<'a>(&'a self, expr: &'a Expr, function: MathFunction) -> &'a [Expr] {
        match &expr.kind {
            ExprKind::Math(called, operands) if *called == function => operands,
            ExprKind::Local(local) => {
                let value = self.definitions.get(local.0 as usize).and_then(Known::value);
                value.map_or(&[], |value| self.operands(value, function))
            }
            _ => &[],
        }
    }
}

/// `a < b` and `b <= c` make `a < c`. Where `b` is a size, nobody needs to be told.
fn in_a_row(one: &Guard, other: &Guard) -> Vec<Guard> {
    let mut found = Vec::new();
    for one in orders(one) {
        for other in orders(other) {
            for (before, after) in [(&one, &other), (&other, &one)] {
                if before.high == after.low && as_size(after.low).is_none() && before.low != after.high {
                    found.push(ordered(before.low, after.high, before.strict || after.strict));
                }
            }
        }
    }
    found
}

/// What a comparison says about which side is greater.
fn orders(Guard { left, op, right }: &Guard) -> Vec<Order<'_>> {
    let order = |low, high, strict| Order { low, high, strict };
    match op {
        CompareOp::Lt | CompareOp::Le => vec![order(left, right, *op == CompareOp::Lt)],
        CompareOp::Gt | CompareOp::Ge => vec![order(right, left, *op == CompareOp::Gt)],
        CompareOp::Eq => vec![order(left, right, false), order(right, left, false)],
        CompareOp::Ne => Vec::new(),
    }
}

fn ordered(low: &Expr, high: &Expr, strict: bool) -> Guard {
    let op = if strict { CompareOp::Lt } else { CompareOp::Le };
    Guard { left: low.clone(), op, right: high.clone() }
}
