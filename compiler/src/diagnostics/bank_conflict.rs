//! Lanes of a warp that want different words of one bank.

use super::diagnostic::{Diagnostic, Fix, Page, Severity};
use super::words;
use crate::memory::{BankConflict, BankConflicts};
use crate::syntax::span::Span;

/// The documentation of `bank-conflict`.
pub static PAGE: Page = Page {
    code: "bank-conflict",
    severity: Severity::Hint,
    title: "lanes of a warp want different words of one bank of shared memory",
    explanation: "Shared memory has 32 banks. Word `w` of 4 bytes lies in bank `w % 32`, and a bank gives one word at a time; the same word
goes to any number of lanes at once. Where lanes of a warp want different words of one bank, they are served one after
the other: a conflict of degree 32 takes 32 times as long as an access without one. Accesses of 8 bytes are served a half
of the warp at a time, those of 16 bytes a quarter.

The message names two lanes that meet, and their elements. The usual causes are columns of a tile whose rows are a multiple
of 32 words long. Two changes end it: a pad behind each row, so that rows begin in different banks, and a swizzle, which
exchanges the columns of each row by `xor` with the row's number and needs no room. In CUDA these are
`__shared__ float tile[32][33]` and `tile[row][column ^ (row % 32)]`.

It is said where `m.bank_conflicts(f32)` is shown and is more than 1. A failed assertion about it says the same.",
    wrong: "map tile = reshape_map([32] | [32] => layout: [i0, t0]);
show tile.bank_conflicts(f32);
",
    right: "map tile = reshape_map([(32, 33)] | [32] => layout: [i0, t0]);
show tile.bank_conflicts(f32);
",
};

/// What a conflict costs, with the edits that end it; nothing where there is none.
pub(crate) fn bank_conflict(span: Span, found: &BankConflicts, fixes: Vec<Fix>) -> Option<Diagnostic> {
    let conflict = found.conflict.as_ref()?;
    let message = format!("an access of a warp takes {} turns where 1 would do: {}", found.degree, meeting(conflict));
    let mut found = PAGE.at(span, message).label("bank conflict").help(evidence(conflict));
    found.fixes.extend(fixes);
    Some(found)
}

/// A failed assertion with the two lanes, and the edits that end the conflict.
pub(crate) fn with_conflict(failed: Diagnostic, found: &BankConflicts, fixes: Vec<Fix>) -> Diagnostic {
    let Some(conflict) = &found.conflict else { return failed };
    let mut failed = failed.help(format!("{}: {}", meeting(conflict), evidence(conflict)));
    failed.fixes.extend(fixes);
    failed
}

/// Which lanes meet where.
fn meeting(conflict: &BankConflict) -> String {
    let BankConflict { bank, first, second, .. } = conflict;
    format!("lanes {} and {} want different words of bank {bank}", first.lane, second.lane)
}

/// What one can check by hand.
fn evidence(conflict: &BankConflict) -> String {
    let BankConflict { first, second, sizes, .. } = conflict;
    let of = |access: &crate::memory::LaneAccess| {
        format!("{} is element {}", words::coordinates(&access.upper), access.address)
    };
    format!("{}, {}{}", of(first), of(second), words::sizes(sizes))
}
