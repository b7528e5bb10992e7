//! Hover.

use tower_lsp::ls_types::{Hover, HoverContents, HoverParams};

use super::markup;
use crate::lsp::pictures;
use crate::lsp::snapshot::Snapshot;

/// The hover at a place.
pub(in crate::lsp) fn hover(snapshot: &Snapshot, params: &HoverParams) -> Option<Hover> {
    let (file, offset) = snapshot.at(&params.text_document_position_params)?;
    let found = ide::hover(&snapshot.db, file, offset)?;
    let mut shown = found.shown;
    pictures::add_to_hover(snapshot, file, offset, &mut shown);
    if let Some(result) = last_result(snapshot, file, offset) {
        shown.push(result);
    }
    let contents = HoverContents::Markup(markup(&shown, snapshot.session.hover_markup()));
    Some(Hover { contents, range: Some(snapshot.range(file, &found.range)) })
}

/// The last result of the run at the cursor.
fn last_result(snapshot: &Snapshot, file: check::db::SourceFile, offset: u32) -> Option<String> {
    let db = &snapshot.db;
    let item = ide::cursor(db, file, offset)?.item;
    let run = ide::run_items(db, file).into_iter().find(|run| run.item == item)?;
    let outcome = snapshot.results.get(file.path(db), &run.id())?;
    let Ok(run) = &outcome.ended else { return Some(format!("Last run: {}", outcome.texts(db, item).inlay)) };
    // Such as why `auto` passed over a GPU.
    let notes: String = run.notes.iter().map(|note| format!("\n\nNote: {note}")).collect();
    Some(format!("Last run on {}: {}{notes}", run.device, outcome.texts(db, item).inlay))
}
