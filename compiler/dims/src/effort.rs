//! How much work the questions of one item may cost together.
//!
//! Each question to a set of facts is bounded by itself, but an item may ask thousands. So what computes an item does it
//! [`within`] an effort, and every polynomial that a prover makes is paid from it. Once it is spent, whatever is asked is
//! not proven, which is sound.
//!
//! The effort belongs to the thread, as the facts that are asked, and their cached answers, are shared by many items. A
//! computation within another one has an effort of its own and leaves that of the outer one as it was: so what an item costs
//! does not depend on which other items were computed before.

use std::cell::Cell;

thread_local! {
    /// What is left; `None` once more was needed.
    static LEFT: Cell<Option<u64>> = const { Cell::new(Some(u64::MAX)) };
}

/// The result of a computation, and whether its effort was enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Within<T> {
    /// The result.
    pub result: T,
    /// Whether questions were left open since the effort was spent.
    pub cut_short: bool,
}

/// Restores the effort of the outer computation, also where a cancelled one unwinds.
struct Outer(Option<u64>);

impl Drop for Outer {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

/// Runs a computation whose questions may cost `most` terms of polynomials.
pub fn within<T>(most: u64, work: impl FnOnce() -> T) -> Within<T> {
    let _outer = Outer(LEFT.replace(Some(most)));
    let result = work();
    Within { result, cut_short: is_spent() }
}

/// Runs a part of a computation whose questions may cost no more than `most`, and are paid by the whole.
pub fn part<T>(most: u64, work: impl FnOnce() -> T) -> Within<T> {
    let left = LEFT.get().unwrap_or(0);
    let own = most.min(left);
    let outer = Outer(LEFT.replace(Some(own)));
    let result = work();
    let rest = LEFT.get();
    drop(outer);
    match rest {
        // The part would have had more, had the whole.
        None if own < most => LEFT.set(None),
        rest => _ = spend(own - rest.unwrap_or(0)),
    }
    Within { result, cut_short: rest.is_none() }
}

/// Pays for work of this many terms. Returns whether the effort was enough.
pub fn spend(terms: u64) -> bool {
    let left = LEFT.get().and_then(|left| left.checked_sub(terms));
    LEFT.set(left);
    left.is_some()
}

/// Whether more effort was needed than there was.
pub fn is_spent() -> bool {
    LEFT.get().is_none()
}

/// The answer to a question and what it cost, unless the effort was not enough.
pub(super) fn measured<T>(question: impl FnOnce() -> T) -> Option<(T, u64)> {
    let before = LEFT.get()?;
    let answer = question();
    let after = LEFT.get()?;
    Some((answer, before - after))
}
