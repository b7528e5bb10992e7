//! The worker: a separate process that runs kernels, so that a crash costs one run and nothing else.
//!
//! It reads one task, a line of JSON, from its standard input, and answers with lines of JSON on its standard output.
//! It ends when its standard input closes, which means that its parent is gone.

mod arguments;
mod client;
mod emitted;
mod failure;
mod memory;
mod outcome;
mod protocol;
mod session;
mod sizes;
mod target;
mod traffic;

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use shapewright_runtime::executors::Executors;

pub(crate) use client::{Client, Ending, Interrupter};
pub(crate) use emitted::ptx;
pub(crate) use protocol::{Event, FailureKind, Job, Task};

/// The worker's main function.
pub(crate) fn main() -> ExitCode {
    crate::huge_pages::allow(true);
    let mut line = String::new();
    if let Err(error) = io::stdin().lock().read_line(&mut line) {
        eprintln!("the task cannot be read: {error}");
        return ExitCode::from(3);
    }
    let task: Task = match serde_json::from_str(&line) {
        Ok(task) => task,
        Err(error) => {
            eprintln!("the task cannot be understood: {error}");
            return ExitCode::from(3);
        }
    };
    drop(line);
    std::thread::spawn(end_with_the_parent);
    let done = match task {
        Task::Run(job) => session::run(&job, Executors::default(), &tell),
        Task::Devices => {
            tell(&Event::Devices { devices: Executors::default().devices() });
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(&Event::Failed { kind: failure.kind, message: failure.message });
            ExitCode::FAILURE
        }
    }
}

/// Ends the process when standard input closes, whatever is still running.
fn end_with_the_parent() {
    let mut byte = [0];
    loop {
        match io::stdin().read(&mut byte) {
            Ok(0) => std::process::exit(3),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => std::process::exit(3),
        }
    }
}

/// Writes an event at once; ends the process if there is no reader.
fn tell(event: &Event) {
    let Ok(mut line) = serde_json::to_vec(event) else { return };
    line.push(b'\n');
    let mut output = io::stdout().lock();
    if output.write_all(&line).and_then(|()| output.flush()).is_err() {
        std::process::exit(3);
    }
}
