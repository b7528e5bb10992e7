//! An SMT solver process, for questions that every rule of a deep check leaves open.
//!
//! A solver is optional. It is used if it is named, or found on the PATH.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use proofs::Solver;

/// The program, or `off`.
const VARIABLE: &str = "SHAPEWRIGHT_SOLVER";
/// The solvers searched on the PATH, the preferred one first.
const KNOWN: &[&str] = &["z3", "cvc5"];
/// The limit for one question in the solver's own steps, so that answers do not depend on the machine.
const STEPS: u32 = 50_000_000;
/// The time limit for one question, regardless of steps.
const PATIENCE: Duration = Duration::from_secs(30);
/// The interval for polling cancellation.
const GLANCE: Duration = Duration::from_millis(20);
/// The longest output.
const MOST_BYTES: u64 = 1 << 20;

/// The solver that is named on the command line or in the environment, or else the first one on the PATH.
///
/// # Errors
/// A sentence if a solver is named and there is no such program.
pub(crate) fn find(named: Option<&Path>) -> Result<Option<Arc<dyn Solver>>, String> {
    let variable = std::env::var_os(VARIABLE).map(PathBuf::from).filter(|name| !name.as_os_str().is_empty());
    let Some(name) = named.map(Path::to_owned).or(variable) else {
        return Ok(KNOWN.iter().find_map(|name| on_path(Path::new(name))).map(process));
    };
    if name.as_os_str() == "off" {
        return Ok(None);
    }
    match on_path(&name) {
        Some(program) => Ok(Some(process(program))),
        None => Err(format!("there is no SMT solver {}; name a program such as z3, or `off`", name.display())),
    }
}

/// The file of a program name, found as by a shell.
fn on_path(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return Some(name.to_owned()).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    let file = format!("{}{}", name.to_str()?, std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

fn process(program: PathBuf) -> Arc<dyn Solver> {
    Arc::new(Process { program, name: OnceLock::new() })
}

/// A program that reads a script from its standard input.
struct Process {
    program: PathBuf,
    name: OnceLock<String>,
}

impl Process {
    /// Its file name without suffix, which determines its arguments.
    fn stem(&self) -> String {
        self.program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn arguments(&self) -> Vec<String> {
        match self.stem().as_str() {
            "z3" => vec!["-in".into(), "-smt2".into(), format!("rlimit={STEPS}")],
            "cvc5" => vec!["--lang=smt2".into(), "--produce-models".into(), format!("--rlimit={STEPS}"), "-".into()],
            _ => Vec::new(),
        }
    }

    /// Runs the program on an input; `None` if it cannot be started, took too long or was cancelled.
    fn run(&self, arguments: &[String], text: &str, cancelled: &dyn Fn() -> bool) -> Option<String> {
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running(command.spawn().ok()?);
        let (mut input, output) = (running.0.stdin.take()?, running.0.stdout.take()?);
        let text = text.to_owned();
        // Ignores the error of a program that ends before reading all of its input.
        std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut printed = String::new();
            let read = output.take(MOST_BYTES).read_to_string(&mut printed);
            drop(sender.send(read.ok().map(|_| printed)));
        });
        let start = Instant::now();
        loop {
            match receiver.recv_timeout(GLANCE) {
                Ok(printed) => return printed,
                Err(RecvTimeoutError::Timeout) if start.elapsed() < PATIENCE && !cancelled() => {}
                Err(_) => return None,
            }
        }
    }
}

impl Solver for Process {
    fn name(&self) -> &str {
        self.name.get_or_init(|| {
            let printed = self.run(&["--version".to_owned()], "", &|| false).unwrap_or_default();
            let is_version = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.');
            let version = printed.split_whitespace().find(is_version);
            let stem = self.stem();
            version.map_or_else(|| stem.clone(), |version| format!("{stem} {version}"))
        })
    }

    fn answer(&self, script: &str, cancelled: &dyn Fn() -> bool) -> Option<String> {
        self.run(&self.arguments(), script, cancelled)
    }
}

/// A process that is killed when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
