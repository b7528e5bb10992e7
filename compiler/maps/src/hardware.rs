//! What GPUs of NVIDIA can do: every limit and size of the hardware that the compiler reckons with, with its source.
//!
//! The sources: the *CUDA C++ Programming Guide* ("Guide"), above all its table "Technical Specifications per Compute
//! Capability"; the *PTX ISA*; and the *Nsight Compute* documentation, whose profiling guide describes the memories.

/// The threads of a warp, which are its lanes. Guide, "SIMT Architecture".
pub const WARP_LANES: i64 = 32;
/// The threads of a warpgroup: four warps in a row. PTX ISA, "Asynchronous warpgroup level matrix instructions".
pub const WARPGROUP_THREADS: i64 = 4 * WARP_LANES;
/// The distance in threads between the two halves of a quadpair: half a warp. PTX ISA, "Matrix fragments for
/// mma.m8n8k4".
pub const QUADPAIR_STRIDE: i64 = WARP_LANES / 2;

/// The most threads of a block. Guide, technical specifications.
pub const MOST_BLOCK_THREADS: i64 = 1024;
/// The most threads of a block along x, y and z. Guide, technical specifications.
pub const MOST_BLOCK_SIDES: [i64; 3] = [1024, 1024, 64];
/// The most blocks of a grid along x, y and z. Guide, technical specifications.
pub const MOST_GRID_SIDES: [i64; 3] = [(1 << 31) - 1, 65_535, 65_535];
/// The most blocks of a grid whose blocks all lie along x, as those of every kernel here do.
pub const MOST_GRID_BLOCKS: i64 = MOST_GRID_SIDES[0];

/// The barriers of a block; number 0 is the one of `__syncthreads`. PTX ISA, "bar, barrier".
pub const BARRIERS: i64 = 16;

/// The first compute capability with clusters of blocks, as in `sm_90`. Guide, "Thread Block Clusters".
pub const FIRST_WITH_CLUSTERS: u32 = 90;
/// The first compute capability with features of its own that no later GPU promises to have, as in `sm_90a`. Guide,
/// "Architecture-Specific Features".
pub const FIRST_WITH_OWN_FEATURES: u32 = 90;
/// The most blocks of a cluster that every GPU with clusters can launch. Guide, "Thread Block Clusters".
pub const PORTABLE_CLUSTER: i64 = 8;
/// The most blocks of a cluster on any GPU. More than [`PORTABLE_CLUSTER`] need a kernel that allows a non-portable
/// cluster size. Hopper Tuning Guide, "Thread Block Clusters".
pub const MOST_CLUSTER_BLOCKS: i64 = 16;

/// The shared memory of a block, in bytes, that needs no attribute at launch. Guide, "Shared Memory" of each compute
/// capability.
pub const STATIC_SHARED_BYTES: i64 = 48 * KIB;
/// The most shared memory of a block on any GPU, in bytes. Guide, technical specifications.
pub const MOST_SHARED_BYTES: i64 = 227 * KIB;

/// The most bytes that one thread loads or stores with one instruction: a vector of four words. Guide, "Device Memory
/// Accesses".
pub const VECTOR_BYTES: i64 = 16;
/// The bytes of a sector, in which global memory is moved. Nsight Compute, "Memory Tables".
pub const SECTOR_BYTES: i64 = 32;
/// The bytes of a line of the caches: four sectors. Nsight Compute, "Memory Tables".
pub const LINE_BYTES: i64 = 4 * SECTOR_BYTES;
/// The banks of shared memory. Guide, "Shared Memory" of each compute capability.
pub const BANKS: i64 = 32;
/// The bytes of a word of a bank, which it delivers at a time. Guide, "Shared Memory" of each compute capability.
pub const BANK_WORD_BYTES: i64 = 4;

const KIB: i64 = 1024;

/// What GPUs of one compute capability can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Capability {
    /// The compute capability, as in `sm_90`.
    pub number: u32,
    /// The most shared memory of a block, in bytes. More than [`STATIC_SHARED_BYTES`] needs an attribute at launch.
    pub shared_bytes: i64,
    /// The most blocks of a cluster; 1 without clusters.
    pub cluster_blocks: i64,
}

/// The known compute capabilities, ascending. Guide, technical specifications.
pub const CAPABILITIES: [Capability; 7] = [
    Capability { number: 75, shared_bytes: 64 * KIB, cluster_blocks: 1 },
    Capability { number: 80, shared_bytes: 163 * KIB, cluster_blocks: 1 },
    Capability { number: 86, shared_bytes: 99 * KIB, cluster_blocks: 1 },
    Capability { number: 89, shared_bytes: 99 * KIB, cluster_blocks: 1 },
    Capability { number: FIRST_WITH_CLUSTERS, shared_bytes: MOST_SHARED_BYTES, cluster_blocks: MOST_CLUSTER_BLOCKS },
    Capability { number: 100, shared_bytes: MOST_SHARED_BYTES, cluster_blocks: MOST_CLUSTER_BLOCKS },
    Capability { number: 120, shared_bytes: 99 * KIB, cluster_blocks: PORTABLE_CLUSTER },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_capability_exceeds_the_limits_of_all() {
        for capability in CAPABILITIES {
            assert!((STATIC_SHARED_BYTES..=MOST_SHARED_BYTES).contains(&capability.shared_bytes), "{capability:?}");
            assert!((1..=MOST_CLUSTER_BLOCKS).contains(&capability.cluster_blocks), "{capability:?}");
            let has_clusters = capability.number >= FIRST_WITH_CLUSTERS;
            assert_eq!(capability.cluster_blocks >= PORTABLE_CLUSTER, has_clusters, "{capability:?}");
        }
        assert!(CAPABILITIES.is_sorted_by_key(|capability| capability.number));
    }
}
