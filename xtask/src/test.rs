//! The test command: prepares and runs steps, one after the other.

use std::path::Path;
use std::time::Instant;

use crate::environment::Variables;
use crate::steps::{STEPS, Step};

/// What became of a step.
enum Outcome {
    Passed,
    /// What it needs cannot be had here.
    LeftOut,
    /// With a sentence.
    Failed(String),
}

/// Runs the named steps, all of them where none is named; the first that fails ends the command.
///
/// What a step needs and cannot be had fails it in continuous integration (where `CI` is set), and where the step is
/// asked for by name. Otherwise a note says what is missing, and the step is left out.
///
/// # Errors
/// What failed.
pub fn test(root: &Path, names: &[String]) -> Result<(), String> {
    let strict = !names.is_empty() || std::env::var_os("CI").is_some();
    let mut summary = Vec::new();
    let (mut passed, mut skipped, mut failure) = (0, 0, None);
    for step in STEPS.iter().filter(|step| names.is_empty() || names.iter().any(|name| name == step.name)) {
        let started = Instant::now();
        eprintln!("== {}", step.name);
        let word = match perform(root, step, strict) {
            Outcome::Passed => {
                passed += 1;
                "passed"
            }
            Outcome::LeftOut => {
                skipped += 1;
                "left out"
            }
            Outcome::Failed(problem) => {
                failure = Some(problem);
                "failed"
            }
        };
        let line = format!("{}: {word}, {:.0} s", step.name, started.elapsed().as_secs_f64());
        eprintln!("== {line}");
        summary.push(line);
        if failure.is_some() {
            break;
        }
    }
    eprintln!("\n{}", summary.join("\n"));
    eprintln!("steps: {passed} passed, {} failed, {skipped} skipped", u32::from(failure.is_some()));
    failure.map_or(Ok(()), Err)
}

fn perform(root: &Path, step: &Step, strict: bool) -> Outcome {
    let variables = match prepare(root, step) {
        Ok(variables) => variables,
        Err(problem) if strict => return Outcome::Failed(format!("the step `{}` cannot run: {problem}", step.name)),
        Err(problem) if step.runs_without => {
            eprintln!("note: tests of the step `{}` are left out: {problem}", step.name);
            Variables::new()
        }
        Err(problem) => {
            eprintln!("note: the step `{}` is left out: {problem}", step.name);
            return Outcome::LeftOut;
        }
    };
    let mut command = (step.command)(root);
    match command.envs(variables).status() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(_) => Outcome::Failed(format!("the step `{}` failed", step.name)),
        Err(error) => Outcome::Failed(format!("`{}` could not be started: {error}", command.get_program().display())),
    }
}

/// Makes sure that everything is there that a step needs.
fn prepare(root: &Path, step: &Step) -> Result<Variables, String> {
    let started = Instant::now();
    let mut variables = Variables::new();
    for need in step.needs {
        let found = (need.prepare)(root).map_err(|problem| format!("{} cannot be had: {problem}", need.what))?;
        variables.extend(found);
    }
    if !step.needs.is_empty() {
        eprintln!("== {}: prepared, {:.0} s", step.name, started.elapsed().as_secs_f64());
    }
    Ok(variables)
}
