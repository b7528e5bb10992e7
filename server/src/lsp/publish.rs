//! Published diagnostics.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;

use salsa::Cancelled;
use tower_lsp::ls_types::notification::PublishDiagnostics;
use tower_lsp::ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use super::requests::diagnostics;
use super::state::State;

/// The diagnostics that the client has: by path, with the version.
#[derive(Default)]
pub(super) struct Published(HashMap<String, (i32, Vec<Diagnostic>)>);

/// Checks the open documents on another thread. An edit cancels the check and starts a new one.
pub(super) fn check(state: &State) {
    let snapshot = state.snapshot();
    let owner = state.owner();
    // The others are checked once they have been read.
    let open = snapshot.open.iter().filter(|(path, _)| state.is_read_in(path));
    let mut open: Vec<(String, i32)> = open.map(|(path, (_, version))| (path.clone(), *version)).collect();
    open.sort();
    state.pool().spawn_fifo(move || {
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
                    owner.send(move |state| publish(state, &path, version, diagnostics));
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
fn publish(state: &mut State, path: &str, version: i32, diagnostics: Vec<Diagnostic>) {
    state.refresh_waiting_hints();
    if state.version(path) != Some(version) {
        return;
    }
    let Some((uri, _)) = state.document(path) else { return };
    if state.published.0.get(path).is_some_and(|known| *known == (version, diagnostics.clone())) {
        return;
    }
    state.published.0.insert(path.to_owned(), (version, diagnostics.clone()));
    state.outbox().notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version: Some(version) });
}

/// Clears the diagnostics of a closed document.
pub(super) fn clear(state: &mut State, uri: Uri, path: &str) {
    if state.published.0.remove(path).is_some() {
        let params = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
        state.outbox().notify::<PublishDiagnostics>(params);
    }
}
