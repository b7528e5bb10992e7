//! Every example checks without a finding that matters, runs on both executors, and says first what it shows. The
//! reference's own examples check too, and the pages of the diagnostics are those of the code.

use std::path::{Path, PathBuf};

use crate::program::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn examples() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "shape"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 9, "{paths:?}");
    paths
}

#[test]
fn every_example_begins_with_two_lines_on_what_it_shows() {
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.lines().take(2).all(|line| line.starts_with("// ")), "{}", path.display());
    }
}

#[test]
fn every_example_checks_and_is_formatted() {
    let folder = Folder::new(&[]);
    for path in examples() {
        let path = path.to_str().unwrap();
        let answer = folder.run(&["check", "--deny", "warnings", path]);
        assert_eq!(answer.status, 0, "{path}: {}{}", answer.output, answer.errors);
        let answer = folder.run(&["fmt", "--check", path]);
        assert_eq!(answer.status, 0, "{path}: {}{}", answer.output, answer.errors);
    }
}

#[test]
fn every_example_runs_on_the_processor_and_in_the_interpreter() {
    let folder = Folder::new(&[]);
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        if !text.lines().any(|line| line.starts_with("run ")) {
            continue;
        }
        for device in ["cpu", "interp"] {
            let answer = folder.run(&["run", path.to_str().unwrap(), "--device", device]);
            assert_eq!(answer.status, 0, "{} on {device}: {}{}", path.display(), answer.output, answer.errors);
            assert!(answer.output.contains("expect passed"), "{}", answer.output);
        }
    }
}

#[test]
fn the_examples_of_the_reference_check() {
    let text = std::fs::read_to_string(root().join("docs/language.md")).unwrap();
    let mut fences = 0;
    for part in text.split("```shape\n").skip(1) {
        let source = part.split("```").next().unwrap_or_default();
        let folder = Folder::new(&[("fence.shape", source)]);
        let answer = folder.run(&["check", "fence.shape"]);
        assert_eq!(answer.status, 0, "{source}\n{}{}", answer.output, answer.errors);
        fences += 1;
    }
    assert!(fences > 5, "only {fences} examples in the reference");
}

#[test]
fn the_pages_of_the_diagnostics_are_those_of_the_code() {
    for page in shapewright_compiler::diagnostics::PAGES {
        let path = root().join("docs/diagnostics").join(format!("{}.md", page.code));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let current = [page.title, page.explanation.trim(), page.wrong.trim(), page.right.trim()];
        assert!(
            current.iter().all(|part| text.contains(part)),
            "{} is not what the code says: run `cargo xtask docs`",
            path.display()
        );
    }
}
