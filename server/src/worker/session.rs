//! Carries out jobs, and keeps what the next one may need.

mod tuned;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use check::db::{SourceFile, Workspace};
use check::generics::{GenericValue, Generics};
use ide::CompilerDatabase;
use kernel::typed::Kernel;
use shapewright_runtime::execute::{self, Argument, Control, Device, ExecuteError, Measured, Prepared, SizedKernel};
use shapewright_runtime::executors::{Executors, Opened};
use shapewright_runtime::tensors::npy::write_npy;

use super::arguments;
use super::failure::Failure;
use super::outcome;
use super::protocol::{Event, Job};
use super::sizes;
use super::target::{Target, targets};
use super::{memory, traffic};
use crate::ran::Time;

/// The interval between progress events.
const TELL_EVERY: Duration = Duration::from_millis(50);

/// What jobs share.
pub(super) struct Session<'e> {
    /// The sources of the last job.
    db: CompilerDatabase,
    devices: OpenDevices<'e>,
    /// Whether this process can tell what is available the next time.
    is_usable: bool,
}

/// The devices that jobs have opened.
struct OpenDevices<'e> {
    executors: Executors<'e>,
    /// Whether this job has tried again what `auto` passed over.
    tried_again: bool,
    /// Each under the name that jobs have for it.
    opened: BTreeMap<String, Opened>,
}

impl OpenDevices<'_> {
    /// Begins to open a device, if it is not open.
    fn begin(&self, name: &str) {
        if self.opened.get(name).is_none_or(|open| open.passed_over) {
            self.executors.begin(name);
        }
    }

    /// The device of a name. If it is opened now, this kernel is compiled meanwhile. What `auto` passed over is tried again.
    fn get(&mut self, name: &str, kernel: &SizedKernel<'_>) -> Result<&Opened, ExecuteError> {
        Ok(match self.opened.entry(name.to_owned()) {
            Entry::Occupied(open) => {
                let open = open.into_mut();
                if open.passed_over && !std::mem::replace(&mut self.tried_again, true) {
                    self.executors.open_faster(open, kernel)?;
                }
                open
            }
            Entry::Vacant(place) => {
                self.tried_again = true;
                place.insert(self.executors.open_for(name, kernel)?)
            }
        })
    }
}

impl<'e> Session<'e> {
    /// A session in which nothing is open.
    pub(super) fn new(executors: Executors<'e>) -> Self {
        let devices = OpenDevices { executors, tried_again: false, opened: BTreeMap::new() };
        Self { db: CompilerDatabase::default(), devices, is_usable: true }
    }

    /// Does a job. After an error of a device nothing stays open, and what could not be opened is looked for again by the
    /// next job.
    pub(super) fn run(&mut self, job: &Job, tell: &(dyn Fn(&Event) + Sync)) -> Result<(), Failure> {
        // What was begun in the background for the last job may have ended after it.
        self.devices.executors.forget_failures();
        self.devices.tried_again = false;
        let done = self.try_run(job, tell);
        if done.as_ref().is_err_and(|failure| failure.is_of_device) {
            self.devices.opened.clear();
            self.is_usable = false;
        }
        self.is_usable &= self.devices.executors.forget_failures();
        done
    }

    /// Whether it can do another job. After an error of a device it cannot, since the device may be lost to this process,
    /// nor after one that only a new process can find mended.
    pub(super) fn is_usable(&self) -> bool {
        self.is_usable
    }

    fn try_run(&mut self, job: &Job, tell: &(dyn Fn(&Event) + Sync)) -> Result<(), Failure> {
        let root = self.read(job)?;
        self.db.set_generics(generics(job)?);
        self.devices.begin(&job.device);
        let db = &self.db;
        let targets = targets(db, root, job)?;
        sizes::refuse_unknown(&job.definitions, &targets)?;
        let folder = Path::new(root.path(db)).parent().map(Path::to_owned).unwrap_or_default();
        for (number, target) in targets.iter().enumerate() {
            tell(&Event::Started { kernel: target.kernel.name.to_string() });
            let chosen = self.chosen((target, number), (job, root), &folder)?;
            let (note, target) = match &chosen {
                Some(chosen) => (Some(chosen.note.clone()), &chosen.target),
                None => (None, target),
            };
            self.is_usable &= one(target, note, job, &mut self.devices, &folder, tell)?;
        }
        Ok(())
    }

    /// Makes the files of a job the only ones.
    fn read(&mut self, job: &Job) -> Result<SourceFile, Failure> {
        let mut gone = Workspace::get(&self.db).files(&self.db).clone();
        for (path, text) in &job.files {
            self.db.set_text(path, text);
            gone.remove(path);
        }
        for path in gone.keys() {
            self.db.remove(path);
        }
        self.db.file(&job.root).ok_or_else(|| Failure::machine(format!("the job has no file {}", job.root)))
    }

    /// Frees what the sources of earlier jobs left behind.
    pub(super) fn tidy(&mut self) {
        while self.db.has_stale_items() && self.db.clear_stale() {}
    }
}

/// The values that a job gives generic parameters.
fn generics(job: &Job) -> Result<Generics, Failure> {
    let value = |(name, text): (&String, &String)| {
        let value: GenericValue = text.parse().map_err(|why| Failure::usage(format!("-G {name}: {why}")))?;
        Ok((name.as_str().into(), value))
    };
    job.generics.iter().map(value).collect()
}

/// Makes one run, with a note on it. Returns whether the device did all that it was asked for.
fn one(
    target: &Target,
    note: Option<String>,
    job: &Job,
    devices: &mut OpenDevices<'_>,
    folder: &Path,
    tell: &(dyn Fn(&Event) + Sync),
) -> Result<bool, Failure> {
    let kernel = &*target.kernel;
    arguments::refuse_unknown(kernel, job.outputs.keys(), "--out")?;
    arguments::refuse_unwritten(kernel, job.outputs.keys())?;
    let sources = arguments::sources(target, &job.inputs, folder)?;
    let sizes = sizes::bind(target, &job.definitions, &sources)?;
    memory::check(kernel, &sizes)?;
    let sized = SizedKernel::at_launch(kernel, &sizes)?;
    let opened = devices.get(&job.device, &sized)?;
    let mut notes = opened.notes.clone();
    notes.extend(note);
    let mut values = arguments::load(kernel, &sources, &sizes, &mut notes)?;
    let before = outcome::before(target, &values, folder)?;
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
    let mut prepared = sized.prepare(&*opened.device)?;
    let first = prepared.run(&mut values, &control)?;
    notes.extend(prepared.notes());
    let mut run = outcome::run(target, &sizes, &before, &values)?;
    for (param, path) in files(target, job, folder) {
        let (name, note) = save(kernel, param, &path, &values)?;
        notes.extend(note);
        run.saved.insert(name, path.display().to_string());
    }
    run.device = opened.name.clone();
    run.run_us = microseconds(first);
    run.notes = notes;
    // The result is told before anything is measured, so that nothing can take it away.
    tell(&Event::Finished { run: Box::new(run) });
    if job.time {
        let bytes = traffic::touched(kernel).bytes(&values);
        match prepared.measure(&mut values, &control) {
            Ok(measured) => {
                tell(&Event::Measured { time: time(&prepared, measured, bytes, &*opened.device) });
            }
            // The run itself is right. If the device is lost, the next run says so.
            Err(error @ ExecuteError::Device(_)) => {
                tell(&Event::Unmeasured { note: format!("the run was not measured: {error}") });
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(true)
}

/// The files to save parameters to: those of the source, overridden by those of the command line.
fn files(target: &Target, job: &Job, folder: &Path) -> Vec<(usize, PathBuf)> {
    let kernel = &target.kernel;
    let saves = target.saves().map(|(param, path)| (param.0 as usize, folder.join(path)));
    let saves = saves.filter(|(param, _)| {
        kernel.params.as_slice().get(*param).is_some_and(|param| !job.outputs.contains_key(param.name.as_str()))
    });
    let given = kernel.params.iter().enumerate();
    let given =
        given.filter_map(|(position, param)| Some((position, PathBuf::from(job.outputs.get(param.name.as_str())?))));
    saves.chain(given).collect()
}

/// Writes a tensor to its file; returns the tensor's name, and a note about the file for the user.
fn save(kernel: &Kernel, param: usize, path: &Path, values: &[Argument]) -> Result<(String, Option<String>), Failure> {
    let name = kernel.params.as_slice().get(param).map_or("", |param| param.name.as_str());
    match values.get(param) {
        Some(Argument::Tensor(tensor)) => Ok((name.to_owned(), write_npy(path, name, tensor)?)),
        _ => Err(Failure::machine(format!("`{name}` is gone after the run and cannot be saved"))),
    }
}

/// The measured times, with the bytes moved and what is known of the device.
fn time(prepared: &Prepared<'_>, measured: Measured, bytes: u64, device: &dyn Device) -> Time {
    let median = microseconds(execute::median(&measured.times));
    let gb_per_s = if median > 0.0 { bytes as f64 / median / 1e3 } else { 0.0 };
    Time {
        compile_ms: prepared.compile_time().as_secs_f64() * 1e3,
        run_us_median: median,
        runs: measured.times.len(),
        bytes,
        gb_per_s,
        percent_of_peak: device.peak_gb_per_s().filter(|peak| *peak > 0.0).map(|peak| gb_per_s / peak * 100.0),
        cached: prepared.is_cached(),
        device: device.identity(),
        floor_us: measured.floor.map(microseconds),
        notes: measured.notes,
    }
}

fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests;
