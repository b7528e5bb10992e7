//! A kernel with the holders of its arrays: variables in the place of elements, rounds in the place of points.

use std::sync::Arc;

use super::accesses::Points;
use super::holders::Holder;
use super::widths::{Lanes, Widths};
use crate::table::Table;
use crate::typed::{
    Access, Each, Expr, ExprKind, Kernel, Local, LocalVariable, Locals, Memory, Origin, Residence, Rewrite, Rounds,
    SharedArray, SharedId, Statement, StatementKind,
};
use dims::{Facts, Sym};
use maps::{AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};

/// What stands in the place of an array.
enum Place {
    /// Nothing.
    Nowhere,
    /// An array of the block.
    Block(SharedId),
    /// An array of each thread, and the map from its rounds.
    Thread(SharedId, Arc<IndexMap>),
    /// A variable.
    Variable(Local),
}

/// The kernel with each array held so, and its loops over points shared out among the threads; `None` if an array of each thread
/// is accessed where it is not known which of its elements the thread has.
pub(super) fn with_holders(
    mut kernel: Kernel,
    holders: &Table<SharedId, Holder>,
    threads: i64,
    widths: &Widths,
    poll: &dyn Fn(),
) -> Option<(Kernel, Lanes)> {
    let mut shared = Table::default();
    let mut places: Table<SharedId, Place> = Table::default();
    for (array, holder) in std::mem::take(&mut kernel.shared).into_iter().zip(holders) {
        let place = match *holder {
            Holder::Nobody => Place::Nowhere,
            Holder::Variable { mutable } => {
                let SharedArray { name, element, .. } = array;
                Place::Variable(kernel.locals.push(LocalVariable { name, element, mutable, range: None }))
            }
            Holder::Thread { rounds } => match map_of_rounds(rounds, &kernel.facts) {
                Ok(map) => {
                    let (length, held) = (Sym::constant(rounds), Residence::Registers);
                    Place::Thread(shared.push(SharedArray { length, held, ..array }), Arc::new(map))
                }
                Err(_) => Place::Block(shared.push(array)),
            },
            Holder::Block => Place::Block(shared.push(array)),
        };
        places.push(place);
    }
    kernel.shared = shared;
    kernel.obligations.retain_mut(|obligation| match obligation.memory {
        Memory::Param(_) => true,
        Memory::Shared(array) => match places.get(array) {
            Some(Place::Block(id)) => {
                obligation.memory = Memory::Shared(*id);
                true
            }
            // Nothing can be wrong about a variable.
            _ => false,
        },
    });
    let body = std::mem::take(&mut kernel.body);
    let mut lanes = Lanes::new();
    let (locals, lanes_of) = (&mut kernel.locals, &mut lanes);
    let mut rewriting =
        Rewriting { places: &places, threads, widths, locals, lanes: lanes_of, poll, point: None, is_lost: false };
    let body = rewriting.statements(body);
    if rewriting.is_lost {
        return None;
    }
    kernel.body = body;
    Some((kernel, lanes))
}

/// The map from a round to the element of that round.
fn map_of_rounds(rounds: i64, facts: &Facts) -> Result<IndexMap, MapError> {
    let axis = |extent| vec![UpperAxis { extent, role: AxisRole::Local }];
    let mut builder = MapBuilder::new(axis(None), facts);
    let lower = builder.coordinates()?.into_iter().map(|value| LowerAxis { value, extent: None }).collect();
    Ok(IndexMap { upper: axis(Some(Sym::constant(rounds))), ..builder.finish(lower)? })
}

struct Rewriting<'a> {
    places: &'a Table<SharedId, Place>,
    threads: i64,
    widths: &'a Widths,
    locals: &'a mut Locals,
    lanes: &'a mut Lanes,
    poll: &'a dyn Fn(),
    /// Where the statements are those of a point: the points, and which of its own the thread does there.
    point: Option<(Points, Option<Expr>)>,
    /// Whether an access reaches elements of an array of each thread, and which of its own is not known.
    is_lost: bool,
}

impl Rewriting<'_> {
    fn place(&self, memory: Memory) -> Option<&Place> {
        match memory {
            Memory::Param(_) => None,
            Memory::Shared(array) => self.places.get(array),
        }
    }

    /// A loop over points in rounds of the threads.
    fn in_rounds(&mut self, each: Each, origin: Origin) -> Each {
        let numbers = Points::new(&each);
        let Each { axes, body, .. } = each;
        let points = axes.iter().map(|axis| axis.extent).product();
        let width = self.widths.get(&points).copied().unwrap_or(1);
        let rounds = Rounds::of_vectors(&axes, self.threads, width, self.locals);
        self.lanes.extend(rounds.lane.map(|lane| (lane, points)));
        self.point = Some((numbers, rounds.turn()));
        let body = self.statements(body);
        self.point = None;
        Each::in_rounds(axes, body, &rounds, self.locals, origin)
    }

    /// Which of the elements that the thread holds an access reaches.
    fn round_of(&self, access: &Access) -> Option<Expr> {
        let (points, turn) = self.point.as_ref()?;
        let turn = turn.clone().unwrap_or_else(|| Expr::int(0));
        points.round_of(access, self.threads, turn)
    }
}

impl Rewrite for Rewriting<'_> {
    fn statement(&mut self, statement: Statement, rewritten: &mut Vec<Statement>) {
        (self.poll)();
        if let Some((points, _)) = &mut self.point {
            points.see(&statement, self.locals);
        }
        let origin = statement.origin();
        let variable = match &statement.kind {
            StatementKind::Store { access, .. } => match self.place(access.memory) {
                Some(Place::Variable(local)) => Some(*local),
                _ => None,
            },
            _ => None,
        };
        let kind = match (statement.kind, variable) {
            (StatementKind::Each(each), _) => StatementKind::Each(Box::new(self.in_rounds(*each, origin))),
            (StatementKind::Store { value, .. }, Some(local)) => {
                StatementKind::Assign { local, value: self.expr(value) }
            }
            (kind, _) => origin.statement(kind).rewrite_parts(self).kind,
        };
        rewritten.push(origin.statement(kind));
    }

    fn expr(&mut self, expr: Expr) -> Expr {
        match &expr.kind {
            ExprKind::Load(access) => match self.place(access.memory) {
                Some(Place::Variable(local)) => Expr { kind: ExprKind::Local(*local), element: expr.element },
                _ => expr.rewrite_parts(self),
            },
            _ => expr.rewrite_parts(self),
        }
    }

    /// An access of a memory that is still one.
    fn access(&mut self, access: Access) -> Access {
        match self.place(access.memory) {
            Some(Place::Block(id)) => {
                let memory = Memory::Shared(*id);
                Access { memory, ..access.rewrite_parts(self) }
            }
            Some(Place::Thread(id, map)) => {
                let Some(round) = self.round_of(&access) else {
                    self.is_lost = true;
                    return access;
                };
                let (memory, map) = (Memory::Shared(*id), Arc::clone(map));
                Access { memory, map, coordinates: vec![round.clone()], offset: round, mask: None, span: access.span }
            }
            _ => access.rewrite_parts(self),
        }
    }
}
