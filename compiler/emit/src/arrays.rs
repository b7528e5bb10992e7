//! The local arrays of a vectorised loop.

use super::text::Text;
use kernel::loops::AccessId;

/// The local arrays that replace memory accesses in the current loop.
#[derive(Default)]
pub(super) struct Arrays {
    pub all: Vec<Array>,
    /// The name of the index into the arrays.
    pub lane: String,
}

pub(super) struct Array {
    pub name: String,
    pub accesses: Vec<AccessId>,
    pub needs_mask: bool,
}

impl Arrays {
    pub fn array(&self, access: AccessId) -> Option<&Array> {
        self.all.iter().find(|array| array.accesses.contains(&access))
    }

    /// The array element that replaces an access.
    pub fn element(&self, access: AccessId) -> Option<Text> {
        let array = self.array(access)?;
        Some(Text::element(&array.name, &Text::primary(self.lane.clone())))
    }

    /// Whether the condition of an access is tested at the access, rather than where its array is copied.
    pub fn needs_mask(&self, access: AccessId) -> bool {
        self.array(access).is_none_or(|array| array.needs_mask)
    }
}
