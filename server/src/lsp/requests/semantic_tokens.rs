//! Semantic tokens.

use check::db::SourceFile;
use ide::{Colour, Modifiers};
use tower_lsp::ls_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta,
    SemanticTokensDeltaParams, SemanticTokensEdit, SemanticTokensFullDeltaResult, SemanticTokensLegend,
    SemanticTokensParams, SemanticTokensRangeParams,
};

use crate::lsp::snapshot::Snapshot;

/// The token types and modifiers, by number.
pub(in crate::lsp) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::KEYWORD,
            SemanticTokenType::NUMBER,
            SemanticTokenType::STRING,
            SemanticTokenType::COMMENT,
            SemanticTokenType::OPERATOR,
            SemanticTokenType::VARIABLE,
            SemanticTokenType::PARAMETER,
            SemanticTokenType::FUNCTION,
            SemanticTokenType::TYPE,
            SemanticTokenType::PROPERTY,
            SemanticTokenType::ENUM_MEMBER,
        ],
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::READONLY,
            SemanticTokenModifier::MODIFICATION,
            SemanticTokenModifier::DEFAULT_LIBRARY,
        ],
    }
}

/// The number of a colour in [`legend`].
fn number(colour: Colour) -> u32 {
    match colour {
        Colour::Keyword => 0,
        Colour::Number => 1,
        Colour::String => 2,
        Colour::Comment => 3,
        Colour::Operator => 4,
        Colour::Variable => 5,
        Colour::Parameter => 6,
        Colour::Function => 7,
        Colour::Type => 8,
        Colour::Property => 9,
        Colour::EnumMember => 10,
    }
}

/// The bits of modifiers in [`legend`].
fn bits(modifiers: Modifiers) -> u32 {
    u32::from(modifiers.declaration)
        | u32::from(modifiers.readonly) << 1
        | u32::from(modifiers.modification) << 2
        | u32::from(modifiers.default_library) << 3
}

/// All tokens of a document.
pub(in crate::lsp) fn full(snapshot: &Snapshot, params: &SemanticTokensParams) -> Option<SemanticTokens> {
    let file = snapshot.file(&params.text_document.uri)?;
    let data = encoded(snapshot, file, None);
    let (id, _) = snapshot.sent.replace(file.path(&snapshot.db), &data, "");
    Some(SemanticTokens { result_id: Some(id), data })
}

/// The change since an earlier answer; all tokens if that is no longer known.
pub(in crate::lsp) fn delta(
    snapshot: &Snapshot,
    params: &SemanticTokensDeltaParams,
) -> Option<SemanticTokensFullDeltaResult> {
    let file = snapshot.file(&params.text_document.uri)?;
    let data = encoded(snapshot, file, None);
    let (id, before) = snapshot.sent.replace(file.path(&snapshot.db), &data, &params.previous_result_id);
    Some(match before {
        Some(before) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
            result_id: Some(id),
            edits: edit(&before, &data).into_iter().collect(),
        }),
        None => SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id: Some(id), data }),
    })
}

/// The tokens of a part of a document.
pub(in crate::lsp) fn range(snapshot: &Snapshot, params: &SemanticTokensRangeParams) -> Option<SemanticTokens> {
    let file = snapshot.file(&params.text_document.uri)?;
    let part = snapshot.bytes(file, params.range);
    Some(SemanticTokens { result_id: None, data: encoded(snapshot, file, Some(part)) })
}

/// Tokens in the protocol's encoding: positions relative to the previous token.
fn encoded(snapshot: &Snapshot, file: SourceFile, part: Option<std::ops::Range<u32>>) -> Vec<SemanticToken> {
    let (mut line, mut column) = (0, 0);
    let lines = ide::line_index(&snapshot.db, file);
    let mut position = lines.positions_in(snapshot.session.unit);
    let tokens = ide::semantic_tokens(&snapshot.db, file, part).into_iter();
    tokens
        .map(|token| {
            let (start, end) = (position(token.range.start), position(token.range.end));
            let delta_line = start.line - line;
            let delta_start = start.character - if delta_line == 0 { column } else { 0 };
            (line, column) = (start.line, start.character);
            SemanticToken {
                delta_line,
                delta_start,
                length: end.character.saturating_sub(start.character),
                token_type: number(token.colour),
                token_modifiers_bitset: bits(token.modifiers),
            }
        })
        .collect()
}

/// The one edit between two lists, without their common prefix and suffix.
fn edit(before: &[SemanticToken], after: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let front = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    let (before, after) = (&before[front..], &after[front..]);
    let back = before.iter().rev().zip(after.iter().rev()).take_while(|(before, after)| before == after).count();
    let (removed, added) = (before.len() - back, &after[..after.len() - back]);
    // Positions count numbers, of which each token has five.
    let edit =
        SemanticTokensEdit { start: 5 * front as u32, delete_count: 5 * removed as u32, data: Some(added.to_vec()) };
    (removed > 0 || !added.is_empty()).then_some(edit)
}
