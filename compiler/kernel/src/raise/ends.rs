//! The ends between which a float lies.

/// The ends of an interval that holds every value but NaN; an infinite end says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ends {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Ends {
    /// Ends that say nothing.
    pub(super) const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
    /// Those of zero.
    pub(super) const ZERO: Self = Self { low: 0.0, high: 0.0 };

    /// The smallest interval that holds both.
    pub(super) fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}
