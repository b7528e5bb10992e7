//! Races between two accesses of a tensor, which may stand at different places of the kernel.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::claims::{AccessRecord, Owner};
use super::executor::{executor, is_thread};
use super::prover::Prover;
use super::raised::Composed;
use super::remembered::Same;
use crate::diagnostics::Executor;
use dims::{Facts, Sym, Symbol};
use kernel::raise::{UniformValue, ValueId};
use kernel::typed::AccessKind;
use maps::{Affine, IndexMap, LowerAxis, MapBuilder, MapError, Term};
use proofs::{CounterexampleKind, Relation, Verdict, apart, meet_at_first};

/// The most pairs of accesses that are compared for one tensor.
pub(super) const MOST_PAIRS: usize = 1024;
/// The most of them without an answer. These cost the most, and after the first one only a race could still be found.
const MOST_OPEN: usize = 8;

/// Who must not reach one element of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    /// Two threads.
    Threads,
    /// Two blocks, or rather threads of them.
    Blocks,
}

/// Whether accesses of a tensor conflict in different threads or blocks of the launch.
pub(super) enum Conflict<'r> {
    /// No two of them do.
    Never,
    /// These two do; the first one is a store.
    At([&'r AccessRecord; 2], Meeting),
    /// Nothing shows that these two do not; the first one is a store.
    Open([&'r AccessRecord; 2]),
}

/// Where two accesses reach one element.
pub(super) struct Meeting {
    /// The threads that execute them.
    pub(super) threads: [Executor; 2],
    /// What they have in common there: the element, or the coordinates at which the view is evaluated.
    pub(super) lower: Vec<i64>,
    pub(super) common: Common,
    pub(super) sizes: BTreeMap<Symbol, i64>,
}

/// What the two points of a conflict have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Common {
    /// The element.
    Element,
    /// The coordinates at which the view is evaluated, if it reaches each of its elements at one point only. The question is
    /// easier then, since it contains no products of sizes.
    Coordinates,
}

/// What an access does, the elements that it reaches by the maps, which are interned, and who reaches them if no map says so.
type Reach<'r> = (AccessKind, Same<Composed>, Option<Same<Composed>>, Option<&'r Owner>);

fn reach(access: &AccessRecord, kind: AccessKind) -> Reach<'_> {
    (kind, Same::new(&access.composed), access.indices.as_ref().map(Same::new), access.owner.as_ref())
}

impl<'db> Prover<'db> {
    /// Compares each store with every access.
    pub(super) fn conflict<'r>(&mut self, records: &[&'r AccessRecord], among: Among) -> Conflict<'r> {
        let mut in_order = records.to_vec();
        in_order.sort_by_key(|record| match record.kind {
            AccessKind::Store | AccessKind::Copy => 0,
            AccessKind::Atomic(_) => 1,
            AccessKind::Load => 2,
        });
        let mut compared: Vec<&AccessRecord> = Vec::new();
        let mut seen: FxHashSet<Reach<'_>> = FxHashSet::default();
        let mut open: Vec<[&AccessRecord; 2]> = Vec::new();
        let mut pairs = 0;
        // What an access reaches that a store reaches too was compared with that store.
        for access in in_order {
            self.evaluator.db.unwind_if_revision_cancelled();
            if [AccessKind::Store, access.kind].into_iter().any(|kind| seen.contains(&reach(access, kind))) {
                continue;
            }
            seen.insert(reach(access, access.kind));
            compared.push(access);
            for store in compared.iter().filter(|known| known.kind.conflicts_with(access.kind)) {
                let pair = [*store, access];
                match self.pair(pair, among) {
                    Answer::Never => {}
                    Answer::At(meeting) => return Conflict::At(pair, meeting),
                    Answer::Open => open.push(pair),
                }
                pairs += 1;
                if pairs > MOST_PAIRS || open.len() > MOST_OPEN {
                    return Conflict::Open(open.first().copied().unwrap_or(pair));
                }
            }
        }
        open.first().map_or(Conflict::Never, |pair| Conflict::Open(*pair))
    }

    /// Whether two accesses never reach one element in different threads.
    pub(super) fn are_apart(&mut self, pair: [&AccessRecord; 2]) -> bool {
        matches!(self.pair(pair, Among::Threads), Answer::Never)
    }

    /// Whether two maps reach no element in common, in whichever threads.
    pub(super) fn have_no_element_in_common(&self, maps: [&Composed; 2]) -> bool {
        matches!(self.related(maps, Common::Element, (&[], &[Relation::Any, Relation::Any])), Answer::Never)
    }

    fn pair(&mut self, pair: [&AccessRecord; 2], among: Among) -> Answer {
        if self.have_one_owner(pair) {
            return Answer::Never;
        }
        let coordinates = self.same_view(pair).then(|| pair.map(|record| record.indices.as_deref()));
        if let Some([Some(first), Some(second)]) = coordinates {
            let found = self.apart([first, second], Common::Coordinates, among);
            if !matches!(found, Answer::Open) {
                return found;
            }
        }
        self.apart(pair.map(|record| &*record.composed), Common::Element, among)
    }

    /// Whether two accesses go through one view that reaches each of its elements at one point only. The indices of
    /// the tensor itself are such a view.
    pub(super) fn same_view(&mut self, pair: [&AccessRecord; 2]) -> bool {
        match pair.map(|record| record.view.as_ref()) {
            [None, None] => true,
            [Some(first), Some(second)] if first.map == second.map && first.bound == second.bound => {
                self.is_injective(&first.map)
            }
            _ => false,
        }
    }

    /// Whether the map of a view reaches each element at one point only.
    pub(super) fn is_injective(&mut self, map: &Arc<IndexMap>) -> bool {
        let (facts, budget) = (self.evaluator.facts.clone(), self.evaluator.budget().for_proofs());
        self.injective.answer(map, &facts, || proofs::injective(map, &facts, &budget).is_proven())
    }

    fn apart(&self, maps: [&Composed; 2], common: Common, among: Among) -> Answer {
        let launched = &self.typed.launched;
        let [blocks, threads] = [&launched.blocks, &launched.threads].map(|count| count.as_constant() != Some(1));
        let threads = threads && among == Among::Threads;
        let [one, other] = maps.map(|composed| moduli_of_block(&composed.map));
        let moduli = if one.len() < other.len() { other } else { one };
        // Two threads differ in a digit of their blocks while those before are equal, or in one block by their ids.
        let digits = moduli.len() + 1;
        let mut questions: Vec<Vec<Relation>> = Vec::new();
        for digit in 0..digits + 1 {
            if (digit < digits && blocks) || (digit == digits && threads) {
                let mut relations = vec![Relation::Any; digits + 1];
                relations[..digit].fill(Relation::EQUAL);
                relations[digit] = Relation::Different;
                questions.push(relations);
            }
        }
        let mut found = Answer::Never;
        for relations in questions {
            match self.related(maps, common, (&moduli, &relations)) {
                Answer::Never => {}
                meeting @ Answer::At(_) => return meeting,
                Answer::Open => found = Answer::Open,
            }
        }
        found
    }

    /// Whether two accesses have no points in common where the digits of the block for these moduli, and the thread, are
    /// in these relations.
    fn related(&self, maps: [&Composed; 2], common: Common, threads: (&[Sym], &[Relation])) -> Answer {
        match self.related_where(maps, common, threads, false) {
            // What the accesses' conditions say by `!=` takes longer to use, so it is asked for last.
            Answer::Open if maps.iter().any(|composed| composed.unequal.is_some()) => {
                self.related_where(maps, common, threads, true)
            }
            found => found,
        }
    }

    fn related_where(
        &self,
        maps: [&Composed; 2],
        common: Common,
        (moduli, threads): (&[Sym], &[Relation]),
        unequal: bool,
    ) -> Answer {
        let facts = &self.evaluator.facts;
        // The last relation is that of the threads, the others are those of their block.
        let in_one_block =
            threads.split_last().is_some_and(|(_, of_block)| of_block.iter().all(|it| *it == Relation::EQUAL));
        let is_shared = |known: &&UniformValue| {
            (known.everywhere || in_one_block) && maps[1].uniform.iter().any(|other| other.value == known.value)
        };
        let shared: Vec<ValueId> = maps[0].uniform.iter().filter(is_shared).map(|known| known.value).collect();
        let of = |composed: &Composed| composed.unequal.as_ref().filter(|_| unequal).map_or(0, |map| map.lower.len());
        let counts = maps.map(of);
        let zeros = [[0, counts[1]], [counts[0], 0]];
        let with_threads = |place: usize| with_threads(maps[place], moduli, &shared, (zeros[place], unequal), facts);
        let [Ok(first), Ok(second)] = [0, 1].map(with_threads) else { return Answer::Open };
        let own = maps[0].map.lower.len();
        let mut relation = vec![Relation::EQUAL; own];
        relation.extend_from_slice(threads);
        relation.extend(shared.iter().map(|_| Relation::EQUAL));
        relation.extend(std::iter::repeat_n(Relation::Different, counts[0] + counts[1]));
        let exact = maps.iter().all(|composed| composed.exact);
        // A common point of maps that are not exact leaves the question open, so a quick look for one comes first.
        if !exact && meet_at_first(&first, &second, &relation, facts) {
            return Answer::Open;
        }
        match apart(&first, &second, &relation, facts, &self.evaluator.budget()) {
            Verdict::Proven { .. } => Answer::Never,
            Verdict::Refuted { counterexample, .. } if exact => {
                let CounterexampleKind::Collision { first, second, mut lower } = counterexample.kind else {
                    return Answer::Open;
                };
                lower.truncate(own);
                let threads = [(maps[0], &first), (maps[1], &second)]
                    .map(|(composed, point)| executor(composed, point, &counterexample.sizes));
                Answer::At(Meeting { threads, lower, common, sizes: counterexample.sizes })
            }
            _ => Answer::Open,
        }
    }
}

/// Whether two accesses reach one element in different threads.
enum Answer {
    Never,
    At(Meeting),
    Open,
}

/// A map with the digits of the block, the thread and some uniform values as further lower coordinates; if it is asked for, also
/// with those that differ from 0, after and before this many zeros.
fn with_threads(
    composed: &Composed,
    moduli: &[Sym],
    shared: &[ValueId],
    ([before, after], unequal): ([usize; 2], bool),
    facts: &Facts,
) -> Result<IndexMap, MapError> {
    let Composed { map, uniform, .. } = composed;
    let mut builder = MapBuilder::new(map.upper.clone(), facts);
    let coordinates = builder.coordinates()?;
    let coordinate =
        |axis: Option<usize>| axis.and_then(|axis| coordinates.get(axis)).cloned().ok_or(MapError::Malformed);
    let lower = builder.apply(map, &coordinates)?;
    let mut values: Vec<Affine> = lower.into_iter().map(|axis| axis.value).collect();
    let [block, thread] = ids(map);
    let mut rest = coordinate(block)?;
    let mut digits = Vec::new();
    for modulus in moduli {
        digits.push(builder.digit(&rest, &Sym::one(), Some(modulus))?);
        rest = builder.digit(&rest, modulus, None)?;
    }
    values.push(rest);
    values.extend(digits.into_iter().rev());
    values.push(coordinate(thread)?);
    for value in shared {
        let known = uniform.iter().find(|known| known.value == *value).ok_or(MapError::Malformed)?;
        let mut sum = Affine::constant(known.offset.clone());
        for (axis, sign) in &known.axes {
            sum = sum.checked_add(&coordinate(Some(*axis))?.checked_scale(&Sym::constant(*sign))?)?;
        }
        values.push(sum);
    }
    let zeros = |count: usize| std::iter::repeat_n(Affine::constant(Sym::zero()), count);
    values.extend(zeros(before));
    if let Some(map) = composed.unequal.as_ref().filter(|_| unequal) {
        values.extend(builder.apply(map, &coordinates)?.into_iter().map(|axis| axis.value));
    }
    values.extend(zeros(after));
    builder.finish(values.into_iter().map(|value| LowerAxis { value, extent: None }).collect())
}

/// The axes of the block and of the thread.
fn ids(map: &IndexMap) -> [Option<usize>; 2] {
    let mut ids = map.upper.iter().enumerate().filter(|(_, axis)| is_thread(axis.role)).map(|(axis, _)| axis);
    [ids.next(), ids.next()]
}

/// The moduli by which a map takes its block apart, from the fastest digit on, if not all of them are known numbers: those
/// of `for (i, j) in grid(M, N)`, for example. Blocks that differ then differ in a digit, which is easier to see than that
/// a sum of products of digits and sizes differs.
fn moduli_of_block(map: &IndexMap) -> Vec<Sym> {
    let [block, _] = ids(map);
    let is_block = |form: &Affine| match form.terms.as_slice() {
        [(id, coefficient)] if form.constant.is_zero() && coefficient.as_constant() == Some(1) => {
            matches!(map.term(*id), Some(Term::Coordinate(axis)) if Some(*axis as usize) == block)
        }
        _ => false,
    };
    let digits: Vec<(&Sym, Option<&Sym>)> = map
        .terms
        .iter()
        .filter_map(|term| match term {
            Term::Digit { of, divisor, modulus } if is_block(of) => Some((divisor, modulus.as_ref())),
            _ => None,
        })
        .collect();
    let mut moduli: Vec<Sym> = Vec::new();
    let mut divisor = Sym::one();
    while moduli.len() < digits.len() {
        let next = digits.iter().find_map(|(of, modulus)| modulus.filter(|_| **of == divisor));
        let Some(modulus) = next else { break };
        let Ok(product) = divisor.checked_mul(modulus) else { break };
        moduli.push(modulus.clone());
        divisor = product;
    }
    if moduli.is_empty() {
        moduli.extend(digits.iter().map(|(divisor, _)| *divisor).find(|divisor| **divisor != Sym::one()).cloned());
    }
    if moduli.iter().all(|modulus| modulus.as_constant().is_some()) { Vec::new() } else { moduli }
}
