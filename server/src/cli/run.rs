//! `shapewright run`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::check::db::{SourceFile, Workspace};
use ::check::generics::GenericValue;
use clap::Args;
use ide::CompilerDatabase;
use shapewright_runtime::executors::Executors;

use super::progress::Progress;
use super::{Failure, Format, Outcome, Output, Status, check, define, json, report};
use crate::load::Loaded;
use crate::worker::{Client, Ending, Event, FailureKind, Job, Task, Workers};

/// Runs the `run` items of a file, or one kernel on given tensors
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The name of a kernel; every `run` item where left out
    kernel: Option<String>,
    /// A value for a parameter: a `.npy` file, a number, `zeros`, `ones`, `arange` or `random(SEED)`
    #[arg(long = "in", value_name = "NAME=VALUE", value_parser = assignment)]
    inputs: Vec<(String, String)>,
    /// A `.npy` file to write a `mut` tensor to
    #[arg(long = "out", value_name = "NAME=FILE", value_parser = assignment)]
    outputs: Vec<(String, String)>,
    /// A value for a symbol, such as `-D M=1000`
    #[arg(short = 'D', value_name = "NAME=INTEGER", value_parser = define::parse)]
    define: Vec<(String, i64)>,
    /// A value for a generic parameter of the kernels, such as `-G B=64` or `-G T=f16`
    #[arg(short = 'G', value_name = "NAME=VALUE", value_parser = define::parse_generic)]
    generics: Vec<(String, GenericValue)>,
    #[arg(long, default_value = "auto", value_parser = device, help = where_to_run())]
    device: String,
    /// Measures: repeats the run and prints its time, the bytes moved and the bandwidth
    #[arg(long)]
    time: bool,
    /// Stops the runs when they take longer
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let (mut db, file) = Loaded::one(&arguments.file).map_err(Failure::Machine)?;
    define::set_generics(&mut db, &arguments.generics)?;
    let job = Job {
        files: files(&db),
        root: file.path(&db).to_owned(),
        kernel: arguments.kernel.clone(),
        runs: None,
        definitions: define::table(&arguments.define)?,
        generics: arguments.generics.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
        inputs: table("--in", &arguments.inputs)?,
        outputs: table("--out", &arguments.outputs)?,
        device: arguments.device.clone(),
        time: arguments.time,
    };
    let task = Task::Run(Box::new(job));
    require_sound(&db, file, &arguments.file.display().to_string())?;
    let client = Client::start(&task, &Workers::none())
        .map_err(|error| Failure::Machine(format!("a process for the run could not be started: {error}")))?;
    let interrupted = catch_interrupts(&client)?;
    let mut runs = Vec::new();
    let mut failed = None;
    let mut progress = Progress::new();
    let ending = client.wait(arguments.time_limit, |event| {
        match event {
            Event::Started { kernel } => progress.start(&kernel),
            Event::Progress { fraction } => progress.advance(fraction),
            Event::Finished { run } => {
                progress.stop();
                if arguments.format == Format::Human {
                    report::run(&run, output)?;
                }
                runs.push(*run);
            }
            Event::Measured { time } => {
                progress.stop();
                if arguments.format == Format::Human {
                    report::time(&time, output)?;
                }
                if let Some(run) = runs.last_mut() {
                    run.time = Some(time);
                }
            }
            Event::Unmeasured { note } => {
                progress.stop();
                if arguments.format == Format::Human {
                    report::note(&note, output)?;
                }
                if let Some(run) = runs.last_mut() {
                    run.notes.push(note);
                }
            }
            // Devices are only requested by other commands, and the end is told by the wait.
            Event::Devices { .. } | Event::Ptx { .. } | Event::Doing { .. } | Event::Ended { .. } => {}
            Event::Failed { kind, message } => failed = Some(failure(kind, message)),
        }
        Ok::<(), Failure>(())
    });
    progress.stop();
    let ending = match ending? {
        _ if interrupted.load(Ordering::Relaxed) => Err(Failure::Interrupted),
        Ending::Interrupted => Err(Failure::Interrupted),
        Ending::TimeLimit => {
            let seconds = arguments.time_limit.unwrap_or_default().as_secs_f64();
            Err(Failure::Machine(format!("the runs took longer than {seconds} s and were stopped")))
        }
        Ending::Died(reason) | Ending::Unanswered(reason) => Err(Failure::Machine(reason)),
        Ending::Done => failed.map_or(Ok(()), Err),
    };
    let wrong = runs.iter().any(|run| run.expect == json::Expect::Failed);
    if arguments.format == Format::Json && (ending.is_ok() || !runs.is_empty()) {
        output.json(&json::Runs { runs })?;
    }
    output.finish()?;
    ending.map(|()| Status::wrong_if(wrong))
}

/// Every file that was read, as the worker needs it.
fn files(db: &CompilerDatabase) -> Vec<(String, String)> {
    let files = Workspace::get(db).files(db);
    files.iter().map(|(path, file)| (path.clone(), file.text(db).to_owned())).collect()
}

/// Refuses a file with errors, and shows its warnings. Its hints are left to `check`.
fn require_sound(db: &CompilerDatabase, file: SourceFile, shown: &str) -> Result<(), Failure> {
    let findings = ide::diagnostics(db, file);
    check::require_sound(db, &findings, shown)?;
    check::draw_warnings(db, &findings);
    Ok(())
}

fn failure(kind: FailureKind, message: String) -> Failure {
    match kind {
        FailureKind::File => Failure::File(message),
        FailureKind::Usage => Failure::Usage(message),
        FailureKind::Machine => Failure::Machine(message),
    }
}

/// Makes Ctrl-C end the wait. The worker gets the signal too, and may end first; the flag distinguishes that from a
/// crash of the worker.
fn catch_interrupts(client: &Client) -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let interrupter = client.interrupter();
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        interrupter.interrupt();
    })
    .map_err(|error| Failure::Machine(format!("Ctrl-C cannot be caught: {error}")))?;
    Ok(interrupted)
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

fn table(option: &str, pairs: &[(String, String)]) -> Result<BTreeMap<String, String>, Failure> {
    let mut table = BTreeMap::new();
    for (name, value) in pairs {
        if table.insert(name.clone(), value.clone()).is_some() {
            return Err(Failure::Usage(format!("{option} names {name} twice")));
        }
    }
    Ok(table)
}

fn device(text: &str) -> Result<String, String> {
    Executors::default().full_name(text).map_err(|error| error.to_string())
}

fn where_to_run() -> String {
    format!("Where to run: {}", Executors::default().names())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}
