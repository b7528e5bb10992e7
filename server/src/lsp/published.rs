//! The diagnostics that the client was sent.

use std::collections::HashMap;

use tower_lsp::ls_types::Diagnostic;

/// The diagnostics that the client has: by path, with the version.
#[derive(Default)]
pub(super) struct Published(pub(super) HashMap<String, (i32, Vec<Diagnostic>)>);
