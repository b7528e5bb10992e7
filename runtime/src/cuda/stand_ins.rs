//! For tests: stand-ins for NVIDIA's libraries, compiled from C.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a C file of this folder with these options into a library. Linux has a compiler, since Rust links with it.
pub(super) fn built(folder: &Path, name: &str, source: &str, options: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cuda").join(source);
    std::fs::create_dir_all(folder).unwrap();
    let library = folder.join(name);
    let status =
        Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).args(options).status();
    assert!(status.unwrap().success(), "the stand-in {name} does not compile");
    library
}

/// The stand-in for the driver.
pub(super) fn driver(folder: &Path, options: &[&str]) -> PathBuf {
    built(folder, "libcuda-fake.so", "driver/fake_driver.c", options)
}
