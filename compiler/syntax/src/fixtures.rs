//! Files for tests.

/// Files without errors: the tour, and the examples of `reshape_map`, shapes, tilings and kernels.
pub(super) const FIXTURES: [&str; 5] = [
    include_str!("../../tests/fixtures/tour.shape"),
    include_str!("../../tests/fixtures/reshape_map.shape"),
    include_str!("../../tests/fixtures/mdspan.shape"),
    include_str!("../../tests/fixtures/tilings.shape"),
    include_str!("../../tests/fixtures/kernels.shape"),
];
