//! The worker: a separate process that runs kernels, so that a crash costs one run and nothing else.
//!
//! It reads tasks, each a line of JSON, from its standard input, and answers with lines of JSON on its standard output.
//! Between two tasks it keeps what is slow to make: the open devices with what was compiled for them, and the checked
//! source. It ends when its standard input closes: its parent has no more tasks, or is gone.

mod arguments;
mod client;
mod devices;
mod emitted;
mod failure;
mod memory;
mod outcome;
mod process;
mod protocol;
mod session;
mod sizes;
mod target;
mod traffic;
mod workers;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};

use shapewright_runtime::execute::Doing;
use shapewright_runtime::executors::Executors;

pub(crate) use client::{Client, Ending, Interrupter};
pub(crate) use devices::devices;
pub(crate) use emitted::ptx;
pub(crate) use process::WORD;
pub(crate) use protocol::{Event, FailureKind, Job, Task};
pub(crate) use workers::Workers;

use failure::Failure;
use session::Session;

/// The worker's main function. It returns only if there is no thread to read the tasks.
pub(crate) fn main() -> ExitCode {
    crate::huge_pages::allow(true);
    let (sender, tasks) = channel();
    if let Err(error) = std::thread::Builder::new().spawn(move || read_tasks(&sender)) {
        eprintln!("a thread could not be started: {error}");
        return ExitCode::from(3);
    }
    Doing::listen(|doing| tell(&Event::doing(doing)));
    let mut session = Session::new(Executors::default());
    for task in tasks {
        let is_usable = carry_out(&task, &mut session);
        tell(&Event::Ended { is_usable });
        if !is_usable {
            process::leave(0);
        }
        session.tidy();
    }
    ExitCode::SUCCESS
}

/// Carries out a task; returns whether the worker can take another.
fn carry_out(task: &Task, session: &mut Session<'_>) -> bool {
    let done = match task {
        Task::Run(job) => session.run(job, &tell),
        Task::Devices => {
            Executors::default().devices_of_each().for_each(|devices| tell(&Event::Devices { devices }));
            Ok(())
        }
        Task::Ptx { source, entry, target } => {
            emitted::compile(source, entry, target).map(|text| tell(&Event::Ptx { text })).map_err(Failure::machine)
        }
    };
    if let Err(failure) = done {
        tell(&Event::Failed { kind: failure.kind, message: failure.message });
    }
    session.is_usable()
}

/// Reads tasks until standard input closes, which ends the process, whatever is still running.
fn read_tasks(tasks: &Sender<Task>) {
    let mut input = io::stdin().lock();
    let mut line = String::new();
    loop {
        line.clear();
        match input.read_line(&mut line) {
            Ok(0) => process::leave(0),
            Ok(_) => {}
            Err(error) => {
                eprintln!("the task cannot be read: {error}");
                process::leave(3);
            }
        }
        match serde_json::from_str(&line) {
            Ok(task) => {
                if tasks.send(task).is_err() {
                    process::leave(3);
                }
            }
            Err(error) => {
                eprintln!("the task cannot be understood: {error}");
                process::leave(3);
            }
        }
        // A task has all texts of a workspace.
        line.shrink_to(LONGEST_KEPT);
    }
}

/// The most bytes that the buffer for tasks keeps between two of them.
const LONGEST_KEPT: usize = 1 << 16;

/// Writes an event at once; ends the process if there is no reader.
fn tell(event: &Event) {
    let Ok(mut line) = serde_json::to_vec(event) else { return };
    line.push(b'\n');
    let mut output = io::stdout().lock();
    if output.write_all(&line).and_then(|()| output.flush()).is_err() {
        process::leave(3);
    }
}
