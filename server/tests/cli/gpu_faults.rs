//! What goes wrong on the way to a GPU and back: each call of the libraries, memory, time, the cache. There is a word for
//! it, and the next run works.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::machine::Machine;

/// A kernel whose run makes every kind of call: it copies little and much, and sets zeros.
const LARGE: &str = "kernel grow(x: f32[1], y: mut f32[32768], z: mut f32[32768]) {
    for i in grid(32768) { y[i] = y[i] + x[0]; z[i] = z[i] + y[i]; }
}
run grow(x: ones, y: ones, z: zeros) expect z == 2.0;
";

/// The calls of a run, in the stand-ins' own record of one.
fn calls(machine: &Machine) -> Vec<String> {
    let log = machine.path("log");
    let run = machine.run(&format!("log={}", log.display()));
    assert_eq!(run.status, 0, "{}", run.errors);
    let mut calls: Vec<String> = Vec::new();
    for line in std::fs::read_to_string(&log).unwrap().lines() {
        let call = line.split(' ').nth(1).unwrap().to_owned();
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    calls
}

/// The cache of compiled code, which would keep NVRTC from being called.
fn without_cache(machine: &Machine) {
    let _: Result<(), std::io::Error> = std::fs::remove_dir_all(machine.path("cache"));
}

#[test]
fn every_call_may_fail_and_the_next_run_works() {
    let machine = Machine::new("", "");
    machine.folder.write("a.shape", LARGE.as_bytes());
    let calls = calls(&machine);
    assert!(calls.len() > 35, "{calls:?}");
    for call in &calls {
        for status in [2, 700, 999] {
            if call.starts_with("nvrtc") {
                without_cache(&machine);
            }
            let failed = machine.run(&format!("fail={call}:{status}"));
            // What gives something back, or tells the log or the UUID for a message, may fail unseen.
            if failed.status == 0 {
                const HARMLESS: [&str; 5] =
                    ["cuMemFree_v2", "cuMemFreeHost", "cuEventDestroy_v2", "cuModuleUnload", "cuDeviceGetUuid_v2"];
                let is_harmless = HARMLESS.contains(&call.as_str())
                    || call.starts_with("nvrtcGetProgramLog")
                    || call == "nvrtcDestroyProgram"
                    // Then copies go without pinned memory.
                    || (failed.output.contains("no pinned memory") && status == 2)
                    // Then the host tells the time.
                    || failed.output.contains("note: the time of the run is the host's");
                assert!(is_harmless && failed.output.contains("expect passed"), "{call}: {}", failed.output);
            } else {
                assert_eq!(failed.status, 3, "{call} {status}: {}{}", failed.output, failed.errors);
                assert!(failed.output.is_empty() && failed.errors.len() > 40, "{call} {status}: {}", failed.errors);
            }
        }
        machine.works();
    }
}

#[test]
fn zeros_are_set_on_the_device_and_large_tensors_go_through_pinned_memory() {
    let machine = Machine::new("", "");
    machine.folder.write("a.shape", LARGE.as_bytes());
    let log = machine.path("log");
    machine.run(&format!("log={}", log.display()));
    let log = std::fs::read_to_string(log).unwrap();
    let count = |call: &str| log.lines().filter(|line| line.ends_with(&format!(" {call}"))).count();
    // Zeros are `z` and the buffer for faults; `x` is small; `y` goes in one piece, and comes back with `z`.
    assert_eq!(["cuMemsetD8Async", "cuMemcpyHtoD_v2", "cuMemcpyHtoDAsync_v2"].map(count), [2, 1, 1], "{log}");
    assert_eq!(["cuMemcpyDtoH_v2", "cuMemcpyDtoHAsync_v2", "cuMemAllocHost_v2"].map(count), [1, 2, 2], "{log}");
}

/// No memory is asked for, nothing is copied, and a grid of no block is not launched.
#[test]
fn tensors_without_elements_are_run() {
    let machine = Machine::new("", "");
    let text = "dim N;
kernel shorten(x: f32[N], y: mut f32[N - 1]) { for i in grid(N - 1) { y[i] = x[i] + 1.0; } }
kernel first(x: f32[N - 1], y: mut f32[N]) { for i in grid(N) { y[i] = if i + 1 < N { x[i] } else { 3.0 }; } }
run shorten(x: ones, y: zeros) with N = 1 expect y == 2.0;
run first(x: ones, y: zeros) with N = 1 expect y == 3.0;
";
    machine.folder.write("a.shape", text.as_bytes());
    let run = machine.run("");
    assert_eq!((run.status, run.output.matches("expect passed").count()), (0, 2), "{}{}", run.output, run.errors);
    assert!(run.output.contains("y f32[0] = []"), "{}", run.output);
}

#[test]
fn memory_that_is_full_is_told_with_its_numbers() {
    let machine = Machine::new("", "");
    let full = machine.run("memory=16");
    assert_eq!(full.status, 3);
    assert!(full.errors.contains("not enough memory on cuda:0: 32 bytes could not be allocated"), "{}", full.errors);
    // Memory that was there for the first tensor is gone for the second.
    let later = machine.run("fail=cuMemAlloc_v2:2@2");
    assert_eq!(later.status, 3);
    assert!(later.errors.contains("not enough memory on cuda:0: "), "{}", later.errors);
    machine.works();
    // There is room for the tensors of the run, and none for what empties the cache before it is measured.
    let arguments = ["run", "a.shape", "--device", "cuda:0", "--time"];
    let measured = machine.answer(&arguments, "memory=4096 l2=65536");
    assert_eq!(measured.status, 0, "{}", measured.errors);
    assert!(measured.output.contains("there is no memory left to empty it"), "{}", measured.output);
    machine.works();
}

/// What only the measuring needs may fail: the results stand, a note says what is missing, and the other runs are made.
#[test]
fn a_measurement_that_fails_takes_nothing_away() {
    let machine = Machine::new("", "");
    let text = std::fs::read_to_string(machine.path("a.shape")).unwrap();
    machine.folder.write("a.shape", format!("{text}run grow(y: ones) expect y == 2.0;\n").as_bytes());
    let arguments = ["run", "a.shape", "--device", "cuda:0", "--time"];
    let measured = machine.answer(&arguments, "");
    assert_eq!((measured.status, measured.output.matches("median of").count()), (0, 2), "{}", measured.output);
    for (settings, note, medians) in [
        // The second kernel that is loaded is the empty one.
        ("fail=cuModuleLoadDataEx:999@2", "that of an empty kernel is not known: cuModuleLoadDataEx failed", 2),
        ("fail=cuEventCreate:2@3", "the time of an empty kernel is not known: cuEventCreate failed", 2),
        ("fail=cuEventCreate:2", "the run was not measured: cuEventCreate failed: out of memory", 0),
        ("fail=cuEventElapsedTime:999@1", "the time of the run is the host's, and so includes the launch: cuEvent", 2),
    ] {
        let run = machine.answer(&arguments, settings);
        assert_eq!(run.status, 0, "{settings}: {}{}", run.output, run.errors);
        assert_eq!(run.output.matches("expect passed").count(), 2, "{settings}: {}", run.output);
        assert_eq!(run.output.matches("median of").count(), medians, "{settings}: {}", run.output);
        assert!(
            run.output.contains(&format!("note: {note}")) || run.output.contains(note),
            "{settings}: {}",
            run.output
        );
    }
    machine.works();
}

#[test]
fn a_device_that_is_lost_on_the_way_is_told() {
    let machine = Machine::new("", "");
    for call in ["cuMemAlloc_v2", "cuLaunchKernel", "cuCtxSynchronize"] {
        let lost = machine.run(&format!("lose={call}"));
        assert_eq!(lost.status, 3, "{call}: {}", lost.output);
        assert!(lost.errors.contains("CUDA_ERROR_UNKNOWN, 999); the GPU may be gone"), "{call}: {}", lost.errors);
        machine.works();
    }
}

#[test]
fn a_kernel_that_never_ends_is_stopped() {
    let machine = Machine::new("", "");
    let begin = Instant::now();
    let stopped =
        machine.answer(&["run", "a.shape", "--device", "cuda:0", "--time-limit", "1"], "hang=cuCtxSynchronize");
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_ne!(stopped.status, 0);
    assert!(stopped.errors.contains("took longer than 1 s and were stopped"), "{}", stopped.errors);
    machine.works();
}

#[test]
fn a_driver_that_does_not_let_its_process_end_is_not_waited_for() {
    let machine = Machine::new("", "");
    let begin = Instant::now();
    let run = machine.run("exit=hang");
    assert!(run.status == 0 && run.output.contains("expect passed"), "{}", run.errors);
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn two_processes_share_the_cache() {
    let machine = Machine::new("", "");
    let start = || machine.command(&["run", "a.shape", "--device", "cuda:0"], "slow=nvrtcCompileProgram:100");
    for _ in 0..3 {
        without_cache(&machine);
        let children: Vec<_> = (0..3).map(|_| start().stdout(Stdio::null()).spawn().unwrap()).collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
    }
    machine.works();
}

#[test]
fn a_cache_that_is_damaged_full_or_not_writable_is_no_error() {
    let machine = Machine::new("", "");
    machine.works();
    let entries = || walk(&machine.path("cache"));
    assert!(!entries().is_empty());
    for keep in [0, 1, 100] {
        for entry in entries() {
            let bytes = std::fs::read(&entry).unwrap();
            std::fs::write(&entry, &bytes[..bytes.len().min(keep)]).unwrap();
        }
        machine.works();
    }
    // A byte in the middle of the code.
    for entry in entries() {
        let mut bytes = std::fs::read(&entry).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0xff;
        std::fs::write(&entry, &bytes).unwrap();
    }
    machine.works();
    // A file where the folder should be.
    without_cache(&machine);
    std::fs::write(machine.path("cache"), "").unwrap();
    machine.works();
    // A file system in which nobody may make a folder.
    let mut run = machine.command(&["run", "a.shape", "--device", "cuda:0"], "");
    let run = run.env("SHAPEWRIGHT_CACHE_DIR", "/proc/shapewright").output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// That code could not be kept is said once, and not for each run; a pipe in place of an entry keeps nobody waiting.
#[test]
fn code_that_is_not_kept_is_told_once() {
    let machine = Machine::new("", "");
    let text = std::fs::read_to_string(machine.path("a.shape")).unwrap();
    let other = "kernel shrink(y: mut f32[8]) { for i in grid(8) { y[i] = y[i] - 1.0; } }
run shrink(y: ones) expect y == 0.0;
";
    machine.folder.write("a.shape", format!("{text}{other}").as_bytes());
    std::fs::write(machine.path("cache"), "").unwrap();
    let run = machine.run("");
    assert_eq!((run.status, run.output.matches("expect passed").count()), (0, 2), "{}{}", run.output, run.errors);
    let note = format!("note: the compiled code is not kept for the next time: {}: ", machine.path("cache").display());
    assert_eq!(run.output.matches(&note).count(), 1, "{}", run.output);
    std::fs::remove_file(machine.path("cache")).unwrap();
    assert!(!machine.run("").output.contains("note: "));
    for entry in walk(&machine.path("cache")) {
        std::fs::remove_file(&entry).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&entry).status().unwrap().success());
    }
    machine.works();
}

/// The worker is another process: whatever ends it, the program says so, and the next run works.
#[test]
fn a_worker_that_is_killed_is_told() {
    let machine = Machine::new("", "");
    let log = machine.path("log");
    for call in ["cuInit", "cuDevicePrimaryCtxRetain", "nvrtcCompileProgram", "cuMemAlloc_v2", "cuCtxSynchronize"] {
        without_cache(&machine);
        let _: Result<(), std::io::Error> = std::fs::remove_file(&log);
        let settings = format!("log={} hang={call}", log.display());
        let mut run = machine.command(&["run", "a.shape", "--device", "cuda:0"], &settings);
        let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let worker = caller(&log, call);
        assert!(std::process::Command::new("kill").args(["-9", &worker]).status().unwrap().success());
        let ended = run.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(3), "{call}: {errors}");
        assert!(errors.contains("ended before its time") && errors.contains(": it was killed (signal 9)"), "{errors}");
        if call == "cuInit" {
            assert!(errors.contains(", while it opened the NVIDIA driver (cuInit): "), "{errors}");
        }
        machine.works();
    }
}

/// The process that made a call, once it has.
fn caller(log: &Path, call: &str) -> String {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let lines = std::fs::read_to_string(log).unwrap_or_default();
        if let Some(line) = lines.lines().find(|line| line.ends_with(&format!(" {call}"))) {
            return line.split(' ').next().unwrap_or_default().to_owned();
        }
        assert!(Instant::now() < end, "nobody calls {call}: {lines}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// Every example with a `run` item passes on the stand-in as it is.
#[test]
fn every_example_runs() {
    let machine = Machine::new("", "");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let files = walk(&examples).into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "shape"));
    let mut runs = 0;
    for file in files.filter(|file| std::fs::read_to_string(file).unwrap().contains("\nrun ")) {
        let name = file.display().to_string();
        let answer = machine.answer(&["run", &name, "--device", "cuda:0"], "");
        assert_eq!(answer.status, 0, "{name}: {}{}", answer.output, answer.errors);
        runs += answer.output.matches("expect passed").count();
    }
    assert!(runs >= 20, "{runs}");
}
