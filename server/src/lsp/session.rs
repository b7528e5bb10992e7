//! The client's parameters at the start of the session.

use ide::ColumnUnit;
use pictures::Theme;
use serde_json::Value;
use tower_lsp::ls_types::{
    ClientCapabilities, CompletionItemCapability, InitializeParams, MarkupKind, PublishDiagnosticsClientCapabilities,
    SignatureInformationSettings, TextDocumentClientCapabilities, WorkspaceClientCapabilities,
};

use super::encoding;

/// The client's capabilities and options.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    /// What columns are counted in.
    pub(super) unit: ColumnUnit,
    /// The client's capabilities, read through the methods below.
    capabilities: ClientCapabilities,
    /// Whether kernels may be run: not in an untrusted workspace.
    pub(super) run_allowed: bool,
    /// Whether the client is one of Shapewright's own editors, which know its lens commands and notifications.
    pub(super) own_editor: bool,
    /// The colours of pictures in hovers, if the client shows images there.
    pub(super) hover_pictures: Option<Theme>,
    /// The settings that the session begins with.
    pub(super) settings: Option<Value>,
}

impl Session {
    /// Reads the first request of a session.
    pub(super) fn new(params: &InitializeParams) -> Self {
        let capabilities = params.capabilities.clone();
        let general = capabilities.general.as_ref();
        let unit = encoding::negotiate(general.and_then(|general| general.position_encodings.as_deref()));
        let option = |name: &str| params.initialization_options.as_ref().and_then(|options| options.get(name));
        Self {
            unit,
            run_allowed: option("runAllowed").and_then(Value::as_bool).unwrap_or(true),
            settings: option("settings").cloned(),
            hover_pictures: option("pictures").and_then(hover_theme),
            own_editor: option("lenses").and_then(Value::as_bool).unwrap_or(false),
            capabilities,
        }
    }

    fn document(&self) -> Option<&TextDocumentClientCapabilities> {
        self.capabilities.text_document.as_ref()
    }

    fn workspace(&self) -> Option<&WorkspaceClientCapabilities> {
        self.capabilities.workspace.as_ref()
    }

    /// Whether the client can watch files.
    pub(super) fn watches_files(&self) -> bool {
        let watched = self.workspace().and_then(|workspace| workspace.did_change_watched_files);
        watched.and_then(|client| client.dynamic_registration).unwrap_or(false)
    }

    /// Whether the client answers requests for its settings.
    pub(super) fn answers_settings(&self) -> bool {
        self.workspace().and_then(|workspace| workspace.configuration).unwrap_or(false)
    }

    /// Whether the client shows progress that the server begins.
    pub(super) fn shows_progress(&self) -> bool {
        self.capabilities.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or(false)
    }

    /// Whether the client shows an outline as a tree.
    pub(super) fn shows_trees(&self) -> bool {
        let symbols = self.document().and_then(|document| document.document_symbol.as_ref());
        symbols.and_then(|client| client.hierarchical_document_symbol_support).unwrap_or(false)
    }

    /// Whether the client shows lenses.
    pub(super) fn shows_lenses(&self) -> bool {
        self.document().is_some_and(|document| document.code_lens.is_some())
    }

    /// Whether the client supports definitions with their origin.
    pub(super) fn takes_links(&self) -> bool {
        self.document().and_then(|document| document.definition?.link_support).unwrap_or(false)
    }

    /// Whether the client asks for diagnostics itself.
    pub(super) fn pulls_diagnostics(&self) -> bool {
        self.document().is_some_and(|document| document.diagnostic.is_some())
    }

    /// The client's support for parts of a diagnostic; also stated by clients that pull diagnostics.
    fn diagnostics(&self) -> Option<&PublishDiagnosticsClientCapabilities> {
        self.document()?.publish_diagnostics.as_ref()
    }

    /// Whether the client shows related places of a diagnostic.
    pub(super) fn shows_related(&self) -> bool {
        self.diagnostics().and_then(|client| client.related_information).unwrap_or(false)
    }

    /// Whether the client shows the page of a diagnostic.
    pub(super) fn shows_pages(&self) -> bool {
        self.diagnostics().and_then(|client| client.code_description_support).unwrap_or(false)
    }

    /// Whether the client shows a diagnostic's tags.
    pub(super) fn shows_tags(&self) -> bool {
        self.diagnostics().is_some_and(|client| client.tag_support.is_some())
    }

    fn signatures(&self) -> Option<&SignatureInformationSettings> {
        self.document()?.signature_help.as_ref()?.signature_information.as_ref()
    }

    /// How the client shows the documentation of a signature.
    pub(super) fn signature_markup(&self) -> MarkupKind {
        preferred(self.signatures().and_then(|client| client.documentation_format.as_deref()))
    }

    /// Whether the client supports positions of parameters in the label of a signature.
    pub(super) fn parameter_places(&self) -> bool {
        let parameters = self.signatures().and_then(|client| client.parameter_information.as_ref());
        parameters.and_then(|client| client.label_offset_support).unwrap_or(false)
    }

    fn completions(&self) -> Option<&CompletionItemCapability> {
        self.document()?.completion.as_ref()?.completion_item.as_ref()
    }

    /// Whether the client supports snippets in completions.
    pub(super) fn takes_snippets(&self) -> bool {
        self.completions().and_then(|client| client.snippet_support).unwrap_or(false)
    }

    /// How the client shows the documentation of a completion.
    pub(super) fn completion_markup(&self) -> MarkupKind {
        preferred(self.completions().and_then(|client| client.documentation_format.as_deref()))
    }

    /// How the client shows hovers, and the tooltips of inlay hints.
    pub(super) fn hover_markup(&self) -> MarkupKind {
        preferred(self.document().and_then(|document| document.hover.as_ref()?.content_format.as_deref()))
    }

    /// Whether the client resolves the tooltip of an inlay hint when it shows it.
    pub(super) fn resolves_inlay_tooltips(&self) -> bool {
        let support = self.document().and_then(|document| document.inlay_hint.as_ref()?.resolve_support.as_ref());
        support.is_some_and(|support| support.properties.iter().any(|property| property == "tooltip"))
    }

    /// Whether the client supports a refresh request.
    pub(super) fn refreshes(&self, what: Refresh) -> bool {
        let Some(workspace) = self.workspace() else { return false };
        let supported = match what {
            Refresh::Diagnostics => workspace.diagnostics.as_ref().and_then(|client| client.refresh_support),
            Refresh::Lenses => workspace.code_lens.as_ref().and_then(|client| client.refresh_support),
            Refresh::InlayHints => workspace.inlay_hint.as_ref().and_then(|client| client.refresh_support),
            Refresh::SemanticTokens => workspace.semantic_tokens.as_ref().and_then(|client| client.refresh_support),
        };
        supported.unwrap_or(false)
    }
}

/// `true`, `"light"` or `"dark"`: a client that shows images in hovers, and its theme.
fn hover_theme(option: &Value) -> Option<Theme> {
    match option {
        Value::Bool(true) => Some(Theme::Light),
        Value::String(theme) if theme == "dark" => Some(Theme::Dark),
        Value::String(theme) if theme == "light" => Some(Theme::Light),
        _ => None,
    }
}

/// What a refresh request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refresh {
    Diagnostics,
    Lenses,
    InlayHints,
    SemanticTokens,
}

/// The markup that a client prefers, which it lists first; plain text without a list.
fn preferred(formats: Option<&[MarkupKind]>) -> MarkupKind {
    formats.and_then(<[MarkupKind]>::first).cloned().unwrap_or(MarkupKind::PlainText)
}
