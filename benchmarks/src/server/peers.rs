//! The servers that are measured: ours, and those of two other languages.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::environment;
use crate::sources::{CPP, Language, PYTHON, SHAPEWRIGHT};

/// A server, and what is different about it.
pub(super) struct Server {
    pub(super) name: &'static str,
    pub(super) command: PathBuf,
    pub(super) arguments: &'static [&'static str],
    pub(super) language: &'static Language,
    /// What it is told when it asks for settings.
    pub(super) settings: Value,
    /// How diagnostics are had without waiting for a pause in the typing.
    pub(super) at_once: AtOnce,
    /// A request that takes long after an edit on which everything depends.
    pub(super) long_request: &'static str,
    /// Whether it is ours, which has to bear many edits however long they take.
    pub(super) is_ours: bool,
}

/// How diagnostics are had without waiting for a pause in the typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtOnce {
    /// The client asks for them.
    Asked,
    /// Each edit says that they are wanted, which is clangd's own addition to the protocol.
    Wanted,
}

/// All servers, ours first; and why peers are missing.
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

/// The program itself: the script of that name starts it as another process, whose memory nobody would see.
fn clangd(environment: &Path) -> Option<PathBuf> {
    let libraries: Vec<PathBuf> = if cfg!(windows) {
        vec![environment.join("Lib")]
    } else {
        std::fs::read_dir(environment.join("lib")).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect()
    };
    let program = format!("site-packages/clangd/data/bin/clangd{}", std::env::consts::EXE_SUFFIX);
    libraries.into_iter().map(|library| library.join(&program)).find(|path| path.is_file())
}
