//! The command for other Linux machines: linked so that the C library of an older system will do.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{programs, python, run};

/// The oldest C library that the command runs with: that of RHEL 8, of which most GPU machines have a later one.
const OLDEST: (u32, u32) = (2, 28);

/// Builds the command with optimisation. Zig links it, which knows the symbols of every version of the C library;
/// whatever else is used would link with this machine's.
///
/// # Errors
/// If it cannot be built, or needs a later C library.
pub fn command(root: &Path) -> Result<PathBuf, String> {
    if !cfg!(target_os = "linux") {
        return Err("the command for a GPU machine is built on Linux, where its kernels can be tried too".to_owned());
    }
    python::portable(root)?;
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut build = Command::new(env!("CARGO"));
    build.args(["zigbuild", "--release", "--locked", "--package", programs::COMMAND, "--target"]);
    build.arg(format!("{target}.{}.{}", OLDEST.0, OLDEST.1)).current_dir(root).env("PATH", path(root)?);
    run(&mut build, "install Rust 1.95 or later")?;
    let command = programs::program(&programs::results(root)?.join(target).join("release"), programs::COMMAND)?;
    check(&command)?;
    Ok(command)
}

/// The PATH with the programs of the Python environment first: `cargo-zigbuild`, and the Python that has Zig.
fn path(root: &Path) -> Result<OsString, String> {
    let programs = python::folder(root).join("bin");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(programs).chain(std::env::split_paths(&others));
    std::env::join_paths(all).map_err(|error| format!("no PATH can be made: {error}"))
}

/// Fails if a program needs symbols of a later C library than the oldest.
fn check(program: &Path) -> Result<(), String> {
    let advice = "install binutils";
    let output = Command::new("objdump").arg("-T").arg(program).output();
    let output = output.map_err(|error| format!("`objdump` could not be started ({error}); {advice}"))?;
    if !output.status.success() {
        return Err(format!("`objdump` cannot read {}", program.display()));
    }
    let symbols = String::from_utf8_lossy(&output.stdout);
    let newest = versions(&symbols).max().ok_or_else(|| format!("{} needs no C library", program.display()))?;
    if newest > OLDEST {
        let ((major, minor), (allowed, _)) = (newest, OLDEST);
        return Err(format!("the command needs glibc {major}.{minor}, but {allowed}.{} has to do", OLDEST.1));
    }
    Ok(())
}

/// The versions of the C library in a list of symbols.
fn versions(symbols: &str) -> impl Iterator<Item = (u32, u32)> {
    symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let end = rest.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(rest.len());
        let mut numbers = rest[..end].split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let symbols =
            "0000 DF *UND* 0000 (GLIBC_2.9) qsort\n0000 DF *UND* 0000 (GLIBC_2.28) fcntl64\n 0 (GLIBC_2.3.4) x\n";
        assert_eq!(versions(symbols).collect::<Vec<_>>(), [(2, 9), (2, 28), (2, 3)]);
        assert_eq!(versions(symbols).max(), Some(OLDEST));
    }
}
