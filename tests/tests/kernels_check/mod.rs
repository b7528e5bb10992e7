//! What the checker says about kernels, and that what it accepts is safe.
//!
//! The first half is a table: a small kernel and the diagnostics that it must give. The second half makes kernels at
//! random and enumerates every thread of those that were accepted: no race, no access outside. A wrong acceptance is the
//! worst bug that this project can have.

mod advice;
mod asynchronous;
mod atomics;
mod bits;
mod bounds;
mod bounds_advice;
mod collectives;
mod conditions;
mod contents;
mod conversions;
mod daily;
mod daily_answers;
mod definitions;
mod empty_loops;
mod exchanged;
mod foreign_words;
mod functions;
mod functions_of_users;
mod generics;
mod leaving;
mod literal_types;
mod maker;
mod mistakes;
pub mod mixed_integers;
mod mutations;
mod narrow;
mod orders;
mod padding;
mod pairs;
mod partners;
mod places;
mod powers;
mod races;
mod raised;
mod random;
mod random_induction;
mod random_orders;
mod random_scatters;
pub mod random_tiles;
mod regions;
mod register_products;
mod runs;
mod safe;
mod shared_sizes;
mod small_floats;
mod steps;
mod strangers;
mod thread_arrays;
mod tile_conditions;
mod tile_mistakes;
mod tile_surface;
mod tiles;
mod types;
mod views;
mod wide;

use crate::support::{Checked, check};
use safe::safe;

/// Checks a kernel and compares all its codes, in any order; `show`s do not occur.
#[track_caller]
fn gives(text: &str, codes: &[&str]) -> Checked {
    let checked = check(text);
    let found: Vec<&str> = checked.codes().into_iter().collect();
    assert_eq!(found, codes, "\n{text}\n{}", checked.report());
    let accepted = checked.kernel().is_some();
    assert_eq!(accepted, checked.errors().is_empty(), "a kernel exists exactly where there is no error:\n{text}");
    if accepted {
        safe(&checked, text);
    }
    checked
}

/// The message of the one finding with this code must contain each part.
#[track_caller]
fn says(checked: &Checked, code: &str, parts: &[&str]) {
    let finding = checked.findings.iter().find(|finding| finding.code == code).expect("the finding");
    let whole = std::iter::once(&finding.message).chain(&finding.help).cloned().collect::<Vec<String>>().join("\n");
    for part in parts {
        assert!(whole.contains(part), "`{part}` does not occur in:\n{whole}");
    }
}
