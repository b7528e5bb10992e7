//! Parallel loops over the elements of a tile.

use std::borrow::Cow;

use super::{BinaryOp, Expr, ExprKind, IteratorRange, Kernel, Local, LocalVariable, Scope, Statement, StatementKind};
use crate::table::Id;
use dims::Sym;
use elements::ElementType;
use syntax::span::Span;

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
    /// The same as a program of each thread, which does the points `thread`, `thread + threads`, … in row-major order.
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
    pub fn new(
        axes: Vec<TileAxis>,
        body: Vec<Statement>,
        threads: i64,
        locals: &mut Vec<LocalVariable>,
        (scope, span): (Scope, Span),
    ) -> Self {
        let mut each = Self { axes, body, per_thread: Vec::new() };
        let (points, rounds) = (each.points(), each.rounds(threads));
        let statement = |kind| Statement { kind, scope, span };
        let variable = |local| Expr { kind: ExprKind::Local(local), element: ElementType::I64 };
        let mut number = Expr::thread_id();
        let round = (rounds > 1).then(|| new_variable("round", Some(rounds), locals));
        if let Some(round) = round {
            let before = Expr::binary(BinaryOp::Multiply, variable(round), Expr::int(threads));
            number = Expr::binary(BinaryOp::Add, before, number);
        }
        let point = new_variable("point", None, locals);
        let extents: Vec<Sym> = each.axes.iter().map(|axis| Sym::constant(axis.extent)).collect();
        let digits = Expr::digits(variable(point), &extents);
        let coordinates = each.axes.iter().zip(digits);
        let mut inner: Vec<Statement> = coordinates
            .map(|(axis, value)| statement(StatementKind::Assign { local: axis.local, value }))
            .chain(each.body.iter().cloned())
            .collect();
        if points % threads != 0 {
            let condition = Expr::binary(BinaryOp::Less, variable(point), Expr::int(points));
            inner = vec![statement(StatementKind::If { condition, then: inner, otherwise: Vec::new() })];
        }
        inner.insert(0, statement(StatementKind::Assign { local: point, value: number }));
        each.per_thread = match round {
            None => inner,
            Some(local) => {
                let (low, high) = (Expr::int(0), Expr::int(rounds));
                vec![statement(StatementKind::For { local, low, high, body: inner })]
            }
        };
        each
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
        statement.blocks_mut().for_each(|block| *block = per_thread(std::mem::take(block)));
        match statement.kind {
            StatementKind::Each(each) => found.extend(each.per_thread),
            kind => found.push(Statement { kind, ..statement }),
        }
    }
    found
}

/// A variable that no program names; an iterator over `0..extent` if there is one.
fn new_variable(name: &'static str, extent: Option<i64>, locals: &mut Vec<LocalVariable>) -> Local {
    let local = Local::next(locals);
    let range = extent.map(|extent| IteratorRange { low: Sym::zero(), extent: Sym::constant(extent) });
    locals.push(LocalVariable { name: name.into(), element: ElementType::I64, mutable: false, range });
    local
}
