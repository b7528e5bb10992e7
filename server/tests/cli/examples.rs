//! Every example checks without a finding that matters, runs on both executors, and says first what it shows. The
//! reference's own examples check too, and the pages of the diagnostics are those of the code.

use std::collections::BTreeMap;
use std::ffi::OsString;
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
    assert!(paths.len() >= 15, "{paths:?}");
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
        let answer = folder.run(&["check", path]);
        assert_eq!(answer.status, 0, "{path}: {}{}", answer.output, answer.errors);
        // One example shows each verdict, and so the warning of one that is open.
        let warnings = answer.output.matches("warning[").count();
        let open = answer.output.matches("warning[assertion-open]").count();
        let expected = usize::from(path.ends_with("proofs.shape"));
        assert_eq!((warnings, open), (expected, expected), "{path}: {}{}", answer.output, answer.errors);
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

/// The blocks of a page that are marked with this word.
fn fences(page: &str, word: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let start = format!("```{word}\n");
    text.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_readme_shows_what_is_printed() {
    let blocks = fences("README.md", "text");
    let [file, shown, ..] = blocks.as_slice() else { panic!("no capture") };
    let folder = Folder::new(&[("saxpy.shape", file)]);
    let answer = folder.run(&["check", "saxpy.shape"]);
    assert_eq!(format!("$ shapewright check saxpy.shape\n{}", answer.output), *shown);
    let quickstart = root().join("examples/quickstart.shape");
    let emitted = folder.run(&["emit", quickstart.to_str().unwrap(), "scale"]);
    assert!(blocks.contains(&emitted.output), "{}", emitted.output);
}

#[test]
fn the_examples_of_the_reference_and_of_the_readme_check() {
    let mut sources = fences("README.md", "shape");
    sources.extend(fences("docs/language.md", "shape"));
    for source in &sources {
        let folder = Folder::new(&[("fence.shape", source)]);
        let answer = folder.run(&["check", "fence.shape"]);
        assert_eq!(answer.status, 0, "{source}\n{}{}", answer.output, answer.errors);
    }
    assert!(sources.len() > 10, "only {} examples", sources.len());
}

/// The files of a folder, with their texts.
fn files(folder: &Path) -> BTreeMap<OsString, String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name(), std::fs::read_to_string(entry.path()).unwrap())).collect()
}

#[test]
fn the_pages_of_the_diagnostics_are_those_of_the_code() {
    let folder = Folder::new(&[]);
    assert_eq!(folder.run(&["explain", "--write", "pages"]).status, 0);
    let (written, kept) = (files(&folder.path("pages")), files(&root().join("docs/diagnostics")));
    let differing: Vec<_> =
        written.keys().chain(kept.keys()).filter(|name| written.get(*name) != kept.get(*name)).collect();
    assert!(differing.is_empty(), "{differing:?} are not what the code says: run `cargo xtask docs`");
    assert!(written.len() > 100);
}
