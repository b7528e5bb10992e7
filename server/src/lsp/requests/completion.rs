//! Completion.

use ide::{Completion, CompletionKind};
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit,
    InsertTextFormat, MarkupKind, TextEdit,
};

use super::documentation;
use crate::lsp::snapshot::Snapshot;

/// What can stand at a place.
pub(in crate::lsp) fn completion(snapshot: &Snapshot, params: &CompletionParams) -> Option<CompletionResponse> {
    let (file, offset) = snapshot.at(&params.text_document_position)?;
    let snippets = snapshot.session.takes_snippets();
    let markup = snapshot.session.completion_markup();
    let ide::Completions { items, complete } = ide::completions(&snapshot.db, file, offset);
    let items = items.into_iter().map(|found| {
        let range = snapshot.range(file, &found.replace);
        item(found, range, snippets, markup.clone())
    });
    Some(CompletionResponse::List(CompletionList { is_incomplete: !complete, items: items.collect() }))
}

fn item(found: Completion, range: tower_lsp::ls_types::Range, snippets: bool, markup: MarkupKind) -> CompletionItem {
    let is_snippet = found.snippet && snippets;
    let new_text = if found.snippet && !snippets { without_stops(&found.insert) } else { found.insert };
    CompletionItem {
        kind: Some(kind(found.kind)),
        detail: (!found.detail.is_empty()).then_some(found.detail),
        documentation: documentation(&found.documentation, markup),
        sort_text: Some(found.sort),
        filter_text: Some(found.label.clone()),
        label: found.label,
        insert_text_format: Some(if is_snippet { InsertTextFormat::SNIPPET } else { InsertTextFormat::PLAIN_TEXT }),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
        ..Default::default()
    }
}

/// A snippet as plain text: each stop is its own example.
fn without_stops(snippet: &str) -> String {
    let mut text = String::with_capacity(snippet.len());
    let mut rest = snippet;
    while let Some(start) = rest.find('$') {
        let escaped = rest[..start].ends_with('\\');
        text.push_str(if escaped { &rest[..start - 1] } else { &rest[..start] });
        rest = &rest[start + 1..];
        if escaped {
            text.push('$');
        } else if let Some(stop) = rest.strip_prefix('{') {
            let (inside, after) = stop.split_once('}').unwrap_or((stop, ""));
            text.push_str(inside.split_once(':').map_or("", |(_, example)| example));
            rest = after;
        } else {
            rest = rest.trim_start_matches(|character: char| character.is_ascii_digit());
        }
    }
    text + rest
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Function | CompletionKind::Map | CompletionKind::Kernel => CompletionItemKind::FUNCTION,
        CompletionKind::Member => CompletionItemKind::PROPERTY,
        CompletionKind::Shape => CompletionItemKind::STRUCT,
        CompletionKind::Symbol => CompletionItemKind::TYPE_PARAMETER,
        CompletionKind::Constant => CompletionItemKind::CONSTANT,
        CompletionKind::Type => CompletionItemKind::CLASS,
        CompletionKind::Variable | CompletionKind::Parameter | CompletionKind::View => CompletionItemKind::VARIABLE,
        CompletionKind::Value => CompletionItemKind::VALUE,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
        CompletionKind::File => CompletionItemKind::FILE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_without_snippets_gets_their_examples() {
        assert_eq!(without_stops("linear(${1:width}, $0)"), "linear(width, )");
        assert_eq!(without_stops("a \\$ b $1$2"), "a $ b ");
        assert_eq!(without_stops("${1"), "");
    }
}
