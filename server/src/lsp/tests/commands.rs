//! Commands that only the server under test has.

use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{ExecuteCommandParams, Uri};

use super::super::owner::{Owner, Subject};
use super::super::paths;

/// Executes one.
pub(in crate::lsp) async fn execute(owner: &Owner, params: &ExecuteCommandParams) -> Result<Option<Value>> {
    let argument = params.arguments[0].as_str().unwrap().to_owned();
    match params.command.as_str() {
        "test.panic" => panicking(owner, &argument).await,
        // The text of an open document: as the editor's, and as the compiler's once it has been read.
        "test.text" => {
            let path = paths::path_of(&argument.parse::<Uri>().unwrap());
            let document = Some(path.clone());
            let (answer, answered) = tokio::sync::oneshot::channel();
            let texts = move |state: &mut super::super::state::State| {
                let snapshot = state.snapshot();
                let compiled = snapshot.db.file(&path).map(|file| file.text(&snapshot.db).to_owned());
                answer.send(json!([state.text(&path), compiled])).unwrap();
            };
            owner.send(move |state| state.when_read(document, texts));
            Ok(Some(answered.await.unwrap()))
        }
        // What can run kernels, as the worker would tell it.
        "test.devices" => {
            let devices = serde_json::from_str(&argument).unwrap();
            owner.ask("test.devices", move |state| state.set_devices(Ok(devices))).await.map(|()| None)
        }
        other => panic!("there is no command {other}"),
    }
}

/// Panics where the test wants it.
async fn panicking(owner: &Owner, place: &str) -> Result<Option<Value>> {
    match place {
        "reader" => owner.read("test.panic", Subject::default(), |_| panic!("a reader, for a test")).await,
        "owner" => owner.ask("test.panic", |_| panic!("the owner, for a test")).await,
        _ => panic!("a handler, for a test"),
    }
}
