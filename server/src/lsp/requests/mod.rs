//! What the server answers, one file for each kind of question: from the compiler's types to the protocol's.

pub(super) mod code_action;
pub(super) mod diagnostics;
pub(super) mod formatting;
