//! GPUs that kernels can be checked for, by the name of their architecture.

use std::fmt;
use std::str::FromStr;

/// The known compute capabilities, ascending.
const KNOWN: [u32; 7] = [75, 80, 86, 89, 90, 100, 120];
/// The oldest default target.
const OLDEST_DEFAULT: Target = Target(80);
/// The first compute capability with clusters of blocks.
const FIRST_WITH_CLUSTERS: u32 = 90;
/// The most blocks of a cluster that every GPU with clusters can launch.
const PORTABLE_CLUSTER: i64 = 8;
/// The most blocks of a cluster that data-center GPUs can launch.
const MOST_IN_CLUSTER: i64 = 16;
/// The most shared memory of a block on any target, in bytes.
const MOST_SHARED: i64 = 227 * 1024;

/// The shared memory of a block, in bytes, that needs no attribute at launch.
pub const STATIC_SHARED: i64 = 48 * 1024;

/// A GPU architecture, such as `sm_90`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target(u32);

/// The limits of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchLimits {
    /// The most threads of a block.
    pub threads: i64,
    /// The most blocks of a grid, all along its first dimension.
    pub blocks: i64,
    /// The most blocks of a cluster; 1 without clusters.
    pub cluster: i64,
    /// The most shared memory of a block, in bytes. More than [`STATIC_SHARED`] needs an attribute at launch.
    pub shared: i64,
}

impl Target {
    /// All known targets, from the oldest to the newest.
    pub fn all() -> impl Iterator<Item = Target> {
        KNOWN.into_iter().map(Target)
    }

    /// The limits of a launch on this target.
    pub fn limits(self) -> LaunchLimits {
        let cluster = match self.0 {
            ..FIRST_WITH_CLUSTERS => 1,
            90 | 100 => MOST_IN_CLUSTER,
            _ => PORTABLE_CLUSTER,
        };
        LaunchLimits { threads: 1024, blocks: i64::from(i32::MAX), cluster, shared: self.shared() }
    }

    /// The oldest target from `sm_80` on that can launch a kernel with `cluster` blocks in a cluster and `shared` bytes
    /// of shared memory in a block; its code runs on newer GPUs too. `None` if no target can.
    pub fn oldest_for(cluster: i64, shared: i64) -> Option<Target> {
        let can_launch = |target: &Target| cluster <= target.limits().cluster && shared <= target.limits().shared;
        Target::all().find(|target| *target >= OLDEST_DEFAULT && can_launch(target))
    }

    /// The shared memory of a block, in bytes, by CUDA's table of compute capabilities.
    fn shared(self) -> i64 {
        match self.0 {
            75 => 64 * 1024,
            80 => 163 * 1024,
            86 | 89 | 120 => 99 * 1024,
            _ => MOST_SHARED,
        }
    }
}

impl LaunchLimits {
    /// The limits of a target; without one, the highest limits of all known targets.
    pub fn for_target(target: Option<Target>) -> LaunchLimits {
        let (threads, blocks) = (1024, i64::from(i32::MAX));
        let any = LaunchLimits { threads, blocks, cluster: MOST_IN_CLUSTER, shared: MOST_SHARED };
        target.map_or(any, Target::limits)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sm_{}", self.0)
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
            assert!((STATIC_SHARED..=any.shared).contains(&limits.shared));
        }
    }
}
