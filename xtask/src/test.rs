//! The test command: prepares and runs steps, one after another.

use std::path::Path;
use std::time::Instant;

use crate::environment::Variables;
use crate::steps::Step;

/// The result of a step.
#[derive(Debug, PartialEq)]
enum Outcome {
    Passed,
    /// Something that it needs is not available.
    LeftOut,
    /// It failed, with a sentence.
    Failed(String),
}

/// Runs steps; the first failure ends the command.
///
/// If something that a step needs is not available, a `strict` command fails. Otherwise a note says what is missing,
/// and the step is skipped.
///
/// # Errors
/// The failure.
pub fn test(root: &Path, steps: &[&Step], strict: bool) -> Result<(), String> {
    summarize(perform_all(root, steps.iter().copied(), strict))
}

/// Runs steps until one fails; each result comes with a line of text about it.
fn perform_all<'a>(root: &Path, steps: impl Iterator<Item = &'a Step>, strict: bool) -> Vec<(Outcome, String)> {
    let mut ended = Vec::new();
    for step in steps {
        let started = Instant::now();
        eprintln!("== {}", step.name);
        let outcome = perform(root, step, strict);
        let word = match outcome {
            Outcome::Passed => "passed",
            Outcome::LeftOut => "left out",
            Outcome::Failed(_) => "failed",
        };
        let line = format!("{}: {word}, {:.0} s", step.name, started.elapsed().as_secs_f64());
        eprintln!("== {line}");
        let failed = matches!(outcome, Outcome::Failed(_));
        ended.push((outcome, line));
        if failed {
            break;
        }
    }
    ended
}

fn summarize(ended: Vec<(Outcome, String)>) -> Result<(), String> {
    let count = |what: fn(&Outcome) -> bool| ended.iter().filter(|(outcome, _)| what(outcome)).count();
    let passed = count(|outcome| matches!(outcome, Outcome::Passed));
    let skipped = count(|outcome| matches!(outcome, Outcome::LeftOut));
    let failed = ended.len() - passed - skipped;
    eprintln!();
    for (_, line) in &ended {
        eprintln!("{line}");
    }
    eprintln!("steps: {passed} passed, {failed} failed, {skipped} skipped");
    let failure = ended.into_iter().find_map(|(outcome, _)| match outcome {
        Outcome::Failed(problem) => Some(problem),
        Outcome::Passed | Outcome::LeftOut => None,
    });
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

/// Makes everything available that a step needs.
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

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::environment::Need;
    use crate::steps::STEPS;

    const THERE: Need = Need { what: "a variable", prepare: |_| Ok(vec![("XTASK_TEST", "here".into())]) };
    const MISSING: Need = Need { what: "a unicorn", prepare: |_| Err("there are none".to_owned()) };

    const PASSES: Step = Step {
        name: "passes",
        about: "nothing",
        needs: &[],
        runs_without: false,
        command: |_| arguments(&["--version"]),
    };
    const FAILS: Step = Step { name: "fails", command: |_| arguments(&["--no-such-option"]), ..PASSES };

    fn arguments(all: &[&str]) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(all).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        cargo
    }

    fn outcomes(steps: &[Step], strict: bool) -> Vec<Outcome> {
        perform_all(Path::new("."), steps.iter(), strict).into_iter().map(|(outcome, _)| outcome).collect()
    }

    #[test]
    fn the_first_failure_ends_the_command() {
        let found = outcomes(&[PASSES, FAILS, PASSES], false);
        assert_eq!(found, [Outcome::Passed, Outcome::Failed("the step `fails` failed".to_owned())]);
    }

    #[test]
    fn what_cannot_be_had_leaves_a_step_out_or_fails_it_where_it_must_run() {
        let needy = || Step { needs: &[THERE, MISSING], ..PASSES };
        assert_eq!(outcomes(&[needy(), PASSES], false), [Outcome::LeftOut, Outcome::Passed]);
        let problem = "the step `passes` cannot run: a unicorn cannot be had: there are none";
        assert_eq!(outcomes(&[needy(), PASSES], true), [Outcome::Failed(problem.to_owned())]);
    }

    #[test]
    fn a_step_that_means_something_without_what_it_needs_runs() {
        let both = || [Step { needs: &[MISSING], runs_without: true, ..FAILS }];
        assert_eq!(outcomes(&both(), false), [Outcome::Failed("the step `fails` failed".to_owned())]);
    }

    #[test]
    fn a_step_is_told_where_things_are() {
        let variables = prepare(Path::new("."), &Step { needs: &[THERE], ..PASSES }).unwrap();
        assert_eq!(variables, [("XTASK_TEST", "here".into())]);
    }

    #[test]
    fn a_summary_is_an_error_where_a_step_failed() {
        assert_eq!(summarize(perform_all(Path::new("."), [PASSES].iter(), true)), Ok(()));
        let failed = summarize(perform_all(Path::new("."), [PASSES, FAILS].iter(), true));
        assert_eq!(failed, Err("the step `fails` failed".to_owned()));
    }

    #[test]
    fn steps_have_names_of_their_own() {
        let mut names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
