//! The `shapewright` program: the command line, and the worker process that runs kernels.

mod cli;
mod freed_memory;
mod huge_pages;
mod load;
mod lsp;
mod parallel;
mod ran;
mod remarks;
mod render;
mod solver;
mod stack;
mod tuned;
mod worker;

use std::process::ExitCode;

/// A compiler makes many small allocations; the system's allocator takes a fifth of a check.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    freed_memory::give_back_soon();
    let main = std::thread::Builder::new().name("main".to_owned()).stack_size(stack::BYTES).spawn(start);
    match main.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // The panic's message has been printed. A defect of the program is neither the file's nor the machine's
        // fault, so it has the usual status of Rust panics.
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
        (Some(only), None) if only == worker::WORD => worker::main(),
        _ => cli::main(),
    }
}
