//! The project's own programs, built with cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Need, run};

/// The command `shapewright` as the editors start it, built without optimisation.
pub const SERVER: Need = Need {
    what: "the command `shapewright`",
    prepare: |root| {
        let server = program(&build(root, Profile::Dev, &[COMMAND])?, COMMAND)?;
        Ok(vec![("SHAPEWRIGHT", server.clone().into()), ("SHAPEWRIGHT_SERVER", server.into())])
    },
};

/// The package of the command, and its program's name.
pub const COMMAND: &str = "shapewright";

/// How programs are built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Without optimisation.
    Dev,
    /// With optimisation.
    Release,
}

/// Builds packages, and gives the folder of their programs.
///
/// # Errors
/// Where cargo cannot be started or a package cannot be built.
pub fn build(root: &Path, profile: Profile, packages: &[&str]) -> Result<PathBuf, String> {
    let mut build = Command::new(env!("CARGO"));
    build.arg("build").args(packages.iter().flat_map(|package| ["--package", package])).current_dir(root);
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => {
            build.arg("--release");
            "release"
        }
    };
    run(&mut build, "install Rust 1.95 or later")?;
    // This program is in the folder where cargo puts what it builds, `target/PROFILE`.
    let here = std::env::current_exe().map_err(|error| format!("this program's place is unknown: {error}"))?;
    Ok(here.ancestors().nth(2).unwrap_or(root).join(folder))
}

/// A program that was built into a folder.
///
/// # Errors
/// Where it is not there.
pub fn program(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() { Ok(path) } else { Err(format!("cargo has built `{name}`, but not as {}", path.display())) }
}
