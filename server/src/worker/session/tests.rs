//! Jobs on an executor that is added here: the worker knows none of them by name.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use shapewright_runtime::execute::{Device, DeviceInfo, Executable, ExecuteError, Executor};
use shapewright_runtime::interpreter::Interpreter;

use super::*;
use crate::ran::{Expect, Run};
use crate::worker::FailureKind;

/// The interpreter under another name. It counts its calls, and the name of a kernel tells it what to do.
#[derive(Clone, Default)]
struct Counting(Arc<Counts>);

#[derive(Default)]
struct Counts {
    opened: AtomicUsize,
    prepared: AtomicUsize,
    run: AtomicUsize,
}

/// A kernel that is counted each time it runs.
struct Counted<'a>(Box<dyn Executable + 'a>, &'a Counts);

impl Executor for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn about(&self) -> &'static str {
        "Nowhere: runs are counted."
    }

    fn rank(&self) -> u32 {
        0
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        Vec::new()
    }

    fn open(&self, _number: u32) -> Result<Box<dyn Device>, ExecuteError> {
        self.0.opened.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(self.clone()))
    }
}

impl Device for Counting {
    fn peak_gb_per_s(&self) -> Option<f64> {
        Some(1e-9)
    }

    fn prepare<'a>(&'a self, kernel: SizedKernel<'a>) -> Result<Box<dyn Executable + 'a>, ExecuteError> {
        match kernel.kernel().name.as_str() {
            "too_large" => Err(ExecuteError::Unsupported("this kernel is too large".into())),
            "unlucky" => Err(ExecuteError::Device("the device has gone".into())),
            _ => {
                self.0.prepared.fetch_add(1, Ordering::Relaxed);
                Ok(Box::new(Counted(Interpreter.prepare(kernel)?, &self.0)))
            }
        }
    }
}

impl Executable for Counted<'_> {
    fn is_cached(&self) -> bool {
        true
    }

    fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError> {
        self.1.run.fetch_add(1, Ordering::Relaxed);
        self.0.run(arguments, control)?;
        Ok(Duration::from_millis(200))
    }
}

/// What a job gives on the added executor, which then holds the counts.
fn done(executor: &Counting, device: &str, text: &str) -> Result<Vec<Run>, Failure> {
    next(&mut Session::new(Executors::new(&[executor])), device, text)
}

/// What the next job of a session gives.
fn next(session: &mut Session<'_>, device: &str, text: &str) -> Result<Vec<Run>, Failure> {
    let job = Job {
        files: vec![("a.shape".to_owned(), text.to_owned())],
        root: "a.shape".to_owned(),
        kernel: None,
        runs: None,
        tunes: false,
        definitions: Default::default(),
        generics: Default::default(),
        inputs: Default::default(),
        outputs: Default::default(),
        device: device.to_owned(),
        time: true,
    };
    let runs: Mutex<Vec<Run>> = Mutex::new(Vec::new());
    let tell = |event: &Event| match event {
        Event::Finished { run } => runs.lock().unwrap().push((**run).clone()),
        Event::Measured { time } => runs.lock().unwrap().last_mut().unwrap().time = Some(time.clone()),
        _ => {}
    };
    session.run(&job, &tell)?;
    Ok(runs.into_inner().unwrap())
}

/// Repetitions add to the previous result, so that an output after them is another one.
const GROW: &str = "kernel grow(y: mut f32[8]) { for i in grid(8) { y[i] = y[i] + 1.0; } }
run grow(y: zeros) expect y == 1.0;
run grow(y: ones) expect y == 2.0;
";

#[test]
fn a_job_opens_the_device_once_and_prepares_each_run_once() {
    let executor = Counting::default();
    let runs = done(&executor, "counting", GROW).unwrap();
    for (number, run) in runs.iter().enumerate() {
        assert_eq!((run.device.as_str(), run.run_us), ("counting", 200_000.0));
        assert_eq!(run.expect, Expect::Passed);
        assert_eq!(run.outputs["y"].sample, vec![serde_json::json!(number as f64 + 1.0); 8]);
        let time = run.time.as_ref().unwrap();
        assert_eq!((time.run_us_median, time.bytes, time.cached), (200_000.0, 64, true));
        assert!(time.percent_of_peak.is_some_and(|percent| percent > 0.0));
        assert!(time.runs >= 3);
    }
    assert_eq!(runs.len(), 2);
    let Counts { opened, prepared, run } = &*executor.0;
    let counts = [opened, prepared, run].map(|count| count.load(Ordering::Relaxed));
    // For each item the run that counts, one that warms up, and those that are measured.
    let repetitions: usize = runs.iter().map(|run| run.time.as_ref().unwrap().runs).sum();
    assert_eq!(counts, [1, 2, 2 + 2 + repetitions]);
}

#[test]
fn whose_fault_a_failure_is_the_executor_says() {
    let failure = |device: &str, text: &str| {
        let failure = done(&Counting::default(), device, text).err().unwrap();
        (failure.kind, failure.message)
    };
    let named = |name: &str| GROW.replace("grow", name);
    assert_eq!(failure("counting", &named("too_large")), (FailureKind::File, "this kernel is too large".to_owned()));
    assert_eq!(failure("counting", &named("unlucky")), (FailureKind::Machine, "the device has gone".to_owned()));
    assert_eq!(
        failure("cpu", GROW),
        (FailureKind::Usage, "there is no device `cpu`, expected auto or counting".to_owned())
    );
}

#[test]
fn a_device_stays_open_for_the_next_job_unless_it_failed() {
    let executor = Counting::default();
    let table: [&dyn Executor; 1] = [&executor];
    let mut session = Session::new(Executors::new(&table));
    let opened = || executor.0.opened.load(Ordering::Relaxed);
    for _ in 0..3 {
        assert_eq!(next(&mut session, "counting", GROW).unwrap().len(), 2);
        assert_eq!(opened(), 1);
    }
    let failure = next(&mut session, "counting", &GROW.replace("grow", "too_large")).err().unwrap();
    assert!(!failure.is_of_device, "{failure:?}");
    next(&mut session, "counting", GROW).unwrap();
    assert_eq!(opened(), 1);
    let failure = next(&mut session, "counting", &GROW.replace("grow", "unlucky")).err().unwrap();
    assert!(failure.is_of_device, "{failure:?}");
    next(&mut session, "counting", GROW).unwrap();
    assert_eq!(opened(), 2);
}

#[test]
fn a_job_has_its_own_files_only() {
    let executor = Counting::default();
    let table: [&dyn Executor; 1] = [&executor];
    let mut session = Session::new(Executors::new(&table));
    let with = |files: &[(&str, &str)]| Job {
        files: files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
        root: "a.shape".to_owned(),
        kernel: None,
        runs: None,
        tunes: false,
        definitions: Default::default(),
        generics: Default::default(),
        inputs: Default::default(),
        outputs: Default::default(),
        device: "counting".to_owned(),
        time: false,
    };
    let uses = format!("use \"b.shape\";\n{}", GROW.replace('8', "n"));
    session.run(&with(&[("a.shape", &uses), ("b.shape", "const n = 8;\n")]), &|_| {}).unwrap();
    let missing = session.run(&with(&[("a.shape", &uses)]), &|_| {}).err().unwrap();
    assert!(missing.message.contains("b.shape"), "{missing:?}");
    session.run(&with(&[("a.shape", &uses), ("b.shape", "const n = 4;\n")]), &|_| {}).unwrap();
    let missing = session.run(&with(&[("b.shape", "const n = 4;\n")]), &|_| {}).err().unwrap();
    assert_eq!(missing.message, "the job has no file a.shape");
}
