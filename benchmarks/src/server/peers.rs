//! The measured servers: ours, and those of two other languages.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::environment;
use crate::sources::{CPP, Language, PYTHON, SHAPEWRIGHT};

/// A server, with its particularities.
pub(super) struct Server {
    pub(super) name: &'static str,
    pub(super) command: PathBuf,
    pub(super) arguments: &'static [&'static str],
    pub(super) language: &'static Language,
    /// The answer to its request for settings.
    pub(super) settings: Value,
    /// The way to get diagnostics without waiting for a pause in typing.
    pub(super) at_once: AtOnce,
    /// A request that takes long after an edit on which everything depends.
    pub(super) long_request: &'static str,
    /// Whether it is ours, which has to handle all edits however long they take.
    pub(super) is_ours: bool,
}

/// The way to get diagnostics without waiting for a pause in typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtOnce {
    /// The client requests them.
    Asked,
    /// Each edit requests them, by clangd's extension of the protocol.
    Wanted,
}

/// All servers, ours first; and the reason why peers are missing.
pub(super) fn all() -> Result<(Vec<Server>, Option<String>), String> {
    let mut servers = vec![Server {
        name: "shapewright",
        command: environment::command()?,
        arguments: &["lsp"],
        language: &SHAPEWRIGHT,
        settings: Value::Null,
        at_once: AtOnce::Asked,
        long_request: "textDocument/diagnostic",
        is_ours: true,
    }];
    let folder = match environment::python_folder() {
        Ok(folder) => folder,
        Err(problem) => return Ok((servers, Some(format!("the peers are left out, since {problem}")))),
    };
    let Some(clangd) = clangd(&folder) else {
        return Ok((servers, Some("the peers are left out: the package `clangd` has no program in it".to_owned())));
    };
    servers.push(Server {
        name: "clangd",
        command: clangd,
        arguments: &[],
        language: &CPP,
        settings: Value::Null,
        at_once: AtOnce::Wanted,
        long_request: "textDocument/documentSymbol",
        is_ours: false,
    });
    servers.push(Server {
        name: "ty",
        command: environment::program(&folder, "ty"),
        arguments: &["server"],
        language: &PYTHON,
        settings: json!({ "diagnosticMode": "workspace" }),
        at_once: AtOnce::Asked,
        long_request: "textDocument/diagnostic",
        is_ours: false,
    });
    Ok((servers, None))
}

/// The program itself. The script of that name starts it as another process, whose memory would not be measured.
fn clangd(environment: &Path) -> Option<PathBuf> {
    let libraries: Vec<PathBuf> = if cfg!(windows) {
        vec![environment.join("Lib")]
    } else {
        std::fs::read_dir(environment.join("lib")).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect()
    };
    let program = format!("site-packages/clangd/data/bin/clangd{}", std::env::consts::EXE_SUFFIX);
    libraries.into_iter().map(|library| library.join(&program)).find(|path| path.is_file())
}
