//! The command line from the outside: real files, real processes, exit statuses, JSON fields, words.

mod asking;
mod checking;
mod cookbook;
mod daily;
mod drawing;
mod edges;
mod examples;
mod formatting;
mod functions;
#[cfg(target_os = "linux")]
mod gpu_faults;
#[cfg(target_os = "linux")]
mod gpus;
mod hostile;
#[cfg(target_os = "linux")]
mod machine;
mod meaning;
mod numpy;
mod program;
mod running;
mod small_floats;
mod tuning;
mod views;
