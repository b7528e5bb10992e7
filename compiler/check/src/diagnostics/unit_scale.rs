//! A unit with an invalid factor.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::values::Value;
use maps::threads::{ThreadsError, Unit};
use syntax::span::Span;

/// The documentation of `unit-scale`.
pub static PAGE: Page = Page {
    code: "unit-scale",
    severity: Severity::Error,
    title: "a unit cannot be multiplied by this",
    explanation: "`8 * cuda_thread` is a unit of 8 threads next to each other: a unit may be multiplied by a positive number, or divided by one,
which scales its box. A unit of one dimension scales that one. A unit of several dimensions scales the only one of which it
takes a part, so that it is clear in which direction it grows; where it takes a part of several, or of none, write the unit
out.",
    wrong: "unit pairs = 2 * cuda_quadpair;
",
    right: "unit pairs = (blockDim / 16, 16; 4, 4);
",
};

/// The reason why a unit cannot be scaled.
pub(crate) enum NoScale<'a> {
    /// The factor is no number.
    Kind(&'a Value),
    /// The factor is not positive.
    NotPositive(i64),
}

/// `unit` is scaled by anything but a positive number.
pub(crate) fn unit_scale(span: Span, unit: &Unit, why: &NoScale<'_>) -> Diagnostic {
    let found = match why {
        NoScale::Kind(value) => value.kind().to_string(),
        NoScale::NotPositive(number) => number.to_string(),
    };
    refused(span, format!("`{unit}` is scaled by a positive number, found {found}"))
}

/// It is ambiguous which dimension of a unit is scaled.
pub(crate) fn unit_scale_ambiguous(span: Span, error: &ThreadsError) -> Diagnostic {
    refused(span, error.to_string())
}

fn refused(span: Span, message: String) -> Diagnostic {
    PAGE.at(span, message).label("cannot be scaled so")
}
