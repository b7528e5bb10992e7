//! The questions about costs that an evaluator has answered.

use std::sync::Arc;

use maps::IndexMap;
use proofs::memory::{BankConflicts, ElementSize, Lanes, Sectors, VectorWidth};
use syntax::span::Span;

/// A question about costs that was evaluated, with its answer, for the message of a failed assertion.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The span of the whole question, from the map to the closing parenthesis.
    pub(crate) span: Span,
    /// The map in the question.
    pub(crate) map: Arc<IndexMap>,
    /// The size of its elements.
    pub(crate) element: ElementSize,
    /// The answer.
    pub(crate) found: Cost,
}

/// The answer to a question about costs.
#[derive(Clone, Debug)]
pub(crate) enum Cost {
    Vector(VectorWidth),
    Banks(Lanes, BankConflicts),
    Sectors(Sectors),
}
