//! The handlers of the protocol's requests and notifications. Each first sends a task to the owner.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::ThreadPool;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::notification::{Notification, WorkDoneProgressCancel};
use tower_lsp::ls_types::request::{RegisterCapability, WorkspaceConfiguration};
use tower_lsp::ls_types::*;
use tower_lsp::{ClientSocket, LanguageServer, LspService};

use super::outbox::Outbox;
use super::owner::{Owner, Subject};
use super::requests;
use super::session::Session;
use super::snapshot::Snapshot;
use super::state::State;
use super::{capabilities, commands, paths, runs};

/// The section of the client's settings.
const SECTION: &str = "shapewright";

/// Forwards everything to the owner.
pub(super) struct Backend {
    owner: Owner,
    /// Whether the client has requested a shutdown, as it should before it exits.
    goodbye: Arc<AtomicBool>,
}

impl Backend {
    /// The service of a session, whose owner is handed to `known`. If the owner could not be started, `problem` says why, and
    /// the service is unusable.
    pub(super) fn service(
        pool: Arc<ThreadPool>,
        frames: UnboundedSender<Vec<u8>>,
        goodbye: Arc<AtomicBool>,
        problem: &mut Option<String>,
        known: &mut Option<Owner>,
    ) -> (LspService<Backend>, ClientSocket) {
        LspService::build(|client| {
            let outbox = Outbox::new(client, frames);
            let owner = Owner::start(move |owner| State::new(owner, outbox, pool));
            let owner = owner.unwrap_or_else(|error| {
                *problem = Some(format!("the server's threads cannot be started: {error}"));
                Owner::nobody()
            });
            *known = Some(owner.clone());
            Backend { owner, goodbye }
        })
        .custom_method(WorkDoneProgressCancel::METHOD, Backend::cancel_progress)
        .finish()
    }

    /// The user cancels a progress; the library has no handler for this notification.
    async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.owner.send(move |state| state.running.stop_by_token(&params.token));
    }

    /// Answers a question about a place in a document.
    async fn at<T: Send + 'static>(
        &self,
        what: &'static str,
        uri: &Uri,
        read: impl Fn(&Snapshot) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        let subject = Subject { place: Some(paths::path_of(uri)), ..Subject::default() };
        self.owner.read(what, subject, read).await
    }

    /// Answers a question about a place in a document that also depends on all files.
    async fn at_and_everywhere<T: Send + 'static>(
        &self,
        what: &'static str,
        uri: &Uri,
        read: impl Fn(&Snapshot) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        let subject = Subject { place: Some(paths::path_of(uri)), everywhere: true, ..Subject::default() };
        self.owner.read(what, subject, read).await
    }

    /// Answers a question about the latest text of a document.
    async fn latest<T: Send + 'static>(
        &self,
        what: &'static str,
        uri: &Uri,
        read: impl Fn(&Snapshot) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        let subject = Subject { document: Some(paths::path_of(uri)), ..Subject::default() };
        self.owner.read(what, subject, read).await
    }

    /// Answers a question about the latest texts of all files.
    async fn everywhere<T: Send + 'static>(
        &self,
        what: &'static str,
        read: impl Fn(&Snapshot) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        self.owner.read(what, Subject { everywhere: true, ..Subject::default() }, read).await
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let session = Session::new(&params);
        let capabilities = capabilities::for_client(&session);
        let folders = folders(&params);
        self.owner.send(move |state| state.begin(session, folders));
        Ok(InitializeResult {
            capabilities,
            server_info: Some(ServerInfo {
                name: "shapewright".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..Default::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        self.owner.send(|state| {
            // Before this notification nothing may be sent to the client, such as errors in its settings.
            if let Some(settings) = state.session().settings.clone() {
                state.configure(&settings);
            }
            watch_files(state);
            ask_for_settings(state);
            state.load_folders();
            state.tell_status();
            state.look_for_devices();
        });
    }

    async fn shutdown(&self) -> Result<()> {
        self.goodbye.store(true, Ordering::Relaxed);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, version, text, .. } = params.text_document;
        self.owner.send(move |state| state.open(uri, version, &text));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        self.owner.send(move |state| state.change(&uri, version, &params.content_changes));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.owner.send(move |state| state.close(&params.text_document.uri));
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        runs::on_save(&self.owner, params.text_document.uri);
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        commands::execute(&self.owner, params).await
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let uris: Vec<Uri> = params.changes.into_iter().map(|change| change.uri).collect();
        self.owner.send(move |state| state.files_changed(&uris));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: Vec<WorkspaceFolder>| -> Vec<PathBuf> {
            folders.iter().filter_map(|folder| Some(folder.uri.to_file_path()?.into_owned())).collect()
        };
        let (added, removed) = (paths(params.event.added), paths(params.event.removed));
        self.owner.send(move |state| state.change_folders(added, &removed));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.owner.send(move |state| {
            // A client that supports configuration requests often sends nothing here, or an old value.
            if !ask_for_settings(state) {
                let section = params.settings.get(SECTION).cloned().unwrap_or(params.settings);
                state.configure(&section);
            }
        });
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::diagnostics::pull(snapshot, &params);
        let report = self.latest("textDocument/diagnostic", &uri, read).await;
        self.owner.send(|state| state.refresh_waiting_hints());
        report
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        let what = "workspace/diagnostic";
        for part in self.everywhere(what, requests::diagnostics::unchecked_parts).await? {
            let check = move |snapshot: &Snapshot| requests::diagnostics::check_part(snapshot, &part);
            self.owner.read(what, Subject::default(), check).await?;
            self.owner.ask(what, State::evict).await?;
        }
        // An edit may have intervened, so all files are queried again; most results are cached.
        self.everywhere(what, move |snapshot| requests::diagnostics::pull_workspace(snapshot, &params)).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri.clone();
        self.at_and_everywhere("textDocument/codeAction", &uri, move |snapshot| {
            requests::code_action::actions(snapshot, &params)
        })
        .await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = params.text_document.uri.clone();
        self.at("textDocument/formatting", &uri, move |snapshot| requests::formatting::document(snapshot, &params))
            .await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = params.text_document.uri.clone();
        self.at("textDocument/rangeFormatting", &uri, move |snapshot| requests::formatting::range(snapshot, &params))
            .await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.at("textDocument/hover", &uri, move |snapshot| requests::hover::hover(snapshot, &params)).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let uri = params.text_document_position.text_document.uri.clone();
        self.at("textDocument/completion", &uri, move |snapshot| requests::completion::completion(snapshot, &params))
            .await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        self.at("textDocument/signatureHelp", &uri, move |snapshot| requests::signature::help(snapshot, &params)).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::navigation::definition(snapshot, &params);
        self.at("textDocument/definition", &uri, read).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let uri = params.text_document_position.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::navigation::references(snapshot, &params);
        self.at_and_everywhere("textDocument/references", &uri, read).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        let uri = params.text_document_position_params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::navigation::highlights(snapshot, &params);
        self.at("textDocument/documentHighlight", &uri, read).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::symbols::document(snapshot, &params);
        self.latest("textDocument/documentSymbol", &uri, read).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        let read = move |snapshot: &Snapshot| requests::symbols::workspace(snapshot, &params);
        let found = self.everywhere("workspace/symbol", read).await?;
        Ok(Some(WorkspaceSymbolResponse::Flat(found)))
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::folding::ranges(snapshot, &params);
        self.latest("textDocument/foldingRange", &uri, read).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        let uri = params.text_document.uri.clone();
        self.at("textDocument/selectionRange", &uri, move |snapshot| requests::selection::ranges(snapshot, &params))
            .await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::links::links(snapshot, &params);
        self.latest("textDocument/documentLink", &uri, read).await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::rename::prepare(snapshot, &params);
        self.at("textDocument/prepareRename", &uri, read).await?
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let uri = params.text_document_position.text_document.uri.clone();
        self.at_and_everywhere("textDocument/rename", &uri, move |snapshot| requests::rename::rename(snapshot, &params))
            .await?
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::code_lens::lenses(snapshot, &params);
        self.latest("textDocument/codeLens", &uri, read).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = params.text_document.uri.clone();
        self.at("textDocument/inlayHint", &uri, move |snapshot| requests::inlay_hints::hints(snapshot, &params)).await
    }

    async fn inlay_hint_resolve(&self, hint: InlayHint) -> Result<InlayHint> {
        let Some(uri) = requests::inlay_hints::origin(&hint) else { return Ok(hint) };
        let read = {
            let uri = uri.clone();
            move |snapshot: &Snapshot| requests::inlay_hints::resolve(snapshot, &uri, &hint)
        };
        self.at("inlayHint/resolve", &uri, read).await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::semantic_tokens::full(snapshot, &params);
        let tokens = self.latest("textDocument/semanticTokens/full", &uri, read).await?;
        Ok(tokens.map(SemanticTokensResult::Tokens))
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::semantic_tokens::delta(snapshot, &params);
        self.latest("textDocument/semanticTokens/full/delta", &uri, read).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let uri = params.text_document.uri.clone();
        let read = move |snapshot: &Snapshot| requests::semantic_tokens::range(snapshot, &params);
        let tokens = self.at("textDocument/semanticTokens/range", &uri, read).await?;
        Ok(tokens.map(SemanticTokensRangeResult::Tokens))
    }
}

/// The folders of the workspace; an old client names one in another field.
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let path = |uri: &Uri| uri.to_file_path().map(std::borrow::Cow::into_owned);
    if let Some(folders) = &params.workspace_folders {
        return folders.iter().filter_map(|folder| path(&folder.uri)).collect();
    }
    #[expect(deprecated, reason = "clients that know no workspace folders send it")]
    let root = params.root_uri.as_ref().and_then(path);
    root.into_iter().collect()
}

/// Asks the client to report changes of `.shape` files, if it can.
fn watch_files(state: &State) {
    if !state.session().watches_files() {
        return;
    }
    let watchers = serde_json::json!({ "watchers": [{ "globPattern": "**/*.shape" }] });
    let registration = Registration {
        id: "watch-shape-files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: Some(watchers),
    };
    state.outbox().ask::<RegisterCapability>(RegistrationParams { registrations: vec![registration] }, |_| {});
}

/// Requests the settings from the client; returns whether it supports that.
fn ask_for_settings(state: &State) -> bool {
    if !state.session().answers_settings() {
        return false;
    }
    let owner = state.owner();
    let items = vec![ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) }];
    state.outbox().ask::<WorkspaceConfiguration>(ConfigurationParams { items }, move |answer| {
        let section: Option<Value> = answer.and_then(|sections| sections.into_iter().next());
        // A client without settings of this section sends null.
        if let Some(section) = section.filter(|section| !section.is_null()) {
            owner.send(move |state| state.configure(&section));
        }
    });
    true
}
