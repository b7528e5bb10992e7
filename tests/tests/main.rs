//! Tests across the crates, in one program: what is said of texts, and what becomes of kernels and maps that are emitted.

mod circles;
mod cookbook;
mod crates;
mod cuda_shim;
mod deep_chains;
mod diagnostic_pages;
mod documents;
mod editor_words;
mod exchanges;
mod extremes;
mod false_acceptances;
mod fixes;
mod incremental;
mod interop;
mod kernels_check;
mod levels;
mod map_questions;
mod reshape_maps;
mod robustness;
mod settings;
mod support;
mod thread_nests;
mod tile_banks;
mod tile_front_end;
mod tile_holders;
