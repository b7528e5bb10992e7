//! Barrier regions and loops that are done by one call for all threads: sums of products, copies of tiles, and sums of lanes.
//!
//! [`works`] decides which regions are; the files that find them stand beside those that lower them.

pub mod copy_calls;
pub mod fills;
pub mod in_place;
pub mod joint_calls;
pub mod joints;
pub mod lane_sums;
pub mod merged_loops;
pub mod places;
pub mod products;
pub mod row_copies;
pub mod tile_calls;
pub mod tile_copies;
pub mod tile_guards;
pub mod transposition;
pub mod works;
