//! The calls of functions whose bodies are being evaluated.

use crate::values::FunctionValue;
use syntax::span::Span;

/// The most tokens of bodies that one item evaluates by calls, so that functions which call each other twice do not cost
/// more than their text.
pub(super) const MOST_TOKENS: usize = 1 << 18;

/// The same for a function that is checked without a call.
const MOST_TOKENS_OF_DECLARATION: usize = 1 << 12;

/// The calls that an evaluator is in.
#[derive(Clone)]
pub(crate) struct Calls {
    /// Outermost first.
    pub(super) open: Vec<(FunctionValue, Span)>,
    /// The tokens of bodies that may still be evaluated; `None` if they were not enough.
    pub(super) tokens_left: Option<usize>,
    /// Whether a call within itself, or too deep, was reported: what calls it again would report it again.
    pub(super) is_stopped: bool,
}

impl Default for Calls {
    fn default() -> Self {
        Self { open: Vec::new(), tokens_left: Some(MOST_TOKENS), is_stopped: false }
    }
}

impl Calls {
    /// The calls of an evaluator that looks at a body once, without arguments: the limit of an item is left to its caller.
    pub(crate) fn of_declaration() -> Self {
        Self { tokens_left: Some(MOST_TOKENS_OF_DECLARATION), ..Self::default() }
    }

    /// Whether bodies had more tokens than may be evaluated.
    pub(crate) fn are_too_many(&self) -> bool {
        self.tokens_left.is_none()
    }

    /// The place in the item itself for a place in the body that is being evaluated: that of the outermost call.
    pub(crate) fn place(&self, span: Span) -> Span {
        self.open.first().map_or(span, |(_, call)| *call)
    }

    /// Whether a body is being evaluated.
    pub(crate) fn is_inside(&self) -> bool {
        !self.open.is_empty()
    }
}
