//! The answers to requests, one file per kind: from the compiler's types to the protocol's.

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

/// The error for a refused request, with a message for the user.
pub(super) fn refused(reason: String) -> Error {
    Error { code: ErrorCode::ServerError(-32803), message: reason.into(), data: None }
}

/// A document in the client's markup.
fn markup(document: &ide::Document, kind: MarkupKind) -> MarkupContent {
    let value = match kind {
        MarkupKind::Markdown => document.markdown(),
        MarkupKind::PlainText => document.plain(),
    };
    MarkupContent { kind, value }
}

/// The same for a possibly empty document. Plain text is sent without a kind, which old clients do not know.
fn documentation(document: &ide::Document, kind: MarkupKind) -> Option<Documentation> {
    (!document.is_empty()).then(|| match kind {
        MarkupKind::Markdown => Documentation::MarkupContent(markup(document, kind)),
        MarkupKind::PlainText => Documentation::String(document.plain()),
    })
}
