//! GPUs that are there and cannot be used, with stand-ins for NVIDIA's libraries before the machine's own.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::machine::Machine;
use serde_json::Value;
use testing::gpu;

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
fn clocks_and_instances_of_mig_are_named() {
    let uuid = "00102030-4050-6070-8090-a0b0c0d0e0f0";
    for (settings, name, uuid) in [
        ("", "NVIDIA Stand-in", format!("GPU-{uuid}")),
        ("mig=1g.10gb", "NVIDIA Stand-in MIG 1g.10gb", format!("MIG-{uuid}")),
    ] {
        let machine = Machine::new(settings, "");
        let identity = format!("up to 1980 MHz, memory up to 2619 MHz, {uuid}");
        let devices = machine.output(&["devices"]);
        assert!(devices.contains(name) && devices.contains(&format!("\ncuda:0: {identity}\n")), "{devices}");
        let arguments = ["run", "a.shape", "--device", "cuda:0", "--time"];
        let measured = machine.output(&arguments);
        assert!(measured.contains(&format!("\n    measured on {name}, {identity}\n")), "{measured}");
        let document = machine.document(&arguments);
        assert_eq!(document["runs"][0]["time"]["device"], format!("{name}, {identity}"));
    }
}

#[test]
fn the_first_kernel_is_compiled_while_the_driver_makes_the_context() {
    let machine = Machine::new("", "");
    let log = machine.path("log");
    let settings = format!("log={} hang=cuDevicePrimaryCtxRetain", log.display());
    let mut run = machine.command(&["run", "a.shape", "--device", "cuda:0"], &settings);
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_there = |call: &str| std::fs::read_to_string(&log).is_ok_and(|log| log.contains(call));
    let end = Instant::now() + Duration::from_secs(60);
    while !(is_there("cuDevicePrimaryCtxRetain") && is_there("nvrtcGetCUBIN")) {
        assert!(Instant::now() < end && run.try_wait().unwrap().is_none(), "nothing is compiled");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The worker ends with the program that waits for it, whatever its driver does.
    run.kill().unwrap();
    run.wait().unwrap();
    machine.works();
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

/// Of two GPUs `auto` takes the first that can be used; which it passed over is noted.
#[test]
fn auto_tries_the_next_gpu() {
    let machine = Machine::new("devices=2 fail=cuDevicePrimaryCtxRetain:46@1", "");
    let (device, notes) = automatic(&machine);
    assert_eq!((device.as_str(), notes.len()), ("cuda:1", 1), "{notes:?}");
    assert!(notes[0].starts_with("cuda:0 (NVIDIA Stand-in) was not used: "), "{notes:?}");
    let (device, notes) = automatic(&Machine::new("devices=2 fail=cuDevicePrimaryCtxRetain:46", ""));
    assert_eq!((device.as_str(), notes.len()), ("cpu", 1), "{notes:?}");
    let both = "cuda:0 (NVIDIA Stand-in), cuda:1 (NVIDIA Stand-in) were not used: ";
    assert!(notes[0].starts_with(both), "{notes:?}");
}

/// What a driver that hangs or ends its process keeps from happening is told, and nothing waits for it.
#[test]
fn a_driver_that_does_not_answer_is_told() {
    let machine = Machine::new("", "");
    let answer = |arguments: &[&str], settings: &str| {
        let mut command = machine.command(arguments, settings);
        let output = command.env("SHAPEWRIGHT_DRIVER_LIMIT", "0.5").output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let silent = "the NVIDIA driver (cuInit) did not answer within 0.5 s, and no kernel ran: see whether `nvidia-smi`";
    let (status, told, errors) = answer(&["devices"], "hang=cuInit");
    assert!(status == Some(0) && told.contains("cpu     yes") && told.contains("cuda:0  no"), "{told}{errors}");
    assert!(told.contains(&format!("\ncuda:0: {silent}")), "{told}");
    for device in ["auto", "cuda:0"] {
        let (status, _, errors) = answer(&["run", "a.shape", "--device", device], "hang=cuInit");
        assert!(status == Some(3) && errors.contains(silent), "{errors}");
    }
    let limited = ["run", "a.shape", "--device", "cuda:0", "--time-limit", "0.3"];
    let (_, _, errors) = answer(&limited, "hang=cuInit");
    assert!(errors.contains("(cuInit) did not answer within 0.3 s, and no kernel ran"), "{errors}");
    let (_, _, errors) = answer(&limited, "hang=cuCtxSynchronize");
    assert!(errors.contains("the runs took longer than 0.3 s and were stopped"), "{errors}");
    // Nor do the library's own handlers keep a program from ending.
    let (status, told, _) = answer(&["devices"], "exit=hang");
    assert!(status == Some(0) && told.contains("cuda:0  yes"), "{told}");
    let (status, told, _) = answer(&["emit", "a.shape", "grow", "--to", "ptx"], "exit=hang");
    assert!(status == Some(0) && told.contains(".version"), "{told}");
}

/// A machine without one of the libraries, with wrong versions of both, or with a broken one says which and what to do;
/// with the right ones in their place, the next run works.
#[test]
fn libraries_that_are_missing_wrong_or_broken_are_told() {
    let machine = Machine::new("", "");
    let (driver, nvrtc) = (machine.path("driver/libcuda.so.1"), machine.path("nvrtc/libnvrtc.so"));
    let is_told = |words: &[&str]| {
        let refused = machine.run("");
        assert_eq!(refused.status, 3, "{}", refused.output);
        for word in ["cuda:0", "is not available, but --device cpu always is: "].iter().chain(words) {
            assert!(refused.errors.contains(word), "{word}: {}", refused.errors);
        }
    };
    std::fs::remove_file(&nvrtc).unwrap();
    is_told(&["no libnvrtc is there", "nvidia-cuda-nvrtc-cu12"]);
    std::fs::write(&nvrtc, "this was a library once, and has enough bytes for the header that one has").unwrap();
    is_told(&["libnvrtc.so: ", "invalid ELF header"]);
    gpu::nvrtc(&nvrtc, "nvrtc=13.1");
    is_told(&["NVRTC 13.1 makes code that this driver, for CUDA 12.8, does not load"]);
    gpu::nvrtc(&nvrtc, "");
    machine.works();

    gpu::driver_without(&driver, "OLD", "version=11.0");
    is_told(&["the NVIDIA driver is too old: it has no cuEventDestroy_v2"]);
    std::fs::remove_file(&driver).unwrap();
    std::fs::write(machine.path("driver/libcuda.so"), "").unwrap();
    is_told(&["the NVIDIA driver is there but libcuda.so cannot be opened"]);
    gpu::driver(&driver, "");
    machine.works();
}

/// Of two NVRTCs the newest that the driver takes is used, and a broken one beside it is passed over.
#[test]
fn of_two_libraries_the_one_that_works_is_used() {
    let machine = Machine::new("version=12.8", "nvrtc=13.0");
    std::fs::rename(machine.path("nvrtc/libnvrtc.so"), machine.path("nvrtc/libnvrtc.so.13")).unwrap();
    std::fs::write(machine.path("nvrtc/libnvrtc.so.12.9"), "broken").unwrap();
    gpu::nvrtc(&machine.path("nvrtc/libnvrtc.so.12.6"), "nvrtc=12.6");
    machine.works();
    let devices = machine.output(&["devices"]);
    assert!(devices.contains("NVRTC 12.6: "), "{devices}");
}

/// A driver's file that lost its end, or whose end was overwritten with zeros, would end the process that maps it.
#[test]
fn a_driver_that_was_cut_off_is_not_opened() {
    let machine = Machine::new("", "");
    let driver = machine.path("driver/libcuda.so.1");
    let whole = std::fs::read(&driver).unwrap();
    let zeros = whole.iter().take(whole.len() / 4).copied().chain(vec![0; whole.len() - whole.len() / 4]).collect();
    for (bytes, word) in [(whole[..whole.len() / 2].to_vec(), ": it was cut off"), (zeros, ": it is damaged")] {
        std::fs::write(&driver, bytes).unwrap();
        let devices = machine.output(&["devices"]);
        let told = format!("libcuda.so.1 cannot be opened: {}: the file", driver.display());
        assert!(devices.contains(&told) && devices.contains(word), "{devices}");
        let (device, notes) = automatic(&machine);
        assert_eq!(device, "cpu");
        assert!(notes[0].contains(&told) && notes[0].contains(word), "{notes:?}");
        let refused = machine.run("");
        assert!(refused.status == 3 && refused.errors.contains(word), "{}", refused.errors);
    }
    std::fs::write(&driver, whole).unwrap();
    machine.works();
}

/// Of two NVRTCs the one that compiles for the GPU is used, whichever is newer; without one, the GPU is not available.
#[test]
fn the_library_that_knows_the_gpu_is_used() {
    let machine = Machine::new("version=13.0 capability=7.0", "nvrtc=13.0 archs=75,80,90");
    let (device, notes) = automatic(&machine);
    assert_eq!(device, "cpu");
    let reason = "NVRTC 13.0 does not compile for sm_70, its oldest is sm_75";
    assert!(notes[0].starts_with("cuda:0 (NVIDIA Stand-in) was not used: "), "{notes:?}");
    let gpu = machine.document(&["devices"])["devices"][2].clone();
    assert!(gpu["available"] == false && gpu["missing"].as_str().unwrap().contains(reason), "{gpu}");
    std::fs::rename(machine.path("nvrtc/libnvrtc.so"), machine.path("nvrtc/libnvrtc.so.13")).unwrap();
    gpu::nvrtc(&machine.path("nvrtc/libnvrtc.so.12"), "nvrtc=12.9 archs=50,70,86,90");
    let ptx = machine.output(&["emit", "a.shape", "grow", "--to", "ptx", "--target", "sm_86"]);
    assert!(ptx.contains(".target sm_86"), "{ptx}");
    let (device, notes) = automatic(&machine);
    assert_eq!((device.as_str(), notes), ("cuda:0", Vec::new()));
    assert!(machine.output(&["devices"]).contains("NVRTC 12.9: "));
}

/// PTX runs only with a driver as new as its compiler, machine code with any of its major version.
#[test]
fn ptx_that_is_too_new_for_the_driver_is_not_made() {
    let (device, notes) = automatic(&Machine::new("version=12.8 capability=12.1", "nvrtc=12.9 archs=80,90"));
    assert_eq!(device, "cpu");
    let reason = "NVRTC 12.9 does not know sm_121 yet, and its PTX is too new for this driver, for CUDA 12.8";
    assert!(
        notes[0].contains("cuda:0 (NVIDIA Stand-in) was not used: ") && notes[0].contains("no usable NVRTC"),
        "{notes:?}"
    );
    let told = Machine::new("version=12.8 capability=12.1", "nvrtc=12.9 archs=80,90").output(&["devices"]);
    assert!(told.contains(reason), "{told}");
    let (device, notes) = automatic(&Machine::new("version=12.8 capability=12.1", "nvrtc=12.8 archs=80,90"));
    assert!(device == "cuda:0" && notes[0].contains("PTX for compute_90"), "{notes:?}");
    let (device, notes) = automatic(&Machine::new("version=12.4 capability=9.0", "nvrtc=12.9 archs=80,90"));
    assert_eq!((device.as_str(), notes), ("cuda:0", Vec::new()));
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
