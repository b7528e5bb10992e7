//! Inlay hints: computed shapes and verdicts, and results of runs.

use std::ops::Range;

use check::db::SourceFile;
use ide::Document;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, InlayHintTooltip, Uri};

use super::markup;
use crate::lsp::snapshot::Snapshot;

/// The data of a hint without its tooltip, for resolving it.
#[derive(Debug, Serialize, Deserialize)]
struct Origin {
    uri: Uri,
}

/// The hints of a part of a document.
pub(in crate::lsp) fn hints(snapshot: &Snapshot, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    if !snapshot.settings.inlay_hints {
        return Some(Vec::new());
    }
    let file = snapshot.file(&params.text_document.uri)?;
    let part = snapshot.bytes(file, params.range);
    let found = known_hints(snapshot, file, part.clone());
    let origin = serde_json::to_value(Origin { uri: params.text_document.uri.clone() }).ok();
    let origin = origin.filter(|_| snapshot.session.resolves_inlay_tooltips());
    let mut hints: Vec<InlayHint> = found
        .into_iter()
        .map(|found| {
            let tooltip = tooltip(snapshot, &found.tooltip);
            InlayHint {
                data: origin.clone().filter(|_| tooltip.is_some()),
                tooltip: tooltip.filter(|_| origin.is_none()),
                padding_left: Some(found.padded),
                ..hint(snapshot, file, found.position, found.label)
            }
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

/// The hints that are known without waiting. If a running check may add some, the client is told when it ends.
fn known_hints(snapshot: &Snapshot, file: SourceFile, part: Range<u32>) -> Vec<ide::InlayHint> {
    let found = ide::inlay_hints(&snapshot.db, file, part.clone());
    if found.complete {
        return found.hints;
    }
    snapshot.checked.await_hints();
    // The check may have ended before the flag was set.
    ide::inlay_hints(&snapshot.db, file, part).hints
}

/// The document of a hint with an unresolved tooltip.
pub(in crate::lsp) fn origin(hint: &InlayHint) -> Option<Uri> {
    let origin: Origin = serde_json::from_value(hint.data.clone()?).ok()?;
    Some(origin.uri)
}

/// A hint with its tooltip. One that an edit has changed stays unresolved: the client requests all hints again.
pub(in crate::lsp) fn resolve(snapshot: &Snapshot, uri: &Uri, hint: &InlayHint) -> InlayHint {
    let found = || {
        let InlayHintLabel::String(label) = &hint.label else { return None };
        let file = snapshot.file(uri)?;
        let place = tower_lsp::ls_types::Range { start: hint.position, end: hint.position };
        let known = ide::inlay_hints(&snapshot.db, file, snapshot.bytes(file, place)).hints;
        let same = known.into_iter().find(|known| known.label == *label)?;
        tooltip(snapshot, &same.tooltip)
    };
    InlayHint { tooltip: found(), ..hint.clone() }
}

fn tooltip(snapshot: &Snapshot, known: &Document) -> Option<InlayHintTooltip> {
    (!known.is_empty()).then(|| InlayHintTooltip::MarkupContent(markup(known, snapshot.session.hover_markup())))
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

/// The results of runs, each after its run.
fn results(snapshot: &Snapshot, file: SourceFile) -> Vec<(u32, String)> {
    let db = &snapshot.db;
    let found = ide::run_items(db, file).into_iter().filter_map(|run| {
        let outcome = snapshot.results.get(file.path(db), &run.id())?;
        Some((ide::run_places(db, run.item)?.run.end, outcome.texts(db, run.item).inlay))
    });
    found.collect()
}
