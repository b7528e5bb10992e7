//! `cargo xtask test`: everything that has to pass.

use std::path::Path;
use std::process::Command;

use crate::python::{self, Environment};
use crate::step::{self, answers, cargo, in_ci};

/// The test command.
pub fn run() -> Result<(), String> {
    let environment = match python::environment() {
        Ok(environment) => Some(environment),
        Err(reason) => {
            missing(&format!("the Python environment ({reason})"), "tests of NVRTC and numpy files are left out")?;
            None
        }
    };
    if !["c++", "g++", "clang++"].iter().any(|compiler| answers(compiler)) {
        missing("a C++ compiler", "tests that compile generated CUDA for the host are left out")?;
    }
    steps(environment.as_ref())?;
    println!("── everything passed");
    Ok(())
}

/// Runs the steps; the first that fails ends it.
fn steps(environment: Option<&Environment>) -> Result<(), String> {
    step::run("format", cargo().args(["fmt", "--all", "--", "--check"]))?;
    step::run("lint", cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    // The program is what the tests of the command line start.
    step::run("test", inside(cargo().args(["test", "--workspace"]), environment))?;
    let mut document = cargo();
    document.args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings");
    step::run("document", &mut document)
}

/// Says what is missing; where a CI runs this, that is a failure.
fn missing(what: &str, consequence: &str) -> Result<(), String> {
    if in_ci() {
        return Err(format!("{what} is missing, which CI must have"));
    }
    println!("note: {what} is missing: {consequence}");
    Ok(())
}

/// The command as if the environment had been activated.
fn inside<'c>(command: &'c mut Command, environment: Option<&Environment>) -> &'c mut Command {
    let Some(environment) = environment else { return command };
    let programs = environment.folder.join("bin");
    let mut path = vec![programs];
    if let Some(old) = std::env::var_os("PATH") {
        path.extend(std::env::split_paths(&old));
    }
    if let Ok(path) = std::env::join_paths(path) {
        command.env("PATH", path);
    }
    command.env("VIRTUAL_ENV", Path::new(&environment.folder))
}
