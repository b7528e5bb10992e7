//! Folding.

use ide::FoldKind;
use tower_lsp::ls_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

use crate::lsp::snapshot::Snapshot;

/// What can be folded in a document.
pub(in crate::lsp) fn ranges(snapshot: &Snapshot, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let found = ide::folding_ranges(&snapshot.db, file).into_iter().map(|fold| {
        let range = snapshot.range(file, &fold.range);
        FoldingRange {
            start_line: range.start.line,
            start_character: Some(range.start.character),
            end_line: range.end.line,
            end_character: Some(range.end.character),
            kind: match fold.kind {
                FoldKind::Code => None,
                FoldKind::Comment => Some(FoldingRangeKind::Comment),
                FoldKind::Uses => Some(FoldingRangeKind::Imports),
            },
            collapsed_text: None,
        }
    });
    Some(found.collect())
}
