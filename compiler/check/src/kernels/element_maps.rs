//! The maps from the axes of a statement to the elements and indices that its accesses reach.
//!
//! They are determined once for equal values at places where the same is known, since programs often access the same
//! element several times.

use std::sync::Arc;

use super::checker::Checker;
use super::claims::AccessRecord;
use super::raised::{Around, Composed, Raised};
use super::reached::{Coordinate, Point, Target};
use super::remembered::Same;
use super::tiles::variable;
use super::view::View;
use crate::diagnostics;
use dims::{Facts, Sym};
use kernel::raise::{Case, Raiser, UniformValue, ValueId};
use kernel::typed::{Expr, Local, Locals, Memory};
use maps::{AxisRole, IndexMap, LowerAxis, MapBuilder, MapError};
use syntax::span::Span;

impl Checker<'_> {
    /// The map to the element of a view, with the conditions at the access that `around` selects.
    pub(super) fn composed(
        &mut self,
        around: Around,
        view: &View,
        coordinates: &[ValueId],
        span: Span,
    ) -> Option<Arc<Composed>> {
        let target = Target::Element(Same::new(&view.map));
        let found = self.leading_to(target, around, coordinates, |raised, raiser, facts| {
            if !raiser.fits(&view.map, coordinates) {
                return Err(MapError::Overflow);
            }
            raised.of_map(raiser, &view.map, facts)
        });
        if let Err(MapError::Overflow) = found {
            let name = self.memories.name(view.memory);
            return self.report(diagnostics::index_overflow(span, &name));
        }
        self.built(span, found)
    }

    /// The map from the points of a tile to the elements of a view, if the offsets of all of them are known to fit, and that to
    /// the view's indices, if there are several. Each of the `axes` counts as a thread, also one on which no coordinate depends.
    pub(super) fn scattered_points(
        &mut self,
        view: &View,
        coordinates: &[ValueId],
        axes: &[Local],
        span: Span,
    ) -> Option<[Option<Arc<Composed>>; 2]> {
        let axes: Vec<ValueId> = axes.iter().map(|axis| self.raiser.value(&variable(*axis))).collect();
        let block = self.raiser.value(&Expr::block_id());
        let is_of_block = matches!(view.memory, Memory::Shared(_));
        let raised = Raised::with_axes(&mut self.raiser, coordinates, &axes, Around::Conditions);
        let of_points = |checker: &mut Self, found: Result<(IndexMap, bool), MapError>| {
            let found = checker.built(span, found)?;
            let mut found = raised.described(&checker.raiser, &checker.locals, &checker.evaluator.facts, found);
            for axis in axes.iter().filter_map(|axis| raised.axis_of(*axis)) {
                found.map.upper.get_mut(axis)?.role = AxisRole::Thread;
            }
            // Each block has a shared array of its own, so only points of one block may meet in it.
            if let Some(axis) = raised.axis_of(block).filter(|_| is_of_block) {
                found.map.upper.get_mut(axis)?.role = AxisRole::Local;
                found.uniform.push(UniformValue {
                    value: block,
                    everywhere: true,
                    offset: Sym::zero(),
                    axes: vec![(axis, 1)],
                });
            }
            Some(checker.found.maps.composed.one(found))
        };
        let mut maps = [None, None];
        if self.raiser.fits(&view.map, coordinates) {
            let found = raised.of_map(&self.raiser, &view.map, &self.evaluator.facts);
            maps[0] = Some(of_points(self, found)?);
        }
        if coordinates.len() > 1 {
            let found = raised.of_coordinates(&self.raiser, &view.map, &self.evaluator.facts);
            maps[1] = Some(of_points(self, found)?);
        }
        Some(maps)
    }

    /// The map to the coordinates at which a view is evaluated.
    pub(super) fn coordinate_map(&mut self, view: &View, coordinates: &[ValueId], span: Span) -> Option<Arc<Composed>> {
        let target = Target::Coordinates(Same::new(&view.map));
        let found = self.leading_to(target, Around::Conditions, coordinates, |raised, raiser, facts| {
            raised.of_coordinates(raiser, &view.map, facts)
        });
        self.built(span, found)
    }

    /// The map to the indices of a shared array with this layout.
    pub(super) fn indices_of(
        &mut self,
        layout: &Arc<IndexMap>,
        coordinates: &[ValueId],
    ) -> Result<Arc<Composed>, MapError> {
        let target = Target::Indices(Same::new(layout));
        self.leading_to(target, Around::Conditions, coordinates, |raised, raiser, facts| {
            let mut builder = MapBuilder::new(layout.upper.clone(), facts);
            let coordinates = builder.coordinates()?.into_iter().zip(&layout.upper);
            let lower = coordinates.map(|(value, axis)| LowerAxis { value, extent: axis.extent.clone() }).collect();
            raised.of_map(raiser, &builder.finish(lower)?, facts)
        })
    }

    fn leading_to(
        &mut self,
        target: Target,
        around: Around,
        values: &[ValueId],
        build: impl FnOnce(&Raised, &mut Raiser, &Facts) -> Result<(IndexMap, bool), MapError>,
    ) -> Result<Arc<Composed>, MapError> {
        let question = (target, around, self.point(values));
        if let Some(known) = self.found.maps.reached.maps.known(&question, &self.evaluator.facts) {
            return Ok(known);
        }
        let raised = Raised::new(&mut self.raiser, values, around);
        let map = build(&raised, &mut self.raiser, &self.evaluator.facts)?;
        let composed = self.described(&raised, map);
        self.found.maps.reached.maps.keep(question, Arc::clone(&composed));
        Ok(composed)
    }

    fn point(&self, values: &[ValueId]) -> Point {
        Point { values: values.to_vec(), known: self.raiser.knowledge() }
    }

    fn described(&mut self, raised: &Raised, found: (IndexMap, bool)) -> Arc<Composed> {
        self.found.maps.composed.one(raised.described(&self.raiser, &self.locals, &self.evaluator.facts, found))
    }

    /// The maps of a coordinate, as a whole and in each of its cases.
    pub(super) fn coordinate(&mut self, value: ValueId, span: Span) -> Option<Coordinate> {
        let question = self.point(&[value]);
        if let Some(known) = self.found.maps.reached.coordinates.known(&question, &self.evaluator.facts) {
            return Some(known);
        }
        let raised = Raised::new(&mut self.raiser, &[value], Around::Conditions);
        let map = raised.of_coordinate(&self.raiser, &self.evaluator.facts);
        let map = self.built(span, map)?;
        let composed = self.described(&raised, map);
        let cases = self.cases_of_coordinate(&raised, &composed, value, span)?;
        let doubt = if composed.exact { None } else { self.raiser.doubt(value) };
        let found = Coordinate { composed, cases, doubt };
        self.found.maps.reached.coordinates.keep(question, found.clone());
        Some(found)
    }

    /// The maps of a coordinate in each of its cases. Those of loops whose iterators decide come first; a map that is inexact in such
    /// a case, or as a whole, is divided by a condition or a choice that no map states.
    fn cases_of_coordinate(
        &mut self,
        raised: &Raised,
        whole: &Composed,
        coordinate: ValueId,
        span: Span,
    ) -> Option<Vec<Arc<Composed>>> {
        let mut cases = raised.cases(&self.raiser, self.context.cases);
        if cases.is_empty() && !whole.exact {
            cases = raised.sides(&mut self.raiser);
        }
        let mut divided = Divided {
            locals: &self.locals,
            facts: &self.evaluator.facts,
            left: self.context.cases,
            found: Vec::with_capacity(cases.len()),
        };
        let all = divided.cases(&mut self.raiser, &cases, coordinate, MOST_SIDES);
        let Divided { left, found, .. } = divided;
        self.context.cases = left;
        let is_divided = self.built(span, all)?;
        Some(found.into_iter().filter(|_| is_divided).map(|case| self.found.maps.composed.one(case)).collect())
    }

    /// An access in each alternative of a choice in its coordinates, where no map states the choice.
    pub(super) fn alternatives(&mut self, access: &AccessRecord, view: &View, values: &[ValueId]) -> Vec<AccessRecord> {
        if access.composed.exact || !access.executed || !self.is_mutable(view.memory) || access.tile.is_some() {
            return Vec::new();
        }
        let raised = Raised::new(&mut self.raiser, values, Around::Conditions);
        let cases = raised.alternatives(&self.raiser);
        if cases.len() > self.context.cases {
            return Vec::new();
        }
        self.context.cases -= cases.len();
        let (locals, facts) = (&self.locals, &self.evaluator.facts);
        let mut found = Vec::new();
        for case in cases {
            let maps = self.raiser.in_case(values, &case, |raiser, values| {
                let raised = Raised::new(raiser, values, Around::Conditions);
                let of = |map| raised.described(raiser, locals, facts, map);
                let indices = match &access.indices {
                    Some(_) => Some(of(raised.of_coordinates(raiser, &view.map, facts).ok()?)),
                    None => None,
                };
                Some((of(raised.of_map(raiser, &view.map, facts).ok()?), indices))
            });
            let (composed, indices) = match maps {
                // The conditions exclude this alternative.
                None => continue,
                Some(None) => return Vec::new(),
                Some(Some(maps)) => maps,
            };
            found.push(AccessRecord {
                composed: self.found.maps.composed.one(composed),
                indices: indices.map(|indices| self.found.maps.composed.one(indices)),
                unconditional: None,
                without_data: None,
                claims: Vec::new(),
                ..access.clone()
            });
        }
        found
    }
}

/// The most conditions and choices within each other by which a coordinate is divided.
const MOST_SIDES: u32 = 3;

/// The cases of a coordinate so far.
struct Divided<'a> {
    locals: &'a Locals,
    facts: &'a Facts,
    /// How many cases of the kernel may still be looked at.
    left: usize,
    found: Vec<Composed>,
}

impl Divided<'_> {
    /// Adds the maps of a coordinate in some cases, each of them divided again while that may state more. Whether there were few
    /// enough of them.
    fn cases(
        &mut self,
        raiser: &mut Raiser,
        cases: &[Case],
        coordinate: ValueId,
        sides: u32,
    ) -> Result<bool, MapError> {
        for case in cases {
            let Some(left) = self.left.checked_sub(1) else { return Ok(false) };
            self.left = left;
            let is_within_limits = raiser.in_case(&[coordinate], case, |raiser, coordinates| {
                let raised = Raised::new(raiser, coordinates, Around::Conditions);
                let composed =
                    raised.described(raiser, self.locals, self.facts, raised.of_coordinate(raiser, self.facts)?);
                let further = match (composed.exact, coordinates) {
                    (false, [coordinate]) if sides > 0 => Some((raised.sides(raiser), *coordinate)),
                    _ => None,
                };
                match further {
                    Some((cases, coordinate)) if !cases.is_empty() => self.cases(raiser, &cases, coordinate, sides - 1),
                    _ => {
                        self.found.push(composed);
                        Ok(true)
                    }
                }
            });
            if !is_within_limits.unwrap_or(Ok(true))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
