//! What the body of a loop over the points of a box accesses, and whether at the own point.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::typed::{
    Access, BinaryOp, Constant, Each, Expr, ExprKind, Local, LocalVariable, Memory, Statement, StatementKind,
};

/// How a statement accesses a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Whether it may write it.
    pub writes: bool,
    /// Whether it accesses it in another way than the thread of a point accesses the element with the number of the point.
    pub is_elsewhere: bool,
    /// How many accesses it has.
    pub accesses: u32,
}

impl Usage {
    /// Both one after the other.
    pub fn and(self, other: Self) -> Self {
        Self {
            writes: self.writes || other.writes,
            is_elsewhere: self.is_elsewhere || other.is_elsewhere,
            accesses: self.accesses.saturating_add(other.accesses),
        }
    }
}

/// The memories that statements access.
#[derive(Clone, Debug, Default)]
pub(super) struct Usages {
    of: BTreeMap<Memory, Usage>,
    /// Whether there are atomic accesses, which order others.
    pub are_atomic: bool,
}

impl Usages {
    /// What the body of a loop over points accesses.
    pub fn of_each(each: &Each, locals: &[LocalVariable]) -> Self {
        let mut found = Self::default();
        let mut points = Points::new(each, locals);
        Statement::walk(&each.body, &mut |statement| {
            found.add(statement, &|access| points.is_own(access));
            points.see(statement);
        });
        found
    }

    /// What a statement accesses itself, which is no loop over points: no element is its own.
    pub fn of_statement(statement: &Statement) -> Self {
        let mut found = Self::default();
        found.add(statement, &|_| false);
        found
    }

    /// The memories and how they are used.
    pub fn iter(&self) -> impl Iterator<Item = (Memory, Usage)> {
        self.of.iter().map(|(memory, usage)| (*memory, *usage))
    }

    /// How a memory is used.
    pub fn get(&self, memory: Memory) -> Usage {
        self.of.get(&memory).copied().unwrap_or_default()
    }

    /// Adds those of another statement.
    pub fn extend(&mut self, others: &Self) {
        others.iter().for_each(|(memory, usage)| self.push(memory, usage));
        self.are_atomic |= others.are_atomic;
    }

    fn push(&mut self, memory: Memory, usage: Usage) {
        let known = self.of.entry(memory).or_default();
        *known = known.and(usage);
    }

    /// Adds a load, and those in its coordinates.
    fn add_loads(&mut self, expr: &Expr, is_own: &dyn Fn(&Access) -> bool) {
        let ExprKind::Load(access) = &expr.kind else { return };
        self.push(access.memory, Usage { writes: false, is_elsewhere: !is_own(access), accesses: 1 });
        access.coordinates.iter().for_each(|coordinate| coordinate.walk(&mut |expr| self.add_loads(expr, is_own)));
    }

    fn add(&mut self, statement: &Statement, is_own: &dyn Fn(&Access) -> bool) {
        match &statement.kind {
            StatementKind::Store { access, .. } => {
                self.push(access.memory, Usage { writes: true, is_elsewhere: !is_own(access), accesses: 1 });
            }
            StatementKind::Atomic(atomic) => {
                self.are_atomic = true;
                let writes = atomic.operation.writes();
                self.push(atomic.access.memory, Usage { writes, is_elsewhere: true, accesses: 1 });
            }
            _ => {}
        }
        statement.walk_own_expressions(&mut |expr| self.add_loads(expr, is_own));
        // A coordinate may read what the offset does not depend on.
        if let Some(access) = accessed(statement) {
            access.coordinates.iter().for_each(|coordinate| coordinate.walk(&mut |expr| self.add_loads(expr, is_own)));
        }
    }
}

/// The element that a statement changes.
fn accessed(statement: &Statement) -> Option<&Access> {
    match &statement.kind {
        StatementKind::Store { access, .. } => Some(access),
        StatementKind::Atomic(atomic) => Some(&atomic.access),
        _ => None,
    }
}

/// A number as a sum of multiples of axes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Form {
    constant: i64,
    /// The factors, none of which is zero.
    factors: BTreeMap<Local, i64>,
}

impl Form {
    fn constant(constant: i64) -> Self {
        Self { constant, ..Self::default() }
    }

    fn plus(mut self, other: &Self) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (local, factor) in &other.factors {
            let known = self.factors.entry(*local).or_default();
            *known = known.checked_add(*factor)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        Some(self)
    }

    fn times(self, scale: i64) -> Option<Self> {
        let constant = self.constant.checked_mul(scale)?;
        let scaled = |(local, factor): (Local, i64)| Some((local, factor.checked_mul(scale)?));
        let factors = self.factors.into_iter().map(scaled).collect::<Option<BTreeMap<_, _>>>()?;
        let factors = factors.into_iter().filter(|(_, factor)| *factor != 0).collect();
        Some(Self { constant, factors })
    }
}

/// The numbers of the points of a box.
pub(super) struct Points<'l> {
    locals: &'l [LocalVariable],
    /// The variables that are sums of multiples of the axes.
    forms: FxHashMap<Local, Form>,
    /// The number of a point; `None` if it exceeds 64 bits.
    number: Option<Form>,
}

impl<'l> Points<'l> {
    /// Those of a loop, before its first statement.
    pub fn new(each: &Each, locals: &'l [LocalVariable]) -> Self {
        let mut number = Some(Form::default());
        let mut forms = FxHashMap::default();
        let mut stride: i64 = 1;
        for axis in each.axes.iter().rev() {
            let coordinate = match axis.extent {
                1 => Form::default(),
                _ => Form { constant: 0, factors: BTreeMap::from([(axis.local, 1)]) },
            };
            let part = coordinate.clone().times(stride);
            number = number.zip(part).and_then(|(number, part)| number.plus(&part));
            forms.insert(axis.local, coordinate);
            stride = stride.saturating_mul(axis.extent);
        }
        Self { locals, forms, number }
    }

    /// Whether an access always reaches the element with the number of the point.
    fn is_own(&self, access: &Access) -> bool {
        self.reaches(access, 1, 0)
    }

    /// Whether an access always reaches the element `scale * point + start`.
    pub fn reaches(&self, access: &Access, scale: i64, start: i64) -> bool {
        let number = self.number.clone().and_then(|number| number.times(scale)?.plus(&Form::constant(start)));
        access.mask.is_none() && number.is_some() && self.form(&access.offset) == number
    }

    /// Sees a statement that those after it may depend on.
    fn see(&mut self, statement: &Statement) {
        let StatementKind::Assign { local, value } = &statement.kind else { return };
        let is_mutable = self.locals.get(local.0 as usize).is_none_or(|variable| variable.mutable);
        if !is_mutable && let Some(form) = self.form(value) {
            self.forms.insert(*local, form);
        }
    }

    fn form(&self, expr: &Expr) -> Option<Form> {
        crate::with_enough_stack(|| match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Some(Form::constant(*value)),
            ExprKind::Local(local) => self.forms.get(local).cloned(),
            ExprKind::Binary(BinaryOp::Add, left, right) => self.form(left)?.plus(&self.form(right)?),
            ExprKind::Binary(BinaryOp::Multiply, left, right) => {
                let (left, right) = (self.form(left)?, self.form(right)?);
                if right.factors.is_empty() { left.times(right.constant) } else { right.times(left.single()?) }
            }
            _ => None,
        })
    }
}

impl Form {
    /// The number, if it is one.
    fn single(&self) -> Option<i64> {
        self.factors.is_empty().then_some(self.constant)
    }
}
