//! Operations on tiles on a processor.
//!
//! The threads of a block are iterations of loops here, so a tile is done by as many of them as it has elements: one round
//! of fewer threads after the other would only hide its rows and columns. Barriers stand between all operations, since
//! those that were placed are for another number of threads.
//!
//! Tiles of narrow elements that are only read to compute in a wider type are kept in that type, so that each element is
//! converted once, and not for every product.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dims::Sym;
use elements::ElementType;
use kernel::typed::{
    Access, Atomic, Barrier, Each, Expr, ExprKind, Kernel, Memory, Scope, SharedId, Statement, StatementKind, TileAxis,
    Waiting,
};
use syntax::span::Span;

/// The kernel as a program of each thread, with a thread for each element of its largest tile, unless it does something else
/// with its threads.
///
/// What stands outside of operations on tiles may then run on any number of threads: what is assigned to a variable there is
/// the same for all of them. A block of one thread may also change elements there, which becomes an operation on a tile of
/// one element.
pub fn for_processor(kernel: &Kernel) -> Cow<'_, Kernel> {
    let mut threads = 0;
    let mut is_for_threads = false;
    let has_one_thread = kernel.launch.threads.as_constant() == Some(1);
    visit(&kernel.body, &mut |statement| {
        match &statement.kind {
            StatementKind::Each(each) => return threads = threads.max(each.points()),
            StatementKind::Shuffle(_) => is_for_threads = true,
            StatementKind::Barrier(barrier) => is_for_threads |= barrier.waiting != Waiting::Block,
            StatementKind::Store { .. } => is_for_threads |= !has_one_thread,
            // What one thread finds there, the others would not know.
            StatementKind::Atomic(atomic) => is_for_threads |= !has_one_thread || atomic.result.is_some(),
            _ => {}
        }
        statement.walk_own_expressions(&mut |expr| is_for_threads |= expr.kind == ExprKind::ThreadId);
    });
    if threads == 0 || is_for_threads {
        return kernel.per_thread();
    }
    let mut tiled = kernel.clone();
    tiled.launch.threads = Sym::constant(threads);
    let widened = Widened::in_kernel(kernel);
    for (array, element) in &widened.arrays {
        if let Some(array) = tiled.shared.get_mut(array.0 as usize) {
            array.element = *element;
        }
    }
    let body = std::mem::take(&mut tiled.body);
    tiled.body = Sharing { threads, widened, kernel: &mut tiled, is_in_tile: false }.list(body);
    Cow::Owned(tiled.per_thread().into_owned())
}

/// Visits statements, but not those of operations on tiles.
fn visit<'k>(statements: &'k [Statement], see: &mut dyn FnMut(&'k Statement)) {
    for statement in statements {
        see(statement);
        if !matches!(statement.kind, StatementKind::Each(_)) {
            statement.blocks().into_iter().for_each(|block| visit(block, see));
        }
    }
}

/// Shares the operations on tiles out among threads.
struct Sharing<'k> {
    threads: i64,
    widened: Widened,
    kernel: &'k mut Kernel,
    /// Whether the statements are those of an operation on tiles.
    is_in_tile: bool,
}

impl Sharing<'_> {
    fn list(&mut self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut shared: Vec<Statement> = Vec::with_capacity(statements.len());
        for Statement { kind, scope, span } in statements {
            let statement = |kind| Statement { kind, scope, span };
            let barrier = || {
                let waiting = Waiting::Block;
                statement(StatementKind::Barrier(Barrier { waiting, before: span, after: span }))
            };
            let changes = matches!(kind, StatementKind::Store { .. } | StatementKind::Atomic(_));
            let kind = match kind {
                StatementKind::Each(each) => {
                    let Each { axes, body, .. } = *each;
                    push(&mut shared, barrier());
                    shared.push(self.each(axes, body, (scope, span)));
                    barrier().kind
                }
                kind if changes && !self.is_in_tile => {
                    push(&mut shared, barrier());
                    shared.push(self.each(Vec::new(), vec![statement(kind)], (scope, span)));
                    barrier().kind
                }
                StatementKind::For { local, low, high, body } => {
                    let [low, high] = [low, high].map(|end| self.widened.expr(end));
                    StatementKind::For { local, low, high, body: self.list(body) }
                }
                StatementKind::If { condition, then, otherwise } => {
                    let (condition, then) = (self.widened.expr(condition), self.list(then));
                    StatementKind::If { condition, then, otherwise: self.list(otherwise) }
                }
                StatementKind::Assign { local, value } => {
                    StatementKind::Assign { local, value: self.widened.expr(value) }
                }
                StatementKind::Store { access, value, .. } => self.widened.store(access, value),
                StatementKind::Atomic(atomic) => StatementKind::Atomic(Box::new(self.widened.atomic(*atomic))),
                other @ (StatementKind::Collective { .. }
                | StatementKind::Shuffle(_)
                | StatementKind::Barrier(_)
                | StatementKind::Copies(_)) => other,
            };
            push(&mut shared, statement(kind));
        }
        shared
    }

    /// An operation on tiles with these axes.
    fn each(&mut self, axes: Vec<TileAxis>, body: Vec<Statement>, (scope, span): (Scope, Span)) -> Statement {
        self.is_in_tile = true;
        let body = self.list(body);
        self.is_in_tile = false;
        let each = Each::new(axes, body, self.threads, &mut self.kernel.locals, (scope, span));
        Statement { kind: StatementKind::Each(Box::new(each)), scope, span }
    }
}

/// Adds a statement, unless it is a barrier after a barrier.
fn push(statements: &mut Vec<Statement>, statement: Statement) {
    let is_barrier = |statement: &Statement| matches!(statement.kind, StatementKind::Barrier(_));
    if !(is_barrier(&statement) && statements.last().is_some_and(is_barrier)) {
        statements.push(statement);
    }
}

/// The arrays of narrow elements that are kept in a wider type.
struct Widened {
    arrays: BTreeMap<SharedId, ElementType>,
}

/// The bytes of a type in which one computes.
const WIDE: usize = 4;

impl Widened {
    /// The arrays of which every read is converted to the same type.
    fn in_kernel(kernel: &Kernel) -> Self {
        let mut reads: BTreeMap<SharedId, usize> = BTreeMap::new();
        let mut conversions: BTreeMap<(SharedId, ElementType), usize> = BTreeMap::new();
        Statement::walk_expressions(&kernel.body, &mut |expr| {
            if let Some(array) = read(expr) {
                *reads.entry(array).or_default() += 1;
            }
            if let ExprKind::Cast(operand) = &expr.kind
                && let Some(array) = read(operand)
                && operand.element.size_bytes() < WIDE
                && expr.element.size_bytes() == WIDE
            {
                *conversions.entry((array, expr.element)).or_default() += 1;
            }
        });
        let arrays = conversions
            .into_iter()
            .filter(|((array, _), count)| reads.get(array) == Some(count))
            .map(|(converted, _)| converted)
            .collect();
        Self { arrays }
    }

    /// An expression that reads the arrays as they are kept.
    fn expr(&self, expr: Expr) -> Expr {
        if self.arrays.is_empty() {
            return expr;
        }
        expr.replaced(&|expr| {
            let ExprKind::Cast(operand) = &expr.kind else { return None };
            let kept = self.arrays.get(&read(operand)?)?;
            let ExprKind::Load(access) = &operand.kind else { return None };
            Some(Expr { kind: ExprKind::Load(Box::new(self.access((**access).clone()))), element: *kept })
        })
    }

    fn access(&self, access: Access) -> Access {
        let expr = |expr| self.expr(expr);
        let coordinates = access.coordinates.into_iter().map(expr).collect();
        Access { coordinates, offset: expr(access.offset), mask: access.mask.map(expr), ..access }
    }

    /// An array of an atomic access is kept as it is: no narrow elements have any.
    fn atomic(&self, atomic: Atomic) -> Atomic {
        let operands = atomic.operands.into_iter().map(|operand| self.expr(operand)).collect();
        Atomic { access: self.access(atomic.access), operands, ..atomic }
    }

    fn store(&self, access: Access, value: Expr) -> StatementKind {
        let value = self.expr(value);
        let value = match access.memory {
            Memory::Shared(array) => match self.arrays.get(&array) {
                Some(kept) => value.cast_to(*kept),
                None => value,
            },
            Memory::Param(_) => value,
        };
        StatementKind::Store { access: self.access(access), value, is_async: false }
    }
}

/// The shared array of which an expression reads an element.
fn read(expr: &Expr) -> Option<SharedId> {
    match &expr.kind {
        ExprKind::Load(access) => match access.memory {
            Memory::Shared(array) => Some(array),
            Memory::Param(_) => None,
        },
        _ => None,
    }
}
