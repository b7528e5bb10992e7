//! Coordinates of an access, raised where it stands, in maps over block id, thread id, iterators and unknowns.

use smol_str::SmolStr;

use dims::{CompareOp, Facts};
use kernel::raise::{Axes, Case, Form, Raiser, ValueId};
use kernel::typed::LocalVariable;
use maps::{Affine, IndexMap, LowerAxis, MapBuilder, MapError};

/// A map over the axes of a statement: block id, thread id, iterators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Composed {
    /// Its one lower coordinate is an index or an element.
    pub(super) map: IndexMap,
    /// What the coordinates are called; empty where they have no name.
    pub(super) names: Vec<SmolStr>,
    /// Whether its valid coordinates are exactly those that occur.
    pub(super) exact: bool,
    /// The coordinates that are one value in all threads of the launch: a parameter, for example.
    pub(super) uniform: Vec<(usize, ValueId)>,
}

/// What of the conditions around an access is part of its map.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Around {
    /// All of them, as masks.
    Conditions,
    /// Those that compare nothing but what the coordinates are made of and ids, which no data decides: the map reaches
    /// whatever the access does.
    WithoutData,
    /// None of them: the map reaches whatever the access does.
    Nothing,
}

/// Raised coordinates with their axes.
pub(super) struct Raised {
    axes: Axes,
    forms: Vec<Form>,
    conditions: Vec<(Form, CompareOp)>,
}

impl Raised {
    pub(super) fn new(raiser: &mut Raiser, coordinates: &[ValueId], around: Around) -> Self {
        let mut axes = Axes::new(raiser, &[]);
        let forms = coordinates.iter().map(|value| axes.form(raiser, *value)).collect();
        let conditions = match around {
            Around::Conditions => axes.conditions(raiser),
            Around::WithoutData => axes.conditions_without_data(raiser),
            Around::Nothing => Vec::new(),
        };
        Self { axes, forms, conditions }
    }

    /// The cases in which more is known of the coordinates and of the conditions around them, at most `most`.
    pub(super) fn cases(&self, raiser: &Raiser, most: usize) -> Vec<Case> {
        raiser.cases(&self.axes, most)
    }

    /// The map at the coordinates, and whether its valid points are exactly those that occur.
    pub(super) fn of_map(&self, raiser: &Raiser, map: &IndexMap, facts: &Facts) -> Result<(IndexMap, bool), MapError> {
        let mut exact = self.axes.exact;
        let composed = maps::with_coordinates(map, self.axes.upper(), facts, |builder| {
            exact &= self.axes.state(raiser, &self.conditions, builder)?;
            self.built(raiser, builder)
        });
        Ok((composed?, exact))
    }

    /// The first coordinate alone, as the lower coordinate of a map.
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

    /// The axes of what all threads of the launch see as one value.
    pub(super) fn uniform(&self, raiser: &Raiser) -> Vec<(usize, ValueId)> {
        self.axes.uniform(raiser)
    }

    /// What the axes are called in messages.
    pub(super) fn names(&self, raiser: &Raiser, locals: &[LocalVariable]) -> Vec<SmolStr> {
        self.axes.names(raiser, locals)
    }
}
