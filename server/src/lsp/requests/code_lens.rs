//! Code lenses above kernels and runs, to run them and to show the results.

use ide::{Lens, LensKind};
use serde_json::{Value, json};
use tower_lsp::ls_types::{CodeLens, CodeLensParams, Command, Uri};

use crate::lsp::devices::FIRST_GPU;
use crate::lsp::snapshot::Snapshot;

/// The lenses of a document.
pub(in crate::lsp) fn lenses(snapshot: &Snapshot, params: &CodeLensParams) -> Option<Vec<CodeLens>> {
    if !snapshot.settings.lenses {
        return Some(Vec::new());
    }
    let file = snapshot.file(&params.text_document.uri)?;
    let db = &snapshot.db;
    let mut found = Vec::new();
    for lens in ide::lenses(db, file) {
        let range = snapshot.range(file, &lens.range);
        let commands = commands(snapshot, &params.text_document.uri, &lens);
        found.extend(commands.into_iter().map(|command| CodeLens { range, command: Some(command), data: None }));
        if let LensKind::Run { id, .. } = &lens.kind
            && let Some(outcome) = snapshot.results.get(file.path(db), id)
        {
            // A title without a command is only shown.
            let title = outcome.texts(db, lens.item).lens;
            let command = Command { title, command: String::new(), arguments: None };
            found.push(CodeLens { range, command: Some(command), data: None });
        }
    }
    Some(found)
}

/// The available commands of a lens. Shapewright's own editors have commands for lenses; other clients execute the
/// server's.
fn commands(snapshot: &Snapshot, uri: &Uri, lens: &Lens) -> Vec<Command> {
    let own = snapshot.session.own_editor;
    let command = |title: &str, command: &str, argument: Value| Command {
        title: title.to_owned(),
        command: command.to_owned(),
        arguments: Some(vec![argument]),
    };
    match &lens.kind {
        LensKind::Run { .. } if !snapshot.session.run_allowed => Vec::new(),
        LensKind::Run { id, .. } => {
            let argument = json!({ "uri": uri, "name": id.as_str() });
            let mut on_gpu = argument.clone();
            on_gpu["device"] = json!(FIRST_GPU);
            let names = if own {
                ["shapewright.runLens", "shapewright.runGpuLens"]
            } else {
                ["shapewright.run", "shapewright.run"]
            };
            let mut offered = vec![command("▶ Run", names[0], argument)];
            if snapshot.has_gpu {
                offered.push(command("Run on GPU", names[1], on_gpu));
            }
            offered
        }
        // Other clients have no panel to show it.
        LensKind::Show { .. } if !own => Vec::new(),
        LensKind::Show { name } => {
            vec![command("Show picture", "shapewright.showLens", json!({ "uri": uri, "name": name.as_str() }))]
        }
    }
}
