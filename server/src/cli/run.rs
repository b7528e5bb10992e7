//! `shapewright run`

use std::path::PathBuf;

use clap::Args;

use super::format::Format;
use super::interrupts::Interrupts;
use super::launch::{self, Launch};
use super::output::Output;
use super::progress::Progress;
use super::status::{Failure, Outcome, Status};
use super::{json, report};
use crate::ran::Expect;
use crate::worker::{Client, Ending, Event, Task, Workers};

/// Runs the `run` items of a file, or one kernel on given tensors
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The name of a kernel; every `run` item where left out
    kernel: Option<String>,
    /// A `.npy` file to write a `mut` tensor to
    #[arg(long = "out", value_name = "NAME=FILE", value_parser = launch::assignment)]
    outputs: Vec<(String, String)>,
    /// Measures: repeats the run and prints its time, the bytes moved and the bandwidth
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    launch: Launch,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let launch = &arguments.launch;
    let (db, file) = launch.load(&arguments.file)?;
    let mut job = launch.job(&db, file, arguments.kernel.as_deref())?;
    job.outputs = launch::table("--out", &arguments.outputs)?;
    job.time = arguments.time;
    let task = Task::Run(Box::new(job));
    launch::require_sound(&db, file, &arguments.file.display().to_string())?;
    let client = Client::start(&task, &Workers::none()).map_err(launch::not_started)?;
    let interrupts = Interrupts::catch()?;
    interrupts.end(&client);
    let mut runs = Vec::new();
    let mut failed = None;
    let mut progress = Progress::new();
    let ending = client.wait(launch.time_limit, |event| {
        match event {
            Event::Started { kernel } => progress.start(&kernel),
            Event::Progress { fraction } => progress.advance(fraction),
            Event::Finished { run } => {
                progress.stop();
                if launch.format == Format::Human {
                    report::run(&run, output)?;
                }
                runs.push(*run);
            }
            Event::Measured { time } => {
                progress.stop();
                if launch.format == Format::Human {
                    report::time(&time, output)?;
                }
                if let Some(run) = runs.last_mut() {
                    run.time = Some(time);
                }
            }
            Event::Unmeasured { note } => {
                progress.stop();
                if launch.format == Format::Human {
                    report::note(&note, output)?;
                }
                if let Some(run) = runs.last_mut() {
                    run.notes.push(note);
                }
            }
            // Devices are only requested by other commands, and the end is told by the wait.
            Event::Devices { .. } | Event::Ptx { .. } | Event::Doing { .. } | Event::Ended { .. } => {}
            Event::Failed { kind, message } => failed = Some(launch::failure(kind, message)),
        }
        Ok::<(), Failure>(())
    });
    progress.stop();
    let ending = match ending? {
        _ if interrupts.were_pressed() => Err(Failure::Interrupted),
        Ending::Interrupted => Err(Failure::Interrupted),
        Ending::TimeLimit => {
            let seconds = launch.time_limit.unwrap_or_default().as_secs_f64();
            Err(Failure::Machine(format!("the runs took longer than {seconds} s and were stopped")))
        }
        Ending::Died(reason) | Ending::Unanswered(reason) => Err(Failure::Machine(reason)),
        Ending::Done => failed.map_or(Ok(()), Err),
    };
    let wrong = runs.iter().any(|run| run.expect == Expect::Failed);
    if launch.format == Format::Json && (ending.is_ok() || !runs.is_empty()) {
        output.json(&json::Runs { runs })?;
    }
    output.finish()?;
    ending.map(|()| Status::wrong_if(wrong))
}
