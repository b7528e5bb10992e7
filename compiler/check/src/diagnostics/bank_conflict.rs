//! Lanes of a warp that access different words of the same bank.

use super::diagnostic::{Diagnostic, Fix, Page, Severity};
use super::evidence::Element;
use super::words;
use proofs::memory::{BankConflict, BankConflicts};
use syntax::span::Span;

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

It is said where `m.bank_conflicts(f32)` is shown and is more than 1, and where a kernel accesses a shared array so: only the
threads that run the statement count. A failed assertion about it says the same. In kernels the two changes are made where
the array is declared: `shared tile : f32[32, 33];` or `shared tile : f32[32, 32] |> xor;`.",
    wrong: "map tile = reshape_map([32] | [32] => layout: [i0, t0]);
show tile.bank_conflicts(f32);
",
    right: "map tile = reshape_map([(32, 33)] | [32] => layout: [i0, t0]);
show tile.bank_conflicts(f32);
",
};

/// The cost of a conflict, with the edits that remove it; `None` without a conflict.
pub(crate) fn bank_conflict(span: Span, found: &BankConflicts, fixes: Vec<Fix>) -> Option<Diagnostic> {
    let conflict = found.conflict.as_ref()?;
    let message = format!("an access of a warp has {} bank conflict: {}", ways(found.degree), meeting(conflict));
    let mut found = PAGE.at(span, message).label("bank conflict").help(evidence(conflict));
    found.fixes.extend(fixes);
    Some(found)
}

/// An access of a shared array with a bank conflict.
pub(crate) struct SharedConflict<'a> {
    /// The span of the access.
    pub(crate) span: Span,
    /// The array.
    pub(crate) array: &'a str,
    /// Whether it is a store.
    pub(crate) store: bool,
    /// The most words of one bank that a warp accesses at once.
    pub(crate) degree: i64,
    /// Two lanes with a conflict.
    pub(crate) conflict: &'a BankConflict,
    /// The threads in these lanes.
    pub(crate) threads: [i64; 2],
    /// The elements that they access.
    pub(crate) elements: [Element; 2],
    /// Edits of the declaration that remove the conflict.
    pub(crate) fixes: Vec<Fix>,
}

/// An access of a shared array with a bank conflict, with the edits that remove it.
pub(crate) fn bank_conflict_of_access(found: &SharedConflict<'_>) -> Diagnostic {
    let SharedConflict {
        span, array, store, degree, conflict, threads: [first, second], elements: [one, other], ..
    } = found;
    let verb = if *store { "store to" } else { "load from" };
    let message = format!("a warp's {verb} `{array}` has {} bank conflict: {}", ways(*degree), meeting(conflict));
    let evidence = format!(
        "thread {first} wants element {one} of `{array}`, thread {second} element {other}{}",
        words::sizes(&conflict.sizes)
    );
    let mut diagnostic = PAGE.at(*span, message).label("bank conflict").help(evidence);
    diagnostic.fixes.extend(found.fixes.iter().cloned());
    diagnostic
}

/// A failed assertion with the two lanes, and the edits that remove the conflict.
pub(crate) fn with_conflict(failed: Diagnostic, found: &BankConflicts, fixes: Vec<Fix>) -> Diagnostic {
    let Some(conflict) = &found.conflict else { return failed };
    let mut failed = failed.help(format!("{}: {}", meeting(conflict), evidence(conflict)));
    failed.fixes.extend(fixes);
    failed
}

/// The lanes and the bank of a conflict.
fn meeting(conflict: &BankConflict) -> String {
    let BankConflict { bank, first, second, .. } = conflict;
    format!("lanes {} and {} want different words of bank {bank}", first.lane, second.lane)
}

/// Evidence for the user.
fn evidence(conflict: &BankConflict) -> String {
    let BankConflict { first, second, sizes, .. } = conflict;
    let of = |access: &proofs::memory::LaneAccess| {
        format!("{} is element {}", words::coordinates(&access.upper), access.address)
    };
    format!("{}, {}{}", of(first), of(second), words::sizes(sizes))
}

/// `a 4-way`, `an 8-way`.
fn ways(degree: i64) -> String {
    let vowel = matches!(degree, 8 | 11 | 18 | 80..=89);
    format!("{} {degree}-way", if vowel { "an" } else { "a" })
}
