//! What every transform says of itself.

use std::fmt;
use std::sync::Arc;

use dims::{Facts, Sym};
use maps::{Affine, MapBuilder, MapError};

use super::Length;
use super::lengths::Lengths;

/// A transform as it is written: what is left out comes from the dimensions that it is applied to.
#[derive(Clone, Debug)]
pub struct Transform(Arc<dyn Rule>);

impl Transform {
    /// The transform with a rule.
    pub(super) fn new(rule: impl Rule + 'static) -> Self {
        Self(Arc::new(rule))
    }

    /// The word that it is called by, such as `pad`.
    pub fn word(&self) -> &'static str {
        self.0.word()
    }

    pub(super) fn rule(&self) -> &dyn Rule {
        &*self.0
    }
}

/// What every transform says of itself.
pub(super) trait Rule: fmt::Debug + Send + Sync {
    /// The word that it is called by.
    fn word(&self) -> &'static str;

    /// The lengths of its lower dimensions as far as they are written; `None`: it takes as many dimensions as it is
    /// given.
    fn written(&self) -> Option<Lengths>;

    /// The lengths of its lower dimensions where it stands alone and not above other dimensions.
    fn alone(&self, _facts: &Facts) -> Result<Option<Lengths>, MapError> {
        Ok(self.written())
    }

    /// The lengths of its upper dimensions above lower ones of these lengths; `None` has no end, or is not known.
    fn upper(&self, lower: &[Length], facts: &Facts) -> Result<Lengths, MapError>;

    /// The lower coordinates of upper ones: the formula.
    fn lower(
        &self,
        upper: &[Affine],
        lengths: &[Length],
        builder: &mut MapBuilder<'_>,
    ) -> Result<Vec<Affine>, MapError>;

    /// The range of lower coordinates that it names, to tell where that leaves the dimension: first and one past last.
    fn reach(&self) -> Option<(Sym, Sym)> {
        None
    }
}
