//! Diagnostics: one file for each kind, with its text, its documentation and its fix.

mod diagnostic;

pub use diagnostic::{Diagnostic, Fix, Page, Place, Severity};
