//! The arrays of a collective through which its warps exchange values.

use elements::ElementType;
use kernel::typed::{Scope, SharedId};

/// Arrays of one type and length for one collective.
#[derive(Clone)]
pub(in super::super) struct ExchangeArray {
    pub(super) element: ElementType,
    pub(super) length: i64,
    pub(super) scope: Scope,
    /// Two take turns: so an exchange waits for its own values, and not for those who still read the ones before.
    pub(super) arrays: [Option<SharedId>; 2],
    pub(super) turn: usize,
}
