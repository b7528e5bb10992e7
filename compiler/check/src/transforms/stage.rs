//! Stages of pipelines: transforms side by side, each above some of the dimensions.

use std::sync::Arc;

use super::{Fit, Length, Transform};
use dims::{Facts, Sym};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, UpperAxis};

/// A transform or map above some dimensions.
#[derive(Clone, Debug)]
pub enum Operator {
    /// A transform.
    Transform(Transform),
    /// A map whose lower coordinates are the dimensions' coordinates.
    Map(Arc<IndexMap>),
}

/// One part of a stage.
#[derive(Clone, Debug)]
pub struct Part {
    /// The transform or map.
    pub operator: Operator,
    /// The lengths of its dimensions.
    pub fit: Fit,
    /// The dimensions below the stage that it takes, in its own order.
    pub lower: Vec<usize>,
    /// The dimensions of the stage that it makes, in its own order.
    pub upper: Vec<usize>,
}

/// The map of a stage. `below` has the dimensions below it, each taken by exactly one part; the upper dimensions of the
/// parts are together `0..n`. A dimension that is made from a thread dimension is one, too.
///
/// # Errors
/// If the parts do not fit together, or if a size overflows 64 bits.
pub fn stage(parts: &[Part], below: &[UpperAxis], facts: &Facts) -> Result<IndexMap, MapError> {
    let rank = parts.iter().map(|part| part.upper.len()).sum();
    let mut axes: Vec<Option<UpperAxis>> = vec![None; rank];
    for part in parts {
        let of_threads = part.lower.iter().any(|id| below.get(*id).is_some_and(|axis| axis.role == AxisRole::Thread));
        for (position, (id, length)) in part.upper.iter().zip(&part.fit.upper).enumerate() {
            let own = match &part.operator {
                Operator::Map(map) => map.upper.get(position).map(|axis| axis.role),
                Operator::Transform(_) => None,
            };
            let role = if of_threads { AxisRole::Thread } else { own.unwrap_or(AxisRole::Local) };
            *axes.get_mut(*id).ok_or(MapError::Malformed)? = Some(UpperAxis { extent: length.clone(), role });
        }
    }
    let axes: Vec<UpperAxis> = axes.into_iter().collect::<Option<_>>().ok_or(MapError::Malformed)?;
    let mut builder = MapBuilder::new(axes, facts);
    let coordinates = builder.coordinates()?;
    let mut lower: Vec<Option<LowerAxis>> = vec![None; below.len()];
    for part in parts {
        let own: Option<Vec<Affine>> = part.upper.iter().map(|id| coordinates.get(*id).cloned()).collect();
        let made = part.apply(&own.ok_or(MapError::Malformed)?, below, &mut builder)?;
        for (id, axis) in part.lower.iter().zip(made) {
            *lower.get_mut(*id).ok_or(MapError::Malformed)? = Some(axis);
        }
    }
    builder.finish(lower.into_iter().collect::<Option<_>>().ok_or(MapError::Malformed)?)
}

impl Part {
    fn apply(
        &self,
        upper: &[Affine],
        below: &[UpperAxis],
        builder: &mut MapBuilder<'_>,
    ) -> Result<Vec<LowerAxis>, MapError> {
        let transform = match &self.operator {
            Operator::Map(map) => return builder.apply(map, upper),
            Operator::Transform(transform) => transform,
        };
        let values = transform.rule().lower(upper, &self.fit.lower, builder)?;
        let mut lower = Vec::with_capacity(values.len());
        for ((value, length), id) in values.into_iter().zip(&self.fit.lower).zip(&self.lower) {
            let below: &Length = below.get(*id).map_or(&None, |axis| &axis.extent);
            if below != length {
                // A given length that differs from the dimension's bounds the coordinate, too.
                let low = length.as_ref().map(|_| Sym::zero());
                builder.mask(&value, low.as_ref(), length.as_ref(), MaskReason::Padding)?;
            }
            lower.push(LowerAxis { value, extent: below.clone() });
        }
        Ok(lower)
    }
}
