//! Parallel loops over the elements of a tile.

use std::borrow::Cow;

use super::{
    BinaryOp, Expr, ExprKind, IteratorRange, Kernel, Local, LocalVariable, Locals, Origin, Statement, StatementKind,
};
use dims::Sym;
use elements::ElementType;

/// `for every point of a box`, in any order: a part of an operation on tiles. The threads of a block execute it
/// together: each point once.
///
/// No iteration touches an element that another one writes. So there are no barriers in it, and an executor may share the
/// points out in its own way, if it keeps the whole loops apart that touch the same elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Each {
    /// The axes of the box, the slowest first.
    pub axes: Vec<TileAxis>,
    /// What is done at a point.
    pub body: Vec<Statement>,
    /// The same as a program of each thread, which does the points `thread`, `thread + threads`, … in row-major order, or in the
    /// form for GPUs so many vectors of neighbouring points.
    pub per_thread: Vec<Statement>,
}

/// An axis of a tile: an iterator over `0..extent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileAxis {
    /// The iterator, an `i64`.
    pub local: Local,
    /// The extent, at least 1.
    pub extent: i64,
}

impl Each {
    /// How many points the box has.
    pub fn points(&self) -> i64 {
        self.axes.iter().map(|axis| axis.extent).product()
    }

    /// Shares the points out among the threads of a block. Adds variables to `locals`; the product of the extents must
    /// not exceed 64 bits.
    pub fn new(axes: Vec<TileAxis>, body: Vec<Statement>, threads: i64, locals: &mut Locals, origin: Origin) -> Self {
        let rounds = Rounds::new(&axes, threads, locals);
        Self::in_rounds(axes, body, &rounds, locals, origin)
    }

    /// Shares the points out among the threads of a block in these rounds, which the body may know.
    pub fn in_rounds(
        axes: Vec<TileAxis>,
        body: Vec<Statement>,
        rounds: &Rounds,
        locals: &mut Locals,
        origin: Origin,
    ) -> Self {
        let statement = |kind| origin.statement(kind);
        let assign = |(local, value)| statement(StatementKind::Assign { local, value });
        let point = match rounds.round {
            None => Expr::thread_id(),
            Some(_) => variable(new_variable(rounds.number_name(), None, locals)),
        };
        let mut inner: Vec<Statement> = rounds.coordinates(&axes, &point).into_iter().map(assign).collect();
        match rounds.lane.zip(rounds.fastest(&axes)) {
            None => inner.extend(body.iter().cloned()),
            Some((lane, fastest)) => {
                let mut of_lane = vec![assign(rounds.in_vector(&mut inner, axes[fastest].local, lane))];
                of_lane.extend(body.iter().cloned());
                let (low, high) = (Expr::int(0), Expr::int(rounds.width));
                inner.push(statement(StatementKind::For { local: lane, low, high, body: of_lane }));
            }
        }
        if let Some(condition) = rounds.condition(&point) {
            inner = vec![statement(StatementKind::If { condition, then: inner, otherwise: Vec::new() })];
        }
        let per_thread = match (rounds.round, &point.kind) {
            (Some(local), ExprKind::Local(number)) => {
                inner.insert(0, assign((*number, rounds.number(local))));
                let (low, high) = (Expr::int(0), Expr::int(rounds.count()));
                vec![statement(StatementKind::For { local, low, high, body: inner })]
            }
            _ => inner,
        };
        Self { axes, body, per_thread }
    }
}

/// How often a thread of so many does one of the points at most.
pub(super) fn rounds_of(points: i64, threads: i64) -> i64 {
    points / threads + i64::from(points % threads != 0)
}

/// How the threads of a block take turns at the points of a box: in a round, each does at most one, or a vector of neighbours.
pub struct Rounds {
    /// How many points the box has, or vectors of them.
    points: i64,
    threads: i64,
    /// How many neighbouring points a thread does in a round.
    width: i64,
    /// The iterator over the rounds; `None` if there is one round.
    pub round: Option<Local>,
    /// The iterator over the points of a vector; `None` if each is a single point.
    pub lane: Option<Local>,
}

impl Rounds {
    /// The rounds of the points of a box. Adds variables to `locals`.
    pub fn new(axes: &[TileAxis], threads: i64, locals: &mut Locals) -> Self {
        Self::of_vectors(axes, threads, 1, locals)
    }

    /// The rounds in which each thread does a vector of `width` neighbours along the fastest axis, whose extent is a multiple
    /// of it, as the number of points is one of `threads * width`.
    pub fn of_vectors(axes: &[TileAxis], threads: i64, width: i64, locals: &mut Locals) -> Self {
        let points = axes.iter().map(|axis| axis.extent).product::<i64>() / width.max(1);
        let mut rounds = Self { points, threads, width, round: None, lane: None };
        let count = rounds.count();
        rounds.round = (count > 1).then(|| new_variable("round", Some(count), locals));
        rounds.lane = (width > 1).then(|| new_variable("lane", Some(width), locals));
        rounds
    }

    /// How many there are.
    pub fn count(&self) -> i64 {
        rounds_of(self.points, self.threads)
    }

    /// Which of its points a thread does, counted from 0; `None` if it has at most one.
    pub fn turn(&self) -> Option<Expr> {
        let Some(lane) = self.lane.map(variable) else { return self.round.map(variable) };
        let Some(round) = self.round.map(variable) else { return Some(lane) };
        let before = Expr::binary(BinaryOp::Multiply, round, Expr::int(self.width));
        Some(Expr::binary(BinaryOp::Add, before, lane))
    }

    /// What the number of a thread's point, or vector, is called.
    fn number_name(&self) -> &'static str {
        if self.lane.is_some() { "vector" } else { "point" }
    }

    /// The place of the fastest axis with more than one coordinate.
    fn fastest(&self, axes: &[TileAxis]) -> Option<usize> {
        axes.iter().rposition(|axis| axis.extent > 1)
    }

    /// The coordinate of a point along the fastest axis, by the coordinate of its vector, which is taken out of the assignments.
    fn in_vector(&self, assigned: &mut Vec<Statement>, axis: Local, lane: Local) -> (Local, Expr) {
        let is_own =
            |statement: &Statement| matches!(statement.kind, StatementKind::Assign { local, .. } if local == axis);
        let own = assigned.iter().position(is_own).map(|place| assigned.remove(place).kind);
        let value = match own {
            Some(StatementKind::Assign { value, .. }) if value != Expr::int(0) => {
                let first = Expr::binary(BinaryOp::Multiply, value, Expr::int(self.width));
                Expr::binary(BinaryOp::Add, first, variable(lane))
            }
            _ => variable(lane),
        };
        (axis, value)
    }

    /// The point of the thread in a round.
    fn number(&self, round: Local) -> Expr {
        let before = Expr::binary(BinaryOp::Multiply, variable(round), Expr::int(self.threads));
        Expr::binary(BinaryOp::Add, before, Expr::thread_id())
    }

    /// The condition that the box has the point; `None` if it has a point for every thread in every round.
    fn condition(&self, point: &Expr) -> Option<Expr> {
        if self.points % self.threads == 0 {
            return None;
        }
        let (op, bound) = match self.points {
            1 => (BinaryOp::Equal, 0),
            points => (BinaryOp::Less, points),
        };
        Some(Expr::binary(op, point.clone(), Expr::int(bound)))
    }

    /// The coordinates of a point of the box by its number in row-major order: the digits of `round * threads + thread`.
    /// As long as the threads are whole rows, the faster digits are the thread's alone; where a row takes whole rounds, the
    /// slower digits are the round's alone.
    /// Those of a vector count vectors along the fastest axis.
    fn coordinates(&self, axes: &[TileAxis], point: &Expr) -> Vec<(Local, Expr)> {
        let mut axes = axes.to_vec();
        if let Some(fastest) = self.fastest(&axes) {
            axes[fastest].extent /= self.width;
        }
        let slowest = axes.iter().position(|axis| axis.extent > 1);
        let mut rest = Rest { round: None, step: self.threads, number: Expr::thread_id(), end: self.points };
        rest.round = self.round.map(|round| Turn { number: variable(round), count: self.count() });
        if self.round.is_some() {
            rest.end = self.threads;
        }
        let mut found = Vec::with_capacity(axes.len());
        for (place, axis) in axes.iter().enumerate().rev() {
            let coordinate = match axis.extent {
                1 => Expr::int(0),
                _ if slowest == Some(place) => rest.whole(),
                extent => {
                    if let Some(digit) = rest.whole_rounds(extent) {
                        found.push((axis.local, digit));
                        continue;
                    }
                    if rest.round.is_some() && rest.step % extent != 0 {
                        let number = if rest.step == self.threads { point.clone() } else { rest.whole() };
                        let end = self.points / (self.threads / rest.step);
                        rest = Rest { round: None, step: 1, number, end };
                    }
                    rest.digit(extent)
                }
            };
            found.push((axis.local, coordinate));
        }
        found.reverse();
        found
    }
}

/// The part of a number that is left when its faster digits are taken off: `round * step + number`.
struct Rest {
    round: Option<Turn>,
    step: i64,
    number: Expr,
    /// One past the greatest `number`.
    end: i64,
}

/// A number of a round, or of several, of so many.
struct Turn {
    number: Expr,
    count: i64,
}

impl Rest {
    fn whole(&self) -> Expr {
        match &self.round {
            None => self.number.clone(),
            Some(round) => self.in_round(round.number.clone()),
        }
    }

    fn in_round(&self, round: Expr) -> Expr {
        let before = match self.step {
            1 => round,
            step => Expr::binary(BinaryOp::Multiply, round, Expr::int(step)),
        };
        if self.end <= 1 { before } else { Expr::binary(BinaryOp::Add, before, self.number.clone()) }
    }

    /// Takes off a digit that counts several whole rounds; `None` if the extent is no number of them.
    fn whole_rounds(&mut self, extent: i64) -> Option<Expr> {
        let Turn { number, count } =
            self.round.take_if(|_| extent > self.step && extent % self.step == 0 && self.end <= self.step)?;
        let rounds = extent / self.step;
        let (own, slower) = if count <= rounds {
            (number, None)
        } else {
            let own = Expr::binary(BinaryOp::FloorRemainder, number.clone(), Expr::int(rounds));
            let slower = Expr::binary(BinaryOp::FloorDivide, number, Expr::int(rounds));
            let slower = Turn { number: slower, count: count / rounds + i64::from(count % rounds != 0) };
            (own, Some(slower))
        };
        let digit = self.in_round(own);
        *self = Self { round: slower, step: 1, number: Expr::int(0), end: 1 };
        Some(digit)
    }

    /// Takes off a digit; without a round, or where it divides the step.
    fn digit(&mut self, extent: i64) -> Expr {
        self.step /= extent;
        let number = std::mem::replace(&mut self.number, Expr::int(0));
        if self.end <= extent {
            self.end = 1;
            return number;
        }
        self.end = self.end / extent + i64::from(self.end % extent != 0);
        self.number = Expr::binary(BinaryOp::FloorDivide, number.clone(), Expr::int(extent));
        Expr::binary(BinaryOp::FloorRemainder, number, Expr::int(extent))
    }
}

impl Kernel {
    /// The kernel with the statements of each thread in the place of the loops over the elements of tiles.
    pub fn per_thread(&self) -> Cow<'_, Kernel> {
        let mut has_tiles = false;
        Statement::walk(&self.body, &mut |statement| has_tiles |= matches!(statement.kind, StatementKind::Each(_)));
        match has_tiles {
            true => Cow::Owned(Kernel { body: per_thread(self.body.clone()), ..self.clone() }),
            false => Cow::Borrowed(self),
        }
    }
}

fn per_thread(statements: Vec<Statement>) -> Vec<Statement> {
    let mut found = Vec::with_capacity(statements.len());
    for mut statement in statements {
        statement.change_blocks(&mut per_thread);
        match statement.kind {
            StatementKind::Each(each) => found.extend(each.per_thread),
            kind => found.push(Statement { kind, ..statement }),
        }
    }
    found
}

fn variable(local: Local) -> Expr {
    Expr { kind: ExprKind::Local(local), element: ElementType::I64 }
}

/// A variable that no program names; an iterator over `0..extent` if there is one.
fn new_variable(name: &'static str, extent: Option<i64>, locals: &mut Locals) -> Local {
    let range = extent.map(|extent| IteratorRange { low: Sym::zero(), extent: Sym::constant(extent) });
    locals.push(LocalVariable { name: name.into(), element: ElementType::I64, mutable: false, range })
}
