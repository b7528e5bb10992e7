//! What the warps of a block ask of the banks of shared memory, as maps from threads and iterators to elements.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::swizzles::Swizzle;
use crate::typed::{
    Access, BinaryOp, Constant, Expr, ExprKind, Kernel, Local, Memory, SharedId, Statement, StatementKind,
};
use dims::{Facts, Sym};
use maps::hardware::{BANK_WORD_BYTES, VECTOR_BYTES};
use maps::{Affine, AxisRole, LowerAxis, MapBuilder, MapError, UpperAxis, row_major};
use proofs::Budget;
use proofs::memory::{self, Answer, ElementSize, Lanes};

/// How many times a loop is taken to run its body whose number of iterations is not known.
const ITERATIONS: i64 = 8;

/// The most accesses of a kernel that are looked at.
const MOST_REQUESTS: usize = 256;

/// The accesses of shared arrays in a program of each thread.
pub(super) struct Requests<'k> {
    found: Vec<(SharedId, Request<'k>)>,
}

/// An access of a shared array.
pub(super) struct Request<'k> {
    access: &'k Access,
    /// The loops around it, the outermost first.
    loops: Vec<Around>,
    definitions: Rc<FxHashMap<Local, &'k Expr>>,
    threads: i64,
    facts: &'k Facts,
}

/// A loop around an access: its iterator, the first value, and how many there are, if that is known.
#[derive(Clone, Copy, Debug)]
struct Around {
    local: Local,
    low: i64,
    count: Option<i64>,
}

impl<'k> Requests<'k> {
    /// Those of a kernel whose blocks have so many threads.
    pub fn new(kernel: &'k Kernel, threads: i64, poll: &dyn Fn()) -> Self {
        let definitions = Rc::new(definitions(kernel));
        let mut requests = Self { found: Vec::new() };
        let mut open: Vec<(&'k [Statement], Vec<Around>)> = vec![(&kernel.body, Vec::new())];
        while let Some((statements, loops)) = open.pop() {
            for statement in statements {
                poll();
                let mut add = |access: &'k Access| {
                    if let Memory::Shared(array) = access.memory
                        && requests.found.len() < MOST_REQUESTS
                    {
                        let (loops, definitions) = (loops.clone(), Rc::clone(&definitions));
                        let facts = &kernel.facts;
                        requests.found.push((array, Request { access, loops, definitions, threads, facts }));
                    }
                };
                match &statement.kind {
                    StatementKind::Store { access, .. } => add(access),
                    StatementKind::Atomic(atomic) => add(&atomic.access),
                    _ => {}
                }
                statement.walk_own_expressions(&mut |expr| {
                    if let ExprKind::Load(access) = &expr.kind {
                        add(access);
                    }
                });
                let mut inner = loops.clone();
                inner.extend(around(statement));
                open.extend(statement.blocks().map(|block| (block, inner.clone())));
            }
        }
        requests
    }

    /// Those of one array.
    pub fn of_array(&self, array: SharedId) -> impl Iterator<Item = &Request<'k>> {
        self.found.iter().filter(move |(own, _)| *own == array).map(|(_, request)| request)
    }
}

/// The variables that are assigned once, with what they are.
fn definitions(kernel: &Kernel) -> FxHashMap<Local, &Expr> {
    let mut found: FxHashMap<Local, Option<&Expr>> = FxHashMap::default();
    Statement::walk(&kernel.body, &mut |statement| {
        if let StatementKind::Assign { local, value } = &statement.kind {
            found.entry(*local).and_modify(|known| *known = None).or_insert(Some(value));
        }
    });
    let is_constant = |local: &Local| kernel.locals.get(*local).is_some_and(|variable| !variable.mutable);
    let once = found.into_iter().filter(|(local, _)| is_constant(local));
    once.filter_map(|(local, value)| Some((local, value?))).collect()
}

/// The loop that a statement is.
fn around(statement: &Statement) -> Option<Around> {
    let StatementKind::For { local, low, high, .. } = &statement.kind else { return None };
    let constant = |expr: &Expr| match expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(value),
        _ => None,
    };
    let count = constant(low).zip(constant(high)).and_then(|(low, high)| high.checked_sub(low));
    Some(Around { local: *local, low: constant(low).unwrap_or(0), count })
}

impl Request<'_> {
    /// Whether the coordinates are those of the array, and its elements lie in row-major order.
    pub fn is_of_plain_array(&self, kernel: &Kernel) -> bool {
        let Memory::Shared(array) = self.access.memory else { return false };
        let Some(array) = kernel.shared.get(array) else { return false };
        let axis = |extent: &Sym| UpperAxis { extent: Some(extent.clone()), role: AxisRole::Local };
        let plain = || {
            let mut builder = MapBuilder::new(array.shape.iter().map(axis).collect(), self.facts);
            let coordinates = builder.coordinates()?;
            let value = Affine::weighted_sum(&coordinates, &row_major::strides(&array.shape)?)?;
            builder.finish(vec![LowerAxis { value, extent: None }])
        };
        let is_same = |plain: maps::IndexMap| {
            let values = |map: &maps::IndexMap| map.lower.iter().map(|axis| axis.value.clone()).collect::<Vec<_>>();
            (&plain.terms, values(&plain)) == (&self.access.map.terms, values(&self.access.map))
        };
        self.access.mask.is_none() && plain().is_ok_and(is_same)
    }

    /// How many cycles the banks take for the access in all warps and iterations, roughly, where elements have so many bytes;
    /// `None` if that is not known.
    pub fn cost(&self, swizzle: Option<Swizzle>, bytes: i64, budget: &Budget<'_>) -> Option<i64> {
        let unit = swizzle.map_or(VECTOR_BYTES / bytes, Swizzle::unit);
        let vector = self.width().filter(|width| width * bytes <= VECTOR_BYTES && unit % width == 0);
        let of_vectors = vector.and_then(|width| self.degree(swizzle, (width, bytes), budget));
        let (degree, width) = match of_vectors.zip(vector) {
            Some((degree, width)) => (degree, width),
            None => (self.degree(swizzle, (1, bytes), budget)?, 1),
        };
        let times = self.loops.iter().map(|around| around.count.unwrap_or(ITERATIONS));
        let times = times.fold(1, i64::saturating_mul) / width;
        let words = (width * bytes).div_euclid(BANK_WORD_BYTES).max(1);
        Some(times.saturating_mul(degree).saturating_mul(words))
    }

    /// The points of a vector of which the innermost loop may be.
    fn width(&self) -> Option<i64> {
        self.loops.last()?.count.filter(|count| matches!(count, 2 | 4 | 8))
    }

    /// The most words of one bank that the lanes of a warp need in one phase, where each takes so many neighbouring elements.
    fn degree(&self, swizzle: Option<Swizzle>, (width, bytes): (i64, i64), budget: &Budget<'_>) -> Option<i64> {
        let map = self.map(swizzle, width).ok()??;
        let size = ElementSize::of_bytes(width * bytes)?;
        match memory::bank_conflicts(&map, &Lanes::along(0), size, self.facts, budget).ok()? {
            Answer::Known(found) => Some(found.degree),
            Answer::Open { .. } => None,
        }
    }

    /// The map from the thread and the iterators to the element, or to the vector of so many; `None` where the position is another
    /// function of them, or where the elements of a vector do not stay together.
    fn map(&self, swizzle: Option<Swizzle>, width: i64) -> Result<Option<maps::IndexMap>, MapError> {
        let axis = |extent, role| UpperAxis { extent: Some(Sym::constant(extent)), role };
        let mut upper = vec![axis(self.threads, AxisRole::Thread)];
        upper.extend(self.loops.iter().map(|around| axis(around.count.unwrap_or(1), AxisRole::Local)));
        let mut forms =
            Forms { builder: MapBuilder::new(upper, self.facts), request: self, known: FxHashMap::default() };
        let Some(mut place) = forms.form(&self.access.offset)? else { return Ok(None) };
        let mut builder = forms.builder;
        if let Some(swizzle) = swizzle {
            place = swizzle.of_form(&place, &mut builder)?;
        }
        if width > 1 {
            let within = builder.digit(&place, &Sym::one(), Some(&Sym::constant(width)))?;
            if within != builder.coordinate(self.loops.len())? {
                return Ok(None);
            }
            place = builder.digit(&place, &Sym::constant(width), None)?;
        }
        builder.finish(vec![LowerAxis { value: place, extent: None }]).map(Some)
    }
}

/// The forms of the expressions of an access.
struct Forms<'a, 'k> {
    builder: MapBuilder<'a>,
    request: &'a Request<'k>,
    known: FxHashMap<Local, Option<Affine>>,
}

impl Forms<'_, '_> {
    fn form(&mut self, expr: &Expr) -> Result<Option<Affine>, MapError> {
        crate::with_enough_stack(|| match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Ok(Some(Affine::constant(Sym::constant(*value)))),
            ExprKind::ThreadId => self.builder.coordinate(0).map(Some),
            ExprKind::Local(local) => self.of_local(*local),
            ExprKind::Binary(op, left, right) => match (self.form(left)?, self.form(right)?) {
                (Some(left), Some(right)) => self.of_operation(*op, &left, &right),
                _ => Ok(None),
            },
            _ => Ok(None),
        })
    }

    fn of_local(&mut self, local: Local) -> Result<Option<Affine>, MapError> {
        if let Some(known) = self.known.get(&local) {
            return Ok(known.clone());
        }
        let request = self.request;
        let found = match request.loops.iter().position(|around| around.local == local) {
            Some(place) => match request.loops.get(place).filter(|around| around.count.is_some()) {
                Some(around) => Some(self.builder.coordinate(place + 1)?.checked_offset(&Sym::constant(around.low))?),
                None => None,
            },
            None => match request.definitions.get(&local) {
                Some(value) => self.form(value)?,
                None => None,
            },
        };
        self.known.insert(local, found.clone());
        Ok(found)
    }

    fn of_operation(&mut self, op: BinaryOp, left: &Affine, right: &Affine) -> Result<Option<Affine>, MapError> {
        let constant = |form: &Affine| form.as_constant().cloned();
        Ok(match op {
            BinaryOp::Add => Some(left.checked_add(right)?),
            BinaryOp::Multiply => match (constant(left), constant(right)) {
                (Some(factor), _) => Some(right.checked_scale(&factor)?),
                (_, Some(factor)) => Some(left.checked_scale(&factor)?),
                _ => None,
            },
            BinaryOp::FloorDivide => match constant(right) {
                Some(divisor) => Some(self.builder.digit(left, &divisor, None)?),
                None => None,
            },
            BinaryOp::FloorRemainder => match constant(right) {
                Some(modulus) => Some(self.builder.digit(left, &Sym::one(), Some(&modulus))?),
                None => None,
            },
            BinaryOp::BitXor => Some(self.builder.xor(left, right)?),
            _ => None,
        })
    }
}
