//! Python with the packages of the tests, for forms that only Python can execute.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// The environment that the test command makes, or `None` where it is not there; in CI that is an error.
fn interpreter() -> Option<PathBuf> {
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let environment = std::env::var_os("VIRTUAL_ENV").map_or_else(|| root.join(".venv"), PathBuf::from);
    let python = environment.join(inside);
    let imports = ["-c", "import numpy, tensor_layouts"];
    let works = Command::new(&python).args(imports).output().is_ok_and(|output| output.status.success());
    let is_required = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(works || !is_required, "numpy or tensor-layouts is missing in {}", environment.display());
    if !works {
        eprintln!("numpy or tensor-layouts is not installed, so nothing was tested: run `cargo xtask test`");
    }
    works.then_some(python)
}

/// Runs a script of this folder on cases, all in one process, and gives what it prints. Panics where it fails.
pub fn run(script: &str, cases: &Value) -> Option<String> {
    let python = interpreter()?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cases.json");
    std::fs::write(&path, cases.to_string()).unwrap();
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/interop").join(script);
    let output = Command::new(python).arg(script).arg(path).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
