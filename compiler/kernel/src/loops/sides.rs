//! Maps for the prover, built from forms: from threads and iterators to an element or to values, with conditions.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::access::Access;
use super::node::{LoopId, Node, ValueId};
use super::step::For;
use super::values::Values;
use crate::quasi_affine::Building;
use crate::quasi_affine::FAR;
use crate::storage::stored;
use crate::typed::{MathFunction, Memory};
use dims::{CompareOp, Interval, Sym};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, Mask, MaskReason, UpperAxis};

/// The lower coordinates of a map for the prover, and where it is valid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    /// The element accessed: a map, at coordinates.
    pub reached: Option<(Arc<IndexMap>, Vec<Affine>)>,
    /// Further lower coordinates.
    pub lower: Vec<Affine>,
    /// Conditions with their truth.
    pub guards: Vec<(ValueId, bool)>,
    /// `form op 0`
    pub comparisons: Vec<(Affine, CompareOp)>,
}

/// A map for the prover.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    pub map: IndexMap,
    /// Whether its valid points are exactly those of some run.
    pub exact: bool,
}

/// The most conditions in a map; further ones are left out.
pub(crate) const MOST_CONDITIONS: usize = 48;

impl Values<'_> {
    /// The values that a side depends on, also through their bounds; the conditions; and whether these are exact.
    pub(crate) fn values_of_side(&self, side: &Side) -> (BTreeSet<ValueId>, Vec<(Affine, CompareOp)>, bool) {
        let mut exact = true;
        let mut conditions = side.comparisons.clone();
        for (guard, holds) in side.guards.iter().rev().take(MOST_CONDITIONS) {
            exact &= self.state(*guard, *holds, &mut conditions);
        }
        exact &= side.guards.len() <= MOST_CONDITIONS;
        let mut found = BTreeSet::new();
        let mut open: Vec<ValueId> = Vec::new();
        let coordinates = side.reached.iter().flat_map(|(_, coordinates)| coordinates);
        let stated = conditions.iter().map(|(form, _)| form);
        for form in coordinates.chain(&side.lower).chain(stated) {
            open.extend(self.terms.values_of(form));
        }
        while let Some(id) = open.pop() {
            if !found.insert(id) {
                continue;
            }
            let before = conditions.len();
            exact &= self.bounds(id, &mut conditions);
            open.extend(conditions.iter().skip(before).flat_map(|(form, _)| self.terms.values_of(form)));
        }
        (found, conditions, exact)
    }

    /// Adds the comparisons that bound a value by others. Returns whether they describe it exactly.
    fn bounds(&self, id: ValueId, to: &mut Vec<(Affine, CompareOp)>) -> bool {
        let below = |one: ValueId, other: ValueId| {
            self.form(one).zip(self.form(other)).and_then(|(one, other)| one.checked_sub(&other).ok())
        };
        match self.node(id) {
            Some(Node::Thread | Node::Block) => true,
            Some(Node::Iterator(number)) => {
                let Some([low, high]) = self.bounds_of_loop(*number) else { return false };
                let [first, last] = [below(low, id), below(id, high)];
                let exact = first.is_some() && last.is_some();
                to.extend(first.map(|form| (form, CompareOp::Le)));
                to.extend(last.map(|form| (form, CompareOp::Lt)));
                exact
            }
            Some(Node::Math(function @ (MathFunction::Min | MathFunction::Max), arguments)) => {
                for argument in arguments {
                    let op = if *function == MathFunction::Min { CompareOp::Le } else { CompareOp::Ge };
                    to.extend(below(id, *argument).map(|form| (form, op)));
                }
                false
            }
            _ => false,
        }
    }

    /// The map of a side. `None` if a number is too large.
    pub(crate) fn build(&self, side: &Side) -> Option<Built> {
        let (found, mut conditions, exact) = self.values_of_side(side);
        let mut upper = Vec::new();
        let mut places = Vec::with_capacity(found.len());
        for id in &found {
            let mut place = self.place(*id, upper.len());
            if self.node(*id) == Some(&Node::Thread) {
                self.limit(*id, &mut place, &mut conditions);
            }
            upper.extend(place.axes.iter().cloned());
            places.push((*id, place));
        }
        let map = self.with_axes(side, upper, &places, &conditions).ok()?;
        Some(Built { map, exact })
    }

    /// Takes the conditions `thread < 64` for the extent of the thread's axis. So digits of the thread are known to end there.
    fn limit(&self, thread: ValueId, place: &mut Place, conditions: &mut Vec<(Affine, CompareOp)>) {
        let [axis] = place.axes.as_mut_slice() else { return };
        conditions.retain(|(form, op)| {
            let is_thread = self.terms.is_shifted(form, thread);
            let end = form.constant.checked_neg().ok().and_then(|end| end.as_constant());
            let end = match op {
                CompareOp::Lt => end,
                CompareOp::Le => end.and_then(|end| end.checked_add(1)),
                _ => None,
            };
            let extent = axis.extent.as_ref().and_then(Sym::as_constant);
            match (end.filter(|end| is_thread && *end > 0), extent) {
                (Some(end), Some(extent)) => {
                    axis.extent = Some(Sym::constant(end.min(extent)));
                    false
                }
                _ => true,
            }
        });
    }

    /// The positions in storage that an access in a loop reaches: the iterator is the only local coordinate, and all
    /// other values are fixed. `None` if that has no form.
    pub(super) fn reached(&self, access: &Access, counted: &For) -> Option<IndexMap> {
        let coordinates = access.coordinates.iter().map(|id| self.form(*id)).collect::<Option<Vec<Affine>>>()?;
        let side = Side { reached: Some((access.map.clone(), coordinates)), ..Side::default() };
        let found: BTreeSet<ValueId> =
            side.reached.iter().flat_map(|(_, forms)| forms).flat_map(|form| self.terms.values_of(form)).collect();
        // Other values that change with the iterator have no form.
        let stays = |id: &ValueId| self.get(*id).is_some_and(|value| !value.loops.contains(&counted.id));
        if !found.iter().all(|id| *id == counted.iterator || stays(id)) {
            return None;
        }
        let (mut upper, mut places) = (Vec::new(), Vec::with_capacity(found.len()));
        for id in &found {
            let role = if *id == counted.iterator { AxisRole::Local } else { AxisRole::Thread };
            let place = self.place(*id, upper.len());
            upper.extend(place.axes.iter().map(|axis| UpperAxis { role, ..axis.clone() }));
            places.push((*id, place));
        }
        let map = self.with_axes(&side, upper, &places, &[]).ok()?;
        let Memory::Param(param) = access.memory else { return Some(map) };
        stored(self.kernel.params.get(param)?, map, self.facts()).ok()
    }

    fn with_axes(
        &self,
        side: &Side,
        upper: Vec<UpperAxis>,
        places: &[(ValueId, Place)],
        conditions: &[(Affine, CompareOp)],
    ) -> Result<IndexMap, MapError> {
        let mut builder = MapBuilder::new(upper, self.facts());
        let place = |id: ValueId, builder: &mut MapBuilder<'_>| {
            // Every value in the forms has its coordinates.
            let number = places.binary_search_by_key(&id, |(id, _)| *id).map_err(|_| MapError::Malformed)?;
            places.get(number).ok_or(MapError::Malformed)?.1.value(builder)
        };
        let mut building = Building::new(&self.terms, &mut builder, place);
        for (form, op) in conditions {
            let [low, high] = op.half_open(&Sym::zero())?;
            let value = building.form(form)?;
            let mask = Mask { value, low, high, reason: MaskReason::Guard };
            let mask = building.builder.multiplied_out(&mask).ok().flatten().unwrap_or(mask);
            building.builder.mask(&mask.value, mask.low.as_ref(), mask.high.as_ref(), mask.reason)?;
        }
        let mut lower = Vec::with_capacity(side.lower.len() + 1);
        if let Some((map, coordinates)) = &side.reached {
            let coordinates = coordinates.iter().map(|form| building.form(form)).collect::<Result<Vec<_>, _>>()?;
            lower.extend(building.builder.apply(map, &coordinates)?);
        }
        for form in &side.lower {
            lower.push(LowerAxis { value: building.form(form)?, extent: None });
        }
        builder.finish(lower)
    }

    /// A value as a coordinate, or as the difference of two.
    fn place(&self, id: ValueId, first: usize) -> Place {
        let role = if self.node(id) == Some(&Node::Thread) { AxisRole::Thread } else { AxisRole::Local };
        let axis = |extent: Option<Sym>| UpperAxis { extent, role };
        let launch = &self.kernel.launch;
        let extent = match self.node(id) {
            Some(Node::Thread) => Some(&launch.threads),
            Some(Node::Block) => Some(&launch.blocks),
            _ => None,
        };
        if let Some(extent) = extent {
            return Place { axes: vec![axis(Some(extent.clone()))], first, offset: 0 };
        }
        let Interval { lo, hi } = self.range(id);
        let near = |end: Option<i128>| end.filter(|end| end.abs() < FAR).and_then(|end| i64::try_from(end).ok());
        match (near(lo), near(hi)) {
            (Some(low), high) => {
                let extent = high.map(|high| Sym::constant(high.saturating_sub(low).saturating_add(1).max(0)));
                Place { axes: vec![axis(extent)], first, offset: low }
            }
            (None, _) => Place { axes: vec![axis(None), axis(None)], first, offset: 0 },
        }
    }

    /// The bounds of a loop: the first value, and one past the last.
    pub(crate) fn bounds_of_loop(&self, number: LoopId) -> Option<[ValueId; 2]> {
        self.loop_bounds.get(number).copied()
    }
}

/// The coordinates of a value.
struct Place {
    axes: Vec<UpperAxis>,
    first: usize,
    offset: i64,
}

impl Place {
    fn value(&self, builder: &mut MapBuilder<'_>) -> Result<Affine, MapError> {
        let value = builder.coordinate(self.first)?.checked_offset(&Sym::constant(self.offset))?;
        match self.axes.len() {
            1 => Ok(value),
            _ => value.checked_sub(&builder.coordinate(self.first + 1)?),
        }
    }
}
