//! The form of a value: a sum of coefficient · axis, and how far it can be relied on.

use std::sync::Arc;

use dims::Sym;
use maps::{Affine, MapError};

/// The form of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// A sum over the terms of the raiser. A coordinate is an id, an iterator counted from zero, or an unknown.
    pub(super) sum: Arc<Affine>,
    /// The number of terms, including nested ones.
    pub(super) terms: u32,
    /// Whether an unknown part is held by no variable.
    pub(super) has_unnamed: bool,
    /// Whether the form is the same under all conditions. Otherwise it depends on conditions which prove that something
    /// does not wrap or is not negative.
    pub(super) settled: bool,
    /// The number of available steps, if they were too few to raise all of it; with more steps it may be more precise.
    pub(super) ran_out_of: Option<u32>,
}

impl Form {
    pub(super) fn with(&self, sum: Affine) -> Form {
        Form { sum: Arc::new(sum), ..self.clone() }
    }

    pub(super) fn joined(&self, other: &Form, sum: Affine) -> Form {
        Form {
            sum: Arc::new(sum),
            terms: self.terms.saturating_add(other.terms),
            has_unnamed: self.has_unnamed || other.has_unnamed,
            settled: self.settled && other.settled,
            ran_out_of: None,
        }
    }

    /// Whether an unknown part of it is held by no variable.
    pub(super) fn is_of_unnamed(&self) -> bool {
        self.has_unnamed
    }

    /// The difference of two forms.
    pub(super) fn minus(&self, other: &Form) -> Result<Form, MapError> {
        Ok(self.joined(other, self.sum.checked_sub(&other.sum)?))
    }

    /// The form as an operand inside a term.
    pub(super) fn nested(self) -> Form {
        Form { terms: self.terms.saturating_add(1), ..self }
    }

    /// The form of a size.
    pub(super) fn constant(value: Sym) -> Form {
        Form { sum: Arc::new(Affine::constant(value)), terms: 0, has_unnamed: false, settled: true, ran_out_of: None }
    }
}
