//! What typing a kernel says of it beside its statements.

use super::claims::Subject;
use super::meaning::{CollectiveLoop, Meaning, TileParts};
use super::shared_array::SharedAccess;
use kernel::Table;
use kernel::typed::{CollectiveId, ParamId};
use syntax::span::Span;

/// What typing a kernel says of it beside its statements, for the proofs, the hints and the editors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The meanings of the names in the body, by the spans of their declarations; complete even if other parts have
    /// errors.
    pub meanings: Vec<(Span, Meaning)>,
    /// The expressions that are tiles, and the sizes that partitions are asked for.
    pub parts: TileParts,
    /// The loops over thread collectives, in the order of the text; complete even if other parts have errors.
    pub collectives: Table<CollectiveId, CollectiveLoop>,
    /// The claims to prove, in the order of the text.
    pub(super) subjects: Vec<Subject>,
    /// For each parameter, the spans of its name and of its element type.
    pub(super) param_spans: Table<ParamId, (Span, Span)>,
    pub(super) shared_accesses: Vec<SharedAccess>,
    /// The span of each `if` and each loop, with that of its condition or its range.
    pub(super) condition_places: Vec<(Span, Span)>,
}
