//! The `shapewright` program: the command line and the worker that runs kernels apart.

mod cli;
mod huge_pages;
mod load;
mod lsp;
mod parallel;
mod render;
mod solver;
mod worker;

use std::process::ExitCode;

/// A compiler allocates small things all the time; the system's allocator takes a fifth of a check.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A tree is as deep as the brackets of its source, and every stage walks it by recursion; the main thread's stack
/// depends on the system, this one does not.
const STACK_BYTES: usize = 256 << 20;

/// The command that other processes of this program start, and people never see.
const WORKER: &str = "worker";

fn main() -> ExitCode {
    let main = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK_BYTES).spawn(start);
    match main.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // The panic's own message has been printed; a defect of the program is neither the file's nor the machine's
        // fault, so it gets the status that shells know from Rust programs.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!("error: a thread could not be started: {error}");
            ExitCode::from(3)
        }
    }
}

fn start() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(only), None) if only == WORKER => worker::main(),
        _ => cli::main(),
    }
}
