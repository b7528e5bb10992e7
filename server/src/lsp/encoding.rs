//! Conversion between byte offsets and the protocol's lines and columns.

use std::ops::Range;

use check::db::{Db, SourceFile};
use ide::ColumnUnit;
use tower_lsp::ls_types::{self as lsp, PositionEncodingKind};

/// The column unit, chosen from those that a client offers: bytes if possible, since they need no conversion.
pub(super) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> ColumnUnit {
    let offers = |kind: PositionEncodingKind| offered.is_some_and(|offered| offered.contains(&kind));
    if offers(PositionEncodingKind::UTF8) {
        ColumnUnit::Utf8
    } else if offers(PositionEncodingKind::UTF16) || !offers(PositionEncodingKind::UTF32) {
        // The default that every client supports.
        ColumnUnit::Utf16
    } else {
        ColumnUnit::Utf32
    }
}

/// The name of the unit in the protocol.
pub(super) fn name(unit: ColumnUnit) -> PositionEncodingKind {
    match unit {
        ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
        ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
        ColumnUnit::Utf32 => PositionEncodingKind::UTF32,
    }
}

/// The place of a byte.
pub(super) fn position(db: &dyn Db, file: SourceFile, offset: u32, unit: ColumnUnit) -> lsp::Position {
    let ide::Position { line, character } = ide::line_index(db, file).position_in(offset, unit);
    lsp::Position { line, character }
}

/// The place of some bytes.
pub(super) fn range(db: &dyn Db, file: SourceFile, bytes: &Range<u32>, unit: ColumnUnit) -> lsp::Range {
    lsp::Range { start: position(db, file, bytes.start, unit), end: position(db, file, bytes.end, unit) }
}

/// The byte at a place; a place outside of the text is clamped.
pub(super) fn offset(db: &dyn Db, file: SourceFile, position: lsp::Position, unit: ColumnUnit) -> u32 {
    let position = ide::Position { line: position.line, character: position.character };
    ide::line_index(db, file).offset_in(position, unit, file.text(db))
}

/// The bytes of a range; one that ends before it starts is empty.
pub(super) fn bytes(db: &dyn Db, file: SourceFile, range: lsp::Range, unit: ColumnUnit) -> Range<u32> {
    let start = offset(db, file, range.start, unit);
    start..offset(db, file, range.end, unit).max(start)
}
