//! The command line from the outside: real files, real processes, exit statuses, JSON fields, words.

mod asking;
mod checking;
mod formatting;
mod hostile;
mod program;
mod running;
