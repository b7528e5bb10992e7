//! Readings that only some text is meant for.

/// What comes of reading something in one of several ways.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Read<T> {
    /// It is to be read in another way.
    NotMine,
    /// It has an error, which is reported.
    Wrong,
    /// It is this.
    Is(T),
}

impl<T> Read<T> {
    /// What was read, or an error that is reported.
    pub(crate) fn from_checked(found: Option<T>) -> Self {
        found.map_or(Self::Wrong, Self::Is)
    }

    /// Whether it is to be read in another way.
    pub(crate) fn is_not_mine(&self) -> bool {
        matches!(self, Self::NotMine)
    }
}
