//! Typed kernels as source code for GPUs.
