//! The last semantic tokens sent for each document.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tower_lsp::ls_types::SemanticToken;

/// The last tokens of each document, so that only changes are sent.
#[derive(Debug, Default)]
pub(super) struct Sent {
    documents: Mutex<HashMap<String, (u64, Vec<SemanticToken>)>>,
    next: AtomicU64,
}

impl Sent {
    /// Stores tokens under a new id; returns the id, and the previous tokens if they had the given id.
    pub(super) fn replace(
        &self,
        path: &str,
        tokens: &[SemanticToken],
        previous: &str,
    ) -> (String, Option<Vec<SemanticToken>>) {
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        let before = documents.insert(path.to_owned(), (id, tokens.to_vec()));
        (id.to_string(), before.filter(|(id, _)| id.to_string() == previous).map(|(_, tokens)| tokens))
    }

    /// Forgets a document.
    pub(super) fn forget(&self, path: &str) {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }
}
