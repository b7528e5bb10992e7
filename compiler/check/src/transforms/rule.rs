//! The interface of transforms.

use std::fmt;
use std::sync::Arc;

use dims::{Facts, Sym};
use maps::{Affine, MapBuilder, MapError};

use super::Length;
use super::lengths::Lengths;

/// A transform as it is written; omitted lengths come from the dimensions to which it is applied.
#[derive(Clone, Debug)]
pub struct Transform(Arc<dyn Rule>);

impl Transform {
    pub(super) fn new(rule: impl Rule + 'static) -> Self {
        Self(Arc::new(rule))
    }

    /// Its name, such as `pad`.
    pub fn word(&self) -> &'static str {
        self.0.word()
    }

    pub(super) fn rule(&self) -> &dyn Rule {
        &*self.0
    }
}

/// The rule of a transform.
pub(super) trait Rule: fmt::Debug + Send + Sync {
    /// Its name.
    fn word(&self) -> &'static str;

    /// The given lengths of its lower dimensions; `None` if it takes any number of dimensions.
    fn written(&self) -> Option<Lengths>;

    /// The lengths of its lower dimensions if it is used as a map of its own.
    fn alone(&self, _facts: &Facts) -> Result<Option<Lengths>, MapError> {
        Ok(self.written())
    }

    /// The lengths of its upper dimensions, given those of the lower ones; `None` if a length is unbounded or unknown.
    fn upper(&self, lower: &[Length], facts: &Facts) -> Result<Lengths, MapError>;

    /// The formula: the lower coordinates of upper ones.
    fn lower(
        &self,
        upper: &[Affine],
        lengths: &[Length],
        builder: &mut MapBuilder<'_>,
    ) -> Result<Vec<Affine>, MapError>;

    /// The range of lower coordinates that it refers to, for a notice if it exceeds the dimension: start and end,
    /// exclusive.
    fn reach(&self) -> Option<(Sym, Sym)> {
        None
    }
}
