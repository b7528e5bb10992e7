//! The launch that a tiling is for.

use super::ThreadsError;
use crate::hardware::{MOST_BLOCK_THREADS, MOST_CLUSTER_BLOCKS};

/// The number of blocks in a cluster and of threads in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Launch {
    cluster: i64,
    block: i64,
}

impl Launch {
    /// # Errors
    /// A size below 1, or beyond what a device can do.
    pub fn new(cluster: i64, block: i64) -> Result<Launch, ThreadsError> {
        if !(1..=MOST_CLUSTER_BLOCKS).contains(&cluster) {
            return Err(ThreadsError::Cluster { blocks: cluster });
        }
        if !(1..=MOST_BLOCK_THREADS).contains(&block) {
            return Err(ThreadsError::Block { threads: block });
        }
        Ok(Launch { cluster, block })
    }

    /// Blocks in a cluster: `clusterDim`.
    pub fn cluster(self) -> i64 {
        self.cluster
    }

    /// Threads in a block: `blockDim`.
    pub fn block(self) -> i64 {
        self.block
    }

    /// Threads in a cluster.
    pub fn threads(self) -> i64 {
        self.cluster * self.block
    }
}
