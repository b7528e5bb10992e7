//! Published diagnostics.

use std::panic::AssertUnwindSafe;

use salsa::Cancelled;
use tower_lsp::ls_types::notification::PublishDiagnostics;
use tower_lsp::ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use super::requests::diagnostics;
use super::state::State;

impl State {
    /// Checks the open documents on another thread. An edit cancels the check and starts a new one.
    pub(super) fn check_open(&self) {
        let snapshot = self.snapshot();
        let owner = self.owner();
        // The others are checked once they have been read.
        let open = snapshot.open.iter().filter(|(path, _)| self.is_read_in(path));
        let mut open: Vec<(String, i32)> = open.map(|(path, (_, version))| (path.clone(), *version)).collect();
        open.sort();
        self.pool().spawn_fifo(move || {
            let snapshot = AssertUnwindSafe(snapshot);
            for (path, version) in open {
                let found = std::panic::catch_unwind(|| {
                    Cancelled::catch(|| {
                        let snapshot = &snapshot;
                        diagnostics::of_document(snapshot, &path)
                    })
                });
                match found {
                    Ok(Ok(Some(diagnostics))) => {
                        owner.send(move |state: &mut State| state.publish(&path, version, diagnostics));
                    }
                    // The file was removed, or its check panicked, which was printed: the others are still checked. The
                    // same if another thread panicked in a computation that this one needs.
                    Ok(Ok(None)) | Err(_) | Ok(Err(Cancelled::PropagatedPanic)) => {}
                    Ok(Err(_)) => return,
                }
            }
        });
    }

    /// Sends the diagnostics, unless the document was edited or closed meanwhile, or the client has them already.
    fn publish(&mut self, path: &str, version: i32, diagnostics: Vec<Diagnostic>) {
        self.refresh_waiting_hints();
        if self.version(path) != Some(version) {
            return;
        }
        let Some((uri, _)) = self.document(path) else { return };
        if self.published.0.get(path).is_some_and(|known| *known == (version, diagnostics.clone())) {
            return;
        }
        self.published.0.insert(path.to_owned(), (version, diagnostics.clone()));
        self.outbox().notify::<PublishDiagnostics>(PublishDiagnosticsParams {
            uri,
            diagnostics,
            version: Some(version),
        });
    }

    /// Clears the diagnostics of a closed document.
    pub(super) fn clear_published(&mut self, uri: Uri, path: &str) {
        if self.published.0.remove(path).is_some() {
            let params = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
            self.outbox().notify::<PublishDiagnostics>(params);
        }
    }
}
