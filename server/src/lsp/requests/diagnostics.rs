//! Diagnostics: for one document or all files, pushed or pulled.

use std::collections::HashMap;

use check::db::{SourceFile, Workspace};
use check::diagnostics::Severity;
use check::library;
use check::names;
use ide::Finding;
use tower_lsp::ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    NumberOrString, RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDiagnosticReportResult, WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

use crate::lsp::snapshot::Snapshot;
use crate::lsp::{pages, paths};

/// The number of files that are checked before their trees are released: those of thousands would take hundreds of
/// megabytes.
const PART: usize = 16;

/// Codes of unnecessary text, which editors show faded.
const UNNECESSARY: &[&str] = &["surplus-threads"];

/// All diagnostics of a file.
pub(in crate::lsp) fn of_file(snapshot: &Snapshot, file: SourceFile) -> Vec<Diagnostic> {
    snapshot.checked.ensure(&snapshot.db, &[file]);
    let found = ide::diagnostics(&snapshot.db, file);
    let mut all: Vec<Diagnostic> = found.iter().map(|finding| diagnostic(snapshot, finding)).collect();
    all.extend(failed_runs(snapshot, file));
    all
}

/// The diagnostics of an open document; `None` if it is no longer open. A refused document has a single one, which
/// says why.
pub(in crate::lsp) fn of_document(snapshot: &Snapshot, path: &str) -> Option<Vec<Diagnostic>> {
    if let Some(file) = snapshot.db.file(path) {
        return Some(of_file(snapshot, file));
    }
    let reason = names::unreadable_reason(&snapshot.db, path)?;
    Some(vec![Diagnostic {
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String("text-too-large".to_owned())),
        source: Some("shapewright".to_owned()),
        message: format!("{reason}; it is not checked"),
        ..Default::default()
    }])
}

/// Failed expectations of runs, at the expectation; only as long as the meaning of the run is unchanged.
fn failed_runs(snapshot: &Snapshot, file: SourceFile) -> Vec<Diagnostic> {
    let db = &snapshot.db;
    if !snapshot.results.has_any(file.path(db)) {
        return Vec::new();
    }
    let failed = ide::run_items(db, file).into_iter().filter_map(|run| {
        let message = snapshot.results.get(file.path(db), &run.id())?.texts(db, run.item).problem?;
        let place = ide::run_places(db, run.item)?.expectation;
        Some(Diagnostic {
            range: snapshot.range(file, &place),
            severity: Some(DiagnosticSeverity::ERROR),
            code: Some(NumberOrString::String("run-failed".to_owned())),
            source: Some("shapewright".to_owned()),
            message,
            ..Default::default()
        })
    });
    failed.collect()
}

pub(super) fn diagnostic(snapshot: &Snapshot, finding: &Finding) -> Diagnostic {
    let related = finding.related.iter().filter_map(|(location, message)| {
        Some(DiagnosticRelatedInformation { location: snapshot.location(location)?, message: message.clone() })
    });
    let related: Vec<_> = related.collect();
    let client = &snapshot.session;
    let tagged = client.shows_tags() && UNNECESSARY.contains(&finding.code);
    let message = std::iter::once(&finding.message).chain(&finding.help).cloned().collect::<Vec<_>>().join("\n");
    Diagnostic {
        range: snapshot.range(finding.location.file, &finding.location.range),
        severity: Some(severity(finding.severity)),
        code: Some(NumberOrString::String(finding.code.to_owned())),
        code_description: client
            .shows_pages()
            .then(|| pages::uri(finding.code))
            .flatten()
            .map(|href| CodeDescription { href }),
        source: Some("shapewright".to_owned()),
        message,
        related_information: (client.shows_related() && !related.is_empty()).then_some(related),
        tags: tagged.then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Information => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}

/// An id that tells whether a client has these diagnostics already.
fn result_id(diagnostics: &[Diagnostic]) -> String {
    let bytes = serde_json::to_vec(diagnostics).unwrap_or_default();
    blake3::hash(&bytes).to_hex()[..16].to_owned()
}

/// The diagnostics of one document, or that they are unchanged.
pub(in crate::lsp) fn pull(snapshot: &Snapshot, params: &DocumentDiagnosticParams) -> DocumentDiagnosticReportResult {
    let path = paths::path_of(&params.text_document.uri);
    let items = of_document(snapshot, &path).unwrap_or_default();
    let id = result_id(&items);
    let report = if params.previous_result_id.as_ref() == Some(&id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items },
        })
    };
    DocumentDiagnosticReportResult::Report(report)
}

/// The paths of all unchecked files of the workspace, in parts for checking in sequence.
pub(in crate::lsp) fn unchecked_parts(snapshot: &Snapshot) -> Vec<Vec<String>> {
    let db = &snapshot.db;
    let files = snapshot.checked.missing(db, Workspace::get(db).files(db).values().copied());
    files.chunks(PART).map(|part| part.iter().map(|file| file.path(db).to_owned()).collect()).collect()
}

/// Checks some files, so that their diagnostics are cached. The trees of files that are not open are released.
pub(in crate::lsp) fn check_part(snapshot: &Snapshot, paths: &[String]) {
    let db = &snapshot.db;
    let files: Vec<SourceFile> = paths.iter().filter_map(|path| db.file(path)).collect();
    snapshot.checked.ensure(db, &files);
    for file in files {
        ide::diagnostics(db, file);
        if !snapshot.open.contains_key(file.path(db)) {
            file.let_go_of_trees(db);
        }
    }
}

/// The diagnostics of all files of the workspace that the client does not have yet.
pub(in crate::lsp) fn pull_workspace(
    snapshot: &Snapshot,
    params: &WorkspaceDiagnosticParams,
) -> WorkspaceDiagnosticReportResult {
    let known: HashMap<&str, &str> =
        params.previous_result_ids.iter().map(|known| (known.uri.as_str(), known.value.as_str())).collect();
    let files = Workspace::get(&snapshot.db).files(&snapshot.db);
    let own = files.values().filter(|file| library::name(file.path(&snapshot.db)).is_none());
    let reports = own.filter_map(|file| {
        let uri = snapshot.uri(*file)?;
        let version = snapshot.open.get(file.path(&snapshot.db)).map(|(_, version)| i64::from(*version));
        let items = of_file(snapshot, *file);
        let id = result_id(&items);
        Some(if known.get(uri.as_str()) == Some(&id.as_str()) {
            WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
            })
        } else {
            WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version,
                full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items },
            })
        })
    });
    WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items: reports.collect() })
}
