//! Diagnostics as text for people.

mod excerpt;
mod finding;

pub(crate) use finding::{Style, finding, short};
