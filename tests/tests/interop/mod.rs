//! Maps as text of other tools, executed and compared with the maps' definition point by point.
//!
//! The C and CUDA forms are compiled for this machine, the CUDA form by NVRTC too; the numpy form runs in numpy, and
//! CuTe's layouts are evaluated by the package `tensor-layouts`.

mod cases;
mod layouts;
mod native;
pub mod python;
mod tiles;
mod words;
