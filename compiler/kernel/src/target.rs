//! GPUs that kernels can be checked for, by the name of their architecture.

use std::fmt;
use std::str::FromStr;

use maps::hardware::{
    CAPABILITIES, Capability, FIRST_WITH_OWN_FEATURES, MOST_BLOCK_THREADS, MOST_CLUSTER_BLOCKS, MOST_GRID_BLOCKS,
    MOST_SHARED_BYTES,
};

/// The oldest default target.
const OLDEST_DEFAULT: u32 = 80;

/// A GPU architecture, such as `sm_90`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    capability: Capability,
    /// Whether code may use what only this architecture has, as in `sm_90a`. It does not run on newer GPUs then.
    has_own_features: bool,
}

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
    /// All known targets, from the oldest to the newest; those with features of their own are not counted again.
    pub fn all() -> impl Iterator<Item = Target> {
        CAPABILITIES.into_iter().map(|capability| Target { capability, has_own_features: false })
    }

    /// The target for code that may use what only it has; `None` if it has nothing of its own.
    pub fn with_own_features(self) -> Option<Target> {
        (self.capability.number >= FIRST_WITH_OWN_FEATURES).then_some(Target { has_own_features: true, ..self })
    }

    /// The limits of a launch on this target.
    pub fn limits(self) -> LaunchLimits {
        LaunchLimits::new(self.capability.cluster_blocks, self.capability.shared_bytes)
    }

    /// The oldest target from `sm_80` on that can launch a kernel with `cluster` blocks in a cluster and `shared` bytes
    /// of shared memory in a block; its code runs on newer GPUs too. `None` if no target can.
    pub fn oldest_for(cluster: i64, shared: i64) -> Option<Target> {
        let can_launch = |target: &Target| cluster <= target.limits().cluster && shared <= target.limits().shared;
        Target::all().find(|target| target.capability.number >= OLDEST_DEFAULT && can_launch(target))
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
        write!(formatter, "sm_{}{}", self.capability.number, if self.has_own_features { "a" } else { "" })
    }
}

/// The text names no known target. The message lists the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTarget;

impl fmt::Display for UnknownTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<String> = Target::all().map(|target| target.to_string()).collect();
        write!(formatter, "the known targets are {}, ", known.join(", "))?;
        write!(formatter, "and those from sm_{FIRST_WITH_OWN_FEATURES} on with an `a` for what only they have")
    }
}

impl std::error::Error for UnknownTarget {}

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(text: &str) -> Result<Target, UnknownTarget> {
        let plain = text.strip_suffix('a').unwrap_or(text);
        let target = Target::all().find(|target| target.to_string() == plain).ok_or(UnknownTarget)?;
        if plain == text { Ok(target) } else { target.with_own_features().ok_or(UnknownTarget) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_read_as_it_is_written() {
        for target in Target::all() {
            assert_eq!(target.to_string().parse(), Ok(target));
            if let Some(target) = target.with_own_features() {
                assert_eq!(target.to_string().parse(), Ok(target));
            }
        }
        for unknown in ["", "sm_", "sm_1", "sm_89a", "sm_90aa", "sm_a", "a", "90", "sm_090", "sm_90 ", "gfx90a"] {
            assert_eq!(unknown.parse::<Target>(), Err(UnknownTarget), "{unknown}");
        }
    }

    #[test]
    fn a_target_with_features_of_its_own_has_the_limits_of_the_other_one() {
        let [with, without] = ["sm_90a", "sm_90"].map(|name| name.parse::<Target>());
        assert_ne!(with, without);
        assert_eq!(with.map(Target::limits), without.map(Target::limits));
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
