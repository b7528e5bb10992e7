//! Coordinates of accesses, raised and placed in maps over block id, thread id, iterators and unknowns.

use smol_str::SmolStr;

use dims::{CompareOp, Facts, Sym};
use kernel::raise::{Axes, Case, Form, Raiser, UniformValue, ValueId};
use kernel::typed::Locals;
use maps::{Affine, IndexMap, LowerAxis, MapBuilder, MapError};

/// A map over block id, thread id, iterators and unknowns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Composed {
    /// The map; its one lower coordinate is an index or an element.
    pub(super) map: IndexMap,
    /// For each of its coordinates, the iterator that it is, and the iterator's value where it is 0.
    pub(super) iterators: Vec<Option<(SmolStr, Sym)>>,
    /// Whether its valid coordinates are exactly those that occur, rather than a superset.
    pub(super) exact: bool,
    /// Whether it is inexact for more than a formula that no map states: data, or a condition, decides what occurs.
    pub(super) of_data: bool,
    /// The values that are uniform across the launch, such as parameters, or in each block, by the coordinates that stand for them.
    pub(super) uniform: Vec<UniformValue>,
    /// A map whose lower coordinates differ from 0 at each point that occurs, by conditions `!=`, which no mask states.
    pub(super) unequal: Option<IndexMap>,
}

/// How a map treats the conditions around its access.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Around {
    /// They are masks of the map.
    Conditions,
    /// Conditions on data are left out, except for data in the coordinates, so the map reaches a superset of the
    /// elements.
    WithoutData,
    /// They are left out, so the map reaches a superset of the elements.
    Nothing,
}

/// Raised coordinates with their axes.
pub(super) struct Raised {
    axes: Axes,
    forms: Vec<Form>,
    conditions: Vec<(Form, CompareOp)>,
    unequal: Vec<Form>,
}

impl Raised {
    pub(super) fn new(raiser: &mut Raiser, coordinates: &[ValueId], around: Around) -> Self {
        let mut axes = Axes::new(raiser, &[]);
        let forms = coordinates.iter().map(|value| axes.form(raiser, *value)).collect();
        let conditions = match around {
            Around::Conditions => axes.conditions(raiser, coordinates),
            Around::WithoutData => axes.conditions_without_data(raiser),
            Around::Nothing => Vec::new(),
        };
        let unequal = if around == Around::Nothing { Vec::new() } else { axes.unequal(raiser) };
        Self { axes, forms, conditions, unequal }
    }

    /// The same, with axes for further values, on which the coordinates need not depend.
    pub(super) fn with_axes(raiser: &mut Raiser, coordinates: &[ValueId], also: &[ValueId], around: Around) -> Self {
        let all: Vec<ValueId> = coordinates.iter().chain(also).copied().collect();
        let mut raised = Self::new(raiser, &all, around);
        raised.forms.truncate(coordinates.len());
        raised
    }

    /// The axis of an iterator.
    pub(super) fn axis_of(&self, iterator: ValueId) -> Option<usize> {
        self.axes.axis_of(iterator)
    }

    /// The cases that give more information about the coordinates and the conditions; empty if there are more than
    /// `most`.
    pub(super) fn cases(&self, raiser: &Raiser, most: usize) -> Vec<Case> {
        raiser.cases(&self.axes, most)
    }

    /// The cases of one condition or choice that no map states.
    pub(super) fn sides(&self, raiser: &mut Raiser) -> Vec<Case> {
        raiser.sides(&self.axes, &self.forms)
    }

    /// The alternatives of a choice in the coordinates.
    pub(super) fn alternatives(&self, raiser: &Raiser) -> Vec<Case> {
        raiser.alternatives_of(&self.forms)
    }

    /// The composition of a map with the coordinates, and whether its valid points are exactly those that occur.
    pub(super) fn of_map(&self, raiser: &Raiser, map: &IndexMap, facts: &Facts) -> Result<(IndexMap, bool), MapError> {
        let mut exact = self.axes.exact;
        let composed = maps::with_coordinates(map, self.axes.upper(), facts, |builder| {
            exact &= self.axes.state(raiser, &self.conditions, builder)?;
            self.built(raiser, builder)
        });
        Ok((composed?, exact))
    }

    /// A map whose lower coordinates are the raised coordinates, where `map` is valid at them.
    pub(super) fn of_coordinates(
        &self,
        raiser: &Raiser,
        map: &IndexMap,
        facts: &Facts,
    ) -> Result<(IndexMap, bool), MapError> {
        let mut builder = MapBuilder::new(self.axes.upper(), facts);
        let stated = self.axes.state(raiser, &self.conditions, &mut builder)?;
        let coordinates = self.built(raiser, &mut builder)?;
        builder.apply(map, &coordinates)?;
        let lower = coordinates.into_iter().map(|value| LowerAxis { value, extent: None }).collect();
        Ok((builder.finish(lower)?, stated && self.axes.exact))
    }

    /// A map whose lower coordinate is the first raised coordinate.
    pub(super) fn of_coordinate(&self, raiser: &Raiser, facts: &Facts) -> Result<(IndexMap, bool), MapError> {
        let mut builder = MapBuilder::new(self.axes.upper(), facts);
        let stated = self.axes.state(raiser, &self.conditions, &mut builder)?;
        let lower = self.built(raiser, &mut builder)?.into_iter().take(1);
        let lower = lower.map(|value| LowerAxis { value, extent: None }).collect();
        Ok((builder.finish(lower)?, stated && self.axes.exact))
    }

    fn built(&self, raiser: &Raiser, builder: &mut MapBuilder<'_>) -> Result<Vec<Affine>, MapError> {
        self.forms.iter().map(|form| self.axes.build(raiser, form, builder)).collect()
    }

    /// The map with what is known of its coordinates.
    pub(super) fn described(
        &self,
        raiser: &Raiser,
        locals: &Locals,
        facts: &Facts,
        (map, exact): (IndexMap, bool),
    ) -> Composed {
        // Axes that are exact, in a map that is not: a condition has no mask.
        let of_data = !exact && (self.axes.of_data || self.axes.exact);
        let (iterators, uniform) = (self.axes.iterators(raiser, locals), self.uniform(raiser));
        let unequal = self.unequal(raiser, facts);
        Composed { map, iterators, exact, of_data, uniform, unequal }
    }

    fn unequal(&self, raiser: &Raiser, facts: &Facts) -> Option<IndexMap> {
        if self.unequal.is_empty() {
            return None;
        }
        let mut builder = MapBuilder::new(self.axes.upper(), facts);
        let form = |form: &Form| {
            let value = self.axes.build(raiser, form, &mut builder).ok()?;
            Some(LowerAxis { value, extent: None })
        };
        let lower = self.unequal.iter().map(form).collect::<Option<Vec<LowerAxis>>>()?;
        builder.finish(lower).ok()
    }

    /// The values that are uniform across the launch, or in each block.
    pub(super) fn uniform(&self, raiser: &Raiser) -> Vec<UniformValue> {
        self.axes.uniform(raiser)
    }
}
