//! The folder for a GPU machine, which has neither a network nor Rust: the command, what it is tried with, and the
//! script that tries and measures it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::environment::{Need, Variables, portable, programs, run};

/// The most bytes of the folder.
const MOST_BYTES: u64 = 60_000_000;

/// The number of random kernels in the folder.
const KERNELS: usize = 3000;

/// The number of random kernels in a folder that is tried with stand-ins for NVIDIA's libraries.
const FEW_KERNELS: usize = 20;

/// Makes the folder, and says where it is.
///
/// # Errors
/// What could not be built, or is not as it has to be.
pub fn gpu(root: &Path) -> Result<(), String> {
    let command = portable::command(root)?;
    let folder = root.join("target/gpu/shapewright-gpu");
    assemble(root, &folder, &command, KERNELS)?;
    let bytes = size(&folder)?;
    let shown = format!("{} has {:.1} MB", folder.display(), bytes as f64 / 1e6);
    if bytes > MOST_BYTES {
        return Err(format!("{shown}, and may have {} MB", MOST_BYTES / 1_000_000));
    }
    println!("{shown}\ncarry it to a machine with a GPU, and run there: python3 prove.py");
    Ok(())
}

/// A folder with the command as it is tested and few random kernels, at [`trial_folder`].
pub const TRIAL: Need = Need {
    what: "a folder for a GPU machine",
    ahead: false,
    prepare: |root| {
        assemble(root, &trial_folder(root), &programs::server(root)?, FEW_KERNELS).map(|()| Variables::new())
    },
};

/// The place of the folder that tests try.
pub fn trial_folder(root: &Path) -> PathBuf {
    root.join("target/gpu/trial")
}

/// Makes a folder anew, with this command and number of random kernels.
fn assemble(root: &Path, folder: &Path, command: &Path, kernels: usize) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{} cannot be made: {error}", folder.display());
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(problem(error)),
        _ => std::fs::create_dir_all(folder).map_err(problem)?,
    }
    std::fs::copy(command, folder.join(programs::COMMAND)).map_err(problem)?;
    let parts = [
        ("tests/gpu/prove.py", "prove.py"),
        ("tests/gpu/README.md", "README.md"),
        ("tests/gpu/proving", "proving"),
        ("tests/gpu/kernels", "kernels"),
        ("benchmarks/kernels", "speed"),
        ("examples", "examples"),
    ];
    for (from, to) in parts {
        copy(&root.join(from), &folder.join(to)).map_err(problem)?;
    }
    interpret(&folder.join("kernels"))?;
    let generator = programs::example(root, "random_runs")?;
    run(Command::new(generator).args([folder.join("random").into_os_string(), kernels.to_string().into()]), BUILT)?;
    pack(folder, "random")
}

const BUILT: &str = "cargo has just built it";

/// Copies a file, or a folder with what git knows to be source: caches of Python stay.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return std::fs::copy(from, to).map(|_| ());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_name() != "__pycache__" {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Has the interpreter run every file of a folder that has runs; what they save becomes what is expected.
fn interpret(kernels: &Path) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{} cannot be used: {error}", kernels.display());
    let (saved, expected) = (kernels.join("out"), kernels.join("expected"));
    std::fs::create_dir(&saved).map_err(problem)?;
    for entry in std::fs::read_dir(kernels).map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        if path.is_file() && std::fs::read_to_string(&path).map_err(problem)?.contains("\nrun ") {
            let mut command = Command::new(kernels.join("..").join(programs::COMMAND));
            command.arg("run").arg(path).args(["--device", "interp"]).current_dir(kernels).stdout(Stdio::null());
            run(&mut command, BUILT)?;
        }
    }
    std::fs::rename(saved, expected).map_err(problem)
}

/// Replaces a folder within a folder by an archive of it.
fn pack(within: &Path, name: &str) -> Result<(), String> {
    let mut python = Command::new("python3");
    python.args(["-m", "tarfile", "--create", &format!("{name}.tar.xz"), name]).current_dir(within);
    run(&mut python, "install Python 3.9 or later")?;
    std::fs::remove_dir_all(within.join(name)).map_err(|error| format!("{name} cannot be removed: {error}"))
}

/// The bytes of all files in a folder.
fn size(folder: &Path) -> Result<u64, String> {
    let problem = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        bytes += if path.is_dir() { size(&path)? } else { path.metadata().map_err(problem)?.len() };
    }
    Ok(bytes)
}
