//! Kernels of daily work as people first write them who know CUDA, in the files of `daily/`: accepted without a warning, and
//! right in the interpreter and on the CPU. What they are expected to compute was computed by numpy.

use std::path::{Path, PathBuf};

use crate::program::Folder;

fn kernels() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/daily");
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn kernels_of_daily_work_are_accepted_and_right() {
    let files = kernels();
    assert!(files.len() >= 26);
    for file in files {
        let (name, text) = (file.file_name().unwrap().to_str().unwrap(), std::fs::read_to_string(&file).unwrap());
        let folder = Folder::new(&[(name, &text)]);
        let checked = folder.run(&["check", name]);
        assert_eq!(checked.status, 0, "{name}: {}{}", checked.output, checked.errors);
        assert!(!checked.output.contains("warning"), "{name}: {}", checked.output);
        assert_eq!(folder.run(&["fmt", "--check", name]).status, 0, "{name} is not formatted");
        let runs = text.matches("\nrun ").count();
        assert!(runs > 0 && text.matches(" expect ").count() == runs, "{name}: each run says what it should compute");
        for device in ["interp", "cpu"] {
            let answer = folder.run(&["run", name, "--device", device]);
            assert_eq!(answer.status, 0, "{name} on {device}: {}{}", answer.output, answer.errors);
            assert_eq!(answer.output.matches("expect passed").count(), runs, "{name} on {device}: {}", answer.output);
        }
    }
}
