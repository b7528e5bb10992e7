//! What the server answers, one file for each kind of question: from the compiler's types to the protocol's.

pub(super) mod code_action;
pub(super) mod code_lens;
pub(super) mod completion;
pub(super) mod diagnostics;
pub(super) mod folding;
pub(super) mod formatting;
pub(super) mod hover;
pub(super) mod inlay_hints;
pub(super) mod links;
pub(super) mod navigation;
pub(super) mod rename;
pub(super) mod selection;
pub(super) mod semantic_tokens;
pub(super) mod signature;
pub(super) mod symbols;
