//! Compiles emitted sources with NVRTC.

use emit::{COMPILE_OPTIONS, Emitted};
use shapewright_runtime::cuda::{Nvrtc, Request};

/// The PTX that NVRTC makes of an emitted kernel for an architecture (`sm_90`).
///
/// # Errors
/// A sentence if there is no NVRTC, or it does not know the architecture.
pub(crate) fn ptx(emitted: &Emitted, target: &str) -> Result<String, String> {
    let nvrtc = Nvrtc::for_any_driver().map_err(|error| error.to_string())?;
    let arch = target.replace("sm_", "compute_");
    let name = format!("{}.cu", emitted.entry);
    let options = COMPILE_OPTIONS.map(str::to_owned);
    let request = Request { source: &emitted.source, name: &name, arch: &arch, options: &options };
    let compiled = nvrtc.compile(&request).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&compiled.code);
    Ok(text.trim_end_matches('\0').to_owned())
}
