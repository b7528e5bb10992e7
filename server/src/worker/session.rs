//! Carries out a job.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use check::db::SourceFile;
use ide::CompilerDatabase;
use kernel::typed::Kernel;
use shapewright_runtime::execute::{self, Argument, Control, Prepared, SizedKernel};
use shapewright_runtime::executors::{Executors, Opened};
use shapewright_runtime::tensors::npy::write_npy;

use super::arguments;
use super::failure::Failure;
use super::outcome;
use super::protocol::{Event, Job};
use super::sizes;
use super::target::{Target, targets};
use super::{memory, traffic};
use crate::cli::json::{Run, Time};

/// The interval between progress events.
const TELL_EVERY: Duration = Duration::from_millis(50);

/// Does a job.
pub(super) fn run(job: &Job, executors: Executors<'_>, tell: &(dyn Fn(&Event) + Sync)) -> Result<(), Failure> {
    let (db, root) = sources(job)?;
    let opened = executors.open(&job.device)?;
    let targets = targets(&db, root, job)?;
    sizes::refuse_unknown(&job.definitions, &targets)?;
    let folder = Path::new(root.path(&db)).parent().map(Path::to_owned).unwrap_or_default();
    for target in &targets {
        tell(&Event::Started { kernel: target.kernel.name.to_string() });
        let run = one(target, job, &opened, &folder, tell)?;
        tell(&Event::Finished { run: Box::new(run) });
    }
    Ok(())
}

fn sources(job: &Job) -> Result<(CompilerDatabase, SourceFile), Failure> {
    let mut db = CompilerDatabase::default();
    for (path, text) in &job.files {
        db.set_text(path, text);
    }
    let root = db.file(&job.root).ok_or_else(|| Failure::machine(format!("the job has no file {}", job.root)))?;
    Ok((db, root))
}

fn one(
    target: &Target,
    job: &Job,
    opened: &Opened,
    folder: &Path,
    tell: &(dyn Fn(&Event) + Sync),
) -> Result<Run, Failure> {
    let kernel = &*target.kernel;
    arguments::refuse_unknown(kernel, job.outputs.keys(), "--out")?;
    arguments::refuse_unwritten(kernel, job.outputs.keys())?;
    let sources = arguments::sources(target, &job.inputs, folder)?;
    let sizes = sizes::bind(target, &job.definitions, &sources)?;
    memory::check(kernel, &sizes)?;
    let mut notes = opened.notes.clone();
    let mut values = arguments::load(kernel, &sources, &sizes, &mut notes)?;
    let before = outcome::before(target, &values)?;
    let last = Mutex::new(Instant::now());
    let progress = |fraction: f64| {
        if let Ok(mut last) = last.try_lock()
            && last.elapsed() > TELL_EVERY
        {
            *last = Instant::now();
            tell(&Event::Progress { fraction });
        }
    };
    let control = Control { progress: Some(&progress), ..Control::default() };
    let mut prepared = SizedKernel::at_launch(kernel, &sizes)?.prepare(&*opened.device)?;
    notes.extend(prepared.notes());
    let first = prepared.run(&mut values, &control)?;
    let mut run = outcome::run(target, &sizes, &before, &values)?;
    for (param, path) in files(target, job, folder) {
        let name = save(kernel, param, &path, &values)?;
        run.saved.insert(name, path.display().to_string());
    }
    run.device = opened.name.clone();
    run.run_us = microseconds(first);
    run.notes = notes;
    if job.time {
        let bytes = traffic::touched(kernel).bytes(&values);
        let times = prepared.measure(&mut values, &control)?;
        run.time = Some(time(&prepared, &times, bytes, opened.device.peak_gb_per_s()));
    }
    Ok(run)
}

/// The files to save parameters to: those of the source, overridden by those of the command line.
fn files(target: &Target, job: &Job, folder: &Path) -> Vec<(usize, PathBuf)> {
    let kernel = &target.kernel;
    let saves = target.saves().map(|(param, path)| (param.0 as usize, folder.join(path)));
    let saves = saves.filter(|(param, _)| {
        kernel.params.get(*param).is_some_and(|param| !job.outputs.contains_key(param.name.as_str()))
    });
    let given = kernel.params.iter().enumerate();
    let given =
        given.filter_map(|(position, param)| Some((position, PathBuf::from(job.outputs.get(param.name.as_str())?))));
    saves.chain(given).collect()
}

/// Writes a tensor to its file; returns the tensor's name.
fn save(kernel: &Kernel, param: usize, path: &Path, values: &[Argument]) -> Result<String, Failure> {
    let name = kernel.params.get(param).map_or("", |param| param.name.as_str());
    match values.get(param) {
        Some(Argument::Tensor(tensor)) => write_npy(path, name, tensor)?,
        _ => return Err(Failure::machine(format!("`{name}` is gone after the run and cannot be saved"))),
    }
    Ok(name.to_owned())
}

/// The measured times, with the bytes moved and the device's peak bandwidth.
fn time(prepared: &Prepared<'_>, times: &[Duration], bytes: u64, peak_gb_per_s: Option<f64>) -> Time {
    let median = microseconds(execute::median(times));
    let gb_per_s = if median > 0.0 { bytes as f64 / median / 1e3 } else { 0.0 };
    Time {
        compile_ms: prepared.compile_time().as_secs_f64() * 1e3,
        run_us_median: median,
        runs: times.len(),
        bytes,
        gb_per_s,
        percent_of_peak: peak_gb_per_s.filter(|peak| *peak > 0.0).map(|peak| gb_per_s / peak * 100.0),
        cached: prepared.is_cached(),
    }
}

fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests;
