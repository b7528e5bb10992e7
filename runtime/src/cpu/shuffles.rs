//! Shuffles on a processor.
//!
//! A processor has no warps, so what lanes pass to each other goes through memory: each thread stores what it gives in an array
//! with an element for each thread, and takes an element of it behind a barrier. Shuffles that follow each other take turns
//! with two arrays. So between a load of an array and the next store to it there is the barrier of another shuffle, or the end
//! of an iteration around a barrier, which separates threads as well.

use std::borrow::Cow;
use std::sync::Arc;

use dims::Sym;
use elements::ElementType;
use kernel::Id;
use kernel::typed::{
    Access, Barrier, BinaryOp, Constant, Expr, ExprKind, Held, IteratorRange, Kernel, Lane, Local, LocalVariable,
    Memory, Scope, SharedArray, SharedId, Shuffle, Statement, StatementKind, Taken, Waiting,
};
use maps::IndexMap;
use maps::hardware::WARP_LANES;
use syntax::span::Span;

use super::phases::map_of_threads;

/// The kernel with stores, barriers and loads in the place of its shuffles.
pub fn without_shuffles(kernel: Cow<'_, Kernel>) -> Cow<'_, Kernel> {
    if !kernel.has_shuffles() {
        return kernel;
    }
    let Some(threads) = kernel.launch.threads.as_constant() else { return kernel };
    let mut kernel = kernel.into_owned();
    let body = std::mem::take(&mut kernel.body);
    let map = map_of_threads(&kernel.launch.threads);
    let body = Passing { kernel: &mut kernel, threads, map, arrays: Vec::new(), turn: 0 }.list(body);
    Cow::Owned(Kernel { body, ..kernel })
}

struct Passing<'k> {
    kernel: &'k mut Kernel,
    threads: i64,
    map: Arc<IndexMap>,
    /// The arrays so far, each with its type and its turn.
    arrays: Vec<(ElementType, usize, SharedId)>,
    /// Which of the two arrays of a type is next.
    turn: usize,
}

impl Passing<'_> {
    fn list(&mut self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut found = Vec::with_capacity(statements.len());
        for mut statement in statements {
            statement.blocks_mut().for_each(|block| *block = self.list(std::mem::take(block)));
            let Statement { kind, scope, span } = statement;
            match kind {
                StatementKind::Shuffle(shuffle) => {
                    let kinds = self.passed(*shuffle, span);
                    found.extend(kinds.into_iter().map(|kind| Statement { kind, scope, span }));
                }
                kind => found.push(Statement { kind, scope, span }),
            }
        }
        found
    }

    /// The statements that do what a shuffle does.
    fn passed(&mut self, shuffle: Shuffle, span: Span) -> Vec<StatementKind> {
        let Shuffle { local, value, taken, lanes, .. } = shuffle;
        let array = self.array(value.element, span);
        let store = StatementKind::Store { access: self.access(array, Expr::thread_id(), span), value };
        let waiting = Waiting::Warp { lanes: lanes.mask, first: lanes.first.clone() };
        let barrier = StatementKind::Barrier(Barrier { waiting, before: span, after: span });
        let mut kinds = vec![store, barrier];
        match taken {
            Taken::Lane { lane, number } => {
                let access = self.access(array, source(lane, number), span);
                kinds.push(StatementKind::Assign { local, value: self.load(access) });
            }
            Taken::Votes => {
                let votes = self.variable("votes", ElementType::U32, None);
                let begin = Expr::constant(Constant::Int(0), ElementType::U32);
                kinds.push(StatementKind::Assign { local: votes, value: begin });
                kinds.push(self.votes(votes, array, lanes.mask, &lanes.first, span));
                kinds.push(StatementKind::Assign { local, value: read(votes, ElementType::U32) });
            }
        }
        kinds
    }

    /// A loop over lanes, counted from the first, which adds a bit for each vote.
    fn votes(&mut self, votes: Local, array: SharedId, mask: u32, first: &Expr, span: Span) -> StatementKind {
        let range = IteratorRange { low: Sym::zero(), extent: Sym::constant(WARP_LANES) };
        let step = self.variable("lane", ElementType::I64, Some(range));
        let binary = Expr::binary;
        let counted = read(step, ElementType::I64);
        let lane = binary(BinaryOp::Add, first.clone(), counted.clone());
        let place = binary(BinaryOp::Add, binary(BinaryOp::Subtract, Expr::thread_id(), own_lane()), lane.clone());
        let mut vote = {
            let access = self.access(array, place, span);
            self.load(access)
        };
        if mask != u32::MAX {
            let shifted = binary(BinaryOp::ShiftRight, Expr::int(i64::from(mask)), counted);
            let bit = binary(BinaryOp::BitAnd, shifted, Expr::int(1));
            vote = binary(BinaryOp::And, binary(BinaryOp::Equal, bit, Expr::int(1)), vote);
        }
        let constant = |value| Expr::constant(Constant::Int(value), ElementType::U32);
        let bit = binary(BinaryOp::ShiftLeft, constant(1), lane.cast_to(ElementType::U32));
        let kind = ExprKind::Select(Box::new(vote), Box::new(bit), Box::new(constant(0)));
        let bit = Expr { kind, element: ElementType::U32 };
        let value = binary(BinaryOp::BitOr, read(votes, ElementType::U32), bit);
        let statement = Statement { kind: StatementKind::Assign { local: votes, value }, scope: Scope::Block, span };
        StatementKind::For { local: step, low: Expr::int(0), high: Expr::int(WARP_LANES), body: vec![statement] }
    }

    fn variable(&mut self, name: &'static str, element: ElementType, range: Option<IteratorRange>) -> Local {
        let local = Local::next(&self.kernel.locals);
        let (name, mutable) = (name.into(), range.is_none());
        self.kernel.locals.push(LocalVariable { name, element, mutable, range });
        local
    }

    /// The array of a type whose turn it is.
    fn array(&mut self, element: ElementType, span: Span) -> SharedId {
        self.turn = 1 - self.turn;
        let known = self.arrays.iter().find(|(known, turn, _)| (*known, *turn) == (element, self.turn));
        if let Some((.., array)) = known {
            return *array;
        }
        let array = SharedId::next(&self.kernel.shared);
        self.kernel.shared.push(SharedArray {
            name: "given".into(),
            element,
            shape: vec![self.threads],
            length: self.threads,
            held: Held::ByBlock,
            cleared: false,
            exchanged_by: None,
            span,
        });
        self.arrays.push((element, self.turn, array));
        array
    }

    fn access(&self, array: SharedId, place: Expr, span: Span) -> Access {
        let (memory, map) = (Memory::Shared(array), Arc::clone(&self.map));
        Access { memory, map, coordinates: vec![place.clone()], offset: place, mask: None, span }
    }

    fn load(&self, access: Access) -> Expr {
        let element = self.kernel.element(access.memory).unwrap_or(ElementType::I64);
        Expr { kind: ExprKind::Load(Box::new(access)), element }
    }
}

fn read(local: Local, element: ElementType) -> Expr {
    Expr { kind: ExprKind::Local(local), element }
}

/// The lane of a thread.
fn own_lane() -> Expr {
    Expr::binary(BinaryOp::FloorRemainder, Expr::thread_id(), Expr::int(WARP_LANES))
}

/// The thread whose value a thread takes.
fn source(lane: Lane, number: Expr) -> Expr {
    let binary = Expr::binary;
    let number = match number.kind {
        ExprKind::Constant(Constant::Int(known)) => Expr::int(known.rem_euclid(WARP_LANES)),
        _ => binary(BinaryOp::BitAnd, number, Expr::int(WARP_LANES - 1)),
    };
    let first = || binary(BinaryOp::Subtract, Expr::thread_id(), own_lane());
    // Where there is no such lane, it is the own one.
    let or_own = |op, there: Expr, is_there: BinaryOp, end| {
        let condition = binary(is_there, binary(op, own_lane(), there.clone()), Expr::int(end));
        let [there, own] = [binary(op, Expr::thread_id(), there), Expr::thread_id()].map(Box::new);
        Expr { kind: ExprKind::Select(Box::new(condition), there, own), element: ElementType::I64 }
    };
    match lane {
        Lane::At => binary(BinaryOp::Add, first(), number),
        Lane::Up => or_own(BinaryOp::Subtract, number, BinaryOp::GreaterEqual, 0),
        Lane::Down => or_own(BinaryOp::Add, number, BinaryOp::Less, WARP_LANES),
        // The number has only bits that number the lanes of a warp.
        Lane::Xor => binary(BinaryOp::BitXor, Expr::thread_id(), number),
    }
}
