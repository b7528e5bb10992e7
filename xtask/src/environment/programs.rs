//! The project's own programs, built with cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Need, run};

/// The command `shapewright` as the editors start it, built in the same way as for its tests.
pub const SERVER: Need = Need {
    what: "the command `shapewright`",
    ahead: false,
    prepare: |root| {
        let server = server(root)?;
        Ok(vec![("SHAPEWRIGHT", server.clone().into()), ("SHAPEWRIGHT_SERVER", server.into())])
    },
};

/// Builds the command for tests.
///
/// Cargo chooses the features of libraries for everything in one build, including tests. Therefore the command is built
/// together with its own tests, from the whole workspace, and is the same as in `cargo test --workspace`.
///
/// # Errors
/// If cargo cannot be started or the command cannot be built.
pub fn server(root: &Path) -> Result<PathBuf, String> {
    let arguments = ["--workspace", "--profile", "test", "--bin", COMMAND, "--test", "cli"];
    program(&build(root, &arguments, "debug")?, COMMAND)
}

/// Builds packages with optimisation, and returns the programs of the same names.
///
/// # Errors
/// If cargo cannot be started or a package cannot be built.
pub fn optimised<const COUNT: usize>(root: &Path, packages: [&str; COUNT]) -> Result<[PathBuf; COUNT], String> {
    let named = packages.iter().flat_map(|package| ["--package", package]);
    let arguments: Vec<&str> = ["--release"].into_iter().chain(named).collect();
    let folder = build(root, &arguments, "release")?;
    let mut programs = [const { PathBuf::new() }; COUNT];
    for (path, package) in programs.iter_mut().zip(packages) {
        *path = program(&folder, package)?;
    }
    Ok(programs)
}

/// Builds an example of the tests' package as its tests are built.
///
/// # Errors
/// If cargo cannot be started or the example cannot be built.
pub fn example(root: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = build(root, &["--workspace", "--profile", "test", "--example", name], "debug")?;
    program(&folder.join("examples"), name)
}

/// The command's package, which is also its program's name.
pub const COMMAND: &str = "shapewright";

/// Runs a build, and returns the folder of its programs, which has this name and is beside that of the running program.
fn build(root: &Path, arguments: &[&str], folder: &str) -> Result<PathBuf, String> {
    let mut build = Command::new(env!("CARGO"));
    build.arg("build").args(arguments).current_dir(root);
    run(&mut build, "install Rust 1.95 or later")?;
    Ok(results(root)?.join(folder))
}

/// The folder of all build results, in which the running program is too.
///
/// # Errors
/// If the system does not tell where that is.
pub fn results(root: &Path) -> Result<PathBuf, String> {
    // Cargo puts its results into `target/PROFILE`.
    let here = std::env::current_exe().map_err(|error| format!("this program's place is unknown: {error}"))?;
    Ok(here.ancestors().nth(2).unwrap_or(root).to_path_buf())
}

/// A program in a folder of build results.
///
/// # Errors
/// If it is not there.
pub fn program(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() { Ok(path) } else { Err(format!("cargo has built `{name}`, but not as {}", path.display())) }
}
