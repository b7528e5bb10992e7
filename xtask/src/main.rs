//! The project's own commands: `cargo xtask test`, `cargo xtask docs`, `cargo xtask bench`, `cargo xtask gpu`.
//!
//! This crate has no dependencies, so that its first output comes within a second. Commands that need the compiler are
//! separate programs, which are built with cargo visibly.

mod ahead;
mod bench;
mod docs;
mod environment;
mod gpu;
mod steps;
mod test;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use steps::{STEPS, Step};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match perform(&root(), &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Performs the command in the arguments.
fn perform(root: &Path, arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["-h" | "--help" | "help", ..] | [_, "-h" | "--help"] => {
            print!("{}", help());
            Ok(())
        }
        ["test"] => test::test(root, &STEPS.iter().collect::<Vec<_>>(), std::env::var_os("CI").is_some()),
        ["test", names @ ..] => test::test(root, &named(names)?, true),
        ["docs"] => docs::docs(root),
        ["gpu"] => gpu::gpu(root),
        ["bench", ..] => bench::bench(root, &arguments[1..]),
        _ => Err(format!("`{}` is no command\n\n{}", words.join(" "), help())),
    }
}

/// The steps with these names, in the order in which they run.
fn named(names: &[&str]) -> Result<Vec<&'static Step>, String> {
    if let Some(name) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        return Err(format!("there is no step `{name}`\n\n{}", help()));
    }
    Ok(STEPS.iter().filter(|step| names.contains(&step.name)).collect())
}

fn help() -> String {
    let mut text = String::from(
        "cargo xtask test [STEP]...   installs what the tests need and runs them all, or the named steps
cargo xtask docs             writes docs/diagnostics/ from the code
cargo xtask bench [PART]...  measures speed and memory and prints tables with ratios, of all parts or the named ones:
                             checks, compiler, kernels, maps, server
cargo xtask gpu              makes a folder that proves and measures everything on a machine with a GPU, without a
                             network and without Rust

Steps of the tests:
",
    );
    for Step { name, about, .. } in STEPS {
        let _infallible = writeln!(text, "  {name:12} {about}");
    }
    text
}

/// The repository's root: the folder above this crate.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// On a clean checkout the test command prints its first line as soon as this crate is built. The time depends on
    /// the machine, but not what has to be built: only this crate.
    #[test]
    fn nothing_is_built_before_the_first_line_but_this_crate() {
        let mut tree = Command::new(env!("CARGO"));
        tree.args(["tree", "--locked", "--package", "xtask", "--target", "all", "--edges", "normal,build"]);
        let output = tree.args(["--prefix", "none", "--format", "{p}"]).current_dir(root()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let built = String::from_utf8(output.stdout).unwrap();
        assert!(built.starts_with("xtask ") && built.lines().count() == 1, "{built}");
    }

    #[test]
    fn steps_run_in_their_order_whatever_the_order_of_their_names() {
        let names = |words: &[&str]| named(words).map(|steps| steps.iter().map(|step| step.name).collect::<Vec<_>>());
        assert_eq!(names(&["lsp", "format"]), Ok(vec!["format", "lsp"]));
        assert!(names(&["format", "lps"]).unwrap_err().starts_with("there is no step `lps`"));
    }

    #[test]
    fn help_names_every_step_and_wrong_commands_get_it() {
        assert!(STEPS.iter().all(|step| help().contains(step.name)));
        let wrong = perform(Path::new("."), &["tests".to_owned()]).unwrap_err();
        assert!(wrong.starts_with("`tests` is no command") && wrong.ends_with(&help()));
    }
}
