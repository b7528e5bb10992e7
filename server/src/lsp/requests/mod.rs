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

use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::ls_types::{Documentation, MarkupContent, MarkupKind};

/// The answer to a question that is refused, with a message for the person.
pub(super) fn refused(reason: String) -> Error {
    Error { code: ErrorCode::ServerError(-32803), message: reason.into(), data: None }
}

/// Documentation as the client shows it; Markdown reads well as it is.
fn documentation(value: String, markdown: bool) -> Option<Documentation> {
    (!value.is_empty()).then_some(match markdown {
        true => Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }),
        false => Documentation::String(value),
    })
}
