//! `shapewright tune`

mod report;

use std::collections::BTreeMap;
use std::path::PathBuf;

use ::check::generics::Generics;
use clap::Args;
use ide::{Candidate, Judgement};
use kernel::typed::Kernel;

use super::format::Format;
use super::interrupts::Interrupts;
use super::json::{Tried, Tuned};
use super::launch::{self, Launch};
use super::output::Output;
use super::progress::Progress;
use super::status::{Failure, Outcome, Status};
use crate::ran::{Expect, Time};
use crate::tuned::Place;
use crate::worker::{Client, Ending, Event, Job, Task, Workers};

/// The fastest candidates are measured once more, since the first measurements of close ones may be in the wrong order.
const FINALISTS: usize = 3;

/// Measures a kernel for all values that its `tune` lists, and keeps the fastest for later runs
///
/// Sizes and inputs come from the kernel's first `run` item where the command line gives none. The values are kept for the
/// kernel, the device, and sizes of the same powers of two.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The name of a kernel that lists candidates, `tune(B: [64, 128])`; may be left out if only one does
    kernel: Option<String>,
    /// Measures only, and keeps nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    launch: Launch,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let launch = &arguments.launch;
    let (db, file) = launch.load(&arguments.file)?;
    launch::require_sound(&db, file, &arguments.file.display().to_string())?;
    let name = chosen(&db, file, arguments.kernel.as_deref())?;
    let candidates = ide::candidates(&db, file, &name).unwrap_or_default();
    let facts = ide::item_facts(&db, file);
    let default = facts.iter().filter(|item| item.is_called(&name)).find_map(|item| match &item.facts {
        ide::Facts::Kernel(kernel) => Some((kernel.clone(), item.candidates.clone())),
        _ => None,
    });
    let Some((default, among)) = default else {
        return Err(Failure::File(format!("the kernel {name} cannot run")));
    };
    let job = Job { tunes: true, time: true, ..launch.job(&db, file, Some(&name))? };
    let mut measuring = Measuring {
        job,
        launch,
        workers: Workers::waiting(),
        interrupts: Interrupts::catch()?,
        progress: Progress::new(),
    };
    let mut tuned = measuring.all(&name, &candidates)?;
    tuned.kept = keep(arguments, (&default, &among), &mut tuned)?;
    match launch.format {
        Format::Human => report::tuned(&tuned, output)?,
        Format::Json => output.json(&tuned)?,
    }
    Ok(match &tuned.best {
        None => Status::Machine,
        Some(_) => Status::wrong_if(tuned.candidates.iter().any(|tried| tried.expect == Expect::Failed)),
    })
}

/// The kernel to tune: the one of this name, or the only one with candidates.
fn chosen(db: &ide::CompilerDatabase, file: ::check::db::SourceFile, name: Option<&str>) -> Result<String, Failure> {
    let facts = ide::item_facts(db, file);
    let kernels = facts.iter().filter(|item| item.kind == "kernel").flat_map(|item| item.names.clone());
    let kernels: Vec<String> = kernels.collect();
    let tunable = |name: &&String| ide::candidates(db, file, name).is_some_and(|candidates| candidates.len() > 1);
    let tunable: Vec<&String> = kernels.iter().filter(tunable).collect();
    let how = "a kernel lists them so: `kernel k[B = 64](…) tune(B: [32, 64, 128]) { … }`";
    match (name, tunable.as_slice()) {
        (Some(name), _) if !kernels.iter().any(|kernel| kernel == name) => {
            let nearest = ::check::spelling::nearest(name, kernels.iter().map(String::as_str));
            let advice = nearest.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            Err(Failure::File(format!("{} has no kernel `{name}`{advice}", file.path(db))))
        }
        (Some(name), tunable) if !tunable.iter().any(|kernel| *kernel == name) => {
            Err(Failure::File(format!("the kernel {name} has one candidate only, its defaults; {how}")))
        }
        (Some(name), _) => Ok(name.to_owned()),
        (None, [only]) => Ok((*only).clone()),
        (None, []) => Err(Failure::File(format!("{} has no kernel with candidates; {how}", file.path(db)))),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|name| name.as_str()).collect();
            Err(Failure::Usage(format!("several kernels list candidates; name one of them: {}", names.join(", "))))
        }
    }
}

/// Keeps the best values. The result is whether they are kept; why they are not is added to the notes.
fn keep(arguments: &Arguments, kernel: (&Kernel, &[Generics]), tuned: &mut Tuned) -> Result<bool, Failure> {
    let (Some(best), Some(device)) = (&tuned.best, &tuned.measured_on) else { return Ok(false) };
    if arguments.dry_run {
        return Ok(false);
    }
    if arguments.launch.gives_generics() {
        tuned.notes.push("nothing is kept, since -G restricts the candidates".to_owned());
        return Ok(false);
    }
    match Place::new(kernel, &tuned.bindings, device).keep(best) {
        Ok(()) => Ok(true),
        Err(why) => {
            tuned.notes.push(format!("the best values are not kept: {why}"));
            Ok(false)
        }
    }
}

/// Measures candidates, one after the other.
struct Measuring<'a> {
    job: Job,
    launch: &'a Launch,
    workers: Workers,
    interrupts: Interrupts,
    progress: Progress,
}

impl Measuring<'_> {
    fn all(&mut self, name: &str, candidates: &[Candidate]) -> Result<Tuned, Failure> {
        let mut tuned = Tuned { kernel: name.to_owned(), ..Tuned::default() };
        for (number, candidate) in candidates.iter().enumerate() {
            self.progress.start(&format!("{name}, candidate {} of {}", number + 1, candidates.len()));
            self.progress.advance(number as f64 / candidates.len() as f64);
            let mut tried = untried(candidate);
            tried.is_default = number == 0;
            if candidate.judgement == Judgement::Sound {
                self.measure(&mut tried, &mut tuned)?;
            }
            tuned.candidates.push(tried);
        }
        self.progress.stop();
        sort(&mut tuned.candidates);
        let mut again = std::mem::take(&mut tuned.candidates);
        let finalists = again.iter().filter(|tried| is_right(tried)).count().min(FINALISTS);
        for tried in again.iter_mut().take(if finalists > 1 { finalists } else { 0 }) {
            self.measure(tried, &mut tuned)?;
        }
        sort(&mut again);
        tuned.best = again.first().filter(|tried| is_right(tried)).map(|best| best.generics.clone());
        tuned.candidates = again;
        Ok(tuned)
    }

    /// Measures a candidate, and keeps the lower time if it was measured before. A failure is that of the candidate, unless nothing
    /// can be measured at all.
    fn measure(&mut self, tried: &mut Tried, tuned: &mut Tuned) -> Result<(), Failure> {
        let job = Job { generics: tried.generics.clone(), ..self.job.clone() };
        let client = Client::start(&Task::Run(Box::new(job)), &self.workers).map_err(launch::not_started)?;
        self.interrupts.end(&client);
        let mut failed = None;
        let ending = client.wait(self.launch.time_limit, |event| {
            match event {
                Event::Finished { run } => {
                    tried.expect = run.expect;
                    (tuned.device, tuned.bindings) = (run.device, run.bindings);
                }
                Event::Measured { time } => {
                    tuned.measured_on = Some(time.device.clone().unwrap_or_else(|| tuned.device.clone()));
                    let is_better = |before: &Time| time.run_us_median < before.run_us_median;
                    if tried.time.as_ref().is_none_or(is_better) {
                        tried.time = Some(time);
                    }
                }
                Event::Unmeasured { note } => tried.problem = Some(note),
                Event::Failed { kind, message } => failed = Some(launch::failure(kind, message)),
                Event::Started { .. }
                | Event::Progress { .. }
                | Event::Devices { .. }
                | Event::Ptx { .. }
                | Event::Doing { .. }
                | Event::Ended { .. } => {}
            }
            Ok::<(), Failure>(())
        })?;
        match (ending, failed) {
            _ if self.interrupts.were_pressed() => Err(Failure::Interrupted),
            (Ending::Interrupted, _) => Err(Failure::Interrupted),
            // What is wrong with the command line or the inputs is so for every candidate.
            (_, Some(failure @ Failure::Usage(_))) => Err(failure),
            (_, Some(Failure::File(why) | Failure::Machine(why))) => {
                tried.problem = Some(why);
                Ok(())
            }
            (_, Some(failure)) => Err(failure),
            (Ending::TimeLimit, None) => {
                let seconds = self.launch.time_limit.unwrap_or_default().as_secs_f64();
                tried.problem = Some(format!("took longer than {seconds} s and was stopped"));
                Ok(())
            }
            (Ending::Died(why) | Ending::Unanswered(why), None) => {
                tried.problem = Some(why);
                Ok(())
            }
            (Ending::Done, None) => Ok(()),
        }
    }
}

/// A candidate before it is measured.
fn untried(candidate: &Candidate) -> Tried {
    let values = candidate.generics.known().into_iter();
    let problem = match &candidate.judgement {
        Judgement::Sound => None,
        Judgement::Excluded => Some("excluded by the kernel's `where`".to_owned()),
        Judgement::Wrong(message) => Some(message.clone()),
    };
    Tried {
        generics: values.map(|(name, value)| (name.to_string(), value.to_string())).collect::<BTreeMap<_, _>>(),
        is_default: false,
        expect: Expect::None,
        time: None,
        problem,
    }
}

/// Whether it was measured and computes what is expected.
fn is_right(tried: &Tried) -> bool {
    tried.time.is_some() && tried.expect != Expect::Failed
}

/// The fastest first, then those that are wrong or were not measured.
fn sort(candidates: &mut [Tried]) {
    let time = |tried: &Tried| {
        tried.time.as_ref().filter(|_| is_right(tried)).map_or(f64::INFINITY, |time| time.run_us_median)
    };
    candidates.sort_by(|one, other| time(one).total_cmp(&time(other)));
}
