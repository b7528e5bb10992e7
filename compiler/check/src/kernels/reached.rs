//! The maps of accesses that were determined so far.

use std::sync::Arc;

use super::raised::{Around, Composed};
use super::remembered::{Interned, Remembered, Same};
use crate::values::Value;
use kernel::raise::{Doubt, Knowledge, ValueId};
use kernel::typed::Memory;
use maps::{IndexMap, MapError};
use syntax::span::Span;

/// What a map leads to.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// The element that this map of a view reaches.
    Element(Same<IndexMap>),
    /// The coordinates at which this map of a view is evaluated.
    Coordinates(Same<IndexMap>),
    /// The indices of the shared array with this layout.
    Indices(Same<IndexMap>),
}

/// The values at which an access is evaluated, and what is known there.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Point {
    pub(super) values: Vec<ValueId>,
    pub(super) known: Knowledge,
}

/// The maps of one coordinate of an access.
#[derive(Clone)]
pub(super) struct Coordinate {
    pub(super) composed: Arc<Composed>,
    /// The map in each case of an exhaustive list, if cases give more information.
    pub(super) cases: Vec<Arc<Composed>>,
    /// Why less is known of it than its text seems to say.
    pub(super) doubt: Option<Doubt>,
}

/// The maps that were determined so far.
#[derive(Clone, Default)]
pub(super) struct Reached {
    pub(super) maps: Remembered<(Target, Around, Point), Arc<Composed>>,
    pub(super) coordinates: Remembered<Point, Coordinate>,
}

/// The maps that a checker has determined so far.
#[derive(Clone, Default)]
pub(super) struct KnownMaps {
    /// The maps of accesses, interned.
    pub(super) composed: Interned<Composed>,
    /// The maps of accesses by their values.
    pub(super) reached: Reached,
    /// The maps of views, by their places in the text.
    pub(super) views: Remembered<Span, Value>,
    /// Other maps, interned.
    pub(super) maps: Interned<IndexMap>,
    /// The maps of tensors that are indexed directly.
    pub(super) direct: Remembered<Memory, Arc<IndexMap>>,
    /// Maps with only those masks that have to be tested inside the guards of an access.
    pub(super) tested: Remembered<Same<Composed>, Result<Arc<IndexMap>, MapError>>,
}
