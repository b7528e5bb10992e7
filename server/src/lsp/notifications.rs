//! Notifications beyond the protocol, for Shapewright's own editors.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::Uri;
use tower_lsp::ls_types::notification::Notification;

use crate::ran::Run;

/// `shapewright/runFinished`: a run has ended.
pub(super) enum RunFinished {}

/// The result of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RunFinishedParams {
    /// The document.
    pub(super) uri: Uri,
    /// The run's name, as in its lens.
    pub(super) name: String,
    /// As `shapewright run --format json` prints it.
    pub(super) result: Run,
}

impl Notification for RunFinished {
    type Params = RunFinishedParams;
    const METHOD: &'static str = "shapewright/runFinished";
}

/// `shapewright/status`: what the server is doing.
pub(super) enum Status {}

/// A state of the server.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StatusParams {
    /// Where kernels run: the setting, and the device once it is known.
    pub(super) device: String,
    /// `ready`, `checking` or `running`.
    pub(super) state: String,
    /// A message, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// The libraries that were found for the device, with versions and files, if it needs any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) libraries: Option<String>,
}

impl Notification for Status {
    type Params = StatusParams;
    const METHOD: &'static str = "shapewright/status";
}
