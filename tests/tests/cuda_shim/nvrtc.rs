//! Emitted kernels through NVRTC, to machine code of real architectures.

use std::path::Path;

use emit::{COMPILE_OPTIONS, Emitted};
use shapewright_runtime::cuda::nvrtc::Nvrtc;
use shapewright_runtime::cuda::{Compiled, Request, nvrtc_required};

use super::host::translation_unit;

/// One architecture without conversions to bf16, and the three data-centre generations that have them.
pub const ARCHITECTURES: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_100"];

/// The architectures for which kernels of tiles are made, with the features that only they have.
pub const TILE_ARCHITECTURES: [&str; 4] = ["sm_80", "sm_90a", "sm_100a", "sm_120a"];

/// NVRTC, or `None` where there is none and the test has nothing to do; in CI a missing one is an error.
pub fn nvrtc() -> Option<Nvrtc> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let found = nvrtc_required(workspace).unwrap();
    if found.is_none() {
        eprintln!("no NVRTC, so nothing was tested: pip install nvidia-cuda-nvrtc-cu12 into .venv");
    }
    found
}

/// Compiles many kernels at once.
pub fn compile(nvrtc: &Nvrtc, kernels: &[&Emitted], arch: &str) -> Result<Compiled, String> {
    let source = translation_unit("", kernels);
    let options = COMPILE_OPTIONS.map(str::to_owned);
    let request = Request { source: &source, name: "kernels.cu", arch, options: &options };
    nvrtc.compile(&request).map_err(|error| error.to_string())
}
