//! GPUs that kernels can be checked for, by the name of their architecture.

use std::fmt;
use std::str::FromStr;

use maps::hardware::{
    CAPABILITIES, Capability, MOST_BLOCK_THREADS, MOST_CLUSTER_BLOCKS, MOST_GRID_BLOCKS, MOST_SHARED_BYTES,
};

/// The oldest default target.
const OLDEST_DEFAULT: u32 = 80;

/// A GPU architecture, such as `sm_90`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target(Capability);

/// The limits of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchLimits {
    /// The most threads of a block.
    pub threads: i64,
    /// The most blocks of a grid, all along its first dimension.
    pub blocks: i64,
    /// The most blocks of a cluster; 1 without clusters.
    pub cluster: i64,
    /// The most shared memory of a block, in bytes. More than [`STATIC_SHARED_BYTES`](maps::hardware::STATIC_SHARED_BYTES) needs an attribute at launch.
    pub shared: i64,
}

impl Target {
    /// All known targets, from the oldest to the newest.
    pub fn all() -> impl Iterator<Item = Target> {
        CAPABILITIES.into_iter().map(Target)
    }

    /// The limits of a launch on this target.
    pub fn limits(self) -> LaunchLimits {
        LaunchLimits::new(self.0.cluster_blocks, self.0.shared_bytes)
    }

    /// The oldest target from `sm_80` on that can launch a kernel with `cluster` blocks in a cluster and `shared` bytes
    /// of shared memory in a block; its code runs on newer GPUs too. `None` if no target can.
    pub fn oldest_for(cluster: i64, shared: i64) -> Option<Target> {
        let can_launch = |target: &Target| cluster <= target.limits().cluster && shared <= target.limits().shared;
        Target::all().find(|target| target.0.number >= OLDEST_DEFAULT && can_launch(target))
    }
}

impl LaunchLimits {
    /// The limits of a target; without one, the highest limits of all known targets.
    pub fn for_target(target: Option<Target>) -> LaunchLimits {
        target.map_or(LaunchLimits::new(MOST_CLUSTER_BLOCKS, MOST_SHARED_BYTES), Target::limits)
    }

    fn new(cluster: i64, shared: i64) -> LaunchLimits {
        LaunchLimits { threads: MOST_BLOCK_THREADS, blocks: MOST_GRID_BLOCKS, cluster, shared }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sm_{}", self.0.number)
    }
}

/// The text names no known target. The message lists the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTarget;

impl fmt::Display for UnknownTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<String> = Target::all().map(|target| target.to_string()).collect();
        write!(formatter, "the known targets are {}", known.join(", "))
    }
}

impl std::error::Error for UnknownTarget {}

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(text: &str) -> Result<Target, UnknownTarget> {
        Target::all().find(|target| target.to_string() == text).ok_or(UnknownTarget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_read_as_it_is_written() {
        for target in Target::all() {
            assert_eq!(target.to_string().parse(), Ok(target));
        }
        for unknown in ["", "sm_", "sm_1", "90", "sm_090", "sm_90 ", "gfx90a"] {
            assert_eq!(unknown.parse::<Target>(), Err(UnknownTarget), "{unknown}");
        }
    }

    #[test]
    fn code_is_made_for_the_oldest_target_that_can_launch_it() {
        let oldest = |cluster, shared| Target::oldest_for(cluster, shared).map(|target| target.to_string());
        assert_eq!(oldest(1, 0).as_deref(), Some("sm_80"));
        assert_eq!(oldest(1, 163 * 1024).as_deref(), Some("sm_80"));
        assert_eq!(oldest(1, 164 * 1024).as_deref(), Some("sm_90"));
        assert_eq!(oldest(2, 0).as_deref(), Some("sm_90"));
        assert_eq!(oldest(16, 227 * 1024).as_deref(), Some("sm_90"));
        assert_eq!(oldest(17, 0), None);
    }

    #[test]
    fn without_a_target_the_limits_are_those_that_no_target_exceeds() {
        let any = LaunchLimits::for_target(None);
        for target in Target::all() {
            let limits = target.limits();
            assert!(limits.threads <= any.threads && limits.blocks <= any.blocks && limits.cluster <= any.cluster);
            assert!(limits.shared <= any.shared);
        }
    }
}
