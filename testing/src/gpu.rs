//! Stand-ins for NVIDIA's libraries, for tests on machines without a GPU: the driver and NVRTC, compiled from the C in
//! `testing/gpu`, and machine code for them. `settings.h` there says how they can be told to fail.
//!
//! Linux has a C compiler, since Rust links with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder of the sources.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gpu");

/// Makes a driver with these settings at this path, below folders that are made too.
pub fn driver(library: &Path, settings: &str) -> PathBuf {
    built(library, "driver.c", &[&with(settings)])
}

/// A driver that lacks a function: `OLD`, `WITHOUT_LOG` or `WITHOUT_CLUSTERS` of its source.
pub fn driver_without(library: &Path, lack: &str, settings: &str) -> PathBuf {
    built(library, "driver.c", &[&format!("-D{lack}"), &with(settings)])
}

/// Makes an NVRTC with these settings.
pub fn nvrtc(library: &Path, settings: &str) -> PathBuf {
    built(library, "nvrtc.c", &[&with(settings)])
}

/// An NVRTC that needs another library, or lacks a function (`-DINCOMPLETE`), by options of the C compiler.
pub fn nvrtc_with(library: &Path, options: &[&str]) -> PathBuf {
    built(library, "nvrtc.c", options)
}

/// Machine code with one kernel, `scale(f32 *x, f32 a, u32 n, i8 b)`, which computes `x[i] = a * x[i] + b` for each i
/// below n. Made for sm_90 by NVRTC 12.
pub fn scale() -> &'static [u8] {
    static CODE: OnceLock<Vec<u8>> = OnceLock::new();
    CODE.get_or_init(|| {
        let library = std::env::temp_dir().join(format!("scale-{}.so", std::process::id()));
        let code = std::fs::read(built(&library, "scale.c", &[])).expect("the code can be read");
        std::fs::remove_file(library).expect("the code can be removed");
        code
    })
}

fn with(settings: &str) -> String {
    format!("-DSETTINGS=\"{settings}\"")
}

fn built(library: &Path, source: &str, options: &[&str]) -> PathBuf {
    let folder = library.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let place = format!("-DSTAND_IN_FOLDER=\"{FOLDER}\"");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", &place, "-o"]).arg(library).arg(Path::new(FOLDER).join(source));
    let status = compiler.args(options).args(["-ldl", "-lpthread"]).status();
    assert!(status.is_ok_and(|status| status.success()), "the stand-in {source} does not compile");
    library.to_path_buf()
}
