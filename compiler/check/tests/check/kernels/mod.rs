//! Kernels: what is said about their accesses and their thread collectives.

mod bank_conflicts;
mod collectives;
