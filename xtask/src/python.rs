//! The Python environment of the tests: NVRTC to compile generated CUDA with, numpy to exchange tensors with.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{self, workspace};

/// What is installed, pinned: the tests compare with what exactly these give.
const REQUIREMENTS: [&str; 2] = ["nvidia-cuda-nvrtc-cu12==12.9.86", "numpy==2.3.5"];

/// A virtual environment with the requirements.
pub struct Environment {
    /// Its folder.
    pub folder: PathBuf,
}

/// Makes the environment where it is missing or not what it should be.
pub fn environment() -> Result<Environment, String> {
    let folder = workspace().join(".venv");
    // Written last, so that an installation that was interrupted is made again.
    let stamp = folder.join("requirements.txt");
    let wanted = REQUIREMENTS.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(Environment { folder });
    }
    let python = ["python3", "python"].into_iter().find(|program| step::answers(program)).ok_or("there is no python3")?;
    step::run("make the Python environment", Command::new(python).args(["-m", "venv"]).arg(&folder))?;
    let mut pip = Command::new(program(&folder));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(REQUIREMENTS);
    step::run("install NVRTC and numpy", &mut pip)?;
    std::fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(Environment { folder })
}

/// The environment's Python.
fn program(folder: &Path) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts").join("python.exe") } else { folder.join("bin").join("python") }
}
