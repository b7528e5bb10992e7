//! What the body of a loop over the points of a box accesses, and whether the thread of the point has it.
//!
//! Of `threads` threads each has the elements and the points whose numbers are its own plus multiples of `threads`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use elements::ElementType;

use crate::typed::{
    Access, BinaryOp, Constant, Each, Expr, ExprKind, Local, Locals, Memory, Statement, StatementKind, TileAxis,
};

/// Which elements an access reaches, from the nearest to the farthest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// The one with the number of the point.
    #[default]
    Point,
    /// Those of the thread of the point.
    Thread,
    /// Any.
    Elsewhere,
}

/// How a statement accesses a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Whether it may write it.
    pub writes: bool,
    /// The elements that all of its accesses reach.
    pub reach: Reach,
    /// How many accesses it has.
    pub accesses: u32,
}

impl Usage {
    /// Both one after the other.
    pub fn and(self, other: Self) -> Self {
        Self {
            writes: self.writes || other.writes,
            reach: self.reach.max(other.reach),
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
    /// What the body of a loop over points accesses, which so many threads share out.
    pub fn of_each(each: &Each, locals: &Locals, threads: i64) -> Self {
        let mut found = Self::default();
        let mut points = Points::new(each);
        Statement::walk(&each.body, &mut |statement| {
            found.add(statement, &|access| points.reach(access, threads));
            points.see(statement, locals);
        });
        found
    }

    /// What a statement accesses itself, which is no loop over points: no element is its own.
    pub fn of_statement(statement: &Statement) -> Self {
        let mut found = Self::default();
        found.add(statement, &|_| Reach::Elsewhere);
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
    fn add_loads(&mut self, expr: &Expr, reach: &dyn Fn(&Access) -> Reach) {
        let ExprKind::Load(access) = &expr.kind else { return };
        self.push(access.memory, Usage { writes: false, reach: reach(access), accesses: 1 });
        access.coordinates.iter().for_each(|coordinate| coordinate.walk(&mut |expr| self.add_loads(expr, reach)));
    }

    fn add(&mut self, statement: &Statement, reach: &dyn Fn(&Access) -> Reach) {
        match &statement.kind {
            StatementKind::Store { access, .. } => {
                self.push(access.memory, Usage { writes: true, reach: reach(access), accesses: 1 });
            }
            StatementKind::Atomic(atomic) => {
                self.are_atomic = true;
                let writes = atomic.operation.writes();
                self.push(atomic.access.memory, Usage { writes, reach: Reach::Elsewhere, accesses: 1 });
            }
            _ => {}
        }
        statement.walk_own_expressions(&mut |expr| self.add_loads(expr, reach));
        // A coordinate may read what the offset does not depend on.
        if let Some(access) = accessed(statement) {
            access.coordinates.iter().for_each(|coordinate| coordinate.walk(&mut |expr| self.add_loads(expr, reach)));
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

/// A number as a sum of multiples of axes and of iterators of loops within them.
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

    fn variable(local: Local) -> Self {
        Self { constant: 0, factors: BTreeMap::from([(local, 1)]) }
    }

    /// The quotient, if it is exact for all values.
    fn divided_by(self, divisor: i64) -> Option<Self> {
        let exact = |number: i64| (number.checked_rem(divisor)? == 0).then(|| number / divisor);
        let factors = self.factors.into_iter().map(|(local, factor)| Some((local, exact(factor)?)));
        Some(Self { constant: exact(self.constant)?, factors: factors.collect::<Option<_>>()? })
    }

    /// The number added to another one.
    fn after(&self, other: Expr) -> Expr {
        let scaled = |(local, factor): (&Local, &i64)| {
            let value = Expr { kind: ExprKind::Local(*local), element: ElementType::I64 };
            Expr::binary(BinaryOp::Multiply, value, Expr::int(*factor))
        };
        let mut parts: Vec<Expr> = self.factors.iter().map(scaled).collect();
        if self.constant != 0 {
            parts.push(Expr::int(self.constant));
        }
        parts.into_iter().fold(other, |sum, part| Expr::binary(BinaryOp::Add, sum, part))
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
pub(super) struct Points {
    /// The variables that are sums of multiples of the axes and the iterators.
    forms: FxHashMap<Local, Form>,
    /// The number of a point; `None` if it exceeds 64 bits.
    number: Option<Form>,
}

impl Points {
    /// Those of a loop, before its first statement.
    pub fn new(each: &Each) -> Self {
        Self::of_axes(&each.axes)
    }

    /// Those of a box with these axes.
    pub fn of_axes(axes: &[TileAxis]) -> Self {
        let mut number = Some(Form::default());
        let mut forms = FxHashMap::default();
        let mut stride: i64 = 1;
        for axis in axes.iter().rev() {
            let coordinate = match axis.extent {
                1 => Form::default(),
                _ => Form::variable(axis.local),
            };
            let part = coordinate.clone().times(stride);
            number = number.zip(part).and_then(|(number, part)| number.plus(&part));
            forms.insert(axis.local, coordinate);
            stride = stride.saturating_mul(axis.extent);
        }
        Self { forms, number }
    }

    /// Which elements an access reaches, where so many threads share out the points and the elements.
    fn reach(&self, access: &Access, threads: i64) -> Reach {
        match self.rounds_apart(access, threads) {
            Some(form) if form == Form::default() => Reach::Point,
            // A single thread has all elements, which one loop after the other takes in vectors: no registers.
            Some(_) if threads > 1 => Reach::Thread,
            Some(_) | None => Reach::Elsewhere,
        }
    }

    /// In how many rounds after that of the point the thread of the point comes to the element that an access reaches, if the
    /// thread has it: as a sum over the axes and the iterators.
    fn rounds_apart(&self, access: &Access, threads: i64) -> Option<Form> {
        if access.mask.is_some() {
            return None;
        }
        let number = self.number.clone()?.times(-1)?;
        self.form(&access.offset)?.plus(&number)?.divided_by(threads)
    }

    /// The round in which the thread of a point comes to the element that an access reaches, if the thread has it; `round` is
    /// the one in which it comes to the point.
    pub fn round_of(&self, access: &Access, threads: i64, round: Expr) -> Option<Expr> {
        Some(self.rounds_apart(access, threads)?.after(round))
    }

    /// Whether an access always reaches the element `scale * point + start`.
    pub fn reaches(&self, access: &Access, scale: i64, start: i64) -> bool {
        let number = self.number.clone().and_then(|number| number.times(scale)?.plus(&Form::constant(start)));
        access.mask.is_none() && number.is_some() && self.form(&access.offset) == number
    }

    /// How many elements the next point along an axis is farther, where all else in the position is a sum too or does not depend
    /// on the axis.
    pub fn step_along(&self, access: &Access, axis: Local) -> Option<i64> {
        if access.mask.is_some() { None } else { self.steps(&access.offset, axis) }
    }

    fn steps(&self, expr: &Expr, axis: Local) -> Option<i64> {
        if let ExprKind::Binary(BinaryOp::Add, left, right) = &expr.kind {
            return self.steps(left, axis)?.checked_add(self.steps(right, axis)?);
        }
        let mut depends = false;
        expr.walk(&mut |part| depends |= part.kind == ExprKind::Local(axis));
        if !depends {
            return Some(0);
        }
        self.form(expr)?.factors.get(&axis).copied()
    }

    /// Sees a statement that those after it, or in it, may depend on.
    pub fn see(&mut self, statement: &Statement, locals: &Locals) {
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                let is_mutable = locals.get(*local).is_none_or(|variable| variable.mutable);
                if !is_mutable && let Some(form) = self.form(value) {
                    self.forms.insert(*local, form);
                }
            }
            StatementKind::For { local, .. } => {
                self.forms.insert(*local, Form::variable(*local));
            }
            _ => {}
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
