//! Diagnostics as text for people, and pictures as JSON for programs.

mod excerpt;
mod finding;
pub(crate) mod picture_json;

pub(crate) use finding::{Style, finding, short};
