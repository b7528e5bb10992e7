//! Files for the tests of the stages.

/// Files that are right: the tour, the examples of `reshape_map` and of shapes, tilings, kernels.
pub(super) const FIXTURES: [&str; 5] = [
    include_str!("../../tests/fixtures/tour.shape"),
    include_str!("../../tests/fixtures/reshape_map.shape"),
    include_str!("../../tests/fixtures/mdspan.shape"),
    include_str!("../../tests/fixtures/tilings.shape"),
    include_str!("../../tests/fixtures/kernels.shape"),
];
