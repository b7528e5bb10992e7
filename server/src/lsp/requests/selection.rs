//! Selection ranges: from a word to the file.

use tower_lsp::ls_types::{SelectionRange, SelectionRangeParams};

use crate::lsp::encoding;
use crate::lsp::snapshot::Snapshot;

/// For each place the ranges around it, each in the next.
pub(in crate::lsp) fn ranges(snapshot: &Snapshot, params: &SelectionRangeParams) -> Option<Vec<SelectionRange>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let unit = snapshot.session.unit;
    let around = |position: &tower_lsp::ls_types::Position| {
        let offset = encoding::offset(&snapshot.db, file, *position, unit);
        let found = ide::selection_ranges(&snapshot.db, file, offset);
        let grown = found.iter().rev().fold(None, |parent, bytes| {
            Some(SelectionRange { range: snapshot.range(file, bytes), parent: parent.map(Box::new) })
        });
        // Every place has an answer, at least an empty range.
        let place = snapshot.range(file, &(offset..offset));
        grown.unwrap_or(SelectionRange { range: place, parent: None })
    };
    Some(params.positions.iter().map(around).collect())
}
