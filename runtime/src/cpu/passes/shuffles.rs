//! Shuffles on a processor.
//!
//! A processor has no warps, so what lanes pass to each other goes through memory: each thread stores what it gives in an array
//! with an element for each thread, and takes an element of it behind a barrier. A sum of all lanes is one such exchange
//! ([`butterflies`](super::butterflies)). Shuffles that follow each other take turns with two arrays. So between a load of an array and the next store to it there is the barrier of another shuffle, or the end
//! of an iteration around a barrier, which separates threads as well.

use std::borrow::Cow;
use std::sync::Arc;

use dims::Sym;
use elements::ElementType;
use kernel::typed::{
    Access, Barrier, BinaryOp, Constant, Expr, ExprKind, Kernel, Lane, Lanes, Local, LocalVariable, Memory, Origin,
    Residence, SharedArray, SharedId, Shuffle, Statement, StatementKind, Taken, Together, Waiting,
};
use maps::IndexMap;
use maps::hardware::WARP_LANES;
use syntax::span::Span;

use super::alike::Alike;
use super::butterflies::{Butterfly, Reads, butterfly};
use crate::cpu::phases::map_of_threads;

/// The kernel with stores, barriers and loads in the place of its shuffles.
pub fn without_shuffles(kernel: Cow<'_, Kernel>) -> Cow<'_, Kernel> {
    if !kernel.has_shuffles() {
        return kernel;
    }
    let Some(threads) = kernel.launch.threads.as_constant() else { return kernel };
    let mut kernel = kernel.into_owned();
    let reads = Reads::in_kernel(&kernel);
    let body = std::mem::take(&mut kernel.body);
    let map = map_of_threads(&kernel.launch.threads);
    let body =
        Passing { kernel: &mut kernel, threads, map, reads, alike: Alike::default(), arrays: Vec::new(), turn: 0 }
            .list(body);
    Cow::Owned(Kernel { body, ..kernel })
}

struct Passing<'k> {
    kernel: &'k mut Kernel,
    threads: i64,
    map: Arc<IndexMap>,
    reads: Reads,
    alike: Alike,
    /// The arrays so far, each with its type and its turn.
    arrays: Vec<(ElementType, usize, SharedId)>,
    /// Which of the two arrays of a type is next.
    turn: usize,
}

impl Passing<'_> {
    fn list(&mut self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut found = Vec::with_capacity(statements.len());
        let mut left = statements.as_slice();
        while let [statement, rest @ ..] = left {
            let origin = statement.origin();
            let made = |kind| origin.statement(kind);
            if let Some(butterfly) = butterfly(left, &self.reads) {
                left = left.get(butterfly.statements..).unwrap_or_default();
                found.extend(self.joined(&butterfly, origin).into_iter().map(made));
                continue;
            }
            left = rest;
            match &statement.kind {
                StatementKind::Shuffle(shuffle) => {
                    let kinds = self.passed((**shuffle).clone(), origin);
                    found.extend(kinds.into_iter().map(made));
                }
                _ => {
                    let mut statement = statement.clone();
                    let outer = self.alike.enter(&statement.kind);
                    statement.change_blocks(&mut |block| self.list(block));
                    self.alike.leave(outer);
                    found.push(statement);
                }
            }
        }
        found
    }

    /// The threads that work for groups of so many lanes in a row, and the first thread of a group: where all threads of the
    /// block come, those with the lowest numbers, whose loop has no gaps; else the first lane of each group.
    fn workers(&self, group: i64, together: Together) -> Option<(Expr, Expr)> {
        if !(self.alike.are_all_here() || together == Together::Block) {
            return None;
        }
        let condition = Expr::binary(BinaryOp::Less, Expr::thread_id(), Expr::int(self.threads / group));
        Some((condition, Expr::binary(BinaryOp::Multiply, Expr::thread_id(), Expr::int(group))))
    }

    /// The store of what each thread gives in an array, and the barrier behind it.
    fn given(&mut self, value: Expr, lanes: &Lanes, span: Span) -> (SharedId, Vec<StatementKind>) {
        let array = self.array(value.element, span);
        let store =
            StatementKind::Store { access: self.access(array, Expr::thread_id(), span), value, is_async: false };
        (array, vec![store, barrier(lanes, span)])
    }

    /// The statements that do what a shuffle does.
    fn passed(&mut self, shuffle: Shuffle, origin: Origin) -> Vec<StatementKind> {
        let Shuffle { local, value, taken, lanes, together } = shuffle;
        let span = origin.span;
        let (array, mut kinds) = self.given(value, &lanes, span);
        match taken {
            Taken::Lane { lane, number } => {
                let access = self.access(array, source(lane, number), span);
                kinds.push(StatementKind::Assign { local, value: self.load(access) });
            }
            Taken::Votes => {
                // One lane counts for all.
                let workers = if lanes.are_all() { self.workers(WARP_LANES, together) } else { None };
                let (condition, first) = workers.unwrap_or_else(|| {
                    let first = Expr::binary(BinaryOp::Subtract, Expr::thread_id(), own_lane());
                    (Expr::binary(BinaryOp::Equal, own_lane(), lanes.first.clone()), first)
                });
                let votes = self.votes(array, &first, &lanes, span);
                let results = self.array(ElementType::U32, span);
                let access = self.access(results, Expr::binary(BinaryOp::Add, first, lanes.first.clone()), span);
                let store = StatementKind::Store { access, value: votes, is_async: false };
                kinds.push(only(condition, [store], origin));
                kinds.push(barrier(&lanes, span));
                let first = Expr::binary(BinaryOp::Subtract, Expr::thread_id(), own_lane());
                let access = self.access(results, Expr::binary(BinaryOp::Add, first, lanes.first), span);
                kinds.push(StatementKind::Assign { local, value: self.load(access) });
            }
        }
        kinds
    }

    /// The statements that do what a butterfly does: the first lane of each group joins the values of all.
    fn joined(&mut self, butterfly: &Butterfly, origin: Origin) -> Vec<StatementKind> {
        let span = origin.span;
        let Butterfly { value, join, bits, total, up_to, lanes, together, .. } = butterfly;
        let differing: i64 = bits.iter().sum();
        let group = differing + 1;
        let workers = if group & differing == 0 { self.workers(group, *together) } else { None };
        let (condition, first) = workers.unwrap_or_else(|| {
            let own = Expr::binary(BinaryOp::BitAnd, Expr::thread_id(), Expr::int(differing));
            (Expr::binary(BinaryOp::Equal, own, Expr::int(0)), Expr::thread_id())
        });
        let element = value.element;
        let (array, mut kinds) = self.given(value.clone(), lanes, span);
        let mut inside = Vec::new();
        let offsets = butterfly.offsets();
        let mut totals: Vec<Expr> = Vec::with_capacity(offsets.len());
        for offset in &offsets {
            let place = Expr::binary(BinaryOp::Add, first.clone(), Expr::int(*offset));
            let access = self.access(array, place, span);
            let value = self.load(access);
            totals.push(self.named(value, &mut inside));
        }
        let mut running = up_to.map(|_| totals.clone());
        for step in 0..bits.len() {
            if let Some(running) = &mut running {
                for (place, own) in running.iter_mut().enumerate().filter(|(place, _)| place >> step & 1 == 1) {
                    let Some(other) = totals.get((place >> step) - 1) else { continue };
                    *own = self.named(join.apply(other.clone(), own.clone()), &mut inside);
                }
            }
            let pairs: Vec<Expr> = totals
                .chunks_exact(2)
                .filter_map(|pair| Some(join.apply(pair.first()?.clone(), pair.last()?.clone())))
                .collect();
            totals = pairs.into_iter().map(|joined| self.named(joined, &mut inside)).collect();
        }
        // Often only one lane uses the total, in an `if` behind all of this: next to that, it is computed in it.
        let mut results = Vec::new();
        if let (Some(local), Some(running)) = (up_to, running) {
            // The own array may be written again: this thread has read all of it, and nobody else reads it.
            for (offset, value) in offsets.iter().zip(running) {
                let place = Expr::binary(BinaryOp::Add, first.clone(), Expr::int(*offset));
                inside.push(StatementKind::Store { access: self.access(array, place, span), value, is_async: false });
            }
            results.push((*local, array, Expr::thread_id()));
        }
        if let Some(sum) = totals.first().filter(|_| self.reads.is_read(*total)) {
            let array = self.array(element, span);
            let access = self.access(array, first.clone(), span);
            inside.push(StatementKind::Store { access, value: sum.clone(), is_async: false });
            results.push((*total, array, first_of(bits)));
        }
        kinds.push(only(condition, inside, origin));
        kinds.push(barrier(lanes, span));
        for (local, array, place) in results {
            let access = self.access(array, place, span);
            kinds.push(StatementKind::Assign { local, value: self.load(access) });
        }
        kinds
    }

    /// A variable with a value.
    fn named(&mut self, value: Expr, statements: &mut Vec<StatementKind>) -> Expr {
        let element = value.element;
        let local =
            self.kernel.locals.push(LocalVariable { name: "part".into(), element, mutable: false, range: None });
        statements.push(StatementKind::Assign { local, value });
        read(local, element)
    }

    /// A bit for the vote of each lane; `warp` is the first thread of the warp.
    fn votes(&self, array: SharedId, warp: &Expr, lanes: &Lanes, span: Span) -> Expr {
        let constant = |value| Expr::constant(Constant::Int(value), ElementType::U32);
        let vote = |number: i64| {
            let lane = match lanes.are_all() {
                true => Expr::int(number),
                false => Expr::binary(BinaryOp::Add, lanes.first.clone(), Expr::int(number)),
            };
            let place = Expr::binary(BinaryOp::Add, warp.clone(), lane.clone());
            let bit = match lanes.are_all() {
                true => constant(1 << number),
                false => Expr::binary(BinaryOp::ShiftLeft, constant(1), lane.cast_to(ElementType::U32)),
            };
            let vote = self.load(self.access(array, place, span));
            let kind = ExprKind::Select(Box::new(vote), Box::new(bit), Box::new(constant(0)));
            Expr { kind, element: ElementType::U32 }
        };
        let votes = (0..WARP_LANES).filter(|lane| lanes.mask >> lane & 1 == 1).map(vote);
        votes.reduce(|left, right| Expr::binary(BinaryOp::BitOr, left, right)).unwrap_or_else(|| constant(0))
    }

    /// The array of a type whose turn it is.
    fn array(&mut self, element: ElementType, span: Span) -> SharedId {
        self.turn = 1 - self.turn;
        let known = self.arrays.iter().find(|(known, turn, _)| (*known, *turn) == (element, self.turn));
        if let Some((.., array)) = known {
            return *array;
        }
        let array = self.kernel.shared.push(SharedArray {
            name: "given".into(),
            element,
            shape: vec![Sym::constant(self.threads)],
            length: Sym::constant(self.threads),
            held: Residence::Shared,
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

/// Statements that some threads execute.
fn only(condition: Expr, kinds: impl IntoIterator<Item = StatementKind>, origin: Origin) -> StatementKind {
    let then = kinds.into_iter().map(|kind| origin.statement(kind)).collect();
    StatementKind::If { condition, then, otherwise: Vec::new() }
}

fn barrier(lanes: &Lanes, span: Span) -> StatementKind {
    let waiting = Waiting::Warp { lanes: lanes.mask, first: lanes.first.clone() };
    StatementKind::Barrier(Barrier { waiting, before: span, after: span })
}

/// The first thread of a group of lanes that differ in some bits.
fn first_of(bits: &[i64]) -> Expr {
    let all: i64 = bits.iter().sum();
    match all == WARP_LANES - 1 {
        true => Expr::binary(BinaryOp::Subtract, Expr::thread_id(), own_lane()),
        false => Expr::binary(BinaryOp::BitAnd, Expr::thread_id(), Expr::int(!all)),
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
