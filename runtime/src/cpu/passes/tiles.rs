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
    Barrier, Each, Expr, ExprKind, Kernel, Memory, Origin, Rewrite, SharedId, Statement, StatementKind, TileAxis,
    Waiting,
};

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
        if let Some(array) = tiled.shared.get_mut(*array) {
            array.element = *element;
        }
    }
    let body = std::mem::take(&mut tiled.body);
    tiled.body = Sharing { threads, widened, kernel: &mut tiled, is_in_tile: false }.statements(body);
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
    /// An operation on tiles with these axes.
    fn each(&mut self, axes: Vec<TileAxis>, body: Vec<Statement>, origin: Origin) -> StatementKind {
        self.is_in_tile = true;
        let body = self.statements(body);
        self.is_in_tile = false;
        StatementKind::Each(Box::new(Each::new(axes, body, self.threads, &mut self.kernel.locals, origin)))
    }
}

impl Rewrite for Sharing<'_> {
    fn statement(&mut self, statement: Statement, rewritten: &mut Vec<Statement>) {
        let origin = statement.origin();
        let made = |kind| origin.statement(kind);
        let changes = matches!(statement.kind, StatementKind::Store { .. } | StatementKind::Atomic(_));
        let each = match statement.kind {
            StatementKind::Each(each) => self.each(each.axes, each.body, origin),
            kind if changes && !self.is_in_tile => self.each(Vec::new(), vec![made(kind)], origin),
            StatementKind::Store { access, value, .. } => {
                let (value, access) = (self.expr(value), self.access(access));
                let value = self.widened.stored(value, access.memory);
                return rewritten.push(made(StatementKind::Store { access, value, is_async: false }));
            }
            kind => return push(rewritten, made(kind).rewrite_parts(self)),
        };
        let barrier = || {
            let waiting = Waiting::Block;
            made(StatementKind::Barrier(Barrier { waiting, before: origin.span, after: origin.span }))
        };
        push(rewritten, barrier());
        rewritten.push(made(each));
        rewritten.push(barrier());
    }

    /// An expression that reads the arrays as they are kept. An atomic access finds its array as it is: none has narrow
    /// elements.
    fn expr(&mut self, expr: Expr) -> Expr {
        match (self.widened.kept(&expr), expr.kind) {
            (Some(element), ExprKind::Cast(operand)) => Expr { element, ..operand.rewrite_parts(self) },
            (_, kind) => Expr { kind, element: expr.element }.rewrite_parts(self),
        }
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

    /// The type of the elements that an expression reads and converts, if they are kept in that type.
    fn kept(&self, expr: &Expr) -> Option<ElementType> {
        match &expr.kind {
            ExprKind::Cast(operand) => self.arrays.get(&read(operand)?).copied(),
            _ => None,
        }
    }

    /// A value as a memory keeps it.
    fn stored(&self, value: Expr, memory: Memory) -> Expr {
        let kept = match memory {
            Memory::Shared(array) => self.arrays.get(&array),
            Memory::Param(_) => None,
        };
        match kept {
            Some(kept) => value.cast_to(*kept),
            None => value,
        }
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
