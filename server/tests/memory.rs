//! How much memory a run takes. A test program of its own, because a system tells only the peak of all processes that a
//! program has started.
#![cfg(target_os = "linux")]

use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};

const SAXPY: &str = "dim N where N % 1024 == 0;
kernel saxpy(a: f32, x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([4] | [N / 4] => layout: [t0, i0]);
    view ys = y via reshape_map([4] | [N / 4] => layout: [t0, i0]);
    for i in 0..4 { ys[i] = a * xs[i] + ys[i]; }
}";

#[test]
fn a_run_needs_its_tensors_and_little_more() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saxpy.shape");
    std::fs::write(&file, SAXPY).unwrap();
    let elements: i64 = 32 << 20;
    let end = Command::new(env!("CARGO_BIN_EXE_shapewright"))
        .arg("run")
        .arg(&file)
        .args(["saxpy", "--device", "cpu", "--in", "a=2", "--in", "x=arange", "--in", "y=ones", "-D"])
        .arg(format!("N={elements}"))
        .output()
        .unwrap();
    assert!(end.status.success(), "{}", String::from_utf8_lossy(&end.stderr));
    // In KiB on Linux: the largest of the command and the process in which the kernel ran.
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() * 1024;
    let tensors = 2 * 4 * elements;
    assert!(peak >= tensors, "{peak} bytes: the tensors alone are {tensors}, so this is not the run's memory");
    assert!(peak < tensors + (64 << 20), "{peak} bytes for tensors of {tensors}");
}
