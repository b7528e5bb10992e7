//! Compact lists of ascending offsets.

/// Ascending offsets in a text. They take two bytes each in a short text, such as that of nearly every item, since
/// there is one for each token of all files in a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Offsets {
    /// All offsets are below 2¹⁶.
    Short(Box<[u16]>),
    /// Some are not.
    Long(Box<[u32]>),
}

impl Default for Offsets {
    fn default() -> Self {
        Self::Short(Box::default())
    }
}

impl Offsets {
    /// Stores ascending offsets.
    pub(super) fn new(places: impl Iterator<Item = u32> + Clone) -> Self {
        let short: Result<Box<[u16]>, _> = places.clone().map(u16::try_from).collect();
        short.map_or_else(|_| Self::Long(places.collect()), Self::Short)
    }

    /// The number of offsets.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Short(places) => places.len(),
            Self::Long(places) => places.len(),
        }
    }

    /// The offset with this index.
    pub(super) fn get(&self, index: usize) -> Option<u32> {
        match self {
            Self::Short(places) => places.get(index).copied().map(u32::from),
            Self::Long(places) => places.get(index).copied(),
        }
    }

    /// The number of offsets below `place`.
    pub(super) fn below(&self, place: u32) -> usize {
        match self {
            Self::Short(places) => places.partition_point(|at| u32::from(*at) < place),
            Self::Long(places) => places.partition_point(|at| *at < place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_same_in_two_bytes_and_in_four() {
        for places in [vec![], vec![3, 7, 7, 65_535], vec![3, 7, 7, 65_536]] {
            let offsets = Offsets::new(places.iter().copied());
            assert_eq!(matches!(offsets, Offsets::Short(_)), places.last().is_none_or(|last| *last < 65_536));
            assert_eq!(offsets.len(), places.len());
            assert_eq!((0..=places.len()).map(|at| offsets.get(at)).collect::<Vec<_>>(), {
                let mut expected: Vec<_> = places.iter().copied().map(Some).collect();
                expected.push(None);
                expected
            });
            for place in [0, 3, 6, 7, 8, 65_535, 65_536, 70_000] {
                assert_eq!(offsets.below(place), places.iter().filter(|at| **at < place).count());
            }
        }
    }
}
