//! The elements that an access in a loop reaches, as a map over the loop's iterator and everything around it.

use std::collections::{BTreeMap, BTreeSet};

use super::forms::{Form, build};
use dims::Sym;
use elements::ElementType;
use kernel::storage::stored;
use kernel::typed::{Access, BinaryOp, Constant, Expr, ExprKind, Kernel, Local, Memory, Statement, StatementKind};
use maps::{AxisRole, IndexMap, UpperAxis, with_coordinates};

/// A loop over `0..count`, and what is known where it stands.
pub(super) struct Loop<'k> {
    pub kernel: &'k Kernel,
    pub iterator: Local,
    pub count: i64,
    /// The variables that the body assigns: they may differ from one iteration to the next.
    pub assigned: BTreeSet<Local>,
    /// The values of variables that never get another one.
    pub definitions: BTreeMap<Local, &'k Expr>,
    /// The iterators of the loops around it.
    pub around: BTreeSet<Local>,
}

impl<'k> Loop<'k> {
    /// Whether the expression has one value in each iteration, which no statement of the body changes.
    pub fn is_settled(&self, expr: &Expr) -> bool {
        let mut is_settled = !expr.has_load();
        expr.locals(&mut |local| is_settled &= !self.assigned.contains(&local));
        is_settled
    }

    /// The positions in storage that an access reaches: the loop's iterator is the one coordinate that the program
    /// runs through, all others stay as they are meanwhile. `None` where that cannot be stated.
    pub fn reached(&self, access: &Access) -> Option<IndexMap> {
        let mut axes = Axes { within: self, keys: Vec::new(), upper: Vec::new() };
        let forms = access.coordinates.iter().map(|coordinate| axes.form(coordinate)).collect::<Option<Vec<Form>>>()?;
        let facts = &self.kernel.facts;
        let map = with_coordinates(&access.map, axes.upper, facts, |builder| {
            forms.iter().map(|form| build(form, builder)).collect()
        });
        let Memory::Param(param) = access.memory else { return map.ok() };
        let param = self.kernel.params.get(usize::try_from(param.0).ok()?)?;
        stored(param, map.ok()?, facts).ok()
    }
}

/// The values of all variables that are assigned once, and neither before nor after their declaration.
pub(super) fn definitions(kernel: &Kernel) -> BTreeMap<Local, &Expr> {
    let mut assigned: BTreeMap<Local, Vec<&Expr>> = BTreeMap::new();
    Statement::walk(&kernel.body, &mut |statement| {
        if let StatementKind::Assign { local, value } = &statement.kind {
            assigned.entry(*local).or_default().push(value);
        }
    });
    let is_constant = |local: &Local| {
        let declared = usize::try_from(local.0).ok().and_then(|index| kernel.locals.get(index));
        declared.is_some_and(|declared| !declared.mutable)
    };
    let single = assigned.into_iter().filter(|(local, _)| is_constant(local));
    single.filter_map(|(local, values)| Some((local, *values.first().filter(|_| values.len() == 1)?))).collect()
}

/// What an axis of the map counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Block,
    Thread,
    Iterator(Local),
    /// A value of which nothing is known, or its negative.
    Unknown,
}

struct Axes<'a, 'k> {
    within: &'a Loop<'k>,
    keys: Vec<Key>,
    upper: Vec<UpperAxis>,
}

impl Axes<'_, '_> {
    fn axis(&mut self, key: Key, extent: Option<Sym>) -> Form {
        if let Some(position) = self.keys.iter().position(|known| *known == key && key != Key::Unknown) {
            return Form::Axis(position);
        }
        let role = if key == Key::Iterator(self.within.iterator) { AxisRole::Local } else { AxisRole::Thread };
        self.keys.push(key);
        self.upper.push(UpperAxis { extent, role });
        Form::Axis(self.keys.len() - 1)
    }

    fn form(&mut self, expr: &Expr) -> Option<Form> {
        if let Some(form) = self.index(expr) {
            return Some(form);
        }
        // Whatever is the same in all iterations may be any number.
        let mut is_same = self.within.is_settled(expr);
        expr.locals(&mut |local| is_same &= local != self.within.iterator);
        is_same.then(|| {
            let (positive, negative) = (self.axis(Key::Unknown, None), self.axis(Key::Unknown, None));
            Form::Difference(Box::new(positive), Box::new(negative))
        })
    }

    /// An expression of ids, sizes and iterators, which does not leave 64 bits. Arithmetic on data may wrap, and then
    /// says nothing about its operands.
    fn index(&mut self, expr: &Expr) -> Option<Form> {
        if expr.element != ElementType::I64 {
            return None;
        }
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Some(Form::Size(Sym::constant(*value))),
            ExprKind::Size(size) => Some(Form::Size(size.clone())),
            ExprKind::BlockId => Some(self.axis(Key::Block, Some(self.within.kernel.launch.blocks.clone()))),
            ExprKind::ThreadId => Some(self.axis(Key::Thread, Some(self.within.kernel.launch.threads.clone()))),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Cast(inner) => self.index(inner),
            ExprKind::Binary(operator, left, right) => self.arithmetic(*operator, left, right),
            _ => None,
        }
    }

    fn local(&mut self, local: Local) -> Option<Form> {
        if local == self.within.iterator {
            return Some(self.axis(Key::Iterator(local), Some(Sym::constant(self.within.count))));
        }
        if self.within.around.contains(&local) {
            let declared = self.within.kernel.locals.get(usize::try_from(local.0).ok()?)?;
            let range = declared.range.as_ref()?;
            let axis = self.axis(Key::Iterator(local), Some(range.extent.clone()));
            return Some(Form::Sum(Box::new(axis), Box::new(Form::Size(range.low.clone()))));
        }
        // The definition of a variable of this loop's body belongs to another iteration until it is reached.
        let definition = self.within.definitions.get(&local).filter(|_| !self.within.assigned.contains(&local))?;
        self.index(definition)
    }

    fn arithmetic(&mut self, operator: BinaryOp, left: &Expr, right: &Expr) -> Option<Form> {
        Some(match (operator, as_size(left), as_size(right)) {
            (BinaryOp::Add, ..) => Form::Sum(Box::new(self.index(left)?), Box::new(self.index(right)?)),
            (BinaryOp::Subtract, ..) => Form::Difference(Box::new(self.index(left)?), Box::new(self.index(right)?)),
            (BinaryOp::Multiply, _, Some(factor)) => Form::Scaled(Box::new(self.index(left)?), factor),
            (BinaryOp::Multiply, Some(factor), _) => Form::Scaled(Box::new(self.index(right)?), factor),
            (BinaryOp::FloorDivide, _, Some(divisor)) => Form::Quotient(Box::new(self.index(left)?), divisor),
            (BinaryOp::FloorRemainder, _, Some(divisor)) => Form::Remainder(Box::new(self.index(left)?), divisor),
            _ => return None,
        })
    }
}

fn as_size(expr: &Expr) -> Option<Sym> {
    match &expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(Sym::constant(*value)),
        ExprKind::Size(size) => Some(size.clone()),
        _ => None,
    }
}
