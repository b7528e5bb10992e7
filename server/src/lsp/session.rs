//! What the client said of itself when the session began.

use serde_json::Value;
use shapewright_compiler::ide::ColumnUnit;
use tower_lsp::ls_types::{
    ClientCapabilities, InitializeParams, MarkupKind, PublishDiagnosticsClientCapabilities,
    SignatureInformationSettings,
};

use super::encoding;

/// The client's abilities and wishes.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    /// What columns are counted in.
    pub(super) unit: ColumnUnit,
    /// What the client can do.
    pub(super) capabilities: ClientCapabilities,
    /// Whether kernels may be run: not in a workspace that nobody trusts.
    pub(super) run_allowed: bool,
    /// Whether the client is one of Shapewright's own editors, which know its lens commands and notifications.
    pub(super) own_editor: bool,
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
            own_editor: option("lenses").and_then(Value::as_bool).unwrap_or(false),
            capabilities,
        }
    }

    /// Whether the client asks for diagnostics itself.
    pub(super) fn pulls_diagnostics(&self) -> bool {
        self.capabilities.text_document.as_ref().is_some_and(|document| document.diagnostic.is_some())
    }

    /// What the client shows of a diagnostic beside its message; it says so even where it asks for diagnostics itself.
    fn diagnostics(&self) -> Option<&PublishDiagnosticsClientCapabilities> {
        self.capabilities.text_document.as_ref()?.publish_diagnostics.as_ref()
    }

    /// Whether the client shows other places of a diagnostic.
    pub(super) fn shows_related(&self) -> bool {
        self.diagnostics().and_then(|client| client.related_information).unwrap_or(false)
    }

    /// Whether the client shows the page of a diagnostic.
    pub(super) fn shows_pages(&self) -> bool {
        self.diagnostics().and_then(|client| client.code_description_support).unwrap_or(false)
    }

    /// Whether the client shows what a diagnostic's tags say.
    pub(super) fn shows_tags(&self) -> bool {
        self.diagnostics().is_some_and(|client| client.tag_support.is_some())
    }

    fn signatures(&self) -> Option<&SignatureInformationSettings> {
        self.capabilities.text_document.as_ref()?.signature_help.as_ref()?.signature_information.as_ref()
    }

    /// Whether the client shows the documentation of a signature as Markdown.
    pub(super) fn signature_markdown(&self) -> bool {
        let format = self.signatures().and_then(|client| client.documentation_format.as_ref());
        format.is_some_and(|format| format.contains(&MarkupKind::Markdown))
    }

    /// Whether the client finds a parameter in the label of a signature by its place.
    pub(super) fn parameter_places(&self) -> bool {
        let parameters = self.signatures().and_then(|client| client.parameter_information.as_ref());
        parameters.and_then(|client| client.label_offset_support).unwrap_or(false)
    }

    /// Whether the client shows the documentation of a completion as Markdown.
    pub(super) fn completion_markdown(&self) -> bool {
        let document = self.capabilities.text_document.as_ref();
        let item = document.and_then(|document| document.completion.as_ref()?.completion_item.as_ref());
        let format = item.and_then(|item| item.documentation_format.as_ref());
        format.is_some_and(|format| format.contains(&MarkupKind::Markdown))
    }

    /// Whether the client shows hovers as Markdown.
    pub(super) fn hover_markdown(&self) -> bool {
        let document = self.capabilities.text_document.as_ref();
        let format = document.and_then(|document| document.hover.as_ref()?.content_format.as_ref());
        format.is_none_or(|format| format.contains(&MarkupKind::Markdown))
    }

    /// Whether the client asks for the tooltip of an inlay hint when it shows it.
    pub(super) fn resolves_inlay_tooltips(&self) -> bool {
        let document = self.capabilities.text_document.as_ref();
        let support = document.and_then(|document| document.inlay_hint.as_ref()?.resolve_support.as_ref());
        support.is_some_and(|support| support.properties.iter().any(|property| property == "tooltip"))
    }

    /// Whether the client asks again for something that the server says has changed.
    pub(super) fn refreshes(&self, what: Refresh) -> bool {
        let Some(workspace) = &self.capabilities.workspace else { return false };
        let supported = match what {
            Refresh::Diagnostics => workspace.diagnostics.as_ref().and_then(|client| client.refresh_support),
            Refresh::Lenses => workspace.code_lens.as_ref().and_then(|client| client.refresh_support),
            Refresh::InlayHints => workspace.inlay_hint.as_ref().and_then(|client| client.refresh_support),
            Refresh::SemanticTokens => workspace.semantic_tokens.as_ref().and_then(|client| client.refresh_support),
        };
        supported.unwrap_or(false)
    }
}

/// What a client can be told to ask for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refresh {
    Diagnostics,
    Lenses,
    InlayHints,
    SemanticTokens,
}
