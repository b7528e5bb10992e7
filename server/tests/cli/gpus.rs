//! GPUs that are there and cannot be used, with stand-ins for NVIDIA's libraries before the machine's own.

use std::path::PathBuf;

use super::machine::Machine;
use serde_json::Value;

/// The device and the notes of a run with `--device auto`.
fn automatic(machine: &Machine) -> (String, Vec<String>) {
    let run = machine.document(&["run", "a.shape", "--device", "auto"])["runs"][0].clone();
    assert_eq!(run["expect"], "passed");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&run["device"]), run["notes"].as_array().into_iter().flatten().map(text).collect())
}

fn real(path: PathBuf) -> String {
    path.canonicalize().unwrap().display().to_string()
}

#[test]
fn devices_tell_what_was_found_and_where() {
    let machine = Machine::new("version=12.4", "nvrtc=12.6");
    let devices = machine.document(&["devices"]);
    let gpu = &devices["devices"].as_array().unwrap().iter().find(|device| device["name"] == "cuda:0").unwrap();
    assert_eq!(gpu["available"], true);
    let (driver, nvrtc) = (real(machine.path("driver/libcuda.so.1")), real(machine.path("nvrtc/libnvrtc.so")));
    assert_eq!(gpu["driver"], serde_json::json!({ "version": "12.4", "path": driver }));
    assert_eq!(gpu["nvrtc"], serde_json::json!({ "version": "12.6", "path": nvrtc }));
    let text = machine.output(&["devices"]);
    assert!(text.contains(&format!("\ncuda:0: driver for CUDA 12.4: {driver}, NVRTC 12.6: {nvrtc}\n")), "{text}");
    for device in devices["devices"].as_array().unwrap().iter().filter(|device| device["name"] != "cuda:0") {
        assert!(device.get("driver").is_none() && device.get("nvrtc").is_none());
    }
}

#[test]
fn auto_notes_which_gpu_it_passed_over_and_why() {
    let (device, notes) = automatic(&Machine::new("fail=cuDevicePrimaryCtxRetain:46", ""));
    assert_eq!(device, "cpu");
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(
        note.starts_with("cuda:0 (NVIDIA Stand-in) was not used: ") && note.contains("nvidia-smi -c DEFAULT"),
        "{note}"
    );

    let newer = Machine::new("version=12.8", "nvrtc=13.0");
    let (device, notes) = automatic(&newer);
    assert_eq!(device, "cpu");
    assert!(notes[0].ends_with("; `shapewright devices` tells more"), "{notes:?}");
    let told = newer.output(&["devices"]);
    assert!(told.contains("NVRTC 13.0 makes code that this driver, for CUDA 12.8, does not load"), "{told}");
    // The text has no note about a choice that the user made.
    assert!(!newer.output(&["run", "a.shape", "--device", "cpu"]).contains("note: "));
}

#[test]
fn a_driver_that_cannot_be_opened_is_told_and_the_next_run_works() {
    let machine = Machine::new("", "");
    for name in ["driver/libcuda.so.1", "driver/libcuda.so"] {
        std::fs::write(machine.path(name), "this was a library once").unwrap();
    }
    for _ in 0..2 {
        let (device, notes) = automatic(&machine);
        assert_eq!(device, "cpu");
        assert!(notes[0].contains("the NVIDIA driver is there but libcuda.so.1 cannot be opened: "), "{notes:?}");
        assert!(notes[0].ends_with("file too short; reinstall the NVIDIA driver"), "{notes:?}");
    }
}
