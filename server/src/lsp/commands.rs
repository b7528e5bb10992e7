//! The commands of `workspace/executeCommand`.

use check::{diagnostics, kernels, settings};
use emit::interop;
use proofs::Budget;
use salsa::Database;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use shapewright_runtime::executors::Executors;
use syntax::tree::ItemKind;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{ExecuteCommandParams, Uri};

use super::devices;
use super::owner::{Owner, Subject};
use super::pictures;
use super::requests::refused;
use super::runs::{self, Cause, Request};
use super::snapshot::Snapshot;

/// The names of all commands.
pub(super) const ALL: &[&str] = &[
    "shapewright.run",
    "shapewright.cancel",
    "shapewright.emit",
    "shapewright.explain",
    "shapewright.devices",
    "shapewright.show",
];

/// The arguments of a run.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
struct RunArguments {
    uri: Uri,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    device: Option<String>,
}

/// The arguments of a command about an item.
#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "an object")]
struct ItemArguments {
    uri: Uri,
    name: String,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
struct ExplainArguments {
    code: String,
}

/// Executes a command.
pub(super) async fn execute(owner: &Owner, params: ExecuteCommandParams) -> Result<Option<Value>> {
    match params.command.as_str() {
        "shapewright.run" => {
            let RunArguments { uri, name, device } = argument(&params)?;
            if let Some(device) = &device
                && let Err(problem) = Executors::default().full_name(device)
            {
                return Err(Error::invalid_params(problem.to_string()));
            }
            let token = params.work_done_progress_params.work_done_token;
            runs::run(owner, Request { uri, cause: Cause::Command { name, device, token } }).await.map(Some)
        }
        "shapewright.cancel" => {
            owner.send(|state| state.running.stop());
            Ok(None)
        }
        "shapewright.emit" => {
            let asked: ItemArguments = argument(&params)?;
            let read = move |snapshot: &Snapshot| emitted(snapshot, &asked);
            owner.read("shapewright.emit", Subject::default(), read).await?.map(Some).map_err(Error::invalid_params)
        }
        "shapewright.show" => {
            let asked: pictures::Arguments = argument(&params)?;
            let read = move |snapshot: &Snapshot| pictures::shown(snapshot, &asked);
            owner.read("shapewright.show", Subject::default(), read).await?.map(Some).map_err(Error::invalid_params)
        }
        "shapewright.explain" => {
            let ExplainArguments { code } = argument(&params)?;
            let page = diagnostics::page(&code)
                .ok_or_else(|| Error::invalid_params(format!("there is no diagnostic `{code}`")))?;
            Ok(Some(json!({ "title": page.title, "markdown": page.markdown() })))
        }
        "shapewright.devices" => {
            let devices = devices::find().await.map_err(refused)?;
            let found = Ok(devices.clone());
            owner.send(move |state| state.set_devices(found));
            Ok(Some(json!({ "devices": devices })))
        }
        #[cfg(test)]
        name if name.starts_with("test.") => super::tests::commands::execute(owner, &params).await,
        other => Err(Error::invalid_params(format!("there is no command `{other}`"))),
    }
}

/// The one argument of a command.
fn argument<T: DeserializeOwned>(params: &ExecuteCommandParams) -> Result<T> {
    let [argument] = params.arguments.as_slice() else {
        let message = format!("`{}` takes one argument, not {}", params.command, params.arguments.len());
        return Err(Error::invalid_params(message));
    };
    serde_json::from_value(argument.clone())
        .map_err(|error| Error::invalid_params(format!("the argument of `{}`: {error}", params.command)))
}

/// The CUDA C++ of a kernel or of a map.
fn emitted(snapshot: &Snapshot, asked: &ItemArguments) -> std::result::Result<Value, String> {
    let file = snapshot.file(&asked.uri).ok_or_else(|| format!("{} is not open", asked.uri.as_str()))?;
    let db = &snapshot.db;
    let mut maps_and_kernels = file.items(db).iter().filter_map(|item| {
        let tree = item.tree(db);
        match &tree.item.as_ref()?.kind {
            ItemKind::Kernel(kernel) if kernel.name.text == asked.name => Some((*item, true)),
            ItemKind::Map { name, .. } | ItemKind::Tiling { name, .. } if name.text == asked.name => {
                Some((*item, false))
            }
            _ => None,
        }
    });
    let found = maps_and_kernels.next();
    let (item, is_kernel) = found.ok_or_else(|| format!("there is no kernel or map `{}`", asked.name))?;
    let source = if is_kernel {
        let kernel = kernels::checked_kernel(db, item).kernel.clone();
        let kernel = kernel.ok_or_else(|| format!("the kernel `{}` has errors", asked.name))?;
        emit::cuda_with(&kernel, emit::Options::default(), &|| db.unwind_if_revision_cancelled()).source
    } else {
        let known = ide::item_facts(db, file).into_iter().find(|known| known.is_called(&asked.name));
        let (map, facts) = known
            .and_then(|known| known.facts.as_map())
            .ok_or_else(|| format!("the map `{}` has errors", asked.name))?;
        let cancelled = settings::poll(db);
        interop::emit(&asked.name, &map, &facts, interop::Target::Cuda, &Budget::editing(&cancelled))
            .map_err(|reason| format!("nothing is generated for the map `{}`: {reason}", asked.name))?
            .source
    };
    Ok(json!({ "title": format!("{}.cu", asked.name), "language": "cuda-cpp", "text": source }))
}
