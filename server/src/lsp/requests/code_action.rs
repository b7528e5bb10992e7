//! Code actions: fixes of diagnostics, and rewrites.

use std::ops::Range;

use check::db::SourceFile;
use ide::{Assist, AssistKind};
use serde_json::json;
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Command, Uri,
};

use super::diagnostics;
use crate::lsp::snapshot::Snapshot;

/// All kinds of code actions.
pub(in crate::lsp) fn kinds() -> Vec<CodeActionKind> {
    use AssistKind::{Extract, FixAll, Inline, QuickFix, Rewrite};
    [QuickFix, Rewrite, Extract, Inline, FixAll].map(kind).into()
}

/// The code actions for a range.
pub(in crate::lsp) fn actions(snapshot: &Snapshot, params: &CodeActionParams) -> Option<CodeActionResponse> {
    let file = snapshot.file(&params.text_document.uri)?;
    let range = snapshot.bytes(file, params.range);
    let wanted = |offered: &CodeActionKind| {
        let is_part = |only: &CodeActionKind| {
            let (only, offered) = (only.as_str(), offered.as_str());
            offered == only || offered.strip_prefix(only).is_some_and(|rest| rest.starts_with('.'))
        };
        params.context.only.as_ref().is_none_or(|only| only.iter().any(is_part))
    };
    let asked = range.clone();
    let mut found = ide::assists(&snapshot.db, file, range);
    // It checks the file again, so it must be requested explicitly.
    if params.context.only.is_some() && wanted(&kind(AssistKind::FixAll)) {
        found.extend(ide::fix_all(&snapshot.db, file));
    }
    let counterexamples = if snapshot.session.own_editor && wanted(&CodeActionKind::QUICKFIX) {
        counterexamples(snapshot, file, &params.text_document.uri, asked)
    } else {
        Vec::new()
    };
    let actions = found.into_iter().filter(|assist| wanted(&kind(assist.kind)));
    let actions = actions.filter_map(|assist| action(snapshot, assist));
    Some(actions.chain(counterexamples).map(CodeActionOrCommand::CodeAction).collect())
}

/// For each refuted claim about a map, to show its counterexample: a command of Shapewright's own editors.
fn counterexamples(snapshot: &Snapshot, file: SourceFile, uri: &Uri, range: Range<u32>) -> Vec<CodeAction> {
    let claims = ide::refuted_claims(&snapshot.db, file, range).into_iter();
    let action = |claim: ide::RefutedClaim| {
        let command = Command {
            title: "Show counterexample".to_owned(),
            command: "shapewright.showLens".to_owned(),
            arguments: Some(vec![json!({ "uri": uri, "name": claim.text, "claim": true })]),
        };
        CodeAction {
            title: format!("Show the counterexample to `{}`", claim.text),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: claim.finding.map(|finding| vec![diagnostics::diagnostic(snapshot, &finding)]),
            command: Some(command),
            ..Default::default()
        }
    };
    claims.map(action).collect()
}

fn action(snapshot: &Snapshot, assist: Assist) -> Option<CodeAction> {
    Some(CodeAction {
        edit: Some(snapshot.edits(&assist.edits)?),
        diagnostics: assist.mends.map(|finding| vec![diagnostics::diagnostic(snapshot, &finding)]),
        title: assist.title,
        kind: Some(kind(assist.kind)),
        is_preferred: Some(assist.is_preferred),
        ..Default::default()
    })
}

fn kind(kind: AssistKind) -> CodeActionKind {
    match kind {
        AssistKind::QuickFix => CodeActionKind::QUICKFIX,
        AssistKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        AssistKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        AssistKind::Inline => CodeActionKind::REFACTOR_INLINE,
        AssistKind::FixAll => CodeActionKind::SOURCE_FIX_ALL,
    }
}
