//! The test command: prepares and runs steps, one after another, and those beside each other that may.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::ahead::Ahead;
use crate::environment::Variables;
use crate::steps::Step;

/// How many steps run beside each other.
const LANES: usize = 2;

/// The result of a step.
#[derive(Debug, PartialEq)]
enum Outcome {
    Passed,
    /// Something that it needs is not available.
    LeftOut,
    /// It failed, with a sentence.
    Failed(String),
}

/// A step that ended, with a line of text about it.
type Ended = (Outcome, String);

/// Runs steps; the first failure ends the command.
///
/// If something that a step needs is not available, a `strict` command fails. Otherwise a note says what is missing,
/// and the step is skipped.
///
/// # Errors
/// The failure.
pub fn test(root: &Path, steps: &[&Step], strict: bool) -> Result<(), String> {
    summarize(perform_all(root, steps, strict))
}

/// Runs steps until one fails. Neighbours that may run beside each other do.
fn perform_all(root: &Path, steps: &[&Step], strict: bool) -> Vec<Ended> {
    let ahead = Mutex::new(Ahead::begin(root, steps));
    let mut ended = Vec::new();
    for steps in steps.chunk_by(|one, other| one.beside && other.beside) {
        ended.extend(match steps {
            [step] => vec![perform(root, step, strict, &ahead, Output::Shown)],
            steps => perform_beside(root, steps, strict, &ahead),
        });
        if ended.iter().any(|(outcome, _)| matches!(outcome, Outcome::Failed(_))) {
            break;
        }
    }
    ended
}

/// Runs steps beside each other; what each of them says is shown when it ends. After a failure none begins.
fn perform_beside(root: &Path, steps: &[&Step], strict: bool, ahead: &Mutex<Ahead>) -> Vec<Ended> {
    let queue = Mutex::new(steps.iter());
    let ended = Mutex::new(Vec::new());
    // A guard in the condition of the loop would be held while the step runs.
    let next = || locked(&queue).next();
    let lane = || {
        while let Some(step) = next() {
            let (outcome, line) = perform(root, step, strict, ahead, Output::AtTheEnd);
            if matches!(outcome, Outcome::Failed(_)) {
                locked(&queue).by_ref().for_each(drop);
            }
            locked(&ended).push((outcome, line));
        }
    };
    thread::scope(|scope| (0..LANES).for_each(|_| drop(scope.spawn(lane))));
    ended.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Where a step says what it does.
#[derive(Clone, Copy, PartialEq)]
enum Output {
    /// Here, as it comes.
    Shown,
    /// Here, all at once when it has ended, since another step runs beside it.
    AtTheEnd,
}

/// Runs a step.
fn perform(root: &Path, step: &Step, strict: bool, ahead: &Mutex<Ahead>, output: Output) -> Ended {
    let started = Instant::now();
    eprintln!("== {}", step.name);
    let outcome = match prepare(root, step, ahead) {
        Ok(variables) => command_of(root, step, variables, output),
        Err(problem) if strict => Outcome::Failed(format!("the step `{}` cannot run: {problem}", step.name)),
        Err(problem) if step.runs_without => {
            eprintln!("note: tests of the step `{}` are left out: {problem}", step.name);
            command_of(root, step, Variables::new(), output)
        }
        Err(problem) => {
            eprintln!("note: the step `{}` is left out: {problem}", step.name);
            Outcome::LeftOut
        }
    };
    let word = match outcome {
        Outcome::Passed => "passed",
        Outcome::LeftOut => "left out",
        Outcome::Failed(_) => "failed",
    };
    let line = format!("{}: {word}, {:.0} s", step.name, started.elapsed().as_secs_f64());
    eprintln!("== {line}");
    (outcome, line)
}

/// Runs the command of a step.
fn command_of(root: &Path, step: &Step, variables: Variables, output: Output) -> Outcome {
    let mut command = (step.command)(root);
    command.envs(variables);
    let status = match output {
        Output::Shown => command.status(),
        Output::AtTheEnd => shown_at_the_end(&mut command),
    };
    match status {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(_) => Outcome::Failed(format!("the step `{}` failed", step.name)),
        Err(error) => Outcome::Failed(format!("`{}` could not be started: {error}", command.get_program().display())),
    }
}

/// Runs a command, and shows all that it has said when it has ended, in the order in which it said it.
fn shown_at_the_end(command: &mut Command) -> io::Result<std::process::ExitStatus> {
    let (mut said, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn();
    // The writer's ends here would keep the pipe open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child?;
    let mut text = Vec::new();
    io::copy(&mut said, &mut text)?;
    let status = child.wait();
    io::Write::write_all(&mut io::stderr().lock(), &text)?;
    status
}

/// Makes everything available that a step needs.
fn prepare(root: &Path, step: &Step, ahead: &Mutex<Ahead>) -> Result<Variables, String> {
    let started = Instant::now();
    let mut variables = Variables::new();
    for need in step.needs {
        let prepared = locked(ahead).prepared(root, need);
        variables.extend(prepared.map_err(|problem| format!("{} cannot be had: {problem}", need.what))?);
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

    const THERE: Need = Need { what: "a variable", ahead: true, prepare: |_| Ok(vec![("XTASK_TEST", "here".into())]) };
    const MISSING: Need = Need { what: "a unicorn", ahead: false, prepare: |_| Err("there are none".to_owned()) };

    const PASSES: Step = Step {
        name: "passes",
        about: "nothing",
        needs: &[],
        runs_without: false,
        beside: false,
        command: |_| arguments(&["--version"]),
    };
    const FAILS: Step = Step { name: "fails", command: |_| arguments(&["--no-such-option"]), ..PASSES };

    fn arguments(all: &[&str]) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(all).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        cargo
    }

    fn outcomes(steps: &[Step], strict: bool) -> Vec<Outcome> {
        perform_all(Path::new("."), &steps.iter().collect::<Vec<_>>(), strict)
            .into_iter()
            .map(|(outcome, _)| outcome)
            .collect()
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
        let step = Step { needs: &[THERE], ..PASSES };
        let ahead = Mutex::new(Ahead::begin(Path::new("."), &[&step]));
        let variables = prepare(Path::new("."), &step, &ahead).unwrap();
        assert_eq!(variables, [("XTASK_TEST", "here".into())]);
    }

    #[test]
    fn a_summary_is_an_error_where_a_step_failed() {
        assert_eq!(summarize(perform_all(Path::new("."), &[&PASSES], true)), Ok(()));
        let failed = summarize(perform_all(Path::new("."), &[&PASSES, &FAILS], true));
        assert_eq!(failed, Err("the step `fails` failed".to_owned()));
    }

    #[test]
    fn steps_beside_each_other_all_run_and_none_begins_after_a_failure() {
        let beside = |step: Step| Step { beside: true, ..step };
        let found = outcomes(&[beside(PASSES), beside(PASSES), beside(PASSES), PASSES], false);
        assert_eq!(found, [Outcome::Passed, Outcome::Passed, Outcome::Passed, Outcome::Passed]);
        let found = outcomes(&[beside(FAILS), beside(PASSES), PASSES], false);
        assert!(
            found.contains(&Outcome::Failed("the step `fails` failed".to_owned())) && found.len() <= 2,
            "{found:?}"
        );
    }

    /// Each of these waits for the other one.
    #[test]
    fn two_steps_run_at_the_same_time() {
        static MET: std::sync::Barrier = std::sync::Barrier::new(2);
        let meets = || Step {
            beside: true,
            command: |_| {
                MET.wait();
                arguments(&["--version"])
            },
            ..PASSES
        };
        assert_eq!(outcomes(&[meets(), meets()], false), [Outcome::Passed, Outcome::Passed]);
    }

    #[test]
    fn steps_have_names_of_their_own() {
        let mut names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
