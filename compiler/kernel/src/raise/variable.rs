//! What variables hold.

use rustc_hash::{FxHashMap, FxHashSet};

use super::value::ValueId;
use crate::typed::{Local, Memory};

/// The values of variables.
#[derive(Clone, Default)]
pub(super) struct Variables {
    /// The value of each variable, indexed by [`Local`]; `None` if it is out of scope.
    pub(super) current: Vec<Option<ValueId>>,
    /// The variables declared so far, to be dropped at the ends of their scopes.
    pub(super) declared: Vec<Local>,
    /// Each assignment's variable and its previous value, to be restored where branches join.
    pub(super) replaced: Vec<(Local, Option<ValueId>)>,
    /// The variables that have been given each value.
    pub(super) holders: FxHashMap<ValueId, Vec<Local>>,
    /// The same as pairs for fast lookup, since thousands of variables may hold the same value.
    pub(super) held: FxHashSet<(ValueId, Local)>,
    /// The read-only memory: tensors that the kernel never writes.
    pub(super) read_only: Vec<Memory>,
}
