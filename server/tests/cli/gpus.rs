//! GPUs that are there and cannot be used, with stand-ins for NVIDIA's libraries before the machine's own.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::program::Folder;

const KERNEL: &str = "kernel grow(y: mut f32[8]) { for i in grid(8) { y[i] = y[i] + 1.0; } }
run grow(y: zeros) expect y == 1.0;
";

/// A folder with a kernel and stand-ins for the driver and NVRTC, compiled with these options.
fn machine(driver: &[&str], nvrtc: &[&str]) -> Folder {
    let folder = Folder::new(&[("a.shape", KERNEL)]);
    built(&folder.path("driver/libcuda.so.1"), "driver/fake_driver.c", driver);
    built(&folder.path("nvrtc/libnvrtc.so"), "fake_nvrtc.c", nvrtc);
    folder
}

fn built(library: &Path, source: &str, options: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src/cuda").join(source);
    std::fs::create_dir_all(library.parent().unwrap()).unwrap();
    let status = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(library).arg(source).args(options).status();
    assert!(status.unwrap().success());
}

/// What the program prints where the stand-ins are found first.
fn output(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = folder.command(arguments);
    let stand_ins = [("LD_LIBRARY_PATH", "driver"), ("SHAPEWRIGHT_NVRTC", "nvrtc")];
    for (name, place) in stand_ins {
        command.env(name, folder.path(place));
    }
    let output = command.env_remove("CUDA_VISIBLE_DEVICES").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn document(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&output(folder, &[arguments, &["--format", "json"]].concat())).unwrap()
}

/// The device and the notes of a run with `--device auto`.
fn automatic(folder: &Folder) -> (String, Vec<String>) {
    let run = document(folder, &["run", "a.shape", "--device", "auto"])["runs"][0].clone();
    assert_eq!(run["expect"], "passed");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&run["device"]), run["notes"].as_array().into_iter().flatten().map(text).collect())
}

fn real(path: PathBuf) -> String {
    path.canonicalize().unwrap().display().to_string()
}

#[test]
fn devices_tell_what_was_found_and_where() {
    let folder = machine(&["-DVERSION=12040"], &["-DMAJOR=12", "-DMINOR=6"]);
    let devices = document(&folder, &["devices"]);
    let gpu = &devices["devices"].as_array().unwrap().iter().find(|device| device["name"] == "cuda:0").unwrap();
    assert_eq!(gpu["available"], true);
    let (driver, nvrtc) = (real(folder.path("driver/libcuda.so.1")), real(folder.path("nvrtc/libnvrtc.so")));
    assert_eq!(gpu["driver"], serde_json::json!({ "version": "12.4", "path": driver }));
    assert_eq!(gpu["nvrtc"], serde_json::json!({ "version": "12.6", "path": nvrtc }));
    let text = output(&folder, &["devices"]);
    assert!(text.contains(&format!("\ncuda:0: driver for CUDA 12.4: {driver}, NVRTC 12.6: {nvrtc}\n")), "{text}");
    for device in devices["devices"].as_array().unwrap().iter().filter(|device| device["name"] != "cuda:0") {
        assert!(device.get("driver").is_none() && device.get("nvrtc").is_none());
    }
}

#[test]
fn auto_notes_which_gpu_it_passed_over_and_why() {
    let (device, notes) = automatic(&machine(&["-DRETAIN_STATUS=46"], &[]));
    assert_eq!(device, "cpu");
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(
        note.starts_with("cuda:0 (NVIDIA Fake) was not used: ") && note.contains("nvidia-smi -c DEFAULT"),
        "{note}"
    );

    let newer = machine(&["-DVERSION=12080"], &["-DMAJOR=13", "-DMINOR=0"]);
    let (device, notes) = automatic(&newer);
    assert_eq!(device, "cpu");
    assert!(notes[0].ends_with("; `shapewright devices` tells more"), "{notes:?}");
    let told = output(&newer, &["devices"]);
    assert!(told.contains("NVRTC 13.0 makes code that this driver, for CUDA 12.8, does not load"), "{told}");
    // The text has no note about a choice that the user made.
    assert!(!output(&newer, &["run", "a.shape", "--device", "cpu"]).contains("note: "));
}

#[test]
fn a_driver_that_cannot_be_opened_is_told_and_the_next_run_works() {
    let folder = machine(&[], &[]);
    for name in ["driver/libcuda.so.1", "driver/libcuda.so"] {
        std::fs::write(folder.path(name), "this was a library once").unwrap();
    }
    for _ in 0..2 {
        let (device, notes) = automatic(&folder);
        assert_eq!(device, "cpu");
        assert!(notes[0].contains("the NVIDIA driver is there but libcuda.so.1 cannot be opened: "), "{notes:?}");
        assert!(notes[0].ends_with("file too short; reinstall the NVIDIA driver"), "{notes:?}");
    }
}
