//! A job from its first line to its last event.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use check::db::SourceFile;
use ide::CompilerDatabase;
use kernel::typed::Kernel;
use shapewright_runtime::cuda::launch::or_on_the_cpu;
use shapewright_runtime::devices::{DeviceName, devices};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::npy::write_npy;

use super::arguments;
use super::engine::{Engine, Taken};
use super::failure::Failure;
use super::outcome;
use super::protocol::{Event, Job};
use super::sizes;
use super::target::{Target, targets};
use super::{memory, timing, traffic};
use crate::cli::json::{Run, Time};

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_millis(50);

/// Does a job.
pub(super) fn run(job: &Job, tell: &(dyn Fn(&Event) + Sync)) -> Result<(), Failure> {
    let (db, root) = sources(job)?;
    let device = device(&job.device)?;
    let targets = targets(&db, root, job)?;
    sizes::refuse_unknown(&job.definitions, &targets)?;
    let folder = Path::new(root.path(&db)).parent().map(Path::to_owned).unwrap_or_default();
    for target in &targets {
        tell(&Event::Started { kernel: target.kernel.name.to_string() });
        let run = one(target, job, device, &folder, tell)?;
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

/// The device that the job names; one that is not here is refused with what is missing.
fn device(name: &str) -> Result<DeviceName, Failure> {
    let device: DeviceName = name.parse().map_err(Failure::usage)?;
    let device = device.resolve();
    if let DeviceName::Cuda(_) = device {
        let own = device.to_string();
        let all = devices();
        match all.iter().find(|device| device.name == own) {
            Some(found) if found.available => {}
            Some(found) => {
                let missing = found.missing.clone().unwrap_or_default();
                return Err(Failure::machine(format!("{own} is not available: {}", or_on_the_cpu(&missing))));
            }
            None => return Err(Failure::machine(format!("there is no device {own} here, see `shapewright devices`"))),
        }
    }
    Ok(device)
}

fn one(
    target: &Target,
    job: &Job,
    device: DeviceName,
    folder: &Path,
    tell: &(dyn Fn(&Event) + Sync),
) -> Result<Run, Failure> {
    let kernel = &*target.kernel;
    arguments::refuse_unknown(kernel, job.outputs.keys(), "--out")?;
    arguments::refuse_unwritten(kernel, job.outputs.keys())?;
    let sources = arguments::sources(target, &job.inputs, folder)?;
    let sizes = sizes::bind(target, &job.definitions, &sources)?;
    memory::check(kernel, &sizes)?;
    let mut notes = Vec::new();
    let mut values = arguments::load(kernel, &sources, &sizes, &mut notes)?;
    let before = outcome::before(target, &values)?;
    let engine = Engine { kernel, sizes: &sizes, device, measure: job.time };
    let last = Mutex::new(Instant::now());
    let progress = |fraction: f64| {
        if let Ok(mut last) = last.try_lock()
            && last.elapsed() > TELL_EVERY
        {
            *last = Instant::now();
            tell(&Event::Progress { fraction });
        }
    };
    let (taken, mut run) = engine.run(&mut values, &progress, |values| {
        let mut run = outcome::run(target, &sizes, &before, values)?;
        for (param, path) in files(target, job, folder) {
            let name = save(kernel, param, &path, values)?;
            run.saved.insert(name, path.display().to_string());
        }
        Ok(run)
    })?;
    run.device = device.to_string();
    run.run_us = taken.first_us;
    run.notes = notes;
    run.time = job.time.then(|| time(kernel, device, &taken, &values));
    Ok(run)
}

/// Which parameter goes to which file: what the source says, and what the command line says instead.
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

/// Writes a tensor to its file; gives the tensor's name.
fn save(kernel: &Kernel, param: usize, path: &Path, values: &[Argument]) -> Result<String, Failure> {
    let name = kernel.params.get(param).map_or("", |param| param.name.as_str());
    match values.get(param) {
        Some(Argument::Tensor(tensor)) => write_npy(path, name, tensor)?,
        _ => return Err(Failure::machine(format!("`{name}` is gone after the run and cannot be saved"))),
    }
    Ok(name.to_owned())
}

/// What was measured, with the memory that had to be moved.
fn time(kernel: &Kernel, device: DeviceName, taken: &Taken, values: &[Argument]) -> Time {
    let median = timing::median(&taken.repetitions);
    let bytes = traffic::touched(kernel).bytes(values);
    let gb_per_s = if median > 0.0 { bytes as f64 / median / 1e3 } else { 0.0 };
    let name = device.to_string();
    let peak = devices().into_iter().find(|device| device.name == name).and_then(|device| device.peak_gb_per_s);
    Time {
        compile_ms: taken.compile.as_secs_f64() * 1e3,
        run_us_median: median,
        runs: taken.repetitions.len(),
        bytes,
        gb_per_s,
        percent_of_peak: peak.filter(|peak| *peak > 0.0).map(|peak| gb_per_s / peak * 100.0),
        cached: taken.cached,
    }
}
