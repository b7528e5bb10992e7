//! Completion.

use ide::{Completion, CompletionKind, Insertion, Piece};
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit,
    InsertTextFormat, MarkupKind, TextEdit,
};

use super::documentation;
use crate::lsp::snapshot::Snapshot;

/// The completions at a place.
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
    let is_snippet = snippets && found.insert.has_stops();
    let new_text = if is_snippet { snippet(&found.insert) } else { found.insert.plain() };
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

/// An insertion in the protocol's notation: `pad(${1:left}, ${2:right})`.
fn snippet(insertion: &Insertion) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$");
    let mut stops = 0;
    let pieces = insertion.pieces().iter().map(|piece| match piece {
        Piece::Text(text) => escaped(text),
        Piece::Stop(example) => {
            stops += 1;
            let colon = if example.is_empty() { "" } else { ":" };
            format!("${{{stops}{colon}{}}}", escaped(example).replace('}', "\\}"))
        }
    });
    pieces.collect()
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
    fn stops_are_numbered_and_what_the_notation_means_is_escaped() {
        let mut db = ide::CompilerDatabase::default();
        let inserted = |db: &ide::CompilerDatabase, file, offset, label: &str| {
            let found = ide::completions(db, file, offset).items.into_iter().find(|found| found.label == label);
            found.map(|found| (snippet(&found.insert), found.insert.plain()))
        };
        let file = db.set_text("main.shape", "");
        let kernel = "kernel ${1:name}(${2:x: f32[N]}, ${3:y: mut f32[N]}) {\n    ${4}\n}";
        let plain = "kernel name(x: f32[N], y: mut f32[N]) {\n    \n}";
        assert_eq!(inserted(&db, file, 0, "kernel"), Some((kernel.to_owned(), plain.to_owned())));
        let file = db.set_text("main.shape", "const a = ");
        let call = ("cdiv(${1:a}, ${2:b})".to_owned(), "cdiv(a, b)".to_owned());
        assert_eq!(inserted(&db, file, 10, "cdiv"), Some(call));
    }
}
