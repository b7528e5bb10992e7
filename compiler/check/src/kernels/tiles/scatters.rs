//! Stores of the elements of a tile at the indices that tiles give: `scatter(y, t, i, j);`,
//! `scatter_masked(y, t, i, j, atomic: add);`.
//!
//! The threads of a block share the elements out, so two of them may not go to one element of the tensor, unless they are
//! combined there in one step.

use std::sync::Arc;

use smol_str::SmolStr;

use super::super::access::Accessed;
use super::super::checker::Checker;
use super::super::claims::{Scattered, Subject};
use super::super::view::View;
use super::examples::scatters;
use super::gathers::inside;
use super::parameters::{ATOMIC, INDICES, ORDER, SCOPE};
use super::tile::{Tile, variable};
use super::transfers::is_named;
use super::words::{Call, Role, TileFunction};
use crate::diagnostics::{self, Advice, TilePlace, WrongAtomic};
use crate::documentation::Documentation;
use elements::ElementType;
use kernel::functions::Parameter;
use kernel::raise::ValueId;
use kernel::typed::{
    Access, AccessKind, Atomic, AtomicOperation, Expr, ExprKind, Local, Memory, MemoryOrder, Scope, Statement,
    StatementKind, ThreadScope,
};
use syntax::span::Span;
use syntax::tree::{self, Argument, Suffix, SuffixKind};

pub(super) const SCATTER: TileFunction = TileFunction {
    documentation: Documentation {
        word: "scatter",
        parameters: PARAMETERS,
        text: "A statement: stores the elements of a tile at the indices that tiles give, one tile or number for each dimension. They \
               must be inside. No two elements may go to one place, which is proven, unless `atomic` says how they meet there.",
        example: scatters!("scatter(y, px.load(i, 0), i, iota(i64[1, 4]));"),
    },
    role: Role::Scatters { masked: false },
};

pub(super) const SCATTER_MASKED: TileFunction = TileFunction {
    documentation: Documentation {
        word: "scatter_masked",
        parameters: PARAMETERS,
        text: "A statement: stores the elements of a tile at the indices that tiles give, without those that would go outside. No two \
               elements may go to one place, which is proven, unless `atomic` says how they meet there.",
        example: scatters!("scatter_masked(y, 1, px.load(i, 0), iota(i64[1, 4]) - 1, atomic: add);"),
    },
    role: Role::Scatters { masked: true },
};

const PARAMETERS: &[Parameter] = &[
    Parameter::new("tensor", "a tensor, a shared array or a view").written("y"),
    Parameter::new("tile", "a tile, or one number"),
    INDICES,
    ATOMIC,
    ORDER,
    SCOPE,
];

/// A call of a function that scatters.
#[derive(Clone, Copy)]
pub(in super::super) struct ScatterCall<'t> {
    call: Call<'t>,
    masked: bool,
}

/// What is scattered, and to where.
struct Target<'t> {
    word: &'t SmolStr,
    view: Arc<View>,
    /// The indices at the axes.
    coordinates: Vec<Expr>,
    axes: &'t [Local],
    shape: &'t [i64],
    /// Whether elements that would go outside are left out.
    masked: bool,
    /// The last of the arguments that have no names.
    last: Span,
    span: Span,
}

/// How an element is changed.
#[derive(Clone, Copy)]
enum Change {
    Store,
    Atomic(AtomicOperation, MemoryOrder, ThreadScope),
}

impl Change {
    fn access_kind(self) -> AccessKind {
        match self {
            Self::Store => AccessKind::Store,
            Self::Atomic(operation, ..) => AccessKind::Atomic(operation),
        }
    }
}

impl Checker<'_> {
    /// The call of a function that scatters that an expression is.
    pub(in super::super) fn scatter_call<'t>(&self, expr: &'t tree::Expr) -> Option<ScatterCall<'t>> {
        let tree::ExprKind::Postfix { base, suffixes } = &expr.kind else { return None };
        let (tree::ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(args), .. }]) =
            (&base.kind, suffixes.as_slice())
        else {
            return None;
        };
        if self.binding(name).is_some() || self.is_of_file(name) {
            return None;
        }
        let function = TileFunction::from_name(name)?;
        let Role::Scatters { masked } = function.role else { return None };
        let call = Call { called: &function.documentation, word: base.span, args, span: expr.span };
        Some(ScatterCall { call, masked })
    }

    /// `scatter(y, t, i, j);`
    pub(in super::super) fn scatter_statement(&mut self, call: ScatterCall<'_>) -> Option<Vec<Statement>> {
        let (mut statements, done) = self.with_tiles(|checker| checker.scatter(call));
        statements.push(done?);
        Some(statements)
    }

    fn scatter(&mut self, ScatterCall { call, masked }: ScatterCall<'_>) -> Option<Statement> {
        let span = call.span;
        let (positional, named) = self.split_call(call)?;
        let [target, value, indices @ ..] = positional else { return self.wrong_count(call, positional.len()) };
        match self.context.scope {
            Scope::Threads(_) => return self.report(diagnostics::tile_place(span, TilePlace::Threads)),
            Scope::Cluster => return self.report(diagnostics::tile_place(span, TilePlace::Cluster)),
            Scope::Grid | Scope::Block => {}
        }
        let (word, view) = self.divided_source(&target.value, None)?;
        self.check_mutable(view.memory, target.value.span)?;
        let rank = view.local_rank;
        if indices.len() != rank {
            return self.report(diagnostics::wrong_index_count(span, &word, rank, indices.len()));
        }
        let change = self.change(view.memory, &named, span)?;
        let tile = self.tile(&value.value);
        let found: Vec<Option<Tile>> = indices.iter().map(|index| self.index_tile(&index.value)).collect();
        let mut tiles = vec![tile?];
        tiles.extend(found.into_iter().collect::<Option<Vec<_>>>()?);
        let spans: Vec<Span> = positional.iter().skip(1).map(|argument| argument.value.span).collect();
        let apart = tiles.into_iter().zip(&spans).map(|(tile, span)| self.apart_from(view.memory, tile, *span));
        let tiles = apart.collect::<Option<Vec<_>>>()?;
        let shape = self.common_shape(&tiles, &spans)?;
        let axes = self.axes(&shape);
        let mut tiles = tiles.into_iter().zip(&spans);
        let (tile, value_span) = tiles.next()?;
        let element = self.memories.element_of(view.memory)?;
        let value = self.widened(tile.along(&axes), element, *value_span)?;
        let mut coordinates = Vec::with_capacity(rank);
        for (index, span) in tiles {
            coordinates.push(self.index_of(index, &axes, *span)?);
        }
        let view = if view.whole { Arc::new(View { inside: true, ..(*view).clone() }) } else { view };
        let last = *spans.last()?;
        let target = Target { word: &word, view, coordinates, axes: &axes, shape: &shape, masked, last, span };
        let body = self.scattered(&target, value, change)?;
        self.each(&axes, &shape, body, span)
    }

    /// How an element is changed, by the arguments with names.
    fn change(&mut self, memory: Memory, named: &[&Argument], span: Span) -> Option<Change> {
        let Some(atomic) = named.iter().copied().find(|argument| is_named(argument, ATOMIC.name)) else {
            return match named.first() {
                Some(order) => {
                    let at = order.name.as_ref().map_or(span, |name| name.span);
                    self.report(diagnostics::wrong_atomic(at, &WrongAtomic::Plain))
                }
                None => Some(Change::Store),
            };
        };
        let operation = match &atomic.value.kind {
            tree::ExprKind::Name(word) => scattered_operations().find(|operation| short_name(*operation) == word),
            _ => None,
        };
        let Some(operation) = operation else {
            let words: Vec<&str> = scattered_operations().map(short_name).collect();
            return self.report(diagnostics::wrong_atomic(atomic.value.span, &WrongAtomic::Unknown { words: &words }));
        };
        let element = self.memories.element_of(memory)?;
        self.check_atomic_type(operation, element, atomic.value.span)?;
        let (order, scope) = self.order_and_scope(operation, memory, named)?;
        Some(Change::Atomic(operation, order, scope))
    }

    /// What is done for one element of the tile.
    fn scattered(&mut self, target: &Target<'_>, value: Expr, change: Change) -> Option<Vec<Statement>> {
        let span = target.span;
        let condition = if target.masked { inside(&target.view, &target.coordinates) } else { None };
        let access = self.scattered_element(target, condition.as_ref(), change.access_kind())?;
        let kind = match change {
            Change::Store => StatementKind::Store { access, value, is_async: false },
            Change::Atomic(operation, order, scope) => {
                let operands = vec![value];
                StatementKind::Atomic(Box::new(Atomic { operation, access, operands, result: None, order, scope }))
            }
        };
        let then = self.made(kind, span);
        Some(match condition {
            Some(condition) => self.made(StatementKind::If { condition, then, otherwise: Vec::new() }, span),
            None => then,
        })
    }

    /// The access of the element at the indices, which are inside where there is a condition. It notes which elements the
    /// points of the tile reach.
    fn scattered_element(&mut self, target: &Target<'_>, condition: Option<&Expr>, kind: AccessKind) -> Option<Access> {
        let Target { word, view, coordinates, axes, shape, last, span, .. } = target;
        let accessed = Accessed { view: Arc::clone(view), named: None, word };
        self.of_elements(axes, shape, |checker| {
            let access = match condition {
                Some(_) => checker.access_inside(&accessed, coordinates, kind, *span)?,
                None => checker.advised_access(Advice::Scatter, &accessed, coordinates.clone(), kind, *span)?,
            };
            let mut places = coordinates.clone();
            if let Some(condition) = condition {
                checker.raiser.assume(condition, false);
                places.iter_mut().for_each(|place| checker.keep_inside(place));
                if let Some(inside) = inside(view, &places) {
                    checker.raiser.assume(&inside, false);
                }
            }
            let values: Vec<ValueId> = places.iter().map(|index| checker.raiser.value(index)).collect();
            let [points, indices] = checker.scattered_points(view, &values, axes, *span)?;
            let is_injective = checker.not_injective(view).is_none();
            let is_stated = points.as_ref().is_some_and(|points| points.exact);
            let naturals = if condition.is_some() { values.as_slice() } else { &[] };
            let determined = !is_stated && checker.determine_point(view.memory, &values, naturals, axes);
            if let Some(Subject::Access(record)) = checker.found.record.subjects.last_mut() {
                record.scattered = Some(Scattered { points, indices, is_injective, determined, last: *last });
            }
            Some(access)
        })
    }
}

impl Checker<'_> {
    /// Of an index that chooses between a place and negative numbers, leaves the place: where an element is stored, the index
    /// is no negative number.
    pub(super) fn keep_inside(&mut self, index: &mut Expr) {
        while let Some(place) = self.place_in_choice(index) {
            *index = place.cast_to(index.element);
        }
    }

    fn place_in_choice(&mut self, index: &Expr) -> Option<Expr> {
        let is_signed = |element: ElementType| element.is_integer() && element.is_signed();
        let mut choice = index;
        while let ExprKind::Cast(inner) = &choice.kind
            && [inner.element, choice.element].into_iter().all(is_signed)
            && inner.element.bits() <= choice.element.bits()
        {
            choice = inner;
        }
        let ExprKind::Select(_, then, otherwise) = &choice.kind else { return None };
        let mut is_outside = |side: &Expr| {
            let value = self.raiser.value(side);
            self.raiser.numbers(value).hi.is_some_and(|most| most < 0)
        };
        match [is_outside(then), is_outside(otherwise)] {
            [false, true] => Some(Expr::clone(then)),
            [true, false] => Some(Expr::clone(otherwise)),
            _ => None,
        }
    }

    /// Whether indices, of which some are not negative, determine the point of a tile whose element goes there. Each block has a
    /// shared array of its own, and blocks share a tensor.
    fn determine_point(&mut self, memory: Memory, indices: &[ValueId], naturals: &[ValueId], axes: &[Local]) -> bool {
        let block = self.raiser.value(&Expr::block_id());
        let mut given = indices.to_vec();
        let mut wanted: Vec<ValueId> = axes.iter().map(|axis| self.raiser.value(&variable(*axis))).collect();
        let of_block = if memory.param().is_some() { &mut wanted } else { &mut given };
        of_block.push(block);
        self.raiser.determines(&given, &wanted, naturals)
    }
}

/// The operations with which elements may be scattered.
fn scattered_operations() -> impl Iterator<Item = AtomicOperation> {
    let is_lost = |operation: &AtomicOperation| {
        operation.writes() && operation.operands().len() == 1 && *operation != AtomicOperation::Exchange
    };
    AtomicOperation::ALL.into_iter().filter(is_lost)
}

/// The name of an operation behind `atomic:`.
fn short_name(operation: AtomicOperation) -> &'static str {
    operation.name().strip_prefix("atomic_").unwrap_or(operation.name())
}
