//! Inlay hints: computed shapes and verdicts, and how runs went.

use shapewright_compiler::db::SourceFile;
use shapewright_compiler::ide;
use tower_lsp::ls_types::{
    InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, InlayHintTooltip, MarkupContent, MarkupKind,
};

use crate::lsp::snapshot::Snapshot;

/// The hints of a part of a document.
pub(in crate::lsp) fn hints(snapshot: &Snapshot, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    if !snapshot.settings.inlay_hints {
        return Some(Vec::new());
    }
    let file = snapshot.file(&params.text_document.uri)?;
    let part = snapshot.bytes(file, params.range);
    let found = ide::inlay_hints(&snapshot.db, file, part.clone());
    let mut hints: Vec<InlayHint> = found
        .into_iter()
        .map(|found| InlayHint {
            tooltip: tooltip(found.tooltip),
            padding_left: Some(found.padded),
            ..hint(snapshot, file, found.position, found.label)
        })
        .collect();
    let of_runs =
        results(snapshot, file).into_iter().filter(|(position, _)| (part.start..=part.end).contains(position));
    hints.extend(
        of_runs
            .map(|(position, label)| InlayHint { padding_left: Some(true), ..hint(snapshot, file, position, label) }),
    );
    Some(hints)
}

fn tooltip(value: String) -> Option<InlayHintTooltip> {
    let markup = MarkupContent { kind: MarkupKind::Markdown, value };
    (!markup.value.is_empty()).then_some(InlayHintTooltip::MarkupContent(markup))
}

fn hint(snapshot: &Snapshot, file: SourceFile, position: u32, label: String) -> InlayHint {
    InlayHint {
        position: snapshot.range(file, &(position..position)).start,
        label: InlayHintLabel::String(label),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: None,
    }
}

/// How runs went, each behind its run.
fn results(snapshot: &Snapshot, file: SourceFile) -> Vec<(u32, String)> {
    let db = &snapshot.db;
    let found = ide::run_items(db, file).into_iter().filter_map(|(id, item)| {
        let outcome = snapshot.results.get(file.path(db), &id)?;
        Some((ide::run_places(db, item)?.run.end, outcome.texts(db, item).inlay))
    });
    found.collect()
}
